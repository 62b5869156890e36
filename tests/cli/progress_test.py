"""Progress on stderr."""

from __future__ import annotations

import io
import os
import pty
from typing import TextIO

import pytest

from firstlight.cli.progress import Live, Plain, reporting
from firstlight.progress import Silent
from firstlight.words import Words

WORK = Words("installing torch", "正在安装 torch")


def test_a_log_gets_a_line_as_work_begins_and_one_if_it_fails() -> None:
    stream = io.StringIO()
    told = Plain(stream, "zh")
    told.begin("a", WORK)
    told.detail("a", WORK)
    told.end("a", WORK, ok=True)
    told.end("a", Words("hash differs", "哈希不符"), ok=False)
    assert stream.getvalue() == "firstlight: 正在安装 torch\nfirstlight: 失败: 哈希不符\n"


def test_a_log_tells_what_is_waited_for() -> None:
    stream = io.StringIO()
    Plain(stream, "en").detail("sync", Words("waiting for another", "等待"))
    assert stream.getvalue() == "firstlight: waiting for another\n"


def test_a_name_of_a_file_cannot_steer_the_terminal() -> None:
    stream = io.StringIO()
    Plain(stream, "en").begin("a", Words("\x1b[2J.whl", "x"))
    assert stream.getvalue() == "firstlight: \\x1b[2J.whl\n"


def test_a_listener_that_left_stops_no_work() -> None:
    ours, theirs = os.pipe()
    os.close(ours)
    with os.fdopen(theirs, "w", buffering=1, encoding="utf-8", closefd=True) as stream:
        Plain(stream, "en").begin("a", WORK)
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def test_quiet_and_json_are_silent_off_a_terminal() -> None:
    for quiet, json, kind in ((True, False, Silent), (False, True, Silent), (False, False, Plain)):
        with reporting(io.StringIO(), "en", quiet=quiet, json=json) as told:
            assert isinstance(told, kind)


def interrupted(stream: TextIO) -> None:
    with reporting(stream, "en", quiet=False, json=True) as live:
        assert isinstance(live, Live)
        live.begin("sync", WORK)
        live.begin("sync.torch", Words("fetching [red]x", "x"))
        live.detail("sync.torch", Words("3 of 7", "x"))
        live.end("sync.torch", Words("fetched [red]x", "x"), ok=True)
        live.end("verify", WORK, ok=None)
        raise KeyboardInterrupt


def test_a_terminal_keeps_finished_work_with_its_time_and_gets_its_cursor_back() -> None:
    ours, theirs = pty.openpty()
    with os.fdopen(theirs, "w", encoding="utf-8") as stream:
        with pytest.raises(KeyboardInterrupt):
            interrupted(stream)
        stream.write("END")
        stream.flush()
        said = ""
        while not said.endswith("END"):
            said += os.read(ours, 65536).decode()
    os.close(ours)
    assert "done  fetched [red]x  (0 ms)" in said
    assert "left out  installing torch" in said
    assert "3 of 7" in said
    assert said.rindex("\x1b[?25h") > said.rindex("\x1b[?25l")
