"""Plan, lock and sync from an index over HTTP on this machine's loopback: the ways it can serve, and fail."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from firstlight.errors import CannotTell, NoError
from firstlight.host.model import HostKind
from firstlight.lockfile.files import write
from firstlight.lockfile.freeze import chosen_route, freeze, pylock_of
from firstlight.lockfile.model import Lock
from firstlight.project.load import load
from firstlight.project.model import Project
from firstlight.routes import wheels
from firstlight.routes.model import Plan, Route
from firstlight.routes.plan import plan
from firstlight.steps.places import env_python
from firstlight.steps.sync import sync
from tests.routes.fake_facts import machine
from tests.routes.loopback import PASSWORD, USER, Index, serving
from tests.routes.tiny_wheels import LINUX, make_wheel

HERE = f"cp{sys.version_info[0]}{sys.version_info[1]}"
TORCH = f"torch-2.13.0+cpu-{HERE}-{HERE}-{LINUX}.whl"


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache for each test: what one fetched must not serve another."""
    monkeypatch.setenv("UV_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for name in ("NETRC", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def index(tmp_path: Path) -> Iterator[Index]:
    folder = tmp_path / "served"
    make_wheel(folder, "torch", "2.13.0+cpu", f"{HERE}-{HERE}-{LINUX}", requires=["filelock"])
    make_wheel(folder, "filelock", "4.0.0", "py3-none-any")
    with serving(folder) as running:
        yield running


def project(folder: Path, **environ: str) -> Project:
    root = folder / "project"
    root.mkdir(exist_ok=True)
    return load(str(root), environ={"HOME": str(folder / "home"), **environ}, etc=str(folder / "etc"))


def planned(wanted: Project) -> Plan:
    return plan(wanted, machine(kind=HostKind.LIVE))


def route(wanted: Project, name: str) -> Route:
    return next(one for one in planned(wanted).routes if one.name == name)


def locked(wanted: Project) -> Lock:
    found = planned(wanted)
    lock = freeze(wanted, machine(kind=HostKind.LIVE), found)
    return write(wanted.root, lock, pylock_of(chosen_route(found)))


def settings(index: Index, kind: str) -> dict[str, str]:
    """Torch and the rest by one way of serving; what is not under test serves nothing."""
    none = {"FIRSTLIGHT_SOURCE_PYTORCH_CPU": index.url("missing")}
    return {
        "simple": {"PIP_INDEX_URL": index.url("simple"), **none},
        "json": {"PIP_INDEX_URL": index.url("json"), **none},
        "redirect": {"PIP_INDEX_URL": index.url("redirect"), **none},
        "extra": {"PIP_INDEX_URL": index.url("simple"), "PIP_EXTRA_INDEX_URL": index.url("json"), **none},
        "links": {"PIP_INDEX_URL": index.url("simple"), "PIP_FIND_LINKS": index.url("links"), **none},
        "no-index": {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": index.url("links")},
        "source": {"PIP_INDEX_URL": index.url("json"), "FIRSTLIGHT_SOURCE_PYTORCH_CPU": index.url("simple")},
    }[kind]


@pytest.mark.parametrize(
    ("kind", "chosen"),
    [
        ("simple", "pypi"),
        ("json", "pypi"),
        ("redirect", "pypi"),
        ("extra", "pip-index"),
        ("links", "wheelhouse-cpu"),
        ("no-index", "wheelhouse-cpu"),
        ("source", "pytorch-cpu"),
    ],
)
def test_every_way_of_serving_leads_to_an_environment(tmp_path: Path, index: Index, kind: str, chosen: str) -> None:
    wanted = project(tmp_path, FIRSTLIGHT_ROUTE=chosen, **settings(index, kind))
    lock = locked(wanted)
    frozen = lock.backends[0]
    assert frozen.route == chosen
    assert not frozen.local
    assert [one.state for one in sync(wanted, lock, "cpu")] == ["done"] * 3
    assert env_python(wanted) is not None


def test_sizes_dates_and_time_are_told_where_the_index_tells_them(tmp_path: Path, index: Index) -> None:
    told = project(tmp_path, FIRSTLIGHT_MEGABITS="0.001", **settings(index, "json"))
    assert route(told, "pypi").download_bytes == sum(path.stat().st_size for path in index.folder.glob("*.whl"))
    assert route(told, "pypi").minutes
    slow = route(project(tmp_path, **settings(index, "json")), "pypi")
    assert (slow.minutes, slow.because[-1].subject) == (None, "megabits")
    asked = route(project(tmp_path, **settings(index, "simple")), "pypi")
    assert (asked.download_bytes, asked.minutes) == (route(told, "pypi").download_bytes, None)


@pytest.mark.parametrize("kind", ["simple", "source", "links", "extra"])
def test_a_password_is_lent_to_uv_and_shown_to_nobody(tmp_path: Path, index: Index, kind: str) -> None:
    private = {
        name: url.replace("/simple", "/private/simple").replace("/links", "/private/links")
        .replace("/json", "/private/json").replace("//", f"//{USER}:{PASSWORD}@", 1)
        for name, url in settings(index, kind).items()
    }  # fmt: skip
    wanted = project(tmp_path, **private)
    lock = locked(wanted)
    sync(wanted, lock, "cpu")
    assert env_python(wanted) is not None
    assert any("/private/files/torch" in path for path in index.asked)
    for path in _files(Path(wanted.root)):
        assert PASSWORD.encode() not in path.read_bytes(), path
    for one in planned(wanted).routes:
        assert PASSWORD not in repr(one)


def _files(folder: Path) -> Iterator[Path]:
    for here, _, names in os.walk(folder):
        yield from (Path(here) / name for name in names if (Path(here) / name).is_file())


def test_a_password_of_netrc_serves_too(tmp_path: Path, index: Index) -> None:
    (tmp_path / "home").mkdir()
    netrc = tmp_path / "home/.netrc"
    netrc.write_text(f"machine 127.0.0.1 login {USER} password {PASSWORD}\n")
    netrc.chmod(0o600)
    url = index.url("private/simple")
    wanted = project(tmp_path, PIP_INDEX_URL=url, FIRSTLIGHT_SOURCE_PYTORCH_CPU=url)
    sync(wanted, locked(wanted), "cpu")
    assert env_python(wanted) is not None


@pytest.mark.parametrize("password", ["", "wr0ng-pw"])
def test_a_refused_password_is_not_a_missing_package(tmp_path: Path, index: Index, password: str) -> None:
    url = index.url("private/simple", user=USER if password else "", password=password)
    found = route(
        project(tmp_path, PIP_INDEX_URL=index.url("simple"), FIRSTLIGHT_SOURCE_PYTORCH_CPU=url), "pytorch-cpu"
    )
    assert (found.verdict, found.because[0].kind) == ("unknown", "denied")
    assert not password or password not in repr(found)


@pytest.mark.parametrize(
    ("fault", "answer"),
    [
        ("missing", ("blocked", "not-there")),
        ("broken", ("unknown", "server-error")),
        ("busy", ("unknown", "server-error")),
        ("hang", ("unknown", "unreachable")),
    ],
)
def test_faults_of_an_index_are_told_apart(
    tmp_path: Path, index: Index, monkeypatch: pytest.MonkeyPatch, fault: str, answer: tuple[str, str]
) -> None:
    monkeypatch.setattr(wheels, "HTTP_SECONDS", "1")
    url = index.url(fault)
    found = planned(project(tmp_path, PIP_INDEX_URL=index.url("simple"), FIRSTLIGHT_SOURCE_PYTORCH_CPU=url))
    torch = next(one for one in found.routes if one.name == "pytorch-cpu")
    assert (torch.verdict, torch.because[0].kind) == answer
    assert found.chosen == "pypi"


def test_a_wrong_hash_is_seen_while_planning_and_the_old_environment_kept(tmp_path: Path, index: Index) -> None:
    good = project(tmp_path, **settings(index, "simple"))
    sync(good, locked(good), "cpu")
    before = os.readlink(tmp_path / "project/.firstlight/env")
    make_wheel(index.folder, "torch", "2.14.0+cpu", f"{HERE}-{HERE}-{LINUX}", requires=["filelock"])
    lying = project(tmp_path, PIP_INDEX_URL=index.url("simple"), FIRSTLIGHT_SOURCE_PYTORCH_CPU=index.url("lies"),
                    FIRSTLIGHT_ROUTE="pytorch-cpu")  # fmt: skip
    assert route(lying, "pytorch-cpu").because[0].kind == "wrong-hash"
    with pytest.raises(CannotTell):
        locked(lying)
    assert os.readlink(tmp_path / "project/.firstlight/env") == before
    assert os.listdir(tmp_path / "project/.firstlight/envs") == [os.path.basename(before)]


def test_a_wheel_that_vanished_after_the_lock_is_named(tmp_path: Path, index: Index) -> None:
    wanted = project(tmp_path, **settings(index, "json"))
    lock = locked(wanted)
    content = (index.folder / TORCH).read_bytes()
    (index.folder / TORCH).unlink()
    with pytest.raises(NoError, match="no longer") as caught:
        sync(wanted, lock, "cpu")
    assert caught.value.why is not None
    assert "torch" in caught.value.why.en
    (index.folder / TORCH).write_bytes(content)
    sync(wanted, lock, "cpu")
    assert env_python(wanted) is not None


def test_offline_lives_on_what_was_fetched(tmp_path: Path, index: Index) -> None:
    said = settings(index, "json")
    offline = project(tmp_path, FIRSTLIGHT_OFFLINE="1", **said)
    assert route(offline, "pypi").because[0].kind == "offline"
    wanted = project(tmp_path, **said)
    lock = locked(wanted)
    with pytest.raises(NoError, match="offline"):
        sync(offline, lock, "cpu")
    sync(wanted, lock, "cpu")
    before = len(index.asked)
    assert planned(offline).chosen == "pypi"
    sync(offline, lock, "cpu")
    assert len(index.asked) == before
