"""What was read is kept, asked again only when due, and said with its date where it cannot be asked again."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from firstlight.catalog import store as store_module
from firstlight.catalog.index import Catalog
from firstlight.catalog.model import IndexFile
from firstlight.project.model import Sources
from tests.catalog.conftest import Make, names, page, trouble
from tests.catalog.server import HTML, Server, failing, in_turn, kept, told

WHEEL = "torch-2.14.0+rocm10.1.0-cp312-cp312-linux_x86_64.whl"
PAGE = f"<a href='{WHEEL}'>x</a>"
AT = "/simple/torch/"


class Clock:
    """The time of day, as the catalog sees it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.ahead = 0.0
        real = time.time
        monkeypatch.setattr(time, "time", lambda: real() + self.ahead)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


def files(tmp_path: Path) -> list[Path]:
    return sorted((tmp_path / "cache" / "catalog").iterdir())


def test_nothing_is_asked_or_made_before_a_question(server: Server, catalog: Make, tmp_path: Path) -> None:
    catalog()
    assert server.asked == []
    assert not (tmp_path / "cache").exists()


def test_a_page_is_asked_for_once(server: Server, catalog: Make) -> None:
    server.routes[AT] = kept(PAGE)
    one = catalog()
    assert one.page(server.url(), "torch") is one.page(server.url(), "Torch")
    assert names(catalog().page(server.url("/simple"), "torch")) == [WHEEL]
    assert server.paths() == [AT]


def test_after_ten_minutes_it_is_asked_whether_the_page_still_holds(
    server: Server, catalog: Make, clock: Clock
) -> None:
    server.routes[AT] = kept(PAGE, Last_Modified="Mon, 30 Nov 2026 00:00:00 GMT", Cache_Control="max-age=86400")
    first = page(catalog().page(server.url(), "torch"))
    clock.ahead = 590
    assert page(catalog().page(server.url(), "torch")).as_of == first.as_of
    clock.ahead = 610
    again = page(catalog().page(server.url(), "torch"))
    assert again.as_of == pytest.approx(first.as_of + 610, abs=5)
    assert (again.files, again.stale) == (first.files, False)
    assert len(server.asked) == 2
    assert server.asked[1].headers["if-none-match"].startswith('"')
    assert server.asked[1].headers["if-modified-since"] == "Mon, 30 Nov 2026 00:00:00 GMT"
    clock.ahead = 1190
    page(catalog().page(server.url(), "torch"))
    assert len(server.asked) == 2, "a 304 renews"


def test_a_page_that_changed_replaces_the_old_one(server: Server, catalog: Make, clock: Clock) -> None:
    server.routes[AT] = kept(PAGE)
    catalog().page(server.url(), "torch")
    server.routes[AT] = kept("<a href=torch-3-py3-none-any.whl>")
    clock.ahead = 610
    assert names(catalog().page(server.url(), "torch")) == ["torch-3-py3-none-any.whl"]
    assert names(catalog(offline=True).page(server.url(), "torch")) == ["torch-3-py3-none-any.whl"]


@pytest.mark.parametrize(
    ("said", "seconds"),
    [
        ("max-age=60", 60),
        ('public, MAX-AGE="30"', 30),
        ("max-age=0", 0),
        ("no-cache, no-store", 600),
        ("max-age=x", 600),
        ("max-age=9e9", 600),
    ],
)
def test_how_long_a_page_holds(said: str, seconds: int, server: Server, catalog: Make, clock: Clock) -> None:
    server.routes[AT] = kept(PAGE, Cache_Control=said)
    catalog().page(server.url(), "torch")
    for ahead, asked in ((seconds - 5, 1), (seconds + 5, 2)):
        if ahead > 0:
            clock.ahead = ahead
            catalog().page(server.url(), "torch")
            assert len(server.asked) == asked


def test_a_clock_that_was_wrong_does_not_keep_a_page_for_ever(server: Server, catalog: Make, clock: Clock) -> None:
    server.routes[AT] = kept(PAGE)
    clock.ahead = 1e9
    catalog().page(server.url(), "torch")
    clock.ahead = 0
    catalog().page(server.url(), "torch")
    assert len(server.asked) == 2


def test_offline_the_last_page_stands_with_its_date(server: Server, catalog: Make, clock: Clock) -> None:
    server.routes[AT] = kept(PAGE)
    first = page(catalog().page(server.url(), "torch"))
    assert not page(catalog(offline=True).page(server.url(), "torch")).stale
    clock.ahead = 90 * 86400
    old = page(catalog(offline=True).page(server.url(), "torch"))
    assert (old.stale, old.as_of, old.files) == (True, first.as_of, first.files)
    trouble(old.trouble, "offline")
    trouble(catalog(offline=True).page(server.url(), "numpy"), "offline")
    trouble(catalog(offline=True).links(server.url("/l")), "offline")
    assert len(server.asked) == 1


