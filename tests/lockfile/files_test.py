"""What is frozen is read back; what was touched is noticed."""

from __future__ import annotations

import hashlib
import random
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firstlight.errors import CannotTell, FirstlightError, NoError, UnreadableInput
from firstlight.lockfile.files import backend_of, dumps, parse, read, read_pylock, write
from firstlight.lockfile.freeze import chosen_route
from firstlight.lockfile.model import VERSION, BackendLock, HostConditions, Lock
from firstlight.project.model import Backend
from firstlight.project.toml_file import parse_toml
from firstlight.routes.model import TIERS, Plan, Route, RouteVerdict, Wheel
from firstlight.routes.pylock import pylock_text, wheels_of
from firstlight.words import Words

HASH = st.binary(min_size=32, max_size=32).map(bytes.hex)
NAME = st.from_regex(r"[a-z][a-z0-9]{0,9}", fullmatch=True)
TEXT = st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"]), min_size=1, max_size=20)
WHEELS = st.builds(
    lambda name, sha256, size, url: Wheel(
        name=name, version="1.0", filename=f"{name}-1.0-py3-none-any.whl", sha256=sha256, size=size,
        url=f"https://host.example/{name}-1.0-py3-none-any.whl" if url else None, source="here",
    ),
    NAME, HASH, st.none() | st.integers(0, 1 << 40), st.booleans(),
)  # fmt: skip
BACKENDS: tuple[Backend, ...] = ("rocm", "cuda", "cpu")
BACKEND_LOCKS = st.builds(
    lambda backend, route, tier, sha256, variables, local: BackendLock(
        backend=backend, route=route, tier=tier, python="3.11", pylock=f"pylock.{backend}.toml",
        pylock_sha256=sha256, variables=variables, local=tuple(local),
    ),
    st.sampled_from(BACKENDS), NAME, st.sampled_from(TIERS), HASH, st.dictionaries(NAME, TEXT, max_size=3),
    st.lists(WHEELS, max_size=3),
)  # fmt: skip
GOALS = st.dictionaries(NAME, TEXT | st.lists(TEXT, max_size=3), max_size=3)
LOCKS = st.builds(
    Lock,
    version=st.just(VERSION),
    goal=GOALS,
    host=st.builds(HostConditions, arch=NAME, libc=st.none() | TEXT, targets=st.lists(NAME, max_size=3).map(tuple),
                   kernel=st.none() | TEXT, driver=st.none() | TEXT),
    backends=st.lists(BACKEND_LOCKS, min_size=1, max_size=3, unique_by=lambda one: one.backend).map(tuple),
)  # fmt: skip


@given(LOCKS)
def test_a_lock_survives_the_way_through_its_file(lock: Lock) -> None:
    text = dumps(lock)
    assert parse(text.encode()) == lock
    assert dumps(parse(text.encode())) == text


@given(st.lists(WHEELS, min_size=1, max_size=5, unique_by=lambda one: one.name))
def test_wheels_survive_the_way_through_a_pylock(wheels: list[Wheel]) -> None:
    text = pylock_text(wheels, "3.11")
    found = wheels_of(text, (), {})
    key = {wheel.name: (wheel.filename, wheel.sha256, wheel.url) for wheel in wheels}
    assert {wheel.name: (wheel.filename, wheel.sha256, wheel.url) for wheel in found} == key
    assert pylock_text(list(reversed(wheels)), "3.11") == text


@given(st.lists(WHEELS, min_size=1, max_size=5, unique_by=lambda one: one.name))
def test_a_pylock_is_what_packaging_takes_for_one(wheels: list[Wheel]) -> None:
    from packaging.pylock import Pylock

    Pylock.from_dict(parse_toml(pylock_text(wheels, "3.11").encode(), "pylock.toml")).validate()


