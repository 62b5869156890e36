"""Builds the recipes into a folder: `python -m tests.binaries.oracles.building FOLDER`."""

from __future__ import annotations

import json
import os
import struct
import subprocess
import sys
import tempfile
import zlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from .recipes import CUDA, HIP, Recipe, recipes

LIMIT_S = 300.0


def build(recipe: Recipe, folder: Path) -> str | None:
    """The file `recipe.name` in the folder; what went wrong, if it did."""
    out = folder / recipe.name
    if out.exists():
        return None
    with tempfile.TemporaryDirectory() as scratch:
        source = Path(scratch) / recipe.source
        source.write_text(HIP if recipe.source.endswith("hip") else CUDA)
        words = [one.format(out=out, source=source) for one in recipe.arguments]
        environment = {**os.environ, **dict(recipe.environment)}
        ended = subprocess.run(
            [recipe.tool, *words], cwd=scratch, env=environment, capture_output=True, timeout=LIMIT_S, check=False
        )
    if ended.returncode:
        out.unlink(missing_ok=True)
        return ended.stderr.decode("utf-8", "replace")[-300:]
    return None


def old_bundle(plain: bytes, version: int, packing: int) -> bytes:
    """A bundle compressed in the older ways: version 1 or 2, with zlib (0) where LLVM now takes zstd."""
    packed = zlib.compress(plain) if packing == 0 else _zstd(plain)
    total = struct.pack("<I", 24 + len(packed)) if version == 2 else b""
    return b"CCOB" + struct.pack("<HH", version, packing) + total + struct.pack("<IQ", len(plain), 0) + packed


def _zstd(data: bytes) -> bytes:
    import zstandard

    return zstandard.ZstdCompressor().compress(data)


def old_bundles(folder: Path) -> None:
    """Each plain bundle of the folder again in every older way, alone and two in a row, 4096 bytes apart."""
    for path in sorted(folder.glob("*-plain.bundle")):
        plain = path.read_bytes()
        for version in (1, 2):
            for packing in (0, 1):
                packed = old_bundle(plain, version, packing)
                path.with_name(f"{path.stem}-v{version}-m{packing}.bundle").write_bytes(packed)
        first = old_bundle(plain, 2, 0)
        path.with_name(f"{path.stem}-two.bundle").write_bytes(first + b"\0" * (-len(first) % 4096) + plain)


def main(folder: Path) -> None:
    """Builds all, prints what failed, writes `expected.json` beside them."""
    folder.mkdir(parents=True, exist_ok=True)
    every = list(recipes())
    with ThreadPoolExecutor(2) as pool:
        failures = list(pool.map(lambda one: build(one, folder), every))
    old_bundles(folder)
    made = {one.name: sorted(one.targets) for one, failure in zip(every, failures, strict=True) if failure is None}
    (folder / "expected.json").write_text(json.dumps(made, indent=1))
    for one, failure in zip(every, failures, strict=True):
        if failure:
            sys.stdout.write(f"{one.name}: {failure.strip().splitlines()[0]}\n")
    sys.stdout.write(f"{len(made)} of {len(every)} built\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
