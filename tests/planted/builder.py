"""Recorded hosts made from real captures: a fixture's sysfs, and around it the rest of a whole machine."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

SHARED = Path(__file__).resolve().parents[3] / "shared"
FIXTURES = SHARED / "fixtures"

CAPTURED = (
    "/", "/dev", "/dev/dri", "/etc", "/etc/apt", "/etc/modprobe.d", "/lib", "/opt", "/proc",
    "/proc/driver", "/proc/sys/kernel", "/run", "/sys", "/sys/class", "/sys/class/kfd", "/sys/class/accel",
    "/sys/firmware", "/sys/fs", "/sys/fs/cgroup", "/sys/module", "/sys/kernel", "/tmp", "/usr", "/usr/lib",
    "/usr/lib/modprobe.d", "/var", "/var/lib", "/usr/lib/x86_64-linux-gnu", "/home/user1",
)  # fmt: skip
"""Folders that the recorder went through whole: what is not in them was not there."""

OS_RELEASE = 'ID=ubuntu\nID_LIKE=debian\nVERSION_ID="24.04"\nVERSION_CODENAME=noble\nPRETTY_NAME="Ubuntu 24.04.3 LTS"\n'
MEMINFO = "MemTotal:       {total} kB\nMemFree:        {total} kB\nMemAvailable:   {total} kB\n"
GROUPS = "root:x:0:\nvideo:x:44:user1\nrender:x:992:user1\nuser1:x:1000:\n"


class Machine:
    """A recorded host in the making. Paths are absolute on the machine; `save` writes host.json and root/."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.root = folder / "root"
        self.root.mkdir(parents=True)
        self.paths: dict[str, dict[str, object]] = {}
        self.environment: dict[str, str] = {"PATH": "/usr/bin:/bin", "HOME": "/home/user1", "LANG": "C.UTF-8"}
        self.groups = [1000, 44, 992]
        self.machine = "x86_64"
        self.free_bytes = 400 << 30
        self.created = 1_796_083_200.0  # 2026-12-01
        self._base()

    def _base(self) -> None:
        self.write("/etc/os-release", OS_RELEASE)
        self.write("/etc/passwd", "root:x:0:0:root:/root:/bin/sh\nuser1:x:1000:1000::/home/user1:/bin/bash\n")
        self.write("/etc/group", GROUPS)
        self.write("/proc/meminfo", MEMINFO.format(total=64 << 20))
        self.write("/proc/self/uid_map", "         0          0 4294967295\n")
        self.write("/proc/1/cgroup", "0::/init.scope\n")
        self.write("/proc/self/cgroup", "0::/user.slice\n")
        self.write("/proc/modules", "")
        self.cmdline("quiet splash")
        self.kernel("6.18.9-generic")

    def kernel(self, release: str) -> None:
        """The running kernel, with its headers."""
        self.write("/proc/sys/kernel/osrelease", release + "\n")
        self.write(
            "/proc/version", f"Linux version {release} (buildd@host) (gcc 13) #1 SMP Tue Mar 3 10:00:00 UTC 2026\n"
        )
        self.write(f"/lib/modules/{release}/build/Makefile", "\n")

    def cmdline(self, text: str) -> None:
        """The kernel command line, after the boot loader's own words."""
        self.write("/proc/cmdline", f"BOOT_IMAGE=/vmlinuz root=UUID=0 ro {text}\n")

    def fixture(self, name: str) -> None:
        """The root of a captured machine, laid over this one. Its links stay links."""
        shutil.copytree(FIXTURES / name / "root", self.root, symlinks=True, dirs_exist_ok=True,
                        copy_function=shutil.copyfile)  # fmt: skip

    def write(self, path: str, content: str | bytes) -> None:
        """A file with its folders."""
        target = self.root / path.lstrip("/")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content if isinstance(content, bytes) else content.encode())

    def link(self, path: str, to: str) -> None:
        """A symbolic link."""
        target = self.root / path.lstrip("/")
        target.parent.mkdir(parents=True, exist_ok=True)
        if target.is_symlink():
            target.unlink()
        os.symlink(to, target)

    def remove(self, path: str) -> None:
        """Neither file nor folder nor recorded path is left at, or below, `path`."""
        target = self.root / path.lstrip("/")
        if target.is_dir() and not target.is_symlink():
            shutil.rmtree(target)
        elif target.exists() or target.is_symlink():
            target.unlink()
        self.paths = {p: v for p, v in self.paths.items() if p != path and not p.startswith(path + "/")}

    def node(
        self, path: str, *, gid: int, mode: str = "0660", uid: int = 0, rdev: tuple[int, int] = (226, 128)
    ) -> None:
        """A character device: told by host.json alone, nothing in root/."""
        self.paths[path] = {"kind": "char", "mode": mode, "uid": uid, "gid": gid, "rdev": list(rdev)}

    def modules(self, *names: str) -> None:
        """Loaded kernel modules."""
        self.write("/proc/modules", "".join(f"{name} 16384 0 - Live 0x0000000000000000\n" for name in names))
        for name in names:
            self.write(f"/sys/module/{name}/refcnt", "0\n")

    def distribution(self, site: str, name: str, version: str, requires: tuple[str, ...] = ()) -> None:
        """One installed distribution's metadata."""
        info = f"{site}/{name.replace('-', '_')}-{version}.dist-info"
        needs = "".join(f"Requires-Dist: {need}\n" for need in requires)
        self.write(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n{needs}\n")
        self.write(f"{info}/RECORD", "")

    def environment_with(self, *distributions: tuple[str, str]) -> str:
        """The active virtual environment (Python 3.12) with these distributions; returns its site-packages."""
        base = "/home/user1/env"
        self.environment["VIRTUAL_ENV"] = base
        self.environment["PATH"] = f"{base}/bin:/usr/bin:/bin"
        self.write(f"{base}/pyvenv.cfg", "home = /usr/bin\nversion = 3.12.3\n")
        self.link(f"{base}/bin/python", "/usr/bin/python3.12")
        self.write("/usr/bin/python3.12", "\x7fELF")
        site = f"{base}/lib/python3.12/site-packages"
        for name, version in distributions:
            self.distribution(site, name, version)
        return site

    def save(self) -> Path:
        """Write host.json; returns the folder, which `--host` takes."""
        for path in CAPTURED:
            self.paths.setdefault(path, {"kind": "dir", "mode": "0755", "uid": 0, "gid": 0})
        total = max(self.free_bytes, 1 << 30) * 2
        document = {
            "schema": "firstlight.host/1", "created": self.created, "firstlight": "0.1.0", "machine": self.machine,
            "process": {"uid": 1000, "gid": 1000, "groups": self.groups}, "environment": self.environment,
            "paths": self.paths, "spaces": {"/": {"total": total, "free": self.free_bytes}}, "commands": [],
        }  # fmt: skip
        (self.folder / "host.json").write_text(json.dumps(document, indent=1))
        return self.folder
