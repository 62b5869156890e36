"""Rung `collectives`: sums, gathers and broadcasts between all GPUs, one process each. A hang is the usual failure.

Tried with gloo between processes on the CPU; not yet with NCCL or RCCL between GPUs.
"""

from __future__ import annotations

import faulthandler
import json
import math
import os
import signal
import tempfile
import threading
import time
import traceback
from typing import NoReturn

from ..isolation import end_with_parent, signal_name
from ..outcome import Finding, Job, failed, passed, skipped
from ..tensors import Tensor

SIZES = (1, 1000, 1 << 20)
"""Elements of fp32: one, odd, 4 MiB."""
PATIENCE = 2.0
"""Seconds for the other ranks once one is gone."""
STACKS = 0.9
"""Share of the rung's limit after which each rank prints where it stands."""
LOCAL = {"NCCL_SOCKET_IFNAME": "lo", "GLOO_SOCKET_IFNAME": "lo", "NCCL_DEBUG": "WARN"}
"""Unless the user has set them: all ranks are on this machine, so no network may stand between them; and NCCL tells
its reasons (too little /dev/shm, no peer access) in warnings only."""


def check(job: Job) -> Finding:
    """NCCL (RCCL on ROCm) between GPUs; gloo where processes on the CPU were asked for."""
    on_cpu = job.backend == "cpu" or len(job.together) < 2
    devices = ["cpu"] * job.collectives_on_cpu if on_cpu else [f"cuda:{index}" for index in job.together]
    ranks = len(devices)
    if ranks < 2:
        return skipped("one-device", devices=len(job.together))
    library = "gloo" if on_cpu else "nccl"
    if not built_with(library):
        return failed("no-collectives", f"this torch is built without {library}", ranks=ranks, library=library)
    patience = job.limit("collectives") * STACKS
    with tempfile.TemporaryDirectory(prefix="firstlight-") as folder:
        pids = [start(rank, devices, folder, patience) for rank in range(ranks)]
        statuses = wait(pids)
        answers = {rank: read(os.path.join(folder, f"answer-{rank}")) for rank in range(ranks)}
    return judge(statuses, answers, library)


def built_with(library: str) -> bool:
    """Whether torch has it; RCCL goes by the name of NCCL. Opens no device: this process forks the ranks."""
    from torch import distributed

    available = getattr(distributed, f"is_{library}_available", None)
    return distributed.is_available() and (available is None or bool(available()))


def wait(pids: list[int]) -> dict[int, int]:
    """How each rank ended, in the order of their ends. Once one has crashed or given up, the others would wait for it
    forever: they get a moment and are killed."""
    ended: dict[int, int] = {}
    until = math.inf
    while len(ended) < len(pids):
        for rank in set(range(len(pids))) - set(ended):
            pid, status = os.waitpid(pids[rank], os.WNOHANG)
            if pid:
                ended[rank] = status
                until = min(until, time.monotonic() + PATIENCE) if status else until
        if time.monotonic() > until:
            for rank in set(range(len(pids))) - set(ended):
                os.kill(pids[rank], signal.SIGKILL)
        time.sleep(0.005)
    return ended


def judge(statuses: dict[int, int], answers: dict[int, dict[str, str]], library: str) -> Finding:
    """Each rank must have answered, and rightly."""
    evidence: dict[str, object] = {"ranks": len(statuses), "library": library, "sizes": list(SIZES)}
    for rank, status in statuses.items():
        answer = answers[rank]
        if os.WIFSIGNALED(status):
            name = signal_name(os.WTERMSIG(status))
            return failed("killed" if name == "SIGKILL" else "crashed", rank=rank, signal=name, **evidence)
        if "wrong" in answer:
            return failed("wrong-numbers", f"rank {rank}: {answer['wrong']}", rank=rank, **evidence)
        if "right" not in answer:
            return failed("exception", f"rank {rank}: {answer.get('error', 'no answer')}", rank=rank, **evidence)
    return passed(**evidence)


def start(rank: int, devices: list[str], folder: str, patience: float) -> int:
    """Fork one rank: no device is open in this process yet."""
    pid = os.fork()
    if pid == 0:
        life(rank, devices, folder, patience)
    return pid


def life(rank: int, devices: list[str], folder: str, patience: float) -> NoReturn:
    """What a rank does; its answer is a small file. The stack of one that hangs is printed after `patience` seconds."""
    end_with_parent()
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    os.environ.update({name: value for name, value in LOCAL.items() if name not in os.environ})
    if patience < threading.TIMEOUT_MAX:
        faulthandler.dump_traceback_later(patience, exit=False)
    try:
        wrong = exchange(rank, devices, os.path.join(folder, "meeting"))
        answer = {"wrong": wrong} if wrong else {"right": "yes"}
    except Exception as error:  # noqa: BLE001  # whatever the library raises is the answer
        traceback.print_exc()
        answer = {"error": f"{type(error).__name__}: {error}"[:2000]}
    with open(os.path.join(folder, f"answer-{rank}"), "w", encoding="utf-8") as file:
        json.dump(answer, file)
    os._exit(0 if "right" in answer else 1)


def exchange(rank: int, devices: list[str], meeting: str) -> str:
    """All collectives; what came out wrong, or nothing."""
    import torch
    from torch import distributed

    device, ranks = devices[rank], len(devices)
    library = "gloo" if device == "cpu" else "nccl"
    if device != "cpu":
        torch.cuda.set_device(device)
    distributed.init_process_group(library, init_method=f"file://{meeting}", rank=rank, world_size=ranks)
    for size in SIZES:
        wrong = one_size(rank, ranks, size, device)
        if wrong:
            return wrong
    distributed.barrier()
    distributed.destroy_process_group()
    return ""


def one_size(rank: int, ranks: int, size: int, device: str) -> str:
    """Sum, gather, broadcast of small integers, exact in fp32."""
    import torch
    from torch import distributed

    places = torch.arange(size) % 97
    mine = (places + rank).float().to(device)
    total = mine.clone()
    distributed.all_reduce(total)
    if differs(total, places * ranks + ranks * (ranks - 1) // 2):
        return f"all_reduce of {size}"
    parts = [torch.empty_like(mine) for _ in range(ranks)]
    distributed.all_gather(parts, mine)
    if any(differs(part, places + other) for other, part in enumerate(parts)):
        return f"all_gather of {size}"
    sent = mine.clone()
    distributed.broadcast(sent, src=ranks - 1)
    return f"broadcast of {size}" if differs(sent, places + ranks - 1) else ""


def differs(actual: Tensor, expected: Tensor) -> bool:
    """Whether any element is not the expected integer."""
    return bool((actual.cpu().double() != expected.double()).any())


def read(path: str) -> dict[str, str]:
    """A rank's answer; empty if there is none."""
    try:
        with open(path, encoding="utf-8") as file:
            answer = json.load(file)
    except (OSError, ValueError):
        return {}
    return answer if isinstance(answer, dict) else {}
