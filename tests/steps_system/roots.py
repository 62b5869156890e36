"""Whole Debian systems in a folder, made by debootstrap once and laid under each test."""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
import subprocess
from functools import cache
from pathlib import Path

SUITE = "trixie"
VOLATILE = ("/var/log/", "/var/cache/", "/var/lib/firstlight/", "/var/lib/apt/lists/", "/proc/", "/sys/", "/dev/",
            "/run/", "/tmp/", "/srv/")  # fmt: skip
"""What no rollback puts back: logs tell the truth, caches are made again, lists may be newer. (In /srv the tests keep
their repository.)"""
OLD = ("status-old", "diversions-old", "statoverride-old", "available-old")
"""dpkg's own copies of its last but one record."""


@cache
def cannot() -> str:
    """Why such a system cannot be made here; empty if it can."""
    if os.geteuid() != 0:
        return "only root can make a root file system"
    missing = [name for name in ("debootstrap", "chroot", "mount", "dpkg-deb") if shutil.which(name) is None]
    if missing:
        return f"{missing[0]} is not installed"
    return "" if mirror() else "no apt source of Debian is configured on this machine"


@cache
def mirror() -> str:
    """The Debian archive that this machine itself is configured to use."""
    if shutil.which("apt-get") is None:
        return ""
    said = subprocess.run(
        ["apt-get", "indextargets", "--format", "$(REPO_URI)"], capture_output=True, text=True, check=False
    )
    return next((line for line in said.stdout.splitlines() if line.rstrip("/").endswith("/debian")), "")


def bootstrap(folder: Path, suite: str = SUITE) -> Path:
    """A minimal system, and strace; half a minute."""
    root = folder / suite
    argv = ["debootstrap", "--variant=minbase", "--include=strace,sudo", suite, str(root), mirror()]
    made = subprocess.run(argv, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stdout[-2000:] + made.stderr[-2000:]
    return root


class Root:
    """One system over the shared one: an overlay where the kernel allows it, else a copy."""

    def __init__(self, base: Path, folder: Path) -> None:
        self.base, self.folder, self.path = base, folder, folder / "root"
        self.path.mkdir(parents=True)
        self.mounted: list[Path] = []
        self._overlay() or shutil.copytree(base, self.path, symlinks=True, dirs_exist_ok=True)
        self._mount("proc", "proc", self.path / "proc")

    def _overlay(self) -> bool:
        for name in ("upper", "work"):
            (self.folder / name).mkdir()
        options = f"lowerdir={self.base},upperdir={self.folder}/upper,workdir={self.folder}/work"
        return self._mount("overlay", "overlay", self.path, "-o", options)

    def _mount(self, kind: str, source: str, at: Path, *more: str) -> bool:
        done = subprocess.run(["mount", "-t", kind, *more, source, str(at)], capture_output=True, check=False)
        if done.returncode == 0:
            self.mounted.append(at)
        return done.returncode == 0

    def close(self) -> None:
        """Unmount, and give the disk back."""
        for at in reversed(self.mounted):
            subprocess.run(["umount", "-l", str(at)], check=True)
        shutil.rmtree(self.folder, ignore_errors=True)

    def run(self, *argv: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        """A program of the system."""
        variables = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C", "DEBIAN_FRONTEND": "noninteractive"}
        done = subprocess.run(
            ["chroot", str(self.path), *argv], env=variables, capture_output=True, text=True, check=False
        )
        assert not check or done.returncode == 0, (argv, done.stdout[-2000:], done.stderr[-2000:])
        return done

    def write(self, path: str, text: str, mode: int = 0o644) -> None:
        """A file of the system."""
        at = self.path / path.lstrip("/")
        at.parent.mkdir(parents=True, exist_ok=True)
        at.write_text(text)
        at.chmod(mode)

    def read(self, path: str) -> str:
        """A file's text."""
        return (self.path / path.lstrip("/")).read_text()

    def status(self) -> str:
        """dpkg's record."""
        return self.read("/var/lib/dpkg/status")

    def packages(self) -> dict[str, tuple[str, str]]:
        """Name -> (state, version)."""
        said = self.run("dpkg-query", "-W", "-f", "${Package} ${db:Status-Abbrev} ${Version}\n").stdout
        return {words[0]: (words[1], words[-1]) for words in map(str.split, said.splitlines())}

    def tree(self) -> dict[str, tuple[object, ...]]:
        """Path -> kind, mode, owner, group, and hash of the content or target of the link."""
        found: dict[str, tuple[object, ...]] = {}
        for folder, folders, files in os.walk(self.path):
            folders[:] = [name for name in folders if Path(folder, name) not in self.mounted]
            for name in (*folders, *files):
                path = Path(folder, name)
                shown = f"/{path.relative_to(self.path)}"
                if not f"{shown}/".startswith(VOLATILE) and name not in OLD:
                    found[shown] = _entry(path)
        return found


def _entry(path: Path) -> tuple[object, ...]:
    found = path.lstat()
    if stat.S_ISLNK(found.st_mode):
        content = os.readlink(path)
    else:
        content = _hash(path, found) if stat.S_ISREG(found.st_mode) else ""
    return (oct(found.st_mode), found.st_uid, found.st_gid, content)


def _hash(path: Path, found: os.stat_result) -> str:
    """A file that has not been touched (its ctime tells) is not read again."""
    key = (
        found.st_ino,
        found.st_size,
        found.st_mtime_ns,
        found.st_ctime_ns,
    )  # an overlay's device is another each time
    if key not in _KNOWN:
        _KNOWN[key] = hashlib.sha256(path.read_bytes()).hexdigest()
    return _KNOWN[key]


_KNOWN: dict[tuple[int, ...], str] = {}


def difference(before: dict[str, tuple[object, ...]], after: dict[str, tuple[object, ...]]) -> dict[str, object]:
    """Path -> both, where they are not equal."""
    return {path: (before.get(path), after.get(path)) for path in sorted(before.keys() | after.keys())
            if before.get(path) != after.get(path)}  # fmt: skip
