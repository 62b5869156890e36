"""Progress on stderr: a live line on a terminal, plain lines elsewhere."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from ..progress import Reporter, Silent
from ..text.units import span
from ..words import Lang, Words
from .output import harmless

_MARKS: dict[bool | None, Words] = {
    True: Words("done", "完成"),
    False: Words("failed", "失败"),
    None: Words("left out", "略过"),
}
_SPINNER = 3
"""Cells of the spinner, with room for the cursor."""


@contextmanager
def reporting(stream: TextIO, lang: Lang, *, quiet: bool, json: bool) -> Iterator[Reporter]:
    """A reporter for the time of one call. Silent with --quiet; with --json only told where a person looks on."""
    if quiet or (json and not stream.isatty()):
        yield Silent()
    elif stream.isatty():
        live = Live(stream, lang)
        try:
            yield live
        finally:
            live.close()
    else:
        yield Plain(stream, lang)


class Plain:
    """One line as each piece of work begins, one more if it fails: what a log needs."""

    def __init__(self, stream: TextIO, lang: Lang) -> None:
        self._stream = stream
        self._lang = lang
        self._begun: set[str] = set()

    def begin(self, key: str, text: Words) -> None:
        """Say what starts."""
        self._begun.add(key)
        self._write(text.say(self._lang))

    def detail(self, key: str, text: Words) -> None:
        """A log needs no ticker: only what is not a part of work that was told, such as waiting for another."""
        if key not in self._begun:
            self._write(text.say(self._lang))

    def end(self, key: str, text: Words, *, ok: bool | None) -> None:
        """Say what failed."""
        self._begun.discard(key)
        if ok is False:
            self._write(f"{_MARKS[ok].say(self._lang)}: {text.say(self._lang)}")

    def _write(self, said: str) -> None:
        try:
            self._stream.write(f"firstlight: {harmless(said)}\n")
            self._stream.flush()
        except OSError:
            pass  # whoever listened is gone; the work goes on


class Live:
    """A spinner with what goes on now; finished work stays above it with its time."""

    def __init__(self, stream: TextIO, lang: Lang) -> None:
        from rich.console import Console

        self._lang = lang
        self._console = Console(file=stream, highlight=False, markup=False, emoji=False)
        self._status = self._console.status("", spinner="line")
        self._begun: dict[str, tuple[float, str]] = {}

    def begin(self, key: str, text: Words) -> None:
        """Show it at the spinner."""
        self._begun[key] = (time.monotonic(), text.say(self._lang))
        self._show(text.say(self._lang))
        self._status.start()

    def detail(self, key: str, text: Words) -> None:
        """Show the newest state at the spinner."""
        told, colon = text.say(self._lang), "：" if self._lang == "zh" else ": "
        self._show(f"{self._begun[key][1]}{colon}{told}" if key in self._begun else told)
        self._status.start()

    def end(self, key: str, text: Words, *, ok: bool | None) -> None:
        """Leave a line; the spinner goes on with what encloses it, or stops."""
        start, _ = self._begun.pop(key, (time.monotonic(), key))
        took = span((time.monotonic() - start) * 1000)
        self._console.print(f"{_MARKS[ok].say(self._lang)}  {harmless(text.say(self._lang))}  ({took})")
        if self._begun:
            self._show(next(reversed(self._begun.values()))[1])
        else:
            self._status.stop()

    def close(self) -> None:
        """Give the line and the cursor back, also where work was cut off."""
        self._status.stop()

    def _show(self, text: str) -> None:
        from rich.text import Text

        shown = Text(harmless(text))
        # the spinner's own column would break it into a second line, whatever the text says of that
        shown.truncate(max(self._console.width - _SPINNER, 1), overflow="ellipsis")
        self._status.update(shown)
