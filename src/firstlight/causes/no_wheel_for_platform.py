"""A C library or processor for which torch has no wheels."""

from __future__ import annotations

from ..facts.model import Facts
from ..words import Words
from .model import CLEAR, Cause, Evidence, Found, Judgement, Remedy, missing

WITH_WHEELS = ("x86_64", "aarch64", "amd64", "arm64")
"""Processors that PyTorch's index has Linux wheels for; s390x has CPU wheels only."""


def judge(facts: Facts) -> Judgement:
    """Found on musl, and on processors other than x86-64 and aarch64."""
    if facts.os.libc == "musl" or str(facts.os.libc).startswith("musl "):
        return _found("os.libc", str(facts.os.libc), "musl")
    if isinstance(facts.arch, str) and facts.arch not in (*WITH_WHEELS, "s390x"):
        return _found("arch", facts.arch, facts.arch)
    return missing(("os.libc", facts.os.libc), ("arch", facts.arch)) or CLEAR


def _found(fact: str, value: str, what: str) -> Found:
    why = Words(
        "Work in a container or on a machine with glibc on x86-64 or aarch64, or build torch from source.",
        "在 x86-64 或 aarch64、glibc 的容器或机器上工作，或从源码构建 torch。",
    )
    return Found(
        evidence=(Evidence(fact, value, "uname -m" if fact == "arch" else "libc of the system"),),
        values={"what": what},
        remedy=(Remedy((), root=False, why=why),),
    )


CAUSE = Cause(
    id="no-wheel-for-platform",
    family="wheel",
    vendor="both",
    severity="blocking",
    title=Words("torch has no wheels for {what}", "torch 没有适用于 {what} 的 wheel"),
    means=Words(
        "The index has versions of the package, but none for this operating system or processor.",
        "索引里有这个包的版本，但没有适用于本操作系统或处理器的。",
    ),
    effect=Words("pip and uv find no torch that can be installed here.", "pip 和 uv 找不到能在这里安装的 torch。"),
    fix=Words(
        "Pick an index or version with wheels for this platform, build from source, or work on a platform "
        "that is offered.",
        "选择有本平台 wheel 的索引或版本，从源码构建，或换到受支持的平台。",
    ),
    judge=judge,
)
