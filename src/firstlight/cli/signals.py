"""Signals that end us become an exception: what we started is ended too, in whatever order things were begun."""

from __future__ import annotations

import os
import signal
import time
from types import FrameType

from ..host.command import hold

_PATIENCE = 3.0
"""Seconds in which a second Ctrl-C must not cut off the ending of what we started."""


class Stopped(KeyboardInterrupt):
    """A signal ended us."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number


class _Watch:
    def __init__(self) -> None:
        self._first: float | None = None

    def __call__(self, number: int, _: FrameType | None) -> None:
        if self._first is None:
            self._first = time.monotonic()
            stopped = Stopped(number)
            if not hold(stopped):
                raise stopped
            return
        if time.monotonic() - self._first > _PATIENCE:
            signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)


def watch() -> None:
    """From now on SIGINT, SIGTERM (a scheduler, `timeout`) and SIGHUP (a terminal that went away) raise Stopped. Those
    that the caller had us ignore (`nohup`, a shell's background job) stay ignored."""
    stop = _Watch()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, stop)


def stopping(error: KeyboardInterrupt) -> int:
    """Number of the signal that ended us."""
    return error.number if isinstance(error, Stopped) else int(signal.SIGINT)


def name(number: int) -> str:
    """`SIGINT`."""
    return signal.Signals(number).name
