"""One rung in a process of its own, so that a hang, a crash or a kill is a result and nothing more."""

from __future__ import annotations

import contextlib
import ctypes
import faulthandler
import os
import resource
import select
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Iterator
from typing import NamedTuple, NoReturn

from . import cgroup
from .outcome import (
    ANSWER_LIMIT,
    LAST,
    TEXT_LIMIT,
    Finding,
    Job,
    Task,
    decode_finding,
    encode,
    encode_job,
    failed,
    refused_memory,
)
from .rungs_by_id import check_of

PR_SET_PDEATHSIG = 1
"""linux/prctl.h"""
DEVICES = ("/dev/kfd", "/dev/dri/", "/dev/nv", "/dev/dxg")
"""All of ROCm's and CUDA's; Jetson has /dev/nvmap and /dev/nvhost-*."""
TAIL = TEXT_LIMIT
GRACE = 1.0
"""Seconds that a rung has to print where it stands once its time is over."""
UNKILLABLE = 5.0
"""Seconds to wait for a killed process; one that stays is stuck in the kernel (a hung driver)."""

_current: list[int] = []
"""Pid of the running rung: at most one."""
private: list[int] = []
"""Descriptors that lead to firstlight; a rung must not have them."""


class Ended(NamedTuple):
    """How the process of a rung ended and what it left."""

    status: int | None
    """As os.waitpid gives it; None: could not be killed."""
    answer: bytes
    tail: str
    timed_out: bool
    oom_kills: int | None
    """Kills by memory in our control group meanwhile; None: not known."""


def run(job: Job, task: Task, *, fork: bool, output: int | None) -> Finding:
    """Run one rung within its limit; what it prints also goes to the descriptor `output`, if given."""
    before = cgroup.oom_kills()
    with pipe() as answer, pipe() as prints:
        started = time.monotonic()
        pid = (fork_rung if fork else spawn_rung)(job, task.id, answer[1], prints[1])
        _current[:] = [pid]
        os.close(answer.pop())
        os.close(prints.pop())
        watch = Watch(pid, answer[0], prints[0], output)
        timed_out = not watch.until(started + task.limit)
        if timed_out:
            interrupt(watch)
        status = watch.status
        kill_current()
        if status is None:
            watch.until(time.monotonic() + UNKILLABLE)
            status = watch.status
        _current.clear()
        watch.drain()
    after = cgroup.oom_kills()
    kills = None if before is None or after is None else after - before
    tail = watch.tail.decode("utf-8", "replace")
    return judge(Ended(status, bytes(watch.answer), tail, timed_out, kills), task.limit)


@contextlib.contextmanager
def pipe() -> Iterator[list[int]]:
    """A pipe; the ends still listed are closed at the end."""
    ends = list(os.pipe())
    try:
        yield ends
    finally:
        for end in ends:
            os.close(end)


class Watch:
    """Reads what a rung answers and prints until its process ends."""

    def __init__(self, pid: int, answer: int, prints: int, output: int | None) -> None:
        self.pid = pid
        self.open = {answer, prints}
        self.prints = prints
        self.output = output
        self.answer = bytearray()
        self.tail = bytearray()
        self.status: int | None = None

    def until(self, deadline: float) -> bool:
        """Wait for the process's end; False if the deadline (monotonic) came first."""
        while self.status is None:
            left = deadline - time.monotonic()
            if left <= 0:
                return False
            if self.open:
                self.take(min(left, 0.02))
            else:
                time.sleep(min(left, 0.005))
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.status = status
        return True

    def take(self, wait: float) -> bool:
        """Read once from whatever is ready; False if nothing was."""
        ready = select.select(list(self.open), [], [], wait)[0]
        for end in ready:
            data = os.read(end, 1 << 16)
            if not data:
                self.open.discard(end)
            elif end == self.prints:
                self.keep(data)
            elif len(self.answer) <= ANSWER_LIMIT:
                self.answer += data
        return bool(ready)

    def keep(self, data: bytes) -> None:
        """Remember the newest output, and pass it on where that is wanted."""
        self.tail += data
        del self.tail[:-TAIL]
        if self.output is not None:
            with contextlib.suppress(OSError):  # nobody reads: no reason to fail
                os.write(self.output, data)

    def drain(self) -> None:
        """Take what is left in the pipes, without waiting for descendants that hold them open."""
        for _ in range(1024):
            if not self.open or not self.take(0):
                return


def fork_rung(job: Job, rung: str, answer: int, prints: int) -> int:
    """Fork; the child runs the rung and never returns."""
    sys.stdout.flush()
    sys.stderr.flush()
    pid = os.fork()
    if pid == 0:
        child(job, rung, answer, prints)
    with contextlib.suppress(OSError):  # the child does the same: whoever is first
        os.setpgid(pid, pid)
    return pid


