"""Files of a folder, and of the wheels, debs and archives in it, on disk, so that the vendors' tools can open them."""

from __future__ import annotations

import shutil
import subprocess
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

CONTAINERS = (".whl", ".deb", ".tar.gz", ".tar.xz", ".tar.zst", ".tar")
LARGE = 1 << 20


@contextmanager
def opened(path: Path) -> Iterator[dict[str, Path]]:
    """Path inside the container and where that file lies now. A container is unpacked beside the temporary files."""
    with tempfile.TemporaryDirectory(prefix="oracle-") as scratch:
        folder = Path(scratch)
        if path.name.endswith(".whl"):
            _unzip(path, folder)
        elif path.name.endswith(".deb"):
            subprocess.run(["dpkg-deb", "-x", path, folder], check=True, capture_output=True)
        else:
            with tarfile.open(path) as archive:
                archive.extractall(folder, filter="data")
        yield {
            str(one.relative_to(folder)): one
            for one in sorted(folder.rglob("*"))
            if one.is_file() and not one.is_symlink()
        }


def _unzip(path: Path, folder: Path) -> None:
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            if name.endswith((".py", ".pyi", ".h", ".hpp", ".cuh", ".txt", ".html", "/", ".hip.h", ".json")):
                continue
            out = folder / name
            out.parent.mkdir(parents=True, exist_ok=True)
            with archive.open(name) as packed, out.open("wb") as written:
                shutil.copyfileobj(packed, written, LARGE)
