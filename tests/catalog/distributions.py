"""Small real wheels and sdists, and broken ones."""

from __future__ import annotations

import gzip
import hashlib
import io
import tarfile
import zipfile
from collections.abc import Mapping

METADATA = (
    "Metadata-Version: 2.4\nName: Torch\nVersion: 2.14.0+rocm10.1.0\nRequires-Python: >=3.10\n"
    "Requires-Dist: rocm-bootstrap\nRequires-Dist: rocm[libraries]==10.1.0\n"
    'Requires-Dist: amd-torch-device-gfx1151==2.14.0+rocm10.1.0; extra == "device-gfx1151"\n'
    "Provides-Extra: device-gfx1151\nProvides-Extra: Device_All\nDynamic: Requires-Dist\n\nLong text\nName: evil\n"
)
FOLDER = "torch-2.14.0+rocm10.1.0.dist-info"
PKG_INFO = (
    "Metadata-Version: 2.4\nName: rocm\nVersion: 10.1.0\nDynamic: requires-dist\nDynamic: Provides-Extra\n"
    "Requires-Dist: rocm-sdk-core==10.1.0\n"
)


def wheel(metadata: str = METADATA, *, filler: int = 0, members: Mapping[str, str] | None = None) -> bytes:
    """A wheel of torch; `filler`: bytes before its metadata that cannot be packed."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        block = hashlib.shake_256(b"firstlight").digest(filler)
        archive.writestr("torch/lib/libtorch.so", block)
        for number in range(30):
            archive.writestr(f"torch/{number}.py", "x")
        for name, text in {f"{FOLDER}/METADATA": metadata, f"{FOLDER}/WHEEL": "", **(members or {})}.items():
            archive.writestr(name, text)
    return packed.getvalue()


def sdist(
    pkg_info: str = PKG_INFO, name: str = "rocm-10.1.0/PKG-INFO", *, before: int = 3, pyproject: str | None = None
) -> bytes:
    """An sdist of rocm."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for number in range(before):
            add(archive, f"rocm-10.1.0/src/{number}.py", b"x" * 700)
        add(archive, name, pkg_info.encode())
        add(archive, "rocm-10.1.0/src/rocm.egg-info/PKG-INFO", b"Name: evil\n")
        if pyproject is not None:
            add(archive, "rocm-10.1.0/pyproject.toml", pyproject.encode("utf-8", "surrogatepass"))
    return gzip.compress(packed.getvalue(), mtime=0)


def add(archive: tarfile.TarFile, name: str, data: bytes) -> None:
    member = tarfile.TarInfo(name)
    member.size = len(data)
    archive.addfile(member, io.BytesIO(data))


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
