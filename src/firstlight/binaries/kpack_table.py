"""The table of a `.kpack` archive. `kpack` has its layout."""

from __future__ import annotations

import msgspec

from .model import Fault
from .msgpack import Values

MOST_ROWS = 1 << 17
MOST_TARGETS = 512
LONGEST = 512
"""Characters of a name that are kept."""


class Row(msgspec.Struct, frozen=True):
    """A kernel: one binary's code for one target."""

    binary: int
    target: int
    ordinal: int | None
    place: tuple[int, int] | None
    """Offset and size, in archives of the first form."""


class Table(msgspec.Struct, kw_only=True):
    """What was read of it."""

    scheme: str = "none"
    frames: int = 64
    """Where frames begin."""
    end: int = 0
    """Where the code ends and the table begins."""
    blobs: list[tuple[int, int]] = []
    """Offset and size, by ordinal."""
    binaries: list[str] = []
    targets: list[str] = []
    rows: list[Row] = []
    faults: list[Fault] = []


def read_table(values: Values, end: int) -> Table:
    """The table. Raises MalformedError."""
    table = Table(end=end)
    targets: dict[str, int] = {}
    pairs = values.map()
    for _ in range(pairs or 0):
        key = values.text()
        if key == "compression_scheme":
            table.scheme = (values.text() or "?")[:LONGEST]
        elif key == "zstd_offset":
            table.frames = min(values.number() or 0, end)
        elif key == "blobs":
            _blobs(values, table)
        elif key == "toc":
            _binaries(values, table, targets)
        else:
            values.skip()
    if pairs is None:
        table.faults.append(Fault(kind="damaged", where="table", detail="it is no map"))
    table.targets = list(targets)
    return table


def _blobs(values: Values, table: Table) -> None:
    for _ in range(values.array() or 0):
        found = _numbers(values)
        if len(table.blobs) < MOST_ROWS:
            table.blobs.append((found.get("offset", 0), found.get("size", 0)))


def _binaries(values: Values, table: Table, targets: dict[str, int]) -> None:
    for _ in range(values.map() or 0):
        name = values.text()
        for _ in range(values.map() or 0):
            target = values.text()
            found = _numbers(values)
            if name is None or not target:
                table.faults.append(Fault(kind="damaged", where="table", detail="a key that is no name"))
                return
            if len(table.rows) == MOST_ROWS or len(targets) > MOST_TARGETS:
                detail = f"more than {MOST_ROWS} kernels or {MOST_TARGETS} targets"
                table.faults.append(Fault(kind="too-large", where="table", detail=detail))
                return
            if not table.binaries or table.binaries[-1] != name[:LONGEST]:
                table.binaries.append(name[:LONGEST])
            index = targets.setdefault(target[:LONGEST], len(targets))
            table.rows.append(Row(len(table.binaries) - 1, index, found.get("ordinal"), _place(found)))


def _place(found: dict[str, int]) -> tuple[int, int] | None:
    return (found["offset"], found["size"]) if "offset" in found and "size" in found else None


def _numbers(values: Values) -> dict[str, int]:
    """Of a map, the values that are numbers and that matter here."""
    found: dict[str, int] = {}
    for _ in range(values.map() or 0):
        key = values.text()
        if key not in ("ordinal", "offset", "size"):
            values.skip()
        elif (number := values.number()) is not None:
            found[key] = number
    return found
