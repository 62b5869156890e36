"""What a wheel on this disk really holds for the GPUs here: its content, before what its version lets one expect."""

from __future__ import annotations

import contextlib
import hashlib
import os

import msgspec

from ..binaries.answer import Answer, Asked, Judged, answer
from ..binaries.model import Report
from ..facts.model import Facts, Unknown
from ..host.state import private, user_cache
from ..project.model import Backend
from .gpus import targets
from .model import Because
from .reasons import content_lacks, library_lacks

MAIN = ("libtorch_cuda.so", "libtorch_hip.so")
RUNS = ("native", "generic", "jit")
LIMIT = 16 << 20
"""Bytes of a kept report."""


def content_reason(path: str, backend: Backend, facts: Facts) -> Because | bool | None:
    """True: torch's own kernels are there for one of the GPUs that are meant; a reason: they are for others only;
    None: its content does not tell. Reads the whole wheel once: a second for some hundred megabytes; the result is
    kept."""
    found = [_main(one) for one in _answers(path, backend, facts)]
    if any(one and one.verdict in RUNS for one in found):
        return True
    lacking = [one for one in found if one is not None and one.verdict == "no"]
    return content_lacks(os.path.basename(path), lacking[0].why) if found and len(lacking) == len(found) else None


def content_notes(path: str, backend: Backend, facts: Facts) -> tuple[Because, ...]:
    """Libraries of a wheel that runs here which hold no code for the GPU: their operations fail."""
    return tuple(
        library_lacks(one.library.path, answer.target, one.why)
        for answer in _answers(path, backend, facts)
        for one in answer.libraries
        if one.counts and one.verdict == "no" and one is not _main(answer)
    )


def _answers(path: str, backend: Backend, facts: Facts) -> tuple[Answer, ...]:
    wanted = targets(backend, facts)
    report = _report(path) if wanted else None
    if report is None:
        return ()
    driver = facts.driver.nvidia.version
    known = None if isinstance(driver, Unknown) else driver
    return tuple(answer([report], Asked(target=one, driver=known)) for one in wanted)


def _main(answer: Answer) -> Judged | None:
    """The library with torch's own kernels."""
    return next((one for one in answer.libraries if os.path.basename(one.library.path) in MAIN), None)


def _report(path: str) -> Report | None:
    from ..binaries.report import inspect
    from ..errors import FirstlightError

    kept = _kept_at(path)
    found = _read(kept) if kept else None
    if found is not None:
        return found
    try:
        report = inspect(path)
    except FirstlightError:
        return None
    if kept:
        _write(kept, report)
    return report


def _kept_at(path: str) -> str | None:
    """By the file's place, size and time: whoever changes a wheel in place changes its time."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    name = f"1 {os.path.abspath(path)} {found.st_size} {found.st_mtime_ns} {found.st_ino}"
    return os.path.join(user_cache(os.environ), "content", hashlib.sha256(name.encode()).hexdigest())


def _read(path: str) -> Report | None:
    try:
        with open(path, "rb") as file:
            return msgspec.msgpack.decode(file.read(LIMIT), type=Report)
    except (OSError, msgspec.MsgspecError, ValueError):
        return None


def _write(path: str, report: Report) -> None:
    """A cache that cannot be written is none."""
    temporary = f"{path}.{os.getpid()}.tmp"
    with contextlib.suppress(OSError):
        private(os.path.dirname(path))
        with open(temporary, "wb") as file:
            file.write(msgspec.msgpack.encode(report))
        os.replace(temporary, path)
