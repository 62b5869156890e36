"""The kinds of machines on which both are asked."""

from __future__ import annotations

import random
from pathlib import Path
from typing import NamedTuple

from .roots import closure, essential, install, some, stanzas, with_suites

DESKTOP = ("task-gnome-desktop", "task-desktop", "build-essential", "python3-venv", "libreoffice-calc", "firefox-esr")


class Kind(NamedTuple):
    """One."""

    suites: tuple[str, ...]
    installed: str = "empty"
    """`empty`, `minimal`, `desktop`."""
    held: int = 0
    pins: str = ""
    own: str = ""
    """The suite that what is installed comes from, if not from all."""
    foreign: str = ""
    """A second architecture."""


KINDS = {
    "bookworm-empty": Kind(("bookworm",)),
    "trixie-empty": Kind(("trixie",)),
    "sid-empty": Kind(("sid",)),
    "bookworm-minimal": Kind(("bookworm",), "minimal"),
    "trixie-minimal-held": Kind(("trixie",), "minimal", held=8),
    "sid-minimal": Kind(("sid",), "minimal"),
    "bookworm-desktop": Kind(("bookworm",), "desktop"),
    "trixie-desktop-held": Kind(("trixie",), "desktop", held=30),
    "bookworm-with-trixie": Kind(("bookworm", "trixie"), "minimal", own="bookworm"),
    "bookworm-pins-trixie-low": Kind(
        ("bookworm", "trixie"), "minimal", own="bookworm", pins="Package: *\nPin: release n=trixie\nPin-Priority: 100\n"
    ),
    "trixie-with-sid-never": Kind(
        ("trixie", "sid"), "desktop", own="trixie",
        pins="Package: *\nPin: release n=sid\nPin-Priority: -1\n\nPackage: llvm* clang* rocm* libllvm*\n"
             "Pin: release n=sid\nPin-Priority: 600\n",
    ),
    "sid-forced-down-to-trixie": Kind(
        ("trixie", "sid"), "minimal", own="sid", pins="Package: *\nPin: release n=trixie\nPin-Priority: 1001\n"
    ),
    "trixie-desktop-i386": Kind(("trixie",), "desktop", foreign="i386"),
}  # fmt: skip


def build(name: str, folder: Path, random_: random.Random) -> Path:
    """The root of a kind, made anew but for what was fetched."""
    kind = KINDS[name]
    root = with_suites(folder / name, kind.suites, folder, kind.foreign)
    (root / "etc/apt/preferences").write_text(kind.pins)
    if kind.installed != "empty":
        source = with_suites(folder / f"{name}-own", (kind.own,), folder) if kind.own else root
        known = stanzas(source)
        names = essential(known)
        names = list({*names, *closure(source, names)})
        if kind.installed == "desktop":
            install(source, names, known)
            wanted = [one for one in DESKTOP if one in known]
            names = list({*names, *closure(source, wanted)})
        install(root, names, known, hold=some(sorted(names), kind.held, random_))
    return root
