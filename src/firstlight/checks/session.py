"""One worker process and what it tells, under a deadline of our own in case the worker itself hangs or dies."""

from __future__ import annotations

import os
import time
from collections.abc import Generator, Iterator, Mapping
from typing import TYPE_CHECKING

import msgspec

from ..host.command import signal_name, spawn
from .model import Rung
from .worker.outcome import LAST, TEXT_LIMIT, Job, encode_job, refused_memory

if TYPE_CHECKING:
    from ..host.command import Running

ENTRY = os.path.join(os.path.dirname(os.path.abspath(__file__)), "worker", "__main__.py")
MARGIN = 30.0
"""Seconds beyond a rung's limit that the worker has to stop it, and to start."""
LONGEST = 4 << 20
"""Bytes of one event; more is garbage."""
DYING = 5.0
"""Seconds that a worker whose events have ended has to exit."""


class Event(msgspec.Struct, frozen=True):
    """One line from the worker: `begin` and `end` of a rung, and `over`."""

    event: str
    id: str = ""
    verdict: str = ""
    ms: float = 0.0
    evidence: dict[str, object] = {}
    reason: str | None = None
    text: str = ""


def climb_worker(python: str, job: Job, variables: Mapping[str, str]) -> Generator[Event, None, None]:
    """Run the job in one worker; gives each event as it comes. If the worker dies or hangs in a rung, the last event
    is that rung's end with what is known of it; the rungs after it are missing."""
    mine, theirs = os.pipe()
    output = os.dup(2)
    try:
        argv = (python, "-s", "-X", "faulthandler", ENTRY, encode_job(job), str(theirs), str(output))
        started = time.monotonic()
        try:
            running = spawn(argv, env=environment(variables), cwd=job.cwd, pass_fds=(theirs, output))
        except OSError as error:
            yield ended("import", started, "no-python", str(error), {"python": python})
            return
        finally:
            os.close(theirs)
            theirs = -1
        with running, os.fdopen(mine, "rb", buffering=0) as stream:
            mine = -1
            try:
                yield from Session(running, job, stream.fileno()).events()
            finally:  # interrupted: the worker takes what the running rung has started along
                if running.poll() is None:
                    running.end()
    finally:
        for end in (mine, output):
            if end >= 0:
                os.close(end)


class Session:
    """Reads one worker."""

    def __init__(self, running: Running, job: Job, events: int) -> None:
        self.running = running
        self.limits = {task.id: task.limit for task in job.tasks}
        self.stream = events
        self.held = b""
        self.rung = ""
        self.since = time.monotonic()

    def events(self) -> Iterator[Event]:
        """Until the worker is over, or the rung that it died or hung in."""
        while True:
            event, late = self.next()
            if event is None:
                yield self.broken(late=late)
                return
            if event.event == "over":
                self.running.wait(DYING)
                return
            self.rung = event.id if event.event == "begin" else ""
            self.since = time.monotonic()
            yield event

    def deadline(self) -> float:
        """When the worker must have told something. It cannot stop `import` itself, so that gets no margin."""
        limit = self.limits.get(self.rung, 0.0)
        return self.since + limit + (0.0 if self.rung == "import" else MARGIN)

    def next(self) -> tuple[Event | None, bool]:
        """The next event, or none: with True if the deadline passed, False if the worker closed its end."""
        while True:
            line, found, rest = self.held.partition(b"\n")
            if found:
                self.held = rest
                event = decoded(line)
                if event:
                    return event, False
                continue
            left = self.deadline() - time.monotonic()
            if left <= 0:
                return None, True
            data = self.read(min(left, 0.5))
            if data == b"" or len(self.held) > LONGEST:
                return None, False
            self.held += data or b""

    def read(self, seconds: float) -> bytes | None:
        """More of the events; None: nothing within the time; empty: the end. The worker's own output is taken in
        meanwhile, so that it never stands still."""
        import select

        self.running.said()
        self.running.output.take()
        self.running.output.drop()
        ready = select.select([self.stream], [], [], seconds)[0]
        return os.read(self.stream, 1 << 16) if ready else None

    def broken(self, *, late: bool) -> Event:
        """The end of the rung in which the worker hung or died."""
        rung = self.rung or "import"
        if late:
            self.running.end()
            return self.ending(rung, "timeout", {"limit_seconds": self.limits.get(rung)})
        code = self.running.wait(DYING)
        if code is None:
            self.running.kill()
            return self.ending(rung, "no-answer", {})
        name = signal_name(code)
        if name:
            reason = "killed" if name == "SIGKILL" else "crashed"
            return self.ending(rung, reason, {"signal": name}, f"the worker process got {name}")
        reason = "exit-code" if self.rung else "no-python"
        if refused_memory(self.running.said()):
            reason = "out-of-memory"
        return self.ending(rung, reason, {"code": code})

    def ending(self, rung: str, reason: str, evidence: dict[str, object], known: str = "") -> Event:
        """A failure with the end of what the worker said, after what is `known` of its end."""
        said = self.running.said().strip()[-TEXT_LIMIT:]
        text = "\n".join([*([known] if known else []), *said.splitlines()[-LAST:]])
        return ended(rung, self.since, reason, text, {**evidence, "worker_died": True, "stderr": said})


def decoded(line: bytes) -> Event | None:
    """An event; None for what a library has written to a descriptor that is not its own."""
    try:
        event = msgspec.json.decode(line, type=Event)
    except msgspec.MsgspecError:
        return None
    return event if event.event in ("begin", "end", "over") else None


def ended(rung: str, since: float, reason: str, text: str, evidence: dict[str, object]) -> Event:
    """A failed rung that the worker could not tell of itself."""
    ms = round((time.monotonic() - since) * 1000, 3)
    return Event("end", id=rung, verdict="fail", ms=ms, evidence=evidence, reason=reason, text=text)


def rung_of(event: Event) -> Rung:
    """The record of an `end`."""
    verdicts = {"pass": "pass", "fail": "fail", "skip": "skip"}
    raw = {**msgspec.structs.asdict(event), "verdict": verdicts.get(event.verdict, "unknown")}
    return msgspec.convert({name: raw[name] for name in Rung.__struct_fields__}, Rung)


def environment(variables: Mapping[str, str]) -> dict[str, str]:
    """This process's variables with `variables` over them. Of PYTHONPATH only absolute folders are kept: an empty or
    relative entry means the current folder, whose files would shadow modules. PYTHONHOME is another Python's."""
    merged = {**os.environ, **variables}
    merged.pop("PYTHONHOME", None)
    merged.pop("__PYVENV_LAUNCHER__", None)
    if "PYTHONPATH" in merged:
        entries = merged["PYTHONPATH"].split(os.pathsep)
        merged["PYTHONPATH"] = os.pathsep.join(entry for entry in entries if os.path.isabs(entry))
    return merged
