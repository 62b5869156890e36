"""Every file of the lock in one folder, for a machine without network."""

from __future__ import annotations

import os
from typing import Literal

import msgspec

from .. import __version__
from ..errors import UsageError
from ..lockfile.files import backend_of, read
from ..lockfile.lost import nothing_lost
from ..lockfile.model import BackendLock, Lock
from ..progress import Reporter
from ..project.model import Backend
from ..project.settings import Flags
from ..steps.export import export as fill
from ..steps.export_files import State
from ..steps.manifest import NAME as MANIFEST
from ..words import Lang, Words, same
from .answer import Answer
from .place import wanted

_NO_FOLDER = Words("`--export` needs the name of a folder", "`--export` 需要文件夹名")
_SAY = Words("for example `firstlight lock --export DIR`", "例如 `firstlight lock --export 目录`")
_PYTHON = same("Python {version}")
_FIRSTLIGHT = Words("firstlight {version} or newer, with what it depends on", "firstlight {version} 或更新版本及其依赖")
_ARCH = Words("{arch}; here the C library is {libc}", "{arch}；本机的 C 库为 {libc}")
_DRIVER = {
    "rocm": Words("the amdgpu driver, for {targets}", "amdgpu 驱动，用于 {targets}"),
    "cuda": Words("the NVIDIA driver, for {targets}", "NVIDIA 驱动，用于 {targets}"),
}
_HERE = Words("; here it is {driver}", "；本机为 {driver}")


class ExportRequest(msgspec.Struct, frozen=True, kw_only=True):
    """Of which project, which backend (none: all that its lock holds), and where to."""

    project: str | None = None
    flags: Flags = Flags()
    folder: str = ""
    lang: Lang = "en"


class ExportedFileAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """One file, relative to the folder. `kept`: it was there already."""

    path: str
    bytes: int
    sha256: str
    state: State


class Need(msgspec.Struct, frozen=True, kw_only=True):
    """What the other machine must have besides the folder."""

    kind: Literal["python", "firstlight", "machine", "driver"]
    subject: str
    """A version, an architecture, the backend."""
    text: str


class ExportAnswer(Answer, frozen=True, kw_only=True, tag="firstlight.export/1"):
    """What lies in the folder now; `manifest` lists it for `sha256sum -c`."""

    path: str
    backends: tuple[Backend, ...]
    manifest: str
    bytes: int
    files: tuple[ExportedFileAnswer, ...]
    needs: tuple[Need, ...]


def export(request: ExportRequest, reporter: Reporter) -> ExportAnswer:
    """Fill the folder from the lock that the project has. Raises UnreadableInput where there is none, NoError where a
    file of it cannot be had."""
    if not request.folder:
        raise UsageError(_NO_FOLDER, next=_SAY)
    project = wanted(request.project, request.flags)
    lock = read(project.root)
    asked = request.flags.backend and project.goal.backend
    backends = (backend_of(lock, asked),) if asked else lock.backends
    for one in backends:
        nothing_lost(one)
    folder = os.path.abspath(os.path.expanduser(request.folder))
    files = fill(project, lock, backends, folder, reporter=reporter)
    return ExportAnswer(
        path=folder,
        backends=tuple(one.backend for one in backends),
        manifest=os.path.join(folder, MANIFEST),
        bytes=sum(file.bytes for file in files),
        files=tuple(ExportedFileAnswer(**msgspec.structs.asdict(file)) for file in files),
        needs=tuple(need for one in backends for need in needs(lock, one, request.lang)),
    )


def needs(lock: Lock, backend: BackendLock, lang: Lang) -> list[Need]:
    """What the other machine must have besides the folder."""
    host = lock.host
    found = [
        Need(kind="python", subject=backend.python, text=_PYTHON.say(lang, version=backend.python)),
        Need(kind="firstlight", subject=__version__, text=_FIRSTLIGHT.say(lang, version=__version__)),
        Need(kind="machine", subject=host.arch, text=_ARCH.say(lang, arch=host.arch, libc=host.libc or "-")),
    ]
    if backend.backend in _DRIVER:
        targets = ", ".join(backend.targets or host.targets) or "-"
        text = _DRIVER[backend.backend].say(lang, targets=targets)
        text += _HERE.say(lang, driver=host.driver) if host.driver else ""
        found.append(Need(kind="driver", subject=backend.backend, text=text))
    return found
