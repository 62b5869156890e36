"""Ours beside the tools' answer, file by file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

from firstlight.binaries.model import Code, Piece
from firstlight.binaries.report import inspect

from .contents import CONTAINERS
from .truth import Truth, kept

NO_TOOL = ("ptx", "tensile", "miopen", "kpack", "other", "archive")
"""Kinds of file of which no tool of the vendors says a target."""


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """One file of one argument."""

    argument: str
    member: str
    ours: dict[str, int]
    theirs: dict[str, int] | None
    """None: no tool speaks of it."""
    failed: str | None = None
    """Why the tool could not say."""
    faults: tuple[str, ...] = ()

    @property
    def same(self) -> bool:
        """Whether the sets of targets are equal."""
        return self.failed is None and set(self.ours) == set(self.theirs or {})

    @property
    def counts_same(self) -> bool:
        """Whether even the numbers of code objects are."""
        return self.failed is None and self.ours == (self.theirs or {})


def compare(path: Path, earlier: Path | None) -> Iterator[Line]:
    """A line for every file in which we or the tools find GPU code."""
    truths = kept(path, earlier)
    alone = not path.name.endswith(CONTAINERS)
    pieces = {path.name if alone else _clean(piece.path): piece for piece in inspect(str(path)).pieces}
    for name in sorted(set(truths) | {name for name, piece in pieces.items() if piece.code or piece.faults}):
        yield _line(path.name, name, pieces.get(name), truths.get(name))


def of_targets(code: tuple[Code, ...]) -> dict[str, int]:
    """Number of code objects for each target, whatever their form or version."""
    found: dict[str, int] = {}
    for one in code:
        found[one.target] = found.get(one.target, 0) + one.count
    return found


def _line(argument: str, name: str, piece: Piece | None, truth: Truth | None) -> Line:
    ours = of_targets(piece.code) if piece else {}
    faults = tuple(f"{one.kind} {one.where}: {one.detail}" for one in piece.faults) if piece else ()
    silent = truth is None and piece is not None and piece.kind in NO_TOOL
    return Line(
        argument=argument,
        member=name,
        ours=ours,
        faults=faults,
        theirs=None if silent else truth.targets if truth else {},
        failed=truth.failed if truth else None,
    )


def _clean(path: str) -> str:
    return path.removeprefix("./").lstrip("/")
