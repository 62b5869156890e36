"""What is known of a machine. Records are always there; a value in them may be `Unknown`, with its reason."""

from __future__ import annotations

from typing import Literal, TypeVar, Union

import msgspec

from ..host.model import HostKind, Unread

Vendor = Literal["amd", "nvidia", "intel"]


class Unknown(msgspec.Struct, frozen=True, omit_defaults=True):
    """A value that could not be read."""

    unknown: str
    """`absent`, `denied`, `too-large`, `not-captured`, `unreadable`, or `malformed`."""
    source: str
    """What was asked: a path, or a word such as `environment`."""
    detail: str = ""


T = TypeVar("T")
Fact = Union[T, Unknown]


def unknown(unread: Unread) -> Unknown:
    """An `Unknown` of the same reason."""
    return Unknown(unread.reason.value, unread.path, unread.detail)


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """Base of all records of facts."""


class Origin(Record):
    """Which host answered."""

    kind: HostKind
    label: str
    captured_at: Fact[float]
    """Seconds since the epoch on the host's clock."""


class GpuMemory(Record):
    """The two pools of an APU, in bytes. Never added up: GTT is host memory."""

    carveout: int | None
    gtt: int | None


class Gpu(Record):
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


class Npu(Record):
    """A neural processor: never counted as a GPU."""

    vendor: str
    name: str | None
    pci: str | None
    device_id: str | None
    driver: str | None
    node: str | None
    """/dev/accel/accel0, where there is one."""


class AmdDriver(Record):
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


class Library(Record):
    """One user-space driver library."""

    path: str
    version: str


class NvidiaDriver(Record):
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


class Driver(Record):
    """Kernel drivers of both vendors."""

    amd: AmdDriver
    nvidia: NvidiaDriver


class DkmsModule(Record):
    """One line of what `dkms status` would say, read from /var/lib/dkms."""

    name: str
    version: str
    kernels: list[str]
    """Kernels it is built for."""


class ModuleOption(Record):
    """`options MODULE name=value` of modprobe.d."""

    module: str
    option: str
    value: str
    file: str


class Blacklist(Record):
    """`blacklist MODULE` (or `install MODULE /bin/false`) of modprobe.d, or modprobe.blacklist= of the command line."""

    module: str
    file: str


class Modules(Record):
    """Kernel modules: loaded, configured, built."""

    loaded: Fact[list[str]]
    options: Fact[list[ModuleOption]]
    blacklisted: Fact[list[Blacklist]]
    dkms: Fact[list[DkmsModule]]
    unsigned_dkms: Fact[list[str]]
    """DKMS modules of the running kernel whose file bears no signature at its end ("~Module signature appended~")."""


class KernelParameter(Record):
    """One word of the kernel command line; `value` null where there is no `=`."""

    name: str
    value: str | None


class Kernel(Record):
    """The running kernel."""

    release: Fact[str]
    """uname -r."""
    built: Fact[float]
    """Time in /proc/version, seconds since the epoch."""
    cmdline: Fact[list[KernelParameter]]
    headers: Fact[bool]
    """Whether /lib/modules/RELEASE/build leads somewhere."""
    secure_boot: Fact[bool]
    efi: Fact[bool]
    lockdown: Fact[str]
    iommu_groups: Fact[int]


class Firmware(Record):
    """Firmware files and versions."""

    package: Fact[str]
    """Version of the distribution's linux-firmware (firmware-amd-graphics) package."""
    dkms_package: Fact[str]
    """Version of amdgpu-dkms-firmware, Unknown(absent) if not installed."""
    mes_version: Fact[int]
    """Lowest byte of the MES version in debugfs amdgpu_firmware_info, e.g. 0x83."""
    amdgpu_files: Fact[list[str]]
    """Stems of /lib/firmware/amdgpu, e.g. `gc_11_5_1` (for the chips on this machine only)."""


class Memory(Record):
    """Host memory, in bytes and pages."""

    total_bytes: Fact[int]
    available_bytes: Fact[int]
    page_bytes: int
    ttm_module: Fact[str]
    """`ttm`, or `amdttm` under DKMS."""
    ttm_pages_limit: Fact[int]
    ttm_page_pool_size: Fact[int]


class Node(Record):
    """A device node: owner by number."""

    path: str
    kind: str
    mode: int
    uid: int
    gid: int
    rdev: list[int] | None
    can_open: Fact[bool]
    """Whether this process, with its effective ids, may open it for reading and writing."""
    acl: Fact[bool]
    """Whether a POSIX ACL could grant more than the mode says."""


class Group(Record):
    """One line of /etc/group."""

    name: str
    gid: int
    members: list[str]


