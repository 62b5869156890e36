"""The distributions in a folder of packages that torch's GPU code rests on, by the names of their metadata folders."""

from __future__ import annotations

import os

FAMILIES = ("torch", "triton", "pytorch_triton", "nvidia_", "rocm", "amd_torch")
"""Beginnings of names as metadata folders have them."""
MOST = 500


def installed(site: str) -> tuple[str, ...]:
    """`nvidia-cublas-cu12 12.9.1.4`, sorted; empty where the folder cannot be listed."""
    try:
        names = os.listdir(site)
    except OSError:
        return ()
    found = [one for name in names if (one := _named(name))]
    return tuple(sorted(found)[:MOST])


def _named(folder: str) -> str | None:
    """Of `torch-2.14.1+cu130.dist-info` (PyPA: recording installed projects)."""
    stem, dot, ending = folder.rpartition(".")
    name, hyphen, version = stem.partition("-")
    if not dot or ending != "dist-info" or not hyphen or not name.lower().replace("-", "_").startswith(FAMILIES):
        return None
    return f"{name.lower().replace('_', '-')} {version}"
