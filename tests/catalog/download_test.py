"""Whole files, sizes and speed."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from firstlight.catalog import speed
from firstlight.catalog.address import file_url
from tests.catalog.cache_test import Clock
from tests.catalog.conftest import Make, names, trouble, wheel_at
from tests.catalog.distributions import digest, wheel
from tests.catalog.server import Server, Told, failing, in_turn, moved, ranged, serving, told

DATA = os.urandom(300_000)
AT = "/f/x.whl"


def only(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "into").mkdir()
    return tmp_path / "into"


def test_a_file_is_checked_and_then_there(server: Server, catalog: Make, folder: Path) -> None:
    server.routes[AT] = told(DATA)
    file = wheel_at(server.url(AT), sha256=digest(DATA), size=len(DATA))
    (folder / "x.part").write_text("left over")
    assert catalog().fetch(file, str(folder / "x")) is None
    assert (folder / "x").read_bytes() == DATA
    assert only(folder) == ["x"]
    assert server.asked[0].headers["accept-encoding"] == "identity"


def test_it_is_on_the_disk_before_it_has_its_name(
    server: Server, catalog: Make, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[str] = []
    sync, rename = os.fsync, os.replace

    def synced(number: int) -> None:
        calls.append("sync")
        sync(number)

    def renamed(old: str, new: str) -> None:
        calls.append("rename")
        rename(old, new)

    monkeypatch.setattr("os.fsync", synced)
    monkeypatch.setattr("os.replace", renamed)
    server.routes[AT] = told(DATA)
    assert catalog().fetch(wheel_at(server.url(AT)), str(folder / "x")) is None
    assert calls == ["sync", "rename", "sync"]


@pytest.mark.parametrize(
    ("said", "kind"),
    [({"sha256": "0" * 64}, "wrong-hash"), ({"size": 299_999}, "wrong-hash"), ({"size": 300_001}, "wrong-hash")],
)
def test_a_wrong_file_leaves_what_was_there(
    said: dict[str, object], kind: str, server: Server, catalog: Make, folder: Path
) -> None:
    (folder / "x").write_text("before")
    server.routes[AT] = told(DATA)
    trouble(catalog().fetch(wheel_at(server.url(AT), **said), str(folder / "x")), kind)  # type: ignore[arg-type]
    assert only(folder) == ["x"]
    assert (folder / "x").read_text() == "before"


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (Told(404), "not-there"),
        (Told(401), "denied"),
        (Told(500), "server-error"),
        (Told(206, DATA), "server-error"),
        (Told(fault="drop"), "unreachable"),
        (Told(200, DATA, fault="truncate"), "unreachable"),
    ],
)
def test_a_file_that_does_not_come(answer: Told, kind: str, server: Server, catalog: Make, folder: Path) -> None:
    server.routes[AT] = lambda _: answer
    trouble(catalog().fetch(wheel_at(server.url(AT)), str(folder / "x")), kind)  # type: ignore[arg-type]
    trouble(catalog(offline=True).fetch(wheel_at(server.url(AT)), str(folder / "x")), "offline")
    assert only(folder) == []


def test_a_file_that_breaks_off_is_tried_once_more(server: Server, catalog: Make, folder: Path) -> None:
    server.routes[AT] = in_turn(lambda _: Told(200, DATA, fault="truncate"), moved("/other"))
    server.routes["/other"] = told(DATA)
    assert catalog().fetch(wheel_at(server.url(AT), sha256=digest(DATA)), str(folder / "x")) is None
    assert (folder / "x").read_bytes() == DATA


def test_a_file_of_this_disk(catalog: Make, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "a.whl").write_bytes(DATA)
    file = wheel_at(file_url(str(tmp_path / "a.whl")), sha256=digest(DATA))
    assert catalog(offline=True).fetch(file, str(folder / "x")) is None
    assert (folder / "x").read_bytes() == DATA
    trouble(catalog().fetch(wheel_at(file_url(str(tmp_path / "b.whl"))), str(folder / "y")), "not-there")


def test_a_path_that_cannot_be_written(server: Server, catalog: Make, folder: Path) -> None:
    server.routes[AT] = told(DATA)
    with pytest.raises(FileNotFoundError):
        catalog().fetch(wheel_at(server.url(AT)), str(folder / "none" / "x"))
    (folder / "aim").write_text("kept")
    (folder / "x.part").symlink_to(folder / "aim")
    with pytest.raises(OSError, match="symbolic links"):
        catalog().fetch(wheel_at(server.url(AT)), str(folder / "x"))
    assert (folder / "aim").read_text() == "kept"


def test_sizes(server: Server, catalog: Make) -> None:
    server.routes.update(
        {"/a": told(b"x" * 7), "/b": failing(404), "/c": failing(403), "/d": told(b"", Content_Length="junk")}
    )
    files = [wheel_at(server.url(path)) for path in ("/a", "/b", "/c", "/d", "/a")]
    files.append(wheel_at("https://nowhere.invalid/x", size=9))
    wanted = {server.url("/a"): 7, "https://nowhere.invalid/x": 9}
    assert catalog().sizes(files) == wanted
    assert server.paths("HEAD").count("/a") == 1
    assert catalog(offline=True).sizes(files) == wanted
    assert catalog().sizes([]) == {}


def test_speed_is_measured_once_a_day_for_each_host(
    server: Server, catalog: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock(monkeypatch)
    server.routes["*"] = ranged(os.urandom(6 << 20))
    first = catalog().bandwidth(server.url("/a"))
    assert first is not None
    assert first > 1e6
    assert server.asked[0].headers["range"] == f"bytes=0-{(4 << 20) - 1}"
    assert catalog().bandwidth(server.url("/b")) == first
    clock.ahead = 86_000
    assert catalog().bandwidth(server.url("/b")) == first
    assert len(server.asked) == 1
    clock.ahead = 87_000
    catalog().bandwidth(server.url("/b"))
    assert len(server.asked) == 2
    assert catalog(offline=True).bandwidth(server.url("/a")) is None
    with serving() as other:
        assert catalog().bandwidth(other.url("/a")) is None, "it has no such file"
        assert catalog().bandwidth("file:///x") is None


def test_speed_takes_a_second_at_most_and_4_mib(server: Server, catalog: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    server.routes["/ignores-range"] = told(b"x" * (64 << 20))
    assert catalog().bandwidth(server.url("/ignores-range")) is not None
    monkeypatch.setattr(speed, "SECONDS", 0.2)
    with serving() as slow:
        slow.routes["/slow"] = lambda _: Told(200, b"x" * 100, fault="drip")
        start = time.perf_counter()
        assert catalog().bandwidth(slow.url("/slow")) is None, "too little to tell"
        assert time.perf_counter() - start < 1


def test_indices_on_this_disk(catalog: Make, tmp_path: Path) -> None:
    page = tmp_path / "simple" / "torch" / "index.html"
    page.parent.mkdir(parents=True)
    page.write_text(
        "<a href='../../files/torch-1%2Bcpu-py3-none-any.whl'>x</a><a href='https://a.example/torch-2.tar.gz'>"
    )
    for index in (str(tmp_path / "simple"), file_url(str(tmp_path / "simple")) + "/"):
        assert names(catalog(offline=True).page(index, "torch")) == ["torch-1+cpu-py3-none-any.whl", "torch-2.tar.gz"]
        trouble(catalog().page(index, "numpy"), "not-there")
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "torch-1+cpu-py3-none-any.whl").write_bytes(wheel())
    (tmp_path / "files" / "README").touch()
    assert names(catalog().links(str(tmp_path / "files"))) == ["torch-1+cpu-py3-none-any.whl"]
    assert len(names(catalog().links(file_url(str(page))))) == 2
    trouble(catalog().links(str(tmp_path / "none")), "not-there")
    page.write_text("<a href='torch-1-py3-none-any.whl#sha256=junk'>")
    trouble(catalog().page(str(tmp_path / "simple"), "torch"), "damaged-index")


def test_what_is_no_file_does_not_keep_us_waiting(catalog: Make, folder: Path) -> None:
    pipe = folder / "torch-1-py3-none-any.whl"
    os.mkfifo(pipe)
    (folder / "torch").mkdir()
    os.mkfifo(folder / "torch" / "index.html")
    file = wheel_at(file_url(str(pipe)), "torch-1-py3-none-any.whl")
    trouble(catalog().fetch(file, str(folder / "x")), "not-there")
    trouble(catalog().metadata(file), "not-there")
    trouble(catalog().page(str(folder), "torch"), "not-there")
