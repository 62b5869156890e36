"""Undo the project's last sync: the link `.firstlight/env` leads back to what was in use before."""

from __future__ import annotations

import os
from collections.abc import Mapping

import msgspec

from ..errors import NoError
from ..host.durable import sync_folder
from ..lockfile.installed import Environment, lacking, read_environment, versions
from ..progress import Reporter, Silent
from ..words import Words
from .activation import Activate
from .environments import is_whole
from .guard import only_one
from .journal import Journal, read_journal
from .marker import read_marker
from .places import Places, cannot_write

KIND = "rollback"
_NOTHING = Words("there is nothing to roll back in {root}", "{root} 中没有可回滚的内容")
_NO_SYNC = Words("no sync has made an environment here", "这里还没有 sync 创建过环境")
_NO_RECORD = Words(
    "the journal does not say what was in use before {name}", "日志中没有记录 {name} 之前使用的是哪个环境"
)
_ALREADY = Words(
    "the last sync is undone already, and only the last one can be", "最近一次 sync 已经撤销，而只能撤销最近一次"
)
_SYNC = Words("`firstlight sync` makes what the lock says", "`firstlight sync` 会按锁文件创建环境")
_GONE = Words("{name}, which was in use before, cannot be used again: {why}", "之前使用的 {name} 已无法再用：{why}")
_UNTOUCHED = Words("the environment that is in use now is untouched", "当前使用的环境未受影响")
_LOCK = Words(
    "take back the change of firstlight.lock (from version control), then `firstlight sync`",
    "请（从版本库）撤回 firstlight.lock 的改动，然后执行 `firstlight sync`",
)


class Changed(msgspec.Struct, frozen=True, kw_only=True):
    """One distribution whose version is another after it; None: it is not there."""

    name: str
    before: str | None
    after: str | None


class RolledBack(msgspec.Struct, frozen=True, kw_only=True):
    """What was in use, and what is now."""

    left: str
    """Name of the environment that the sync had made; it stays until the next sync."""
    now: str | None
    """Name of the one before; None: there was none, and the link is gone."""
    changed: tuple[Changed, ...]


def rollback(root: str, *, reporter: Reporter | None = None) -> RolledBack:
    """Killed at any moment, the link leads to one of the two. Raises NoError where there is nothing to go back to, or
    what there is was damaged."""
    places = Places(root)
    if not os.path.lexists(places.own):
        raise _nothing(places, _NO_SYNC)
    places.make()
    with only_one(places.own, reporter or Silent()):
        left, now = _ends(places)
        after = versions(_usable(places, now)) if now is not None else {}
        before = _versions(places, left)
        _swap(places, left, now)
    return RolledBack(left=left, now=now, changed=_changes(before, after))


def _changes(before: Mapping[str, str], after: Mapping[str, str]) -> tuple[Changed, ...]:
    pairs = ((name, before.get(name), after.get(name)) for name in sorted(before.keys() | after.keys()))
    return tuple(Changed(name=name, before=one, after=other) for name, one, other in pairs if one != other)


def _ends(places: Places) -> tuple[str, str | None]:
    """The environment in use, and the one before it. Raises NoError."""
    active = places.active_name()
    for entry in reversed(read_journal(places.journal)):
        if entry.state != "begin" or entry.sync != (active or "") or entry.previous == active:
            continue
        if entry.kind == KIND:
            raise _nothing(places, _ALREADY)
        if entry.kind == Activate.kind and active is not None:
            return active, entry.previous
    raise _nothing(places, _NO_SYNC if active is None else _NO_RECORD.fill(name=active))


def _nothing(places: Places, why: Words) -> NoError:
    return NoError(_NOTHING.fill(root=places.root), why=why, next=_SYNC)


def _usable(places: Places, name: str) -> Environment:
    """Raises NoError if the environment is not whole: a working one is not given up for a broken one."""
    if name not in places.names():
        raise _damaged(name, Words("it is not there any more", "它已不存在"))
    folder = places.folder(name)
    marker = read_marker(folder)
    if marker is None or marker.id != name.partition(".")[0]:
        raise _damaged(name, Words("it was not finished, or not made here", "它未完成，或不是在这里创建的"))
    if not is_whole(folder, marker.id, ()):
        raise _damaged(name, Words("its Python is gone", "它的 Python 已不存在"))
    here = read_environment(folder, marker.python)
    file = lacking(here)
    if file is not None:
        raise _damaged(name, Words(f"{file} is missing", f"缺少 {file}"))
    return here


def _damaged(name: str, why: Words) -> NoError:
    what = Words(_GONE.say("en", name=name, why=why.en), _GONE.say("zh", name=name, why=why.zh))
    return NoError(what, why=_UNTOUCHED, next=_LOCK)


def _versions(places: Places, name: str) -> dict[str, str]:
    marker = read_marker(places.folder(name)) if name in places.names() else None
    return versions(read_environment(places.folder(name), marker.python)) if marker else {}


def _swap(places: Places, left: str, now: str | None) -> None:
    """Raises NoError."""
    journal = Journal(places.journal, now or "")
    journal.note(KIND, Activate.subject, "begin", left)
    if now is not None:
        Activate(places, now).do()
    else:
        _unlink(places)
    journal.note(KIND, Activate.subject, "done")


def _unlink(places: Places) -> None:
    try:
        os.unlink(places.active)
        sync_folder(places.own)
    except OSError as error:
        raise cannot_write(error, places.active) from error
