"""Kernels of a `.kpack` archive: looked into as far as their headers and notes reach. `kpack` has the layout."""

from __future__ import annotations

import struct
from collections.abc import Iterator

import msgspec
import zstandard

from .code_object import look
from .compressed import LARGEST_WINDOW
from .forward import Forward
from .model import Code, Fault
from .source import Source
from .unpacking import spend

FIRST = 64
"""Where the code of an archive begins."""
MOST_FRAMES = 1 << 16
REACH = 4 << 20
"""Unpacked bytes of a kernel that are looked into."""
FREE = 256 << 20
"""Unpacked bytes of all kernels; beyond them at most RATIO times what is packed."""
RATIO = 32
_STEP = 1 << 14
_MAGIC = b"\x28\xb5\x2f\xfd"


class Image(msgspec.Struct, frozen=True, kw_only=True):
    """One kernel, as it lies in the archive."""

    size: int | None
    code: Code | None
    """Its target and so on; None: not looked into, or no AMD code."""
    faults: tuple[Fault, ...] = ()


class Frames(msgspec.Struct, frozen=True, kw_only=True):
    """The frames, by ordinal."""

    start: int
    images: tuple[Image, ...] = ()
    faults: tuple[Fault, ...] = ()

    @classmethod
    def read(cls, forward: Forward, end: int) -> Frames:
        """From where the forward stands, at most to `end`. With a fault if what lies there are no frames, as in an
        archive without compression."""
        start = forward.offset
        images: list[Image] = []
        faults = tuple(_walk(forward, end, images))
        return cls(start=start, images=tuple(images), faults=faults)


def image_of(source: Source) -> Image:
    """A kernel that is not packed."""
    code, faults = look(source)
    return Image(size=source.size, code=code, faults=faults)


def _walk(forward: Forward, end: int, images: list[Image]) -> Iterator[Fault]:
    count = _number(forward, end)
    left = FREE + RATIO * end
    engine = zstandard.ZstdDecompressor(max_window_size=LARGEST_WINDOW)
    for _ in range(count or 0):
        size = _number(forward, end)
        if size is None or size > end - forward.offset:
            yield Fault(kind="damaged", where=f"frame {len(images)}", detail="it is cut off")
            return
        if forward.peek(min(size, len(_MAGIC))) != _MAGIC:
            yield Fault(kind="damaged", where=f"frame {len(images)}", detail="no zstd frame")
            return
        if len(images) == MOST_FRAMES or left < 0:
            yield Fault(kind="too-large", where=f"frame {len(images)}", detail="too many kernels, or too large ones")
            return
        frame = Frame(forward, size, engine)
        images.append(frame.image())
        left -= frame.unpacked
        spend(frame.unpacked)


def _number(forward: Forward, end: int) -> int | None:
    """Four bytes before `end`."""
    data = forward.read(4) if end - forward.offset >= 4 else b""
    return struct.unpack("<I", data)[0] if len(data) == 4 else None


class Frame:
    """A kernel as a source that unpacks as far as it is read. It has to be read before the forward moves on."""

    def __init__(self, forward: Forward, packed: int, engine: zstandard.ZstdDecompressor) -> None:
        self._forward, self._packed = _Stretch(forward, packed), packed
        self._held = bytearray()
        self._wrong: str | None = None
        self.size = self._size()
        self._reader = engine.stream_reader(self._forward, read_size=_STEP, closefd=False)  # type: ignore[arg-type]

    @property
    def unpacked(self) -> int:
        """Bytes that came out."""
        return len(self._held)

    def image(self) -> Image:
        """What it is; the forward stands behind it then."""
        code, faults = look(self)
        self._forward.finish()
        if self._wrong is not None:
            faults = (Fault(kind="damaged", where="frame", detail=self._wrong),)
        elif len(self._held) >= REACH:
            faults = ()  # not cut off: not looked into any further
        return Image(size=self._packed, code=code, faults=faults)

    def read(self, offset: int, length: int) -> bytes:
        """Unpacked bytes, as a source gives them; none beyond REACH."""
        end = min(offset + length, REACH)
        try:
            while len(self._held) < end and (piece := self._reader.read(min(_STEP, end - len(self._held)))):
                self._held += piece
        except zstandard.ZstdError as wrong:
            self._wrong = self._wrong or str(wrong)[:160]
        return bytes(self._held[offset : offset + length])

    def _size(self) -> int:
        try:
            found = int(zstandard.get_frame_parameters(self._forward.head()).content_size)
        except zstandard.ZstdError as wrong:
            self._wrong = str(wrong)[:160]
            return 0
        return found if found < 1 << 62 else REACH


class _Stretch:
    """The packed bytes of one frame, as a file gives them. It knows nothing of the frame: a ring of the two would keep
    the decoder's window until the collector comes."""

    def __init__(self, forward: Forward, length: int) -> None:
        self._forward, self._left = forward, length

    def head(self) -> bytes:
        return self._forward.peek(min(self._left, 18))

    def read(self, length: int = -1) -> bytes:
        data = self._forward.read(min(self._left, _STEP if length < 0 else length))
        self._left -= len(data)
        return data

    def finish(self) -> None:
        self._left -= self._forward.skip(self._left)
