"""uv's refusals -> chains of reasons. The only place that knows uv's wording (uv 0.11 to 0.13)."""

from __future__ import annotations

import msgspec

from ..project.urls import redact
from ..words import same
from .model import Because
from .reasons import because

LONGEST = 8
"""Sentences of the resolver's derivation that are passed on."""

UNREACHABLE = (
    "dns error", "error sending request", "timed out", "connection refused", "tcp connect", "network is unreachable",
    "client error (connect)", "connection reset", "failed to fetch", "request failed", "could not connect",
    "error decoding response", "connection closed", "error while accessing remote requirements file",
)  # fmt: skip


LOG = "uv_client::registry_client=debug"
"""Value of RUST_LOG for which uv says that an index refused access: else it only calls the package not found."""


class Kind(msgspec.Struct, frozen=True):
    """One kind of refusal: the wording that betrays it, and ours."""

    id: str
    signs: tuple[str, ...]
    en: str
    zh: str


KINDS: tuple[Kind, ...] = (
    Kind(
        "offline",
        ("network connectivity is disabled", "because the network was disabled"),
        "nothing may be fetched while offline is set",
        "当前为离线模式，不做任何下载",
    ),
    Kind(
        "denied",
        ("401 unauthorized", "403 forbidden"),  # of an explicit index uv says it in its log only: see LOG
        "the index refuses access; give credentials in the URL or in ~/.netrc",
        "该索引拒绝访问；请在 URL 或 ~/.netrc 中提供凭据",
    ),
    Kind(
        "bad-certificate",
        ("invalid peer certificate", "certificate verify failed", "unknownissuer"),
        "the index's certificate is not trusted; name the right bundle with pip's `cert` setting",
        "该索引的证书不受信任；请用 pip 的 `cert` 设置指定正确的证书包",
    ),
    Kind(
        "disk-full",
        ("no space left on device", "os error 28", "disk quota exceeded"),
        "the disk is full; free some room or move the cache with UV_CACHE_DIR",
        "磁盘已满；请腾出空间，或用 UV_CACHE_DIR 迁移缓存",
    ),
    Kind(
        "server-error",
        ("http status server error",),
        "the server answers with an error of its own; try again later, or name a mirror",
        "服务器自身返回错误；请稍后重试，或指定镜像",
    ),
    Kind(
        "gone",
        ("404 not found", "410 gone"),
        "a file is not, or no longer, where its index said",
        "文件不在（或已不在）索引所说的位置",
    ),
    Kind(
        "unwritable-cache",
        ("failed to initialize cache",),
        "uv's cache cannot be written; name another folder with UV_CACHE_DIR",
        "uv 的缓存无法写入；请用 UV_CACHE_DIR 另指定目录",
    ),
    Kind(
        "uv-too-old",
        ("invalid value 'pylock.toml'", "unexpected argument"),
        "this uv is too old: 0.11 or newer is needed (`python -m pip install -U uv`)",
        "uv 版本过旧：需要 0.11 或更新（`python -m pip install -U uv`）",
    ),
    Kind(
        "damaged-index",
        ("received some unexpected",),
        "what the index says is damaged, or is no page of an index",
        "该索引的内容有损坏，或不是索引页面",
    ),
    Kind(
        "by-address",
        ("was included as a url dependency",),
        "a package asks for another one by its address, which nobody here said; name that one in the goal's packages",
        "某个包以地址方式依赖另一个包，而此处无人指定；如信任它，请把它写入目标的 packages",
    ),
    Kind(
        "bad-metadata",
        ("has invalid metadata",),
        "what a package says of itself does not follow the standard, so it cannot be taken",
        "某个包的元数据不符合标准，无法采用",
    ),
    Kind("no-file", ("file not found:",), "a file that a setting names is not there", "某项设置所指的文件不存在"),
    Kind("wrong-hash", ("hash mismatch",), "a file does not have the hash that was frozen", "文件的哈希与锁定的不一致"),
    Kind(
        "no-wheel-for-python",
        ("matching python abi tag", "matching python version tag", "matching python implementation tag"),
        "no wheel fits this Python version; choose another one with `--python`",
        "没有适合该 Python 版本的 wheel；请用 `--python` 另选",
    ),
    Kind("no-wheel-for-platform", ("matching platform tag",), "no wheel fits this platform", "没有适合该平台的 wheel"),
    Kind(
        "python-too-old",
        ("depends on python", "the requested python version", "requires python"),
        "a package asks for another Python version",
        "某个包要求其他 Python 版本",
    ),
    Kind(
        "only-source",
        ("no usable wheels", "building source distributions is disabled", "building from source is disabled"),
        "no wheel for this Python and machine is offered, only source code, and nothing is built while planning; "
        "another `--python` may have one",
        "没有适合此 Python 和机器的 wheel，仅有源码，而规划阶段不做任何构建；换用其他 `--python` 可能有",
    ),
    Kind(
        "not-there",
        ("was not found", "cannot be found"),
        "a package that is needed is not there",
        "缺少所需的包",
    ),
    Kind(
        "no-version",
        ("there is no version of", "there are no versions of", "only the following versions", "is available and"),
        "no version fits what is asked for",
        "没有符合要求的版本",
    ),
)


