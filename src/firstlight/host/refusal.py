"""The one shape of error for recordings that cannot, or must not, be read."""

from __future__ import annotations

import os

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


def closed(path: str) -> UnreadableInput:
    """The recording may be sound, but this user may not read it."""
    return UnreadableInput(
        Words(f"{path}: this user may not read it", f"{path}：当前用户无权读取"),
        next=Words(
            "Let its owner make it readable (a folder with all that is in it), or give another recording.",
            "请让其所有者开放读取权限（文件夹连同其中全部内容），或给出另一份录制数据。",
        ),
    )


def check_open(folder: str) -> None:
    """Raises UnreadableInput for a folder that is there but closed to this process: it would look empty."""
    try:
        os.scandir(folder).close()
        os.lstat(os.path.join(folder, "."))
    except PermissionError:
        raise closed(folder) from None
    except OSError:
        return


def hostile(path: str, en: str, zh: str) -> UnreadableInput:
    """`path` asks for something that no recording needs, and that could harm the reader."""
    why = Words(
        "A recording holds only plain files, folders and links below its own root, within bounds.",
        "录制数据只应包含其根目录之内、大小受限的普通文件、文件夹和链接。",
    )
    return UnreadableInput(Words(f"{path}: {en}", f"{path}：{zh}"), why=why, next=_AGAIN)
