"""A declared tarball from elsewhere: fetched once, when its route is asked for by name, and by its hash only."""

from __future__ import annotations

import functools
import hashlib
import http.server
import tarfile
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from firstlight.errors import CannotTell, NoError
from firstlight.project.model import DeclaredRoute, Goal, Project, Sources
from firstlight.routes.candidates import Candidate
from firstlight.routes.declared import declared_candidates
from firstlight.routes.declared_fetch import fetch_declared, have_declared

from .tiny_wheels import make_wheel


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves a folder."""

    def log_message(self, *_: object) -> None:
        return


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[Path, str]]:
    make_wheel(tmp_path / "made", "torch", "2.13.0+cpu")
    (tmp_path / "site").mkdir()
    with tarfile.open(tmp_path / "site/w.tar", "w") as archive:
        archive.add(tmp_path / "made", "dist")
    server = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), functools.partial(Quiet, directory=str(tmp_path / "site"))
    )
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield tmp_path / "site/w.tar", f"http://127.0.0.1:{server.server_address[1]}/w.tar"
    server.shutdown()
    server.server_close()
    thread.join()


def wanting(url: str, sha256: str, *, name: str | None = "mine", offline: bool = False) -> Project:
    sources = Sources(default_indices=(), wheelhouses=(), torch_indices=(), no_index=True, offline=offline)
    declared = DeclaredRoute(name="mine", kind="tarball", url=url, tier="local", declared_in="x", sha256=sha256)
    return Project(root="/p", goal=Goal(route=name), sources=sources, routes=(declared,))


def test_it_is_fetched_when_asked_for_and_is_a_candidate_then(tmp_path: Path, served: tuple[Path, str]) -> None:
    path, url = served
    cache = str(tmp_path / "cache")
    project = wanting(url, hashlib.sha256(path.read_bytes()).hexdigest())
    assert fetch_declared(wanting(url, "0" * 64, name=None), cache=cache) is None
    assert not isinstance(declared_candidates(project, "x86_64", cache=cache)[0], Candidate)
    assert fetch_declared(project, cache=cache) is None
    assert isinstance(declared_candidates(project, "x86_64", cache=cache)[0], Candidate)
    path.unlink()  # it is not asked for again
    assert fetch_declared(project, cache=cache) is None
    assert not list((tmp_path / "cache/routes").glob("*.archive"))


def test_another_file_is_refused(tmp_path: Path, served: tuple[Path, str]) -> None:
    found = fetch_declared(wanting(served[1], "0" * 64), cache=str(tmp_path / "cache"))
    assert found is not None
    assert "w.tar" in found.text.en or "sha256" in found.text.en
    assert not list((tmp_path / "cache/routes").iterdir())
    with pytest.raises(NoError):
        have_declared(wanting(served[1], "0" * 64), cache=str(tmp_path / "cache"))


def test_offline_cannot_be_told_and_a_gone_file_is_a_no(tmp_path: Path, served: tuple[Path, str]) -> None:
    cases = (
        (wanting(served[1], "0" * 64, offline=True), CannotTell),
        (wanting(served[1].replace("w.tar", "none.tar"), "0" * 64), NoError),
        (wanting("http://127.0.0.1:9/w.tar", "0" * 64), CannotTell),
    )
    for project, error in cases:
        with pytest.raises(error, match="mine") as caught:
            have_declared(project, cache=str(tmp_path / "cache"))
        assert caught.value.why is not None
