"""One argument, whatever it is: a file, a wheel, a package, a tar archive, a folder, an environment."""

from __future__ import annotations

import errno
import os

from ..errors import UnreadableInput
from ..words import Words, same
from .choice import is_tar, nested
from .model import Fault, Report
from .source import Disk

_UNREADABLE = Words("cannot read {path}: {why}", "无法读取 {path}：{why}")
_WHY = {
    errno.ENOENT: Words("no such file or folder", "没有这个文件或文件夹"),
    errno.EACCES: Words("this user may not read it", "当前用户无权读取"),
    errno.EINVAL: Words("it is neither a file nor a folder", "它既不是普通文件也不是文件夹"),
}
_RPM = b"\xed\xab\xee\xdb"
_NO_TORCH = Words("there is no torch in {path}", "{path} 中没有 torch")
_NAME_IT = Words(
    "name the environment that holds torch (its folder or its Python), or a folder of libraries in this one",
    "请给出装有 torch 的环境（其文件夹或其 Python），或此环境中存放库的文件夹",
)


def inspect(path: str) -> Report:
    """What GPU code lies behind a path. Nothing of it is run. Raises UnreadableInput where there is nothing to read;
    what is damaged inside is a fault of the report."""
    try:
        return _inspected(path)
    except OSError as error:
        raise _unreadable(path, error) from error


def _unreadable(path: str, error: OSError) -> UnreadableInput:
    why = _WHY.get(error.errno or 0, same(error.strerror or str(error)))
    return UnreadableInput(
        Words(_UNREADABLE.en.format(path=path, why=why.en), _UNREADABLE.zh.format(path=path, why=why.zh))
    )


def _no_package(disk: Disk, path: str, head: bytes) -> Fault:
    """Of a file that is a package by its name alone."""
    name = os.path.basename(path)
    if head.startswith(_RPM):
        detail = "packages of this kind are not opened: unpack it and name the folder"
        return Fault(kind="unknown-form", where=name, detail=detail)
    what = "it does not begin as a package of its name does" if disk.size else "an empty file"
    return Fault(kind="damaged", where=name, detail=what)


def _inspected(path: str) -> Report:
    from .environment import is_environment, read_environment, site_of

    if is_environment(path):
        if site_of(path) is None:
            raise UnreadableInput(_NO_TORCH.fill(path=path), next=_NAME_IT)
        return read_environment(path)
    if os.path.isdir(path):
        from .folder import read_folder

        os.listdir(path)  # one that may not be read is an error, not an empty folder
        return read_folder(path)
    with Disk(path) as disk:
        return of_file(disk, path)


def of_file(disk: Disk, path: str) -> Report:
    """Of a file, by its first bytes. Raises OSError."""
    from .deb import MAGIC, read_deb
    from .gathering import Gathering
    from .reading import read
    from .tar import begins_tar, read_tar
    from .unpacking import Budget, spending
    from .wheel import read_wheel

    head = disk.read(0, 1024)
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06")) and "aotriton.images/" not in path:
        return read_wheel(disk, path)
    if head.startswith(MAGIC):
        return read_deb(disk, path)
    if is_tar(path) or begins_tar(head):
        return read_tar(disk, path)
    gathering = Gathering()
    if nested(path):
        gathering.fault(_no_package(disk, path, head))
    else:
        with spending(Budget(disk.size)):
            gathering.add(path, lambda: read(disk, path))
    return Report(
        path=path,
        kind="file",
        pieces=tuple(gathering.pieces),
        others=gathering.others,
        faults=tuple(gathering.faults),
    )
