"""The vendors' hosts on this machine's loopback: pages by Accept, HEAD, Range, ETag; and faults on request."""

from __future__ import annotations

import hashlib
import http.server
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Literal, NamedTuple
from urllib.parse import unquote

from msgspec.structs import replace

from .distribution import Dist, content, metadata
from .pages import page
from .places import PLACES, Place, by_filename, held

Fault = Literal[
    "no-device-wheel", "403", "500", "hang", "gone", "wrong-hash", "tampered", "other-project", "lying-metadata",
    "damaged", "cut",
]  # fmt: skip
"""`no-device-wheel`: 404 for each page of device wheels; `gone`: listed files are 404; `wrong-hash`: the page states
the hashes of other bytes; `tampered`: wheels are whole, but not those whose hashes the page states; `other-project`:
each page is that of another project; `lying-metadata`: PEP 658 metadata is that of another file; `damaged`: a page is
no page; `cut`: the connection ends in the middle of a file."""

FOREVER = {"Cache-Control": "max-age=365000000, immutable, public"}
"""Files are never published anew under a name."""
HANG_SECONDS = 20.0
PAYLOAD = (("torch/__init__.py", "raise SystemExit('code of somebody else was run')\n"),)
DEVICE = ("amd-torch-device-", "rocm-sdk-device-", "amd-torchvision-device-")


class Asked(NamedTuple):
    """One request."""

    method: str
    path: str
    accept: str
    ranged: bool


