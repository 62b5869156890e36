"""A source is told to be trusted without a look at its signature."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ..facts.model import Facts, Repository, Unknown
from ..words import Words
from ._apt import enabled
from ._trust import Case, edit, fetch_keys, judged
from .messages import Message
from .model import CLEAR, Cause, Evidence, Found, Judgement, Remedy, missing

if TYPE_CHECKING:
    from ..catalog.debian.trust_model import Trust

YES = ("yes", "true", "with", "on", "enable", "1")


def judge(facts: Facts) -> Judgement:
    """Found by the options of the sources alone."""
    if isinstance(facts.repositories, Unknown) and facts.repositories.unknown != "absent":
        return missing(("repositories", facts.repositories)) or CLEAR
    marked = [(one, name) for one in enabled(facts) for name in _options(one)]
    if not marked:
        return CLEAR
    return Found(
        evidence=tuple(Evidence("repositories", f"{name}=yes", f"{one.file}:{one.line}") for one, name in marked[:4]),
        values={
            "sources": ", ".join(one.uris[0] for one, _ in marked[:4]),
            "why": f"{marked[0][1]}=yes",
        },
        remedy=(Remedy((), root=True, why=_WHAT),),
    )  # fmt: skip


def judge_trust(facts: Facts, trust: Trust) -> Judgement:
    """Found by the options of a source, or of apt as a whole."""
    found = judged(trust, ("trusted-yes", "insecure-allowed"), _remedy)
    return found if isinstance(found, Found) else judge(facts)


def _options(repository: Repository) -> Iterable[str]:
    return [name for name in ("trusted", "allow-insecure") if repository.options.get(name, "").lower() in YES]


def _remedy(found: list[Case]) -> tuple[Remedy, ...]:
    return (edit(found, _WHAT), *fetch_keys(found)[:-1])


_WHAT = Words(
    "take the option out and name the vendor's keyring with signed-by; keep it only for a local mirror that is not "
    "signed.",
    "去掉该选项并用 signed-by 指定厂商的密钥环；仅对未签名的本地镜像保留。",
)
# messages
MESSAGES = (
    Message(r"\[(?:[\w=,/.-]{1,60} ){0,4}trusted=yes", 0.8),
    Message(r"Trusted: yes", 0.8),
    Message(r"allow-insecure=yes", 0.8),
    Message(r"Acquire::AllowInsecureRepositories", 0.65),
    Message(r"WARNING: The following packages cannot be authenticated", 0.4, needs=("trusted",)),
)  # fmt: skip

CAUSE = Cause(
    id="apt-source-trusted-yes",
    family="apt",
    vendor="both",
    severity="advice",
    title=Words("apt does not check who signed {sources}", "apt 不检查 {sources} 由谁签名"),
    means=Words(
        "A source is marked trusted=yes, so apt does not check its signature.",
        "某软件源被标记为 trusted=yes，因此 apt 不检查其签名。",
    ),
    effect=Words(
        "Whoever serves or passes on that repository can install anything as root ({why}).",
        "提供或转发该软件源的任何人都能以 root 身份安装任何内容（{why}）。",
    ),
    fix=Words(
        "Remove the option and add signed-by with the vendor's key; keep it only for a local, unsigned mirror.",
        "去掉该选项并用 signed-by 指定厂商密钥；仅对本地未签名镜像保留。",
    ),
    messages=MESSAGES,
    judge=judge,
    judge_trust=judge_trust,
)
