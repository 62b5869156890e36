"""A kernel module is kept from being loaded, or may be loaded again (modprobe.d(5))."""

from __future__ import annotations

import hashlib
import re

from ...causes.changes import Blacklist, LiftBlacklist
from .file_step import FileStep
from .ground import Ground
from .names import MODULE, fits, path_below

FOLDER = "/etc/modprobe.d"
NEVER = r"(?:/usr)?/bin/(?:true|false)|true|false|:"
"""What `install MODULE COMMAND` runs where it is a stronger blacklist."""


def step(ground: Ground, change: Blacklist) -> FileStep:
    """Raises UnreadableInput."""
    module = fits(MODULE, change.module, "kernel module")
    return _turned(
        FileStep(ground, "blacklist", f"{FOLDER}/firstlight-no-{module}.conf", f"blacklist {module}\n".encode())
    )


def lift(ground: Ground, change: LiftBlacklist) -> FileStep:
    """The lines become comments. Raises UnreadableInput."""
    module = fits(MODULE, change.module, "kernel module")
    path = path_below(change.file, (FOLDER,), "path")
    before = ground.read(path) or b""
    made = FileStep(ground, "lift-blacklist", path, lifted(before.decode("utf-8", "surrogateescape"), module).encode(
        "utf-8", "surrogateescape"), replaces=hashlib.sha256(before).hexdigest())  # fmt: skip
    return _turned(made)


def lifted(text: str, module: str) -> str:
    """`-` and `_` in a module's name are the same."""
    name = re.sub("[-_]", "[-_]", re.escape(module).replace(r"\-", "-"))
    line = rf"^([ \t]*(?:blacklist[ \t]+{name}|install[ \t]+{name}[ \t]+(?:{NEVER}))[ \t]*)$"
    return re.sub(line, r"# \1", text, flags=re.MULTILINE)


def _turned(made: FileStep) -> FileStep:
    made.turn, made.back = 5, 5
    return made
