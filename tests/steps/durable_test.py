"""What the link leads to is on the disk before it does: the order of the system calls, by strace."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from firstlight.host import durable
from firstlight.host.durable import sync_file_system, sync_folder

from .killing import DATA, NAMES, SYNCS, Call, Scene, calls, cannot_trace, commits


def _place(found: list[Call], what: Callable[[Call], bool]) -> int:
    return next(number for number, call in enumerate(found) if what(call))


def _after(found: list[Call], start: int, name: str, said: str) -> int:
    return start + 1 + _place(found[start + 1 :], lambda call: call.name == name and said in call.said)


@pytest.mark.skipif(bool(cannot_trace()), reason=cannot_trace())
def test_each_thing_is_synced_before_what_depends_on_it(tmp_path: Path, uv_cache: Path) -> None:
    scene = Scene(tmp_path / "scene", uv_cache)
    scene.lock(1)
    assert not scene.traced("all", (*NAMES, *SYNCS, *DATA), "sync")
    found = [call for call in calls(scene.log) if commits(call)]
    own, root = found[0].thread, scene.root
    folders = max(number for number, call in enumerate(found) if call.name == "mkdir" and call.thread == own)
    made = _after(found, folders, "fsync", f"<{root}/.firstlight>")
    made = _after(found, made, "fsync", f"<{root}>")
    journal = _after(found, made, "fsync", "journal/sync.jsonl>")
    begun = _place(found, lambda call: call.thread != own)
    assert made < journal < begun
    uv = max(number for number, call in enumerate(found) if call.thread != own)
    synced = _place(found, lambda call: call.name in ("syncfs", "sync"))
    assert uv < synced
    marker = _after(found, synced, "fsync", "firstlight.json.tmp>")
    marker = _after(found, marker, "rename", "firstlight.json.tmp")
    marker = _after(found, marker, "fsync", "envs/cpu-")
    noted = _after(found, marker, "fsync", "journal/sync.jsonl>")
    link = _after(found, noted, "symlink", ".firstlight/env.tmp")
    noted = _after(found, noted, "fsync", "journal/sync.jsonl>")
    assert noted < link
    link = _after(found, link, "rename", ".firstlight/env.tmp")
    link = _after(found, link, "fsync", f"<{root}/.firstlight>")
    assert _after(found, link, "fsync", "journal/sync.jsonl>") > link


@pytest.mark.skipif(bool(cannot_trace()), reason=cannot_trace())
def test_both_files_of_a_lock_are_on_the_disk_before_either_takes_its_place(tmp_path: Path, uv_cache: Path) -> None:
    scene = Scene(tmp_path / "scene", uv_cache)
    log = tmp_path / "log"
    code = "import sys; from pathlib import Path; from tests.steps.killing import Scene; "
    code += "Scene(Path(sys.argv[1]), Path(sys.argv[2])).lock(1)"
    argv = ["strace", "-y", "-s", "200", "-o", str(log), "-e", f"trace={','.join((*NAMES, *SYNCS))}"]
    where = [str(tmp_path / "other"), str(uv_cache)]
    top = Path(__file__).resolve().parents[2]
    subprocess.run([*argv, sys.executable, "-c", code, *where], cwd=top, env=scene.variables, check=True)
    root = tmp_path / "other" / "project"
    found = list(calls(log))
    first = _place(found, lambda call: call.name == "rename")
    before = " ".join(call.said for call in found[:first] if call.name == "fsync")
    assert "firstlight.lock.tmp>" in before
    assert "pylock.cpu.toml.tmp>" in before
    assert before.endswith(f"<{root}>) = 0")
    assert "firstlight.lock.tmp" in found[first].said
    last = max(number for number, call in enumerate(found) if call.name == "rename")
    assert _after(found, last, "fsync", f"<{root}>") > last


def test_a_system_that_has_no_syncfs_syncs_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    monkeypatch.setattr(durable, "_syncfs", lambda _: errno.ENOSYS)
    monkeypatch.setattr(os, "sync", lambda: asked.append(True))
    sync_file_system(str(tmp_path))
    assert asked
    monkeypatch.setattr(durable, "_syncfs", lambda _: errno.EIO)
    with pytest.raises(OSError, match="Input/output"):
        sync_file_system(str(tmp_path))


def test_a_folder_that_cannot_be_synced_is_an_error_unless_its_file_system_never_can(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number, raised in ((errno.EINVAL, False), (errno.EIO, True)):

        def refuse(_: int, number: int = number) -> None:
            raise OSError(number, os.strerror(number))

        monkeypatch.setattr(os, "fsync", refuse)
        if raised:
            with pytest.raises(OSError, match="Input/output"):
                sync_folder(str(tmp_path))
        else:
            sync_folder(str(tmp_path))
