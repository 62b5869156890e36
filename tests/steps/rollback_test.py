"""The last sync undone, for real; killed on the way; where there is nothing to go back to."""

from __future__ import annotations

import json
import os
import shutil
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from firstlight.errors import NoError
from firstlight.steps import rollback as module
from firstlight.steps.rollback import rollback
from firstlight.steps.sync import sync

from .ground import Ground, states


@pytest.fixture
def twice(ground: Ground) -> Ground:
    """Synced with one torch, then with another."""
    sync(ground.project, ground.lock(), "cpu")
    ground.torch("2.14.0+cpu")
    sync(ground.project, ground.lock(), "cpu")
    return ground


def active(ground: Ground) -> str | None:
    link = ground.root / ".firstlight/env"
    return os.path.basename(os.readlink(link)) if link.is_symlink() else None


def test_the_environment_from_before_is_in_use_again(twice: Ground) -> None:
    newer = active(twice)
    done = rollback(str(twice.root))
    assert twice.version() == "2.13.0+cpu"
    assert (done.left, done.now) == (newer, active(twice))
    assert [(one.name, one.before, one.after) for one in done.changed] == [("torch", "2.14.0+cpu", "2.13.0+cpu")]
    assert len(twice.environments()) == 2


def test_only_the_last_sync_can_be_undone(twice: Ground) -> None:
    rollback(str(twice.root))
    kept = active(twice)
    for _ in range(2):
        with pytest.raises(NoError, match="nothing to roll back") as caught:
            rollback(str(twice.root))
        assert caught.value.why is not None
        assert "undone already" in caught.value.why.en
        assert active(twice) == kept


def test_a_sync_afterwards_installs_nothing_anew(twice: Ground) -> None:
    from firstlight.lockfile.files import read

    lock, newer = read(str(twice.root)), active(twice)
    rollback(str(twice.root))
    results = sync(twice.project, lock, "cpu")
    assert [one.kind for one in results if one.state == "done"] == ["activate"]
    assert (active(twice), twice.version()) == (newer, "2.14.0+cpu")
    assert states(sync(twice.project, lock, "cpu")) == {"right"}
    rollback(str(twice.root))
    assert twice.version() == "2.13.0+cpu"


def test_a_sync_of_the_older_lock_clears_the_newer_environment_away(ground: Ground) -> None:
    older = ground.lock()
    text = (ground.root / "pylock.cpu.toml").read_text()
    sync(ground.project, older, "cpu")
    ground.torch("2.14.0+cpu")
    sync(ground.project, ground.lock(), "cpu")
    rollback(str(ground.root))
    (ground.root / "pylock.cpu.toml").write_text(text)
    assert states(sync(ground.project, older, "cpu")) == {"right"}
    assert ground.environments() == [active(ground)]
    with pytest.raises(NoError):
        rollback(str(ground.root))


def test_the_first_sync_undone_leaves_no_environment(ground: Ground) -> None:
    lock = ground.lock()
    sync(ground.project, lock, "cpu")
    name = active(ground)
    done = rollback(str(ground.root))
    assert (done.left, done.now, ground.version()) == (name, None, None)
    assert not (ground.root / ".firstlight/env").is_symlink()
    with pytest.raises(NoError, match="nothing to roll back"):
        rollback(str(ground.root))
    assert [one.kind for one in sync(ground.project, lock, "cpu") if one.state == "done"] == ["activate"]
    assert (active(ground), ground.version()) == (name, "2.13.0+cpu")


def test_without_a_sync_nothing_is_made(ground: Ground) -> None:
    with pytest.raises(NoError, match="nothing to roll back"):
        rollback(str(ground.root))
    assert not (ground.root / ".firstlight").exists()
    (ground.root / ".firstlight").mkdir()
    with pytest.raises(NoError, match="nothing to roll back"):
        rollback(str(ground.root))


def older(ground: Ground) -> Path:
    (name,) = set(ground.environments()) - {active(ground) or ""}
    return ground.root / ".firstlight/envs" / name


def removed(ground: Ground) -> None:
    shutil.rmtree(older(ground))


def unmarked(ground: Ground) -> None:
    (older(ground) / "firstlight.json").unlink()


def without_python(ground: Ground) -> None:
    (older(ground) / "bin/python").unlink()


