"""Two files change together, whenever the writer is stopped."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from firstlight.lockfile.commit import pending, put, settle

OLD, NEW = {"lock": "old lock", "list": "old list"}, {"lock": "new lock", "list": "new list"}
HASHES = {text: hashlib.sha256(text.encode()).hexdigest() for text in ("old list", "new list")}


class _StoppedError(Exception):
    pass


def _stopped_at(monkeypatch: pytest.MonkeyPatch, at: int) -> None:
    """The `at`-th rename, and all after it, never come about, and nothing is cleared away."""
    replace, left = os.replace, [at]

    def counted(source: str, target: str) -> None:
        left[0] -= 1
        if left[0] < 0:
            raise _StoppedError
        replace(source, target)

    monkeypatch.setattr(os, "replace", counted)


def _lists(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in folder.iterdir()}


@pytest.mark.parametrize("at", [0, 1, 2])
def test_a_stopped_write_is_the_old_pair_or_the_new_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at: int
) -> None:
    put(str(tmp_path), "lock", OLD)
    with monkeypatch.context() as patched:
        _stopped_at(patched, at)
        if at < 2:
            with pytest.raises(_StoppedError):
                put(str(tmp_path), "lock", NEW)
        else:
            put(str(tmp_path), "lock", NEW)
    lock = (tmp_path / "lock").read_text()
    named = HASHES[lock.replace("lock", "list")]
    there = hashlib.sha256((tmp_path / "list").read_bytes()).hexdigest() == named
    assert there or pending(str(tmp_path / "list"), named) is not None
    settle(str(tmp_path), "lock", {"list": named})
    assert _lists(tmp_path) == (OLD if at == 0 else NEW)


def test_what_cannot_be_written_changes_nothing(tmp_path: Path) -> None:
    put(str(tmp_path), "lock", OLD)
    (tmp_path / "list.tmp").mkdir()
    with pytest.raises(OSError, match=r"list\.tmp"):
        put(str(tmp_path), "lock", NEW)
    (tmp_path / "list.tmp").rmdir()
    assert _lists(tmp_path) == OLD


@pytest.mark.parametrize("content", ["other", None, "link"])
def test_only_the_named_content_takes_its_place(tmp_path: Path, content: str | None) -> None:
    put(str(tmp_path), "lock", OLD)
    if content == "link":
        (tmp_path / "target").write_text("new list")
        (tmp_path / "list.tmp").symlink_to(tmp_path / "target")
    elif content is not None:
        (tmp_path / "list.tmp").write_text(content)
    assert pending(str(tmp_path / "list"), HASHES["new list"]) is None
    settle(str(tmp_path), "lock", {"list": HASHES["new list"]})
    (tmp_path / "target").unlink(missing_ok=True)
    assert _lists(tmp_path) == OLD
