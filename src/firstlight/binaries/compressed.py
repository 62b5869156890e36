"""Compressed offload bundles (`CCOB`), versions 1, 2 and 3, in zlib or zstd.

Layout: LLVM llvm/lib/Object/OffloadBundle.cpp (CompressedOffloadBundle); all numbers little endian: magic, version (2
bytes), method (2 bytes), from version 2 on the size of it all, the size unpacked, half an MD5 of that. The sizes have 4
bytes, in version 3 8. Version 1 ends where the compressed stream does.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from typing import IO, Literal, cast

import msgspec
import zstandard

from .forward import Forward
from .model import Fault
from .unpacking import spend

MAGIC = b"CCOB"
_STEP = 1 << 18
_OUT = 1 << 20
LARGEST_WINDOW = 1 << 27
"""What LLVM's long-distance matching needs, and what its own reader takes (128 MiB)."""
FREE = 256 << 20
"""Bytes that any bundle may unpack to; beyond it at most RATIO times its packed size."""
RATIO = 200
_LAYOUTS = {1: "<IQ", 2: "<IIQ", 3: "<QQQ"}
_METHODS = {0: "zlib", 1: "zstd"}


class Header(msgspec.Struct, frozen=True, kw_only=True):
    """What stands before the compressed stream."""

    version: int
    method: str
    size: int | None
    """Bytes of all of it, this header too; None: version 1."""
    unpacked: int
    length: int
    """Bytes of this header."""


def read_header(forward: Forward) -> Header | Fault:
    """At the magic; moves behind the header. A fault moves behind the magic only."""
    where = f"compressed bundle at {forward.offset:#x}"
    data = forward.peek(32)
    try:
        version, method = struct.unpack_from("<HH", data, 4)
        numbers = struct.unpack_from(_LAYOUTS[version], data, 8)
        header = Header(
            version=version,
            method=_METHODS[method],
            size=numbers[0] if version > 1 else None,
            unpacked=numbers[-2],
            length=8 + struct.calcsize(_LAYOUTS[version]),
        )
    except (struct.error, KeyError) as wrong:
        forward.skip(len(MAGIC))
        if isinstance(wrong, KeyError):
            return Fault(kind="unknown-form", where=where, detail="a version or method that is not known")
        return Fault(kind="damaged", where=where, detail="the file ends inside its header")
    if header.size is not None and header.size < header.length:
        forward.skip(len(MAGIC))
        return Fault(kind="damaged", where=where, detail="smaller than its own header")
    forward.skip(header.length)
    return header


class Unpacking:
    """The unpacked bytes, in pieces of about 1 MiB, to be read once. `fault` says afterwards what went wrong.

    The reader may stop early; `finish` moves the packed stream behind the bundle either way."""

    def __init__(self, forward: Forward, header: Header) -> None:
        self._where = f"compressed bundle at {forward.offset - header.length:#x}"
        self._header = header
        self._made = 0
        left = None if header.size is None else header.size - header.length
        self._packed: _Packed | _Frame
        if header.method == "zlib":
            self._packed = _Packed(forward, left)
            self._pieces = _inflated(self._packed)
        else:
            self._packed = _Frame(forward) if left is None else _Packed(forward, left)
            self._pieces = _decompressed(self._packed)
        self.fault: Fault | None = None

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        if self.fault is not None:
            raise StopIteration
        try:
            piece = next(self._pieces, b"")
        except (zlib.error, zstandard.ZstdError) as wrong:
            self._wrong("too-large" if "memory" in str(wrong) else "damaged", str(wrong)[:200])
            raise StopIteration from None
        self._made += len(piece)
        spend(len(piece))
        self._check(ended=not piece)
        if self.fault is not None or not piece:
            raise StopIteration
        return piece

    def _check(self, *, ended: bool) -> None:
        if self._made > self._header.unpacked:
            self._wrong("damaged", "unpacks to more than its header says")
        elif self._made > FREE + RATIO * self._packed.passed:
            self._wrong("too-large", f"unpacks to over {RATIO} times its size")
        elif ended and self._made < self._header.unpacked:
            self._wrong("damaged", "unpacks to less than its header says")

    def _wrong(self, kind: Literal["damaged", "too-large"], detail: str) -> None:
        self.fault = Fault(kind=kind, where=self._where, detail=detail)

    def finish(self) -> None:
        """Moves the packed stream behind the bundle, and says if it is cut off."""
        if self._header.size is None and self._header.method == "zlib":
            for _ in self:
                pass
        if not self._packed.finish() and self.fault is None:
            self._wrong("damaged", "the file ends inside it")


def _decompressed(packed: _Packed | _Frame) -> Iterator[bytes]:
    engine = zstandard.ZstdDecompressor(max_window_size=LARGEST_WINDOW)
    file = cast("IO[bytes]", packed)  # only `read` is asked of it
    with engine.stream_reader(file, read_size=_STEP) as reader:
        while piece := reader.read(_OUT):
            yield piece


def _inflated(packed: _Packed) -> Iterator[bytes]:
    engine = zlib.decompressobj()
    while not engine.eof:
        data = packed.peek(_STEP)
        piece = engine.decompress(data, _OUT)
        packed.take(len(data) - len(engine.unused_data if engine.eof else engine.unconsumed_tail))
        if piece:
            yield piece
        elif not data:
            raise zlib.error("the stream ends early")


class _Packed:
    """The compressed stream: so many bytes, or to the end."""

    def __init__(self, forward: Forward, size: int | None) -> None:
        self._forward, self._left = forward, size
        self.passed = 0

    def peek(self, length: int) -> bytes:
        return self._forward.peek(length if self._left is None else min(length, self._left))

    def take(self, length: int) -> None:
        self.passed += self._forward.skip(length)
        if self._left is not None:
            self._left -= length

    def read(self, length: int = -1) -> bytes:
        """As a file does."""
        data = self.peek(length if length >= 0 else _STEP)
        self.take(len(data))
        return data

    def finish(self) -> bool:
        """Moves behind it; whether it was there to its end."""
        return self._left is None or self._forward.skip(self._left) == self._left


class _Frame:
    """One zstd frame of unknown size: its blocks tell where it ends (RFC 8878, 3.1.1)."""

    def __init__(self, forward: Forward) -> None:
        self._forward = forward
        self._last = self._whole = False
        self._checksum = 0
        self._left = self._header()
        self.passed = 0

    def _header(self) -> int:
        head = self._forward.peek(18)
        try:
            self._checksum = 4 if zstandard.get_frame_parameters(head).has_checksum else 0
            return zstandard.frame_header_size(head)
        except zstandard.ZstdError:
            self._last = True
            return 0

    def _block(self) -> int:
        """Bytes of the next block with its header; the checksum goes with the last."""
        head = self._forward.peek(3)
        if len(head) < 3:
            self._last = True
            return 0
        number = int.from_bytes(head, "little")
        self._last = self._whole = bool(number & 1)
        size = 1 if number >> 1 & 3 == 1 else number >> 3
        return 3 + size + (self._checksum if self._last else 0)

    def read(self, length: int = -1) -> bytes:
        """As a file does; at most to the end of a block."""
        if not self._left and not self._last:
            self._left = self._block()
        data = self._forward.read(min(self._left, length if length >= 0 else _STEP))
        self._left -= len(data)
        self.passed += len(data)
        if not data and self._left:
            self._last, self._whole, self._left = True, False, 0
        return data

    def finish(self) -> bool:
        """Moves behind it; whether it was there to its end."""
        while self.read(_STEP):
            pass
        return self._whole
