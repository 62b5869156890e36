"""The MES firmware that breaks compute on Strix."""

from __future__ import annotations

from ..facts.model import Facts, Unknown
from ..words import Words
from ._boot import reboot, rebuild_initramfs
from ._firmware import amd_firmware
from ._gpus import evidence, label, no_gpu, of
from ._packages import remove
from .messages import Message
from .model import CLEAR, Cause, Evidence, Found, Judgement, Known, Remedy, missing

BAD_MES = 0x83
BAD_PACKAGE = "20251125"
"""ROCm/legacy-rocm-build issue 5724: 20251111 and 20260110 and later are good (MES 0x80)."""
AFFECTED = ("gfx1151", "gfx1150")
"""gfx1150 by its own gc_11_5_0_mes_2.bin, reverted in linux-firmware 3d5c8135 (issues 5724 and 5616)."""


def judge(facts: Facts) -> Judgement:
    """Found if the MES that runs is 0x83; where its version is not known, if the package is the bad one."""
    gpus = [gpu for gpu in of(facts, "amd") if gpu.target in AFFECTED]
    if not gpus:
        return no_gpu(facts)
    mes, package = facts.firmware.mes_version, facts.firmware.package
    if not isinstance(mes, Unknown):
        if mes & 0xFF != BAD_MES:
            return CLEAR
        proof = Evidence("firmware.mes_version", hex(mes), "/sys/kernel/debug/dri/*/amdgpu_firmware_info")
    elif isinstance(package, Unknown):
        return missing(("firmware.mes_version", mes), ("firmware.package", package)) or CLEAR
    elif BAD_PACKAGE in package and gpus[0].target == "gfx1151":
        proof = Evidence("firmware.package", package, "package database")
    else:
        return CLEAR
    return Found(
        evidence=(proof, evidence(facts, gpus[0]), *_leftover(facts)),
        values={"gpu": label(gpus[0]), "version": proof.value},
        remedy=(*_packages(facts), rebuild_initramfs(facts), reboot()),
    )


def _leftover(facts: Facts) -> tuple[Evidence, ...]:
    dkms = facts.firmware.dkms_package
    return () if isinstance(dkms, Unknown) else (Evidence("firmware.dkms_package", dkms, "package database"),)


def _packages(facts: Facts) -> tuple[Remedy, ...]:
    new = Words(
        "Installs the newest firmware; 20260110 and later are good.", "安装最新的固件；20260110 及以后的版本正常。"
    )
    if not _leftover(facts):
        return (amd_firmware(facts, new),)
    stale = Words(
        "Removes AMD's DKMS firmware, which hides the distribution's and may hold the bad build.",
        "卸载 AMD 的 DKMS 固件：它会盖住发行版的固件，里面可能正是坏的版本。",
    )
    names = {"debian": "amdgpu-dkms-firmware", "fedora": "amdgpu-dkms-firmware", "suse": "amdgpu-dkms-firmware"}
    return (remove(facts, stale, **names), amd_firmware(facts, new))


# messages
MESSAGES = (
    Message(r"linux-firmware\S{0,20}[-_ ](?P<version>20251125)", 0.93, told=Words("linux-firmware {version} is installed.", "安装的是 linux-firmware {version}。")),
    Message(r"20251125", 0.85, needs=("gfx1151",), unless=("torch-nightly",)),
    Message(r"MES(?:_KIQ)? feature version: \d{1,3}, (?:fw|firmware) version: 0x0{0,6}83\b", 0.94),
    Message(r"(?i)mes.{0,30}0x0{0,6}83\b", 0.85, needs=("gfx1151",)),
    Message(r"Memory access fault by GPU node-", 0.5, needs=("bad-mes-words",)),
    Message(r"Faulty UTCL2 client ID: CP[FC]", 0.6, needs=("gfx1151",), unless=("override",)),
    Message(r"Memory access fault by GPU node-", 0.45, needs=("gfx1151-cpf",)),
)  # fmt: skip

CAUSE = Cause(
    id="strix-bad-mes-firmware",
    family="firmware",
    vendor="amd",
    severity="blocking",
    title=Words(
        "The firmware of {gpu} is the build that breaks compute ({version})",
        "{gpu} 的固件是会破坏计算的版本（{version}）",
    ),
    means=Words(
        "linux-firmware 20251125 (MES 0x83) breaks compute on gfx1151.",
        "linux-firmware 20251125（MES 0x83）会破坏 gfx1151 上的计算。",
    ),
    effect=Words(
        "Every GPU job dies with a memory access fault or hangs.",
        "所有 GPU 任务都以 memory access fault 结束，或者卡死。",
    ),
    fix=Words(
        "Go back to linux-firmware 20251111 or forward to 20260110 and later; remove stale amdgpu-dkms-firmware files; "
        "rebuild the initramfs; reboot.",
        "退回 linux-firmware 20251111，或升级到 20260110 及以后；删掉残留的 amdgpu-dkms-firmware；"
        "重新生成 initramfs；重启。",
    ),
    known=(
        Known("https://github.com/ROCm/legacy-rocm-build/issues/5724", first_seen="20251125", fixed_in="20260110"),
        Known("https://github.com/ROCm/legacy-rocm-build/issues/5991"),
    ),
    judge=judge,
    messages=MESSAGES,
)
