"""A rung that hangs, crashes, is killed or talks nonsense is a result, and takes no other rung down."""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import signal
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path

import pytest

from firstlight.checks import ladder
from firstlight.checks.limits import Limits
from firstlight.checks.model import RUNGS
from firstlight.checks.session import climb_worker
from firstlight.checks.worker.outcome import Job, Task

from .climbing import cpu, plant

pytestmark = pytest.mark.ladder

LIVING = ("import", "device-visible", "code-for-chip", "first-kernel")

EACH_IN_ITS_WAY = """
import ctypes, os, resource, signal, sys, time
F = torch.nn.functional
def hang(*a, **k):
    print("about to hang", flush=True)
    time.sleep(1000)
torch.matmul = hang
F.conv_transpose2d = lambda *a, **k: ctypes.string_at(0)
sdpa = F.scaled_dot_product_attention
F.scaled_dot_product_attention = lambda *a, is_causal=False: (
    os.kill(os.getpid(), signal.SIGKILL) if is_causal else sdpa(*a))
def nonsense(*a, **k):
    print("{garbage" * 10000)
    sys.stdout.flush()
    os.closerange(3, 100)
    os._exit(0)
torch.save = nonsense
def limited(*a, **k):
    torch.arange = arange
    used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + (100 << 20), resource.RLIM_INFINITY))
    return arange(*a, **k)
arange = torch.arange
torch.arange = lambda *a, **k: (limited if a and a[0] == 8388608 else arange)(*a, **k)
"""


def test_healthy_ladder(torch_python: str) -> None:
    rungs = cpu(torch_python, command=("python", "-c", "import torch"))
    verdicts = {rung.id: rung.verdict for rung in rungs.values()}
    assert verdicts == dict.fromkeys(RUNGS[4:], "pass") | {"collectives": "skip"}
    training = rungs["training-step"].evidence
    assert isinstance(training["share_of_bound"], float)
    assert training["share_of_bound"] < 0.5


def test_rungs_in_new_processes_where_a_device_is_open(torch_python: str, tmp_path: Path) -> None:
    """The file of a device is planted into what the worker is told of its open files: there is no GPU to open."""
    code = """
import sys
if "firstlight_worker.supervisor" in sys.modules:
    isolation = sys.modules["firstlight_worker.isolation"]
    isolation.open_devices = lambda: ["/dev/kfd"]
    isolation.fork_rung = None
"""
    variables = plant(tmp_path / "plant", code + "torch.matmul = lambda *a: sys.exit('leaves')")
    rungs = cpu(torch_python, "first-kernel", "matmul", variables=variables)
    assert rungs["first-kernel"].verdict == "pass"
    assert rungs["first-kernel"].ms > 500  # imported torch again
    assert (rungs["matmul"].reason, rungs["matmul"].evidence["code"]) == ("exit-code", 1)
    assert "leaves" in str(rungs["matmul"].evidence["stderr"])


def test_every_kind_of_end_is_named_and_the_others_still_run(torch_python: str, tmp_path: Path) -> None:
    variables = plant(tmp_path / "plant", EACH_IN_ITS_WAY)
    rungs = cpu(torch_python, variables=variables, limits=Limits(matmul=0.5), command=("true",))
    assert tuple(rungs) == RUNGS[4:]
    assert [rungs[rung].verdict for rung in LIVING] == ["pass"] * 4
    matmul = rungs["matmul"]
    assert (matmul.verdict, matmul.reason) == ("fail", "timeout")
    # its own words, or, where it came to that before it was killed, where it hung
    assert any(sign in str(matmul.evidence["stderr"]) for sign in ("about to hang", "most recent call first"))
    assert "hang" in str(matmul.evidence["stderr"])  # the stack, by faulthandler
    assert 400 < matmul.ms < 3000
    convolution = rungs["convolution"]
    assert (convolution.verdict, convolution.reason) == ("fail", "crashed")
    assert convolution.evidence["signal"] == "SIGSEGV"
    assert "conv" in str(convolution.evidence["stderr"])
    assert (rungs["attention"].reason, rungs["attention"].evidence["signal"]) == ("killed", "SIGKILL")
    assert rungs["training-step"].verdict == "pass"
    assert (rungs["checkpoint"].verdict, rungs["checkpoint"].reason) == ("fail", "no-answer")
    assert len(str(rungs["checkpoint"].evidence["stderr"])) <= 4000
    assert (rungs["memory"].verdict, rungs["memory"].reason) == ("fail", "out-of-memory")
    assert "allocate" in rungs["memory"].text
    assert rungs["own-command"].verdict == "pass"


