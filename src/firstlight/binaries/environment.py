"""A Python environment's torch and what it loads from the environment. Its Python is never run.

torch loads its own `torch/lib`; CUDA libraries from the wheels of NVIDIA (`nvidia/<name>/lib`, from CUDA 13 on
`nvidia/cu13/lib`: torch/__init__.py, _preload_cuda_deps); ROCm from those of AMD (`_rocm_sdk_core` and
`_rocm_sdk_libraries_<family>`: torch/_rocm_init.py), or carries it in `torch/lib`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from .fields import fields
from .folder import gather
from .gathering import Gathering
from .installed import installed
from .model import Report
from .source import Disk

MOST_LISTED = 100_000
_LOADED = ("nvidia", "rocm_sdk", "_rocm_sdk", "torch.libs", "triton.libs")
_LONGEST_METADATA = 1 << 20


def site_of(path: str) -> str | None:
    """The folder of packages that holds torch: of an environment, of its Python, or itself; None: none does."""
    return next((one for one in _sites(path) if os.path.isdir(os.path.join(one, "torch", "lib"))), None)


def is_environment(path: str) -> bool:
    """Whether it is an environment, or the Python of one, with torch in it or not."""
    if os.path.isdir(path):
        return any(os.path.exists(os.path.join(path, name)) for name in ("pyvenv.cfg", "conda-meta")) or bool(
            site_of(path)
        )
    folder, name = os.path.split(os.path.abspath(path))
    return name.startswith("python") and os.path.basename(folder) == "bin" and os.access(path, os.X_OK)


def read_environment(path: str) -> Report:
    """What torch in it holds and loads; without torch an empty report."""
    site = site_of(path)
    gathering = Gathering()
    if site is None:
        return Report(path=path, kind="environment", pieces=())
    gather(site, _tops(site), gathering)
    return Report(
        path=path,
        kind="environment",
        pieces=tuple(gathering.pieces),
        others=gathering.others,
        distribution=_version(site),
        beside=installed(site),
        faults=tuple(gathering.faults),
    )


def _sites(path: str) -> Iterator[str]:
    yield path
    for root in _roots(path):
        for lib in ("lib", "lib64", "local/lib"):
            folder = os.path.join(root, lib)
            for name in _listed(folder):
                if name.startswith(("python3", "pypy3")):
                    yield os.path.join(folder, name, "site-packages")
                    yield os.path.join(folder, name, "dist-packages")


def _roots(path: str) -> Iterator[str]:
    """Of a Python the folder above its own; of one that is no environment's also those of the link's end."""
    if os.path.isdir(path):
        yield path
        return
    root = os.path.dirname(os.path.dirname(os.path.abspath(path)))
    yield root
    if not os.path.exists(os.path.join(root, "pyvenv.cfg")):
        yield os.path.dirname(os.path.dirname(os.path.realpath(path)))


def _tops(site: str) -> Iterator[str]:
    torch = os.path.join(site, "torch")
    yield from (os.path.join(torch, name) for name in _listed(torch) if name.endswith(".so"))
    yield os.path.join(torch, "lib")
    yield from (os.path.join(site, name) for name in _listed(site) if _is_loaded(name))


def _is_loaded(name: str) -> bool:
    return name.startswith(_LOADED) and not name.endswith((".dist-info", ".egg-info"))


def _listed(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))[:MOST_LISTED]
    except OSError:
        return []


def _version(site: str) -> str | None:
    """`torch 2.14.1`, as its metadata say."""
    for name in _listed(site):
        if name.startswith("torch-") and name.endswith(".dist-info"):
            try:
                with Disk(os.path.join(site, name, "METADATA")) as disk:
                    text = disk.read(0, _LONGEST_METADATA).decode("utf-8", "replace")
            except OSError:
                return "torch " + name.removesuffix(".dist-info").partition("-")[2]
            version = fields(text).get("Version")
            return f"torch {version[0]}" if version else None
    return None
