"""Whether apt would do exactly what was planned; in words where it would not."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...causes.changes import PackageChange
from ...errors import NoError
from ...host.model import Outcome
from ...words import Words
from . import apt
from .failed import said
from .ground import Ground

Simple = tuple[str, str, str, str]
"""Name, architecture (empty for what is removed and of every architecture), before, after; empty: not installed."""
SHOWN = 12


def agrees(ground: Ground, changes: Sequence[PackageChange], words: Sequence[str], options: Sequence[str]) -> None:
    """Ask apt-get -s. Raises NoError with the difference, or with what apt said."""
    outcome = apt.simulate(ground, words, *options)
    if outcome.code != 0:
        raise said(outcome)
    native = apt.native_architecture(ground)
    difference(planned(changes, native), simulated(outcome, native))


def planned(changes: Iterable[PackageChange], native: str) -> set[Simple]:
    """The set that was agreed to."""
    return {
        (one.name, _architecture(one.architecture, native, one.after), one.before or "", one.after or "")
        for one in changes
        if one.before != one.after
    }


def simulated(outcome: Outcome, native: str) -> set[Simple]:
    """The set that apt said; a package that it would install again in the same version is no change."""
    return {
        (name, _architecture(architecture, native, after), before or "", after or "")
        for name, architecture, before, after in apt.changes_of(outcome, native)
        if before != after
    }


def _architecture(name: str, native: str, after: str | None) -> str:
    """apt does not say of what it removes whether it is `all`."""
    return native if after is None and name == "all" else name


def difference(planned_set: set[Simple], real: set[Simple]) -> None:
    """Raises NoError if there is one."""
    more, less = sorted(real - planned_set), sorted(planned_set - real)
    if not more and not less:
        return
    lines = [_line("+", one) for one in more] + [_line("-", one) for one in less]
    shown = lines[:SHOWN] + ([f"… {len(lines) - SHOWN}"] if len(lines) > SHOWN else [])
    raise NoError(
        Words("apt would not do what was planned", "apt 不会按计划执行"),
        why=Words(
            "it would (+), and would not (-): " + "; ".join(shown), "会执行（+）、不会执行（-）：" + "；".join(shown)
        ),
        next=Words("plan anew: what is installed or offered has changed", "请重新 plan：已安装或可用的软件包已变化"),
    )


def _line(sign: str, one: Simple) -> str:
    name, architecture, before, after = one
    return f"{sign} {name}:{architecture} {before or '-'} -> {after or '-'}"
