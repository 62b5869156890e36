"""One file of an index: a wheel or an sdist with a real name and real metadata that holds next to nothing."""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import tarfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

import msgspec

SOURCE = "sdist"
_REAL: dict[str, bytes] = {}
SINCE = 1_577_836_800  # 2020-01-01
DATE = (2026, 1, 1, 0, 0, 0)


class Dist(msgspec.Struct, frozen=True, kw_only=True):
    """What its bytes follow from; equal ones have equal bytes."""

    name: str
    version: str
    tag: str = "py3-none-any"
    """Of the file's name; `sdist` for a source distribution."""
    requires: tuple[str, ...] = ()
    extras: tuple[str, ...] = ()
    python: str = ">=3.10"
    files: tuple[tuple[str, str], ...] = ()
    """(path, text) beside its metadata; without any, one module."""
    yanked: str | None = None
    uploaded: str = "2026-09-30T12:00:00.000000Z"

    @property
    def stem(self) -> str:
        return self.name.replace("-", "_")

    @property
    def filename(self) -> str:
        if self.tag == SOURCE:
            return f"{self.stem}-{self.version}.tar.gz"
        return f"{self.stem}-{self.version}-{self.tag}.whl"


def metadata(dist: Dist) -> str:
    """METADATA, or PKG-INFO of an sdist whose dependencies setuptools marks as dynamic."""
    if real := _REAL.get(dist.filename):
        with zipfile.ZipFile(io.BytesIO(real)) as archive:
            return archive.read(f"{dist.stem}-{dist.version}.dist-info/METADATA").decode()
    source = dist.tag == SOURCE
    lines = ["Metadata-Version: 2.4", f"Name: {dist.name}", f"Version: {dist.version}", "Summary: made for tests"]
    lines += [f"Requires-Python: {dist.python}"]
    lines += [f"Requires-Dist: {one}" for one in dist.requires]
    lines += [f"Provides-Extra: {one}" for one in dist.extras]
    lines += [f"Dynamic: {field}" for field in (("provides-extra", "requires-dist") if source else ())]
    return "\n".join(lines) + "\n"


def content(dist: Dist) -> bytes:
    """The file. Costs about 0.2 ms the first time."""
    return _REAL.get(dist.filename) or _content(dist)


@cache
def _content(dist: Dist) -> bytes:
    return _sdist(dist) if dist.tag == SOURCE else _wheel(dist)


def sha256(dist: Dist) -> str:
    return _sha256(content(dist))


@cache
def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


@contextmanager
def real_file(filename: str, data: bytes) -> Iterator[None]:
    """While the block runs, the wheel of this name is a real one."""
    _REAL[filename] = data
    try:
        yield
    finally:
        del _REAL[filename]


def _wheel(dist: Dist) -> bytes:
    info = f"{dist.stem}-{dist.version}.dist-info"
    told = dict(dist.files) or {f"{dist.stem}/__init__.py": f"__version__ = {dist.version!r}\n"}
    pure = dist.tag.endswith("-none-any")
    tags = "".join(f"Tag: {one}\n" for one in _tags(dist.tag))
    told[f"{info}/METADATA"] = metadata(dist)
    told[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: {str(pure).lower()}\n{tags}"
    record = "".join(f"{path},sha256={_digest(text)},{len(text.encode())}\n" for path, text in told.items())
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for path, text in {**told, f"{info}/RECORD": f"{record}{info}/RECORD,,\n"}.items():
            entry = zipfile.ZipInfo(path, DATE)
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, text)
    return buffer.getvalue()


def _tags(tag: str) -> list[str]:
    python, abi, platform = tag.split("-")
    return [f"{py}-{abi}-{place}" for py in python.split(".") for place in platform.split(".")]


def _digest(text: str) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()


def _sdist(dist: Dist) -> bytes:
    folder = f"{dist.stem}-{dist.version}"
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for path, text in (("PKG-INFO", metadata(dist)), *dist.files):
            member = tarfile.TarInfo(f"{folder}/{path}")
            member.size, member.mtime, member.mode = len(text.encode()), SINCE, 0o644
            archive.addfile(member, io.BytesIO(text.encode()))
    return gzip.compress(plain.getvalue(), mtime=0)
