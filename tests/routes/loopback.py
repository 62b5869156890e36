"""A package index on this machine's loopback: PEP 503, PEP 691, a find-links page; with a password; with faults."""

from __future__ import annotations

import base64
import hashlib
import http.server
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import unquote

USER, PASSWORD = "alice", "s3cr3t-pw"
FAULTS = {"missing": 404, "broken": 500, "busy": 503}
HANG_SECONDS = 30.0


class Index(http.server.ThreadingHTTPServer):
    """Serves the wheels of one folder. `asked`: every path that was asked for."""

    daemon_threads = True

    def __init__(self, folder: Path) -> None:
        self.folder, self.asked = folder, list[str]()
        super().__init__(("127.0.0.1", 0), Handler)

    def url(self, kind: str, *, user: str = "", password: str = "") -> str:
        """Kinds: `simple`, `json`, `links`, `redirect`, `hang`, `lies` (wrong hashes), `private/simple`, a fault."""
        who = f"{user}:{password}@" if user else ""
        return f"http://{who}127.0.0.1:{self.server_address[1]}/{kind}/"


class Handler(http.server.BaseHTTPRequestHandler):
    """One request."""

    server: Index
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        return

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_GET(self) -> None:
        kind, _, rest = unquote(self.path).strip("/").partition("/")
        self.server.asked.append(self.path)
        root = ""
        if kind == "private":
            wanted = "Basic " + base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode()
            if self.headers.get("Authorization") != wanted:
                return self._say(401, b"", "text/plain")
            root, (kind, _, rest) = "/private", rest.partition("/")
        if kind == "hang":
            return time.sleep(HANG_SECONDS)
        if kind in FAULTS:
            return self._say(FAULTS[kind], b"", "text/plain")
        if kind == "redirect":
            return self._say(302, b"", "text/plain", location=f"/simple/{rest}/")
        return self._file(rest) if kind == "files" else self._page(kind, rest, root)

    def _file(self, name: str) -> None:
        path = self.server.folder / Path(name).name
        if path.is_file():
            return self._say(200, path.read_bytes(), "application/octet-stream")
        return self._say(404, b"", "text/plain")

    def _page(self, kind: str, project: str, root: str) -> None:
        wheels = sorted(self.server.folder.glob("*.whl"))
        if kind != "links":
            wheels = [one for one in wheels if one.name.split("-")[0].replace("_", "-") == project]
        if not wheels:
            return self._say(404, b"", "text/plain")
        hashes = {one: hashlib.sha256(b"" if kind == "lies" else one.read_bytes()).hexdigest() for one in wheels}
        if kind == "json":
            files = [
                {"filename": one.name, "url": f"{root}/files/{one.name}", "hashes": {"sha256": hashes[one]},
                 "size": one.stat().st_size, "upload-time": "2026-01-02T03:04:05.0Z"}
                for one in wheels
            ]  # fmt: skip
            page: dict[str, object] = {"meta": {"api-version": "1.1"}, "name": project, "versions": [], "files": files}
            return self._say(200, json.dumps(page).encode(), "application/vnd.pypi.simple.v1+json")
        links = [f'<a href="{root}/files/{one.name}#sha256={hashes[one]}">{one.name}</a>' for one in wheels]
        return self._say(200, f"<!DOCTYPE html><html><body>{''.join(links)}</body></html>".encode(), "text/html")

    def _say(self, code: int, body: bytes, kind: str, location: str = "") -> None:
        self.send_response(code)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        if location:
            self.send_header("Location", location)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)


@contextmanager
def serving(folder: Path) -> Iterator[Index]:
    """An index that runs while the block does."""
    index = Index(folder)
    thread = threading.Thread(target=index.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield index
    finally:
        index.shutdown()
        index.server_close()
