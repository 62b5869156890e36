"""What a solved request would break: removals, downgrades, a tool chain of several releases."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import msgspec

from ...words import Words
from ..model import Harm
from . import shown
from .causes import is_tool_chain
from .model import Change

NAMED = 8
"""Packages that are named one by one; of more only how many."""
LLVM = ("libc++", "clang", "llvm", "lld", "libllvm", "libclang", "rocm-llvm", "amdrocm-llvm")

Older = Callable[[str, str], bool]
"""Whether the first version is lower than the second, by dpkg's rules."""


class Before(msgspec.Struct, frozen=True, kw_only=True):
    """The machine as it is."""

    installed: Mapping[str, str]
    """Name -> version, of all that is installed."""
    essential: frozenset[str] = frozenset()
    manual: frozenset[str] = frozenset()
    """Those that somebody asked for."""


def harms(changes: Sequence[Change], asked_away: Sequence[str], before: Before, older: Older) -> tuple[Harm, ...]:
    """What harm the changes do. `asked_away`: names whose removal was asked for. Linear in the number of packages."""
    lowered = [one for one in changes if one.before and one.after and older(one.after, one.before)]
    gone = [one for one in changes if one.after is None and one.name not in asked_away and not _renamed(one, changes)]
    return (
        *_tool_chain(lowered, gone),
        *_mixed(changes, lowered, gone, before),
        *_lowered([one for one in lowered if not is_tool_chain(one.name)]),
        *_removed([one for one in gone if not is_tool_chain(one.name)], before),
        *_generations(changes, before),
    )


def _renamed(one: Change, changes: Sequence[Change]) -> bool:
    """Its successor under the name of a transition comes in its place: `libelf1` goes, `libelf1t64` comes."""
    stem = one.name.removesuffix("t64")
    others = {other.name.removesuffix("t64") for other in changes if other.after and other.name != one.name}
    return stem in others


def _tool_chain(lowered: Sequence[Change], gone: Sequence[Change]) -> Iterator[Harm]:
    """Each by name: `libc++-dev 18 → 15`, and what it drags along."""
    mine = [one for one in (*lowered, *gone) if is_tool_chain(one.name)]
    mine.sort(key=lambda one: (not one.name.startswith("libc++"), one.after is None, one.name))
    for at, one in enumerate(mine[:NAMED]):
        step = _step(one)
        first = mine[0].name
        if at == 0:
            yield Harm(
                step,
                Words(
                    "the tool chain goes back: what was built with it may not build or link again",
                    "工具链被降级：此前用它构建的程序可能无法再次构建或链接",
                )
                if one.after
                else Words("a part of the tool chain is removed", "工具链的一部分会被移除"),
            )
        else:
            drag = f"dragged along by {first}" if one.after else f"removed along with the change of {first}"
            drag_zh = f"被 {first} 连带降级" if one.after else f"随 {first} 的改动被移除"
            yield Harm(step, Words(drag, drag_zh))
    if len(mine) > NAMED:
        more = len(mine) - NAMED
        yield Harm(f"+{more}", Words(f"{more} more of the tool chain", f"工具链中另有 {more} 个"))


def _step(one: Change) -> str:
    """`libc++-dev 18 → 15`; `clang 18 → -` where it goes."""
    if one.after is None:
        return f"{one.name} {shown.short(one.before or '')} → -"
    told = shown.distinct([one.before or "", one.after])
    return f"{one.name} {told[one.before or '']} → {told[one.after]}"


def _mixed(
    changes: Sequence[Change], lowered: Sequence[Change], gone: Sequence[Change], before: Before
) -> Iterator[Harm]:
    """Libraries of one LLVM beside those of another, where there was no such thing before or it gets worse."""
    touched = [one for one in (*lowered, *gone) if is_tool_chain(one.name)]
    if not touched:
        return
    after = dict(before.installed)
    for one in changes:
        after.pop(one.name, None)
        if one.after:
            after[one.name] = one.after
    libcxx = {_major("libc++-dev", after[name]) for name in ("libc++-dev", "libc++1") if name in after}
    others = {
        name: _major(name, version)
        for name, version in after.items()
        if name.startswith(LLVM) and not name.startswith("libc++")
    }
    beside = {name: major for name, major in others.items() if libcxx and major and major not in libcxx}
    if not beside:
        return
    own = ", ".join(sorted(libcxx))
    listed = ", ".join(f"{name} {major}" for name, major in sorted(beside.items())[:4])
    yield Harm(
        f"libc++ {own} / LLVM {', '.join(sorted(set(beside.values())))}",
        Words(
            f"libc++ {own} would stand beside LLVM of another release and ABI: {listed}",
            f"libc++ {own} 将与另一版本、另一 ABI 的 LLVM 并存：{listed}",
        ),
    )


def _major(name: str, version: str) -> str:
    """Of LLVM: by the number in the name where it has one, else by the version."""
    number = "".join(sign for sign in name.removesuffix("t64") if sign.isdigit())
    if number and not name.startswith(("rocm", "amdrocm")) and name not in ("libc++1", "libc++abi1"):
        return number
    return shown.short(version).partition(".")[0]


def _lowered(lowered: Sequence[Change]) -> Iterator[Harm]:
    for one in lowered[:NAMED]:
        yield Harm(_step(one), Words("it is downgraded", "会被降级"))
    if len(lowered) > NAMED:
        more = len(lowered) - NAMED
        yield Harm(f"+{more}", Words(f"{more} more are downgraded", f"另有 {more} 个会被降级"))


def _removed(gone: Sequence[Change], before: Before) -> Iterator[Harm]:
    ranked = sorted(gone, key=lambda one: (one.name not in before.essential, one.name not in before.manual, one.name))
    for one in ranked[:NAMED]:
        yield Harm(_step(one), _why_removed(one, before))
    if len(gone) > NAMED:
        more = len(gone) - NAMED
        yield Harm(f"+{more}", Words(f"{more} more are removed", f"另有 {more} 个会被移除"))


def _why_removed(one: Change, before: Before) -> Words:
    if one.name in before.essential:
        return Words("it is removed, and the system cannot do without it", "会被移除，而系统离不开它")
    if one.name in before.manual:
        return Words("it is removed, although somebody installed it on purpose", "会被移除，而它是用户主动安装的")
    return Words("it is removed", "会被移除")


def _generations(changes: Sequence[Change], before: Before) -> Iterator[Harm]:
    """AMD: ROCm up to 7.2.4 must go before the ROCm Core SDK comes."""
    comes = any(one.after and not one.before and one.name.startswith("amdrocm") for one in changes)
    goes = any(one.name == "rocm-core" and one.after is None for one in changes)
    old = before.installed.get("rocm-core", "")
    if comes and not goes and shown.rocm_release(old):
        yield Harm(
            f"rocm-core {shown.short(old)}",
            Words(
                "ROCm of the first generation is installed: AMD says to uninstall ROCm 7.2.4 and older first",
                "已安装第一代 ROCm：AMD 要求先卸载 7.2.4 及更早的版本",
            ),
        )
