"""Facts of healthy machines, one builder a kind, and ways to change one fact of them. No file is read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from firstlight.facts.model import (
    Access,
    AmdDriver,
    Clock,
    Container,
    Disk,
    DkmsModule,
    Driver,
    Environment,
    Facts,
    Firmware,
    Gpu,
    GpuMemory,
    Group,
    Interpreter,
    Kernel,
    KernelParameter,
    Library,
    Memory,
    Modules,
    Node,
    NvidiaDriver,
    Origin,
    Os,
    Python,
    Torch,
    Unknown,
    Virtual,
)
from firstlight.host.model import HostKind

GIB = 1 << 30
NOW = 1_796_083_200.0
"""2026-12-01."""
RENDER, VIDEO = 992, 44
ABSENT = Unknown("absent", "test")


def change(facts: Facts, path: str, value: object) -> Facts:
    """`facts` with one field replaced: `kernel.release`, `gpus.0.driver`."""
    changed: Facts = _changed(facts, path.split("."), value)
    return changed


def changes(facts: Facts, **values: object) -> Facts:
    """Several at once; `__` stands for a dot: `kernel__release="6.8"`."""
    for path, value in values.items():
        facts = change(facts, path.replace("__", "."), value)
    return facts


def without(facts: Facts, *paths: str, reason: str = "not-captured") -> Facts:
    """`facts` in which these are not known."""
    for path in paths:
        facts = change(facts, path, Unknown(reason, f"test:{path}"))
    return facts


def _changed(record: Any, path: list[str], value: object) -> Any:
    head, *rest = path
    if isinstance(record, list):
        at = int(head)
        return [
            _changed(one, rest, value) if rest and i == at else value if i == at else one
            for i, one in enumerate(record)
        ]
    inner = _changed(getattr(record, head), rest, value) if rest else value
    return msgspec.structs.replace(record, **{head: inner})


def parameters(*words: str) -> list[KernelParameter]:
    """A kernel command line."""
    pairs = (word.partition("=") for word in words)
    return [KernelParameter(name=name, value=value if equals else None) for name, equals, value in pairs]


def node(path: str, gid: int = RENDER, mode: int = 0o660, *, can_open: bool | Unknown = True) -> Node:
    """A character device."""
    return Node(path=path, kind="char", mode=mode, uid=0, gid=gid, rdev=None, can_open=can_open, acl=False)


def gpu(vendor: str, target: str | None, **said: Any) -> Gpu:
    """A GPU that its driver serves."""
    amd = vendor == "amd"
    pci = said.get("pci", "0000:03:00.0")
    fields: dict[str, Any] = {
        "vendor": vendor, "target": target, "name": None, "memory_bytes": 24 * GIB, "memory": None, "pci": pci,
        "device_id": None, "subsystem_id": None, "apu": False, "node": 1 if amd else 0, "physical": pci,
        "render_node": "/dev/dri/renderD128", "card_node": "/dev/dri/card1", "driver": "amdgpu" if amd else "nvidia",
        "kfd": True if amd else None, "compute_units": None, "visible_vram_bytes": None, "usable": True, "why": None,
        "unknown": {},
    }  # fmt: skip
    return Gpu(**{**fields, **said})


def environment(
    version: str, backend: str, backend_version: str | None, *, targets: list[str] | None = None, active: bool = True
) -> Environment:
    """A Python environment with that torch."""
    torch = Torch(
        version=version,
        backend=backend,
        backend_version=backend_version or ABSENT,
        targets=ABSENT if targets is None else targets,
    )
    path = "/home/user1/env/lib/python3.12/site-packages"
    return Environment(path=path, python="3.12", active=active, torch=torch, distributions=[], libraries=[])


def cpu_only() -> Facts:
    """A desktop without a GPU, Ubuntu 24.04, kernel 6.18.9; the user is in video and render."""
    return Facts(
        origin=Origin(kind=HostKind.RECORDED, label="test", captured_at=NOW),
        gpus=[],
        npus=[],
        driver=Driver(amd=_no_amd(), nvidia=_no_nvidia()),
        modules=Modules(loaded=[], options=[], blacklisted=[], dkms=[], unsigned_dkms=[]),
        kernel=Kernel(
            release="6.18.9-generic", built=NOW - 1e7, cmdline=parameters("ro", "quiet", "splash"), headers=True,
            secure_boot=False, efi=True, lockdown="none", iommu_groups=20,
        ),
        firmware=Firmware(package="20260519", dkms_package=ABSENT, mes_version=ABSENT, amdgpu_files=[]),
        memory=Memory(
            total_bytes=64 * GIB, available_bytes=60 * GIB, page_bytes=4096, ttm_module=ABSENT, ttm_pages_limit=ABSENT,
            ttm_page_pool_size=ABSENT,
        ),
        access=_access([], ["/dev/kfd", "/dev/dri", "/dev/nvidiactl", "/dev/nvidia-uvm", "/dev/dxg"]),
        container=Container(kind="none", rootless=False, shm_bytes=32 * GIB, memory_limit_bytes=ABSENT),
        virtual=Virtual(wsl=False, wsl_version=ABSENT, hypervisor="none"),
        os=Os(
            id="ubuntu", version_id="24.04", codename="noble", pretty_name="Ubuntu 24.04.3 LTS", like=["debian"],
            libc="glibc 2.39",
        ),
        arch="x86_64",
        product="Desktop",
        cpu="AMD Ryzen 9 7950X",
        repositories=[],
        python=Python(
            interpreters=[Interpreter(path="/usr/bin/python3", version="3.12")], environments=[],
            externally_managed=False,
        ),
        rocm=[],
        environment=[],
        ld_so_rocm=[],
        disks=[
            Disk(path="/home/user1/project", role="project", total_bytes=900 * GIB, free_bytes=400 * GIB),
            Disk(path="/tmp", role="tmp", total_bytes=900 * GIB, free_bytes=400 * GIB),
        ],
        clock=Clock(now=NOW, newest_evidence=NOW - 1e6, evidence_source="/proc/version", synchronised=True),
    )  # fmt: skip


def _no_amd() -> AmdDriver:
    return AmdDriver(loaded=False, version=ABSENT, kind=ABSENT, kfd=False, parameters={})


def _no_nvidia() -> NvidiaDriver:
    return NvidiaDriver(loaded=False, version=ABSENT, open=ABSENT, uvm=False, parameters={}, libraries=[])


def _access(nodes: list[Node], absent: list[str]) -> Access:
    groups = [
        Group(name="render", gid=RENDER, members=["user1"]),
        Group(name="video", gid=VIDEO, members=["user1"]),
    ]
    return Access(
        uid=1000, gid=1000, groups=[1000, VIDEO, RENDER], user="user1", nodes=nodes, absent=absent,
        group_database=groups, selinux="disabled",
    )  # fmt: skip


def _amd(gpus: list[Gpu], **values: object) -> Facts:
    renders = [node(one.render_node) for one in gpus if one.render_node]
    cards = sorted({one.card_node for one in gpus if one.card_node})
    nodes = [*(node(card, VIDEO) for card in cards), *renders, node("/dev/kfd")]
    facts = changes(
        cpu_only(),
        gpus=gpus,
        driver__amd=AmdDriver(loaded=True, version=ABSENT, kind="in-tree", kfd=True, parameters={}),
        modules__loaded=["amdgpu", "ttm"],
        access=_access(nodes, ["/dev/nvidiactl", "/dev/nvidia-uvm", "/dev/dxg"]),
        memory__ttm_module="ttm",
        memory__ttm_pages_limit=32 * GIB // 4096,
    )
    return changes(facts, **values)


def gfx1151_apu() -> Facts:
    """Ryzen AI Max with 128 GB: 512 MiB carve-out, GTT of 115 GiB."""
    pages = 115 * GIB // 4096
    apu = gpu(
        "amd", "gfx1151", name="Radeon 8060S", apu=True, pci="0000:c5:00.0", device_id="1002:1586", compute_units=40,
        memory=GpuMemory(carveout=GIB // 2, gtt=115 * GIB), memory_bytes=115 * GIB, visible_vram_bytes=GIB // 2,
    )  # fmt: skip
    return _amd(
        [apu],
        memory__total_bytes=125 * GIB,
        memory__available_bytes=120 * GIB,
        memory__ttm_pages_limit=pages,
        memory__ttm_page_pool_size=pages,
        firmware__mes_version=0x80,
        firmware__amdgpu_files=["gc_11_5_1", "psp_14_0_1"],
        product="Ryzen AI Halo",
        cpu="AMD RYZEN AI MAX+ 395 w/ Radeon 8060S",
    )


def gfx1100_desktop() -> Facts:
    """RX 7900 XTX beside a Raphael processor's graphics (gfx1036), which is after it in KFD's order."""
    card = gpu(
        "amd", "gfx1100", name="Radeon RX 7900 XTX", device_id="1002:744c", compute_units=96,
        memory=GpuMemory(carveout=24 * GIB, gtt=32 * GIB), visible_vram_bytes=24 * GIB,
    )  # fmt: skip
    igpu = gpu(
        "amd", "gfx1036", name="Raphael", apu=True, pci="0000:18:00.0", device_id="1002:164e", compute_units=2, node=2,
        memory=GpuMemory(carveout=GIB // 2, gtt=32 * GIB), memory_bytes=32 * GIB, visible_vram_bytes=GIB // 2,
        render_node="/dev/dri/renderD129", card_node="/dev/dri/card2",
    )  # fmt: skip
    return _amd([card, igpu], firmware__amdgpu_files=["gc_11_0_0", "gc_10_3_6"])


def mi300x_server() -> Facts:
    """Eight MI300X in SPX mode under AMD's DKMS driver, with iommu=pt."""
    cards = [
        gpu(
            "amd", "gfx942", name="MI300X", pci=f"0000:{0x05 + index * 0x10:02x}:00.0", device_id="1002:74a1",
            compute_units=304, node=index + 2, memory_bytes=192 * GIB, visible_vram_bytes=192 * GIB,
            memory=GpuMemory(carveout=192 * GIB, gtt=1000 * GIB), render_node=f"/dev/dri/renderD{128 + index}",
            card_node=f"/dev/dri/card{index}",
        )
        for index in range(8)
    ]  # fmt: skip
    return _amd(
        cards,
        kernel__release="6.8.0-60-generic",
        kernel__cmdline=parameters("ro", "pci=realloc=off", "iommu=pt"),
        driver__amd__version="6.16.13",
        driver__amd__kind="dkms",
        modules__loaded=["amdgpu", "amdttm"],
        modules__dkms=[
            DkmsModule(name="amdgpu", version="6.16.13-2303411.24.04", kernels=["6.8.0-60-generic"])
        ],
        memory__ttm_module="amdttm",
        firmware__amdgpu_files=["gc_9_4_3"],
        memory__total_bytes=2048 * GIB,
        memory__available_bytes=2000 * GIB,
        product="Instinct server",
        cpu="AMD EPYC 9654 96-Core Processor",
    )  # fmt: skip


