"""`kill -9` by strace at chosen system calls of firstlight, and of the uv that it starts."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from firstlight.lockfile.files import dumps, write
from firstlight.lockfile.model import VERSION, BackendLock, HostConditions, Lock
from firstlight.routes.model import Wheel
from firstlight.routes.pylock import pylock_text
from tests.routes.tiny_wheels import make_index, make_wheel

SRC = Path(__file__).resolve().parents[2] / "src"
PYTHON = f"{sys.version_info[0]}.{sys.version_info[1]}"
NAMES = ("rename", "renameat", "renameat2", "unlink", "unlinkat", "symlink", "symlinkat", "link", "linkat", "mkdir",
         "mkdirat", "rmdir", "truncate", "ftruncate", "chmod", "fchmod", "fchmodat", "utimensat")  # fmt: skip
"""They change names, or what is under them."""
SYNCS = ("fsync", "fdatasync", "syncfs", "sync")
DATA = ("write", "pwrite64", "writev", "copy_file_range", "sendfile", "ioctl", "open", "openat", "creat")
"""They commit only where they write: see `commits`."""
WAITS = ("epoll_wait", "flock")
"""No commits: moments at which uv is at work, and the lock is taken and given back."""
_LINE = re.compile(r"(?:(\d+) +)?(\w+)\((.*)")
MAIN = """
import sys
from firstlight.cli.main import entry
from firstlight.routes import wheels
wheels._binary = lambda: sys.argv.pop(1)
binary = wheels._binary()
wheels._binary = lambda: binary
sys.exit(entry())
"""
_WRAPPER = """#!/bin/sh
if [ "$1" = {verb} ]; then exec {strace} {uv} "$@"; fi
exec {uv} "$@"
"""


@cache
def cannot_trace() -> str:
    """Why strace is of no use here; empty if it is. Containers may forbid ptrace(2)."""
    if shutil.which("strace") is None:
        return "strace is not installed"
    answer = subprocess.run(["strace", "-f", "-o", "/dev/null", "true"], capture_output=True, text=True, check=False)
    return f"strace: {answer.stderr.strip()}" if answer.returncode else ""


class Point(NamedTuple):
    """The `when`-th time that a thread of `who` makes the system call."""

    who: str
    """`own`: firstlight's process; `venv`, `pip`: any process and thread of uv when it is started with that verb;
    `all`: whichever of them is first."""
    call: str
    when: int


class Call(NamedTuple):
    """One line of strace's log."""

    thread: str
    name: str
    said: str


def calls(log: Path) -> Iterator[Call]:
    """As they were entered."""
    for line in log.read_text(errors="replace").splitlines():
        found = _LINE.match(line)
        if found and "resumed>" not in line:
            yield Call(found[1] or "", found[2], found[3])


def commits(call: Call) -> bool:
    """Whether it changes what is on the disk (strace -y shows where it writes)."""
    if call.name in ("open", "openat"):
        return "O_CREAT" in call.said or "O_TRUNC" in call.said
    if call.name in ("write", "pwrite64", "writev"):
        return re.match(r"\d+</(?!dev/)", call.said) is not None
    return "FICLONE" in call.said if call.name == "ioctl" else True


def points(log: Path, who: str, names: Sequence[str]) -> list[Point]:
    """Every one that a clean run passed, once for each number: strace counts by thread and by call."""
    seen: Counter[tuple[str, str]] = Counter()
    found: dict[Point, None] = {}
    for call in calls(log):
        seen[call.thread, call.name] += 1
        if call.name in names and commits(call):
            found[Point(who, call.name, seen[call.thread, call.name])] = None
    return list(found)


