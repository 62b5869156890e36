"""Chunks made by a thread of their own while those before are looked at: inflating runs beside Python, not in turns."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator

_DEPTH = 4
"""Chunks that wait at most."""


def beside(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """The same chunks and the same errors. The thread ends when the last was made, or when this is closed."""
    made: queue.Queue[bytes | BaseException] = queue.Queue(_DEPTH)
    left = threading.Event()
    thread = threading.Thread(target=_make, args=(chunks, made, left), daemon=True)
    thread.start()
    try:
        while one := made.get():
            if isinstance(one, BaseException):
                raise one
            yield one
    finally:
        left.set()
        while thread.is_alive():
            _empty(made)
            thread.join(0.01)


def _make(chunks: Iterator[bytes], made: queue.Queue[bytes | BaseException], left: threading.Event) -> None:
    try:
        for chunk in chunks:
            if left.is_set():
                return
            if chunk:
                made.put(chunk)
        made.put(b"")
    except BaseException as error:  # noqa: BLE001  # raised again where the chunks are read
        made.put(error)


def _empty(made: queue.Queue[bytes | BaseException]) -> None:
    try:
        while True:
            made.get_nowait()
    except queue.Empty:
        return
