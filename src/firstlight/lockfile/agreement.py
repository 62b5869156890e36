"""Whether a lock still answers what is wanted."""

from __future__ import annotations

import os

from ..errors import UsageError
from ..project.model import Goal
from ..words import Words
from .model import BackendLock, Lock

_OTHER = Words(
    "firstlight.lock was made for another goal: {what} is {held} there, and {said} is wanted",
    "firstlight.lock 是为另一个目标生成的：其中 {what} 为 {held}，而现在要求 {said}",
)
_WHY = Words(
    "a lock is never changed in silence, and installing it would not give what was asked for",
    "锁文件绝不会被悄悄改动，按它安装也得不到所要求的结果",
)
_NEXT = Words(
    "`firstlight lock` with the same options makes it anew; without them the lock is used as it is",
    "用同样的选项执行 `firstlight lock` 重新生成；不带这些选项则照原样使用该锁文件",
)


def agree(goal: Goal, lock: Lock, held: BackendLock) -> None:
    """Raises UsageError if something that is wanted now is not what `held` was locked for. What is not said now may
    be anything, but for further packages: they come from the project's own file."""
    found = {
        "torch": (goal.torch, lock.goal.get("torch")),
        "packages": (" ".join(goal.packages) or "-", _packages(lock)),
        "python": (_version(goal.python), held.python),
        "route": (goal.route, held.route),
    }
    for what, (said, locked) in found.items():
        if said is not None and said != locked:
            raise UsageError(_OTHER.fill(what=what, held=locked or "-", said=said), why=_WHY, next=_NEXT)


def _packages(lock: Lock) -> str:
    packages = lock.goal.get("packages")
    return " ".join(map(str, packages)) if isinstance(packages, (list, tuple)) and packages else "-"


def _version(python: str | None) -> str | None:
    """Of a version that was said, major and minor; the path of an interpreter that is there says nothing of it."""
    if python is None or (os.sep in python and os.access(os.path.expanduser(python), os.X_OK)):
        return None
    return ".".join(python.split(".")[:2])
