"""A C library or processor for which torch has no wheels."""

from __future__ import annotations

from ..facts.model import Facts
from ..transcript.model import Hit
from ..words import Words
from .messages import Message, Seen
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


# messages
def old_glibc(hit: Hit, seen: Seen) -> bool:
    """Not where the platform is an old glibc: that is another cause."""
    return not seen.has("old-glibc") or "win" in hit.text or "macos" in hit.text


MESSAGES = (
    Message(r"(?P<package>[\w.+-]{2,60}\S{0,40}) has no wheels with a matching platform tag(?: \(e\.g\., `(?P<tag>\S{3,60})`\))?", 0.94, told=Words("{package} has no wheel for this platform.", "{package} 没有适用于本平台的 wheel。"), check=old_glibc),
    Message(r"has no wheels with a matching platform tag", 0.9),
    Message(r"Wheels are available for .{0,80} on the following platforms?: (?P<tags>.{3,120})", 0.9, told=Words("There are wheels for {tags}.", "有适用于 {tags} 的 wheel。")),
    Message(r"(?P<file>\S{3,120}(?:win_amd64|win32|macosx_\S{3,30}|aarch64|ppc64le|win_arm64)\.whl) is not a supported wheel on this platform", 0.93, told=Words("{file} is for another platform.", "{file} 属于另一平台。")),
    Message(r"(?P<file>\S{3,120}x86_64\.whl) is not a supported wheel on this platform", 0.6, unless=("python-tag-words", "old-glibc"), told=Words("{file} does not fit this platform.", "{file} 不适合本平台。")),
    Message(r"You're on (?P<platform>.{3,60}\(`\S{3,40}`\)), but .{0,80}only has wheels for the following platforms?", 0.93, told=Words("This is {platform}, for which there is no wheel.", "本机是 {platform}，没有对应的 wheel。")),
    Message(r"only has wheels for the following platforms?: (?P<tags>.{3,120})", 0.9, told=Words("There are wheels for {tags}.", "有适用于 {tags} 的 wheel。")),
    Message(r"doesn't have a source distribution or wheel for the current platform", 0.92),
    Message(r"\(from versions: none\)", 0.74, needs=("arm64", "musl"), unless=("python-too-new",)),
)  # fmt: skip

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
    messages=MESSAGES,
)
