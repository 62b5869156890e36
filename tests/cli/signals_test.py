"""What a signal leaves behind: nothing."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

SLEEPER = """
import sys
from firstlight.cli import calls, main, signals
from firstlight.host.command import run

def call(*_):
    print("ready", flush=True)
    run(["bash", "-c", f"trap '' TERM; echo $$ > {sys.argv[1]}; sleep 60; sleep 60"], timeout=None)

calls.call = call
sys.argv[1:] = [sys.argv[1]]
signals.watch()
sys.exit(main.main(["facts"]))
"""


def started(pid_file: Path) -> subprocess.Popen[bytes]:
    child = subprocess.Popen(
        [sys.executable, "-c", SLEEPER, str(pid_file)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    until = time.monotonic() + 20
    while not (pid_file.exists() and pid_file.read_text().strip()) and time.monotonic() < until:
        time.sleep(0.02)
    return child


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    try:  # what init has not yet collected is over
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False


def gone(pid: int) -> bool:
    """A kill is sent, not waited for: on a busy machine what it ends may take a moment more."""
    until = time.monotonic() + 20
    while alive(pid) and time.monotonic() < until:
        time.sleep(0.02)
    return not alive(pid)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("times", [1, 3])
def test_what_was_started_is_ended_too(number: signal.Signals, times: int, tmp_path: Path) -> None:
    """Also a child that does not heed SIGTERM, and also where somebody presses Ctrl-C again and again."""
    child = started(tmp_path / "pid")
    for _ in range(times):
        child.send_signal(number)
        time.sleep(0.1)
    _, err = child.communicate(timeout=20)
    assert child.returncode == 128 + number
    assert err.decode().startswith(f"firstlight: stopped by {number.name}\n")
    assert b"Traceback" not in err
    assert gone(int((tmp_path / "pid").read_text()))


def test_what_the_caller_has_us_ignore_stays_ignored(tmp_path: Path) -> None:
    asks = "import signal; from firstlight.cli.signals import watch; watch();"
    program = [sys.executable, "-c", f"{asks} print(signal.getsignal(signal.SIGHUP) is signal.SIG_IGN)"]
    done = subprocess.run(
        ["bash", "-c", "trap '' HUP; exec \"$@\"", "bash", *program], capture_output=True, check=True, cwd=tmp_path
    )
    assert done.stdout == b"True\n"
