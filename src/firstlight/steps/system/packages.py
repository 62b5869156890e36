"""Exactly the planned packages change, and a rollback gives back what was installed before."""

from __future__ import annotations

from collections.abc import Sequence

from ...causes.changes import PackageChange, Packages
from ...errors import NoError
from ...progress import Reporter
from ...words import Words
from . import apt, leftovers
from .dpkg_status import Entry, Key, read_marks, read_status
from .failed import said
from .files import remove
from .former import keep_former
from .ground import Ground
from .kept import Keeper, Kept
from .planned_set import agrees
from .repair import repair, unclean
from .reversal import may_reverse, reverse

NOTE = "packages"
CACHE = "cache"


class PackageSet:
    """One apt-get install of exact versions."""

    kind = "packages"
    turn, back = 4, 10

    def __init__(self, ground: Ground, change: Packages, *, accept_loss: bool = False) -> None:
        """`accept_loss`: also where the present versions could not be brought back. Raises UnreadableInput."""
        self.ground, self.changes, self.accept_loss = ground, change.changes, accept_loss
        self.words = [apt.specification(one) for one in self.changes]
        self.subject = subject(self.changes)

    def commands(self) -> tuple[tuple[str, ...], ...]:
        """apt-get install, and apt-mark for what is there as a dependency only."""
        return (self._install(), *self._marks())

    def _options(self) -> tuple[str, ...]:
        return apt.options(self.changes, downgrades=self._downgrades())

    def _downgrades(self) -> bool:
        pairs = [(one.before, one.after) for one in self.changes if one.before and one.after]
        return any(is_older(self.ground, after, before) for before, after in pairs)

    def _install(self, *more: str) -> tuple[str, ...]:
        return apt.command("install", self.words, *self._options(), *more)

    def _marks(self) -> list[tuple[str, ...]]:
        """What apt-get install names becomes wanted for itself; dependencies are not."""
        auto = [_name(one) for one in self.changes if one.after is not None and one.auto]
        return [("apt-mark", "auto", *auto)] if auto else []

    def check(self) -> bool:
        """By dpkg's and apt's own records."""
        return not self._todo() and self._marked()

    def _todo(self) -> list[PackageChange]:
        status = read_status(self.ground)
        return [one for one in self.changes if _installed(status, one) != one.after]

    def _marked(self) -> bool:
        marks = read_marks(self.ground)
        known = {name for name, _ in marks}
        return all(one.name in known for one in self.changes if one.auto and one.after is not None)

    def prepare(self, keeper: Keeper) -> None:
        """Keep dpkg's record, the configuration, the former .debs, and the names of all files. Raises NoError where the
        machine is not what was planned for, ConsentNeeded where it could not be undone."""
        if unclean(self.ground):
            raise _interrupted()
        status = read_status(self.ground)
        other = [one for one in self.changes if _installed(status, one) not in (one.before, one.after)]
        if other:
            raise _moved(other)
        marks = read_marks(self.ground)
        self.changes = tuple(_with_mark(one, marks) for one in self.changes)
        keep_former(self.ground, self.changes, keeper.folder, accept_loss=self.accept_loss)
        keeper.note(CACHE, _cached(self.ground))
        keeper.note(NOTE, [list(_key(status, one)) for one in self.changes])
        leftovers.keep(
            self.ground, keeper, [status[key] for key in map(tuple, keeper.record.notes[NOTE]) if key in status]
        )

    def do(self, tell: Reporter) -> None:
        """Raises NoError: apt would do something else, or a package's own script failed."""
        repair(self.ground, tell)
        if self._todo():
            agrees(self.ground, self._todo(), self.words, self._options())
            outcome = apt.follow(self.ground, self._install(), tell)
            if outcome.code != 0 or self._todo():
                raise said(outcome)
        for argv in self._marks():
            outcome = self.ground.run(argv, timeout=600)
            if outcome.code != 0:
                raise said(outcome)

    def after(self, kept: Kept) -> list[str]:
        """Paths whose state the rollback must know; what was newly made is noted."""
        return leftovers.made(self.ground, kept, self._keys(kept))

    def may_undo(self, kept: Kept) -> None:
        """Raises NoError where undoing would have to change other packages too, or has not what it needs."""
        may_reverse(self.ground, kept, self._keys(kept))

    def undo(self, kept: Kept, tell: Reporter) -> None:
        """Raises NoError where apt or a package's own script refuses; then it may be called again."""
        reverse(self.ground, kept, self._keys(kept), tell)
        leftovers.put_back(self.ground, kept, self._keys(kept))
        for path in set(_cached(self.ground)) - set(kept.noted(CACHE) or _cached(self.ground)):
            remove(self.ground, path)

    def _keys(self, kept: Kept) -> list[Key]:
        return [(name, architecture) for name, architecture in kept.noted(NOTE) or ()]


def _cached(ground: Ground) -> list[str]:
    """What apt has fetched and made for itself."""
    folders = ("/var/cache/apt", apt.ARCHIVES)
    return [
        f"{folder}/{name}" for folder in folders for name in ground.names(folder) if name.endswith((".deb", ".bin"))
    ]


def subject(changes: Sequence[PackageChange]) -> str:
    """The first names, and how many more."""
    wanted = [one.name for one in changes if not one.auto] or [one.name for one in changes]
    more = len(changes) - len(wanted[:4])
    return ", ".join(wanted[:4]) + (f" + {more}" if more else "")


def is_older(ground: Ground, version: str, than: str) -> bool:
    """By dpkg's own comparison."""
    return ground.run(("dpkg", "--compare-versions", version, "lt", than), timeout=60).code == 0


def _installed(status: dict[Key, Entry], change: PackageChange) -> str | None:
    found = status.get(_key(status, change))
    return found.installed if found else None


def _key(status: dict[Key, Entry], change: PackageChange) -> Key:
    """A package may have become `all` from one version to the next: dpkg knows it by the name alone then."""
    key = change.name, change.architecture
    same = [one for one in status if one[0] == change.name and "all" in (one[1], change.architecture)]
    return key if key in status or not same else same[0]


def _with_mark(change: PackageChange, marks: dict[Key, str]) -> PackageChange:
    """What is upgraded keeps its mark."""
    import msgspec

    if change.before is None:
        return change
    return msgspec.structs.replace(change, auto=change.name in {name for name, _ in marks})


def _name(change: PackageChange) -> str:
    return change.name if change.architecture == "all" else f"{change.name}:{change.architecture}"


def _interrupted() -> NoError:
    return NoError(
        Words("packages are half installed here, from before", "此前已有软件包处于半安装状态"),
        why=Words("nothing was changed", "没有改动任何东西"),
        next=Words("mend that first: `sudo dpkg --configure -a`", "请先修复：`sudo dpkg --configure -a`"),
    )


def _moved(changes: Sequence[PackageChange]) -> NoError:
    names = ", ".join(f"{one.name} ({one.before or '-'})" for one in changes[:8])
    return NoError(
        Words(f"the machine has changed since it was planned: {names}", f"计划之后系统已变化：{names}"),
        why=Words("nothing was changed", "没有改动任何东西"),
        next=Words("plan anew", "请重新 plan"),
    )
