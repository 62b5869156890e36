"""Which GPU code torch's own libraries hold: for a build that no list describes, or whose list lacks a GPU here."""

from __future__ import annotations

import errno
import time
from collections.abc import Sequence

from ..host.model import FileInfo, Host, Kind, Missing, Unread
from .model import TorchLibrary
from .reading import names_in
from .value import Fact, Unknown, unknown

MAIN = {
    "rocm": ("libtorch_hip.so",),
    "cuda": ("libtorch_cuda.so", "libtorch_cuda_cu.so", "libtorch_cuda_cpp.so"),
}
"""Libraries with the kernels of torch's operators; CUDA's were three from torch 1.9 to 1.13 (pytorch
caffe2/CMakeLists.txt, BUILD_SPLIT_CUDA). Others (linear algebra) carry targets of their own."""
SECONDS = 2.0
"""For all libraries of one torch: `doctor` waits for it. Headers of a gigabyte are read in a tenth of a second; code
that is compressed as a whole takes longer."""
MOST = 8
"""Libraries that are read."""


class TooLongError(OSError):
    """The time is over."""


class _File:
    """A host's file as what the readers of binaries read (binaries/source.py), until a point of time."""

    def __init__(self, host: Host, path: str, size: int, until: float) -> None:
        self._host, self._path, self._until = host, path, until
        self.size = size

    def read(self, offset: int, length: int) -> bytes:
        """Bytes from `offset` on. Raises OSError."""
        if time.monotonic() > self._until:
            raise TooLongError(errno.ETIMEDOUT, "too long")
        data = self._host.part(self._path, offset, max(0, min(length, self.size - offset)))
        if isinstance(data, Unread):
            raise OSError(errno.EIO, data.reason.value)
        return data


def torch_libraries(host: Host, site: str, backend: str) -> tuple[TorchLibrary, ...]:
    """torch's libraries with their targets, the main ones first; nothing of them is run. Of a host that does not have
    the file (a recording) its targets are unknown. SECONDS at most, but for the one part that is being read."""
    folder, until = f"{site}/torch/lib", time.monotonic() + SECONDS
    prefix = MAIN[backend][0].removesuffix(".so")
    names = [name for name in names_in(host, folder) if name.startswith(prefix) and name.endswith(".so")]
    main = [name for name in MAIN[backend] if name in names] or [MAIN[backend][0]]
    paths = [f"{folder}/{name}" for name in (*main, *(name for name in names if name not in main))]
    return tuple(TorchLibrary(path=path, targets=_targets(host, path, until)) for path in paths[:MOST])


def main_targets(backend: str, found: Sequence[TorchLibrary]) -> Fact[list[str]]:
    """What torch's own operators have code for; unknown if one of their libraries is."""
    main = [one.targets for one in found if one.path.rpartition("/")[2] in MAIN[backend]]
    doubt = next((one for one in main if isinstance(one, Unknown)), None)
    held = sorted({target for one in main if not isinstance(one, Unknown) for target in one})
    return doubt or held or Unknown("absent", found[0].path, "GPU code")


def _targets(host: Host, path: str, until: float) -> Fact[list[str]]:
    end = host.resolve(path)
    found = end if isinstance(end, Unread) else host.info(end)
    if isinstance(found, Unread):
        return unknown(found)
    if not isinstance(end, str) or not isinstance(found, FileInfo) or found.kind is not Kind.FILE:
        return Unknown(Missing.UNREADABLE.value, path, "not a regular file")
    missing = host.part(end, 0, 1)
    if isinstance(missing, Unread):
        return Unknown(missing.reason.value, path, missing.detail)
    return _read(_File(host, end, found.size, until), path)


def _read(file: _File, path: str) -> Fact[list[str]]:
    from ..binaries.libraries import matters
    from ..binaries.reading import read
    from ..binaries.unpacking import BrokenError, Budget, spending

    try:
        with spending(Budget(file.size)):
            piece = read(file, path.rpartition("/")[2])
    except TooLongError:
        return Unknown(Missing.TOO_LARGE.value, path, f"not read within {SECONDS:g} s")
    except (OSError, BrokenError) as error:
        return Unknown(Missing.UNREADABLE.value, path, str(error)[:200])
    if piece is None or piece.kind != "elf" or any(matters(one) for one in piece.faults):
        return Unknown("malformed", path, "its GPU code")
    return sorted({code.target for code in piece.code})
