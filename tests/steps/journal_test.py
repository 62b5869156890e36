"""The journal of steps: cut off, damaged, long."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from firstlight.errors import NoError
from firstlight.steps import journal as journal_file
from firstlight.steps.journal import Journal, read_journal


def test_a_damaged_journal_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    journal = Journal(str(tmp_path), "x")
    journal.note("install", "a", "begin")
    with open(journal.path, "ab") as file:
        file.write(b'{"sync": "x"\n\xff\n' + b"[" * 5000 + b"\n" + json.dumps({"sync": 1}).encode() + b'\n{"sy')
    assert [entry.subject for entry in read_journal(str(tmp_path))] == ["a"]
    assert journal_file.previous_environment(str(tmp_path), "x") is None


def test_a_journal_that_takes_half_a_line_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_some = os.write
    monkeypatch.setattr(os, "write", lambda handle, data: write_some(handle, data[:5]))
    with pytest.raises(NoError, match="No space left"):
        Journal(str(tmp_path), "x").note("install", "a", "begin")


def test_a_long_journal_is_cut_down(tmp_path: Path) -> None:
    journal = Journal(str(tmp_path), "x")
    journal.note("install", "old", "begin")
    line = Path(journal.path).read_bytes()
    Path(journal.path).write_bytes(line * (1 + journal_file.LONG // len(line)))
    journal.note("activate", "env", "begin", "before")
    journal.trim()
    assert len(read_journal(str(tmp_path))) == journal_file.KEPT
    assert journal_file.previous_environment(str(tmp_path), "x") == "before"


def test_a_line_that_was_cut_off_does_not_take_the_next_one_with_it(tmp_path: Path) -> None:
    journal = Journal(str(tmp_path), "x")
    journal.note("install", "a", "begin")
    with open(journal.path, "ab") as file:
        file.write(b'{"sync": "x", "ki')
    journal.note("activate", "env", "begin", "before")
    assert [entry.subject for entry in read_journal(str(tmp_path))] == ["a", "env"]
    assert journal_file.previous_environment(str(tmp_path), "x") == "before"
