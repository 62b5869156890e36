"""Compressed bundles: every version and method, where one ends, bombs and lies."""

from __future__ import annotations

import struct
import tracemalloc
import zlib

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from firstlight.binaries import compressed
from firstlight.binaries.compressed import Header, Unpacking, read_header
from firstlight.binaries.forward import Forward
from firstlight.binaries.model import Fault
from firstlight.binaries.source import Held

from .amd_files import compressed as packed

FORMS = [(1, "zlib"), (1, "zstd"), (2, "zlib"), (2, "zstd"), (3, "zlib"), (3, "zstd")]
CONTENT = bytes(range(256)) * 3000 + b"\0" * 700_000


def unpack(forward: Forward, *, most: int | None = None) -> tuple[bytes, Fault | None]:
    header = read_header(forward)
    assert isinstance(header, Header), header
    unpacking = Unpacking(forward, header)
    pieces = []
    for piece in unpacking:
        pieces.append(piece)
        if most is not None and sum(map(len, pieces)) >= most:
            break
    unpacking.finish()
    return b"".join(pieces), unpacking.fault


@pytest.mark.parametrize(("version", "method"), FORMS)
@pytest.mark.parametrize("most", [None, 1])
def test_what_was_packed_comes_back_and_what_follows_is_found(version: int, method: str, most: int | None) -> None:
    """Also where the reader stops early, and in version 1, which does not say where it ends."""
    data = packed(CONTENT, version, method)
    forward = Forward.of(Held(data + b"behind"))
    content, fault = unpack(forward, most=most)
    assert fault is None
    assert content == CONTENT[: len(content)]
    assert most is not None or content == CONTENT
    assert forward.offset == len(data)
    assert forward.read(9) == b"behind"


@pytest.mark.parametrize(("version", "method"), FORMS)
def test_every_truncation_is_a_fault(version: int, method: str) -> None:
    data = packed(CONTENT[:900], version, method)
    for end in range(8, len(data)):
        forward = Forward.of(Held(data[:end]))
        header = read_header(forward)
        if isinstance(header, Fault):
            assert header.kind == "damaged"
            continue
        unpacking = Unpacking(forward, header)
        for _ in unpacking:
            pass
        unpacking.finish()
        assert unpacking.fault, end


@pytest.mark.parametrize(
    ("head", "kind"),
    [
        (struct.pack("<HH", 4, 1), "unknown-form"),
        (struct.pack("<HH", 0, 1), "unknown-form"),
        (struct.pack("<HHIIQ", 2, 2, 90, 9, 0), "unknown-form"),
        (struct.pack("<HHIIQ", 2, 1, 3, 9, 0), "damaged"),
        (struct.pack("<HHI", 3, 1, 3), "damaged"),
        (b"\1", "damaged"),
    ],
)
def test_headers_that_cannot_be(head: bytes, kind: str) -> None:
    found = read_header(Forward.of(Held(b"CCOB" + head)))
    assert isinstance(found, Fault)
    assert found.kind == kind


@pytest.mark.parametrize("difference", [-1, 1])
@pytest.mark.parametrize(("version", "method"), FORMS)
def test_a_size_that_lies(version: int, method: str, difference: int) -> None:
    data = packed(CONTENT, version, method, unpacked=len(CONTENT) + difference)
    fault = unpack(Forward.of(Held(data)))[1]
    assert fault
    assert fault.kind == "damaged"


@pytest.mark.parametrize("method", ["zlib", "zstd"])
def test_a_bomb_is_stopped_and_little_is_held(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compressed, "FREE", 1 << 22)
    data = packed(b"\0" * (64 << 20), 3, method)
    forward = Forward.of(Held(data))
    header = read_header(forward)
    assert isinstance(header, Header)
    unpacking = Unpacking(forward, header)
    tracemalloc.start()
    size = sum(map(len, unpacking))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert unpacking.fault
    assert unpacking.fault.kind == "too-large"
    assert size <= (1 << 22) + compressed.RATIO * len(data)
    assert peak < 8 << 20


def test_a_window_beyond_what_llvm_takes_is_refused() -> None:
    frame = b"\x28\xb5\x2f\xfd\x04" + bytes([(31 - 10) << 3]) + struct.pack("<I", 1 | 4 << 3)[:3] + b"abcd" + b"\0" * 4
    data = b"CCOB" + struct.pack("<HHQQ8s", 3, 1, 32 + len(frame), 4, b"") + frame
    fault = unpack(Forward.of(Held(data)))[1]
    assert fault
    assert fault.kind == "too-large"


def test_streams_that_are_none() -> None:
    for version, method in FORMS:
        data = bytearray(packed(CONTENT, version, method))
        data[-len(zlib.compress(b"")) - 40 :] = b"\xff" * (len(zlib.compress(b"")) + 40)
        start = {1: 20, 2: 24, 3: 32}[version]
        data[start : start + 4] = b"none"
        fault = unpack(Forward.of(Held(bytes(data))))[1]
        assert fault
        assert fault.kind == "damaged"


@given(st.integers(0, 1 << 16), st.booleans(), st.integers(1, 19))
def test_frames_of_any_shape_end_where_they_end(
    size: int,
    checksum: bool,  # noqa: FBT001
    level: int,
) -> None:
    content = (bytes(range(251)) * (size // 251 + 1))[:size]
    frame = zstandard.ZstdCompressor(level=level, write_checksum=checksum).compress(content)
    data = b"CCOB" + struct.pack("<HHI8s", 1, 1, size, b"") + frame
    forward = Forward.of(Held(data + b"!"))
    assert unpack(forward) == (content, None)
    assert forward.read(2) == b"!"
