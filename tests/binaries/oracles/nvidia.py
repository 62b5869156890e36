"""What NVIDIA's `cuobjdump` lists, and what target `nvdisasm` names in a cubin."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

from .tools import ToolFailed, run

EM_CUDA = 190
ELF_LINE = re.compile(r"^ELF file\s+\d+: .*?\.?(sm_\d+[af]?)\.cubin$", re.MULTILINE)
PTX_LINE = re.compile(r"^PTX file\s+\d+: .*?\.?sm_(\d+[af]?)\.ptx$", re.MULTILINE)
FATBIN = bytes.fromhex("50ed55ba")
WORTH_ASKING = (b"\x7fELF", FATBIN, b"!<arch>\n")


def targets(path: Path) -> Counter[str] | None:
    """Each `sm_90a` and, of PTX, `compute_90` with its number; None if the file is nothing of NVIDIA's."""
    with path.open("rb") as file:
        start = file.read(64)
    if not start.startswith(WORTH_ASKING):
        return None
    if start[:4] == b"\x7fELF" and int.from_bytes(start[18:20], "little") == EM_CUDA:
        return Counter([target_of_cubin(path)])
    counted = Counter(ELF_LINE.findall(_listing("-lelf", path)))
    counted.update(f"compute_{one}" for one in PTX_LINE.findall(_listing("-lptx", path)))
    return counted or None


def target_of_cubin(path: Path) -> str:
    """The `.target` line of the disassembly."""
    text = run("nvdisasm", ["-c", path])
    line = re.search(r"^\s*\.target\s+(sm_\d+[af]?)", text, re.MULTILINE)
    if line is None:
        raise ToolFailed(f"nvdisasm names no target: {text[:200]}")
    return line[1]


def _listing(kind: str, path: Path) -> str:
    """`-all`: device code that is still to be linked counts as well. It ends with 255 where nothing is found."""
    return run("cuobjdump", ["-all", kind, path], accept=(0, 255))