def test_a_killed_worker_is_started_again_after_the_rung_that_killed_it(torch_python: str, tmp_path: Path) -> None:
    code = "import os, signal\ntorch.matmul = lambda *a: os.kill(os.getppid(), signal.SIGKILL)"
    rungs = cpu(torch_python, "matmul", "attention", "collectives", variables=plant(tmp_path / "plant", code))
    assert (rungs["matmul"].verdict, rungs["matmul"].reason) == ("fail", "killed")
    assert rungs["matmul"].evidence["worker_died"] is True
    assert rungs["attention"].verdict == "pass"
    assert rungs["collectives"].reason == "one-device"


def test_what_needs_a_failed_rung_is_left_out(torch_python: str, tmp_path: Path) -> None:
    rungs = cpu(torch_python, variables=plant(tmp_path / "plant", "torch.arange = None"), command=("true",))
    assert (rungs["first-kernel"].verdict, rungs["first-kernel"].reason) == ("fail", "exception")
    later = [rungs[rung] for rung in RUNGS[RUNGS.index("matmul") :]]
    assert {(rung.verdict, rung.reason) for rung in later} == {("skip", "after-failure")}
    assert later[0].evidence == {"failed": "first-kernel"}


def test_memory_kill_by_the_control_group(torch_python: str, tmp_path: Path) -> None:
    lines = Path("/proc/self/cgroup").read_text().splitlines()
    own = next((line.split(":")[2] for line in lines if ":memory:" in line), None)
    group = Path(f"/sys/fs/cgroup/memory{own}/firstlight-test-{os.getpid()}")
    try:
        group.mkdir()
        (group / "memory.limit_in_bytes").write_text(str(700 << 20))
    except OSError as error:
        pytest.skip(f"no control group of version 1 can be made here: {error}")
    code = f"""
open({str(group / "cgroup.procs")!r}, "w").write("0")
torch.matmul = lambda *a: torch.ones(1 << 28)
"""
    try:
        rungs = cpu(torch_python, "matmul", "attention", variables=plant(tmp_path / "plant", code))
    finally:
        group.rmdir()
    assert (rungs["matmul"].verdict, rungs["matmul"].reason) == ("fail", "out-of-memory")
    assert rungs["matmul"].evidence["oom_kills"] == 1
    assert rungs["attention"].verdict == "pass"


def test_collectives_between_processes(torch_python: str, tmp_path: Path) -> None:
    rungs = cpu(torch_python, "collectives", collectives_on_cpu=3)
    assert rungs["collectives"].verdict == "pass"
    assert rungs["collectives"].evidence["ranks"] == 3
    code = "import os\nimport torch.distributed as d\nold = d.all_gather\n"
    code += "d.all_gather = lambda parts, mine: os.abort() if d.get_rank() == 1 else old(parts, mine)"
    crashed = cpu(torch_python, "collectives", collectives_on_cpu=2, variables=plant(tmp_path / "crash", code))
    assert (crashed["collectives"].reason, crashed["collectives"].evidence["rank"]) == ("crashed", 1)
    assert crashed["collectives"].evidence["signal"] == "SIGABRT"
    code = "import time\nimport torch.distributed as d\n"
    code += "d.broadcast = lambda *a, **k: time.sleep(1000)"
    limits = Limits(collectives=2)
    hung = cpu(
        torch_python, "collectives", collectives_on_cpu=2, variables=plant(tmp_path / "hang", code), limits=limits
    )
    assert hung["collectives"].reason == "timeout"
    assert "collectives.py" in str(hung["collectives"].evidence["stderr"])  # where each rank stands
    assert "one_size" in str(hung["collectives"].evidence["stderr"])


def test_own_command(torch_python: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "torch.py").write_text("raise RuntimeError('the folder shadows torch')")
    show = "import sys; print(sys.executable); print('said', file=sys.stderr); sys.exit(5)"
    rungs = cpu(torch_python, "own-command", command=("python", "-c", show), cwd=tmp_path)
    assert rungs["import"].verdict == "pass"
    own = rungs["own-command"]
    assert (own.verdict, own.reason, own.evidence["code"]) == ("fail", "exit-code", 5)
    assert torch_python in str(own.evidence["stderr"])
    out, err = capfd.readouterr()
    assert (out, err.splitlines()) == ("", [torch_python, "said"])


