"""`kill -9` at every system call that commits something, by strace: the old environment still works, the next run
carries on, nothing is left over.

What is hit: of firstlight's own process each call that changes a name, writes, or syncs, and some moments at which uv
is at work; of uv, each number of such a call that any of its threads reaches in a clean run (strace counts by thread
and by call). All of them take about ten minutes: `FIRSTLIGHT_FULL=1 pytest -s tests/steps/strace_kill_test.py` strikes
at each and says how many. Without it a sample is taken, the same every time."""

from __future__ import annotations

import json
import os
import random
import re
import sys
from pathlib import Path

import pytest

from tests.routes.tiny_wheels import make_wheel

from .killing import DATA, NAMES, SYNCS, WAITS, Point, Scene, calls, cannot_trace, points

FULL = os.environ.get("FIRSTLIGHT_FULL") == "1"
SAMPLE = 4
WATCHED = (*NAMES, *SYNCS, *DATA)
FIRST = 9000
"""Torch of the test is newer than any that is real."""

pytestmark = [
    pytest.mark.timeout(3600 if FULL else 300),
    pytest.mark.skipif(bool(cannot_trace()), reason=cannot_trace()),
]


@pytest.fixture
def scene(tmp_path: Path, uv_cache: Path) -> Scene:
    return Scene(tmp_path / "scene", uv_cache)


def chosen(every: list[Point]) -> list[Point]:
    """All, or a sample that is spread over the kinds of calls."""
    if FULL or len(every) <= SAMPLE:
        return every
    shuffled = random.Random(3).sample(every, len(every))
    return sorted(shuffled, key=lambda one: [two.call for two in shuffled].index(one.call))[:: len(every) // SAMPLE]


def struck(scene: Scene, kill: Point) -> str:
    """What was killed at, as its log says: the call and its first words, without what differs between runs."""
    last = [call.said for call in calls(scene.log) if call.name == kill.call]
    said = re.sub(r"\d+<|\.tmp\w+|[0-9a-f]{16}|\d{4,}", "", last[-1])[:160] if last else ""
    return f"{kill.who} {kill.call} {said}"


def states(scene: Scene) -> set[str]:
    answer = scene.run("sync", "--json")
    assert answer.returncode == 0, answer.stderr
    return {step["state"] for step in json.loads(answer.stdout)["steps"]}


def told(name: str, every: list[Point], hits: list[str], missed: int) -> None:
    """With -s: how many points a clean run has, how many were struck, and how many of them are different calls."""
    different = len(set(hits))
    sys.stdout.write(
        f"\n{name}: {len(every)} points, {len(hits)} struck, {different} different, {missed} not reached\n"
    )


@pytest.mark.parametrize("who", ["own", "venv", "pip", "all"])
@pytest.mark.parametrize("fresh", [True, False], ids=["first", "again"])
def test_a_sync_that_is_killed_anywhere_is_carried_on(scene: Scene, who: str, *, fresh: bool) -> None:
    numbers = iter(range(FIRST, FIRST + 5000))
    names = {"own": (*WATCHED, *WAITS), "all": (*NAMES, *SYNCS)}.get(who, WATCHED)

    def next_lock() -> str:
        if fresh:
            scene.forget()
        number = next(numbers)
        scene.lock(number)
        return f"2.{number}+cpu"

    for _ in range(3):  # so that there is an old environment to clear away
        next_lock()
        assert scene.run("sync").returncode == 0
    reference = scene.kept()
    next_lock()
    assert not scene.traced(who, names, "sync")
    every = points(scene.log, who, names)
    hits, missed = [], 0
    for kill in chosen(every):
        for _ in range(3):  # uv's threads share their work out anew each time
            before, wanted = None if fresh else scene.works(), next_lock()
            if scene.traced(who, names, "sync", kill=kill):
                hits.append(struck(scene, kill))
                break
        else:
            missed += kill.call not in WAITS
        assert scene.works() in (before, wanted), kill
        answer = scene.run("sync")
        assert answer.returncode == 0, (kill, answer.stderr)
        assert scene.works() == wanted, kill
        assert scene.kept() == reference, kill
        assert not [name for name in scene.wheels() if not name.endswith(".whl")], kill
        assert not list(scene.temporary.iterdir()), kill
        assert states(scene) == {"right"}, kill
    told(f"sync, {who}, {'first' if fresh else 'again'}", every, hits, missed)
    assert missed <= (0 if who == "own" else 1 + len(every) // 10)


@pytest.mark.parametrize("fresh", [True, False], ids=["first", "again"])
def test_a_lock_that_is_killed_anywhere_is_the_old_or_the_new_one(scene: Scene, *, fresh: bool) -> None:
    def wheel(number: int) -> None:
        make_wheel(scene.house, "torch", f"2.{number}+cpu", "py3-none-any", requires=["filelock"])

    def files() -> list[str]:
        return sorted(path.name for path in scene.root.iterdir())

    lock = ("lock", "--backend", "cpu", "--route", "wheelhouse-cpu")
    wheel(FIRST)
    assert scene.run(*lock).returncode == 0
    assert scene.run("sync").returncode == 0
    reference = files()
    assert not scene.traced("own", WATCHED, *lock)
    every = points(scene.log, "own", WATCHED)
    hits = []
    for number, kill in enumerate(chosen(every), FIRST + 1):
        wheel(number)
        if fresh:
            for name in ("firstlight.lock", "pylock.cpu.toml"):
                (scene.root / name).unlink()
        before = scene.works()
        if scene.traced("own", WATCHED, *lock, kill=kill):
            hits.append(struck(scene, kill))
        assert scene.works() == before
        if not fresh or (scene.root / "firstlight.lock").exists():
            answer = scene.run("sync")
            assert answer.returncode == 0, (kill, answer.stderr)
            assert scene.works() in (before, f"2.{number}+cpu"), kill
            assert files() == reference, kill
        assert scene.run(*lock).returncode == 0, kill
        assert scene.run("sync").returncode == 0, kill
        assert (scene.works(), files()) == (f"2.{number}+cpu", reference), kill
        assert not list(scene.temporary.iterdir()), kill
        assert states(scene) == {"right"}, kill
    told(f"lock, {'first' if fresh else 'again'}", every, hits, len(chosen(every)) - len(hits))
    assert len(hits) >= len(chosen(every)) * 0.9


def test_a_rollback_that_is_killed_anywhere_leads_to_one_of_the_two(scene: Scene) -> None:
    names = (*WATCHED, *WAITS)

    def synced(number: int) -> None:
        scene.lock(number)
        assert scene.run("sync").returncode == 0

    synced(FIRST)
    synced(FIRST + 1)
    reference = scene.kept()
    assert not scene.traced("own", names, "rollback")
    assert scene.works() == f"2.{FIRST}+cpu"
    every, hits = points(scene.log, "own", names), []
    for number, kill in enumerate(chosen(every)):
        old, new = (f"2.{FIRST + 2 * number + one}+cpu" for one in (2, 3))
        synced(FIRST + 2 * number + 2)
        synced(FIRST + 2 * number + 3)
        if scene.traced("own", names, "rollback", kill=kill):
            hits.append(struck(scene, kill))
        assert scene.works() in (old, new), kill
        if scene.works() == new:
            assert scene.run("rollback").returncode == 0, kill
        assert scene.works() == old, kill
        assert scene.run("sync").returncode == 0, kill
        assert scene.works() == new, kill
        assert (scene.kept(), states(scene)) == (reference, {"right"}), kill
    told("rollback", every, hits, len(chosen(every)) - len(hits))
    assert len(hits) >= len(chosen(every)) * 0.9
