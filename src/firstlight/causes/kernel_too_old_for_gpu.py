"""A kernel from before the chip."""

from __future__ import annotations

from ..facts.model import Facts, Gpu
from ..words import Words
from ._boot import reboot
from ._dkms import built
from ._gpus import INSTINCT, evidence, label, of
from ._kernels import knows
from ._packages import debian_kernel, install, is_ubuntu, newest_ubuntu_kernel, plain
from ._serving import left_out, rest, served, severity_free
from .messages import Message
from .model import CLEAR, Cause, Evidence, Found, Judgement, Known, Remedy, Severity, missing


def judge(facts: Facts) -> Judgement:
    """Found if there is an AMD GPU that the kernel's own driver is known to lack by the kernel's version. A DKMS driver
    brings its own table of chips. Where the GPU is seen to be served nonetheless (a backport, or a DKMS driver that was
    not seen) it does not block."""
    gpus = of(facts, "amd")
    if not gpus:
        return rest(facts, "amd")
    idle = [gpu for gpu in gpus if served(facts, gpu) is False or left_out(facts, gpu)]
    if facts.driver.amd.kind == "dkms" or (not idle and not _plain(facts)):
        return CLEAR
    lacking = missing(("kernel.release", facts.kernel.release))
    if lacking:
        return lacking if idle else CLEAR
    unknown = next((gpu for gpu in idle or gpus if knows(facts, gpu) is False), None)
    return _found(facts, unknown, served=not idle) if unknown else CLEAR


def _plain(facts: Facts) -> bool:
    """Whether a kernel that is old by its number is so in truth: not one into which a distribution carries years of
    newer drivers, and none of DKMS's."""
    release = str(facts.kernel.release)
    carried = any(mark in release for mark in (".el", "-default", "-oem", "-azure", "toss", ".amzn"))
    return not carried and built(facts, "amd") is None


def _found(facts: Facts, gpu: Gpu, *, served: bool) -> Found:
    release = str(facts.kernel.release)
    return Found(
        evidence=(Evidence("kernel.release", release, "/proc/sys/kernel/osrelease"), evidence(facts, gpu),
                  evidence(facts, gpu, "driver", gpu.driver or "none")),
        values={"gpu": label(gpu), "release": release},
        severity="advice" if severity_free(facts, gpu) else _weight(facts, gpu) if served else None,
        remedy=(_newer(facts), reboot()),
    )  # fmt: skip


def _weight(facts: Facts, gpu: Gpu) -> Severity:
    """Instinct servers run AMD's DKMS driver on old kernels as a rule: unless it is known to be the kernel's own, such
    a kernel says little."""
    instinct = (gpu.target or "").startswith(INSTINCT)
    return "advice" if instinct and facts.driver.amd.kind != "in-tree" else "degrading"


def _newer(facts: Facts) -> Remedy:
    why = Words(
        "Installs a newer kernel of the distribution, with its firmware. Where none is new enough, upgrade the "
        "release.",
        "安装发行版提供的更新内核及固件。如果都不够新，请升级发行版。",
    )
    if is_ubuntu(facts):
        return install(facts, why, debian=newest_ubuntu_kernel(facts))
    codename = plain(facts.os.codename) if facts.os.id == "debian" else ""
    backports = f"-t {codename}-backports {debian_kernel(facts)} firmware-amd-graphics" if codename else ""
    return install(facts, why, debian=backports, fedora="kernel linux-firmware", arch="linux linux-firmware",
                   suse="kernel-default kernel-firmware-amdgpu")  # fmt: skip


# messages
MESSAGES = (
    Message(r"amdgpu: (?:unknown|unsupported) (?:asic|chip|device)", 0.85),
    Message(r"\[drm\] (?:amdgpu:? )?(?:unsupported|unknown) (?:asic|chip|device|GPU)", 0.8),
    Message(r"Unsupported (?:asic|GPU|IP) .{0,40}", 0.35, needs=("amd-card",)),
    Message(r"discovery failed: -22", 0.7, needs=("amd",)),
    Message(r"\*ERROR\* (?:failed to )?(?:add ip block|get ip discovery|.{0,40}not supported).{0,60}(?:IP version|ip_discovery|GC_HWIP)", 0.8),
    Message(r"(?i)failed to add ip ?block ?\(\w{2,6}_HWIP", 0.82),
    Message(r"UMD_?.{0,4}(?:asic|chip) family.{0,20}unknown", 0.5, needs=("amd",)),
    Message(r"Device \[(?:1002|1022):(?P<device>[0-9a-f]{4})\]", 0.6, needs=("no-driver-in-use",), unless=("nomodeset-words", "probe-failed-words"), told=Words("No driver knows the device 1002:{device}.", "没有驱动认识设备 1002:{device}。")),
    Message(r"NVRM: The NVIDIA GPU .{0,60}installed in this system is not supported by the", 0.45),
    Message(r"nouveau.{0,60}unknown chipset \((?P<chip>\w{4,12})\)", 0.75, told=Words("nouveau does not know the chip {chip}.", "nouveau 不认识芯片 {chip}。")),
)  # fmt: skip

CAUSE = Cause(
    id="kernel-too-old-for-gpu",
    family="kernel",
    vendor="both",
    severity="blocking",
    title=Words("Kernel {release} is from before {gpu}", "内核 {release} 早于对 {gpu} 的支持"),
    means=Words("The running kernel's driver does not yet know this GPU.", "当前内核的驱动还不认识这块 GPU。"),
    effect=Words(
        "The GPU has no driver or no compute node, so ROCm has no device.",
        "GPU 没有驱动或没有计算节点，ROCm 找不到设备。",
    ),
    fix=Words(
        "Install an HWE, OEM or newer kernel with matching firmware, or the vendor's DKMS driver that knows the chip.",
        "安装 HWE、OEM 或更新的内核和配套固件，或安装认识该芯片的厂商 DKMS 驱动。",
    ),
    known=(Known("https://github.com/ROCm/legacy-rocm-build/issues/5102", first_seen="2025-07-25"),),
    judge=judge,
    messages=MESSAGES,
)
