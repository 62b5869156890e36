"""The kernel killed the process for want of RAM."""

from __future__ import annotations

from ..words import Words
from .messages import Message
from .model import Cause

# messages
MESSAGES = (
    Message(r"Out of memory: Kill(?:ed)? process (?P<pid>\d{1,8}) \((?P<program>[^)]{1,40})\)", 0.95, told=Words("The kernel killed {program}.", "内核杀死了 {program}。")),
    Message(r"Memory cgroup out of memory: Kill(?:ed)? process \d{1,8} \((?P<program>[^)]{1,40})\)", 0.95, told=Words("The memory limit of the container was reached: {program} was killed.", "达到容器内存上限：{program} 被杀死。")),
    Message(r"oom-kill:constraint=\S{3,40}", 0.93),
    Message(r"(?P<program>[\w./-]{1,40}) invoked oom-killer", 0.93),
    Message(r"oom_reaper: reaped process", 0.9),
    Message(r"(?i)OOMKilled", 0.93),
    Message(r"systemd-oomd.{0,40}[Kk]illed", 0.93),
    Message(r"(?:^|[ |\]:])Killed(?: {1,8}\(core dumped\))?\s{0,3}$", 0.72),
    Message(r"\d{2,8} Killed {2,30}\S", 0.8),
    Message(r"(?:exit(?:ed)?(?: with)?(?: code| status)?:? |exitcode:? {1,3}|code )-?(?:137|9)\b.{0,40}", 0.6, unless=("nccl-watchdog",), needs=("killed-words",)),
    Message(r"exited with code 137", 0.8),
    Message(r"exitcode {0,2}: -9 ", 0.78),
    Message(r"(?:Signal|signal) 9 \(SIGKILL\)", 0.78),
    Message(r"DataLoader worker \(pid\(?s?\)? ?\S{1,30} ?\) is killed by signal: Killed", 0.88),
    Message(r"DefaultCPUAllocator: (?:can't|not enough memory: you tried to) allocate", 0.72),
    Message(r"numpy\.core\._exceptions\.\w{0,5}MemoryError: Unable to allocate", 0.6),
    Message(r"Detected (?P<count>\d{1,3}) oom[_-]kill events? in", 0.93),
    Message(r"(?:slurmstepd|srun): error: .{0,80}(?:oom-kill|Out Of Memory)", 0.93),
    Message(r"(?:error|warning): .{0,20}Job.{0,60}exceeded memory limit", 0.9),
    Message(r"Some of (?:your processes|the step tasks) (?:may )?have been (?:killed by the cgroup out-of-memory handler|OOM Killed)", 0.95),
)  # fmt: skip

CAUSE = Cause(
    id="host-ram-oom-killed",
    family="memory",
    vendor="both",
    severity="blocking",
    title=Words(
        "The host ran out of RAM and the kernel killed the process",
        "主机内存耗尽，内核杀死了进程",
    ),
    means=Words(
        "The host's RAM ran out and the kernel killed the process.",
        "主机内存耗尽，内核杀死了进程。",
    ),
    effect=Words(
        "The program ends with “Killed” or exit code 137, without a traceback.",
        "程序以 “Killed” 或退出码 137 结束，没有回溯。",
    ),
    fix=Words(
        "Fewer loader workers, memory-mapped or sharded loading, smaller host caches; more RAM or swap; raise the container's memory limit.",
        "减少数据加载进程，用内存映射或分片加载，缩小主机缓存；增加内存或交换空间；提高容器的内存上限。",
    ),
    follows=("apu-carveout-too-large",),
    messages=MESSAGES,
)
