"""Why the package manager has no answer: from the wanted package down to the fact, in words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import msgspec

from ...knowledge.repositories import distribution, offer, report
from ...words import Words
from ..model import Because
from ..reasons import because
from . import reasons, shown
from .causes import cause_of
from .model import Link

CHAINS = 3
"""Chains that are told; the others mostly say the same."""
LINKS = 12

Near = Callable[[str], Sequence[str]]
"""Names in the indices that are like one that none of them has."""


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """What the words need beside the chain."""

    release: str = ""
    """Label of the distribution's release: `ubuntu 22.04 (jammy)`."""
    version_id: str = ""
    codename: str = ""
    near: Near | None = None


def explained(problems: Sequence[Sequence[Link]], told: Told) -> tuple[Because, ...]:
    """Every chain in words, each once: its links, the cause by its id, known reports, and what would unblock it."""
    links: list[Because] = []
    for chain in problems[:CHAINS]:
        links += _chain(chain[-LINKS:], told)
    return tuple(_once(links)) or (_unexplained(),)


def _chain(chain: Sequence[Link], told: Told) -> Iterator[Because]:
    if not chain:
        return
    *above, last = chain
    for link in above:
        yield _needs(link)
    yield _fact(last, told)
    cause = cause_of(last, version_id=told.version_id)
    if cause is not None:
        yield cause.link
    for name in dict.fromkeys(one.name for one in shown.needed(last.relation)):
        known = report(last.wanted[0], name)
        if known is not None:
            yield reasons.known_report(known)
    if cause is not None:
        yield cause.unblock
    if last.kind == "not-offered":
        yield from _other_component(last, told)


def _other_component(link: Link, told: Told) -> Iterator[Because]:
    release = distribution(told.codename) if told.codename else None
    known = offer(release.codename) if release else None
    name = shown.needed(link.relation)[0].name
    if release is not None and known is not None and name in known.nvidia and known.nvidia_components:
        yield reasons.other_component(name, known.nvidia[name], release.label, known.nvidia_components)


def _needs(link: Link) -> Because:
    words = _asked(link)
    return Because("needs" if link.wanted[0] else "wanted", link.relation, words)


def _who(link: Link) -> str:
    name, version = link.wanted
    return shown.package(name, version) if name else "-"


def _fact(link: Link, told: Told) -> Because:
    """The last link: the fact on which it fails."""
    words = _FACTS.get(link.kind, _no_candidate)(link, told)
    return Because(link.kind, link.relation or link.wanted[0], words)


def _asked(link: Link, offered: Sequence[str] = ()) -> Words:
    """`rocm-llvm 17.0 (ROCm 6.1.3) needs libc++-dev = 15.0`; of what the user asked for only the thing itself."""
    what = shown.wanted(link.relation, offered)
    if not link.wanted[0]:
        return Words(f"{what} is asked for", f"请求了 {what}")
    who = _who(link)
    return Words(f"{who} needs {what}", f"{who} 需要 {what}")


def _version_not_offered(link: Link, told: Told) -> Words:
    versions = [version for _, version, _ in link.offered]
    exact = [one.version for one in shown.needed(link.relation) if one.version]
    asked = _asked(link, versions)
    names = {name for name, _, _ in link.offered}
    have = shown.collapsed(versions, beside=exact)
    if len(names) > 1:  # alternatives
        have = ", ".join(f"{name} {shown.short(version)}" for name, version, _ in link.offered[:4])
    where, where_zh = _where(link, told)
    return Words(
        f"{asked.en}; {where} offers {have}; nothing else provides it",
        f"{asked.zh}；{where_zh}提供的是 {have}；没有其他软件包能满足它",
    )


def _where(link: Link, told: Told) -> tuple[str, str]:
    """Who offers: this release; of a vendor's source, its name."""
    origins = {origin for _, _, origin in link.offered if origin}
    if told.release:
        return told.release, f"{told.release} "
    only = next(iter(origins)) if len(origins) == 1 else ""
    return (only, f"{only} ") if only else ("this release", "本发行版")


def _not_offered(link: Link, told: Told) -> Words:
    asked = _asked(link)
    names = [one.name for one in shown.needed(link.relation)]
    near = list(told.near(names[0])) if told.near and len(names) == 1 and not link.wanted[0] else []
    like = f"; near: {', '.join(near)}" if near else ""
    like_zh = f"；相近的有：{', '.join(near)}" if near else ""
    return Words(
        f"{asked.en}; no source here offers it, and nothing provides it{like}",
        f"{asked.zh}；没有任何软件源提供它，也没有软件包能替代它{like_zh}",
    )


def _no_candidate(link: Link, told: Told) -> Words:
    del told
    asked = _asked(link)
    return Words(f"{asked.en}; no version of it may be taken here", f"{asked.zh}；这里没有可以采用的版本")


def _conflicts(link: Link, told: Told) -> Words:
    del told
    who, other = _who(link), link.by or shown.wanted(link.relation)
    return Words(f"{who} conflicts with {other}", f"{who} 与 {other} 冲突")


def _breaks(link: Link, told: Told) -> Words:
    del told
    who, other = _who(link), link.by or shown.wanted(link.relation)
    return Words(f"{who} breaks {other}", f"{who} 会破坏 {other}")


def _held(link: Link, told: Told) -> Words:
    del told
    asked = _asked(link, [version for _, version, _ in link.offered])
    name = link.by or next((one for one, _, _ in link.offered), shown.needed(link.relation)[0].name)
    have = next((version for one, version, _ in link.offered if one == name), "")
    kept = f"{name} {shown.short(have)}" if have else name
    return Words(f"{asked.en}; {kept} is on hold", f"{asked.zh}；而 {kept} 被保持（hold）")


def _pinned(link: Link, told: Told) -> Words:
    del told
    versions = [version for _, version, _ in link.offered]
    asked = _asked(link, versions)
    have = f" ({shown.collapsed(versions)})" if versions else ""
    have_zh = f"（{shown.collapsed(versions)}）" if versions else ""
    pin = f": {link.by}" if link.by else ""
    pin_zh = f"：{link.by}" if link.by else ""
    return Words(
        f"{asked.en}; a pin keeps apt from the version that is wanted{have}{pin}",
        f"{asked.zh}；有 pin 使 apt 不采用所需版本{have_zh}{pin_zh}",
    )


def _needs_removal(link: Link, told: Told) -> Words:
    del told
    who, other = _who(link), link.by or shown.wanted(link.relation)
    return Words(f"{who} would need {other} removed, which must stay", f"{who} 需要移除 {other}，而它必须保留")


def _wrong_architecture(link: Link, told: Told) -> Words:
    del told
    asked = _asked(link)
    have = link.by or ", ".join(dict.fromkeys(name for name, _, _ in link.offered))
    return Words(
        f"{asked.en}; it is offered for another architecture only ({have})",
        f"{asked.zh}；只有其他架构的版本（{have}）",
    )


_FACTS: dict[str, Callable[[Link, Told], Words]] = {
    "not-offered": _not_offered,
    "version-not-offered": _version_not_offered,
    "no-candidate": _no_candidate,
    "conflicts": _conflicts,
    "breaks": _breaks,
    "held": _held,
    "pinned": _pinned,
    "needs-removal": _needs_removal,
    "wrong-architecture": _wrong_architecture,
}


def _unexplained() -> Because:
    return because(
        "unsolvable", "-",
        "the package manager has no answer, and does not say why",
        "包管理器无解，且没有给出原因",
    )  # fmt: skip


def _once(links: Sequence[Because]) -> list[Because]:
    return list({(link.kind, link.text.en): link for link in links}.values())
