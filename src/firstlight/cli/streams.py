"""The standard streams, whatever the caller left of them."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from io import TextIOWrapper
from typing import TextIO

from ..words import Lang


def complete() -> None:
    """Make all three be there: a closed one leads nowhere from now on.

    Else the next file that is opened takes its number, and what a child prints ends up in it.
    """
    while (handle := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(handle, True)  # noqa: FBT003 - it has no name
    os.close(handle)
    if sys.stdout is None:
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115 - for as long as we run
    if sys.stderr is None:
        sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115


def lenient(stream: TextIO) -> None:
    """Write `?` for what the stream's encoding lacks, rather than fail."""
    if isinstance(stream, TextIOWrapper):
        stream.reconfigure(errors="replace")


def readable(lang: Lang, *streams: TextIO) -> Lang:
    """`lang`, but English where a stream cannot carry Chinese: question marks help nobody."""
    return "en" if lang == "zh" and not all(map(_carries_chinese, streams)) else lang


def _carries_chinese(stream: TextIO) -> bool:
    try:
        "中".encode(stream.encoding or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def written(write: Callable[[TextIO], object], stream: TextIO) -> OSError | None:
    """Whether all of it went out; else why not, and the stream leads nowhere from then on, so that the interpreter's
    own flush at the end stays quiet too."""
    try:
        write(stream)
        stream.flush()
    except OSError as error:
        with suppress(OSError, ValueError):  # ValueError: a stream without a number, as tests have
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        return error
    return None
