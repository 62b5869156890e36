"""How much room an installation needs, and what is there."""

from __future__ import annotations

from ..facts.model import Disk, Facts
from ._gpus import for_compute
from .model import Evidence

GIB = 1 << 30
FULL = GIB // 4
"""Below this neither a lock nor a checkpoint can be relied on to be written."""
LOW = 2 * GIB
"""With torch installed: room for checkpoints and kernel caches."""
NEEDED = {"rocm": 25 * GIB, "cuda": 12 * GIB, "cpu": 3 * GIB}
"""For a new environment: wheels in the cache, the same unpacked, and room to spare. A ROCm 7 torch is a wheel of 3 to 5
GB that unpacks to 12 to 16 GB; the CUDA one with NVIDIA's libraries 3 and 6 GB; the CPU one 0.2 and 0.9 GB."""
BARE = {"rocm": 10 * GIB, "cuda": 6 * GIB, "cpu": 3 * GIB // 2}
"""Below this the files cannot even be unpacked."""
LARGEST_FILE = {"rocm": 5 * GIB, "cuda": 1 * GIB, "cpu": GIB // 2}
"""The largest single wheel: pip downloads it into the temporary folder."""


def backend(facts: Facts) -> str:
    """What would be installed here: for a card rather than for the graphics beside it."""
    amd, nvidia = for_compute(facts, "amd"), for_compute(facts, "nvidia")
    if nvidia and all(gpu.apu for gpu in amd):
        return "cuda"
    return "rocm" if amd else "cpu"


def installed(facts: Facts) -> bool:
    """Whether the active environment holds a torch for this machine, so that nothing large is left to install."""
    vendors = {"rocm": "amd", "cuda": "nvidia"}
    right = {name for name, vendor in vendors.items() if for_compute(facts, vendor)} or {"cpu"}
    return any(one.active and one.torch and one.torch.backend in right for one in facts.python.environments)


def of(facts: Facts, role: str) -> Disk | None:
    """The disk in that role."""
    return next((disk for disk in facts.disks if disk.role == role), None)


def evidence(disk: Disk) -> Evidence:
    """How much is free."""
    return Evidence(f"disks[{disk.role}].free_bytes", str(disk.free_bytes), disk.path)


def gib(size: int) -> str:
    """`0.4 GiB`, `25 GiB`."""
    return f"{size / GIB:.1f} GiB" if size < 10 * GIB else f"{size // GIB} GiB"


def same(one: Disk, other: Disk) -> bool:
    """Whether two roles lie on one file system, as far as its size tells."""
    return one.total_bytes == other.total_bytes and one.free_bytes == other.free_bytes
