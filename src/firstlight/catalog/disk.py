"""Indices on this disk: a PEP 503 tree, a page of links, a folder of files."""

from __future__ import annotations

import os
import stat
from typing import BinaryIO

from ..words import same
from .address import file_url
from .links import FILES, files_of
from .model import IndexFile
from .pages import BODY
from .trouble import Failed, damaged


def read_tree(index: str, project: str) -> tuple[IndexFile, ...]:
    """The files that the page of `project` links to. Raises Failed."""
    folder = os.path.join(index, project)
    return _read_page(os.path.join(folder, "index.html"), project)


def read_links(path: str) -> tuple[IndexFile, ...]:
    """The files of all projects in a folder, or that a page links to. Raises Failed."""
    try:
        names = sorted(os.listdir(path))
    except NotADirectoryError:
        return _read_page(path, "")
    except (OSError, ValueError) as error:
        raise failure(error) from error
    if len(names) > FILES:
        raise damaged(f"it lists more than {FILES} files", f"所列文件超过 {FILES} 个")
    listed = (IndexFile(filename=name, url=file_url(os.path.join(path, name))) for name in names)
    return files_of(listed, "", file_url(path))


def _read_page(path: str, project: str) -> tuple[IndexFile, ...]:
    from .simple_html import read_html

    try:
        with opened(path) as file:
            body = file.read(BODY + 1)
    except (OSError, ValueError) as error:
        raise failure(error) from error
    if len(body) > BODY:
        raise damaged(f"its page is larger than {BODY} bytes", f"页面超过 {BODY} 字节")
    return read_html(body.decode("utf-8", "replace"), file_url(path), project)


def opened(path: str) -> BinaryIO:
    """A file, if it is one: a pipe could keep us waiting for ever. Raises OSError and ValueError."""
    number = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    if not stat.S_ISREG(os.fstat(number).st_mode):
        os.close(number)
        raise IsADirectoryError(path)
    return os.fdopen(number, "rb")


def failure(error: Exception) -> Failed:
    """What the system says of a path: a page that is not there is the index's own answer."""
    if isinstance(error, (FileNotFoundError, NotADirectoryError, IsADirectoryError, ValueError)):
        return Failed("not-there")
    said = same(getattr(error, "strerror", None) or type(error).__name__)
    return Failed("denied" if isinstance(error, PermissionError) else "unreachable", said)