class Scene:
    """A project over a folder of wheels that is locked to torch of one version after another."""

    def __init__(self, folder: Path, cache: Path) -> None:
        self.folder, self.house, self.root = folder, folder / "house", folder / "project"
        self.temporary, self.log = folder / "tmp", folder / "log"
        for one in (self.house, self.root, self.temporary, folder / "home"):
            one.mkdir(parents=True)
        self.filelock = make_wheel(self.house, "filelock", "4.0.0", "py3-none-any")
        index = make_index(folder / "simple", [self.filelock])
        self.variables = {
            "PATH": os.environ["PATH"], "HOME": str(folder / "home"), "TMPDIR": str(self.temporary), "LC_ALL": "C",
            "PYTHONPATH": str(SRC), "PYTHONDONTWRITEBYTECODE": "1", "UV_CACHE_DIR": str(cache),
            "UV_CONCURRENT_INSTALLS": "1", "UV_CONCURRENT_DOWNLOADS": "1", "PIP_FIND_LINKS": str(self.house),
            "PIP_CONFIG_FILE": "/dev/null", "PIP_INDEX_URL": index, "FIRSTLIGHT_SOURCE_PYTORCH_CPU": "file:///nowhere",
        }  # fmt: skip

    def lock(self, number: int) -> None:
        """Torch of a version that was never installed before."""
        torch = make_wheel(self.house, "torch", f"2.{number}+cpu", "py3-none-any", requires=["filelock"])
        files = [_wheel(path) for path in (self.filelock, torch)]
        text = pylock_text(files, PYTHON)
        frozen = BackendLock(
            backend="cpu", route="wheelhouse-cpu", tier="local", python=PYTHON, pylock="pylock.cpu.toml",
            pylock_sha256=hashlib.sha256(text.encode()).hexdigest(), variables={}, local=tuple(files),
        )  # fmt: skip
        host = HostConditions(arch="x86_64", targets=())
        lock = Lock(version=VERSION, goal={}, host=host, backends=(frozen,))
        assert dumps(lock)
        write(str(self.root), lock, text)

    def run(self, *verb: str, traced: Sequence[str] = (), uv: Path | None = None) -> subprocess.CompletedProcess[str]:
        """A verb of firstlight's command line."""
        from uv import find_uv_bin

        argv = [sys.executable, "-c", MAIN, str(uv or find_uv_bin()), *verb]
        return subprocess.run([*traced, *argv], cwd=self.root, env=self.variables, capture_output=True, text=True,
                              timeout=120, check=False)  # fmt: skip

    def traced(self, who: str, names: Sequence[str], *verb: str, kill: Point | None = None) -> bool:
        """Run a verb with `who` under strace, to be killed at `kill`. Whether that came about."""
        self.log.unlink(missing_ok=True)
        strace = ["strace", "-y", "-s", "200", "-o", str(self.log), "-e", f"trace={','.join(names)}"]
        strace += ["-e", f"inject={kill.call}:signal=KILL:when={kill.when}"] if kill else []
        # not --seccomp-bpf: with it strace 6.1 delivers no signals
        if who in ("own", "all"):
            self.run(*verb, traced=[*strace, *(["-f"] if who == "all" else [])])
        else:
            self.run(*verb, uv=self._wrapper(who, [*strace, "-f"]))
        return "+++ killed by SIGKILL +++" in self.log.read_text(errors="replace")

    def _wrapper(self, verb: str, strace: Sequence[str]) -> Path:
        from uv import find_uv_bin

        path = self.folder / "uv"
        path.write_text(_WRAPPER.format(verb=verb, strace=" ".join(strace), uv=find_uv_bin()))
        path.chmod(0o755)
        return path

    def works(self) -> str | None:
        """Version of the torch that the environment in use imports; None if there is none."""
        python = self.root / ".firstlight/env/bin/python"
        if not os.path.lexists(self.root / ".firstlight/env"):
            return None
        code = "import torch, filelock; print(torch.__version__)"
        answer = subprocess.run([python, "-I", "-B", "-c", code], capture_output=True, text=True, check=True)
        return answer.stdout.strip()

    def kept(self) -> list[str]:
        """Every name in the project, environments without their number, and files of the one in use."""
        own, env = self.root / ".firstlight", self.root / ".firstlight/env"
        names = [str(path.relative_to(self.root)) for path in self.root.glob("*")]
        names += [str(path.relative_to(own)) for path in own.glob("*")]
        names += [str(path.relative_to(own)) for folder in ("journal", "envs") for path in (own / folder).glob("*")]
        inside = os.path.realpath(env)
        for folder, _, files in os.walk(inside):
            names += [os.path.join("env", os.path.relpath(os.path.join(folder, name), inside)) for name in files]
        return sorted(re.sub(r"cpu-[0-9a-f]{16}\.\d+", "cpu-N", re.sub(r"torch-2\.\d+", "torch-2", name))
                      for name in names)  # fmt: skip

    def wheels(self) -> list[str]:
        """Links to local wheels, half made ones among them."""
        return sorted(os.listdir(self.root / ".firstlight/wheels"))

    def forget(self) -> None:
        """As after a checkout."""
        shutil.rmtree(self.root / ".firstlight", ignore_errors=True)


def _wheel(path: Path) -> Wheel:
    name, version = path.name.split("-")[:2]
    data = path.read_bytes()
    return Wheel(name=name, version=version, filename=path.name, sha256=hashlib.sha256(data).hexdigest(),
                 size=len(data), source="wheelhouse")  # fmt: skip