@pytest.mark.parametrize("status", [500, 503, 429, 418])
def test_a_failing_server_leaves_the_last_page(status: int, server: Server, catalog: Make, clock: Clock) -> None:
    server.routes[AT] = in_turn(kept(PAGE), failing(status))
    catalog().page(server.url(), "torch")
    clock.ahead = 700
    old = page(catalog().page(server.url(), "torch"))
    assert old.stale
    assert f"status {status}" in trouble(old.trouble, "server-error").text.en


def test_an_unreachable_server_leaves_the_last_page(server: Server, catalog: Make, clock: Clock) -> None:
    server.routes[AT] = kept(PAGE)
    url = server.url()
    catalog().page(url, "torch")
    server.server_close()
    server.shutdown()
    clock.ahead = 700
    old = page(catalog().page(url, "torch"))
    assert old.stale
    assert "Connection refused" in trouble(old.trouble, "unreachable").text.en
    assert str(server.port) in trouble(catalog().page(url, "numpy"), "unreachable").subject


@pytest.mark.parametrize(("status", "kind"), [(401, "denied"), (403, "denied"), (404, "not-there"), (410, "not-there")])
def test_what_the_index_says_now_counts_more_than_what_it_said(
    status: int, kind: str, server: Server, catalog: Make, clock: Clock
) -> None:
    server.routes[AT] = in_turn(kept(PAGE), failing(status))
    catalog().page(server.url(), "torch")
    clock.ahead = 700
    trouble(catalog().page(server.url(), "torch"), kind)  # type: ignore[arg-type]


def test_that_a_project_is_not_there_holds_for_a_minute(server: Server, catalog: Make, clock: Clock) -> None:
    for ahead, asked in ((0, 1), (50, 1), (70, 2)):
        clock.ahead = ahead
        trouble(catalog().page(server.url(), "torch"), "not-there")
        assert len(server.asked) == asked
    assert "if-none-match" not in server.asked[1].headers
    clock.ahead = 9999
    trouble(catalog(offline=True).page(server.url(), "torch"), "not-there")


def test_damaged_entries_are_as_if_absent(server: Server, catalog: Make, tmp_path: Path) -> None:
    server.routes[AT] = kept(PAGE)
    catalog().page(server.url(), "torch")
    (entry,) = files(tmp_path)
    whole = entry.read_bytes()
    damages = [b"", whole[:5], whole[:-1], whole + b"x", bytes(reversed(whole))]
    damages += [whole[:at] + bytes([whole[at] ^ 4]) + whole[at + 1 :] for at in range(0, len(whole), 23)]
    for damage in damages:
        entry.write_bytes(damage)
        trouble(catalog(offline=True).page(server.url(), "torch"), "offline")
    assert names(catalog().page(server.url(), "torch")) == [WHEEL]
    assert entry.read_bytes()[16:] != b""
    entry.unlink()
    entry.mkdir()
    assert names(catalog().page(server.url(), "torch")) == [WHEEL]


