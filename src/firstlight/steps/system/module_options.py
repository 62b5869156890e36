"""Options of a kernel module, in a file of our own (modprobe.d(5))."""

from __future__ import annotations

from ...causes.changes import ModuleOptions
from .file_step import FileStep
from .ground import Ground
from .names import MODULE, OPTION, all_fit, fits, refused

FOLDER = "/etc/modprobe.d"


def step(ground: Ground, change: ModuleOptions) -> FileStep:
    """Raises UnreadableInput."""
    module = fits(MODULE, change.module, "kernel module")
    options = " ".join(all_fit(OPTION, change.options.split(), "module option"))
    if not options:
        raise refused("module option", change.options)
    made = FileStep(
        ground, "module-options", f"{FOLDER}/firstlight-{module}.conf", f"options {module} {options}\n".encode()
    )
    made.turn, made.back = 5, 5
    return made
