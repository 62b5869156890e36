"""A torch whose libraries hold GPU code, as far as headers go."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.binaries import layers
from tests.binaries.layers import Section

from .cuda_files import container, entry

SASS, PTX = 2, 1


def library(*targets: str) -> bytes:
    """A shared library with SASS for `sm_NN` and PTX for `compute_NN`."""
    entries = [entry(PTX if one.startswith("compute") else SASS, int(one.rpartition("_")[2])) for one in targets]
    return layers.host([Section(".nv_fatbin", 1, layers.Made(container(*entries)))]).data


def fill(site: Path, libraries: Mapping[str, Sequence[str]], version: str = "2.14.1+cu130") -> None:
    """torch's folder in a site-packages."""
    for name, targets in libraries.items():
        path = site / "torch" / "lib" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(library(*targets))
    (site / "torch" / "version.py").write_text(f"__version__ = {version!r}\n")
    info = site / f"torch-{version}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: torch\nVersion: {version}\n")


def add_to(wheel: Path, libraries: Mapping[str, Sequence[str]]) -> None:
    """Libraries in a wheel of torch that is there already."""
    with zipfile.ZipFile(wheel, "a", zipfile.ZIP_DEFLATED) as archive:
        for name, targets in libraries.items():
            archive.writestr(f"torch/lib/{name}", library(*targets))
