"""The system's glibc is older than torch's wheels ask for."""

from __future__ import annotations

from ..facts.model import Facts
from ..transcript.model import Hit
from ..words import Words
from ._builds import numbers
from .messages import Message, Seen
from .model import CLEAR, Cause, Evidence, Found, Judgement, Known, Remedy, missing

NEEDED = (2, 28)
"""Wheels of torch since 2.6 and of ROCm are manylinux_2_28 (PEP 600; file names on PyTorch's and AMD's indexes)."""


def judge(facts: Facts) -> Judgement:
    """Found if glibc is older than 2.28. musl is another cause: no-wheel-for-platform."""
    lacking = missing(("os.libc", facts.os.libc))
    if lacking:
        return lacking
    name, _, version = str(facts.os.libc).partition(" ")
    if name != "glibc" or not numbers(version) or numbers(version)[:2] >= NEEDED:
        return CLEAR
    why = Words(
        "Use a newer release of the distribution, or a container image with glibc 2.28 or newer.",
        "换用更新的发行版，或 glibc 2.28 及以上的容器镜像。",
    )
    return Found(
        evidence=(Evidence("os.libc", str(facts.os.libc), "libc of the system"),),
        values={"version": version},
        remedy=(Remedy((), root=False, why=why),),
    )


# messages
def below_28(hit: Hit, seen: Seen) -> bool:  # noqa: ARG001
    """manylinux_2_28 is what torch is built for."""
    return int(hit.values["glibc"]) < 28


MESSAGES = (
    Message(r"version `GLIBC_(?P<wanted>2\.\d{1,2})' not found", 0.94, told=Words("glibc {wanted} is needed.", "需要 glibc {wanted}。")),
    Message(r"manylinux_2_\d\d_x86_64\.whl is not a supported wheel on this platform", 0.9, needs=("old-glibc",)),
    Message(r"is not a supported wheel on this platform", 0.8, needs=("old-glibc",)),
    Message(r"\(from versions: none\)", 0.8, needs=("old-glibc",)),
    Message(r"has no wheels with a matching platform tag \(e\.g\., `manylinux_2_(?P<glibc>\d{1,2})_x86_64`\)", 0.9, check=below_28, told=Words("glibc 2.{glibc} is too old for the wheels.", "glibc 2.{glibc} 对这些 wheel 来说太旧。")),
    Message(r"GLIBC_(?P<wanted>2\.\d{1,2})(?:' not found| not defined)", 0.9),
    Message(r"You're on Linux \(`manylinux_2_(?P<glibc>\d{1,2})_x86_64`\), but .{0,120}manylinux_2_\d\d", 0.93, told=Words("glibc is 2.{glibc}; the wheels ask for a newer one.", "glibc 是 2.{glibc}；wheel 需要更新的版本。")),
)  # fmt: skip

CAUSE = Cause(
    id="python-glibc-too-old-for-manylinux",
    family="python",
    vendor="both",
    severity="blocking",
    title=Words(
        "glibc {version} is older than torch's wheels need (2.28)", "glibc {version} 低于 torch wheel 的要求（2.28）"
    ),
    means=Words(
        "The system's glibc is older than the wheel's manylinux tag asks for.",
        "系统的 glibc 低于 wheel 的 manylinux 标签所要求的版本。",
    ),
    effect=Words(
        "pip calls current torch wheels unsupported; forced in, they fail with “version GLIBC_2.xx not found”.",
        "pip 认为当前的 torch wheel 不受支持；强行安装则报 “version GLIBC_2.xx not found”。",
    ),
    fix=Words(
        "A newer distribution or a container of one, an older wheel with a lower tag, or conda-forge builds.",
        "换更新的发行版或其容器，用标签更低的旧 wheel，或用 conda-forge 的构建。",
    ),
    known=(Known("https://github.com/ROCm/rocm-cli/issues/266"),),
    judge=judge,
    messages=MESSAGES,
)
