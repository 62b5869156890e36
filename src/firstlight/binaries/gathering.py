"""Files of a container, as they are read one after the other."""

from __future__ import annotations

from collections.abc import Callable

from .choice import nested
from .model import Fault, Piece
from .unpacking import BrokenError

MOST_PIECES = 100_000
MOST_FAULTS = 256


class Gathering:
    """What was found so far."""

    def __init__(self, faults: tuple[Fault, ...] = ()) -> None:
        self.pieces: list[Piece] = []
        self.faults = list(faults[:MOST_FAULTS])
        self.others = 0

    def add(self, path: str, action: Callable[[], Piece | None]) -> bool:
        """One more file; False: nothing more is to be read. Raises OSError if the medium fails."""
        try:
            found = action()
        except BrokenError as error:
            self.fault(error.fault(path))
            return not error.final
        if found is None:
            self.others += 1
            if nested(path):
                detail = "a package inside; inspect it by itself"
                self.fault(Fault(kind="unknown-form", where=path, detail=detail))
        elif len(self.pieces) < MOST_PIECES:
            self.pieces.append(found)
        else:
            self.fault(Fault(kind="too-large", where=path, detail=f"more than {MOST_PIECES} files of interest"))
            return False
        return True

    def fault(self, fault: Fault) -> None:
        """A part that cannot be read; more than MOST_FAULTS tell nothing new."""
        if len(self.faults) < MOST_FAULTS:
            self.faults.append(fault)
