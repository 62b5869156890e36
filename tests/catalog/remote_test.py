"""Files on the network of which parts are read."""

from __future__ import annotations

import os

import pytest

from firstlight.catalog import remote
from firstlight.catalog.model import Trouble
from firstlight.catalog.remote import RemoteFile
from tests.catalog.conftest import Make
from tests.catalog.server import Server, failing, moved, ranged, told

DATA = os.urandom(100_000)


def opened(catalog: Make, address: str, **settings: object) -> RemoteFile:
    file = catalog(**settings).remote(address)
    assert isinstance(file, RemoteFile)
    return file


def test_parts_are_those_of_the_file(server: Server, catalog: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote, "MOST", 1000)
    server.routes.update({"/a.whl": ranged(DATA), "/moved": moved("/a.whl")})
    file = opened(catalog, server.url("/moved"))
    assert file.size == len(DATA)
    assert file.read(10, 2500) == DATA[10:2510]
    assert file.read(len(DATA) - 5, 100) == DATA[-5:]
    assert file.read(len(DATA), 1) == file.read(7, 0) == b""
    assert file.read(len(DATA) - 200, 150) == DATA[-200:-50]
    assert file.fetched == remote.END + 2500 + 102


def test_servers_that_count_from_the_beginning_only(server: Server, catalog: Make) -> None:
    server.routes.update({"/a.whl": ranged(DATA, from_the_end=False), "/short": ranged(b"short")})
    file = opened(catalog, server.url("/a.whl"))
    assert file.read(len(DATA) - 5, 100) == DATA[-5:]
    assert file.fetched == 1 + 5
    assert opened(catalog, server.url("/short")).read(1, 100) == b"hort"


@pytest.mark.parametrize(
    ("path", "kind"),
    [("/gone", "not-there"), ("/whole", "too-large"), ("/denied", "denied"), ("/odd", "damaged-index")],
)
def test_why_it_cannot_be_read(server: Server, catalog: Make, path: str, kind: str) -> None:
    server.routes.update({"/whole": told(DATA), "/denied": failing(403), "/odd": failing(206), "/gone": failing(404)})
    found = catalog().remote(server.url(path))
    assert isinstance(found, Trouble)
    assert found.kind == kind


def test_offline_and_odd_addresses(server: Server, catalog: Make) -> None:
    found = catalog(offline=True).remote(server.url("/a.whl"))
    assert isinstance(found, Trouble)
    assert found.kind == "offline"
    secret = catalog().remote("https://user:secret@[/a.whl?token=secret")
    assert isinstance(secret, Trouble)
    assert "secret" not in secret.subject + secret.text.en


def test_a_server_that_stops_in_between(server: Server, catalog: Make) -> None:
    server.routes["/a.whl"] = ranged(DATA)
    file = opened(catalog, server.url("/a.whl"))
    server.routes["/a.whl"] = failing(500)
    with pytest.raises(OSError, match="error of its own"):
        file.read(0, 10)
    assert file.trouble is not None
    assert file.trouble.kind == "server-error"