class Vendors(http.server.ThreadingHTTPServer):
    """All places on one port."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self) -> None:
        self.asked: list[Asked] = []
        self.down = False
        """Whether every request is answered with 503."""
        super().__init__(("127.0.0.1", 0), _Handler)

    @property
    def root(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def url(self, name: str, fault: Fault | None = None) -> str:
        """Of an index; under a fault that all it serves has."""
        return f"{self.root}{f'/fault/{fault}' if fault else ''}{PLACES[name].path}/"

    def paths(self) -> list[str]:
        """All that was asked for."""
        return [one.path for one in self.asked]

    def sources(self, changed: Mapping[str, str] | None = None) -> str:
        """`firstlight.toml` that remaps the default index and every index that is built in. `changed`: by name."""
        from firstlight.knowledge.sources import builtin_indices

        urls = {name: self.url(name) for name in ("pypi", *(one.name for one in builtin_indices()))}
        urls.update(changed or {})
        return "".join(f'[[source]]\nname = "{name}"\nurl = "{url}"\n' for name, url in urls.items() if url)


class _Handler(http.server.BaseHTTPRequestHandler):
    server: Vendors
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        return

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_GET(self) -> None:
        path, accept = unquote(self.path.partition("?")[0]), self.headers.get("Accept", "")
        self.server.asked.append(Asked(self.command, path, accept, "Range" in self.headers))
        if self.server.down:
            return self._say(503, b"", "text/plain")
        fault, rest = _fault(path)
        place = max((one for one in PLACES.values() if rest.startswith(one.path + "/")), key=lambda one: len(one.path),
                    default=None)  # fmt: skip
        if fault == "hang":
            return time.sleep(HANG_SECONDS)
        if fault in ("403", "500") or place is None:
            return self._say(int(fault) if fault in ("403", "500") else 404, b"", "text/plain")
        inner = rest[len(place.path) + 1 :]
        if inner.endswith((".whl", ".tar.gz", ".metadata")):
            return self._file(place, inner.rpartition("/")[2], fault)
        return self._page(place, inner.strip("/"), fault, path[: len(path) - len(rest)], accept)

    def _page(self, place: Place, project: str, fault: str | None, before: str, accept: str) -> None:
        if not project:
            names = "".join(f'<a href="{place.path}/{one}/">{one}</a><br/>\n' for one in sorted(held(place.name)))
            return self._say(200, f"<!DOCTYPE html><html><body>\n{names}</body></html>".encode(), "text/html")
        if not self.path.partition("?")[0].endswith("/"):
            return self._say(301, b"", "text/plain", {"Location": self.path + "/"})
        files = held(place.name).get(project, ())
        if not files or (fault == "no-device-wheel" and project.startswith(DEVICE)):
            return self._say(404, b"", "text/plain")
        kind, body = _faulty(fault, project, place, f"{before}{place.path}", accept)
        return self._say(200, body, kind, {"Cache-Control": "max-age=600"})

    def _file(self, place: Place, name: str, fault: str | None) -> None:
        dist = by_filename(place.name).get(name.removesuffix(".metadata"))
        if dist is None or (fault == "no-device-wheel" and dist.name.startswith(DEVICE)):
            return self._say(404, b"", "text/plain")
        if name.endswith(".metadata"):
            return self._metadata(place, dist, fault)
        if fault == "gone":
            return self._say(404, b"", "text/plain")
        body = content(replace(dist, files=PAYLOAD) if fault == "tampered" else dist)
        return self._say(200, body, "application/octet-stream", FOREVER, cut=fault == "cut")

    def _metadata(self, place: Place, dist: Dist, fault: str | None) -> None:
        if place.form not in ("pytorch", "json"):
            return self._say(404, b"", "text/plain")
        text = metadata(dist)
        if fault == "lying-metadata":
            text += "Requires-Dist: filelock==66.6\n"
        return self._say(200, text.encode(), "application/octet-stream", FOREVER)

    def _say(
        self, code: int, body: bytes, kind: str, more: Mapping[str, str] | None = None, *, cut: bool = False
    ) -> None:
        tag = f'"{hashlib.sha256(body).hexdigest()[:20]}"'
        headers = {"Content-Type": kind, "ETag": tag, "Accept-Ranges": "bytes", "Vary": "Accept", **(more or {})}
        if code == 200 and self.headers.get("If-None-Match") == tag:
            code, body = 304, b""
        part = _range(self.headers.get("Range"), len(body)) if code == 200 and "octet" in kind else None
        if part:
            headers["Content-Range"] = f"bytes {part.start}-{part.stop - 1}/{len(body)}"
            code, body = 206, body[part.start : part.stop]
        self.send_response(code)
        for name, value in {**headers, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body[: len(body) // 2] if cut else body)
        if cut:
            self.close_connection = True


def _fault(path: str) -> tuple[str | None, str]:
    if not path.startswith("/fault/"):
        return None, path
    fault, _, rest = path.removeprefix("/fault/").partition("/")
    return fault, "/" + rest


def _faulty(fault: str | None, project: str, place: Place, root: str, accept: str) -> tuple[str, bytes]:
    files = held(place.name)[project]
    told = "some-other-project" if fault == "other-project" else project
    kind, body = page(place.form, told, files, root, accept)
    if fault == "other-project":
        body = body.replace(project.replace("-", "_").encode() + b"-", b"some_other_project-")
    if fault == "wrong-hash":
        body = _other_hashes(body)
    return kind, b"\x00\xff not a page {" + body[:40] if fault == "damaged" else body


def _other_hashes(body: bytes) -> bytes:
    """The hash of every file, and not of its metadata, turned into that of another."""
    for mark in (b"#sha256=", b'"hashes": {"sha256": "'):
        first, *rest = body.split(mark)
        body = mark.join([first, *(hashlib.sha256(one[:64]).hexdigest().encode() + one[64:] for one in rest)])
    return body


def _range(said: str | None, length: int) -> slice | None:
    unit, _, span = (said or "").partition("=")
    start, dash, end = span.partition("-")
    if unit != "bytes" or not dash or "," in span:
        return None
    if not start:
        return slice(max(length - int(end), 0), length)
    return slice(int(start), min(int(end) + 1 if end else length, length))


@contextmanager
def serving() -> Iterator[Vendors]:
    """The hosts, while the block runs."""
    vendors = Vendors()
    thread = threading.Thread(target=vendors.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield vendors
    finally:
        vendors.shutdown()
        vendors.server_close()