def small(sha256: str = "a" * 64, backend: Backend = "cpu") -> Lock:
    wheel = Wheel(name="torch", version="2.13.0+cpu", filename="torch-2.13.0+cpu-cp311-cp311-linux_x86_64.whl",
                  sha256="b" * 64, size=5, url=None, source="wheelhouse")  # fmt: skip
    frozen = BackendLock(backend=backend, route="wheelhouse-cpu", tier="local", python="3.11",
                         pylock=f"pylock.{backend}.toml", pylock_sha256=sha256, variables={},
                         local=(wheel,))  # fmt: skip
    host = HostConditions(arch="x86_64", libc="glibc 2.36", targets=(), kernel="6.1", driver=None)
    return Lock(version=VERSION, goal={"torch": ">=2"}, host=host, backends=(frozen,))


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [
        ('sha256 = "' + "b" * 64, 'sha256 = "' + "B" * 64, r"backend\[0\].local\[0\].sha256"),
        ("a" * 64, "a" * 63, r"backend\[0\].pylock_sha256"),
        ('"pylock.cpu.toml"', '"../pylock.cpu.toml"', r"backend\[0\].pylock"),
        ('"torch-2.13.0', '"../torch-2.13.0', r"backend\[0\].local\[0\].filename"),
        ('tier = "local"', 'tier = "lokal"', r"backend\[0\].tier"),
        ('python = "3.11"', 'python = "three"', r"backend\[0\].python"),
        ("size = 5", 'size = "5"', r"backend\[0\].local\[0\].size"),
        (f"version = {VERSION}", f"version = {VERSION + 1}", "newer firstlight"),
        (f"version = {VERSION}", "version = 0", "version: there was never"),
        (f"version = {VERSION}", "version = -1", "version: there was never"),
        ('arch = "x86_64"', 'arch = "\\u001b[2J"', "host.arch: .*control characters"),
        ('arch = "x86_64"', 'arch = "a\\u0000"', "host.arch: .*control characters"),
        ("[backend.variables]", '[backend.variables]\n"A=B" = "c"', r"backend\[0\].variables: `A=B`"),
        ("[backend.variables]", '[backend.variables]\nA = "b\\u0000"', r"backend\[0\].variables.A: "),
        ("[backend.build_variables]", '[backend.build_variables]\n"" = "c"', r"backend\[0\].build_variables: ``"),
        ('arch = "x86_64"', "", "host"),
        ("[goal]", "[goal", "firstlight.lock"),
    ],
)
def test_a_bad_value_is_named_by_its_path(old: str, new: str, place: str) -> None:
    text = dumps(small())
    assert old in text
    with pytest.raises(UnreadableInput, match=place):
        parse(text.replace(old, new, 1).encode())


def test_a_lock_without_an_environment_or_with_two_of_one_backend_is_none() -> None:
    text = dumps(small())
    head, mark, one = text.partition("[[backend]]")
    for wrong, place in (
        (head.replace("[goal]", "backend = []\n[goal]", 1), "backend: holds no environment"),
        (head + mark + one + "\n" + mark + one, r"backend\[1\].backend: `cpu` is there twice"),
    ):
        with pytest.raises(UnreadableInput, match=place):
            parse(wrong.encode())


PYLOCK = f"""lock-version = "1.0"
[[packages]]
name = "a"
version = "1.0"
[[packages.wheels]]
name = "a-1.0-py3-none-any.whl"
url = "https://h/a-1.0-py3-none-any.whl"
hashes = {{ sha256 = "{"a" * 64}" }}
"""


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [
        ('"1.0"\n[[', '"2.0"\n[[', "lock-version: `2.0`"),
        ('name = "a"\n', 'name = ""\n', r"packages\[0\].name"),
        ('name = "a"\n', 'name = "../a"\n', r"packages\[0\].name"),
        ('\nversion = "1.0"', '\nversion = "1\\u0000"', r"packages\[0\].version"),
        ("https://h/", "https://h/\\u0000", r"packages\[0\]: "),
        ("a" * 64, "a" * 63, "packages.a.wheels.hashes"),
    ],
)
def test_a_bad_value_in_a_pylock_is_named_by_its_path(old: str, new: str, place: str) -> None:
    assert wheels_of(PYLOCK, (), {})
    assert old in PYLOCK
    with pytest.raises(UnreadableInput, match=place):
        wheels_of(PYLOCK.replace(old, new, 1), (), {})


