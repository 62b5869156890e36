"""The only door through which this program starts others.

Argument vectors only, no shell. A child gets a clean environment, no input and a process group of its own, so that
all it started can be ended together. Modules that only name these functions do not pay for `subprocess`.
"""

from __future__ import annotations

import os
import signal
import time
from _thread import get_ident
from collections.abc import Mapping, Sequence
from contextlib import suppress
from errno import ECANCELED
from typing import IO, TYPE_CHECKING

from .model import Outcome

if TYPE_CHECKING:
    from subprocess import Popen
    from types import TracebackType

    from .pipes import Lines

LIMIT = 4 << 20
"""Bytes of each output stream that `run` keeps unless told otherwise: the first and the last half of it."""
NOT_FOUND = 127
NOT_RUNNABLE = 126
"""Codes of the POSIX shell (Shell Command Language, 2.8.2) for what could not be started."""
_GRACE = 1.0
"""Seconds between SIGTERM and SIGKILL, and how long a pipe held open by a left-over grandchild is waited for."""
_PATIENCE = 5.0
"""Seconds that a killed child is waited for."""
_running: set[Popen[bytes]] = set()
"""Children of `run`, of whichever thread."""
_ending = False
_MAIN = get_ident()
"""The main thread's; this module is imported there."""
_held: list[BaseException] | None = None
_starting: set[int] = set()
"""Threads that are about to note a child."""


def clean_environment(**extra: str) -> dict[str, str]:
    """This process's variables without what changes the child's language or a Python child's imports, and `extra`."""
    dropped = ("PYTHON", "LC_", "LANG", "__PYVENV_LAUNCHER__")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(dropped)}
    return {**kept, "LC_ALL": "C", **extra}


def pasteable(argv: Sequence[str]) -> str:
    """The command as a person may paste it into a shell."""
    from shlex import join

    return join(argv)


def run(
    argv: Sequence[str],
    *,
    timeout: float | None,
    env: Mapping[str, str] | None = None,
    inherit: bool = False,
    cwd: str | None = None,
    input: bytes | str | None = None,
    limit: int = LIMIT,
    terminal: bool = False,
    pass_fds: Sequence[int] = (),
) -> Outcome:
    """Run a command to its end; never raises for what the child does.

    `env` is the child's whole environment; without it `clean_environment()`, or with `inherit` this process's own.
    `timeout` in seconds: then the whole process group is ended and `timed_out` is set. `terminal`: the child keeps
    our terminal, input and process group, so that it can ask for a password; its output is still captured.
    """
    from .pipes import communicate

    began = time.monotonic()
    command = tuple(argv)
    try:
        child = _kept(
            command, env=_environment(env, inherit=inherit), cwd=cwd, feed=input is not None, own=not terminal,
            pass_fds=pass_fds,
        )  # fmt: skip
    except (OSError, ValueError) as error:
        return _not_started(command, error)
    data = input.encode() if isinstance(input, str) else input
    try:
        out, err, late = communicate(child, data, limit, None if timeout is None else began + timeout, _GRACE)
    except BaseException:  # KeyboardInterrupt: a child in a group of its own would live on
        end(child, own=not terminal)
        raise
    finally:
        _running.discard(child)
    if late:
        end(child, own=not terminal)
    return Outcome(
        argv=command,
        code=_reaped(child),
        stdout=out,
        stderr=err,
        seconds=time.monotonic() - began,
        timed_out=late,
    )


def _kept(
    argv: tuple[str, ...], *, env: dict[str, str], cwd: str | None, feed: bool, own: bool, pass_fds: Sequence[int]
) -> Popen[bytes]:
    """Started, and noted for as long as it runs. A thread that waits for a child does not hear of the signal that ends
    the program: the child's group would live on."""
    if _is_ending():
        raise OSError(ECANCELED, "the program is ending")
    if not _running:
        from atexit import register, unregister

        unregister(_end_all)
        register(_end_all)
    with _Undisturbed():
        child = _start(argv, env=env, cwd=cwd, feed=feed, own=own, pass_fds=pass_fds)
        if own:
            _running.add(child)
    if _is_ending():
        _end_all()
    return child