def without_a_file(ground: Ground) -> None:
    next(older(ground).glob("lib/*/site-packages/torch/__init__.py")).unlink()


def without_a_record(ground: Ground) -> None:
    next(older(ground).glob("lib/*/site-packages/torch-*/RECORD")).unlink()


def of_another(ground: Ground) -> None:
    path = older(ground) / "firstlight.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "id": "cpu-0000000000000000"}))


@pytest.mark.parametrize(
    "damage",
    [removed, unmarked, without_python, without_a_file, without_a_record, of_another],
    ids=lambda it: it.__name__,
)
def test_a_damaged_environment_is_not_swapped_in(damage: Callable[[Ground], None], twice: Ground) -> None:
    before = active(twice)
    damage(twice)
    for _ in range(2):
        with pytest.raises(NoError, match="cannot be used again"):
            rollback(str(twice.root))
        assert active(twice) == before
    assert twice.version() == "2.14.0+cpu"


def test_a_journal_that_names_a_folder_elsewhere_is_not_followed(twice: Ground, tmp_path: Path) -> None:
    journal = twice.root / ".firstlight/journal/sync.jsonl"
    evil = tmp_path / "evil"
    (evil / "bin").mkdir(parents=True)
    name = active(twice)
    line = {"sync": name, "kind": "activate", "subject": "env", "state": "begin", "previous": f"../../../{evil.name}"}
    with journal.open("a") as file:
        file.write(json.dumps(line) + "\n")
    with pytest.raises(NoError, match="not there any more"):
        rollback(str(twice.root))
    assert active(twice) == name


def test_a_link_that_no_sync_made_is_left_alone(twice: Ground) -> None:
    link = twice.root / ".firstlight/env"
    link.unlink()
    link.symlink_to("envs/by-hand")
    with pytest.raises(NoError, match="nothing to roll back") as caught:
        rollback(str(twice.root))
    assert caught.value.why is not None
    assert "by-hand" in caught.value.why.en
    assert os.readlink(link) == "envs/by-hand"


def killed(action: Callable[[], object], call: str, after: int) -> bool:
    """In a child that is killed before the given call of `os` is made for the nth time. Whether it came to that."""
    child = os.fork()
    if child == 0:
        left = [after]
        really = getattr(os, call)

        def counted(*said: object, **more: object) -> object:
            left[0] -= 1
            if left[0] == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            return really(*said, **more)

        setattr(os, call, counted)
        try:
            action()
        finally:
            os._exit(0)
    _, status = os.waitpid(child, 0)
    return os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL


@pytest.mark.parametrize("call", ["write", "fsync", "symlink", "replace", "close"])
def test_killed_anywhere_the_link_leads_to_one_of_the_two(call: str, twice: Ground) -> None:
    both = {"2.13.0+cpu", "2.14.0+cpu"}
    kills = 0
    for after in range(1, 60):
        if not killed(lambda: rollback(str(twice.root)), call, after):
            break
        kills += 1
        assert twice.version() in both
        if twice.version() == "2.14.0+cpu":
            rollback(str(twice.root))
        else:
            with pytest.raises(NoError, match="nothing to roll back"):
                rollback(str(twice.root))
        assert twice.version() == "2.13.0+cpu"
        sync(twice.project, twice.lock(), "cpu")
        assert twice.version() == "2.14.0+cpu"
        assert len(twice.environments()) == 2
    assert kills >= 1


def test_a_read_only_project_says_so(twice: Ground, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> None:
        raise OSError(30, "Read-only file system")

    rolled = active(twice)
    monkeypatch.setattr("firstlight.steps.activation.put_link", refused)
    with pytest.raises(NoError, match="Read-only"):
        rollback(str(twice.root))
    assert active(twice) == rolled
    monkeypatch.undo()
    rollback(str(twice.root))
    with pytest.raises(NoError, match="nothing to roll back"):
        rollback(str(twice.root))


def test_the_first_environment_that_cannot_be_unlinked_stays(ground: Ground, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> None:
        raise OSError(30, "Read-only file system")

    sync(ground.project, ground.lock(), "cpu")
    monkeypatch.setattr(module, "sync_folder", refused)
    with pytest.raises(NoError, match="Read-only"):
        rollback(str(ground.root))
