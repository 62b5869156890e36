"""Compute devices and the kernel drivers that serve them."""

from __future__ import annotations

from typing import Literal

from .value import Fact, Record

Vendor = Literal["amd", "nvidia", "intel"]


class GpuMemory(Record, frozen=True, kw_only=True):
    """The two pools of an APU, in bytes. Never added up: GTT is host memory."""

    carveout: int | None
    gtt: int | None


class Gpu(Record, frozen=True, kw_only=True):
    """One compute device: a partition of a card is one. Null means unknown or not applicable; `unknown` tells why."""

    vendor: Vendor
    target: str | None
    """LLVM or NVIDIA name: `gfx1151`, `sm_90`; null for Intel."""
    name: str | None
    memory_bytes: int | None
    """Dedicated memory; of an APU the pool that the compute stack allocates from (the larger of the two)."""
    memory: GpuMemory | None
    """Of an AMD GPU: carve-out (VRAM) and GTT apart."""
    pci: str | None
    """`domain:bus:device.function`, lower-case."""
    device_id: str | None
    """`vendor:device`, four hexadecimal digits each."""
    subsystem_id: str | None
    apu: bool | None
    node: int | None
    """KFD node number (AMD) or device minor (NVIDIA)."""
    physical: str
    """Equal for the partitions of one card."""
    render_node: str | None
    """/dev/dri/renderD128, where known."""
    card_node: str | None
    driver: str | None
    """Kernel driver bound to it; null with `unknown["driver"]` if not known, null without: none is bound."""
    kfd: bool | None
    """Whether the KFD topology has it (AMD); null where it is not known."""
    compute_units: int | None
    visible_vram_bytes: int | None
    """CPU-visible part of VRAM (small BAR if far below the whole)."""
    usable: bool | None
    """False where facts prove that the compute stack cannot use it; true where a driver serves it for compute."""
    why: str | None
    """Why it is not usable, a short kebab-case reason: `no-driver`, `bound-to-nouveau`, `gcn1`, `not-in-kfd` ..."""
    unknown: dict[str, str]
    """For each field that could not be read: why."""


class Npu(Record, frozen=True, kw_only=True):
    """A neural processor: never counted as a GPU."""

    vendor: str
    name: str | None
    pci: str | None
    device_id: str | None
    driver: str | None
    node: str | None
    """/dev/accel/accel0, where there is one."""


class AmdDriver(Record, frozen=True, kw_only=True):
    """The amdgpu kernel driver."""

    loaded: Fact[bool]
    version: Fact[str]
    """/sys/module/amdgpu/version: only an out-of-tree module has one."""
    kind: Fact[str]
    """`in-tree` or `dkms`."""
    kfd: Fact[bool]
    """Whether /sys/class/kfd is there."""
    parameters: dict[str, str]
    """/sys/module/amdgpu/parameters."""


class Library(Record, frozen=True, kw_only=True):
    """One user-space driver library."""

    path: str
    version: str


class NvidiaDriver(Record, frozen=True, kw_only=True):
    """The NVIDIA kernel driver."""

    loaded: Fact[bool]
    version: Fact[str]
    """From /proc/driver/nvidia/version, e.g. `580.105.08`."""
    open: Fact[bool]
    """Whether it is the open kernel module."""
    uvm: Fact[bool]
    """Whether nvidia_uvm is loaded."""
    parameters: dict[str, str]
    libraries: Fact[list[Library]]
    """libcuda.so.* and libnvidia-ml.so.* by file name."""


class Driver(Record, frozen=True, kw_only=True):
    """Kernel drivers of both vendors."""

    amd: AmdDriver
    nvidia: NvidiaDriver
