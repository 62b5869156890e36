"""`firstlight inspect` of a large wheel beside inflating the same wheel with the same library, by turns.

Its peak memory as well; and, by its address over this machine's loopback, the bytes that are fetched beside those that
hold GPU code.

    python -m benchmarks.inspect torch-2.14.1-cp311-cp311-manylinux_2_28_x86_64.whl

The bounds: 1.3 times the time of inflating, 300 MB, and no more bytes than the members with GPU code and the directory.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Lock, Thread
from typing import NamedTuple

from firstlight.binaries.report import inspect

FIRSTLIGHT = os.path.join(os.path.dirname(sys.executable), "firstlight")
TIMES, MEMORY_MB = 1.3, 300.0
INFLATE = """
import sys, zipfile, zlib
with zipfile.ZipFile(sys.argv[1]) as wheel, open(sys.argv[1], "rb") as file:
    for one in wheel.infolist():
        file.seek(one.header_offset + 26)
        file.seek(int.from_bytes(file.read(2), "little") + int.from_bytes(file.read(2), "little"), 1)
        left = one.compress_size
        engine = zlib.decompressobj(-15) if one.compress_type else None
        while left:
            block = file.read(min(left, 1 << 18))
            left -= len(block)
            while engine and block:
                engine.decompress(block, 1 << 20)
                block = engine.unconsumed_tail
"""
"""In pieces of the size that the program takes: nothing is kept, nothing is written, no checksum is reckoned."""


class Run(NamedTuple):
    """One process."""

    wall: float
    peak_mb: float
    out: bytes


def run(argv: Sequence[str]) -> Run:
    """Wall time and peak memory of a process of its own. Its exit code may be 0 or 1: the answer may be no."""
    start = time.perf_counter()
    with subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        out = process.stdout.read() if process.stdout else b""
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1, 3):
        raise SystemExit(f"{argv[0]} ended with {process.returncode}")
    return Run(time.perf_counter() - start, used.ru_maxrss * 1024 / 1e6, out)


def main() -> None:
    """Print ratios. Ends with 1 if a bound is broken."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("wheel", type=Path)
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    row = {"wheel": options.wheel.name, **timed(options.wheel, options.runs), **fetched(options.wheel)}
    row["within"] = (
        row["times"] <= TIMES and row["peak_mb"] <= MEMORY_MB and row["fetched_bytes"] <= row["allowed_bytes"]
    )
    print(json.dumps(row, indent=1))
    if not row["within"]:
        raise SystemExit(1)


def timed(wheel: Path, runs: int) -> dict[str, float]:
    """Medians of both, by turns, so that both meet the same noise. The first turn reads from disk: not counted."""
    ours, theirs = [], []
    for _ in range(runs + 1):
        theirs.append(run([sys.executable, "-c", INFLATE, str(wheel)]))
        ours.append(run([FIRSTLIGHT, "inspect", str(wheel), "--json"]))
    inspect_s = statistics.median(one.wall for one in ours[1:])
    inflate_s = statistics.median(one.wall for one in theirs[1:])
    return {
        "inspect_s": round(inspect_s, 2),
        "inflate_s": round(inflate_s, 2),
        "times": round(inspect_s / inflate_s, 3),
        "peak_mb": round(max(one.peak_mb for one in ours), 1),
    }


def fetched(wheel: Path) -> dict[str, float]:
    """Bytes that went over the loopback."""
    with serving(wheel) as served:
        run([FIRSTLIGHT, "inspect", served.address, "--json"])
    holding = {piece.path for piece in inspect(str(wheel)).pieces if piece.code}
    allowed = sum(packed_sizes(wheel, holding)) + directory_size(wheel)
    return {
        "members_with_code": len(holding),
        "fetched_bytes": served.sent,
        "allowed_bytes": allowed,
        "fetched_of_allowed": round(served.sent / allowed, 4),
        "requests": served.requests,
        "fetched_of_wheel": round(served.sent / wheel.stat().st_size, 4),
    }


def packed_sizes(wheel: Path, names: set[str]) -> Iterator[int]:
    """Of each member: its local header and its packed bytes."""
    with zipfile.ZipFile(wheel) as archive:
        for one in archive.infolist():
            if one.filename in names:
                yield 30 + len(one.filename.encode()) + one.compress_size


def directory_size(wheel: Path) -> int:
    """From the first entry of the directory to the end of the file."""
    with zipfile.ZipFile(wheel) as archive:
        return wheel.stat().st_size - archive.start_dir


class Served:
    """A wheel behind an address, with a count of what is sent."""

    def __init__(self, wheel: Path, port: int) -> None:
        self.wheel, self.address = wheel, f"http://127.0.0.1:{port}/{wheel.name}"
        self.sent = self.requests = 0
        self.lock = Lock()


class Ranges(BaseHTTPRequestHandler):
    """HEAD, and GET of the whole or of one range."""

    protocol_version = "HTTP/1.1"

    def do_HEAD(self) -> None:
        """As GET, without the bytes."""
        self._answer(body=False)

    def do_GET(self) -> None:
        """The range that was asked for."""
        self._answer(body=True)

    def log_message(self, format: str, *args: object) -> None:
        """Says nothing."""

    def _answer(self, *, body: bool) -> None:
        served: Served = self.server.served  # type: ignore[attr-defined]
        size = served.wheel.stat().st_size
        first, last = self._range(size)
        whole = "Range" not in self.headers
        self.send_response(200 if whole else 206)
        self.send_header("Content-Length", str(last - first + 1))
        self.send_header("Accept-Ranges", "bytes")
        self.send_header("Content-Type", "application/octet-stream")
        if not whole:
            self.send_header("Content-Range", f"bytes {first}-{last}/{size}")
        self.end_headers()
        with served.lock:
            served.requests += 1
        if body:
            self._send(served, first, last)

    def _range(self, size: int) -> tuple[int, int]:
        first, _, last = self.headers.get("Range", "bytes=0-").removeprefix("bytes=").partition("-")
        if not first:
            return size - int(last), size - 1
        return int(first), min(int(last), size - 1) if last else size - 1

    def _send(self, served: Served, first: int, last: int) -> None:
        with served.wheel.open("rb") as file:
            file.seek(first)
            left = last - first + 1
            while left:
                block = file.read(min(left, 1 << 16))
                self.wfile.write(block)
                left -= len(block)
                with served.lock:
                    served.sent += len(block)


@contextmanager
def serving(wheel: Path) -> Iterator[Served]:
    """On this machine's loopback, for as long as it is asked."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Ranges)
    server.daemon_threads = True
    served = server.served = Served(wheel, server.server_address[1])  # type: ignore[attr-defined]
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield served
    finally:
        server.shutdown()
        server.server_close()


if __name__ == "__main__":
    main()
