"""What reaches a stream."""

from __future__ import annotations

import io
import json
import os
import pty

import msgspec
import pytest

from firstlight.cli.output import columns, document, harmless, show
from firstlight.cli.streams import lenient
from firstlight.text.layout import Span, command, line


class Answer(msgspec.Struct, tag_field="schema", tag="firstlight.example/1"):
    title: str


def test_hostile_text_cannot_steer_the_terminal() -> None:
    stream = io.StringIO()
    show([line("a\x1b]0;owned\x07b\rc\x9bd"), command("echo \u202egnp.exe")], stream)
    assert stream.getvalue() == "a\\x1b]0;owned\\x07b\\x0dc\\x9bd\necho \\u202egnp.exe\n"


def test_a_document_is_utf8_whatever_the_locale() -> None:
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding="ascii")
    document(Answer(title="没有"), stream)
    assert json.loads(raw.getvalue()) == {"schema": "firstlight.example/1", "title": "没有"}


def test_chinese_on_an_ascii_stream_does_not_fail() -> None:
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding="ascii")
    lenient(stream)
    show([line("没有 GPU")], stream)
    assert raw.getvalue() == b"?? GPU\n"


def terminal_output(monkeypatch: pytest.MonkeyPatch, *, no_color: bool) -> bytes:
    """What a terminal of 40 columns gets for a coloured line."""
    import fcntl
    import struct
    import termios

    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("COLUMNS", raising=False)
    if no_color:
        monkeypatch.setenv("NO_COLOR", "1")
    else:
        monkeypatch.delenv("NO_COLOR", raising=False)
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 40, 0, 0))
    with os.fdopen(theirs, "w", encoding="utf-8") as stream:
        assert columns(stream) == 40
        show([line(Span("no", "bad"), " [bold]x[/bold] :smile:"), command("x" * 50)], stream)
        # a terminal holds what was written only while its other end is open
        said = b""
        while said.count(b"\n") < 2:
            said += os.read(ours, 4096)
    os.close(ours)
    return said


def test_a_terminal_gets_colour(monkeypatch: pytest.MonkeyPatch) -> None:
    said = terminal_output(monkeypatch, no_color=False)
    assert said.startswith(b"\x1b[1;31mno\x1b[0m [bold]x[/bold] :smile:\r\n")
    assert b"x" * 50 in said


def test_no_color_is_heeded(monkeypatch: pytest.MonkeyPatch) -> None:
    assert b"31m" not in terminal_output(monkeypatch, no_color=True)


@pytest.mark.parametrize(("said", "width"), [("120", 120), ("", None), ("3", None), ("wide", None), ("9" * 30, None)])
def test_a_pipe_is_not_broken_but_to_columns(monkeypatch: pytest.MonkeyPatch, said: str, width: int | None) -> None:
    monkeypatch.setenv("COLUMNS", said)
    stream = io.StringIO()
    show([line("word " * 100)], stream)
    assert max(map(len, stream.getvalue().splitlines())) == (width - 1 if width else 499)


def test_bytes_that_are_no_text_are_shown_as_such() -> None:
    name = os.fsdecode(b"a\xff\xc3\xa4")
    assert harmless(name) == "a\\xffä"
    stream = io.StringIO()
    document({"\udcfe": [Answer(title=name), "\ud800", 1, None]}, stream)
    assert json.loads(stream.getvalue()) == {
        "\\xfe": [{"schema": "firstlight.example/1", "title": "a\\xffä"}, "\\ud800", 1, None]
    }
