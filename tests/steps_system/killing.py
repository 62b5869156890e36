"""`kill -9` by strace: of our own process, of apt-get, or of dpkg, at one system call that commits something."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import msgspec

from firstlight.steps.system import SystemChange
from tests.steps.killing import Point, points

from .machine import Machine

SRC = Path(__file__).resolve().parents[2] / "src"
NAMES = ("rename", "renameat", "renameat2", "unlink", "unlinkat", "link", "linkat", "symlink", "symlinkat", "mkdir",
         "mkdirat", "rmdir", "ftruncate", "fchmod", "fchmodat", "fchown", "chown", "fchownat", "utimensat", "fsync",
         "fdatasync", "syncfs", "sync_file_range", "write", "pwrite64", "openat")  # fmt: skip
VARIABLES = {"PYTHONPATH": str(SRC), "PYTHONDONTWRITEBYTECODE": "1", "PATH": "/usr/bin:/bin:/usr/sbin:/sbin"}
PROGRAMS = {"apt": "/usr/bin/apt-get", "dpkg": "/usr/bin/dpkg"}
MAIN = """
import sys, msgspec
from firstlight.errors import FirstlightError
from firstlight.steps.system import Ground, SystemChange, apply_system, rollback_system
ground = Ground(sys.argv[1])
try:
    if sys.argv[2] == "rollback":
        print(rollback_system(ground=ground).id)
    else:
        print(apply_system(msgspec.json.decode(sys.argv[2], type=SystemChange), ground=ground).id)
except FirstlightError as error:
    print(error.what.en, error.why and error.why.en, file=sys.stderr)
    sys.exit(1)
"""
WRAPPER = """#!/bin/sh
exec strace -y -s 200 -o /srv/log.$$ -e trace={names} {inject} {program} "$@"
"""


class Killer:
    """Runs on one machine, each in a process of its own."""

    def __init__(self, machine: Machine, change: SystemChange) -> None:
        self.machine, self.change = machine, msgspec.json.encode(change).decode()
        self.log = machine.root.path / "srv/log.own"
        self.where = machine.root.path

    def run(self, verb: str, traced: tuple[str, ...] = ()) -> subprocess.CompletedProcess[str]:
        """`apply` or `rollback`."""
        what = self.change if verb == "apply" else verb
        argv = [*traced, sys.executable, "-c", MAIN, str(self.where), what]
        return subprocess.run(argv, env=VARIABLES, capture_output=True, text=True, timeout=120, check=False)

    def traced(self, who: str, verb: str, kill: Point | None = None) -> bool:
        """The verb, with `who` under strace, to be killed at a point. Whether that came about."""
        for old in self.where.glob("srv/log.*"):
            old.unlink()
        inject = f"-e inject={kill.call}:signal=KILL:when={kill.when}" if kill else ""
        if who == "own":
            strace = (
                "strace",
                "-y",
                "-s",
                "200",
                "-o",
                str(self.log),
                "-e",
                f"trace={','.join(NAMES)}",
                *inject.split(),
            )
            self.run(verb, strace)
        else:
            self._wrapped(who, verb, inject)
        return any(
            "+++ killed by SIGKILL +++" in log.read_text(errors="replace") for log in self.where.glob("srv/log.*")
        )

    def _wrapped(self, who: str, verb: str, inject: str) -> None:
        program = self.where / PROGRAMS[who].lstrip("/")
        real = self.where / "srv" / program.name  # where no rollback looks
        shutil.move(program, real)
        text = WRAPPER.format(names=",".join(NAMES), inject=inject, program=f"/srv/{program.name}")
        program.write_text(text)
        program.chmod(0o755)
        try:
            self.run(verb)
        finally:
            shutil.move(real, program)

    def points(self, who: str) -> list[Point]:
        """All of the last run, of every process of that kind, once for each call and number."""
        found: dict[Point, None] = {}
        for log in sorted(self.where.glob("srv/log.*")):
            found.update(dict.fromkeys(points(log, who, NAMES)))
        return list(found)


def shown(point: Point) -> str:
    """For messages."""
    return json.dumps(point)