class _Undisturbed:
    """While a child is started and not yet noted, so that none is left behind that nobody knows of. The main thread
    alone is told of signals: an exception that a handler wants to raise waits (blocking the signals instead would be
    inherited by the child). The end of the program waits for the other threads."""

    def __enter__(self) -> None:
        global _held  # noqa: PLW0603 - one process, one main thread
        _starting.add(get_ident())
        if get_ident() == _MAIN:
            _held = []

    def __exit__(self, *_: object) -> None:
        global _held
        _starting.discard(get_ident())
        if get_ident() == _MAIN:
            held, _held = _held, None
            if held:
                raise held[0]


def hold(error: BaseException) -> bool:
    """For the handler of a signal: whether a child is being started; then `error` is raised as soon as it is noted."""
    if _held is None:
        return False
    _held.append(error)
    return True


def _is_ending() -> bool:
    return _ending


def _end_all() -> None:
    global _ending  # noqa: PLW0603 - the whole program ends
    _ending = True
    until = time.monotonic() + _GRACE
    while _starting - {get_ident()} and time.monotonic() < until:
        time.sleep(0.005)
    for child in list(_running):
        _signal(child, signal.SIGKILL, own=True)


def end(child: Popen[bytes], *, own: bool = True, grace: float = _GRACE) -> None:
    """End a child, and with `own` its whole process group: SIGTERM, and SIGKILL after `grace` seconds."""
    from subprocess import TimeoutExpired

    _signal(child, signal.SIGTERM, own=own)
    with suppress(TimeoutExpired):
        child.wait(grace)
    _signal(child, signal.SIGKILL, own=own)
    _reaped(child)


def _reaped(child: Popen[bytes]) -> int:
    """Exit code of a child that was killed or is over. One that sleeps in a driver that hangs (state D of proc(5)) dies
    only when the driver lets it go, if ever: it is left behind, and counts as killed."""
    from subprocess import TimeoutExpired

    with suppress(TimeoutExpired):
        return child.wait(_PATIENCE)
    return -signal.SIGKILL


def spawn(
    argv: Sequence[str],
    *,
    env: Mapping[str, str] | None = None,
    inherit: bool = False,
    cwd: str | None = None,
    pass_fds: Sequence[int] = (),
    feed: bool = False,
) -> Running:
    """Start a command whose output is read line by line while it runs; use it as a context manager.

    `feed`: it gets a pipe as input, else none. Raises OSError if it cannot be started.
    """
    child = _start(tuple(argv), env=_environment(env, inherit=inherit), cwd=cwd, feed=feed, own=True, pass_fds=pass_fds)
    return Running(child, tuple(argv))


