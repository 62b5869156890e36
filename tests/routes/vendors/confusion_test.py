"""Each name comes from one place: no other index, file or address takes it over, and none is lost on the way."""

from __future__ import annotations

import http.client
from collections.abc import Iterator
from pathlib import Path

import pytest

from firstlight.project.settings import Flags
from firstlight.routes.family import is_family
from firstlight.routes.model import Plan

from .distribution import Dist
from .own_index import OwnIndex, own_index
from .planning import chosen_of, kinds, planned, route_of, versions
from .server import Vendors

ROUTE = "pytorch-cpu"
MINE = Dist(name="mylib", version="1.0", requires=("filelock",))
EVIL = Dist(name="filelock", version="99.0")


@pytest.fixture
def other() -> Iterator[OwnIndex]:
    with own_index("/other", MINE, EVIL) as found:
        yield found


def _sources(found: Plan) -> dict[str, tuple[str, str]]:
    return {wheel.name: (wheel.version, wheel.source) for wheel in chosen_of(found).wheels}


@pytest.mark.parametrize("status", [401, 403, 407, 500, 503])
def test_an_index_that_refuses_a_name_does_not_give_it_away(
    status: int, tmp_path: Path, vendors: Vendors, other: OwnIndex
) -> None:
    """uv takes 401 and 403 for a no, and would say that the package is not there."""
    with other.before(vendors.root, {"/simple/filelock/": status}) as main:
        changed, environ = {"pypi": f"{main}/simple/"}, {"PIP_EXTRA_INDEX_URL": other.url}
        found = planned("cpu", tmp_path, vendors, changed=changed, environ=environ)
    assert found.chosen is None
    assert route_of(found, ROUTE).verdict == "unknown"


@pytest.mark.parametrize("how", ["source", "pip", "uv", "find-links"])
@pytest.mark.parametrize("machine", ["cpu", "gfx1151"])
def test_a_name_that_the_main_index_lacks_is_had_elsewhere(
    machine: str, how: str, tmp_path: Path, vendors: Vendors, other: OwnIndex
) -> None:
    """Also beside an index that states no hashes: AMD's for ROCm 7.14."""
    changed = {"mine": other.url} if how == "source" else {}
    environ = {
        "pip": {"PIP_EXTRA_INDEX_URL": other.url},
        "uv": {"UV_EXTRA_INDEX_URL": other.url},
        "find-links": {"PIP_FIND_LINKS": str(other.folder(tmp_path / "house"))},
    }
    found = planned(machine, tmp_path, vendors, changed=changed, environ=environ.get(how), flags=_wants("mylib"))
    for name in (ROUTE,) if machine == "cpu" else ("amd-rocm10", "amd-rocm7.14"):
        route = route_of(found, name)
        assert route.verdict == "works", route.because
        assert versions(route)["mylib"] == "1.0"
        assert versions(route)["filelock"] == "4.3.1"


def _wants(*packages: str) -> Flags:
    return Flags(packages=packages)


def test_a_constraints_file_adds_no_index(tmp_path: Path, vendors: Vendors, other: OwnIndex) -> None:
    """pip and uv would take `--extra-index-url` from it, and ask that index for every name."""
    house = other.folder(tmp_path / "house")
    inner, outer = tmp_path / "inner.txt", tmp_path / "outer.txt"
    inner.write_text(f"-f {house}\nfsspec<2026.9.1\n--pre\n")
    outer.write_text(f"--extra-index-url \\\n  {other.url}\n-c inner.txt\n--no-index\n")
    found = planned("cpu", tmp_path, vendors, environ={"PIP_CONSTRAINT": str(outer)})
    assert _sources(found)["filelock"] == ("4.3.1", "pypi")
    note = next(link for link in chosen_of(found).because if link.kind == "option-left-out")
    assert note.subject == "--extra-index-url, --no-index, -f, --pre"


def test_constraints_on_the_network_are_followed_and_add_no_index(
    tmp_path: Path, vendors: Vendors, other: OwnIndex
) -> None:
    other.texts["/c.txt"] = f"--index-url {other.url}\n-r more.txt\n"
    other.texts["/more.txt"] = "filelock<4\n"
    found = planned("cpu", tmp_path, vendors, environ={"PIP_CONSTRAINT": f"{other.root}/c.txt"})
    assert _sources(found)["filelock"] == ("3.20.0", "pypi")
    gone = planned("cpu", tmp_path, vendors, environ={"PIP_CONSTRAINT": f"{other.root}/gone.txt"})
    assert kinds(route_of(gone, ROUTE)) == ["not-there"]


