"""Installed packages back to what they were, through apt itself."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence

import msgspec

from ...causes.changes import PackageChange, Packages
from ...errors import NoError
from ...progress import Reporter
from ...words import Words
from . import apt
from .dpkg_status import Entry, Key, halves, pending, read_status
from .failed import said
from .former import deb_of
from .ground import Ground
from .kept import Kept
from .leftovers import before_status
from .planned_set import agrees
from .quiet_scripts import quieten
from .repair import merge, repair, unpack_again


def may_reverse(ground: Ground, kept: Kept, keys: Sequence[Key]) -> None:
    """Ask apt before anything is touched. Raises NoError where other packages would have to change too, or where a
    former version is not to be had; what is half installed by now has no order that could be foreseen."""
    if kept.after is None or pending(ground) or halves(read_status(ground).values()):
        return
    words, changes = _words(ground, kept, before_status(kept), keys)
    if words:
        agrees(ground, changes, words, apt.options(changes, downgrades=True))


def reverse(ground: Ground, kept: Kept, keys: Sequence[Key], tell: Reporter) -> None:
    """Former versions again, what was new purged. Raises NoError where it cannot be done."""
    before = before_status(kept)
    merge(ground, tell)
    _settle_cut(ground, kept, before, keys)
    words, changes = _words(ground, kept, before, keys)
    if words:
        apt.follow(ground, apt.command("install", words, *apt.options(changes, downgrades=True)), tell)
        if _wrong(ground, before, keys):
            _once_more(ground, kept, before, keys, tell)
    _purge(ground, before, keys)
    repair(ground, tell)
    if pending(ground) or _wrong(ground, before, keys):
        raise NoError(
            Words("dpkg cannot be brought to its end", "dpkg 无法正常收尾"),
            next=Words("look at `sudo dpkg --configure -a`, then run it again",
                       "请查看 `sudo dpkg --configure -a` 的输出，然后重新运行"),
        )  # fmt: skip


def back_command(ground: Ground, id: str, part: Packages) -> tuple[str, ...]:
    """The vector that undoing would run, for whoever is asked to consent."""
    changes = [msgspec.structs.replace(one, before=one.after, after=one.before) for one in part.changes]
    folder = os.path.join(ground.state, "changes", id)
    words = [(one.after and deb_of(ground, folder, (one.name, one.architecture), one.after)) or apt.specification(one)
             for one in changes]  # fmt: skip
    return apt.command("install", words, *apt.options(changes, downgrades=True))


def _settle_cut(ground: Ground, kept: Kept, before: dict[Key, Entry], keys: Iterable[Key]) -> None:
    """What dpkg was unpacking when it was killed has to be unpacked again before anything else; it may be the former
    version. What was not there before goes."""
    cut = [one for one in halves(read_status(ground).values()) if one.key in set(keys) and _is_cut(one)]
    unpack_again(ground, [one for one in cut if _was(before, one.key)], f"{kept.folder}/debs")
    new = [_full(one.key) for one in cut if not _was(before, one.key)]
    if new:
        ground.run(("dpkg", "--force-remove-reinstreq", "--force-depends", "--remove", *new), hold=False)


def _is_cut(entry: Entry) -> bool:
    return entry.again or entry.state == "half-installed"


def _was(before: dict[Key, Entry], key: Key) -> str | None:
    return before[key].installed if key in before else None


def _words(
    ground: Ground, kept: Kept, before: dict[Key, Entry], keys: Sequence[Key]
) -> tuple[list[str], list[PackageChange]]:
    """What to tell apt-get install, and what that changes."""
    now = read_status(ground)
    words, changes = [], []
    for key in keys:
        entry = now.get(key)
        was = _was(before, key)
        if not _differs(entry, was):
            continue
        there = entry.version if entry and (entry.installed or entry.half) else None
        changes.append(PackageChange(name=key[0], architecture=key[1], before=there, after=was, held=_held(entry)))
        words.append((was and deb_of(ground, kept.folder, key, was)) or apt.specification(changes[-1]))
    return words, changes


def _held(entry: Entry | None) -> bool:
    return entry is not None and entry.want == "hold"


def _wrong(ground: Ground, before: dict[Key, Entry], keys: Iterable[Key]) -> dict[Key, Entry | None]:
    """Those that are not what they were, and what dpkg says of them."""
    now = read_status(ground)
    return {key: now.get(key) for key in keys if _differs(now.get(key), _was(before, key))}


def _differs(entry: Entry | None, was: str | None) -> bool:
    there = entry.version if entry and (entry.installed or entry.half) else None
    return there != was or (entry is not None and entry.half)


def _once_more(ground: Ground, kept: Kept, before: dict[Key, Entry], keys: Sequence[Key], tell: Reporter) -> None:
    """A package that refuses to go because its own script fails goes without that script. Raises NoError."""
    merge(ground, tell)
    quieten(ground, (entry for entry in _wrong(ground, before, keys).values() if entry))
    _settle_cut(ground, kept, before, keys)
    words, changes = _words(ground, kept, before, keys)
    if not words:
        return
    outcome = apt.follow(ground, apt.command("install", words, *apt.options(changes, downgrades=True)), tell)
    merge(ground, tell)
    if _wrong(ground, before, keys):
        raise said(outcome)


def _purge(ground: Ground, before: dict[Key, Entry], keys: Iterable[Key]) -> None:
    """The configuration of what was not known before. Raises NoError."""
    for again in (False, True):
        now = read_status(ground)
        rest = [now[key] for key in keys if key in now and key not in before]
        if not rest:
            return
        if again:
            quieten(ground, rest)
        outcome = ground.run(("dpkg", "--purge", *(_full(one.key) for one in rest)), hold=False)
    now = read_status(ground)
    if [key for key in keys if key in now and key not in before]:
        raise said(outcome)


def _full(key: Key) -> str:
    return key[0] if key[1] == "all" else f"{key[0]}:{key[1]}"
