"""Rung `own-command`: the user's own command, with the environment's programs first."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

from ..isolation import signal_name
from ..outcome import Finding, Job, failed, passed, skipped


def check(job: Job) -> Finding:
    """Its exit code is the verdict; what it prints goes on to the user."""
    if not job.command:
        return skipped("none-given")
    try:
        code = subprocess.run(
            job.command, cwd=job.cwd, env=environment(), stdin=subprocess.DEVNULL, check=False
        ).returncode
    except (FileNotFoundError, NotADirectoryError) as error:
        return failed("not-found", f"{error.strerror}: {error.filename}", command=job.command)
    except PermissionError as error:
        return failed("not-executable", str(error), command=job.command)
    if code < 0:
        reason = "killed" if -code == signal.SIGKILL else "crashed"
        return failed(reason, signal=signal_name(-code), command=job.command)
    return failed("exit-code", code=code, command=job.command) if code else passed(code=0, command=job.command)


def environment() -> dict[str, str]:
    """This process's variables, with the environment's programs first in PATH, as if it were activated."""
    programs = os.path.dirname(sys.executable)
    path = os.pathsep.join([programs, os.environ.get("PATH", os.defpath)])
    activated = {"VIRTUAL_ENV": sys.prefix} if sys.prefix != sys.base_prefix else {}
    return {**os.environ, "PATH": path, **activated}