def test_entries_of_another_version_are_as_if_absent(
    server: Server, catalog: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.routes[AT] = kept(PAGE)
    catalog().page(server.url(), "torch")
    monkeypatch.setattr(store_module, "__version__", "99")
    catalog().page(server.url(), "torch")
    assert len(server.asked) == 2


def test_an_entry_under_another_name_is_not_taken(server: Server, catalog: Make, tmp_path: Path) -> None:
    server.routes["*"] = kept(PAGE)
    catalog().page(server.url(), "torch")
    (first,) = files(tmp_path)
    catalog().page(server.url("/other/"), "torch")
    (second,) = set(files(tmp_path)) - {first}
    second.write_bytes(first.read_bytes())
    trouble(catalog(offline=True).page(server.url("/other/"), "torch"), "offline")


def test_no_secret_is_written(server: Server, catalog: Make, tmp_path: Path) -> None:
    server.routes["*"] = kept(PAGE)
    catalog().page(server.url(user="alice:s3cr3t-pw"), "torch")
    catalog().page(server.url("/simple/?token=s3cr3t"), "torch")
    catalog().links(server.url("/links", user="s3cr3t-token"))
    assert len(files(tmp_path)) == 3
    assert not any(b"s3cr3t" in path.read_bytes() for path in files(tmp_path))
    assert all(path.stat().st_mode & 0o077 == 0 for path in (tmp_path / "cache" / "catalog",))


def test_a_cache_on_a_read_only_disk_is_read(server: Server, catalog: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    server.routes["*"] = kept(PAGE)
    catalog().page(server.url(), "torch")

    def read_only(path: str) -> str:
        raise OSError(30, "Read-only file system", path)

    monkeypatch.setattr("firstlight.host.state.private", read_only)
    assert names(catalog().page(server.url(), "torch")) == [WHEEL]
    assert names(catalog().page(server.url("/other/"), "torch")) == [WHEEL]
    assert len(server.asked) == 2


@pytest.mark.parametrize("cache", ["/dev/null/x/catalog", "/proc/nowhere/catalog"])
def test_a_cache_that_cannot_be(cache: str, server: Server) -> None:
    server.routes[AT] = kept(PAGE)
    sources = Sources(default_indices=(), wheelhouses=(), torch_indices=())
    assert names(Catalog(sources, cache).page(server.url(), "torch")) == [WHEEL]


def test_a_full_disk_leaves_nothing_behind(
    server: Server, catalog: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.routes[AT] = kept(PAGE)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", full)
    assert names(catalog().page(server.url(), "torch")) == [WHEEL]
    assert files(tmp_path) == []


def test_entries_of_long_ago_go(server: Server, catalog: Make, tmp_path: Path) -> None:
    server.routes["*"] = kept(PAGE)
    catalog().page(server.url(), "torch")
    (old,) = files(tmp_path)
    (tmp_path / "cache" / "catalog" / "left-over").touch()
    for path in files(tmp_path):
        os.utime(path, (0, time.time() - 200 * 86400))
    catalog().page(server.url("/other/"), "torch")
    (new,) = files(tmp_path)
    assert new != old


def test_a_folder_that_others_may_write_is_not_believed(server: Server, catalog: Make, tmp_path: Path) -> None:
    server.routes[AT] = kept(PAGE)
    catalog().page(server.url(), "torch")
    (tmp_path / "cache" / "catalog").chmod(0o777)
    trouble(catalog(offline=True).page(server.url(), "torch"), "offline")


def test_by_default_the_cache_lies_where_the_user_says(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.routes[AT] = kept(PAGE)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    Catalog(Sources(default_indices=(), wheelhouses=(), torch_indices=())).page(server.url(), "torch")
    assert len(list((tmp_path / "xdg" / "firstlight" / "catalog").iterdir())) == 1


def test_a_warm_page_as_long_as_those_of_pytorch_takes_milliseconds(server: Server, catalog: Make) -> None:
    digest = "0123456789abcdef" * 4
    server.routes[AT] = kept("".join(
        f"<a href='/whl/rocm7.2/torch-2.{number}.0%2Brocm7.2-cp312-cp312-manylinux_2_28_x86_64.whl#sha256={digest}' "
        f"data-dist-info-metadata='sha256={digest}' data-core-metadata='sha256={digest}'>torch</a><br>\n"
        for number in range(2000)
    ))  # fmt: skip
    assert len(names(catalog().page(server.url(), "torch"))) == 2000

    def once() -> float:
        fresh = catalog()
        start = time.perf_counter()
        fresh.page(server.url(), "torch")
        return time.perf_counter() - start

    assert min(once() for _ in range(7)) < 0.03
    assert len(server.asked) == 1


def test_the_first_of_many_threads_asks(server: Server, catalog: Make) -> None:
    from threading import Barrier, Thread

    server.routes["*"] = kept(PAGE)
    one, barrier, found = catalog(), Barrier(12), []

    def ask() -> None:
        barrier.wait()
        found.append(one.page(server.url(), "torch"))

    threads = [Thread(target=ask) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 12
    assert len(server.asked) == 1


def test_warm_reads_at_the_same_time_over_kept_connections(server: Server, catalog: Make) -> None:
    body = "".join(f"<a href=p{number}-1-py3-none-any.whl>" for number in range(40))

    def slow(asked: object) -> object:
        time.sleep(0.05)
        return told(body, HTML)(asked)  # type: ignore[arg-type]

    server.routes["*"] = slow  # type: ignore[assignment]
    one = catalog()
    start = time.perf_counter()
    one.warm([(server.url(), f"p{number}") for number in range(40)] * 2)
    assert time.perf_counter() - start < 40 * 0.05 / 2
    assert len(server.asked) == 40
    assert server.connections <= 16
    assert all(names(one.page(server.url(), f"P{number}")) for number in range(40))
    assert len(server.asked) == 40


def test_wrong_arguments(catalog: Make) -> None:
    for index, project in (
        ("", "torch"),
        ("http://a.example", ""),
        ("http://a.example", "../x"),
        ("/x", "a/b"),
        ("/x", "é"),
    ):
        with pytest.raises(ValueError, match="needed"):
            catalog().page(index, project)
    with pytest.raises(ValueError, match="needed"):
        catalog().links("")


def test_a_file_is_a_value() -> None:
    one = IndexFile(filename="a", url="u")
    assert hash(one) == hash(IndexFile(filename="a", url="u"))