class Access(Record):
    """Who may use the device nodes."""

    uid: Fact[int]
    gid: Fact[int]
    groups: Fact[list[int]]
    """Effective, of this process."""
    user: Fact[str]
    """Name of the uid in /etc/passwd."""
    nodes: list[Node]
    """/dev/kfd, /dev/dri/*, /dev/nvidia*, /dev/dxg, /dev/accel/*."""
    absent: list[str]
    """Of /dev/kfd, /dev/dri, /dev/nvidiactl, /dev/nvidia-uvm, /dev/dxg: those known not to be there."""
    group_database: Fact[list[Group]]
    """Of /etc/group: render, video, and every group that owns a GPU node."""
    selinux: Fact[str]
    """`enforcing`, `permissive`, `disabled`."""


class Container(Record):
    """Whether facts are seen from inside a container."""

    kind: Fact[str]
    """`none`, `docker`, `podman`, `lxc`, `kubernetes`, `systemd-nspawn`, `apptainer`, `other`."""
    rootless: Fact[bool]
    """Whether /proc/self/uid_map is not the identity."""
    shm_bytes: Fact[int]
    """Size of /dev/shm."""
    memory_limit_bytes: Fact[int]
    """cgroup limit; Unknown(absent) where there is none."""


class Virtual(Record):
    """WSL or virtual machine."""

    wsl: Fact[bool]
    wsl_version: Fact[int]
    hypervisor: Fact[str]
    """`none`, `kvm`, `vmware`, `hyperv`, `xen`, `other`."""


class Os(Record):
    """/etc/os-release."""

    id: Fact[str]
    version_id: Fact[str]
    codename: Fact[str]
    pretty_name: Fact[str]
    like: list[str]
    libc: Fact[str]
    """`glibc 2.36`, `musl`."""


class Repository(Record):
    """One apt source as configured, one-line or deb822; secrets in URIs redacted."""

    file: str
    line: int
    types: list[str]
    uris: list[str]
    suites: list[str]
    components: list[str]
    signed_by: str | None
    """Keyring path, or `inline` for a key inside the stanza."""
    options: dict[str, str]
    enabled: bool


class Distribution(Record):
    """An installed Python distribution that matters here."""

    name: str
    """Normalised."""
    version: str


class Torch(Record):
    """Which torch build an environment holds, told without importing it."""

    version: str
    backend: Fact[str]
    """`rocm`, `cuda`, `cpu`, `xpu`."""
    backend_version: Fact[str]
    """`7.2`, `13.0`: of ROCm or CUDA; Unknown(absent) for cpu."""
    targets: Fact[list[str]]
    """Targets it carries, by knowledge of its index or by its device wheels."""


class Environment(Record):
    """A Python environment with torch, or the one that is active."""

    path: str
    """Its site-packages folder."""
    python: Fact[str]
    """`3.11`"""
    active: bool
    """The one that VIRTUAL_ENV, CONDA_PREFIX, the project or PATH's python leads to."""
    torch: Torch | None
    distributions: list[Distribution]
    """Those of the torch, triton, rocm, amd, nvidia, jax families."""
    libraries: list[str]
    """ROCm libraries that the wheels bring, by file name (to tell shadowing)."""


class Interpreter(Record):
    """A python on PATH."""

    path: str
    version: Fact[str]


class Python(Record):
    """Pythons and what they hold."""

    interpreters: list[Interpreter]
    environments: list[Environment]
    externally_managed: Fact[bool]
    """PEP 668 marker of the system's Python."""


class SystemRocm(Record):
    """A ROCm outside the environments, e.g. /opt/rocm."""

    path: str
    version: Fact[str]


class Variable(Record):
    """One environment variable."""

    name: str
    value: str


class Disk(Record):
    """Room for the project and for temporary files, in bytes."""

    path: str
    role: str
    """`project`, `tmp`, `cache`."""
    total_bytes: int
    free_bytes: int


class Clock(Record):
    """The host's clock and what it can be checked against, seconds since the epoch."""

    now: Fact[float]
    newest_evidence: Fact[float]
    """The newest date that must lie in the past: kernel build, apt's Release files, dpkg's log."""
    evidence_source: Fact[str]
    synchronised: Fact[bool]


class Facts(Record):
    """All that is known of one machine."""

    origin: Origin
    gpus: list[Gpu]
    npus: list[Npu]
    driver: Driver
    modules: Modules
    kernel: Kernel
    firmware: Firmware
    memory: Memory
    access: Access
    container: Container
    virtual: Virtual
    os: Os
    arch: Fact[str]
    product: Fact[str]
    """DMI product name."""
    cpu: Fact[str]
    repositories: Fact[list[Repository]]
    python: Python
    rocm: list[SystemRocm]
    environment: Fact[list[Variable]]
    """GPU variables only: HSA_*, HIP_*, ROCR_*, CUDA_*, NVIDIA_*, *_VISIBLE_DEVICES, LD_LIBRARY_PATH, PYTORCH_*, MIOPEN_* ...;
    what looks like a secret is left out."""
    ld_so_rocm: Fact[list[str]]
    """Lines of ld.so.conf.d that name a ROCm or CUDA folder."""
    disks: list[Disk]
    clock: Clock
