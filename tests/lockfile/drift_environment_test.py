"""Each kind of difference planted in an environment is found, and nothing else is."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from firstlight.errors import UnreadableInput
from firstlight.lockfile import drift as drift_module
from firstlight.lockfile import env_tree, hashing
from firstlight.lockfile.drift import compare_environment, read_locked
from firstlight.lockfile.drift_environment import InUse
from firstlight.progress import Silent

from .planted_environment import BACKEND, ID, SHA, Planted, locked

TORCH = "torch/__init__.py"
INFO = "torch-2.13.0+cpu.dist-info"


@pytest.fixture
def planted(tmp_path: Path) -> Planted:
    return Planted(tmp_path)


def test_an_environment_as_it_was_installed_does_not_differ(planted: Planted) -> None:
    assert planted.kinds() == planted.kinds(deep=True) == set()
    quick = compare_environment(locked(), ID, planted.in_use(), {}, Silent(), deep=False).checked
    deep = compare_environment(locked(), ID, planted.in_use(), {}, Silent(), deep=True).checked
    assert (quick.distributions, quick.files, quick.hashed) == (4, 21, 0)
    assert deep.hashed == 17  # all but the four RECORDs themselves


def test_what_running_python_leaves_is_no_difference(planted: Planted) -> None:
    cache = planted.site / "torch/__pycache__"
    cache.mkdir()
    (cache / "__init__.cpython-311.pyc").write_bytes(b"\0")
    (cache / "kernel.nbi").write_bytes(b"\0")
    assert planted.kinds() == set()


def same_size(planted: Planted) -> None:
    path = planted.site / TORCH
    path.write_text(path.read_text().replace("2.13", "2.99"))


def same_size_and_time(planted: Planted) -> None:
    path = planted.site / TORCH
    before = path.stat()
    same_size(planted)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def other_size(planted: Planted) -> None:
    with (planted.site / TORCH).open("a") as file:
        file.write("#\n")


def missing(planted: Planted) -> None:
    (planted.site / TORCH).unlink()


def link(planted: Planted) -> None:
    (planted.site / TORCH).unlink()
    (planted.site / TORCH).symlink_to("/etc/hostname")


def linked_folder(planted: Planted) -> None:
    shutil.move(planted.site / "torch", planted.root.parent / "moved")
    (planted.site / "torch").symlink_to(planted.root.parent / "moved")


def pipe(planted: Planted) -> None:
    (planted.site / TORCH).unlink()
    os.mkfifo(planted.site / TORCH)


def added(planted: Planted) -> None:
    (planted.site / "torch/extra.py").write_text("")


def added_folder(planted: Planted) -> None:
    (planted.site / "torch/mine/deep").mkdir(parents=True)
    (planted.site / "torch/mine/a.py").write_text("")
    (planted.site / "torch/mine/deep/b.py").write_text("")


def added_module(planted: Planted) -> None:
    (planted.site / "mine.py").write_text("")


def startup(planted: Planted) -> None:
    (planted.site / "zz.pth").write_text("import os\n")


def version(planted: Planted) -> None:
    shutil.rmtree(planted.site / INFO)
    planted.install("torch", "2.14.0+cpu")


def gone(planted: Planted) -> None:
    record = (planted.site / INFO / "RECORD").read_text()
    for row in record.splitlines():
        (planted.site / row.split(",")[0]).unlink(missing_ok=True)
    shutil.rmtree(planted.site / "torch")
    (planted.site / INFO).rmdir()


def extra(planted: Planted) -> None:
    planted.install("pip", "26.1")


def twice(planted: Planted) -> None:
    planted.install("torch", "2.12.0+cpu")
    (planted.site / TORCH).write_text("version = '2.13.0+cpu'\n")


def again(planted: Planted) -> None:
    planted.install("torch", "2.13.0+cpu")


def outside(planted: Planted) -> None:
    with (planted.site / INFO / "RECORD").open("a") as file:
        file.write("../../../../../../../../etc/passwd,,\n/etc/hostname,,\n")


def without_record(planted: Planted) -> None:
    (planted.site / INFO / "RECORD").unlink()


def bad_record(planted: Planted) -> None:
    (planted.site / INFO / "RECORD").write_text("torch/__init__.py,md5=abc,1\n")


def python_gone(planted: Planted) -> None:
    (planted.root / "bin/python3.11").unlink()


def python_swapped(planted: Planted) -> None:
    (planted.root / "bin/python").unlink()
    (planted.root / "bin/python").symlink_to(sys.executable)


def configuration(planted: Planted) -> None:
    with (planted.root / "pyvenv.cfg").open("a") as file:
        file.write("include-system-site-packages = true\n")


def egg(planted: Planted) -> None:
    (planted.site / "old-1.0-py3.11.egg-info").write_text("Name: old\n")


PLANTS: list[tuple[Callable[[Planted], None], set[tuple[str, str]]]] = [
    (same_size, {("file-changed", TORCH)}),
    (same_size_and_time, {("file-changed", TORCH)}),
    (other_size, {("file-changed", TORCH)}),
    (missing, {("file-missing", TORCH)}),
    (link, {("file-link", TORCH)}),
    (linked_folder, {("file-link", "torch")}),
    (pipe, {("file-link", TORCH)}),
    (added, {("file-added", "torch/extra.py")}),
    (added_folder, {("file-added", "torch/mine/")}),
    (added_module, {("file-added", "mine.py")}),
    (startup, {("file-added", "zz.pth")}),
    (version, {("distribution-version", "torch")}),
    (gone, {("distribution-missing", "torch")}),
    (extra, {("distribution-extra", "pip")}),
    (twice, {("distribution-extra", "torch")}),
    (again, {("distribution-reinstalled", "torch")}),
    (outside, {("distribution-reinstalled", "torch"), ("record-outside", "/etc/hostname"),
               ("record-outside", "../../../../../../../../etc/passwd")}),
    (without_record, {("record-unreadable", "torch")}),
    (bad_record, {("record-unreadable", "torch")}),
    (python_gone, {("python", "bin/python")}),
    (python_swapped, {("python", "bin/python")}),
    (configuration, {("python", "pyvenv.cfg")}),
    (egg, {("distribution-extra", "old")}),
]  # fmt: skip


@pytest.mark.parametrize(("plant", "found"), PLANTS, ids=[plant.__name__ for plant, _ in PLANTS])
def test_a_planted_difference_is_found(
    plant: Callable[[Planted], None], found: set[tuple[str, str]], planted: Planted
) -> None:
    plant(planted)
    assert planted.kinds() == found
    for one in planted.differences():
        assert one.effect.en != one.effect.zh
        assert one.since is None or one.since >= planted.finished


def test_several_at_once_are_all_found(planted: Planted) -> None:
    for plant in (startup, extra, other_size, added_module):
        plant(planted)
    several = {
        ("file-added", "zz.pth"),
        ("file-added", "mine.py"),
        ("distribution-extra", "pip"),
        ("file-changed", TORCH),
    }
    assert planted.kinds() == several
    severities = [one.severity for one in planted.differences()]
    assert severities == sorted(severities, key=["blocking", "degrading", "advice"].index)


def test_both_sides_of_a_changed_file_are_told(planted: Planted) -> None:
    same_size(planted)
    (one,) = planted.differences()
    assert one.of == "torch"
    assert [len(side or "") for side in (one.lock, one.host)] == [len("sha256:") + 64] * 2
    assert one.lock != one.host
    assert one.since == (planted.site / TORCH).stat().st_mtime


def test_a_file_that_others_link_to_is_marked(planted: Planted) -> None:
    os.link(planted.site / TORCH, planted.root.parent / "cache")
    assert planted.kinds() == set()
    other_size(planted)
    assert [one.shared for one in planted.differences()] == [True]


def test_what_was_damaged_before_the_end_only_reading_all_tells(planted: Planted) -> None:
    same_size(planted)
    late = replace(planted.in_use(), finished=planted.finished + 1e6)
    assert planted.differences(late) == []
    assert [one.kind for one in planted.differences(late, deep=True)] == ["file-changed"]


def test_of_an_environment_that_is_not_ours_all_is_read(planted: Planted) -> None:
    foreign = InUse(folder=str(planted.root), shown="x")
    assert [one.kind for one in planted.differences(foreign)] == ["environment"]
    same_size_and_time(planted)
    assert {one.kind for one in planted.differences(foreign)} == {"environment", "file-changed"}


@pytest.mark.parametrize(
    ("used", "kind", "host"),
    [
        (InUse(folder=None, shown=None), "no-environment", None),
        (InUse(folder=None, shown="/elsewhere"), "environment", "/elsewhere"),
    ],
)
def test_no_environment(used: InUse, kind: str, host: str | None) -> None:
    found = compare_environment(locked(), ID, used, {}, Silent(), deep=False)
    assert [(one.kind, one.lock, one.host) for one in found.differences] == [(kind, ID, host)]


def test_another_locks_environment(planted: Planted) -> None:
    other = replace(planted.in_use(), id="cpu-fedcba9876543210", pylock_sha256="d" * 64)
    assert [one.since for one in planted.differences(other)] == [None]
    newer = replace(locked(), written=planted.finished + 60)
    (one,) = compare_environment(newer, ID, other, {}, Silent(), deep=False).differences
    assert (one.kind, one.since) == ("environment", planted.finished + 60)
    assert "changed after" in one.effect.en


def test_python_of_another_version(planted: Planted) -> None:
    (planted.root / "lib/python3.11").rename(planted.root / "lib/python3.12")
    (planted.root / "pyvenv.cfg").write_text("version = 3.12.1\n")
    assert ("python", "python") in planted.kinds()
    assert ("distribution-missing", "torch") not in planted.kinds()


def test_variables_that_are_needed() -> None:
    needs = replace(locked(), backend=replace(BACKEND, variables={"A": "1", "B": "2", "C": "3"}))
    none = InUse(folder=None, shown=None)
    found = compare_environment(needs, ID, none, {"A": "1", "B": "x", "D": "9"}, Silent(), deep=False)
    told = [(one.what, one.lock, one.host) for one in found.differences if one.kind == "variable"]
    assert told == [("B", "2", "x"), ("C", "3", None)]


def test_very_many_differences_are_counted(planted: Planted, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drift_module, "LISTED", 5)
    for number in range(12):
        (planted.site / f"m{number}.py").write_text("")
    found = compare_environment(locked(), ID, planted.in_use(), {}, Silent(), deep=False)
    assert (len(found.differences), found.left_out) == (5, 7)


def test_what_cannot_be_looked_into_is_said(planted: Planted, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(env_tree, "DEPTH_AT_MOST", 4)
    found = planted.differences()
    assert {one.kind for one in found} == {"unreadable"}
    assert {one.unknown for one in found} == {"too-large"}


def test_a_file_that_cannot_be_read_is_unknown(planted: Planted, monkeypatch: pytest.MonkeyPatch) -> None:
    def denied(_: str) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(hashing, "opened", denied)
    found = planted.differences(deep=True)
    assert {(one.kind, one.unknown) for one in found} == {("unreadable", "denied")}


def test_a_pylock_that_was_edited(tmp_path: Path) -> None:
    backend = replace(BACKEND, pylock_sha256=SHA)
    gone = read_locked(str(tmp_path), backend)
    assert [(one.kind, one.host) for one in gone.differences] == [("pylock", None)]
    path = tmp_path / backend.pylock
    for text, readable in (("packages = []\n", True), ("x = [", False), ("a = 1\n", False), ("\udcff", False)):
        path.write_bytes(text.encode("utf-8", "surrogateescape"))
        found = read_locked(str(tmp_path), backend)
        assert [(one.kind, one.lock, one.since) for one in found.differences] == [
            ("pylock", f"sha256:{SHA}", path.stat().st_mtime)
        ]
        assert (found.wheels is not None) == readable


def test_a_pylock_that_was_locked_damaged_is_refused(tmp_path: Path) -> None:
    import hashlib

    (tmp_path / BACKEND.pylock).write_text("a = 1\n")
    backend = replace(BACKEND, pylock_sha256=hashlib.sha256(b"a = 1\n").hexdigest())
    with pytest.raises(UnreadableInput):
        read_locked(str(tmp_path), backend)