@pytest.mark.parametrize(
    ("command", "reason", "evidence"),
    [
        (("sh", "-c", "kill -TERM $$"), "crashed", {"signal": "SIGTERM"}),
        (("sh", "-c", "kill -KILL $$"), "killed", {"signal": "SIGKILL"}),
        (("no-such-command-here",), "not-found", {"code": 127}),
        (("/etc/passwd",), "not-executable", {"code": 126}),
        (("a\0b",), "not-executable", {"code": 126}),
        (("x" * 5000,), "not-executable", {"code": 126}),
        (("sh", "-c", "exit 127"), "exit-code", {"code": 127}),
    ],
)
def test_own_command_that_fails(
    torch_python: str, command: tuple[str, ...], reason: str, evidence: dict[str, object]
) -> None:
    own = cpu(torch_python, "own-command", command=command)["own-command"]
    assert (own.verdict, own.reason) == ("fail", reason)
    assert evidence.items() <= own.evidence.items()


def test_own_command_that_hangs_is_ended_with_all_it_started(torch_python: str, tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    script = f"sleep 1000 & echo $! >> {pids}; sleep 1000 & echo $! >> {pids}; wait"
    own = cpu(torch_python, "own-command", command=("sh", "-c", script), limits=Limits(own_command=0.5))["own-command"]
    assert (own.verdict, own.reason) == ("fail", "timeout")
    for pid in pids.read_text().split():
        wait_for_end(int(pid))


def test_a_program_without_a_first_line_is_not_executable(torch_python: str, tmp_path: Path) -> None:
    script = tmp_path / "script"
    script.write_text("echo hello\n", encoding="utf-8")
    script.chmod(0o755)
    own = cpu(torch_python, "own-command", command=(str(script),))["own-command"]
    assert (own.reason, own.evidence["code"]) == ("not-executable", 126)
    assert "Exec format error" in own.text


TERMINAL = """
import sys
sys.path.insert(0, {source!r})
from firstlight.checks.session import climb_worker
from firstlight.checks.worker.outcome import Job, Task
code = "import os, sys; print(sys.stdout.isatty(), *os.get_terminal_size()); print('x' * 90)"
tasks = [Task("import", 60, []), Task("own-command", 60, [])]
for event in climb_worker({python!r}, Job("cpu", tasks, [], ["python", "-c", code], "/"), {{}}):
    last = event
sys.exit(0 if last.verdict == "pass" else 1)
"""


def test_the_command_has_a_terminal_if_there_is_one(torch_python: str) -> None:
    outside, inside = os.openpty()
    fcntl.ioctl(inside, termios.TIOCSWINSZ, struct.pack("HHHH", 37, 123, 0, 0))
    source = str(Path(ladder.__file__).parents[2])
    program = TERMINAL.format(source=source, python=torch_python)
    child = subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.DEVNULL, stdout=inside, stderr=inside)
    os.close(inside)
    said = b""
    with contextlib.suppress(OSError):  # EIO: nobody holds the inner end any more
        while data := os.read(outside, 4096):
            said += data
    os.close(outside)
    assert child.wait() == 0, said
    assert said == b"True 123 37\r\n" + b"x" * 90 + b"\r\n"


@pytest.mark.parametrize("stopped", [False, True])
def test_nothing_is_left_where_firstlight_or_the_worker_is_killed(
    torch_python: str, tmp_path: Path, *, stopped: bool
) -> None:
    """Killed in the middle of the own command, which itself has started another process."""
    pids = tmp_path / "pids"
    script = f"sleep 1000 & echo $! $$ $PPID > {tmp_path}/new; mv {tmp_path}/new {pids}; sleep 1000"
    program = TERMINAL.format(source=str(Path(ladder.__file__).parents[2]), python=torch_python)
    program = program.replace('["python", "-c", code]', repr(["sh", "-c", script]))
    child = subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for _ in range(1500):
        if pids.exists():
            break
        time.sleep(0.02)
    started, shell, rung = (int(word) for word in pids.read_text().split())
    if stopped:
        worker = int(Path(f"/proc/{rung}/stat").read_text().rpartition(")")[2].split()[1])
        os.kill(worker, signal.SIGSTOP)
        os.kill(worker, signal.SIGKILL)
    else:
        child.kill()
    for pid in (rung, shell, started):
        wait_for_end(pid)
    child.kill()
    child.wait()