def refusal(stderr: str, subject: str, *, timed_out: bool = False) -> tuple[Because, ...]:
    """The kind of refusal first, in our words; then uv's own sentences, credentials left out."""
    text = " ".join(
        word for line in redact(stderr).splitlines() if not line.startswith("WARN ") for word in line.split()
    )
    lower = text.lower()
    head = _known(lower, subject) or _unreachable(lower, subject) or (_too_slow(subject) if timed_out else None)
    head = _naming(head or _other(lower, subject), text)
    return (head, *(Because("resolver", subject, same(sentence)) for sentence in sentences(text)))


NAMING = ("not-there", "no-version", "no-wheel-for-python", "no-wheel-for-platform", "only-source")


def _naming(head: Because, text: str) -> Because:
    """With the package that uv begins its derivation with."""
    words = text.partition("Because ")[2].split()[:9]
    known = [one.strip(",.`") for one in words if one[:1].isalnum() and one not in SMALL]
    name = known[0] if known and head.kind in NAMING else ""
    if not name or name.startswith("firstlight-request"):
        return head
    return because(head.kind, head.subject, f"{head.text.en} ({name})", f"{head.text.zh}（{name}）")


SMALL = (
    "only",
    "there",
    "is",
    "are",
    "no",
    "version",
    "versions",
    "of",
    "the",
    "following",
    "available:",
    "all",
    "you",
)
"""Words of uv's that may stand before the name."""


def _other(lower: str, subject: str) -> Because:
    if "unsatisfiable" in lower or "no solution found" in lower:
        return because("conflict", subject, "the requirements contradict each other", "各项要求互相矛盾")
    return because("failed", subject, "uv gave up for the reason that it states", "uv 失败，原因见其输出")


def _known(lower: str, subject: str) -> Because | None:
    kind = next((one for one in KINDS if any(sign in lower for sign in one.signs)), None)
    return because(kind.id, subject, kind.en, kind.zh) if kind else None


def _too_slow(subject: str) -> Because:
    return because(
        "unreachable", subject,
        "the resolver did not end in time: an index is very slow, or there is too much to choose from",
        "解析未能按时结束：索引过慢，或可选版本过多",
    )  # fmt: skip


def _unreachable(lower: str, subject: str) -> Because | None:
    if not any(sign in lower for sign in UNREACHABLE):
        return None
    return because(
        "unreachable", _place(lower) or subject,
        "cannot be reached from here; if there is a mirror, name it with `[[source]]` or FIRSTLIGHT_SOURCE_<NAME>",
        "无法从本机访问；如有镜像，请用 `[[source]]` 或 FIRSTLIGHT_SOURCE_<NAME> 指定",
    )  # fmt: skip


def _place(lower: str) -> str | None:
    """The address that uv names: it need not be the route's own index."""
    words = (word.strip("`'\"(),") for word in lower.split() if "://" in word)
    return next(words, None)


def sentences(text: str) -> list[str]:
    """uv's derivation and causes, each a sentence of its own; without its log, of which LOG asks for one part."""
    for mark in ("error: ", "cause: ", "hint: "):
        text = text.replace(mark, "\n")
    text = text.replace("DEBUG ", "\nDEBUG ").replace(" × ", "\n").replace(". And because ", ".\nAnd because ")
    text = text.replace(", we can conclude ", ",\nwe can conclude ")
    found = [line.strip() for line in text.splitlines()]
    told = [line for line in found if line and not line.startswith(("warning:", "DEBUG Skipping file"))]
    return [line.removeprefix("DEBUG ")[:500] for line in told][:LONGEST]
