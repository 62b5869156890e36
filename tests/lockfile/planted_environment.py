"""A small environment on disk, as an installer leaves it, for tests that then damage it."""

from __future__ import annotations

import base64
import hashlib
import os
from pathlib import Path

from firstlight.lockfile.difference import Difference
from firstlight.lockfile.drift import Locked, compare_environment
from firstlight.lockfile.drift_environment import InUse
from firstlight.lockfile.model import BackendLock
from firstlight.progress import Silent
from firstlight.routes.model import Wheel

ID = "cpu-0123456789abcdef"
SHA = "c" * 64
PACKAGES = {"torch": "2.13.0+cpu", "filelock": "4.0.0", "nvidia-a": "1.0", "nvidia-b": "1.0"}
BACKEND = BackendLock(
    backend="cpu", route="pytorch-cpu", tier="upstream", python="3.11", pylock="pylock.cpu.toml", pylock_sha256=SHA,
    variables={}, local=(),
)  # fmt: skip


class Planted:
    """The environment, finished at a time that every file in it is older than."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "env"
        self.site = self.root / "lib/python3.11/site-packages"
        self.site.mkdir(parents=True)
        (self.root / "bin").mkdir()
        (self.root / "bin/python3.11").write_text("#!/bin/sh\n")
        (self.root / "bin/python3.11").chmod(0o755)
        (self.root / "bin/python").symlink_to("python3.11")
        (self.root / "lib64").symlink_to("lib")
        (self.root / "pyvenv.cfg").write_text("home = /usr/bin\nversion_info = 3.11.7\n")
        for name, version in PACKAGES.items():
            self.install(name, version)
        self.finished = max(path.lstat().st_ctime for path in self.root.rglob("*")) + 0.005
        while os.stat(self.touch("probe")).st_mtime <= self.finished:  # until the clock of the files is past it
            pass
        (self.root / "probe").unlink()

    def touch(self, name: str) -> Path:
        path = self.root / name
        path.write_text("")
        return path

    def install(self, name: str, version: str) -> None:
        """As an installer would: files, metadata, RECORD."""
        stem = name.replace("-", "_")
        info = f"{stem}-{version}.dist-info"
        files = {
            f"{stem}/__init__.py": f"version = {version!r}\n", f"{stem}/deep/er.py": f"# {name}\n" * 9,
            f"{info}/METADATA": f"Metadata-Version: 2.4\nName: {name}\nVersion: {version}\n\nVersion: of the text\n",
            f"../../../bin/{stem}-tool": "#!/bin/sh\n",
        }  # fmt: skip
        if name.startswith("nvidia"):
            files["nvidia/__init__.py"] = f"# {name}\n"  # shared: the last one that was installed is there
        rows = []
        for path, text in files.items():
            whole = Path(os.path.normpath(self.site / path))
            whole.parent.mkdir(parents=True, exist_ok=True)
            whole.write_text(text)
            rows.append(f"{path},sha256={digest(text)},{len(text)}")
        rows += [f"{info}/RECORD,,", f"{stem}/__pycache__/__init__.cpython-311.pyc,,"]
        (self.site / info / "RECORD").write_text("\r\n".join(rows) + "\r\n")

    def in_use(self) -> InUse:
        return InUse(folder=str(self.root), shown=f"{ID}.1", id=ID, pylock_sha256=SHA, finished=self.finished)

    def differences(self, used: InUse | None = None, *, deep: bool = False) -> list[Difference]:
        return list(compare_environment(locked(), ID, used or self.in_use(), {}, Silent(), deep=deep).differences)

    def kinds(self, *, deep: bool = False) -> set[tuple[str, str]]:
        return {(one.kind, one.what) for one in self.differences(deep=deep)}


def locked() -> Locked:
    wheels = tuple(
        Wheel(name=name, version=version, filename=f"{name}.whl", sha256="a" * 64, source="x", url="https://x/y.whl")
        for name, version in PACKAGES.items()
    )
    return Locked(backend=BACKEND, wheels=wheels, differences=(), written=0.0)


def digest(text: str) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()
