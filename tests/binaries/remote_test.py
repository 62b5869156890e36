"""A wheel at an address: how many bytes of it are asked for."""

from __future__ import annotations

import io
import random
import zipfile

import pytest

from firstlight.binaries import remote
from firstlight.binaries.model import Report
from firstlight.binaries.remote import read_remote
from firstlight.binaries.source import Held
from firstlight.binaries.wheel import read_wheel

from . import layers
from .layers import Made, Section, host

NAME = "https://example.org/x-1.0-cp311-cp311-manylinux_2_28_x86_64.whl"
FATBIN = layers.fat_binary([layers.entry(2, 90, random.Random(1).randbytes(50_000))])
GPU = host([Section(".nv_fatbin", 1, FATBIN)]).data
HOST = host([Section(".text", 1, Made(random.Random(2).randbytes(200_000)))]).data
TEXT = b"text " * 10_000


class Server:
    """Counts what is asked for."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.asked: list[tuple[int, int]] = []

    def __call__(self, offset: int, length: int) -> bytes:
        assert offset >= 0
        assert 0 < length <= len(self.data) - offset
        self.asked.append((offset, length))
        return self.data[offset : offset + length]

    @property
    def bytes(self) -> int:
        return sum(length for _, length in self.asked)


def wheel(members: dict[str, bytes]) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return held.getvalue()


def allowed(data: bytes, *names: str) -> int:
    """Bytes of those members with their headers, and of the directory."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = [archive.getinfo(name) for name in names]
        start = archive.start_dir
    return sum(30 + len(one.filename) + one.compress_size for one in members) + len(data) - start


def read(server: Server) -> Report:
    return read_remote(server, len(server.data), NAME)


def test_only_members_with_gpu_code_are_fetched() -> None:
    data = wheel(
        {
            "torch/__init__.py": TEXT,
            "torch/lib/libtorch_cpu.so": HOST,
            "torch/lib/libtorch_cuda.so": GPU,
            "torch/bin/protoc": HOST,
            "torch/data": TEXT[:3000],
            "torch/k.fatbin": FATBIN.data,
            "torch/_C.cpython-311-x86_64-linux-gnu.so": HOST,
        }
    )
    server = Server(data)
    report = read(server)
    here = read_wheel(Held(data), NAME)
    assert [piece for piece in here.pieces if piece.code] == list(report.pieces)
    assert server.bytes <= allowed(data, "torch/lib/libtorch_cuda.so", "torch/k.fatbin")
    assert report.unread == (
        "torch/lib/libtorch_cpu.so",
        "torch/bin/protoc",
        "torch/_C.cpython-311-x86_64-linux-gnu.so",
    )
    assert (report.distribution, report.path) == ("x 1.0", NAME)


def test_no_byte_is_asked_for_twice() -> None:
    server = Server(wheel({"a/liba.so": GPU, "b.fatbin": FATBIN.data, "c/libc1.so": GPU, "d": GPU}))
    read(server)
    ends = 0
    for offset, length in sorted(server.asked):
        assert offset >= ends
        ends = offset + length


def test_many_small_files_side_by_side_take_few_requests() -> None:
    server = Server(wheel({f"hsa/{number}.co": layers.code_object().data for number in range(300)}))
    assert len(read(server).pieces) == 300
    assert len(server.asked) < 8
    assert server.bytes <= len(server.data)


def first_segment(*names: str) -> bytes:
    """The beginning of a library whose first segment holds only names."""
    texts = b"\0libc.so.6\0" + b"".join(one.encode() + b"\0" for one in names)
    made = layers.elf(layers.Head(), [Section(".dynstr", 3, Made(texts + bytes(64)))]).data
    size = len(made)
    header = bytearray(made[:64])
    header[32:40], header[54:58] = (64).to_bytes(8, "little"), (56).to_bytes(2, "little") + (1).to_bytes(2, "little")
    load = (1).to_bytes(4, "little") + (4).to_bytes(4, "little") + bytes(24) + size.to_bytes(8, "little") * 2 + bytes(8)
    return bytes(header) + load + made[64 + 56 :] + texts


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (("malloc", "cudaMalloc"), True),
        (("__cudaRegisterFatBinary",), False),
        (("__hipRegisterFatBinary",), False),
        (("dlopen", "dlsym"), False),
    ],
)
def test_imports_tell_what_cannot_launch_code(names: tuple[str, ...], expected: bool) -> None:  # noqa: FBT001
    data = first_segment(*names)
    assert remote.host_only(lambda length: data[:length]) is expected


@pytest.mark.parametrize("data", [b"", b"\x7fELF", b"text", GPU[:100], layers.code_object().data, layers.cubin().data])
def test_what_does_not_tell_is_fetched(data: bytes) -> None:
    assert not remote.host_only(lambda length: data[:length])


def test_a_server_that_sends_less_is_an_error() -> None:
    data = wheel({"a/liba.so": GPU})
    with pytest.raises(OSError, match="instead of"):
        read_remote(lambda offset, length: data[offset : offset + length - 1], len(data), NAME)


def test_what_is_no_wheel_is_a_fault() -> None:
    assert [fault.kind for fault in read(Server(bytes(5000))).faults] == ["damaged"]
    assert read_remote(Server(b""), 0, NAME).faults