def _nvidia(gpus: list[Gpu], version: str, **values: object) -> Facts:
    paths = ["/dev/nvidiactl", "/dev/nvidia-uvm", *(f"/dev/nvidia{index}" for index in range(len(gpus)))]
    arch = str(values.get("arch", "x86_64"))
    libraries = [
        Library(path=f"/usr/lib/{arch}-linux-gnu/{name}.{version}", version=version)
        for name in ("libcuda.so", "libnvidia-ml.so")
    ]
    facts = changes(
        cpu_only(),
        gpus=gpus,
        driver__nvidia=NvidiaDriver(
            loaded=True, version=version, open=True, uvm=True, parameters={}, libraries=libraries
        ),
        modules__loaded=["nvidia", "nvidia_drm", "nvidia_modeset", "nvidia_uvm"],
        access=_access([node(path, 0, 0o666) for path in paths], ["/dev/kfd", "/dev/dxg"]),
    )
    return changes(facts, **values)


def rtx4090_desktop() -> Facts:
    """One RTX 4090, open kernel module 580."""
    card = gpu("nvidia", "sm_89", name="NVIDIA GeForce RTX 4090", device_id="10de:2684", pci="0000:01:00.0")
    return _nvidia([card], "580.105.08")


def h100_server() -> Facts:
    """Eight H100, driver 580."""
    cards = [
        gpu(
            "nvidia", "sm_90", name="NVIDIA H100 80GB HBM3", device_id="10de:2330", memory_bytes=80 * GIB,
            pci=f"0000:{0x10 + index:02x}:00.0", node=index, render_node=f"/dev/dri/renderD{128 + index}",
        )
        for index in range(8)
    ]  # fmt: skip
    return _nvidia(
        cards, "580.105.08", memory__total_bytes=2048 * GIB, memory__available_bytes=2000 * GIB, cpu="Intel Xeon"
    )


