"""A small temporary folder while the project's disk has room."""

from __future__ import annotations

from ..facts.model import Facts
from ..words import Words
from ._disks import FULL, LARGEST_FILE, backend, evidence, gib, installed, of, same
from .messages import Message
from .model import CLEAR, Cause, Found, Judgement, NotKnown, Remedy


def judge(facts: Facts) -> Judgement:
    """Found if the largest wheel does not fit there, but on the project's disk. Where that is full too, it is the
    disk."""
    tmp, project = of(facts, "tmp"), of(facts, "project")
    if tmp is None or project is None:
        return NotKnown(tuple(f"disks[{role}] (not-captured)" for role in ("tmp", "project") if not of(facts, role)))
    needed = FULL if installed(facts) else LARGEST_FILE[backend(facts)]
    if tmp.free_bytes >= needed or project.free_bytes < 2 * needed or same(tmp, project):
        return CLEAR
    why = Words(
        "Set TMPDIR to a folder on a disk with room for the install, or enlarge the tmpfs; remove leftovers first.",
        "安装时把 TMPDIR 设为有空间的磁盘上的文件夹，或扩大 tmpfs；先清掉残留文件。",
    )
    return Found(
        evidence=(evidence(tmp), evidence(project)),
        values={"path": tmp.path, "free": gib(tmp.free_bytes), "needed": gib(needed)},
        severity="blocking" if tmp.free_bytes < FULL // 8 else None,
        remedy=(Remedy((), root=False, why=why),),
    )


# messages
MESSAGES = (
    Message(r"Could not install packages due to an (?:OSError|EnvironmentError): \[Errno 28\] No space left on device", 0.9, needs=("tmp-full", "tmpfs-tmp-full"), unless=("target-full",)),
    Message(r"\[Errno 28\] No space left on device", 0.88, needs=("tmp-full", "tmpfs-tmp-full"), unless=("target-full",)),
    Message(r"No space left on device.{0,80}'/(?:var/)?tmp/", 0.88, unless=("target-full",)),
    Message(r"/tmp/(?:pip-\S{3,80}|tmp\S{3,40}|uv-\S{3,40}|build-\S{3,40}).{0,60}No space left on device", 0.9, unless=("target-full",)),
    Message(r"No space left on device: '/tmp/\S{2,80}'", 0.9, unless=("target-full",)),
    Message(r"fatal error: error writing to /tmp/\S{2,60}: No space left", 0.92, unless=("target-full",)),
    Message(r"tmpfs .{0,60} (?:100|99)% {1,8}(?:/var)?/tmp\s{0,3}$", 0.82, needs=("no-space-words",), unless=("target-full",)),
    Message(r"Could not install packages due to an (?:OSError|EnvironmentError): \[Errno 28\]", 0.64, unless=("target-full", "df-shown")),
)  # fmt: skip

CAUSE = Cause(
    id="tmp-too-small",
    family="python",
    vendor="both",
    severity="degrading",
    title=Words(
        "{path} has only {free} free; the largest wheel needs {needed}",
        "{path} 只剩 {free}；最大的 wheel 需要 {needed}",
    ),
    means=Words(
        "pip or a build fills a small /tmp while the target disk has room.",
        "pip 或构建把很小的 /tmp 写满，而目标磁盘还有空间。",
    ),
    effect=Words(
        "pip install and builds stop with “No space left on device” though the disk has room.",
        "pip install 和构建报 “No space left on device”，尽管磁盘还有空间。",
    ),
    fix=Words(
        "TMPDIR=<folder on a large disk> for the install, or a larger tmpfs; clear pip's leftovers in /tmp.",
        "安装时设 TMPDIR=<大磁盘上的文件夹>，或扩大 tmpfs；清掉 /tmp 里 pip 的残留。",
    ),
    follows=("disk-full",),
    judge=judge,
    messages=MESSAGES,
)
