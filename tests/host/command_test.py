"""Children: what they say, how long they may take, and that nothing of them is left."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from firstlight.host.command import clean_environment, end, pasteable, run, signal_name, spawn


def alive(pid: int) -> bool:
    """Whether the process runs; one that is dead and not yet waited for does not."""
    try:
        return ") Z " not in Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False


def gone(pid: int) -> bool:
    for _ in range(100):
        if not alive(pid):
            return True
        time.sleep(0.02)
    return False


def test_what_a_child_does() -> None:
    found = run(["sh", "-c", "echo out; echo err >&2; exit 3"], timeout=10)
    assert (found.code, found.stdout, found.stderr, found.timed_out) == (3, "out\n", "err\n", False)
    assert 0 < found.seconds < 10


def test_a_death_by_signal() -> None:
    found = run(["sh", "-c", "kill -SEGV $$"], timeout=10)
    assert found.code == -signal.SIGSEGV
    assert signal_name(found.code) == "SIGSEGV"
    assert signal_name(1) is None
    assert signal_name(-99) == "signal 99"


def test_what_cannot_be_started(tmp_path: Path) -> None:
    assert run(["no-such-command-here"], timeout=10).code == 127
    assert run([str(tmp_path / "nowhere")], timeout=10).code == 127
    assert run([], timeout=10).code == 127
    assert run(["true"], timeout=10, cwd=str(tmp_path / "nowhere")).code == 127
    (tmp_path / "plain").write_text("x")
    assert run([str(tmp_path / "plain")], timeout=10).code == 126
    assert run(["a\0b"], timeout=10).code == 126
    assert run(["plain"], timeout=10, env={"PATH": str(tmp_path)}).code in (126, 127)


def test_the_time_limit_ends_the_whole_group(tmp_path: Path) -> None:
    note = tmp_path / "pid"
    began = time.monotonic()
    found = run(["sh", "-c", f"sleep 60 & echo $! > {note}; echo before; wait"], timeout=0.4)
    assert time.monotonic() - began < 5
    assert found.timed_out
    assert found.code == -signal.SIGTERM
    assert found.stdout == "before\n"
    assert gone(int(note.read_text()))


def test_one_that_will_not_end_is_killed() -> None:
    found = run(["sh", "-c", "trap '' TERM; while :; do sleep 0.1; done"], timeout=0.2)
    assert found.timed_out
    assert found.code == -signal.SIGKILL


def test_a_grandchild_that_keeps_the_pipe_does_not_hold_us() -> None:
    began = time.monotonic()
    found = run(["sh", "-c", "sleep 30 & echo $!"], timeout=20)
    assert time.monotonic() - began < 5
    assert (found.code, found.timed_out) == (0, False)
    os.kill(int(found.stdout), signal.SIGKILL)


def test_output_is_bounded() -> None:
    text = "import sys; sys.stdout.write('a' * 10 + 'x' * 5_000_000 + 'z' * 10)"
    found = run([sys.executable, "-c", text], timeout=20, limit=1000)
    assert found.stdout.startswith("aaaaaaaaaaxxx")
    assert found.stdout.endswith("xxxzzzzzzzzzz")
    assert "[... 4999020 bytes left out ...]" in found.stdout
    assert len(found.stdout) < 1100


@pytest.mark.parametrize("size", [0, 10, 3_000_000])
def test_input(size: int) -> None:
    assert run(["cat"], timeout=20, input=b"x" * size).stdout == "x" * size
    assert run(["true"], timeout=20, input=b"x" * size).code == 0
    assert run(["cat"], timeout=20).stdout == ""


def test_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_MESSAGES", "zh_CN.UTF-8")
    monkeypatch.setenv("PYTHONPATH", "/nowhere")
    monkeypatch.setenv("KEPT", "yes")
    clean = clean_environment(MORE="1")
    assert (clean["LC_ALL"], clean["KEPT"], clean["MORE"]) == ("C", "yes", "1")
    assert not {"LC_MESSAGES", "LANG", "LANGUAGE", "PYTHONPATH"} & set(clean)
    show = ["sh", "-c", "echo $PYTHONPATH,$LC_ALL,$KEPT"]
    assert run(show, timeout=10).stdout == ",C,yes\n"
    monkeypatch.delenv("LC_ALL", raising=False)
    assert run(show, timeout=10, inherit=True).stdout == "/nowhere,,yes\n"
    assert run(show, timeout=10, env={"PATH": os.environ["PATH"], "KEPT": "no"}).stdout == ",,no\n"


def test_pasteable() -> None:
    assert pasteable(["echo", "a b", "$x", "it's"]) == """echo 'a b' '$x' 'it'"'"'s'"""


def test_a_terminal_child_stays_in_our_group() -> None:
    text = "import os; print(os.getpgid(0), os.getsid(0))"
    mine = f"{os.getpgid(0)} {os.getsid(0)}\n"
    assert run([sys.executable, "-c", text], timeout=20, terminal=True).stdout == mine
    assert run([sys.executable, "-c", text], timeout=20).stdout != mine


def test_lines_with_deadlines() -> None:
    script = "echo one; echo noise >&2; sleep 0.4; printf two; kill -9 $$"
    with spawn(["sh", "-c", script]) as running:
        assert running.line(5) == b"one"
        assert running.line(0.05) is None
        assert running.line(5) == b"two"
        assert running.line(5) is None
        assert running.wait(5) == -9
        assert running.said() == "noise\n"


def test_a_child_that_floods_stderr_does_not_stand_still() -> None:
    script = "import sys; sys.stderr.write('e' * 3_000_000 + 'end'); print('done')"
    with spawn([sys.executable, "-c", script]) as running:
        assert running.line(10) == b"done"
        assert running.said().endswith("eend")
        assert len(running.said()) <= 65536
        assert running.wait(5) == 0


def test_wait_takes_output_in() -> None:
    with spawn([sys.executable, "-c", "print('x\\n' * 200_000)"]) as running:
        assert running.wait(10) == 0
        assert running.line(1) == b"x"


def test_a_line_without_end_comes_in_pieces() -> None:
    with spawn([sys.executable, "-c", "import sys; sys.stdout.write('x' * 9_000_000)"]) as running:
        total = 0
        while (piece := running.line(10)) is not None:
            assert not running.ended or total + len(piece) == 9_000_000
            total += len(piece)
        assert total == 9_000_000
        assert running.ended


def test_leaving_kills_the_whole_group() -> None:
    with spawn(["sh", "-c", "sleep 60 & echo $!; wait"]) as running:
        line = running.line(5)
        assert line
        grandchild = int(line)
        assert running.wait(0.05) is None
        assert alive(grandchild)
    assert running.poll() == -signal.SIGKILL
    assert gone(grandchild)


def test_ending_gently() -> None:
    with spawn(["sh", "-c", "trap 'exit 5' TERM; echo ready; while :; do sleep 0.05; done"]) as running:
        assert running.line(5) == b"ready"
        assert running.end() == 5


def test_input_and_passed_descriptors() -> None:
    ours, theirs = os.pipe()
    try:
        script = f"import os, sys; os.write({theirs}, sys.stdin.buffer.read())"
        with spawn([sys.executable, "-c", script], pass_fds=(theirs,), feed=True) as running:
            assert running.send(b"hello")
            running.finish()
            assert running.wait(5) == 0
            assert os.read(ours, 100) == b"hello"
            assert not running.send(b"too late")
    finally:
        os.close(ours)
        os.close(theirs)


def test_spawn_of_nothing() -> None:
    with pytest.raises(OSError, match="no-such-command-here"):
        spawn(["no-such-command-here"])


def test_a_child_that_closes_its_outputs_is_still_timed() -> None:
    found = run(["sh", "-c", "exec >&- 2>&-; sleep 60"], timeout=0.3)
    assert found.timed_out
    assert found.seconds < 5
    found = run(["sh", "-c", "exec >&- 2>&-; sleep 0.2; exit 7"], timeout=10)
    assert (found.code, found.timed_out) == (7, False)


class Stuck:
    """A child that sleeps in a driver: it can be signalled and waited for, in vain."""

    pid = 1 << 30
    waited = 0.0

    def poll(self) -> None:
        return None

    def wait(self, timeout: float) -> int:
        self.waited += timeout
        raise subprocess.TimeoutExpired("stuck", timeout)


def test_a_child_that_cannot_be_killed_is_left_behind() -> None:
    child = Stuck()
    end(child, own=False, grace=0.0)  # type: ignore[arg-type]
    assert 0 < child.waited < 30


def test_what_a_thread_started_ends_with_the_program(tmp_path: Path) -> None:
    """A signal reaches the main thread alone; a child in a group of its own does not hear of it."""
    noted = tmp_path / "pid"
    code = (
        "import sys, threading, time; from firstlight.host.command import run\n"
        f"script = 'echo $$ > {noted}; sleep 60 & wait'\n"
        "threading.Thread(target=lambda: run(['sh', '-c', script], timeout=60), daemon=True).start()\n"
        f"import os\nwhile not (os.path.exists({str(noted)!r}) and os.path.getsize({str(noted)!r})): time.sleep(0.01)\n"
        "sys.exit(130)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False, timeout=30)
    assert done.returncode == 130, done.stderr
    assert gone(int(noted.read_text()))
