"""A container with the usual 64 MiB of shared memory."""

from __future__ import annotations

from ..facts.model import Facts, Unknown
from ..words import Words
from ._containers import in_container, kind
from ._gpus import for_compute
from .messages import Message
from .model import CLEAR, Cause, Evidence, Found, Judgement, Remedy, missing

SMALL = 1 << 30
"""NCCL and RCCL take tens of MiB for each pair of ranks, data loader workers a batch each."""


def judge(facts: Facts) -> Judgement:
    """Found in a container if /dev/shm is smaller than 1 GiB. Advice on a machine with one GPU or none."""
    kind_known, size = facts.container.kind, facts.container.shm_bytes
    if not in_container(facts):
        return missing(("container.kind", kind_known)) or CLEAR
    if isinstance(size, Unknown):
        return missing(("container.shm_bytes", size)) or CLEAR
    if size >= SMALL:
        return CLEAR
    count = len(for_compute(facts, "amd") + for_compute(facts, "nvidia"))
    flags = {
        "kubernetes": "emptyDir: {medium: Memory} at /dev/shm",
        "lxc": "lxc.mount.entry = tmpfs dev/shm tmpfs size=8g",
    }.get(kind(facts), "--shm-size=8g (or --ipc=host)")
    why = Words(f"Start the container with {flags}.", f"启动容器时加上 {flags}。")
    return Found(
        evidence=(Evidence("container.shm_bytes", str(size), "/dev/shm"),
                  Evidence("container.kind", kind(facts), "/proc/1/cgroup")),
        values={"mib": str(size >> 20)},
        severity=None if count > 1 else "advice",
        remedy=(Remedy((), root=False, why=why),),
    )  # fmt: skip


# messages
MESSAGES = (
    Message(r"Call to posix_fallocate failed ?: ?No space left on device", 0.95),
    Message(r"Error while creating shared memory segment (?P<file>\S{3,80})", 0.92, told=Words("No room for {file} in /dev/shm.", "/dev/shm 没有空间存放 {file}。")),
    Message(r"insufficient shared memory \(shm\)", 0.95),
    Message(r"It is possible that dataloader's workers are out of shared memory", 0.95),
    Message(r"DataLoader worker \(pid\(?s?\)? ?\S{1,30} ?\) is killed by signal: Bus error", 0.94),
    Message(r"unable to (?:write|resize|allocate|mmap) .{0,60}/torch_\d{1,9}_\d{1,12}", 0.88),
    Message(r"unable to open shared memory object </torch_\S{1,40}> in read-write mode: No space left", 0.93),
    Message(r"/dev/shm.{0,60}No space left on device", 0.92),
    Message(r"The object store is using /tmp instead of /dev/shm", 0.6),
    Message(r"Error: .{0,40}failed to extend /dev/shm/nccl-\S{3,40} to \d{3,14} bytes", 0.94),
    Message(r"failed to extend /dev/shm/nccl-", 0.94),
    Message(r"Bus error \(core dumped\)", 0.6, needs=("shm-64m",)),
    Message(r"/dev/shm/nccl-", 0.5),
)  # fmt: skip

CAUSE = Cause(
    id="container-shm-too-small",
    family="container",
    vendor="both",
    severity="degrading",
    title=Words("This container has only {mib} MiB in /dev/shm", "这个容器的 /dev/shm 只有 {mib} MiB"),
    means=Words(
        "The container's /dev/shm is too small for NCCL/RCCL or data loader workers.",
        "容器的 /dev/shm 对 NCCL/RCCL 或数据加载进程来说太小。",
    ),
    effect=Words(
        "Collectives stop with “No space left on device”, data loader workers with a bus error.",
        "多卡通信报 “No space left on device”，数据加载进程报 bus error。",
    ),
    fix=Words(
        "--shm-size=8g (or more) or --ipc=host; in Kubernetes an emptyDir of medium Memory at /dev/shm.",
        "--shm-size=8g（或更大）或 --ipc=host；Kubernetes 中在 /dev/shm 挂载 medium 为 Memory 的 emptyDir。",
    ),
    judge=judge,
    messages=MESSAGES,
)
