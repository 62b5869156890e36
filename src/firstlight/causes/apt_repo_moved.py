"""A source names an address that its publisher has left."""

from __future__ import annotations

from ..facts.model import Facts, Repository, Unknown
from ..knowledge.keys import signing_key
from ..knowledge.moved import Moved, moved
from ..words import Words
from ._apt import enabled
from .messages import Message
from .model import CLEAR, Cause, Evidence, Found, Judgement, Known, Remedy, missing

Case = tuple[Repository, str, Moved]
SHOWN = 4


def judge(facts: Facts) -> Judgement:
    """Found if a source names an address of `knowledge/moved.toml`."""
    if isinstance(facts.repositories, Unknown) and facts.repositories.unknown != "absent":
        return missing(("repositories", facts.repositories)) or CLEAR
    found = [
        (one, f"{uri} {suite}", gone)
        for one in enabled(facts)
        for uri in one.uris
        for suite in one.suites
        if (gone := moved(uri, suite))
    ]
    return _found(found[:SHOWN]) if found else CLEAR


def _found(found: list[Case]) -> Found:
    return Found(
        evidence=tuple(Evidence("repositories", label, f"{one.file}:{one.line}") for one, label, _ in found),
        values={"sources": ", ".join(dict.fromkeys(label for _, label, _ in found)), "to": found[0][2].to},
        remedy=tuple(_remedy(one, label, gone) for one, label, gone in found),
    )


def _remedy(repository: Repository, label: str, gone: Moved) -> Remedy:
    key = signing_key(gone.key)
    signer = f" ({key.maker}: {', '.join(key.fingerprints)})" if key else ""
    place = f"{repository.file}:{repository.line}"
    why = Words(
        f"In {place}: instead of {label} write {gone.to}; its signing key is {gone.key}{signer}. Then apt-get update.",
        f"在 {place} 中：将 {label} 改为 {gone.to}；其签名密钥为 {gone.key}{signer}。之后运行 apt-get update。",
    )
    return Remedy((), root=True, why=why)


# messages
MESSAGES = (
    Message(r"The repository '(?P<repository>[^']{5,200})' does not have a Release file", 0.9, unless=("dns", "clock-words"), told=Words("There is no repository at {repository}.", "{repository} 处没有软件源。")),
    Message(r"The repository '(?P<repository>[^']{5,200})' no longer has a Release file", 0.93, told=Words("There is no repository at {repository} any more.", "{repository} 处已没有软件源。")),
    Message(r"Failed to fetch (?P<file>\S{5,200}/(?:dists/\S{1,80})?(?:InRelease|Release|Packages(?:\.\w{2,4})?)) {1,4}404", 0.85, told=Words("{file} is not there.", "{file} 不存在。")),
    Message(r"Err:\d{1,4} (?P<repository>https?://\S{5,160} \S{1,40}) Release", 0.7, needs=("http-404",)),
    Message(r"Redirection from \S{5,160} to '(?P<to>[^']{5,160})' is forbidden", 0.75, told=Words("It redirects to {to}.", "它重定向到 {to}。")),
    Message(r"changed its '(?:Origin|Label|Suite|Codename)' value from", 0.6),
    Message(r"repomd\.xml.{0,120}404", 0.85),
    Message(r"Status code: 404 for (?P<file>\S{5,200}repomd\.xml)", 0.9, told=Words("{file} is not there.", "{file} 不存在。")),
    Message(r"Cannot download repomd\.xml", 0.7),
)  # fmt: skip

CAUSE = Cause(
    id="apt-repo-moved",
    family="apt",
    vendor="both",
    severity="degrading",
    title=Words("{sources} is no longer there", "{sources} 已不在该地址"),
    means=Words(
        "The repository is no longer at the address in the source entry.",
        "软件源已不在条目所写的地址。",
    ),
    effect=Words(
        "apt update fails there (404, no Release file); it is now at {to}.",
        "apt update 在该处失败（404，没有 Release 文件）；现在位于 {to}。",
    ),
    fix=Words(
        "Write the present address and suite of that release into the source entry (with the key belonging to it), apt "
        "update.",
        "在软件源条目中写入该版本当前的地址和套件（以及对应的密钥），再运行 apt update。",
    ),
    known=(
        Known("https://github.com/ROCm/legacy-rocm-build/issues/1736", first_seen="2022-05-13"),
        Known("https://github.com/ROCm/legacy-rocm-build/issues/5968", first_seen="2026-02-15"),
        Known("https://github.com/NVIDIA/libnvidia-container/issues/225", first_seen="2023-10-05"),
    ),
    messages=MESSAGES,
    judge=judge,
)
