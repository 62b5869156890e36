"""Rung `memory`: memory that is said to be free can be allocated, written, and read back."""

from __future__ import annotations

import time

from .. import cgroup
from ..isolation import is_out_of_memory
from ..outcome import Finding, Job, failed, passed, skipped
from ..tensors import Tensor, each_in_turn, every_device

MIB = 1 << 20
CPU_MOST = 256 * MIB
GPU_SHARE, HOST_SHARE = 0.85, 0.5
"""Of free GPU memory; of the host's available memory, wherever the pages turn out to come from there."""
CPU_CHUNK, GPU_CHUNK = 32 * MIB, 1024 * MIB
SLACK = 0.9
"""Of the GPU memory that was free: if less is left for both us and others, somebody else has taken it meanwhile."""
MULTIPLIER = 2654435761


def check(job: Job) -> Finding:
    """Fill all chunks first, then verify all: two chunks on the same memory would show."""
    if job.backend == "cpu":
        goal = min(CPU_MOST, int(available() * HOST_SHARE))
        return fill("cpu", goal, CPU_CHUNK, {"available_bytes": available()})
    findings = {device: on_gpu(device) for device, _ in each_in_turn(every_device(job))}
    wrong = next((each for each in findings.values() if each.verdict == "fail"), None)
    wrong = wrong or next((each for each in findings.values() if each.verdict != "pass"), None)
    told = [{"device": device, "verdict": each.verdict, **each.evidence} for device, each in findings.items()]
    total = sum(int(str(each.evidence.get("allocated_bytes", 0))) for each in findings.values())
    evidence: dict[str, object] = {"allocated_bytes": total, "devices": told}
    return wrong._replace(evidence=evidence) if wrong else passed(**evidence)


def on_gpu(device: str) -> Finding:
    """One device. The memory of an APU may be its own (a carve-out), the host's (GTT), or both, and no query tells
    which a page will be: so the host's available memory is watched after each chunk, on every device. It stays where
    it is while a card of its own memory is filled. Not yet tried on a GPU."""
    import torch

    free, total = torch.cuda.mem_get_info(device)
    host = host_free()
    goal = int(free * GPU_SHARE)
    # a sixteenth of either: verifying a chunk takes another chunk and a quarter
    chunk = min(GPU_CHUNK, goal // 64 * 4, host // 64 * 4)
    told: dict[str, object] = {
        "free_bytes": free,
        "total_bytes": total,
        "host_available_bytes": host,
        "integrated": bool(getattr(torch.cuda.get_device_properties(device), "is_integrated", False)),
    }
    finding = fill(device, goal, chunk, told, host_floor=int(host * (1 - HOST_SHARE)))
    left = torch.cuda.mem_get_info(device)[0]
    torch.cuda.empty_cache()
    held = int(str(finding.evidence.get("allocated_bytes", 0)))
    if finding.reason == "out-of-memory" and left + held < free * SLACK:
        return skipped("taken-meanwhile", left_bytes=left, **finding.evidence)
    return finding


def fill(device: str, goal: int, chunk: int, told: dict[str, object], *, host_floor: int = 0) -> Finding:
    """Allocate `goal` bytes in chunks, write a pattern that names each place, and read it back. Ends early rather than
    let the host's available memory fall below `host_floor`: the kernel would kill processes."""
    sizes = [chunk] * (goal // chunk if chunk else 0)
    started = time.perf_counter()
    chunks: list[Tensor] = []
    try:
        for number, size in enumerate(sizes):
            if host_floor and host_free() - 2 * size < host_floor:
                told = {**told, "ended_by": "host-memory"}
                break
            chunks.append(pattern(device, size // 4, number))  # kept so that it can be given back
            finish(device)
    except (RuntimeError, MemoryError) as error:
        if not is_out_of_memory(error):
            raise
        text = f"{type(error).__name__}: {error}"
        return failed("out-of-memory", text, goal_bytes=goal, allocated_bytes=sum(sizes[: len(chunks)]), **told)
    if not chunks:
        return skipped("too-little-free", goal_bytes=goal, **told)
    for number, stored in enumerate(chunks):
        wrong = int((stored != pattern(device, stored.numel(), number)).sum())
        if wrong:
            return failed("wrong-numbers", f"{device} chunk {number}: {wrong} of {stored.numel()} words", **told)
    seconds = time.perf_counter() - started
    return passed(allocated_bytes=chunk * len(chunks), chunks=len(chunks), seconds=round(seconds, 3), **told)


def pattern(device: str, words: int, number: int) -> Tensor:
    """32-bit words, each from its place and its chunk."""
    import torch

    base = torch.arange(words, dtype=torch.int32, device=device)
    return base.bitwise_xor_(number * MULTIPLIER % (1 << 31))


def finish(device: str) -> None:
    """Wait until the writes are done: pages may be given only when they are touched."""
    import torch

    if device != "cpu":
        torch.cuda.synchronize(device)


def available() -> int:
    """Bytes that may be taken on the CPU: of the host's free memory, what our control group leaves."""
    found, room = host_free(), cgroup.room()
    return found if room is None else max(0, min(found, room))


def host_free() -> int:
    """Bytes that the kernel says are available. Those of a driver are in no control group."""
    for line in cgroup.read("/proc/meminfo").splitlines():
        if line.startswith("MemAvailable:"):
            return int(line.split()[1]) * 1024
    return 0
