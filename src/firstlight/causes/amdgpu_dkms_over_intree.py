"""AMD's DKMS driver where the kernel's own is the better one."""

from __future__ import annotations

from ..facts.model import Facts, Gpu, Unknown
from ..words import Words
from ._boot import reboot, rebuild_initramfs
from ._builds import numbers
from ._dkms import built, dkms_evidence
from ._gpus import INSTINCT, evidence, label, of
from ._packages import remove
from ._serving import left_out, rest, served
from .messages import Message
from .model import CLEAR, Cause, Evidence, Found, Judgement, Remedy, Severity, missing


def judge(facts: Facts) -> Judgement:
    """Found if amdgpu comes from DKMS (or is built by it, for the next boot) and either the GPU is a Ryzen APU (AMD
    advises the kernel's own driver there) or the DKMS driver does not serve a chip that the kernel's own knows; as
    advice for a Radeon if it is older than the kernel. Elsewhere DKMS is what AMD advises."""
    gpus = of(facts, "amd")
    if not gpus:
        return rest(facts, "amd")
    kind = facts.driver.amd.kind
    if kind != "dkms" and built(facts, "amd") is None:
        lacking = missing(("driver.amd.kind", kind))
        return lacking if lacking and facts.driver.amd.loaded is not False and _not_captured(kind) else CLEAR
    idle = [gpu for gpu in gpus if served(facts, gpu) is False or left_out(facts, gpu)]
    worse = [gpu for gpu in idle if _intree_knows(facts, gpu)]
    if worse and kind == "dkms":
        return _found(facts, worse[0], "blocking")
    discrete = [gpu for gpu in gpus if gpu.apu is False]
    radeons = [gpu for gpu in discrete if not (gpu.target or "").startswith(INSTINCT)]
    if radeons and _is_older(facts):
        return _found(facts, radeons[0], "advice")
    apus = [gpu for gpu in gpus if gpu.apu is True and not (gpu.target or "").startswith("gfx94")]
    return _found(facts, apus[0], "degrading") if apus and not discrete else CLEAR


def _not_captured(kind: object) -> bool:
    return isinstance(kind, Unknown) and kind.unknown != "absent"


def _is_older(facts: Facts) -> bool:
    """AMD numbers the driver after the kernel that it is taken from: 6.12.12 has what Linux 6.12 has."""
    version, release = _version(facts), facts.kernel.release
    if not version or isinstance(release, Unknown):
        return False
    return () < numbers(version)[:2] < numbers(release.split("-")[0])[:2]


def _version(facts: Facts) -> str:
    """Of the module that is loaded, else of the one that DKMS built."""
    if isinstance(facts.driver.amd.version, str):
        return facts.driver.amd.version
    entry = built(facts, "amd")
    return entry.version if entry else ""


def _intree_knows(facts: Facts, gpu: Gpu) -> bool:
    from ._kernels import knows

    return facts.driver.amd.loaded is True and knows(facts, gpu) is True


def _found(facts: Facts, gpu: Gpu, severity: Severity) -> Found:
    shown = f"dkms {_version(facts)}".strip()
    entry = built(facts, "amd")
    dkms = facts.firmware.dkms_package
    stale = () if isinstance(dkms, Unknown) else (Evidence("firmware.dkms_package", dkms, "package database"),)
    return Found(
        evidence=(dkms_evidence(entry) if entry and facts.driver.amd.kind != "dkms" else
                  Evidence("driver.amd.kind", shown, "/sys/module/amdgpu/version"),
                  evidence(facts, gpu, "driver", gpu.driver or "none"), *stale),
        values={"gpu": label(gpu)},
        severity=severity,
        remedy=(_remove(facts), rebuild_initramfs(facts), reboot()),
    )  # fmt: skip


def _remove(facts: Facts) -> Remedy:
    why = Words(
        "Removes AMD's DKMS driver and its firmware; the kernel's own amdgpu serves from the next boot.",
        "卸载 AMD 的 DKMS 驱动及其固件；下次启动起由内核自带的 amdgpu 提供服务。",
    )
    packages = "amdgpu-dkms amdgpu-dkms-firmware"
    return remove(facts, why, debian=packages, fedora=packages, suse=packages)


# messages
MESSAGES = (
    Message(r"filename: {1,12}/lib/modules/\S{3,60}/updates/dkms/amdgpu\.ko\S{0,4}", 0.75, needs=("amdgpu-trouble", "apu")),
    Message(r"amdttm", 0.45, needs=("amdgpu-trouble",), doubts=()),
    Message(r"amdgpu: loading out-of-tree module taints kernel", 0.55, needs=("amdgpu-trouble",)),
    Message(r"\[drm\] amdgpu version: (?P<version>[\d.]{3,12})", 0.62, needs=("amdgpu-trouble",), told=Words("The out-of-tree amdgpu {version} is loaded.", "加载的是树外 amdgpu {version}。")),
    Message(r"amdgpu-dkms-firmware", 0.5, needs=("amdgpu-trouble",)),
    Message(r"/lib/firmware/updates/amdgpu", 0.7, needs=("amdgpu-trouble",)),
)  # fmt: skip

CAUSE = Cause(
    id="amdgpu-dkms-over-intree",
    family="kernel",
    vendor="amd",
    severity="degrading",
    title=Words("AMD's DKMS driver replaces the kernel's own for {gpu}", "AMD 的 DKMS 驱动替换了 {gpu} 的内核自带驱动"),
    means=Words(
        "An old amdgpu-dkms (or its firmware) replaces a newer in-kernel amdgpu and makes the GPU worse supported.",
        "旧的 amdgpu-dkms（或其固件）替换了内核中更新的 amdgpu，使 GPU 支持变差。",
    ),
    effect=Words(
        "The chip may be unknown to it, its firmware may be stale, and memory limits move to the module amdttm.",
        "它可能不认识芯片，固件可能过时，显存上限参数也改到 amdttm 模块。",
    ),
    fix=Words(
        "Remove amdgpu-dkms and amdgpu-dkms-firmware, rebuild the initramfs, reboot on the in-kernel driver; "
        "or install a "
        "current DKMS release.",
        "卸载 amdgpu-dkms 和 amdgpu-dkms-firmware，重新生成 initramfs，重启使用内核自带驱动；或安装最新的 DKMS 版本。",
    ),
    judge=judge,
    messages=MESSAGES,
)
