"""A wheel at an address: its directory, and of its members only those that can hold GPU code."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable

from .choice import worth
from .directory import Member
from .elf import LOAD, Elf, read_header
from .model import Report
from .source import Held
from .wheel import Reads, read_wheel

STEP = 8 << 20
"""Bytes of one request, within a member."""
_KEPT = 4 << 20
_FIRST = 4 << 10
_MOST_FIRST = 8 << 20
_HOST_ONLY = (
    "libtorch_cpu.so", "libtorch_python.so", "libtorch.so", "libtorch_global_deps.so", "libc10.so", "libc10_cuda.so",
    "libc10_hip.so", "libcaffe2_nvrtc.so", "libshm.so", "libcudart.", "libcudart-", "libgomp", "libgfortran",
    "libquadmath", "libstdc++", "libgcc_s",
)  # fmt: skip
"""torch's own libraries into which no kernels are compiled (pytorch caffe2/CMakeLists.txt, c10/cuda/CMakeLists.txt,
c10/hip/CMakeLists.txt name only C++ sources for them), and the runtimes of CUDA and of compilers."""
_TORCH_HOST = ("torch/_C.", "torch/bin/")
"""A stub that loads libtorch_python (pytorch torch/csrc/stub.c), and protoc."""
_SMALL = 4 << 10
"""Files of a name that tells nothing are code only if they are larger: an object file's headers alone take 1 KiB."""
_REGISTERS = (b"RegisterFatBinary", b"dlopen")
"""What compilers put GPU code into sections of a host binary for calls `__hipRegisterFatBinary` or
`__cudaRegisterFatBinary`: a name that it imports, unless it holds the runtime itself, which loads the driver."""

Fetch = Callable[[int, int], bytes]
"""Exactly the bytes from an offset on, so many. Raises OSError."""


def read_remote(read: Fetch, size: int, path: str) -> Report:
    """What the wheel holds. `path` is its address as it may be shown. Raises OSError if it cannot be fetched."""
    remote = _Remote(read, size)
    return read_wheel(remote, path, _Sparing(remote))


class _Remote:
    """Bytes behind an address. What was fetched last is kept: a header with the content behind it, and the end of the
    file with its directory, are asked for once."""

    def __init__(self, fetch: Fetch, size: int) -> None:
        self._fetch = fetch
        self.size = size
        self._start, self._held = 0, b""
        self.ranges: list[tuple[int, int]] = []
        """Sorted stretches of which every byte will be read."""

    def read(self, offset: int, length: int) -> bytes:
        """As a source does."""
        end = min(offset + length, self.size)
        if offset >= end:
            return b""
        last = self._start + len(self._held)
        if self._start <= offset and end <= last:
            return self._held[offset - self._start : end - self._start]
        if offset < self._start < end <= last:
            data = self._exactly(offset, self._start) + self._held[: end - self._start]
        elif self._start <= offset < last:
            data = self._held[offset - self._start :] + self._exactly(last, max(end, self._reach(last)))
        else:
            data = self._exactly(offset, max(end, self._reach(offset)))
        self._start, self._held = offset, data
        return data[: end - offset]

    def _reach(self, offset: int) -> int:
        """To where it pays to fetch."""
        index = bisect(self.ranges, (offset, self.size)) - 1
        return min(self.ranges[index][1], offset + STEP) if index >= 0 else 0

    def _exactly(self, offset: int, end: int) -> bytes:
        data = self._fetch(offset, end - offset)
        if len(data) != end - offset:
            raise OSError(f"{len(data)} bytes instead of {end - offset}")
        return data


class _Sparing(Reads):
    """What is fetched: a binary whose name or beginning shows that it is for the CPU alone is passed over."""

    step = STEP

    def __init__(self, remote: _Remote) -> None:
        super().__init__()
        self._remote = remote

    def expect(self, members: tuple[Member, ...]) -> None:
        """Those that will be read whole: one request for many that lie side by side."""
        ranges = self._remote.ranges
        for one in members:
            if not one.size or worth(one.path) != "whole" or _is_library(one.path):
                continue
            end = one.header + 30 + len(one.path.encode()) + one.packed
            if ranges and ranges[-1][1] == one.header:
                ranges[-1] = ranges[-1][0], end
            else:
                ranges.append((one.header, end))

    def may(self, path: str, size: int) -> bool:
        """Whether to fetch the beginning of a member."""
        if path.rpartition("/")[2].startswith(_HOST_ONLY) or path.startswith(_TORCH_HOST):
            self.passed_over.append(path)
            return False
        return super().may(path, size) and (size > _SMALL or worth(path) == "whole")

    def wanted(self, path: str, head: Callable[[int], bytes]) -> bool:
        """Whether to fetch the rest of it."""
        if worth(path) == "whole" and not _is_library(path):
            return True
        if not super().wanted(path, head):
            return False
        passed = host_only(head)
        self.passed_over += [path] if passed else []
        return not passed


def _is_library(path: str) -> bool:
    name = path.rpartition("/")[2]
    return name.endswith(".so") or ".so." in name


def host_only(head: Callable[[int], bytes]) -> bool:
    """Whether a binary cannot register GPU code: its first segment holds the names of all that it imports, and that is
    not among them."""
    start = head(_FIRST)
    elf = read_header(Held(start))
    if not isinstance(elf, Elf) or elf.kind not in ("dyn", "exec") or elf.machine in ("amdgpu", "cuda"):
        return False
    first = next((one for one in elf.segments if one.kind == LOAD), None)
    if first is None or first.offset or first.size > _MOST_FIRST:
        return False
    if len(start) < first.size:
        start = head(max(_FIRST, min(first.size // 2, _KEPT)))
    names = start[: first.size]
    return len(start) >= first.size and b"\0libc.so" in names and not any(word in names for word in _REGISTERS)
