"""Shared libraries by name: what they are, and who brings them."""

from __future__ import annotations

from functools import cache
from typing import Literal

import msgspec

from ..words import Words
from .tables import records

Origin = Literal["package", "driver", "system"]


class KnownLibrary(msgspec.Struct, frozen=True, kw_only=True):
    """One library, or a family of files that come together."""

    title: str
    stems: tuple[str, ...] = ()
    """File names before `.so`."""
    folders: tuple[str, ...] = ()
    """Folders that hold its kernels."""
    origin: Origin = "package"
    numbers: dict[str, tuple[str, ...]] = {}
    """Number behind `.so.` -> major numbers of the CUDAs that have it, where that tells something."""
    cu11: str | None = None
    """Python distribution that brings it for CUDA 11."""
    cu12: str | None = None
    cu13: str | None = None
    rocm: str | None = None
    debian: tuple[str, ...] = ()
    optional: bool = False
    """Those who use it do something else where it has no code for a target."""
    unlisted: bool = False
    """Its kernels lie in its data, where no tool of the vendor's lists them: what is found says nothing."""
    without_en: str | None = None
    without_zh: str | None = None
    sources: tuple[str, ...] = ()
    as_of: str | None = None

    @property
    def without(self) -> Words | None:
        """What goes on without it."""
        return Words(self.without_en, self.without_zh or self.without_en) if self.without_en else None

    def distributions(self, number: str | None, cuda: str | None) -> tuple[str, ...]:
        """Python distributions that bring it with a number, for a CUDA version if one is known. Those who ask for a
        number that another CUDA has get that one."""
        named = {"11": self.cu11, "12": self.cu12, "13": self.cu13}
        major = (cuda or "").partition(".")[0]
        majors = self.numbers.get(number or "", tuple(named))
        majors = (major,) if major in majors else majors
        found = (*(named[one] for one in majors if one in named), self.rocm)
        return tuple(dict.fromkeys(one for one in found if one))


def known_library(file: str) -> KnownLibrary | None:
    """By the name of a file: `libcublas.so.12`, `libcudart-d0da41ae.so.11.0` (as auditwheel renames it)."""
    stem = stem_of(file)
    return _by_stem().get(stem) or _by_stem().get(_plain(stem))


def known_folder(path: str) -> KnownLibrary | None:
    """By the folder of kernels that a path leads through: `torch/lib/rocblas/library/x.co`. The innermost counts."""
    parts = path.lower().split("/")[:-1]
    return next((found for part in reversed(parts) if (found := _by_folder().get(part))), None)


def debian_package(file: str) -> str | None:
    """The Debian package that brings a library, by Debian's rule for names (policy 8.1), if it was seen there:
    `librocblas4` for `librocblas.so.4`, `libamdhip64-6` for `libamdhip64.so.6`."""
    known = known_library(file)
    stem, _, number = file.partition(".so.")
    name = f"{stem}{'-' if stem[-1:].isdigit() else ''}{number.partition('.')[0]}".lower().replace("_", "-")
    return name if known and name in known.debian else None


def sister_of(distribution: str) -> str | None:
    """The distribution for CUDA 13 that has the libraries of one for CUDA 12: `nvidia-cublas` for
    `nvidia-cublas-cu12`."""
    return next((row.cu13 for row in _rows() if row.cu12 == distribution), None)


def stem_of(file: str) -> str:
    """`libcublas` of `/a/libcublas.so.12`."""
    return file.rpartition("/")[2].partition(".so")[0]


def number_of(file: str) -> str | None:
    """`12` of `libcublas.so.12`, `1` of `libMIOpen.so.1.0`; None where there is none."""
    number = file.rpartition("/")[2].partition(".so.")[2].partition(".")[0]
    return number if number.isascii() and number.isdigit() else None


def _plain(stem: str) -> str:
    """Without the hash that auditwheel puts behind a hyphen or a dot."""
    for mark in "-.":
        name, _, end = stem.rpartition(mark)
        if name and len(end) == 8 and all(sign in "0123456789abcdef" for sign in end):
            return name
    return stem


@cache
def _rows() -> tuple[KnownLibrary, ...]:
    return records("libraries", "library", KnownLibrary)


@cache
def _by_stem() -> dict[str, KnownLibrary]:
    return {stem: row for row in _rows() for stem in row.stems}


@cache
def _by_folder() -> dict[str, KnownLibrary]:
    return {folder: row for row in _rows() for folder in row.folders}
