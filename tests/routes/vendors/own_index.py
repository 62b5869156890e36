"""An index of a few files, and another that stands before a host and refuses some of its pages."""

from __future__ import annotations

import http.server
import threading
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from .distribution import Dist, content, metadata
from .pages import JSON_TYPE, page

Answer = tuple[int, str, bytes]
PASSED_ON = ("Accept", "Range", "If-None-Match")


class OwnIndex(NamedTuple):
    """It is there while the block runs."""

    root: str
    url: str
    files: tuple[Dist, ...]
    texts: dict[str, str]
    """Path -> text that is served there."""

    def folder(self, place: Path) -> Path:
        """The same files in a folder."""
        place.mkdir()
        for one in self.files:
            (place / one.filename).write_bytes(content(one))
        return place

    @contextmanager
    def before(self, host: str, refused: Mapping[str, int]) -> Iterator[str]:
        """A host that passes all on to `host`, but answers with a status at some paths."""
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))

        def answer(path: str, headers: Mapping[str, str]) -> Answer:
            if path in refused:
                return refused[path], "text/plain", b""
            passed = {name: value for name, value in headers.items() if name in PASSED_ON}
            try:
                with opener.open(urllib.request.Request(host + path, headers=passed)) as reply:
                    return reply.status, reply.headers["Content-Type"], reply.read()
            except urllib.error.HTTPError as error:
                return error.code, "text/plain", b""

        with _serving(answer) as root:
            yield root


@contextmanager
def own_index(prefix: str, *files: Dist) -> Iterator[OwnIndex]:
    texts: dict[str, str] = {}

    def answer(path: str, headers: Mapping[str, str]) -> Answer:
        if path in texts:
            return 200, "text/plain", texts[path].encode()
        inner = path.removeprefix(prefix).strip("/")
        mine = [one for one in files if one.name == inner]
        if mine:
            return (200, *page("json", inner, mine, prefix, headers.get("Accept", JSON_TYPE)))
        found = next((one for one in files if one.filename == inner.removesuffix(".metadata")), None)
        if found is None:
            return 404, "text/plain", b""
        body = metadata(found).encode() if inner.endswith(".metadata") else content(found)
        return 200, "application/octet-stream", body

    with _serving(answer) as root:
        yield OwnIndex(root, f"{root}{prefix}/", files, texts)


@contextmanager
def _serving(answer: Callable[[str, Mapping[str, str]], Answer]) -> Iterator[str]:
    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: object) -> None:
            return

        def do_HEAD(self) -> None:
            self.do_GET()

        def do_GET(self) -> None:
            code, kind, body = answer(self.path.partition("?")[0], dict(self.headers.items()))
            self.send_response(code)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(body)

    class Server(http.server.ThreadingHTTPServer):
        def handle_error(self, request: object, client_address: object) -> None:
            """uv hangs up on what it no longer needs."""

    with Server(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()