def test_what_cannot_be_killed_is_not_asked_again(torch_python: str, tmp_path: Path) -> None:
    """As where a driver hangs in the kernel: here the worker's signals are kept from the rung."""
    code = """
import sys, time
if "firstlight_worker.supervisor" in sys.modules:
    isolation = sys.modules["firstlight_worker.isolation"]
    isolation.UNKILLABLE = isolation.GRACE = 0.2
    isolation.kill_current = isolation.os.kill = lambda *a: None
torch.matmul = lambda *a: time.sleep(20)
"""
    limits = Limits(matmul=1)
    rungs = cpu(torch_python, "matmul", "attention", variables=plant(tmp_path / "plant", code), limits=limits)
    assert (rungs["matmul"].reason, rungs["matmul"].evidence["unkillable"]) == ("timeout", True)
    assert (rungs["attention"].verdict, rungs["attention"].evidence) == ("skip", {"failed": "matmul"})


def test_an_interrupt_ends_all_that_the_command_started(torch_python: str, tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    script = f"sleep 1000 & echo $! >> {pids}; echo $$ >> {pids}; echo ready >> {pids}; wait"
    tasks = [Task("import", 60, []), Task("own-command", 60, [])]
    job = Job("cpu", tasks, [], ["sh", "-c", script], str(tmp_path))
    events = climb_worker(torch_python, job, {})
    while next(events).id != "own-command":
        pass
    for _ in range(200):
        if pids.exists() and "ready" in pids.read_text():
            break
        time.sleep(0.02)
    events.close()  # as Ctrl-C does
    for pid in pids.read_text().split()[:2]:
        wait_for_end(int(pid))


def test_garbage_on_the_private_descriptors_is_no_event(torch_python: str, tmp_path: Path) -> None:
    code = """
import os
for end in range(3, 30):
    try:
        os.write(end, b'garbage\\n{"event": 5}\\n{"event": "end", "id": 7}\\n[[[[\\n')
    except OSError:
        pass
"""
    rungs = cpu(torch_python, "first-kernel", variables=plant(tmp_path / "plant", code))
    assert [rung.verdict for rung in rungs.values()] == ["pass", "pass"]


def wait_for_end(pid: int) -> None:
    """A killed process may wait a moment for its parent to notice."""
    for _ in range(100):
        status = Path(f"/proc/{pid}/stat")
        if not status.exists() or status.read_text().rpartition(")")[2].split()[0] in "ZX":
            return
        time.sleep(0.02)
    pytest.fail(f"{pid} still runs")


def test_import_that_hangs(torch_python: str, tmp_path: Path) -> None:
    variables = plant(tmp_path / "plant", "import time\ntime.sleep(1000)")
    rungs = cpu(torch_python, "matmul", variables=variables, limits=Limits(import_=6))
    assert (rungs["import"].verdict, rungs["import"].reason) == ("fail", "timeout")
    assert "sitecustomize.py" in str(rungs["import"].evidence["stderr"])
    assert (rungs["matmul"].verdict, rungs["matmul"].reason) == ("skip", "after-failure")


def test_import_that_crashes(torch_python: str, tmp_path: Path) -> None:
    """A damaged library of torch: the loader maps it and falls over its missing end."""
    real = Path(torch_python).parent.parent / "lib" / f"python3.{sys.version_info[1]}" / "site-packages" / "torch"
    copy = tmp_path / "torch"
    shutil.copytree(real, copy, copy_function=os.symlink)
    library = copy / "lib" / "libtorch_cpu.so"
    library.unlink()
    with (real / "lib" / "libtorch_cpu.so").open("rb") as whole:
        library.write_bytes(whole.read(100_000))
    imported = cpu(torch_python, "import", variables={"PYTHONPATH": str(tmp_path)})["import"]
    assert imported.verdict == "fail"
    assert imported.reason in ("crashed", "import-error")
    assert imported.evidence.get("signal", "SIGBUS") == "SIGBUS"
