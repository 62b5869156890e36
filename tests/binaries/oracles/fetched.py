"""Real files from the default index and from the distribution, small enough for every run: some 36 MB in all."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

LIMIT_S = 240.0
WHEELS = {
    "jax-cuda13-plugin": ("0.10.2", "CUDA 13: SASS and PTX"),
    "jax-rocm60-plugin": ("0.5.0", "ROCm 6.0: plain bundles"),
    "jax-rocm7-plugin": ("0.10.2", "ROCm 7: compressed bundles, version 3"),
    "nvidia-nvjpeg-cu12": ("12.4.0.76", "CUDA 12: sm_50 to sm_121, sm_101"),
    "xformers": ("0.0.35", "sm_90a"),
}
"""Distribution: its version, and what it is here for."""
PACKAGE = "librocrand1"
"""Of Debian and Ubuntu: plain bundles with modes, and code for chips that wheels no longer serve."""
FOR = ("--python-version", "3.11", "--implementation", "cp", "--abi", "cp311", "--abi", "abi3", "--abi", "none")
PLATFORMS = ("manylinux_2_28_x86_64", "manylinux_2_27_x86_64", "manylinux_2_17_x86_64", "manylinux2014_x86_64")
"""One for all machines that test: the files are only read."""


class NotFetched(Exception):
    """The index or the distribution's servers do not give it."""


def wheel(name: str, folder: Path) -> Path:
    """The file, from the folder if it is there already. Raises NotFetched."""
    version = WHEELS[name][0]
    known = sorted(folder.glob(f"{name.replace('-', '_')}-{version}-*.whl"))
    if known:
        return known[0]
    platforms = [word for platform in PLATFORMS for word in ("--platform", platform)]
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
    _run([*pip, "--only-binary", ":all:", *FOR, *platforms, f"{name}=={version}", "-d", str(folder)], folder)
    return next(folder.glob(f"{name.replace('-', '_')}-{version}-*.whl"))


def package(folder: Path) -> Path:
    """PACKAGE as apt's own sources have it. Raises NotFetched."""
    known = sorted(folder.glob(f"{PACKAGE}_*.deb"))
    if known:
        return known[0]
    options = ["-qq", "-o", "APT::Sandbox::User=root"]
    try:
        _run(["apt-get", *options, "download", PACKAGE], folder)
    except NotFetched:
        if os.geteuid() != 0:
            raise
        _run(["apt-get", *options, "update"], folder)  # a new image has no lists
        _run(["apt-get", *options, "download", PACKAGE], folder)
    return next(folder.glob(f"{PACKAGE}_*.deb"))


def _run(argv: Sequence[str], folder: Path) -> None:
    try:
        ended = subprocess.run(argv, cwd=folder, capture_output=True, timeout=LIMIT_S, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NotFetched(str(error)) from error
    if ended.returncode:
        raise NotFetched(ended.stderr.decode("utf-8", "replace")[-400:])
