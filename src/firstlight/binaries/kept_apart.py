"""Code that lies apart from the host binaries that load it, in `.kpack` archives."""

from __future__ import annotations

from collections.abc import Iterable

from .model import Piece

ANY_TARGET = "@gfxarch@"
"""Stands for the target in the names that markers give (ROCm/rocm-kpack)."""
MOST_PATTERNS = 256
"""Different names that are searched for: those of a whole ROCm are a dozen."""


class Archives:
    """All archives of some reports: a device wheel is installed over the others, so that any may be meant."""

    def __init__(self, pieces: Iterable[Piece]) -> None:
        self._by_name: dict[str, list[Piece]] = {}
        self._patterns: dict[str, list[Piece]] = {}
        for piece in pieces:
            if piece.kind == "kpack":
                self._by_name.setdefault(_name(piece.path), []).append(piece)

    def named(self, reference: str | None) -> list[Piece]:
        """Those that a marker names: paths with `:` between, of which the file names count."""
        paths = reference.split(":") if reference else []
        found = [piece for path in dict.fromkeys(map(_name, paths)) for piece in self._fitting(path)]
        return list({id(piece): piece for piece in found}.values())

    def _fitting(self, name: str) -> list[Piece]:
        before, mark, after = name.partition(ANY_TARGET)
        if not mark:
            return self._by_name.get(name, [])
        if name not in self._patterns and len(self._patterns) < MOST_PATTERNS:
            fits = (one for one in self._by_name if one.startswith(before) and one.endswith(after))
            self._patterns[name] = [piece for one in fits for piece in self._by_name[one]]
        return self._patterns.get(name, [])


def _name(path: str) -> str:
    return path.rpartition("/")[2].lower()
