"""Why an index could not be read, in words that say what to do."""

from __future__ import annotations

from ..words import Words, same
from .model import Trouble, TroubleKind

MIRROR = Words(
    "name a mirror with `[[source]]` or FIRSTLIGHT_SOURCE_<NAME>",
    "用 `[[source]]` 或 FIRSTLIGHT_SOURCE_<NAME> 指定镜像",
)

TEXTS: dict[TroubleKind, Words] = {
    "not-there": Words("the index does not have it", "该索引中没有它"),
    "unreachable": Words(
        f"cannot be reached from here ({{detail}}); if there is a mirror, {MIRROR.en}",
        f"无法从本机访问（{{detail}}）；如有镜像，请{MIRROR.zh}",
    ),
    "denied": Words(
        "the index refuses access ({detail}); give credentials in the URL or in ~/.netrc",
        "该索引拒绝访问（{detail}）；请在 URL 或 ~/.netrc 中提供凭据",
    ),
    "offline": Words(
        "nothing may be fetched while offline is set, and the cache does not hold it; "
        "ask once with a network, or unset FIRSTLIGHT_OFFLINE",
        "当前为离线模式，不做任何下载，缓存中也没有它；请联网查询一次，或取消 FIRSTLIGHT_OFFLINE",
    ),
    "server-error": Words(
        f"the server answers with an error of its own ({{detail}}); try again later, or {MIRROR.en}",
        f"服务器自身返回错误（{{detail}}）；请稍后重试，或{MIRROR.zh}",
    ),
    "bad-certificate": Words(
        "the index's certificate is not trusted ({detail}); name the right bundle with pip's `cert` setting",
        "该索引的证书不受信任（{detail}）；请用 pip 的 `cert` 设置指定正确的证书包",
    ),
    "damaged-index": Words(
        f"what the index says is damaged and was refused: {{detail}}; tell whoever runs it, or {MIRROR.en}",
        f"该索引的内容有损坏，已拒绝：{{detail}}；请告知其维护者，或{MIRROR.zh}",
    ),
    "wrong-hash": Words(
        f"the file is not the one that its index names ({{detail}}), and was not used; try again, or {MIRROR.en}",
        f"文件与索引所述不符（{{detail}}），未予使用；请重试，或{MIRROR.zh}",
    ),
    "too-large": Words(
        "planning would have to fetch the whole of it ({detail}); the index does not offer its metadata by itself",
        "规划阶段需完整下载才能读取（{detail}）；该索引未单独提供其元数据",
    ),
}  # fmt: skip


class Failed(Exception):
    """Inside this package: why something could not be read. It never leaves it; a Trouble does."""

    def __init__(self, kind: TroubleKind, detail: Words | None = None) -> None:
        super().__init__(kind)
        self.kind: TroubleKind = kind
        self.detail = detail or same("")

    def about(self, subject: str) -> Trouble:
        """The trouble with the address `subject`, which must hold no credentials."""
        text = TEXTS[self.kind]
        filled = Words(text.en.format(detail=self.detail.en), text.zh.format(detail=self.detail.zh))
        return Trouble(kind=self.kind, subject=subject, text=filled)


def damaged(en: str, zh: str) -> Failed:
    """What an index or a file says cannot be believed."""
    return Failed("damaged-index", Words(en, zh))


def quoted(text: str) -> str:
    """A foreign text as it may stand in a message: short, on one line, printable."""
    kept = "".join(sign if sign.isprintable() else "?" for sign in text[:100]).replace("`", "'")
    return f"`{kept}`" if len(text) <= 100 else f"`{kept}…`"
