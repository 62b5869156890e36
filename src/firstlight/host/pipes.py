"""Output of children: bounded, with deadlines, and never a reason to stand still."""

from __future__ import annotations

import os
import selectors
import time
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from subprocess import Popen

_CHUNK = 1 << 16
_LINE_LIMIT = 4 << 20
"""A longer line is given in pieces: a child without line ends must not fill our memory."""
_TAIL = 1 << 16
_NAP = 0.002
"""Seconds between two looks at a child that closed its outputs: most often it is just about to end."""


class Kept:
    """The first and the last half of a stream, at most `limit` bytes."""

    def __init__(self, limit: int) -> None:
        self._half = max(limit // 2, 1)
        self._head = bytearray()
        self._tail = bytearray()
        self._lost = 0

    def add(self, data: bytes) -> None:
        """More of the stream."""
        room = self._half - len(self._head)
        self._head += data[:room]
        self._tail += data[room:] if room > 0 else data
        if len(self._tail) > 2 * self._half:  # cut seldom: each byte is moved at most twice
            self._cut()

    def text(self) -> str:
        """All that was kept; a line tells how much was left out between."""
        self._cut()
        gap = f"\n[... {self._lost} bytes left out ...]\n".encode() if self._lost else b""
        return (bytes(self._head) + gap + bytes(self._tail)).decode("utf-8", "replace")

    def _cut(self) -> None:
        extra = len(self._tail) - self._half
        if extra > 0:
            del self._tail[:extra]
            self._lost += extra


def communicate(
    child: Popen[bytes], data: bytes | None, limit: int, until: float | None, grace: float
) -> tuple[str, str, bool]:
    """Feed a child and read it to its end: (stdout, stderr, whether `until` passed first).

    A grandchild that keeps the pipes open is waited for `grace` seconds after the child's own end, no longer.
    """
    talk = _Talk(child, data or b"", limit)
    late, over = False, None
    try:
        while not late:
            now = time.monotonic()
            gone = child.poll() is not None
            over = now + grace if gone and over is None else over
            if gone and (not talk.open or (over is not None and now >= over)):
                break
            late = not gone and until is not None and now >= until
            # Short: the child's end is seen by polling where a grandchild holds its pipes.
            pause = 0.1 if until is None else max(0.0, min(0.1, until - now))
            if talk.open:
                talk.step(pause)
            else:  # it closed its outputs and lives on
                time.sleep(min(pause, _NAP))
    finally:
        talk.close()
    return talk.out.text(), talk.err.text(), late


class _Talk:
    """Both outputs and the input of one child, whichever is ready."""

    def __init__(self, child: Popen[bytes], data: bytes, limit: int) -> None:
        self.out, self.err = Kept(limit), Kept(limit)
        self._streams = [stream for stream in (child.stdout, child.stderr, child.stdin) if stream]
        self._feed = memoryview(data)
        self._selector = selectors.DefaultSelector()
        for stream, kept in ((child.stdout, self.out), (child.stderr, self.err)):
            if stream:
                self._selector.register(stream, selectors.EVENT_READ, kept)
        if child.stdin:
            os.set_blocking(child.stdin.fileno(), False)
            self._selector.register(child.stdin, selectors.EVENT_WRITE, None)

    @property
    def open(self) -> bool:
        """Whether any stream is."""
        return bool(self._selector.get_map())

    def step(self, seconds: float) -> None:
        """Move what can be moved, waiting at most `seconds`."""
        for key, _ in self._selector.select(seconds):
            if isinstance(key.data, Kept):
                data = os.read(key.fd, _CHUNK)
                key.data.add(data)
                done = not data
            else:
                done = self._write(key.fd)
            if done:
                self._close(key.fd)

    def close(self) -> None:
        """Let go of everything."""
        self._selector.close()
        for stream in self._streams:
            stream.close()

    def _write(self, handle: int) -> bool:
        """Give some input; True at its end, or where the child reads no more."""
        try:
            self._feed = self._feed[os.write(handle, self._feed[:_CHUNK]) :]
        except BlockingIOError:
            return False
        except OSError:
            return True
        return not self._feed

    def _close(self, handle: int) -> None:
        self._selector.unregister(handle)
        for stream in self._streams:
            if not stream.closed and stream.fileno() == handle:
                stream.close()


class Lines:
    """A pipe read line by line with deadlines."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._handle = stream.fileno()
        os.set_blocking(self._handle, False)
        self._held = bytearray()
        self._searched = 0
        self._over = False
        self._tail = bytearray()

    @property
    def ended(self) -> bool:
        """Whether the writer closed it and every line was given."""
        return self._over and not self._held

    def take(self) -> bool:
        """Take in what is there without waiting, up to the bound for one line; True if anything came."""
        came = False
        while not self._over and len(self._held) < _LINE_LIMIT:
            try:
                data = os.read(self._handle, _CHUNK)
            except BlockingIOError:
                break
            except OSError:
                data = b""
            self._over = not data
            came = came or bool(data)
            self._held += data
            self._tail += data
            del self._tail[: max(0, len(self._tail) - _TAIL)]
        return came

    def tail(self) -> bytes:
        """The last 64 KiB that came through."""
        return bytes(self._tail)

    def drop(self) -> None:
        """Forget what was taken in and not yet given as lines; the tail stays."""
        self._held.clear()
        self._searched = 0

    def line(self, seconds: float | None, also: Lines | None = None) -> bytes | None:
        """Next line without its end, or None at the end of the stream or after `seconds`. `also`: a stream that is
        taken in meanwhile, only its tail is kept."""
        until = None if seconds is None else time.monotonic() + seconds
        while True:
            found = self._pop()
            if found is not None:
                return found
            if self._over:
                return self._last()
            left = None if until is None else until - time.monotonic()
            if left is not None and left < 0:
                return None
            self._await(left, also)

    def _await(self, seconds: float | None, also: Lines | None) -> None:
        """Until there is something to read, at most `seconds`."""
        with selectors.DefaultSelector() as selector:
            selector.register(self._handle, selectors.EVENT_READ)
            if also and not also._over:  # noqa: SLF001  of the same class
                selector.register(also._handle, selectors.EVENT_READ)  # noqa: SLF001
            selector.select(seconds)
        self.take()
        if also:
            also.take()
            also.drop()

    def _pop(self) -> bytes | None:
        at = self._held.find(b"\n", self._searched)
        if at < 0 and len(self._held) >= _LINE_LIMIT:
            at = _LINE_LIMIT
        if at < 0:
            self._searched = len(self._held)
            return None
        found = bytes(self._held[:at])
        del self._held[: at + 1 if self._held[at : at + 1] == b"\n" else at]
        self._searched = 0
        return found

    def _last(self) -> bytes | None:
        """What came after the last line end."""
        found = bytes(self._held)
        self.drop()
        return found or None
