"""Which CUDA or ROCm a report's files were built for, by its name and by what they ask for."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from ..knowledge.libraries import number_of, stem_of
from ..knowledge.versions import version_key
from .model import Report

HIP_MAJORS = {"5": "5", "6": "6", "7": "7"}
"""libamdhip64's number -> ROCm's, as far as the two went together (ROCm/HIP release notes)."""

OWN = ("nvidia-cuda-runtime", "nvidia-cuda-nvrtc", "nvidia-nvjitlink")
"""Distributions that bear CUDA's own version."""


class BuiltFor(msgspec.Struct, frozen=True):
    """Versions as far as they are told: `13.0`, or `13` alone. None: not told."""

    cuda: str | None = None
    rocm: str | None = None


def built_for(report: Report) -> BuiltFor:
    """By its distribution, else by the runtime that its libraries ask for."""
    named = of_distribution(report.distribution or "")
    needed = {library for piece in report.pieces if piece.needs for library in piece.needs.libraries}
    return BuiltFor(
        named.cuda or _number(needed, "libcudart", None), named.rocm or _number(needed, "libamdhip64", HIP_MAJORS)
    )


def of_distribution(distribution: str) -> BuiltFor:
    """`torch 2.14.1+cu130`: by the local label of its version, else by its name."""
    name, version = parted(distribution)
    cuda = _cuda_label(version) or _own_version(name, version) or _of_name(name, ("cuda", "cu"))
    return BuiltFor(cuda, rocm_label(version) or _rocm_sdk(name, version) or _of_name(name, ("rocm",)))


def parted(distribution: str | None) -> tuple[str, str]:
    """(name as PEP 503 writes it, version); empty where it is none."""
    name, _, version = (distribution or "").partition(" ")
    words = name.lower().replace("_", "-").replace(".", "-").split("-")
    return "-".join(word for word in words if word), version


def rocm_label(version: str) -> str | None:
    """`7.2` of `2.9.1+rocm7.2`; `7.14.0` of `2.12.0+rocm7.14.0`."""
    label = version.partition("+")[2].lower()
    numbers = version_key(label.removeprefix("rocm")) if label.startswith("rocm") else ()
    parts = label.removeprefix("rocm").split(".")[:3]
    return ".".join(_digits(part) for part in parts if _digits(part)) if numbers else None


def _digits(part: str) -> str:
    return part[: len(part) - len(part.lstrip("0123456789"))]


def _cuda_label(version: str) -> str | None:
    """`13.0` of `2.14.1+cu130`."""
    label = version.partition("+")[2].lower()
    rest = _digits(label.removeprefix("cu")) if label.startswith("cu") else ""
    return f"{rest[:-1]}.{rest[-1]}" if 2 <= len(rest) <= 4 else None


def _own_version(name: str, version: str) -> str | None:
    own = name.removesuffix("-cu11").removesuffix("-cu12") in OWN
    numbers = version_key(version)
    return f"{numbers[0]}.{(*numbers, 0)[1]}" if own and numbers else None


def _rocm_sdk(name: str, version: str) -> str | None:
    numbers = version.split(".")[:3]
    return ".".join(map(_digits, numbers)) if name.startswith("rocm-sdk-") and version_key(version) else None


def _of_name(name: str, marks: tuple[str, ...]) -> str | None:
    """`12` of `cupy-cuda12x`, `nvidia-cublas-cu12`; `7` of `jax-rocm7-plugin`; `7.0` of `cupy-rocm-7-0`."""
    words = name.split("-")
    for at, word in enumerate(words):
        for mark in marks:
            rest = word.removeprefix(mark)
            if not word.startswith(mark):
                continue
            if not rest and at + 1 < len(words) and words[at + 1].isdecimal():
                return ".".join(one for one in words[at + 1 : at + 3] if one.isdecimal())
            if digits := _digits(rest):
                return f"{digits[:-1]}.{digits[-1]}" if len(digits) == 3 else digits[:2]
    return None


def _number(needed: Iterable[str], stem: str, known: dict[str, str] | None) -> str | None:
    numbers = {number for one in needed if stem_of(one) == stem and (number := number_of(one))}
    if len(numbers) != 1:
        return None
    number = numbers.pop()
    return number if known is None else known.get(number)