@pytest.mark.parametrize(
    ("line", "kind"),
    [("foo bar", "bad-constraint"), ("-r gone.txt", "no-file"), ("x @ git+https://host.example/x", "by-address")],
)
def test_a_constraint_that_cannot_be_used_is_named(line: str, kind: str, tmp_path: Path, vendors: Vendors) -> None:
    path = tmp_path / "c.txt"
    path.write_text(f"# caps\n{line}\n")
    found = planned("cpu", tmp_path, vendors, environ={"PIP_CONSTRAINT": str(path)})
    reason = route_of(found, ROUTE).because[0]
    assert (found.chosen, reason.kind) == (None, kind)
    assert kind != "bad-constraint" or ("line 2" in reason.text.en and "第 2 行" in reason.text.zh)


@pytest.mark.parametrize("machine", ["cpu", "gfx1151"])
def test_a_package_by_its_address_is_that_very_file(
    machine: str, tmp_path: Path, vendors: Vendors, other: OwnIndex
) -> None:
    address = f"{other.url}filelock-99.0-py3-none-any.whl"
    found = planned(machine, tmp_path, vendors, flags=_wants(f"filelock @ {address}"))
    for name in (ROUTE,) if machine == "cpu" else ("amd-rocm10", "amd-rocm7.14"):
        wheel = next(one for one in route_of(found, name).wheels if one.name == "filelock")
        assert (wheel.version, wheel.url, wheel.source, len(wheel.sha256)) == ("99.0", address, "address", 64)


@pytest.mark.parametrize(
    "text",
    [
        "torch @ https://host.example/torch-2.14.1-cp312-cp312-linux_x86_64.whl",
        "mylib @ git+https://user:secret@host.example/x.git",
        "mylib @ file:///tmp/mylib-1.0-py3-none-any.whl",
        "mylib @ https://host.example/mylib-1.0.tar.gz",
        "mylib @ ../mylib",
    ],
)
def test_what_no_lock_can_hold_is_refused_unfetched(text: str, tmp_path: Path, vendors: Vendors) -> None:
    found = planned("cpu", tmp_path, vendors, flags=_wants(text))
    assert kinds(route_of(found, ROUTE)) == ["by-address"]
    assert "secret" not in repr(found)
    assert not vendors.paths()


def test_amds_device_wheels_of_every_package_are_its_own() -> None:
    """The default index could offer a name such as `amd-torchvision-device-gfx115x` too."""
    assert is_family("amd-torchvision-device-gfx115x")
    assert is_family("amd-torchaudio-device-gfx1100")
    assert not is_family("amd-quark")
    assert not is_family("torch-geometric")


def test_a_source_on_this_disk_that_is_gone_is_told(tmp_path: Path, vendors: Vendors) -> None:
    found = planned("cpu", tmp_path, vendors, changed={ROUTE: "nowhere/wheels"})
    assert route_of(found, ROUTE).because[0].kind == "unreadable"


def test_the_servers_here_answer(vendors: Vendors, other: OwnIndex) -> None:
    with other.before(vendors.root, {"/simple/filelock/": 403}) as main:
        connection = http.client.HTTPConnection(main.removeprefix("http://"))
        asked = {path: _status(connection, path) for path in ("/simple/filelock/", "/simple/fsspec/")}
        connection.close()
    assert asked == {"/simple/filelock/": 403, "/simple/fsspec/": 200}


def _status(connection: http.client.HTTPConnection, path: str) -> int:
    connection.request("GET", path)
    reply = connection.getresponse()
    reply.read()
    return reply.status


@pytest.mark.parametrize(
    ("dist", "kind", "word"),
    [
        (
            Dist(name="torch", version="2.14.0+cpu", tag="cp312-cp312-linux_x86_64", yanked="bad"),
            "no-version",
            "yanked",
        ),
        (Dist(name="torch", version="2.14.0+cpu", tag="cp312-cp312-win_amd64"), "no-wheel-for-platform", "Linux"),
        (Dist(name="torch", version="2.14.0", tag="sdist"), "no-wheel-for-platform", "Linux"),
    ],
)
def test_what_does_not_count_is_told(dist: Dist, kind: str, word: str, tmp_path: Path, vendors: Vendors) -> None:
    with own_index("/whl/cpu", dist) as only:
        found = planned("cpu", tmp_path, vendors, changed={ROUTE: only.url})
    reason = route_of(found, ROUTE).because[0]
    assert reason.kind == kind
    assert word in reason.text.en
    assert word in reason.text.zh
