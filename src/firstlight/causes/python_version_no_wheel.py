"""No Python here is one that torch has wheels for."""

from __future__ import annotations

from ..facts.model import Facts, Unknown
from ..words import Words
from ._builds import numbers
from ._gpus import not_captured
from .model import CLEAR, Cause, Evidence, Found, Judgement, NotKnown, Remedy

OLDEST, NEWEST = (3, 10), (3, 14)
"""What the wheels of torch 2.14 and 2.15 and of ROCm 10 are built for (ROCm 10.1 release notes; torch METADATA)."""


def judge(facts: Facts) -> Judgement:
    """Found for an active environment without torch whose Python has no wheels; as advice where no Python on PATH
    has them, since uv can fetch one."""
    active = next((one for one in facts.python.environments if one.active and not one.path.startswith("/usr/")), None)
    if active:
        if active.torch or isinstance(active.python, Unknown) or _served(active.python):
            return CLEAR
        return _found(active.python, "python.environments.python", active.path, active=True)
    pythons = facts.python.interpreters
    if not pythons:
        return not_captured(facts, "python.interpreters") or CLEAR
    blank = [one for one in pythons if isinstance(one.version, Unknown)]
    known = [one.version for one in pythons if isinstance(one.version, str)]
    if any(_served(version) for version in known):
        return CLEAR
    if blank or not known:
        return NotKnown(tuple(f"python.interpreters.version (not-known: {one.path})" for one in blank))
    return _found(known[0], "python.interpreters.version", pythons[0].path, active=False)


def _served(version: str) -> bool:
    return OLDEST <= numbers(version)[:2] <= NEWEST


def _found(version: str, fact: str, source: str, *, active: bool) -> Found:
    why = Words(
        "Fetches a Python that has wheels, beside the system's.", "下载一个有 wheel 可用的 Python，与系统的并存。"
    )
    return Found(
        evidence=(Evidence(fact, version, source),),
        values={"version": version},
        severity=None if active else "advice",
        remedy=(Remedy(("uv", "python", "install", "3.12"), root=False, why=why),),
    )


CAUSE = Cause(
    id="python-version-no-wheel",
    family="python",
    vendor="both",
    severity="degrading",
    title=Words("There are no torch wheels for Python {version}", "没有适用于 Python {version} 的 torch wheel"),
    means=Words("The index has no wheels for this Python version.", "索引里没有这个 Python 版本的 wheel。"),
    effect=Words(
        "pip finds no torch (“from versions: none”), or an old one.",
        "pip 找不到 torch（“from versions: none”），或只找到旧版本。",
    ),
    fix=Words(
        "Make the environment with a Python from 3.10 to 3.14, e.g. uv venv -p 3.12.",
        "用 3.10 到 3.14 之间的 Python 建环境，例如 uv venv -p 3.12。",
    ),
    judge=judge,
)
