"""Rung `memory`: memory that is said to be free can be allocated, written, and read back."""

from __future__ import annotations

import time

from .. import cgroup
from ..outcome import Finding, Job, failed, passed, skipped
from ..tensors import Tensor

MIB = 1 << 20
CPU_MOST = 256 * MIB
GPU_SHARE, HOST_SHARE = 0.85, 0.5
"""Of free GPU memory; of the host's available memory, on the CPU and where the GPU's memory is the host's."""
CPU_CHUNK, GPU_CHUNK = 32 * MIB, 1024 * MIB
MULTIPLIER = 2654435761


def check(job: Job) -> Finding:
    """Fill all chunks first, then verify all: two chunks on the same memory would show."""
    if job.backend == "cpu":
        goal = min(CPU_MOST, int(available() * HOST_SHARE))
        return fill("cpu", goal, CPU_CHUNK, {"available_bytes": available()})
    findings = [on_gpu(index, unified=job.unified_memory) for index in job.devices]
    wrong = next((each for each in findings if each.verdict != "pass"), None)
    evidence: dict[str, object] = {"devices": [each.evidence for each in findings]}
    return wrong._replace(evidence=evidence) if wrong else passed(**evidence)


def on_gpu(index: int, *, unified: bool) -> Finding:
    """One device. An APU's memory is the host's: taking all of it would have the kernel kill processes."""
    import torch

    free, total = torch.cuda.mem_get_info(index)
    goal = int(free * GPU_SHARE)
    integrated = unified or bool(getattr(torch.cuda.get_device_properties(index), "is_integrated", False))
    if integrated:
        goal = min(goal, int(available() * HOST_SHARE))
    told: dict[str, object] = {"device": index, "free_bytes": free, "total_bytes": total, "integrated": integrated}
    # a sixteenth: verifying a chunk takes another chunk and a quarter, out of the share that was left free
    finding = fill(f"cuda:{index}", goal, min(GPU_CHUNK, goal // 64 * 4), told)
    torch.cuda.empty_cache()
    return finding


def fill(device: str, goal: int, chunk: int, told: dict[str, object]) -> Finding:
    """Allocate `goal` bytes in chunks, write a pattern that names each place, and read it back."""
    sizes = [chunk] * (goal // chunk if chunk else 0)
    if not sizes:
        return skipped("too-little-free", goal_bytes=goal, **told)
    started = time.perf_counter()
    chunks: list[Tensor] = []
    try:
        for number, size in enumerate(sizes):
            chunks.append(pattern(device, size // 4, number))  # kept so that it can be given back
    except (RuntimeError, MemoryError) as error:
        got = sum(sizes[: len(chunks)])
        chunks.clear()
        text = f"{type(error).__name__}: {error}"
        return failed("out-of-memory", text, goal_bytes=goal, allocated_bytes=got, **told)
    for number, stored in enumerate(chunks):
        wrong = int((stored != pattern(device, stored.numel(), number)).sum())
        if wrong:
            return failed("wrong-numbers", f"chunk {number}: {wrong} of {stored.numel()} words changed", **told)
    seconds = time.perf_counter() - started
    return passed(allocated_bytes=sum(sizes), chunks=len(sizes), seconds=round(seconds, 3), **told)


def pattern(device: str, words: int, number: int) -> Tensor:
    """32-bit words, each from its place and its chunk."""
    import torch

    base = torch.arange(words, dtype=torch.int32, device=device)
    return base.bitwise_xor_(number * MULTIPLIER % (1 << 31))


def available() -> int:
    """Bytes of host memory that may be taken: what the kernel says, bounded by our control group."""
    found = 0
    for line in cgroup.read("/proc/meminfo").splitlines():
        if line.startswith("MemAvailable:"):
            found = int(line.split()[1]) * 1024
    room = cgroup.room()
    return found if room is None else max(0, min(found, room))
