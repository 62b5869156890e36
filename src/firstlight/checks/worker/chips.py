"""Which device can run which code: the rules of knowledge/builds.py, for a Python that lacks firstlight."""

from __future__ import annotations

import re

CUDA_EXCEPTIONS = {
    (5, 3): {(5, 0), (5, 2)},
    (6, 2): {(6, 0), (6, 1)},
    (7, 2): {(7, 0)},
    (8, 7): {(8, 0), (8, 6)},
}
"""Tegra chips that do not run the code of their major version (torch/cuda/__init__.py of torch 2.15)."""
UNIFIED = (13, 2)
"""From this CUDA version on, code for 8.0 and 8.6 does run on 8.7 (the same table)."""


def runs(device: str, code: str, generic: dict[str, list[str]], cuda: str | None = None) -> str | None:
    """How `device` runs `code`: `native`, `generic`, `jit`; None: not at all.

    `generic` names the members of LLVM's generic targets, `cuda` the CUDA version of the build.
    """
    if device.startswith("gfx"):
        return runs_amd(device, code, generic)
    return runs_nvidia(device, code, cuda)


def runs_amd(device: str, code: str, generic: dict[str, list[str]]) -> str | None:
    """Same processor, and no feature (xnack, sramecc) of the code is the opposite of the device's (AMDGPUUsage)."""
    base, *features = device.split(":")
    wanted, *conditions = code.split(":")
    opposite = {"+": "-", "-": "+"}
    if wanted == base:
        clash = any(each[:-1] + opposite.get(each[-1:], "?") in features for each in conditions)
        return None if clash else "native"
    return "generic" if base in generic.get(wanted, []) else None


def runs_nvidia(device: str, code: str, cuda: str | None) -> str | None:
    """SASS: same major, minor at most the device's; suffix a: that one chip; suffix f: its family; PTX: any newer."""
    chip, entry = capability(device), capability(code)
    if chip is None or entry is None:
        return None
    own, (wanted, suffix) = chip[0], entry
    fits = wanted <= own
    if suffix:
        fits = wanted == own if suffix == "a" else fits and wanted[0] == own[0]
    if code.startswith("compute_"):
        return "jit" if fits else None
    if not fits or wanted[0] != own[0]:
        return None
    if suffix == "a" or (own == (8, 7) and version(cuda) >= UNIFIED):
        return "native"
    return None if wanted in CUDA_EXCEPTIONS.get(own, set()) else "native"


def capability(target: str) -> tuple[tuple[int, int], str] | None:
    """`sm_90a` -> ((9, 0), "a"). 11.0 was called 10.1 before CUDA 13."""
    found = re.fullmatch(r"(?:sm|compute)_(\d{1,3})(\d)([af]?)", target)
    if not found:
        return None
    number = int(found[1]), int(found[2])
    return ((11, 0) if number == (10, 1) else number), found[3]


def version(cuda: str | None) -> tuple[int, ...]:
    """`13.2` -> (13, 2); nothing for what is none."""
    return tuple(int(part) for part in re.findall(r"\d+", cuda or ""))
