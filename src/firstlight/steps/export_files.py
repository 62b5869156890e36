"""One file of an exported folder: kept, copied or fetched; written aside, and renamed once its hash is right."""

from __future__ import annotations

import contextlib
import hashlib
import os
from typing import Literal

import msgspec

from ..catalog.index import Catalog
from ..catalog.model import IndexFile, Trouble
from ..errors import NoError
from ..project.model import Project
from ..routes.model import Wheel
from ..words import Words
from .local_wheels import find, found_at, sha256_of
from .store import WHEELS

BLOCK = 1 << 20

State = Literal["kept", "copied", "fetched", "written"]


class ExportedFile(msgspec.Struct, frozen=True, kw_only=True):
    """One file of the folder. `kept`: it was there already."""

    path: str
    """Relative to the folder."""
    bytes: int
    sha256: str
    state: State


def placed(project: Project, catalog: Catalog, folder: str, wheel: Wheel) -> ExportedFile:
    """A file of the lock, in the folder. Raises NoError, OSError."""
    path = os.path.join(folder, WHEELS, wheel.filename)
    state: State = "kept"
    if not _is_right(path, wheel):
        state = "copied" if _copied(project, wheel, path) else _fetched(catalog, wheel, path)
    size = os.stat(path).st_size
    return ExportedFile(path=f"{WHEELS}/{wheel.filename}", bytes=size, sha256=wheel.sha256, state=state)


def _is_right(path: str, wheel: Wheel) -> bool:
    """Whether the locked file lies there, itself and not a link: a link would not come along."""
    try:
        return not os.path.islink(path) and os.path.isfile(path) and sha256_of(path) == wheel.sha256
    except OSError:
        return False


def _copied(project: Project, wheel: Wheel, path: str) -> bool:
    """From a source on this disk. Raises NoError if the lock says that it comes from there and none has it."""
    for source in found_at(project, wheel):
        if _copy(source, path, wheel.sha256):
            return True
    if wheel.url is None:
        raise _not_the_locked(wheel, find(project, wheel))
    return False


def _copy(source: str, path: str, sha256: str) -> bool:
    """Whether the file has that hash, and is now at `path`. Raises OSError where that cannot be written."""
    part, total = f"{path}.part", hashlib.sha256()
    try:
        with open(source, "rb") as file, open(part, "wb", opener=_opener) as out:
            while block := file.read(BLOCK):
                total.update(block)
                out.write(block)
            out.flush()
            os.fsync(out.fileno())
        if total.hexdigest() == sha256:
            os.replace(part, path)
            return True
        return False
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(part)


def _opener(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NOFOLLOW, 0o666)


def _fetched(catalog: Catalog, wheel: Wheel, path: str) -> Literal["fetched"]:
    file = IndexFile(filename=wheel.filename, url=wheel.url or "", sha256=wheel.sha256, size=wheel.size)
    trouble = catalog.fetch(file, path)
    if trouble is not None:
        raise _not_fetched(wheel, trouble)
    return "fetched"


def written(folder: str, name: str, text: str) -> ExportedFile:
    """A text as a file. Raises OSError."""
    path, data = os.path.join(folder, name), text.encode()
    part = f"{path}.part"
    with contextlib.suppress(FileNotFoundError):
        os.unlink(part)
    with open(part, "xb") as out:
        out.write(data)
        out.flush()
        os.fsync(out.fileno())
    os.replace(part, path)
    return ExportedFile(path=name, bytes=len(data), sha256=hashlib.sha256(data).hexdigest(), state="written")


def _not_the_locked(wheel: Wheel, path: str) -> NoError:
    return NoError(
        Words(f"{path} is not the file that was locked", f"{path} 不是锁定的文件"),
        why=Words(f"sha256 {wheel.sha256} is wanted", f"需要 sha256 {wheel.sha256}"),
        next=Words("put the right file there, or freeze anew with `firstlight lock`",
                   "请放回正确的文件，或用 `firstlight lock` 重新锁定"),
    )  # fmt: skip


def _not_fetched(wheel: Wheel, trouble: Trouble) -> NoError:
    return NoError(
        Words(f"{wheel.filename} could not be fetched: {trouble.text.en}",
              f"无法获取 {wheel.filename}：{trouble.text.zh}"),
        why=Words(f"from {trouble.subject}; what was fetched before it is kept",
                  f"来自 {trouble.subject}；此前已获取的文件会保留"),
        next=Words("mend that, then export again: it carries on", "请修正后重新导出：会接着上次继续"),
    )  # fmt: skip
