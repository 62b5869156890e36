"""Every file of a lock into one folder, for a machine without network. Each is written aside and renamed when it is
whole and its hash is right: a run that was killed is carried on by the next one."""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

import msgspec

from ..catalog.index import Catalog
from ..catalog.parallel import in_parallel
from ..errors import NoError
from ..host.durable import sync_folder
from ..lockfile.files import FILES, HEAD, NAME, dumps, is_plain, path_of, read_pylock
from ..lockfile.model import BackendLock, Lock
from ..progress import Reporter
from ..project.model import Project
from ..project.toml_file import bad_value, read_small
from ..routes.model import Wheel
from ..routes.pylock import wheels_of
from ..words import Words, same
from .export_files import ExportedFile, placed, written
from .manifest import NAME as MANIFEST
from .manifest import manifest_text, parse_manifest
from .store import WHEELS

KEY = "export"
AT_ONCE = 4
"""Files that are fetched at the same time."""


def export(
    project: Project, lock: Lock, backends: Sequence[BackendLock], folder: str, *, reporter: Reporter
) -> tuple[ExportedFile, ...]:
    """Fill the folder. What else lies there is left alone. Raises NoError: a file that cannot be had, or is not the
    locked one; no room."""
    texts = {one.pylock: read_pylock(project.root, one) for one in backends}
    wanted = _wanted(backends, texts)
    every = tuple(backends) == lock.backends
    own = read_small(path_of(project.root)) if every else None
    texts[NAME] = own.decode() if own else HEAD + dumps(msgspec.structs.replace(lock, backends=tuple(backends)))
    try:
        os.makedirs(os.path.join(folder, WHEELS), exist_ok=True)
        with _alone(folder):
            return _filled(project, folder, wanted, texts, reporter)
    except OSError as error:
        raise _cannot_write(error, folder) from error


def _wanted(backends: Sequence[BackendLock], texts: Mapping[str, str]) -> dict[str, Wheel]:
    """File name -> file. Raises UnreadableInput for a name that leads elsewhere, or that stands for two files."""
    found: dict[str, Wheel] = {}
    for backend in backends:
        for wheel in (*wheels_of(texts[backend.pylock], (), {}, backend.pylock), *backend.build):
            if not is_plain(wheel.filename) or not wheel.filename.endswith(FILES) or not wheel.filename.isprintable():
                raise bad_value(
                    backend.pylock, f"packages.{wheel.name}", "expected the name of a file, without a folder"
                )
            if found.setdefault(wheel.filename, wheel).sha256 != wheel.sha256:
                raise bad_value(backend.pylock, f"packages.{wheel.name}", f"{wheel.filename} is another file elsewhere")
    return found


@contextlib.contextmanager
def _alone(folder: str) -> Iterator[None]:
    """One export at a time into one folder. Raises OSError, NoError."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        with contextlib.suppress(OSError):  # some network file systems lock no folders
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _filled(
    project: Project, folder: str, wanted: Mapping[str, Wheel], texts: Mapping[str, str], reporter: Reporter
) -> tuple[ExportedFile, ...]:
    reporter.begin(KEY, Words(f"putting {len(wanted)} files into {folder}", f"将 {len(wanted)} 个文件放入 {folder}"))
    catalog = Catalog(project.sources)
    done: dict[str, ExportedFile] = {}

    def one(wheel: Wheel) -> None:
        done[wheel.filename] = placed(project, catalog, folder, wheel)
        text = f"{len(done)}/{len(wanted)} {wheel.filename}"
        reporter.detail(KEY, same(text))

    in_parallel([partial(one, wheel) for wheel in wanted.values()], AT_ONCE)
    old = parse_manifest(read_small(os.path.join(folder, MANIFEST)) or b"")
    files = [
        *(done[name] for name in wanted),
        *(written(folder, name, texts[name]) for name in sorted(texts, key=_last)),
    ]
    digests = {file.path: file.sha256 for file in files}
    files.append(written(folder, MANIFEST, manifest_text(digests)))
    _prune(folder, set(old) - set(digests))
    sync_folder(folder)
    told = Words(f"{len(wanted)} files, each with its locked hash", f"{len(wanted)} 个文件，哈希均与锁文件一致")
    reporter.end(KEY, told, ok=True)
    return tuple(files)


def _last(name: str) -> bool:
    """The lock comes after the files that it names."""
    return name == NAME


def _prune(folder: str, names: set[str]) -> None:
    """Files of an earlier lock, by the MANIFEST of then."""
    for name in names:
        parent, _, last = name.partition("/")
        if parent == WHEELS and last.endswith(FILES):
            with contextlib.suppress(OSError):
                os.unlink(os.path.join(folder, name))


def _cannot_write(error: OSError, folder: str) -> NoError:
    said = error.strerror or str(error)
    return NoError(
        Words(f"cannot write {error.filename or folder}: {said}", f"无法写入 {error.filename or folder}：{said}"),
        next=Words("make room or permission there, then export again: it carries on",
                   "请腾出空间或修正权限后重新导出：会接着上次继续"),
    )  # fmt: skip
