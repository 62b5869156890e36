"""Another kernel driver holds the GPU."""

from __future__ import annotations

from ..facts.model import Facts, Gpu
from ..words import Words
from ._boot import rebuild_initramfs
from ._cmdline import add, parameter
from ._cmdline import remove as remove_parameter
from ._gpus import label, of
from ._packages import modprobe, nvidia_driver
from ._serving import bound_elsewhere, driver_of, holder, module_evidence, no_driver, rest, severity_free
from .messages import Message
from .model import CLEAR, Cause, Found, Judgement, NotKnown, Remedy

PASSTHROUGH = frozenset({"vfio-pci", "vfio_pci", "pci-stub", "xen-pciback", "pciback"})
"""Drivers that keep a device for a virtual machine."""


def judge(facts: Facts) -> Judgement:
    """Found if a GPU that could compute is bound to a driver that is not its own. Advice where another GPU computes:
    one may be kept for a display or a virtual machine on purpose."""
    gpus = [gpu for vendor in ("nvidia", "amd") for gpu in of(facts, vendor)]
    held = [gpu for gpu in gpus if bound_elsewhere(facts, gpu)]
    if held:
        return _found(facts, next((gpu for gpu in held if not severity_free(facts, gpu)), held[0]))
    judgements = [rest(facts, vendor) for vendor in ("nvidia", "amd")]
    return next((one for one in judgements if isinstance(one, NotKnown)), CLEAR)


def _found(facts: Facts, gpu: Gpu) -> Found:
    driver = holder(facts, gpu) or ""
    return Found(
        evidence=(no_driver(facts, gpu), module_evidence(facts, gpu.vendor)),
        values={"gpu": label(gpu), "driver": driver, "own": driver_of(gpu)},
        severity="advice" if severity_free(facts, gpu) else None,
        remedy=_release(facts, gpu) if driver in PASSTHROUGH else _displace(facts, gpu, driver),
    )


def _displace(facts: Facts, gpu: Gpu, driver: str) -> tuple[Remedy, ...]:
    """Keep nouveau, nova or radeon from being loaded, and have the right driver."""
    module = driver.replace("-", "_").lower()
    module = "nova_core" if module.startswith("nova") else module
    why = Words(
        f"Keeps {module} from taking the GPU at boot.",
        f"启动时不让 {module} 占用 GPU。",
    )
    words = f"modprobe.blacklist={module} rd.driver.blacklist={module}"
    own = (nvidia_driver(facts),) if gpu.vendor == "nvidia" and facts.driver.nvidia.loaded is not True else ()
    steps = add(facts, words, why)
    return (*own, *steps[:-1], rebuild_initramfs(facts), steps[-1])


def _release(facts: Facts, gpu: Gpu) -> tuple[Remedy, ...]:
    """Give the GPU back from vfio-pci."""
    free = Words(
        "Drops the override that gives the GPU to a virtual machine; its own driver takes it.",
        "取消把 GPU 交给虚拟机的设置，由它自己的驱动接管。",
    )
    override = (Remedy(("driverctl", "unset-override", gpu.pci), root=True, why=free),) if gpu.pci else ()
    why = Words(
        "Takes the list of devices for virtual machines off the kernel command line.",
        "从内核命令行去掉留给虚拟机的设备列表。",
    )
    listed = parameter(facts, "vfio-pci.ids", "pci-stub.ids")
    edit = remove_parameter(facts, listed.name, why) if listed else ()
    return (*override, modprobe(driver_of(gpu)), *edit)


# messages
MESSAGES = (
    Message(r"NVRM: The NVIDIA probe routine was not called for (?P<count>\d{1,2}) device", 0.94, told=Words("{count} GPU(s) belong to another driver.", "{count} 个 GPU 属于另一个驱动。")),
    Message(r"NVRM: GPU (?P<pci>[0-9a-f:.]{7,14}) is already bound to (?P<driver>[\w-]{3,20})", 0.96, told=Words("{driver} holds {pci}.", "{driver} 占用 {pci}。")),
    Message(r"Kernel driver in use: (?P<driver>vfio-pci|pci-stub|xen-pciback)", 0.88, told=Words("{driver} holds the GPU.", "{driver} 占用 GPU。")),
    Message(r"Kernel driver in use: (?P<driver>nouveau|nova|nova_core|nova-core)", 0.82, unless=("nouveau-fine",), told=Words("{driver} holds the GPU.", "{driver} 占用 GPU。")),
    Message(r"was loaded and obtained ownership of the NVIDIA device", 0.9),
    Message(r"(?i)The Nouveau kernel driver is currently in use by your system", 0.94),
    Message(r"ERROR: The Nouveau kernel driver", 0.93),
    Message(r"driver_override.{0,20}vfio-pci", 0.6),
    Message(r"vfio-pci \S{7,14}: (?:vgaarb|enabling device|reset)", 0.5, needs=("gpu-missing-words",)),
    Message(r"vfio_pci: add \[(?P<device>(?:10de|1002):[0-9a-f]{4})", 0.72, told=Words("vfio-pci takes {device}.", "vfio-pci 占用 {device}。")),
)  # fmt: skip

CAUSE = Cause(
    id="gpu-bound-to-other-driver",
    family="driver",
    vendor="both",
    severity="blocking",
    title=Words("{gpu} is held by the driver {driver}, not {own}", "{gpu} 被驱动 {driver} 占用，而不是 {own}"),
    means=Words(
        "Another driver (nouveau, nova, vfio-pci, pci-stub) has taken the GPU.",
        "另一个驱动（nouveau、nova、vfio-pci、pci-stub）占用了 GPU。",
    ),
    effect=Words("The compute stack cannot reach this GPU.", "计算软件栈无法使用这块 GPU。"),
    fix=Words(
        "Blacklist the other driver (also in the initramfs) or unbind it, rebuild the initramfs, reboot.",
        "把另一个驱动列入黑名单（initramfs 里也要）或解绑，重新生成 initramfs，然后重启。",
    ),
    follows=("secure-boot-unsigned-module",),
    judge=judge,
    messages=MESSAGES,
)
