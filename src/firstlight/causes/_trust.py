"""What the causes about signatures of apt's sources ask of Trust, and the remedies that they share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ..facts.model import Facts
from ..knowledge.keys import SigningKey, publishers
from ..words import Words
from ._apt import enabled
from .changes import Keyring, RefreshLists
from .model import CLEAR, Evidence, Found, Judgement, NotKnown, Remedy, Severity

if TYPE_CHECKING:
    from ..catalog.debian.trust_model import Problem, ProblemKind, SourceTrust, Trust

SHOWN = 4
"""Sources that one finding names at most."""
Case = tuple["SourceTrust", "Problem"]
_SEVERITIES: dict[str, Severity] = {"use": "degrading", "update": "degrading", "risk": "advice"}
"""Wheels do not need apt: nothing of this blocks every way."""


def untold(facts: Facts) -> Judgement:
    """Where nobody looked at signatures: not known if there are sources, else clear."""
    return NotKnown(("trust (not-captured: /var/lib/apt/lists)",)) if enabled(facts) else CLEAR


def cases(trust: Trust, *kinds: ProblemKind) -> list[Case]:
    """Each source with its first problem of these kinds; those that stand most in the way first."""
    found = [(source, problem) for source in trust.sources if (problem := source.problem(*kinds))]
    return sorted(found, key=lambda case: ("use", "update", "risk").index(case[1].effect))


def judged(trust: Trust, kinds: Sequence[ProblemKind], remedy: Callable[[list[Case]], tuple[Remedy, ...]]) -> Judgement:
    """Found if a source has one of these problems; not known if none has, and one could not be judged."""
    found = cases(trust, *kinds)
    if not found:
        return unread(trust)
    shown = found[:SHOWN]
    return Found(
        evidence=tuple(evidence(case) for case in shown),
        values={"sources": named(found), "why": shown[0][1].text},
        severity=_SEVERITIES[found[0][1].effect],
        remedy=remedy(shown),
    )


def unread(trust: Trust) -> Judgement:
    """Not known where the Release or a keyring of some source could not be read."""
    needs = [f"trust of {source.label} ({why}: {what})" for source in trust.sources for what, why in source.lacks]
    return NotKnown(tuple(dict.fromkeys(needs))[:SHOWN]) if needs else CLEAR


def evidence(case: Case) -> Evidence:
    """What was seen, of which source, and where."""
    source, problem = case
    return Evidence("trust", f"{source.label}: {problem.evidence}", problem.source)


def named(found: Sequence[Case]) -> str:
    """Sources for a title: each once."""
    labels = list(dict.fromkeys(source.label for source, _ in found))
    more = f" (+{len(labels) - SHOWN})" if len(labels) > SHOWN else ""
    return ", ".join(labels[:SHOWN]) + more


def fetch_keys(found: Sequence[Case]) -> tuple[Remedy, ...]:
    """The publisher's own key where it is known, checked by its fingerprint; then the sources are read anew."""
    done: list[Remedy] = []
    for source, _ in found:
        for key in publishers(source.uri):
            one = _fetch(source, key)
            if one is not None and all(one.argv != other.argv for other in done):
                done.append(one)
    if not done:
        labels = named(found)
        ask = Words(
            f"Get the present key of {labels} from whoever runs it, compare its fingerprint with what they publish, "
            f"and put it where the source's Signed-By says.",
            f"向 {labels} 的维护者获取其现用密钥，与其公布的指纹核对后，放到该软件源 Signed-By 指定的位置。",
        )
        done.append(Remedy((), root=True, why=ask))
    return (*done, renew(found))


def _fetch(source: SourceTrust, key: SigningKey) -> Remedy | None:
    if not key.url:
        return _distribution(key)
    url = key.url.replace("{place}", source.uri.partition("/repos/")[2].strip("/"))
    path = next((one for one in source.keyrings if one.startswith(("/etc/apt/keyrings/", "/usr/share/keyrings/"))), "")
    path = path or f"/etc/apt/keyrings/{key.id}.asc"
    prints = ", ".join(key.fingerprints)
    also = _PLAIN if path.endswith(".asc") else _BINARY
    why = Words(
        f"Fetches {key.maker}'s present key. Before it is used: `gpg --show-keys {path}` must show {prints}{also.en}.",
        f"获取 {key.maker} 的现用密钥。使用前：`gpg --show-keys {path}` 应显示 {prints}{also.zh}。",
    )
    change = Keyring(path=path, fingerprints=key.fingerprints, url=url)
    return Remedy(("curl", "-fsSL", "-o", path, url), root=True, why=why, change=change)


_PLAIN = Words("", "")
_BINARY = Words(
    "; a name in .gpg needs it binary: `gpg --dearmor` it first",
    "；以 .gpg 结尾的文件须为二进制格式：先用 `gpg --dearmor` 转换",
)


def _distribution(key: SigningKey) -> Remedy | None:
    package = {"debian": "debian-archive-keyring", "ubuntu": "ubuntu-keyring"}.get(key.id)
    if package is None:
        return None
    why = Words(
        "Installs the distribution's present keys, from a source that still verifies.",
        "从仍可验证的软件源安装发行版的现用密钥。",
    )
    return Remedy(("apt-get", "install", "--reinstall", package), root=True, why=why)


def renew(found: Sequence[Case]) -> Remedy:
    """`apt-get update`."""
    files = tuple(dict.fromkeys(source.file for source, _ in found))
    why = Words("Reads the sources anew.", "重新读取软件源。")
    return Remedy(("apt-get", "update"), root=True, why=why, change=RefreshLists(files=files))


def edit(found: Sequence[Case], what: Words) -> Remedy:
    """To be done by hand in the source's file."""
    place = ", ".join(dict.fromkeys(source.place for source, _ in found))
    return Remedy((), root=True, why=Words(f"In {place}: {what.en}", f"在 {place} 中：{what.zh}"))
