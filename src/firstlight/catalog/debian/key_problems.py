"""What can be wrong with a signature or its key, in words."""

from __future__ import annotations

import time

from ...words import Words
from .openpgp import Key, Signature
from .trust_model import Effect, Problem, ProblemKind


def day(seconds: float) -> str:
    """`2022-01-01 12:00 UTC`."""
    try:
        return time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(seconds))
    except (OverflowError, ValueError, OSError):
        return f"{seconds:.0f}"


def digest_name(name: str) -> str:
    """As people write it."""
    return {"SHA1": "SHA-1", "RipeMD": "RIPEMD-160"}.get(name, name)


def damaged(what: str, source: str) -> Problem:
    """Nothing of it can be read."""
    text = Words(f"its signature is damaged: {what}", f"签名已损坏：{what}")
    return Problem(kind="damaged", effect="use", text=text, evidence=what, source=source)


def missing(made: Signature, source: str) -> Problem:
    """The key is in no keyring."""
    who = made.issuer or "?"
    text = Words(f"it is signed by {who}, and apt has no such key for it", f"由 {who} 签名，而 apt 没有该密钥")
    return Problem(kind="key-missing", effect="use", text=text, evidence=who, source=source, key=made.issuer)


def bad(key: Key, source: str) -> Problem:
    """The mathematics says no."""
    text = Words(
        f"it is not what {key.primary} signed: it was changed afterwards, or cut",
        f"内容与 {key.primary} 所签不符：签名后被改动，或不完整",
    )
    return _of("bad-signature", key, source, text)


def revoked(key: Key, source: str) -> Problem:
    """By its owner."""
    text = Words(
        f"it is signed by a key that its owner has revoked ({key.primary})",
        f"签名所用密钥已被其所有者吊销（{key.primary}）",
    )
    return _of("key-revoked", key, source, text)


def expired(key: Key, source: str, effect: Effect) -> Problem:
    """The copy that is here."""
    since = key.expires or 0.0
    text = Words(
        f"the copy of the key that signs it ({key.primary}) is expired since {day(since)}",
        f"签名所用密钥（{key.primary}）的本地副本自 {day(since)} 起已过期",
    )
    return _of("key-expired", key, source, text, f"{key.primary} expired {day(since)}", since=since, effect=effect)


def signature_expired(key: Key, source: str, until: float) -> Problem:
    """The signature itself has an end."""
    text = Words(f"its signature was valid only until {day(until)}", f"其签名仅在 {day(until)} 之前有效")
    return _of("signature-expired", key, source, text, day(until), since=until)


def from_future(key: Key, source: str, created: float) -> Problem:
    """By this machine's clock."""
    text = Words(
        f"its signature was made at {day(created)}, which by this machine's clock lies in the future",
        f"其签名时间为 {day(created)}，按本机时钟尚在未来",
    )
    return _of("signature-from-future", key, source, text, day(created), since=created)


def weak_digest(key: Key, source: str, digest: str) -> Problem:
    """Of the signature on the Release."""
    name = digest_name(digest)
    text = Words(
        f"its signature rests on {name}, which apt no longer takes", f"其签名使用 {name}，apt 已不再接受"
    )  # fmt: skip
    return _of("weak-digest", key, source, text, name)


def weak_binding(key: Key, source: str) -> Problem:
    """Of the signature that makes the key one."""
    name = digest_name(key.digest)
    text = Words(
        f"the key that signs it ({key.primary}) is itself bound by a {name} signature, which this machine's apt (sqv) "
        f"no longer takes",
        f"签名所用密钥（{key.primary}）自身由 {name} 签名绑定，本机的 apt（sqv）已不再接受",
    )
    return _of("weak-binding", key, source, text, f"{key.primary} {name}")


def weak_key(key: Key, source: str, effect: Effect) -> Problem:
    """Too short, or of a kind that is given up."""
    refused = Words(
        f"it is signed by a key that is too weak for this apt ({key.algorithm})",
        f"签名所用密钥对此 apt 而言强度不足（{key.algorithm}）",
    )
    taken = Words(
        f"it is signed by a weak key ({key.algorithm}); newer versions of apt refuse it",
        f"签名所用密钥强度较弱（{key.algorithm}）；较新的 apt 会拒绝它",
    )
    return _of("weak-key", key, source, refused if effect == "use" else taken, key.algorithm, effect=effect)


def not_allowed(key: Key, source: str) -> Problem:
    """Signed-By names fingerprints."""
    text = Words(
        f"it is signed by {key.primary}, which is none of the keys that Signed-By names",
        f"由 {key.primary} 签名，而 Signed-By 未列出该密钥",
    )
    return _of("key-not-allowed", key, source, text)


def dead(key: Key, path: str) -> Problem:
    """Of a key that can sign nothing any more, whatever it signed."""
    if not key.revoked:
        return expired(key, path, "use")
    text = Words(
        f"the only key for it ({key.primary}) was revoked by its owner",
        f"它唯一的密钥（{key.primary}）已被其所有者吊销",
    )
    return _of("key-revoked", key, path, text)


def _of(
    kind: ProblemKind, key: Key, source: str, text: Words, evidence: str = "", *, since: float | None = None,
    effect: Effect = "use",
) -> Problem:  # fmt: skip
    return Problem(
        kind=kind, effect=effect, text=text, evidence=evidence or key.primary, source=source, key=key.primary,
        since=since,
    )  # fmt: skip
