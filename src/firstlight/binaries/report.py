"""One argument, whatever it is: a file, a wheel, a package, a tar archive, a folder, an environment."""

from __future__ import annotations

import os

from ..errors import UnreadableInput
from ..words import Words
from .choice import is_tar
from .model import Report
from .source import Disk

_UNREADABLE = Words("cannot read {path}: {why}", "无法读取 {path}：{why}")
_NO_TORCH = Words("there is no torch in {path}", "{path} 中没有 torch")
_NAME_IT = Words(
    "name the environment's folder or its Python, for example .venv or .venv/bin/python",
    "请给出环境的文件夹或其 Python，例如 .venv 或 .venv/bin/python",
)


def inspect(path: str) -> Report:
    """What GPU code lies behind a path. Nothing of it is run. Raises UnreadableInput where there is nothing to read;
    what is damaged inside is a fault of the report."""
    try:
        return _inspected(path)
    except OSError as error:
        raise UnreadableInput(_UNREADABLE.fill(path=path, why=error.strerror or str(error))) from error


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
    with spending(Budget(disk.size)):
        gathering.add(path, lambda: read(disk, path))
    return Report(
        path=path,
        kind="file",
        pieces=tuple(gathering.pieces),
        others=gathering.others,
        faults=tuple(gathering.faults),
    )
