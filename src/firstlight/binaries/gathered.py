"""What a walk over many containers finds, without more of it being held than tells something."""

from __future__ import annotations

from .found import Found, merged
from .model import Code, Fault, Kind

MOST_CODES = 4096
MOST_FAULTS = 64
"""Of one walk; more tell nothing new."""


class Gathered:
    """Code and faults, one by one."""

    def __init__(self) -> None:
        self._codes: list[Code] = []
        self._faults: list[Fault] = []
        self._more = 0

    def add(self, one: Code | Fault) -> None:
        """One more."""
        if isinstance(one, Code):
            self._codes.append(one)
            if len(self._codes) > MOST_CODES:
                self._codes = list(merged(self._codes))
        elif len(self._faults) < MOST_FAULTS:
            self._faults.append(one)
        else:
            self._more += 1

    def found(self, kind: Kind) -> Found:
        """All together."""
        more = Fault(kind="damaged", where="all of it", detail=f"{self._more} more faults")
        faults = (*self._faults, more) if self._more else tuple(self._faults)
        return Found(kind=kind, code=merged(self._codes), faults=faults)
