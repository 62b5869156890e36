"""What goes wrong in the middle of a sync: said clearly, the old environment works, the next sync carries on."""

from __future__ import annotations

import hashlib
import http.server
import os
import socket
import struct
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from firstlight.errors import NoError
from firstlight.host.model import Outcome
from firstlight.lockfile.files import read, write
from firstlight.lockfile.model import VERSION, BackendLock, HostConditions, Lock
from firstlight.project.model import Goal, Project, Sources
from firstlight.routes.model import Wheel
from firstlight.routes.pylock import pylock_text
from firstlight.steps.failures import not_installed
from firstlight.steps.sync import sync
from tests.routes.tiny_wheels import make_wheel

from .ground import states

PYTHON = f"{sys.version_info[0]}.{sys.version_info[1]}"


CODES = {"gone": 404, "removed": 410, "broken": 500, "busy": 503, "denied": 403}


class Server(http.server.ThreadingHTTPServer):
    """Serves wheels, and one of them with a fault. `sent`: which were sent to their end."""

    daemon_threads = True

    def __init__(self, folder: Path) -> None:
        self.folder, self.sent, self.asked = folder, list[str](), list[str]()
        self.fault, self.victim = "", ""
        super().__init__(("127.0.0.1", 0), Handler)

    def handle_error(self, *_: object) -> None:
        return


class Handler(http.server.BaseHTTPRequestHandler):
    """One request."""

    server: Server
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        return

    def do_GET(self) -> None:
        name = Path(self.path).name.replace("%2B", "+")
        self.server.asked.append(name)
        data = (self.server.folder / name).read_bytes()
        fault = self.server.fault if name.startswith(self.server.victim) else ""
        code = CODES.get(fault, 304 if self.headers.get("If-None-Match") == f'"{name}"' else 200)
        self.send_response(code)
        self.send_header("ETag", f'"{name}"')
        self.send_header("Content-Length", str(len(data) if code == 200 else 0))
        self.end_headers()
        if code == 200:
            self._body(name, data, fault)

    def _body(self, name: str, data: bytes, fault: str) -> None:
        if fault in ("cut", "reset"):
            self.wfile.write(data[: len(data) // 2])
            self._end(fault)
        elif fault == "other":
            self.wfile.write(next(self.server.folder.glob("torch-2.3*")).read_bytes())
        else:
            self.wfile.write(bytes(len(data)) if fault == "lies" else data)
            self.server.sent.append(name)

    def _end(self, fault: str) -> None:
        """The connection ends in the middle: orderly, or by RST as a box on the way sends it."""
        if fault == "reset":
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close_connection = True
        self.connection.close()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    running = Server(tmp_path / "served")
    make_wheel(running.folder, "filelock", "4.0.0", "py3-none-any")
    for number in ("1", "2", "3"):  # of the same size
        padding = "# " + os.urandom(200_000).hex()
        make_wheel(
            running.folder, "torch", f"2.{number}+cpu", "py3-none-any", code=f"__version__ = {number}\n{padding}\n"
        )
    thread = threading.Thread(target=running.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    yield running
    running.shutdown()
    running.server_close()


@pytest.fixture
def wanted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    monkeypatch.setenv("UV_CACHE_DIR", str(tmp_path / "cache"))
    (tmp_path / "project").mkdir()
    none = Sources(default_indices=(), wheelhouses=(), torch_indices=())
    return Project(root=str(tmp_path / "project"), goal=Goal(), sources=none)


def lock(wanted: Project, server: Server, number: int) -> Lock:
    files = []
    for path in sorted(server.folder.glob("filelock-*")) + sorted(server.folder.glob(f"torch-2.{number}+*")):
        name, version = path.name.split("-")[:2]
        url = f"http://127.0.0.1:{server.server_address[1]}/{path.name.replace('+', '%2B')}"
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        files.append(Wheel(name=name, version=version, filename=path.name, sha256=digest, url=url, source="default"))
    text = pylock_text(files, PYTHON)
    frozen = BackendLock(
        backend="cpu", route="pypi", tier="upstream", python=PYTHON, pylock="pylock.cpu.toml",
        pylock_sha256=hashlib.sha256(text.encode()).hexdigest(), variables={}, local=(),
    )  # fmt: skip
    host = HostConditions(arch="x86_64", targets=())
    write(wanted.root, Lock(version=VERSION, goal={}, host=host, backends=(frozen,)), text)
    return read(wanted.root)


FAULTS = {
    "cut": "the connection to 127.0.0.1:[0-9]+ ended before the whole file had come: torch-2",
    "reset": "the connection to 127.0.0.1:[0-9]+ ended before the whole file had come: torch-2",
    "gone": "torch-2.* is not, or no longer, where its index said",
    "removed": "torch-2.* is not, or no longer, where its index said",
    "broken": "answers with an error of its own for torch-2",
    "busy": "answers with an error of its own for torch-2",
    "denied": "refuses access",
    "lies": "is not the locked file, nor any wheel: torch-2",
    "other": "torch-2.* does not have the hash",
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_of_the_index_is_said_and_survived(wanted: Project, server: Server, fault: str) -> None:
    sync(wanted, lock(wanted, server, 1), "cpu")
    link, environments = Path(wanted.root, ".firstlight/env"), Path(wanted.root, ".firstlight/envs")
    before, there = os.readlink(link), os.listdir(environments)
    new = lock(wanted, server, 2)
    server.fault, server.victim = fault, "torch"
    with pytest.raises(NoError, match=FAULTS[fault]) as caught:
        sync(wanted, new, "cpu")
    error = caught.value
    assert error.why is not None
    assert error.next is not None
    for words in (error.why.en, error.why.zh):
        assert "torch" in words
    assert "untouched" in error.why.en
    assert "未受影响" in error.why.zh
    assert (os.readlink(link), os.listdir(environments)) == (before, there)
    assert os.listdir(Path(wanted.root, ".firstlight/journal")) == ["sync.jsonl"]
    server.fault = ""
    assert "done" in states(sync(wanted, new, "cpu"))
    assert os.readlink(link) != before
    assert states(sync(wanted, new, "cpu")) == {"right"}


def test_what_was_fetched_before_the_fault_is_kept(wanted: Project, server: Server) -> None:
    new = lock(wanted, server, 1)
    server.fault, server.victim = "cut", "torch"
    for _ in range(20):  # uv may break off the others, too, where one fails
        with pytest.raises(NoError):
            sync(wanted, new, "cpu")
        if server.sent:
            break
    assert server.sent == ["filelock-4.0.0-py3-none-any.whl"]
    server.fault = ""
    server.sent.clear()
    sync(wanted, new, "cpu")
    assert [name.split("-")[0] for name in server.sent] == ["torch"]


def test_a_uv_that_was_killed_is_not_blamed_on_the_index() -> None:
    error = not_installed(Outcome(argv=("uv",), code=-9, stdout="", stderr=""), ())
    assert "SIGKILL" in error.what.en
    assert "SIGKILL" in error.what.zh
    assert error.why is not None
    assert "untouched" in error.why.en


def test_a_silent_failure_still_says_something() -> None:
    error = not_installed(Outcome(argv=("uv",), code=2, stdout="", stderr=""), ())
    assert error.why is not None
    assert "code 2" in error.why.en
