"""What wheels are matched against."""

from __future__ import annotations

import msgspec

from ..facts.model import Facts, Unknown
from ..project.model import Goal
from .interpreters import Interpreter, is_live, known, offered
from .model import Because
from .reasons import fact_missing, no_python_known, no_such_python


class Machine(msgspec.Struct, frozen=True, kw_only=True):
    """Of one machine, here or recorded."""

    arch: str
    libc: str
    pythons: tuple[Interpreter, ...]
    """Those that may be used, in order of preference."""
    asked: str | None
    """The version or path that was asked for."""
    here: tuple[str, ...]
    """Versions of all Pythons that the machine has."""
    foreign: bool
    """No interpreter of it can be run here."""
    untold: tuple[str, ...] = ()
    """Paths of Pythons that are not in `here`."""

    def without_python(self) -> Because:
        """Why there is none that may be used."""
        return no_such_python(self.asked, self.here) if self.asked else no_python_known(self.untold)


def machine_of(goal: Goal, facts: Facts) -> Machine | Because:
    """A Because if a fact is missing without which no wheel can be matched."""
    for path, fact in (("arch", facts.arch), ("os.libc", facts.os.libc)):
        if isinstance(fact, Unknown):
            return fact_missing(path, fact.unknown)
    return Machine(
        arch=str(facts.arch), libc=str(facts.os.libc), pythons=offered(goal, facts), asked=goal.python,
        here=tuple(one.version for one in known(facts)), foreign=not is_live(facts),
        untold=tuple(one.path for one in facts.python.interpreters if not known(facts)),
    )  # fmt: skip