def test_what_is_written_is_read_and_a_touched_pylock_is_noticed(tmp_path: Path) -> None:
    text = 'lock-version = "1.0"\n'
    lock = small(hashlib.sha256(text.encode()).hexdigest())
    write(str(tmp_path), lock, text)
    assert read(str(tmp_path)) == lock
    frozen = backend_of(lock, "cpu")
    assert read_pylock(str(tmp_path), frozen) == text
    (tmp_path / "pylock.cpu.toml").write_text(text + "\n")
    with pytest.raises(NoError, match="not the file that was locked"):
        read_pylock(str(tmp_path), frozen)
    (tmp_path / "pylock.cpu.toml").unlink()
    with pytest.raises(NoError, match="missing"):
        read_pylock(str(tmp_path), frozen)
    assert not [path for path in tmp_path.iterdir() if path.suffix == ".tmp"]


def test_other_backends_are_kept(tmp_path: Path) -> None:
    digest = hashlib.sha256(b"x").hexdigest()
    write(str(tmp_path), small(digest), "x")
    write(str(tmp_path), small(digest, backend="rocm"), "x")
    assert [one.backend for one in read(str(tmp_path)).backends] == ["rocm", "cpu"]
    with pytest.raises(NoError, match="cuda"):
        backend_of(read(str(tmp_path)), "cuda")


def test_no_lock_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(UnreadableInput, match=r"there is no firstlight\.lock") as caught:
        read(str(tmp_path))
    assert caught.value.next is not None
    assert "firstlight lock" in caught.value.next.en


def test_text_that_was_not_frozen_is_not_written(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="frozen"):
        write(str(tmp_path), small(), "other")
    assert not list(tmp_path.iterdir())


def test_mutated_locks_are_taken_or_refused() -> None:
    """Structure-aware, with a fixed seed: lines moved, cut, doubled; values swapped for others of the file."""
    chance = random.Random(7)
    text = dumps(small())
    pieces = ["[", '"', "\0", "[[backend]]\n", "= 1\n", "{}", "-1", "9" * 400, "[" * 300, "é", 'version = "1"\n', "../"]
    taken = refused = 0
    for _ in range(1500):
        lines = text.splitlines(keepends=True)
        for _ in range(chance.randrange(1, 4)):
            place = chance.randrange(len(lines))
            what = chance.randrange(5)
            if what == 0:
                lines[place] = lines[place][: chance.randrange(len(lines[place]) + 1)] + chance.choice(pieces)
            elif what == 1:
                lines.insert(place, chance.choice(lines))
            elif what == 2 and len(lines) > 1:
                lines.pop(place)
            elif what == 3:
                key, _, _ = lines[place].partition("=")
                lines[place] = (
                    f"{key}= {chance.choice(['1', 'true', '[]', '{}', '1.5', '2020-01-01', quoted(chance)])}\n"
                )
            else:
                chance.shuffle(lines)
        try:
            lock = parse("".join(lines).encode("utf-8", "replace"))
            taken += 1
            assert msgspec.json.encode(lock)
        except FirstlightError:
            refused += 1
    assert taken > 50
    assert refused > 500


def quoted(chance: random.Random) -> str:
    return '"' + "".join(chance.choice("ab/.0é") for _ in range(chance.randrange(70))) + '"'


@pytest.mark.parametrize(("verdict", "error"), [("unknown", CannotTell), ("blocked", NoError)])
def test_without_a_route_the_exit_code_is_that_of_the_plan(verdict: RouteVerdict, error: type[FirstlightError]) -> None:
    route = Route(name="r", tier="local", backend="cpu", verdict=verdict, because=())
    why = Words("none", "无")
    with pytest.raises(error, match="nothing to lock"):
        chosen_route(Plan(backend="cpu", routes=(route,), chosen=None, why=why))


def test_both_files_are_written_or_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = pylock_text((), "3.11")
    write(str(tmp_path), small(hashlib.sha256(text.encode()).hexdigest()), text)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    calls = iter(range(9))

    def full(_: int) -> None:
        if next(calls) == 1:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    new = pylock_text((), "3.12")
    with pytest.raises(NoError, match="No space left"):
        write(str(tmp_path), small(hashlib.sha256(new.encode()).hexdigest()), new)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before
