"""The worker's parent process: imports torch once, then runs each rung in a process of its own."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Sequence
from types import FrameType

from . import isolation
from .importing import import_torch, preload
from .outcome import Finding, Job, Task, decode_job, encode, skipped


def main(arguments: Sequence[str]) -> int:
    """Climb what the job names; returns the exit code."""
    job, events = decode_job(arguments[0]), int(arguments[1])
    os.set_inheritable(events, False)  # noqa: FBT003
    if len(arguments) > 3:
        isolation.end_with_parent()
        finding = isolation.attempt(job, arguments[3])
        os.write(events, encode(finding._asdict()))
        sys.stdout.flush()
        os._exit(0)  # a driver that hangs at exit changes nothing of the answer
    signal.signal(signal.SIGTERM, give_up)
    isolation.end_with_parent(signal.SIGTERM)  # firstlight may be killed: nothing is left running then
    output = int(arguments[2])
    os.set_inheritable(output, False)  # noqa: FBT003
    isolation.private[:] = [events, output]
    os.dup2(2, 1)  # what an import prints is no answer
    isolation.quiet_children()
    Climb(job._replace(terminal=terminal_size(output)), events, output).run()
    return 0


def give_up(_signal: int, _frame: FrameType | None) -> None:
    """Firstlight's own deadline has passed, or the user interrupted: take the running rung along."""
    isolation.kill_current()
    os._exit(1)


def terminal_size(output: int) -> list[int]:
    """Columns and lines; empty if it is no terminal."""
    try:
        return list(os.get_terminal_size(output))
    except OSError:
        return []


class Climb:
    """The state of one run: what has failed so far and what the rungs have found for each other."""

    def __init__(self, job: Job, events: int, output: int) -> None:
        self.job = job
        self.stuck = ""
        """A rung that could not be killed: the driver is stuck, and whatever asks it would be as well."""
        self.events = events
        self.output = output
        self.failed = set(job.failed)
        self.fork = True

    def run(self) -> None:
        """All rungs in order; each is told to firstlight as it begins and ends."""
        for task in self.job.tasks:
            self.tell(event="begin", id=task.id)
            started = time.perf_counter()
            finding = self.one(task)
            ms = (time.perf_counter() - started) * 1000
            if finding.verdict == "fail":
                self.failed.add(task.id)
            self.tell(event="end", id=task.id, ms=round(ms, 3), **finding._asdict())
        self.tell(event="over")

    def one(self, task: Task) -> Finding:
        """One rung, unless one that it needs has failed."""
        blocker = next((need for need in task.needs if need in self.failed), None)
        if blocker is not None or self.stuck:
            return skipped("after-failure", failed=blocker or self.stuck)
        if task.id == "import":
            return import_torch(self.job.backend, task.limit)
        if self.fork:
            preload(task.id)
            self.fork = not isolation.open_devices()
        passthrough = self.output if task.id == "own-command" else None
        finding = isolation.run(self.job, task, fork=self.fork, output=passthrough)
        self.job = self.job.learned(finding.evidence) if task.id == "code-for-chip" else self.job
        self.stuck = task.id if finding.evidence.get("unkillable") is True else ""
        return finding

    def tell(self, **event: object) -> None:
        """One event to firstlight. If nobody listens any more, there is nothing left to do."""
        data = encode(event)
        try:
            while data:
                data = data[os.write(self.events, data) :]
        except OSError:
            isolation.kill_current()
            sys.exit(1)
