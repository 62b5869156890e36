"""A wheel at an address: only what is needed of it is fetched."""

from __future__ import annotations

from ..binaries.model import Report
from ..catalog import Catalog
from ..catalog.address import shown
from ..catalog.model import Trouble
from ..errors import CannotTell
from ..words import Words
from .place import root

_SAID = {
    "not-there": Words("there is no file at this address", "该地址没有文件"),
    "too-large": Words(
        "its server sends only whole files; fetch it and name the file", "其服务器只提供完整文件；请下载后给出文件路径"
    ),
}
"""What trouble with an address means here, where the words for indices do not fit."""
SCHEMES = ("http://", "https://")


def is_address(word: str) -> bool:
    """Whether an argument is no path."""
    return word.lower().startswith(SCHEMES)


def of_address(address: str, project: str | None) -> Report:
    """The report of a wheel there, read through the project's sources (proxy, certificates, credentials). Raises
    CannotTell where it cannot be reached, or its server sends only whole files."""
    from ..binaries.remote import read_remote
    from ..project.load import load

    file = Catalog(load(root(project)).sources).remote(address)
    if isinstance(file, Trouble):
        raise _unread(file)
    try:
        return read_remote(file.read, file.size, shown(address))
    except OSError:
        if file.trouble is None:
            raise
        raise _unread(file.trouble) from None


def _unread(trouble: Trouble) -> CannotTell:
    text = _SAID.get(trouble.kind, trouble.text)
    return CannotTell(Words(f"{trouble.subject}: {text.en}", f"{trouble.subject}：{text.zh}"))
