"""firstlight itself, run inside a system: the running Python, its environment and our source are laid into it."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from .roots import Root

SRC = Path(__file__).resolve().parents[2] / "src"
USER = "alice"
UID = 1000


def cannot() -> str:
    """Why it cannot be; empty if it can."""
    return "the running Python is the system's own" if sys.base_prefix == "/usr" else ""


class Inside:
    """The command line on one system, as root or as a user who may use sudo."""

    def __init__(self, root: Root) -> None:
        self.root = root
        for place in {sys.base_prefix, sys.prefix, str(SRC)}:
            at = root.path / place.lstrip("/")
            at.mkdir(parents=True, exist_ok=True)
            subprocess.run(["mount", "--bind", place, str(at)], check=True)
            root.mounted.append(at)
            for above in list(at.parents)[: -len(root.path.parents) - 1]:
                above.chmod(above.stat().st_mode | 0o055)
        root.run("useradd", "-m", "-u", str(UID), "-s", "/bin/sh", USER)
        root.write(f"/etc/sudoers.d/{USER}", f"{USER} ALL=(ALL) NOPASSWD: ALL\n", 0o440)
        # the source is not installed in the environment that root uses: as a user's own checkout would be
        start = f"import sys; sys.path.insert(0, {str(SRC)!r}); from firstlight.cli.main import entry; entry()"
        self.argv = [sys.executable, "-c", start]

    def run(self, *words: str, user: str = "root") -> subprocess.CompletedProcess[str]:
        """One command line, without a terminal."""
        argv, variables = self.vector(*words, user=user)
        return subprocess.run(argv, env=variables, capture_output=True, text=True, stdin=subprocess.DEVNULL,
                              start_new_session=True, timeout=280, check=False)  # fmt: skip

    def python(self, code: str) -> str:
        """What a piece of Python, with our source, prints as root."""
        argv = [
            "chroot",
            str(self.root.path),
            sys.executable,
            "-c",
            f"import sys; sys.path.insert(0, {str(SRC)!r})\n{code}",
        ]
        done = subprocess.run(
            argv, env={"PATH": "/usr/bin:/bin:/usr/sbin"}, capture_output=True, text=True, timeout=280, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def typed(self, *words: str, user: str = "root", types: str) -> tuple[int, str]:
        """One command line on a terminal of its own, where this is typed: exit code, and all that is seen there."""
        argv, variables = self.vector(*words, user=user)
        ours, theirs = pty.openpty()
        child = subprocess.Popen(argv, env={**variables, "TERM": "dumb"}, stdin=theirs, stdout=theirs, stderr=theirs,
                                 start_new_session=True)  # fmt: skip
        os.close(theirs)
        os.write(ours, types.encode())
        seen = bytearray()
        with contextlib.suppress(OSError):  # EIO: the other side is closed
            while data := os.read(ours, 65536):
                seen += data
        os.close(ours)
        return child.wait(280), seen.decode(errors="replace")

    def vector(self, *words: str, user: str = "root") -> tuple[list[str], dict[str, str]]:
        """What is run, and its variables."""
        who = ["--userspec", f"{UID}:{UID}", "--groups", self._groups()] if user != "root" else []
        home = f"/home/{user}" if user != "root" else "/root"
        variables = {"PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "HOME": home, "LC_ALL": "C.UTF-8"}
        return ["chroot", *who, str(self.root.path), *self.argv, *words], variables

    def _groups(self) -> str:
        """Of the user, as a login would give them."""
        lines = [line.split(":") for line in self.root.read("/etc/group").splitlines()]
        return ",".join([str(UID), *(line[2] for line in lines if USER in line[3].split(","))])

    def json(self, *words: str, user: str = "root") -> tuple[int, Any]:
        """Exit code and document."""
        done = self.run(*words, "--json", user=user)
        assert done.returncode != 70, done.stderr
        return done.returncode, json.loads(done.stdout)

    def tool(self, name: str, text: str = "exit 0") -> None:
        """A program that notes how it was called."""
        self.root.write(f"/usr/local/sbin/{name}", f'#!/bin/sh\necho "{name} $*" >> /srv/called\n{text}\n', 0o755)

    def called(self) -> list[str]:
        """What was."""
        path = self.root.path / "srv/called"
        return path.read_text().splitlines() if path.exists() else []

    def node(self, path: str, gid: int, minor: int = 128) -> None:
        """A device node of that group."""
        at = self.root.path / path.lstrip("/")
        at.parent.mkdir(parents=True, exist_ok=True)
        os.mknod(at, 0o020660, os.makedev(226, minor))
        os.chown(at, 0, gid)
        at.chmod(0o660)


def amd_gpu(folder: Path, fixture: Path) -> None:
    """A recorded AMD GPU's sysfs, to be laid over a system."""
    shutil.copytree(fixture / "root", folder, symlinks=True, copy_function=shutil.copyfile)
    module = folder / "sys/module/amdgpu"
    module.mkdir(parents=True, exist_ok=True)
    (module / "initstate").write_text("live\n")
    ttm = folder / "sys/module/ttm/parameters"
    ttm.mkdir(parents=True, exist_ok=True)
    (ttm / "pages_limit").write_text("100000\n")
    (ttm / "page_pool_size").write_text("100000\n")
