"""Real wheels with real names that hold next to nothing."""

from __future__ import annotations

import base64
import hashlib
import zipfile
from collections.abc import Sequence
from pathlib import Path

LINUX = "manylinux_2_28_x86_64"


def make_wheel(
    folder: Path,
    name: str,
    version: str,
    tag: str = f"cp311-cp311-{LINUX}",
    *,
    requires: Sequence[str] = (),
    code: str = "",
) -> Path:
    """A wheel that uv and pip install: metadata, a module, a RECORD with hashes."""
    folder.mkdir(parents=True, exist_ok=True)
    stem = name.replace("-", "_")
    info = f"{stem}-{version}.dist-info"
    needs = "".join(f"Requires-Dist: {one}\n" for one in requires)
    files = {
        f"{stem}/__init__.py": code or f"__version__ = {version!r}\n",
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n{needs}",
        f"{info}/WHEEL": f"Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: {tag}\n",
    }
    record = "".join(f"{path},sha256={_digest(text)},{len(text.encode())}\n" for path, text in files.items())
    path = folder / f"{stem}-{version}-{tag}.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for inner, text in {**files, f"{info}/RECORD": f"{record}{info}/RECORD,,\n"}.items():
            archive.writestr(zipfile.ZipInfo(inner, (2026, 1, 1, 0, 0, 0)), text)
    return path


def _digest(text: str) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()


def make_index(folder: Path, wheels: Sequence[Path]) -> str:
    """A simple index on disk (PEP 503) that links to the wheels; its URL."""
    for wheel in wheels:
        page = folder / wheel.name.split("-")[0].lower().replace("_", "-") / "index.html"
        page.parent.mkdir(parents=True, exist_ok=True)
        links = page.read_text() if page.exists() else "<!DOCTYPE html>\n"
        page.write_text(f'{links}<a href="{wheel.as_uri()}">{wheel.name}</a><br>\n')
    return folder.as_uri()
