"""Rung `own-command`: the user's own command, with the environment's programs first."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import sys
from types import FrameType

from ..isolation import end_with_parent, signal_name
from ..outcome import Finding, Job, failed, passed, skipped

NOT_RUNNABLE, NOT_FOUND = 126, 127
"""As a shell would end (POSIX, Shell Command Language, 2.8.2)."""


def check(job: Job) -> Finding:
    """Its exit code is the verdict; what it prints goes on to the user."""
    if not job.command:
        return skipped("none-given")
    signal.signal(signal.SIGTERM, end_all)
    end_with_parent(signal.SIGTERM)  # in place of SIGKILL, which would leave what the command has started
    try:
        code = run(job)
    except (FileNotFoundError, NotADirectoryError) as error:
        text = f"{error.strerror}: {error.filename}"
        return failed("not-found", text, code=NOT_FOUND, command=job.command)
    except (OSError, ValueError) as error:  # no permission, no program, too long, a null character
        return failed("not-executable", str(error), code=NOT_RUNNABLE, command=job.command)
    if code < 0:
        reason = "killed" if -code == signal.SIGKILL else "crashed"
        return failed(reason, signal_name(-code), signal=signal_name(-code), command=job.command)
    if code:
        return failed("exit-code", f"exit code {code}", code=code, command=job.command)
    return passed(code=0, command=job.command)


def end_all(_signal: int, _frame: FrameType | None) -> None:
    """End this process group: ourselves, the command and what it has started."""
    os.killpg(0, signal.SIGKILL)


def run(job: Job) -> int:
    """Its exit code. With a terminal if the user has one: programs then show progress, and each line at once."""
    outside, inside = terminal(*job.terminal) if len(job.terminal) == 2 else (None, None)
    try:
        child = subprocess.Popen(
            job.command, cwd=job.cwd, env=environment(), stdin=subprocess.DEVNULL,
            stdout=inside, stderr=inside, preexec_fn=end_with_parent,  # noqa: PLW1509  one thread, and one system call
        )  # fmt: skip
    finally:
        if inside is not None:
            os.close(inside)
    while outside is not None and (child.poll() is None or select.select([outside], [], [], 0)[0]):
        if not hand_on(outside):
            break
    return child.wait()


def terminal(columns: int, lines: int) -> tuple[int, int]:
    """The outer and the inner end of a new terminal."""
    import fcntl
    import struct
    import termios

    outside, inside = os.openpty()
    modes = termios.tcgetattr(inside)
    modes[1] &= ~termios.OPOST  # the user's own terminal turns line ends into new lines
    termios.tcsetattr(inside, termios.TCSANOW, modes)
    fcntl.ioctl(inside, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
    return outside, inside


def hand_on(outside: int) -> bool:
    """What was written into the terminal within a moment; False once nobody holds its inner end (EIO)."""
    if not select.select([outside], [], [], 0.05)[0]:
        return True
    try:
        data = os.read(outside, 1 << 16)
    except OSError:
        return False
    with contextlib.suppress(OSError):
        os.write(1, data)
    return True


def environment() -> dict[str, str]:
    """This process's variables, with the environment's programs first in PATH, as if it were activated."""
    programs = os.path.dirname(sys.executable)
    path = os.pathsep.join([programs, os.environ.get("PATH", os.defpath)])
    activated = {"VIRTUAL_ENV": sys.prefix} if sys.prefix != sys.base_prefix else {}
    return {"PYTHONUNBUFFERED": "1", **os.environ, "PATH": path, **activated}
