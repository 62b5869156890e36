"""Compressed bytes as they come out, in pieces of bounded size, however much one byte may unpack to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import IO, TYPE_CHECKING, Literal, cast

from .model import Fault
from .source import Source

if TYPE_CHECKING:
    from bz2 import BZ2Decompressor
    from lzma import LZMADecompressor

BLOCK = 1 << 18
"""Packed bytes that are read at once."""
PIECE = 1 << 20
"""Unpacked bytes that are held at once."""
RATIO = 128
FREE = 1 << 30
"""No more than FREE bytes, and RATIO for each packed byte, come out of one argument, at all levels together."""
MOST = 64 << 30
MOST_STREAMS = 1 << 14
"""Compressed streams one after the other: parallel packers make one for each 900 kB or more."""
_MEMORY = 128 << 20
"""Of an xz decoder (its largest preset takes 65 MiB), and the window of zstd's."""


class BrokenError(Exception):
    """A container, or a member of it, cannot be read on."""

    def __init__(
        self, detail: str, kind: Literal["damaged", "unknown-form", "too-large"] = "damaged", *, final: bool = False
    ) -> None:
        super().__init__(detail)
        self.detail = detail
        self.kind = kind
        self.final = final
        """Nothing more of the container is to be read."""

    def fault(self, where: str) -> Fault:
        """As evidence."""
        return Fault(kind=self.kind, where=where, detail=self.detail)


class Budget:
    """How many bytes may still come out of a container: what stops a bomb."""

    def __init__(self, packed: int) -> None:
        self._left = min(MOST, FREE + RATIO * packed)

    def more(self, packed: int) -> None:
        """There is one more packed file."""
        self._left = min(MOST, self._left + RATIO * packed)

    def take(self, length: int) -> None:
        """Raises BrokenError once it was too much."""
        self._left -= length
        if self._left < 0:
            raise BrokenError("it unpacks to more than a file of its size may hold", "too-large", final=True)

    def counted(self, chunks: Iterable[bytes]) -> Iterator[bytes]:
        """The chunks. Raises BrokenError once they are too many."""
        for chunk in chunks:
            self.take(len(chunk))
            yield chunk


_CURRENT: ContextVar[Budget | None] = ContextVar("budget", default=None)


@contextmanager
def spending(budget: Budget) -> Iterator[None]:
    """What unpacks inside of this takes from the budget, however deep it lies: `spend` in the readers."""
    token = _CURRENT.set(budget)
    try:
        yield
    finally:
        _CURRENT.reset(token)


def spend(length: int) -> None:
    """So many bytes came out of something packed. Raises BrokenError where that is too much for one argument."""
    budget = _CURRENT.get()
    if budget is not None:
        budget.take(length)


def blocks(source: Source, offset: int = 0, length: int | None = None, *, step: int = BLOCK) -> Iterator[bytes]:
    """A stretch of a source, asked for in steps, in blocks of at most BLOCK bytes."""
    end = source.size if length is None else min(source.size, offset + length)
    while offset < end and (block := source.read(offset, min(step, end - offset))):
        offset += len(block)
        for start in range(0, len(block), BLOCK):
            yield block[start : start + BLOCK]


def plain(packed: Iterable[bytes]) -> Iterator[bytes]:
    """Unpacked, by the first bytes of what wraps it (gzip, bzip2, xz, lzma, zstd); as it is if nothing does.
    Raises BrokenError."""
    packed = iter(packed)
    first = next(packed, b"")
    joined = _again(first, packed)
    if first.startswith(b"\x1f\x8b"):
        return _sound(_zlib(joined, 31))
    if first.startswith(b"BZh"):
        import bz2

        return _sound(_streams(joined, bz2.BZ2Decompressor))
    if first.startswith((b"\xfd7zXZ\0", b"\x5d\0\0")):  # xz, and lzma of old as `lzma -1` to `-9` write it
        import lzma

        return _sound(_streams(joined, lambda: lzma.LZMADecompressor(memlimit=_MEMORY)))
    if first.startswith(b"\x28\xb5\x2f\xfd") or (first[1:4] == b"\x2a\x4d\x18" and first[0] & 0xF0 == 0x50):
        return _sound(_zstd(joined))
    return joined


def _again(first: bytes, rest: Iterator[bytes]) -> Iterator[bytes]:
    if first:
        yield first
    yield from rest


def inflated(packed: Iterable[bytes], *, whole: bool = True) -> Iterator[bytes]:
    """A raw deflate stream (RFC 1951), as a member of a zip is one; what follows its end is left alone.
    Raises BrokenError, also if it has no end and should be `whole`."""
    return _sound(_zlib(packed, -15, whole=whole))


def _zlib(packed: Iterable[bytes], bits: int, *, whole: bool = True) -> Iterator[bytes]:
    import zlib

    decoder, streams = zlib.decompressobj(bits), 1
    for block in packed:
        rest = block
        while rest:
            if decoder.eof:
                if bits < 0:
                    return
                if not (rest := rest.lstrip(b"\0")):  # padding after a gzip member
                    break
                decoder, streams = zlib.decompressobj(bits), _one_more(streams)
            if data := decoder.decompress(rest, PIECE):
                yield data
            rest = decoder.unused_data if decoder.eof else decoder.unconsumed_tail
    while not decoder.eof:
        if data := decoder.decompress(b"", PIECE):
            yield data
        elif whole:
            raise EOFError("the compressed data are cut off")
        else:
            return


def _streams(packed: Iterable[bytes], made: Callable[[], BZ2Decompressor | LZMADecompressor]) -> Iterator[bytes]:
    """Streams one after the other, with zeros between and behind them."""
    decoder, streams = made(), 1
    for block in packed:
        rest = block
        while rest:
            if decoder.eof:
                if not (rest := rest.lstrip(b"\0")):
                    break
                decoder, streams = made(), _one_more(streams)
            if data := decoder.decompress(rest, PIECE):
                yield data
            while not (decoder.eof or decoder.needs_input):
                yield decoder.decompress(b"", PIECE)
            rest = decoder.unused_data if decoder.eof else b""
    if not decoder.eof:
        raise EOFError("the compressed data are cut off")


def _one_more(streams: int) -> int:
    if streams == MOST_STREAMS:
        raise BrokenError(f"more than {MOST_STREAMS} compressed streams", "too-large")
    return streams + 1


def _zstd(packed: Iterator[bytes]) -> Iterator[bytes]:
    from zstandard import ZstdDecompressor

    window = ZstdDecompressor(max_window_size=_MEMORY)
    with window.stream_reader(cast("IO[bytes]", _File(packed)), read_size=BLOCK, read_across_frames=True) as reader:
        while data := reader.read(PIECE):
            yield data


class _File:
    """Chunks with the `read` of a file."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._chunks = chunks
        self._rest = b""

    def read(self, size: int) -> bytes:
        """At most so many bytes; none at the end."""
        data = self._rest or next(self._chunks, b"")
        self._rest = data[size:]
        return data[:size]


def _sound(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """What decoders raise for odd content, as one kind of error; the medium's own errors pass."""
    import lzma
    import zlib

    from zstandard import ZstdError

    try:
        yield from chunks
    except (EOFError, ValueError, MemoryError, zlib.error, lzma.LZMAError, ZstdError) as error:
        raise BrokenError(short(error)) from error
    except OSError as error:
        if error.errno is not None:  # the disk's own
            raise
        raise BrokenError(short(error)) from error  # bz2's


def short(error: Exception) -> str:
    """An error's words, on one line."""
    text = " ".join(str(error).split()) or type(error).__name__
    return "".join(sign for sign in text if sign.isprintable())[:160]