def child(job: Job, rung: str, answer: int, prints: int) -> NoReturn:
    """Life of the forked process."""
    try:
        settle(prints)
        finding = attempt(job, rung)
        os.write(answer, encode(finding._asdict()))
        sys.stdout.flush()
    finally:
        os._exit(0)


def settle(prints: int) -> None:
    """Own process group, no input, all output into the pipe, no core files, stack traces on a crash."""
    with contextlib.suppress(OSError):
        os.setpgid(0, 0)
    end_with_parent()
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    for end in private:
        os.close(end)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.dup2(prints, 1)
    os.dup2(prints, 2)
    faulthandler.enable(file=2)


def spawn_rung(job: Job, rung: str, answer: int, prints: int) -> int:
    """A new Python for the rung, where a fork of this one is not safe."""
    entry = os.path.join(os.path.dirname(os.path.abspath(__file__)), "__main__.py")
    argv = [sys.executable, "-s", "-X", "faulthandler", entry, encode_job(job), str(answer), "-1", rung]
    process = subprocess.Popen(
        argv, stdin=subprocess.DEVNULL, stdout=prints, stderr=prints, pass_fds=(answer,), start_new_session=True
    )
    process.returncode = 0  # waited for by Watch, not by subprocess
    return process.pid


def attempt(job: Job, rung: str) -> Finding:
    """Run the check of one rung; what it raises becomes a finding."""
    try:
        return check_of(rung)(job)
    except MemoryError as error:
        return failed("out-of-memory", f"MemoryError: {error}")
    except Exception as error:  # noqa: BLE001  # whatever an operation raises is the finding
        text = f"{type(error).__name__}: {error}"
        frames = traceback.extract_tb(error.__traceback__)[-4:]
        where = [f"{os.path.basename(frame.filename)}:{frame.lineno} {frame.name}" for frame in frames]
        return failed("out-of-memory" if is_out_of_memory(error) else "exception", text, where=where)


def is_out_of_memory(error: BaseException) -> bool:
    """Whether torch says that memory was refused; its CPU allocator and torch < 2.5 raise a plain RuntimeError."""
    if type(error).__name__ in ("OutOfMemoryError", "AcceleratorOutOfMemoryError"):
        return True
    return refused_memory(str(error))


def interrupt(watch: Watch) -> None:
    """Have faulthandler print where the rung stands; the stack is the best evidence of a hang."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(watch.pid, signal.SIGABRT)
    watch.until(time.monotonic() + GRACE)


def kill_current() -> None:
    """Kill the running rung with all that it started: its process group."""
    for pid in _current:
        with contextlib.suppress(OSError):
            os.killpg(pid, signal.SIGKILL)


def judge(ended: Ended, limit: float) -> Finding:
    """What the end of a rung's process says."""
    seen: dict[str, object] = {"stderr": ended.tail.strip()} if ended.tail.strip() else {}
    last = "\n".join(ended.tail.strip().splitlines()[-LAST:])
    if ended.timed_out:
        return failed("timeout", last, limit_seconds=limit, unkillable=ended.status is None, **seen)
    status = ended.status or 0
    if os.WIFSIGNALED(status):
        return died(os.WTERMSIG(status), ended.oom_kills, last, seen)
    if os.WEXITSTATUS(status):
        return failed("exit-code", last, code=os.WEXITSTATUS(status), **seen)
    finding = decode_finding(ended.answer) if len(ended.answer) <= ANSWER_LIMIT else None
    if finding is None:
        return failed("no-answer", last, answer=ended.answer[:200].decode("utf-8", "replace"), **seen)
    if finding.verdict == "fail" and seen:
        return finding._replace(evidence={**finding.evidence, **seen})
    return finding


def died(number: int, oom_kills: int | None, last: str, seen: dict[str, object]) -> Finding:
    """Ended by a signal."""
    told = {"signal": signal_name(number), **seen}
    text = f"{signal_name(number)}\n{last}".strip()
    if number != signal.SIGKILL:
        return failed("crashed", text, **told)
    return failed("out-of-memory" if oom_kills else "killed", text, oom_kills=oom_kills, **told)


def signal_name(number: int) -> str:
    """`SIGSEGV`; the bare number of one that Python does not know."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return str(number)


def open_devices() -> list[str]:
    """GPU device files that this process holds open: a fork would share the driver's state."""
    found = []
    with contextlib.suppress(OSError):
        for number in os.listdir("/proc/self/fd"):
            with contextlib.suppress(OSError):
                target = os.readlink(f"/proc/self/fd/{number}")
                if target.startswith(DEVICES):
                    found.append(target)
    return found


def quiet_children() -> None:
    """No core files: that of a process with a GPU mapped can have the size of its memory."""
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))


def end_with_parent(number: int = signal.SIGKILL) -> None:
    """Get this signal when the parent dies, however it dies (Linux)."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, number)
