"""What values of a change may look like. They may come from a recording, a lock or an index that means harm, and end
up in files of root and in command lines: what is not plainly one of these is refused."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable

from ...errors import UnreadableInput
from ...words import Words

PACKAGE = r"[a-z0-9][a-z0-9+.-]+"
ARCHITECTURE = r"[a-z0-9][a-z0-9-]*"
VERSION = r"[0-9][A-Za-z0-9.+~:-]*"
"""deb-version(7) and Debian Policy 5.6: none can pass for an option or a pattern."""
REQUEST = rf"{PACKAGE}(?::{ARCHITECTURE})?(?:=(?:{VERSION})|/[A-Za-z0-9._~-]+|[+-])?"
"""One word for apt-get install. A trailing sign is part of a name where there is such a package, for apt as for us."""
ACCOUNT = r"[A-Za-z_][A-Za-z0-9_.-]*\$?"
MODULE = r"[A-Za-z0-9][A-Za-z0-9_-]*"
OPTION = r"[A-Za-z0-9_]+(?:=[A-Za-z0-9_.,:+-]*)?"
PARAMETER = r"[A-Za-z0-9_.-]+(?:=[A-Za-z0-9_.,:+@/-]*)?"
"""One word of a kernel command line that no boot loader's configuration gives a meaning of its own."""
SLUG = r"[a-z0-9][a-z0-9-]*"
FINGERPRINT = r"[0-9A-F]{40}|[0-9A-F]{64}"
WORD = r"[A-Za-z0-9][A-Za-z0-9._~/-]*"
SUITE = r"[A-Za-z0-9][A-Za-z0-9._~=-]*"
URI = r"(?:https?|file|mirror\+https?|cdrom|copy):[^\s\x00-\x20\x7f\[\]]+"
PATTERNS = r"(?:\*|[a-z0-9*?][a-z0-9+.*?:-]*)(?: [a-z0-9*?][a-z0-9+.*?:-]*)*"
PIN = r"(?:release|version|origin) [A-Za-z0-9_.,=*?~:+\"' /-]+"
_LONGEST = 4000


def fits(kind: str, value: str, subject: str) -> str:
    """`value`, if it is wholly one `kind`. Raises UnreadableInput."""
    if len(value) <= _LONGEST and re.fullmatch(kind, value, re.ASCII):
        return value
    raise refused(subject, value)


def all_fit(kind: str, values: Iterable[str], subject: str) -> tuple[str, ...]:
    """All of them. Raises UnreadableInput."""
    return tuple(fits(kind, value, subject) for value in values)


def path_below(path: str, folders: tuple[str, ...], subject: str) -> str:
    """An absolute path in its shortest form below one of the folders. Raises UnreadableInput."""
    plain = path.isprintable() and path == posixpath.normpath(path) and len(path) <= _LONGEST
    if plain and any(path.startswith(f"{folder}/") for folder in folders):
        return path
    raise refused(subject, path)


def refused(subject: str, value: str) -> UnreadableInput:
    """The value is no such thing."""
    shown = value[:80].encode("unicode_escape").decode()
    return UnreadableInput(
        Words(f"`{shown}` is no {subject}", f"`{shown}` 不是合法的{_ZH.get(subject, subject)}"),
        why=Words("nothing was changed", "没有改动任何东西"),
    )


_ZH = {
    "package": "软件包名", "package version": "软件包版本", "architecture": "架构", "user": "用户名", "group": "组名",
    "kernel module": "内核模块名", "module option": "模块选项", "kernel parameter": "内核参数", "path": "路径",
    "source name": "软件源名称", "address of a repository": "软件仓库地址", "suite": "套件名", "component": "组件名",
    "fingerprint": "指纹", "pin": "apt 优先级规则", "package request": "软件包请求", "keyring": "密钥环路径",
    "firmware file": "固件文件名", "sha256": "sha256",
}  # fmt: skip