def dgx_spark() -> Facts:
    """GB10, aarch64, unified memory."""
    chip = gpu(
        "nvidia", "sm_121", name="NVIDIA GB10", device_id="10de:2e12", pci="000f:01:00.0", apu=True, memory_bytes=None
    )
    return _nvidia(
        [chip], "580.95.05", arch="aarch64", product="NVIDIA DGX Spark", kernel__release="6.14.0-1013-nvidia",
        memory__total_bytes=119 * GIB, memory__available_bytes=110 * GIB, cpu="Cortex-X925",
    )  # fmt: skip


def wsl() -> Facts:
    """Ubuntu 24.04 under WSL 2 with a GPU behind /dev/dxg: nothing is on a bus."""
    return changes(
        cpu_only(),
        kernel__release="6.6.87.2-microsoft-standard-WSL2",
        kernel__headers=False,
        kernel__efi=False,
        virtual=Virtual(wsl=True, wsl_version=2, hypervisor="hyperv"),
        access=_access([node("/dev/dxg", 0, 0o666)], ["/dev/kfd", "/dev/dri", "/dev/nvidiactl", "/dev/nvidia-uvm"]),
    )


MACHINES: dict[str, Callable[[], Facts]] = {
    "gfx1151-apu": gfx1151_apu,
    "gfx1100-desktop": gfx1100_desktop,
    "mi300x-server": mi300x_server,
    "rtx4090-desktop": rtx4090_desktop,
    "h100-server": h100_server,
    "dgx-spark": dgx_spark,
    "cpu-only": cpu_only,
    "wsl": wsl,
}
AMD = ("gfx1151-apu", "gfx1100-desktop", "mi300x-server")
NVIDIA = ("rtx4090-desktop", "h100-server", "dgx-spark")


def bare_tree() -> Facts:
    """A bare tree that holds nothing: all is not captured."""
    facts = _blind(cpu_only())
    assert isinstance(facts, Facts)
    return changes(
        facts,
        origin=Origin(kind=HostKind.TREE, label="tree", captured_at=ABSENT),
        access__absent=[],
        disks=[],
        python__interpreters=[],
    )


def _blind(record: msgspec.Struct) -> msgspec.Struct:
    """Every field that may be unknown, not captured."""
    values: dict[str, Any] = {}
    for name in record.__struct_fields__:
        held = getattr(record, name)
        if isinstance(held, msgspec.Struct) and not isinstance(held, Unknown):
            values[name] = _blind(held)
        elif "Unknown" in str(record.__annotations__[name]) or "Fact[" in str(record.__annotations__[name]):
            values[name] = Unknown("not-captured", name)
    return msgspec.structs.replace(record, **values)
