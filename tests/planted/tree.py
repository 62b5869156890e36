"""Bare trees in the making: a capture's files, and what else of a machine lies in files. There is no host.json."""

from __future__ import annotations

import os
import shutil
import stat
from pathlib import Path

from tests.planted.builder import FIXTURES

SECURE_BOOT = "/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c"
BANNER = "NVRM version: NVIDIA UNIX x86_64 Kernel Module  {}  Tue Mar 3 10:00:00 UTC 2026\n"
ENVIRONMENT = "/home/user1/venv"
DRIVERS = ("amdgpu", "nvidia")


class Tree:
    """A root folder; paths are absolute in it. Every change returns the tree."""

    def __init__(self, root: Path, *captures: str) -> None:
        self.root = root
        self.variables: dict[str, str] = {}
        for name in captures:
            shutil.copytree(FIXTURES / name / "root", root, symlinks=True, dirs_exist_ok=True,
                            copy_function=shutil.copyfile)  # fmt: skip

    def write(self, path: str, content: str | bytes = "") -> Tree:
        """A file with its folders."""
        target = self._place(path)
        target.write_bytes(content if isinstance(content, bytes) else content.encode())
        return self

    def link(self, path: str, to: str) -> Tree:
        """A symbolic link."""
        self._place(path).symlink_to(to)
        return self

    def remove(self, path: str) -> Tree:
        """A file, a link, or a folder with all in it."""
        target = self.root / path.lstrip("/")
        if target.is_dir() and not target.is_symlink():
            shutil.rmtree(target)
        elif target.exists() or target.is_symlink():
            target.unlink()
        return self

    def node(self, path: str, *, gid: int, mode: int = 0o660, uid: int = 0) -> Tree:
        """A true character device; only root may make one."""
        target = self._place(path)
        os.mknod(target, stat.S_IFCHR | mode, os.makedev(226, 128))
        target.chmod(mode)
        os.chown(target, uid, gid)
        return self

    def nodes(self, *, gid: int, mode: int = 0o660, uid: int = 0) -> Tree:
        """AMD's nodes."""
        for path in ("/dev/kfd", "/dev/dri/renderD128", "/dev/dri/card1"):
            self.node(path, gid=gid, mode=mode, uid=uid)
        return self

    def user(self, *groups: int, uid: int = 1000) -> Tree:
        """The asking process, and the account that it runs under."""
        ids = f"Uid:\t{uid}\t{uid}\t{uid}\t{uid}\nGid:\t{uid}\t{uid}\t{uid}\t{uid}\n"
        self.write("/proc/self/status", f"Name:\tbash\n{ids}Groups:\t{' '.join(map(str, groups))} \n")
        return self.write("/etc/passwd", "root:x:0:0::/root:/bin/sh\nuser1:x:1000:1000::/home/user1:/bin/bash\n")

    def groups(self, render: str = "user1", *, number: int = 992) -> Tree:
        """The group database."""
        return self.write("/etc/group", f"root:x:0:\nvideo:x:44:user1\nrender:x:{number}:{render}\nuser1:x:1000:\n")

    def set(self, **variables: str) -> Tree:
        """Environment variables of the process."""
        self.variables.update(variables)
        return self.write("/proc/self/environ", "".join(f"{name}={value}\0" for name, value in self.variables.items()))

    def cmdline(self, words: str) -> Tree:
        """The kernel command line."""
        return self.write("/proc/cmdline", f"BOOT_IMAGE=/vmlinuz root=/dev/sda1 ro {words}\n")

    def kernel(self, release: str) -> Tree:
        """The running kernel."""
        banner = f"Linux version {release} (b@h) (gcc) #1 SMP Tue Mar 3 10:00:00 UTC 2026\n"
        return self.write("/proc/sys/kernel/osrelease", release + "\n").write("/proc/version", banner)

    def modules(self, *names: str) -> Tree:
        """Loaded kernel modules."""
        return self.write("/proc/modules", "".join(f"{name} 16384 0 - Live 0x0\n" for name in names))

    def packages(self, *distributions: str) -> Tree:
        """The active virtual environment holds these `name==version`."""
        self.write(f"{ENVIRONMENT}/pyvenv.cfg", "home = /usr/bin\nversion = 3.12.3\n")
        for one in distributions:
            name, _, version = one.partition("==")
            info = f"{ENVIRONMENT}/lib/python3.12/site-packages/{name.replace('-', '_')}-{version}.dist-info"
            self.write(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
        return self.set(VIRTUAL_ENV=ENVIRONMENT, HOME="/home/user1")

    def bound(self, driver: str | None) -> Tree:
        """Every GPU has this driver instead of its own."""
        for uevent in self.root.glob("sys/**/uevent"):
            text = uevent.read_text(errors="replace") if uevent.is_file() else ""
            own = next((one for one in DRIVERS if f"DRIVER={one}\n" in text), None)
            if own:
                uevent.write_text(text.replace(f"DRIVER={own}\n", f"DRIVER={driver}\n" if driver else ""))
                (uevent.parent / "driver").unlink(missing_ok=True)
        return self

    def secure_boot(self) -> Tree:
        """Firmware enforces signatures."""
        return self.write(SECURE_BOOT, b"\x06\0\0\0\x01")

    def built(self, module: str) -> Tree:
        """DKMS built a module without a signature for the kernel 6.8.0-60-generic, which runs."""
        where = f"/var/lib/dkms/{module}/1.0/6.8.0-60-generic/x86_64/module/{module}.ko"
        return self.kernel("6.8.0-60-generic").write(where, b"\x7fELF" + bytes(90))

    def _place(self, path: str) -> Path:
        target = self.root / path.lstrip("/")
        target.parent.mkdir(parents=True, exist_ok=True)
        if target.is_symlink() or target.exists():
            target.unlink()
        return target
