"""DKMS cannot build without the kernel's headers."""

from __future__ import annotations

from ..facts.model import Facts
from ..words import Words
from ._dkms import dkms_evidence, not_built
from ._gpus import of
from ._packages import dkms_build, headers
from ._serving import loaded, rest, unserved
from .messages import Message
from .model import CLEAR, Cause, Evidence, Found, Judgement, NotKnown, missing


def judge(facts: Facts) -> Judgement:
    """Found if DKMS has a GPU driver that is not built for the running kernel, whose headers are not there. If the
    kernel's own driver serves the GPU meanwhile, it is advice."""
    judgements = [_judge(facts, vendor) for vendor in ("nvidia", "amd")]
    found = next((one for one in judgements if isinstance(one, Found)), None)
    return found or next((one for one in judgements if isinstance(one, NotKnown)), CLEAR)


def _judge(facts: Facts, vendor: str) -> Judgement:
    if not of(facts, vendor):
        return rest(facts, vendor)
    release, there = facts.kernel.release, facts.kernel.headers
    idle = unserved(facts, vendor)
    served_by_dkms = vendor == "nvidia" and loaded(facts, vendor) is True
    if there is True or served_by_dkms:
        return CLEAR
    lacking = missing(("kernel.release", release), ("modules.dkms", facts.modules.dkms), ("kernel.headers", there))
    if lacking:
        return lacking if idle else CLEAR
    module = not_built(facts, vendor)
    if module is None:
        return CLEAR
    where = f"/lib/modules/{release}/build"
    return Found(
        evidence=(dkms_evidence(module), Evidence("kernel.headers", "false", where)),
        values={"module": f"{module.name} {module.version}", "release": str(release)},
        severity=None if idle else "advice",
        remedy=(headers(facts), dkms_build(facts)),
    )


# messages
MESSAGES = (
    Message(r"Your kernel headers for kernel (?P<kernel>[\w.+~-]{3,60}) cannot be found", 0.96, told=Words("The headers of kernel {kernel} are not installed.", "没有安装内核 {kernel} 的头文件。")),
    Message(r"(?i)Unable to find the (?:kernel source tree|development tool|headers) .{0,60}(?:kernel|running)", 0.9),
    Message(r"(?i)kernel (?:source|headers?)(?: at path| directory)? .{0,80}(?:cannot be found|not found|missing|could not be found|does not exist)", 0.9, told=None),
    Message(r"Module build for kernel (?P<kernel>[\w.+~-]{3,60}) was skipped since the kernel headers for this kernel", 0.96, told=Words("The headers of kernel {kernel} are not installed.", "没有安装内核 {kernel} 的头文件。")),
    Message(r"Please install the linux-headers-(?P<kernel>[\w.+~-]{3,60}) package", 0.95, told=Words("The headers of kernel {kernel} are not installed.", "没有安装内核 {kernel} 的头文件。")),
    Message(r"/lib/modules/(?P<kernel>[\w.+~-]{3,60})/build: No such file or directory", 0.93, told=Words("The headers of kernel {kernel} are not installed.", "没有安装内核 {kernel} 的头文件。")),
    Message(r"Unable to locate package linux-headers-(?P<kernel>[\w.+~-]{3,60})", 0.85, told=Words("There are no headers for kernel {kernel} in the sources.", "软件源中没有内核 {kernel} 的头文件。")),
    Message(r"'linux-headers-(?P<kernel>[\w.+~-]{3,60})' has no installation candidate", 0.85),
    Message(r"(?i)linux-headers-\S{3,60} .{0,20}(?:not found|is not installed)", 0.85),
    Message(r"No package kernel-devel-(?P<kernel>[\w.+~-]{3,60}) available", 0.88),
    Message(r"Unable to find a match: kernel-(?:devel|headers)\S{0,60}", 0.88),
    Message(r"dkms(?: |\.)status.{0,20}added$", 0.5),
    Message(r"(?:amdgpu|nvidia)/[\w.~:-]{3,60}: added", 0.7, unless=("dkms-build-failed-words",)),
)  # fmt: skip

CAUSE = Cause(
    id="kernel-headers-missing",
    family="kernel",
    vendor="both",
    severity="blocking",
    title=Words(
        "{module} is not built for kernel {release}, whose headers are not installed",
        "{module} 没有为内核 {release} 编译：缺少它的头文件",
    ),
    means=Words(
        "The driver cannot be built because the headers of the running kernel are not installed.",
        "没有安装当前内核的头文件，驱动无法编译。",
    ),
    effect=Words("DKMS cannot make the driver for this kernel.", "DKMS 无法为这个内核生成驱动。"),
    fix=Words(
        "Install the headers of the running kernel (or the headers meta package), run dkms autoinstall, reboot "
        "or modprobe.",
        "安装当前内核的头文件（或头文件元包），运行 dkms autoinstall，然后重启或 modprobe。",
    ),
    judge=judge,
    messages=MESSAGES,
)