class Running:
    """A running child and its process group. Leaving the context kills what is left of the whole group."""

    def __init__(self, child: Popen[bytes], argv: tuple[str, ...]) -> None:
        from .pipes import Lines

        self.argv = argv
        self._child = child
        self.output: Lines = Lines(_pipe(child.stdout))
        """Its standard output: `output.line(seconds)`."""
        self.errors: Lines = Lines(_pipe(child.stderr))
        """Its standard error. Read it, or a child that says much stands still: `drain_errors`."""

    @property
    def pid(self) -> int:
        """Process id, and id of the group."""
        return self._child.pid

    def line(self, seconds: float | None) -> bytes | None:
        """Next line of standard output without its end; b"" is an empty line. None: the stream ended (then `ended`
        is true) or `seconds` went by. Standard error is taken in meanwhile, so that the child never stands still."""
        return self.output.line(seconds, also=self.errors)

    @property
    def ended(self) -> bool:
        """Whether standard output came to its end and all its lines were given."""
        return self.output.ended

    def said(self) -> str:
        """The end of what it wrote to standard error so far (at most 64 KiB)."""
        self.errors.take()
        return self.errors.tail().decode("utf-8", "replace")

    def send(self, data: bytes) -> bool:
        """Write to its input; False if it no longer reads."""
        try:
            stream = _pipe(self._child.stdin)
            stream.write(data)
            stream.flush()
        except (OSError, ValueError):  # ValueError: `finish` closed it
            return False
        return True

    def finish(self) -> None:
        """Close its input."""
        if self._child.stdin:
            try:
                self._child.stdin.close()
            except OSError:  # it went away with data unread
                return

    def poll(self) -> int | None:
        """Exit code if it is over; negative: the signal that killed it."""
        return self._child.poll()

    def wait(self, seconds: float | None) -> int | None:
        """Exit code, or None if it is still running after `seconds`. Output is taken in meanwhile."""
        until = None if seconds is None else time.monotonic() + seconds
        while (code := self._child.poll()) is None:
            left = 0.05 if until is None else min(0.05, until - time.monotonic())
            if left <= 0:
                return None
            self.errors.take()
            self.output.take()
            time.sleep(min(left, 0.01))
        return code

    def kill(self) -> int:
        """Kill the whole group at once; the exit code."""
        _signal(self._child, signal.SIGKILL, own=True)
        return _reaped(self._child)

    def end(self, grace: float = _GRACE) -> int:
        """Ask the whole group to end, kill it after `grace` seconds; the exit code."""
        end(self._child, grace=grace)
        return _reaped(self._child)

    def __enter__(self) -> Running:  # noqa: PYI034  typing.Self is 3.11's
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill()
        self.finish()
        for stream in (self._child.stdout, self._child.stderr):
            if stream:
                stream.close()


def signal_name(code: int) -> str | None:
    """`SIGKILL` for -9; None if the code is not a death by signal."""
    if code >= 0:
        return None
    try:
        return signal.Signals(-code).name
    except ValueError:
        return f"signal {-code}"


def _environment(env: Mapping[str, str] | None, *, inherit: bool) -> dict[str, str]:
    if env is not None:
        return dict(env)
    return dict(os.environ) if inherit else clean_environment()


def _start(
    argv: tuple[str, ...],
    *,
    env: dict[str, str],
    cwd: str | None,
    feed: bool,
    own: bool,
    pass_fds: Sequence[int] = (),
) -> Popen[bytes]:
    from subprocess import DEVNULL, PIPE, Popen

    if not argv:
        raise ValueError("an empty command")
    stdin = PIPE if feed else (DEVNULL if own else None)
    return Popen(
        argv,
        stdin=stdin,
        stdout=PIPE,
        stderr=PIPE,
        env=env,
        cwd=cwd,
        pass_fds=tuple(pass_fds),
        start_new_session=own,
        bufsize=0,
    )


def _pipe(stream: IO[bytes] | None) -> IO[bytes]:
    if stream is None:
        raise BrokenPipeError
    return stream


def _signal(child: Popen[bytes], number: int, *, own: bool) -> None:
    """To the group even if its leader is gone: what it started may live on. While the group has a member the kernel
    gives its id to nobody else; if it has none, there is most likely nobody (ProcessLookupError)."""
    try:
        if own:
            os.killpg(child.pid, number)
        elif child.poll() is None:
            os.kill(child.pid, number)
    except (ProcessLookupError, PermissionError):
        return


def _not_started(argv: tuple[str, ...], error: Exception) -> Outcome:
    """As a shell would report it. A name that is nowhere is EACCES to execvp if a folder on PATH is closed to us."""
    from shutil import which

    closed = isinstance(error, PermissionError) and "/" not in argv[0] and which(argv[0]) is None
    missing = isinstance(error, (FileNotFoundError, NotADirectoryError)) or not argv or closed
    text = (error.strerror or str(error)) if isinstance(error, OSError) else str(error)
    return Outcome(argv=argv, code=NOT_FOUND if missing else NOT_RUNNABLE, stdout="", stderr=text)
