"""A folder that `lock --export` filled: everything that a sync without network needs."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence

import msgspec

from ..errors import NoError, UsageError
from ..lockfile.files import NAME, is_plain, parse, path_of, read_pylock, write
from ..project.model import Project, Source
from ..project.toml_file import read_small
from ..routes.model import Wheel
from ..words import Words
from .local_wheels import sha256_of
from .manifest import NAME as MANIFEST
from .manifest import parse_manifest

WHEELS = "wheels"
"""Folder of the files."""
AT_ONCE = 4
SHOWN = 20
_AGAIN = Words("export it again where there is a network: `firstlight lock --export DIR`",
               "请在有网络的机器上重新导出：`firstlight lock --export 目录`")  # fmt: skip
KEPT = Words("the environment that was in use before is untouched", "之前使用的环境未受影响")


def only(project: Project, folder: str) -> Project:
    """The project as if nothing but the folder offered anything. Raises UsageError if there is no such folder."""
    wheels = os.path.join(os.path.abspath(folder), WHEELS)
    if not folder or not os.path.isdir(wheels):
        raise UsageError(
            Words(
                f"`--offline {folder}`: there is no folder {WHEELS} in it",
                f"`--offline {folder}`：其中没有文件夹 {WHEELS}",
            ),
            next=Words(
                "name a folder that `firstlight lock --export` made", "请指定由 `firstlight lock --export` 生成的文件夹"
            ),
        )
    source = Source(name="store", url=wheels, kind="folder", origin="--offline")
    sources = msgspec.structs.replace(
        project.sources, default_indices=(), wheelhouses=(source,), torch_indices=(), no_index=True, offline=True
    )
    return msgspec.structs.replace(project, sources=sources, routes=())


def checked(folder: str, wheels: Sequence[Wheel]) -> dict[str, str]:
    """File name -> absolute path of each, its hash checked. Raises NoError that names every file that is missing or is
    not the locked one."""
    paths = {one.filename: os.path.join(os.path.abspath(folder), WHEELS, one.filename) for one in wheels}
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(AT_ONCE) as pool:
        problems = dict(zip(wheels, pool.map(lambda one: _problem(one, paths[one.filename]), wheels), strict=True))
    bad = {one.filename: problem for one, problem in problems.items() if problem is not None}
    if bad:
        raise _unusable(folder, bad)
    return paths


def _problem(wheel: Wheel, path: str) -> Words | None:
    if not is_plain(wheel.filename):
        return Words("no name of a file", "不是文件名")
    try:
        size = os.stat(path).st_size
        right = wheel.size in (None, size) and sha256_of(path) == wheel.sha256
    except FileNotFoundError:
        return Words("missing", "缺失")
    except OSError as error:
        said = error.strerror or str(error)
        return Words(said, said)
    return None if right else Words("not the file that was locked", "不是锁定的文件")


def _unusable(folder: str, bad: Mapping[str, Words]) -> NoError:
    shown = list(bad.items())[:SHOWN]
    names = ", ".join(name for name, _ in shown) + (f" (+{len(bad) - SHOWN})" if len(bad) > SHOWN else "")
    return NoError(
        Words(f"{folder} does not hold what is locked: {names}", f"{folder} 中的内容与锁文件不符：{names}"),
        why=Words("; ".join(f"{name}: {why.en}" for name, why in shown) + f"; {KEPT.en}",
                  "；".join(f"{name}：{why.zh}" for name, why in shown) + f"；{KEPT.zh}"),
        next=_AGAIN,
    )  # fmt: skip


def bring_lock(root: str, folder: str) -> None:
    """A project without a lock gets the folder's own, with its pylock files. Raises NoError if they are damaged."""
    if os.path.exists(path_of(root)) or not folder:
        return
    data = read_small(os.path.join(folder, NAME))
    if data is None:
        return
    told = parse_manifest(read_small(os.path.join(folder, MANIFEST)) or b"")
    if told.get(NAME) != hashlib.sha256(data).hexdigest():
        raise _unusable(folder, {NAME: Words(f"not the file that {MANIFEST} lists", f"不是 {MANIFEST} 所列的文件")})
    lock = parse(data, os.path.join(folder, NAME))
    for backend in reversed(lock.backends):
        write(root, msgspec.structs.replace(lock, backends=(backend,)), read_pylock(folder, backend))
