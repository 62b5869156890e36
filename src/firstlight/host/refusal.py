"""The one shape of error for recordings that cannot, or must not, be read."""

from __future__ import annotations

from ..errors import UnreadableInput
from ..words import Words

_AGAIN = Words(
    "Make the recording again with `firstlight capture`, or give a folder, a .tar.zst or a .tar.gz.",
    "请用 `firstlight capture` 重新采集，或给出文件夹、.tar.zst 或 .tar.gz。",
)


def damaged(path: str, en: str, zh: str) -> UnreadableInput:
    """`path` does not hold what its format promises."""
    why = Words(
        "Nothing can be said about a machine from a damaged recording.", "录制数据已损坏，无法据此判断机器的状况。"
    )
    return UnreadableInput(Words(f"{path}: {en}", f"{path}：{zh}"), why=why, next=_AGAIN)


def hostile(path: str, en: str, zh: str) -> UnreadableInput:
    """`path` asks for something that no recording needs, and that could harm the reader."""
    why = Words(
        "A recording holds only plain files, folders and links below its own root, within bounds.",
        "录制数据只应包含其根目录之内、大小受限的普通文件、文件夹和链接。",
    )
    return UnreadableInput(Words(f"{path}: {en}", f"{path}：{zh}"), why=why, next=_AGAIN)
