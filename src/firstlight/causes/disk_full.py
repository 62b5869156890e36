"""Too little disk for the installation, or for anything."""

from __future__ import annotations

from ..facts.model import Disk, Facts
from ..words import Words
from ._disks import BARE, FULL, LOW, NEEDED, backend, evidence, gib, installed, of
from .messages import Message
from .model import CLEAR, Cause, Found, Judgement, NotKnown, Remedy, Severity


def judge(facts: Facts) -> Judgement:
    """Found for the project's disk, then for the cache's, by what the backend of this machine needs. Where the
    project's is not known, the user's own (the cache's) stands for it; where that is not known either, the temporary
    folder's is no more than a hint."""
    project, cache = of(facts, "project"), of(facts, "cache")
    known = [disk for disk in (project, cache) if disk] or [disk for disk in facts.disks if disk.role == "tmp"]
    if not known:
        return NotKnown(("disks (not-captured)",))
    for disk in known:
        severity = _severity(facts, disk, home=disk is known[0])
        if severity:
            return _found(facts, disk, severity)
    return CLEAR


def _severity(facts: Facts, disk: Disk, *, home: bool) -> Severity | None:
    """`home`: an environment would be made on this disk."""
    kind = backend(facts)
    if disk.free_bytes < FULL:
        return "blocking"
    if disk.role == "tmp":
        return "degrading" if disk.free_bytes < BARE["cpu"] else None
    if installed(facts):
        return "degrading" if disk.free_bytes < LOW else None
    if disk.free_bytes >= NEEDED[kind]:
        return None
    return "blocking" if home and disk.free_bytes < BARE[kind] else "degrading"


def _found(facts: Facts, disk: Disk, severity: Severity) -> Found:
    needed = LOW if installed(facts) else NEEDED[backend(facts)]
    why = Words("Empties uv's cache of downloaded and unpacked wheels.", "清空 uv 缓存的已下载和已解包的 wheel。")
    return Found(
        evidence=(evidence(disk),),
        values={"path": disk.path, "free": gib(disk.free_bytes), "needed": gib(needed)},
        severity=severity,
        remedy=(Remedy(("uv", "cache", "clean"), root=False, why=why),),
    )


# messages
MESSAGES = (
    Message(r"(?P<what>dpkg|tar|cp|cannot copy extracted data for|write error|failed to write).{0,160}No space left on device", 0.85, unless=("tmp-full", "tmpfs-tmp-full", "shm-words")),
    Message(r"You don't have enough free space in (?P<folder>/\S{1,80})", 0.93, told=Words("{folder} has no room.", "{folder} 没有空间。")),
    Message(r"write /var/lib/(?:docker|containerd|containers)/\S{1,200}: no space left on device", 0.94),
    Message(r"failed to register layer: .{0,200}no space left on device", 0.94),
    Message(r"(?i)no space left on device", 0.62, doubts=("pip-unpacks",), unless=("tmp-full", "tmpfs-tmp-full", "shm-words", "tmp-path-words")),
    Message(r"\[Errno 28\] No space left on device", 0.7, doubts=("pip-unpacks",), unless=("tmp-full", "tmpfs-tmp-full", "shm-words", "tmp-path-words"), helps=("target-full",)),
    Message(r"No space left on device \(os error 28\)", 0.86, unless=("tmp-full", "tmpfs-tmp-full", "shm-words", "tmp-path-words"), helps=("target-full",)),
    Message(r"Not enough (?:free )?disk space", 0.8),
    Message(r"\[Errno 122\] Disk quota exceeded", 0.9),
    Message(r"Disk quota exceeded", 0.85),
    Message(r"/dev/\S{1,60} {1,20}\S{1,8} {1,10}\S{1,8} {1,10}\S{1,8} {1,8}(?:100|99)% {1,4}(?P<mount>/\S{0,60})", 0.8, needs=("no-space-words",), unless=("tmp-mount-full",), told=Words("{mount} is full.", "{mount} 已满。")),
    Message(r"(?:ENOSPC|inotify_add_watch).{0,5}: no space", 0.4),
    Message(r"The node was low on resource: ephemeral-storage", 0.9),
    Message(r"DiskPressure", 0.75),
)  # fmt: skip

CAUSE = Cause(
    id="disk-full",
    family="hardware",
    vendor="both",
    severity="blocking",
    title=Words("{path} has {free} free, {needed} is needed", "{path} 剩余 {free}，需要 {needed}"),
    means=Words(
        "The disk that holds the environment, the package cache or the container images is full or too small.",
        "存放环境、包缓存或容器镜像的磁盘已满，或空间太小。",
    ),
    effect=Words(
        "Installing torch stops with “No space left on device”; checkpoints cannot be written.",
        "安装 torch 时报 “No space left on device”；检查点写不进去。",
    ),
    fix=Words(
        "Free space (uv cache clean, pip cache purge, apt clean, docker system prune) or move the environment to a "
        "larger disk; a ROCm torch needs tens of GB while unpacking.",
        "腾出空间（uv cache clean、pip cache purge、apt clean、docker system prune），"
        "或把环境移到更大的磁盘；ROCm 版 torch 解包时需要几十 GB。",
    ),
    judge=judge,
    messages=MESSAGES,
)
