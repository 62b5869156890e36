"""A server on this machine's loopback that answers as it is told, and remembers what it was asked."""

from __future__ import annotations

import gzip
import hashlib
import http.server
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import urlsplit

Fault = Literal["", "drop", "truncate", "hang", "drip"]
JSON = "application/vnd.pypi.simple.v1+json"
HTML = "text/html"


@dataclass(frozen=True)
class Asked:
    """One request as it came; names of headers in lower case."""

    method: str
    path: str
    headers: Mapping[str, str]


@dataclass(frozen=True)
class Told:
    """One answer."""

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    fault: Fault = ""


Route = Callable[[Asked], Told]


class Server(http.server.ThreadingHTTPServer):
    """`routes`: answers by path. `asked`: every request. As a proxy it is asked for whole addresses."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(self, context: ssl.SSLContext | None = None) -> None:
        self.routes: dict[str, Route] = {}
        self.asked: list[Asked] = []
        self.connections = 0
        super().__init__(("127.0.0.1", 0), Handler)
        self.scheme = "https" if context else "http"
        if context:
            self.socket = context.wrap_socket(self.socket, server_side=True)

    @property
    def port(self) -> int:
        return int(self.server_address[1])

    def url(self, path: str = "/simple/", *, user: str = "", host: str = "127.0.0.1") -> str:
        return f"{self.scheme}://{user}{'@' if user else ''}{host}:{self.port}{path}"

    def paths(self, method: str = "GET") -> list[str]:
        return [one.path for one in self.asked if one.method == method]

    def handle_error(self, request: object, client_address: object) -> None:
        """Clients that hang up are part of the tests."""


class Handler(http.server.BaseHTTPRequestHandler):
    """One connection."""

    server: Server
    protocol_version = "HTTP/1.1"

    def setup(self) -> None:
        super().setup()
        self.server.connections += 1

    def log_message(self, *_: object) -> None:
        return

    def do_GET(self) -> None:
        asked = Asked(self.command, self.path, {name.lower(): value for name, value in self.headers.items()})
        self.server.asked.append(asked)
        route = self.server.routes.get(self.path, self.server.routes.get("*", lambda _: Told(404)))
        self._tell(route(asked))

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_CONNECT(self) -> None:
        self.server.asked.append(Asked("CONNECT", self.path, {k.lower(): v for k, v in self.headers.items()}))
        at = urlsplit(f"//{self.path}")
        with socket.create_connection((at.hostname, at.port or 443)) as far:
            self.send_response(200)
            self.end_headers()
            thread = threading.Thread(target=pump, args=(far, self.connection), daemon=True)
            thread.start()
            pump(self.connection, far)
        self.close_connection = True

    def _tell(self, told: Told) -> None:
        if told.fault == "hang":
            time.sleep(20)
        if told.fault in ("drop", "hang"):
            self.close_connection = True
            return
        self.send_response(told.status)
        for name, value in told.headers.items():
            self.send_header(name, value)
        if not {"content-length", "transfer-encoding"} & {name.lower() for name in told.headers}:
            self.send_header("Content-Length", str(len(told.body)))
        self.end_headers()
        if self.command == "HEAD" or told.status == 304:
            return
        if told.fault == "drip":
            for place in range(len(told.body)):
                self.wfile.write(told.body[place : place + 1])
                time.sleep(0.05)
        elif told.fault == "truncate":
            self.wfile.write(told.body[: len(told.body) // 2])
            self.close_connection = True
        else:
            self.wfile.write(told.body)


def pump(source: socket.socket, target: socket.socket) -> None:
    try:
        while data := source.recv(65536):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)
    except OSError:
        return


def told(body: bytes | str, kind: str = HTML, **headers: str) -> Route:
    """Always the same answer; `_` in names of headers means `-`."""
    data = body.encode() if isinstance(body, str) else body
    named = {"Content-Type": kind, **{name.replace("_", "-"): value for name, value in headers.items()}}
    return lambda _: Told(200, data, named)


def kept(body: bytes | str, kind: str = HTML, **headers: str) -> Route:
    """As `told`, with an ETag and honest 304s."""
    data = body.encode() if isinstance(body, str) else body
    etag = f'"{hashlib.sha256(data).hexdigest()[:16]}"'

    def route(asked: Asked) -> Told:
        if asked.headers.get("if-none-match") == etag:
            return Told(304, b"", {"ETag": etag})
        return Told(
            200, data, {"Content-Type": kind, "ETag": etag, **{k.replace("_", "-"): v for k, v in headers.items()}}
        )

    return route


def packed(body: bytes, kind: str = HTML) -> Route:
    return told(gzip.compress(body), kind, Content_Encoding="gzip")


def ranged(body: bytes, *, from_the_end: bool = True) -> Route:
    """A file of which parts can be had; some servers know no ranges that are counted from the end."""

    def route(asked: Asked) -> Told:
        said = asked.headers.get("range")
        if said is None:
            return Told(200, body)
        first, _, last = said.removeprefix("bytes=").partition("-")
        if not first:
            if not from_the_end:
                return Told(416, b"", {"Content-Range": f"bytes */{len(body)}"})
            first, last = str(max(0, len(body) - int(last))), ""
        start, end = int(first), min(int(last or len(body) - 1), len(body) - 1)
        return Told(206, body[start : end + 1], {"Content-Range": f"bytes {start}-{end}/{len(body)}"})

    return route


def moved(target: str, status: int = 302) -> Route:
    return lambda _: Told(status, b"moved", {"Location": target})


def failing(status: int, body: bytes = b"", **headers: str) -> Route:
    return lambda _: Told(status, body, headers)


def in_turn(*routes: Route) -> Route:
    """The first answer to the first request, and so on; the last for all further ones."""
    left = list(routes)

    def route(asked: Asked) -> Told:
        return (left.pop(0) if len(left) > 1 else left[0])(asked)

    return route


@contextmanager
def serving(context: ssl.SSLContext | None = None) -> Iterator[Server]:
    """A server that runs while the block does."""
    server = Server(context)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
