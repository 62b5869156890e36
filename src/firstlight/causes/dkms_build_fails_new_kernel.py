"""DKMS has the driver, but not for the kernel that runs."""

from __future__ import annotations

from ..facts.model import Facts
from ..words import Words
from ._dkms import dkms_evidence, not_built
from ._gpus import of
from ._packages import dkms_build
from ._serving import loaded, rest, unserved
from .messages import Message
from .model import CLEAR, Cause, Evidence, Found, Judgement, Known, NotKnown, Remedy, missing


def judge(facts: Facts) -> Judgement:
    """Found if DKMS has a GPU driver that is not built for the running kernel although the headers are there."""
    judgements = [_judge(facts, vendor) for vendor in ("nvidia", "amd")]
    found = next((one for one in judgements if isinstance(one, Found)), None)
    return found or next((one for one in judgements if isinstance(one, NotKnown)), CLEAR)


def _judge(facts: Facts, vendor: str) -> Judgement:
    if not of(facts, vendor):
        return rest(facts, vendor)
    idle = unserved(facts, vendor)
    if facts.kernel.headers is False or (vendor == "nvidia" and loaded(facts, vendor) is True):
        return CLEAR
    lacking = missing(
        ("kernel.release", facts.kernel.release), ("modules.dkms", facts.modules.dkms),
        ("kernel.headers", facts.kernel.headers),
    )  # fmt: skip
    if lacking:
        return lacking if idle else CLEAR
    module = not_built(facts, vendor)
    if module is None:
        return CLEAR
    release = str(facts.kernel.release)
    return Found(
        evidence=(dkms_evidence(module), Evidence("kernel.release", release, "/proc/sys/kernel/osrelease")),
        values={"module": f"{module.name} {module.version}", "release": release},
        severity=None if idle else "advice",
        remedy=(dkms_build(facts), _log(module.name, module.version), *_without_dkms(vendor)),
    )


def _log(name: str, version: str) -> Remedy:
    why = Words(
        "If the build fails, its log tells where. Then boot a kernel that this release lists, or install a "
        "newer driver.",
        "如果编译失败，日志会说明位置。然后换用该驱动支持的内核，或安装更新的驱动。",
    )
    return Remedy(("tail", "-n", "60", f"/var/lib/dkms/{name}/{version}/build/make.log"), root=True, why=why)


def _without_dkms(vendor: str) -> tuple[Remedy, ...]:
    if vendor != "amd":
        return ()
    why = Words(
        "Or do without: a recent kernel's own amdgpu serves Radeon and Ryzen.",
        "或者不用 DKMS：较新内核自带的 amdgpu 就能驱动 Radeon 和 Ryzen。",
    )
    return (Remedy((), root=True, why=why),)


# messages
MESSAGES = (
    Message(r"Bad return status for module build on kernel: {0,2}(?P<kernel>[\w.+~-]{3,60})", 0.95, unless=("headers-missing-words", "no-space-words"), told=Words("The module does not compile against kernel {kernel}.", "模块无法针对内核 {kernel} 编译。")),
    Message(r"Error! Build of (?P<module>\S{3,80}) failed for: (?P<kernel>[\w.+~-]{3,60})", 0.93, unless=("headers-missing-words",), told=Words("{module} does not compile against kernel {kernel}.", "{module} 无法针对内核 {kernel} 编译。")),
    Message(r"make(?:\[\d\])?: \*\*\* .{0,60}KERNELVER=(?P<kernel>[\w.+~-]{3,60})", 0.85, unless=("headers-missing-words",)),
    Message(r"'?make'? .{0,40}KERNELRELEASE=(?P<kernel>[\w.+~-]{3,60}).{0,80}\(bad exit status: \d", 0.85, unless=("headers-missing-words",), told=Words("The module does not compile against kernel {kernel}.", "模块无法针对内核 {kernel} 编译。")),
    Message(r"(?:bad exit status: \d|exited with status \d).{0,20}", 0.6, needs=("dkms-words",), unless=("headers-missing-words",)),
    Message(r"The kernel module failed to build", 0.8, unless=("headers-missing-words",)),
    Message(r"ERROR: An error occurred while performing the step: \"Building kernel modules\"", 0.92, unless=("headers-missing-words",)),
    Message(r"/var/lib/dkms/(?P<module>[\w-]{2,40})/[\w.:~-]{1,60}/build/.{1,160}error: ", 0.93, unless=("headers-missing-words",), told=Words("The sources of {module} do not compile.", "{module} 的源代码无法编译。")),
    Message(r"error: implicit declaration of function '(?:drm|dma|pci|ttm|vm|get_user|pin_user|del_timer|kfd|amdgpu|pfn|follow_pfn|nv)_?\w{1,60}'", 0.75),
    Message(r"dkms: autoinstall for kernel:? {0,2}(?P<kernel>[\w.+~-]{3,60}).{0,40}fail", 0.8, unless=("headers-missing-words",)),
    Message(r"dkms autoinstall on (?P<kernel>[\w.+~-]{3,60})/x86_64 failed for (?P<module>\S{2,60})", 0.9, unless=("headers-missing-words",), told=Words("{module} does not build for kernel {kernel}.", "{module} 无法针对内核 {kernel} 构建。")),
    Message(r"Autoinstall on \S{3,60} failed for module\(s\) (?P<module>\S{2,60})", 0.88, unless=("headers-missing-words",)),
    Message(r"dpkg: error processing package (?P<package>amdgpu-dkms|nvidia-dkms-\S{1,30}|nvidia-kernel-dkms|rock-dkms)", 0.62, unless=("headers-missing-words", "no-space-words")),
)  # fmt: skip

CAUSE = Cause(
    id="dkms-build-fails-new-kernel",
    family="kernel",
    vendor="both",
    severity="blocking",
    title=Words(
        "DKMS has no {module} for the running kernel {release}", "DKMS 没有为当前内核 {release} 编译出 {module}"
    ),
    means=Words(
        "The out-of-tree driver's sources do not compile against the running (newer) kernel.",
        "树外驱动的源码无法针对当前（较新的）内核编译。",
    ),
    effect=Words("The driver cannot be loaded on this kernel.", "这个内核无法加载该驱动。"),
    fix=Words(
        "Boot a kernel the release supports, install a driver release that knows this kernel, or do without "
        "DKMS where the "
        "in-kernel amdgpu suffices.",
        "启动该版本支持的内核，或安装支持此内核的驱动版本；内核自带的 amdgpu 够用时就不用 DKMS。",
    ),
    known=(
        Known("https://github.com/ROCm/legacy-rocm-build/issues/3701", first_seen="6.2.0", fixed_in="6.2.1"),
        Known("https://github.com/ROCm/legacy-rocm-build/issues/5074", first_seen="6.4.1"),
    ),
    judge=judge,
    messages=MESSAGES,
)
