"""What is known of a machine. Records are always there; a value in them may be `Unknown`, with its reason."""

from __future__ import annotations

from ..host.model import HostKind
from .devices import AmdDriver, Driver, Gpu, GpuMemory, Library, Npu, NvidiaDriver, Vendor
from .value import Fact, Record, Unknown, unknown

__all__ = [
    "AmdDriver", "Driver", "Fact", "Facts", "Gpu", "GpuMemory", "Library", "Npu", "NvidiaDriver", "Record", "Unknown",
    "Vendor", "unknown",
]  # fmt: skip


class Origin(Record, frozen=True, kw_only=True):
    """Which host answered."""

    kind: HostKind
    label: str
    captured_at: Fact[float]
    """Seconds since the epoch on the host's clock."""


class DkmsModule(Record, frozen=True, kw_only=True):
    """One line of what `dkms status` would say, read from /var/lib/dkms."""

    name: str
    version: str
    kernels: list[str]
    """Kernels it is built for."""


class ModuleOption(Record, frozen=True, kw_only=True):
    """`options MODULE name=value` of modprobe.d. What the kernel command line says (`amdgpu.cwsr_enable=0`) is as
    effective, comes after these, and is in `kernel.cmdline`."""

    module: str
    option: str
    value: str
    file: str


class Blacklist(Record, frozen=True, kw_only=True):
    """`blacklist MODULE` (or `install MODULE /bin/false`) of modprobe.d, or modprobe.blacklist= of the command line."""

    module: str
    file: str


class Modules(Record, frozen=True, kw_only=True):
    """Kernel modules: loaded, configured, built. Options and blacklist hold what could be read; they are unknown only
    if nothing was found and something could not be read."""

    loaded: Fact[list[str]]
    options: Fact[list[ModuleOption]]
    blacklisted: Fact[list[Blacklist]]
    dkms: Fact[list[DkmsModule]]
    unsigned_dkms: Fact[list[str]]
    """DKMS modules of the running kernel whose file bears no signature at its end ("~Module signature appended~")."""


class KernelParameter(Record, frozen=True, kw_only=True):
    """One word of the kernel command line; `value` null where there is no `=`."""

    name: str
    value: str | None


class Kernel(Record, frozen=True, kw_only=True):
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


class Firmware(Record, frozen=True, kw_only=True):
    """Firmware files and versions."""

    package: Fact[str]
    """Version of the distribution's linux-firmware (firmware-amd-graphics) package."""
    dkms_package: Fact[str]
    """Version of amdgpu-dkms-firmware; Unknown(absent) if not installed, Unknown(unreadable) where rpm knows it."""
    mes_version: Fact[int]
    """Lowest 12 bits (the kernel's own mask) of the MES version in debugfs amdgpu_firmware_info, e.g. 0x83."""
    amdgpu_files: Fact[list[str]]
    """Chips that /lib/firmware/amdgpu has files for, by the name of their graphics block: `gc_11_5_1`, `navi21`."""


class Memory(Record, frozen=True, kw_only=True):
    """Host memory, in bytes and pages."""

    total_bytes: Fact[int]
    available_bytes: Fact[int]
    page_bytes: int
    """4096 where nothing tells otherwise."""
    ttm_module: Fact[str]
    """`ttm`, or `amdttm` under DKMS."""
    ttm_pages_limit: Fact[int]
    ttm_page_pool_size: Fact[int]


class Node(Record, frozen=True, kw_only=True):
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


class Group(Record, frozen=True, kw_only=True):
    """One line of /etc/group."""

    name: str
    gid: int
    members: list[str]


class Access(Record, frozen=True, kw_only=True):
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


class Container(Record, frozen=True, kw_only=True):
    """Whether facts are seen from inside a container."""

    kind: Fact[str]
    """`none`, `docker`, `podman`, `lxc`, `kubernetes`, `systemd-nspawn`, `apptainer`, `other`."""
    rootless: Fact[bool]
    """Whether /proc/self/uid_map is not the identity."""
    shm_bytes: Fact[int]
    """Size of /dev/shm."""
    memory_limit_bytes: Fact[int]
    """cgroup limit; Unknown(absent) where there is none."""


class Virtual(Record, frozen=True, kw_only=True):
    """WSL or virtual machine."""

    wsl: Fact[bool]
    wsl_version: Fact[int]
    hypervisor: Fact[str]
    """`none`, `kvm`, `vmware`, `hyperv`, `xen`, `other`."""


class Os(Record, frozen=True, kw_only=True):
    """/etc/os-release."""

    id: Fact[str]
    version_id: Fact[str]
    codename: Fact[str]
    pretty_name: Fact[str]
    like: list[str]
    libc: Fact[str]
    """`glibc 2.36`, `musl`."""


class Repository(Record, frozen=True, kw_only=True):
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


class Pin(Record, frozen=True, kw_only=True):
    """One stanza of apt's preferences."""

    packages: list[str]
    """Names, patterns, `*`."""
    pin: str
    """`release o=repo.radeon.com`, `version 5.*`, `origin "example.org"`."""
    priority: int
    file: str


class Unmet(Record, frozen=True, kw_only=True):
    """A relation on the tool chain that a package which dpkg has unpacked does not find met."""

    package: str
    version: str
    relation: str
    """As its control file writes it: `libc++-dev (= 1:15.0-56)`."""
    there: dict[str, str]
    """Installed versions of what it names."""


class Apt(Record, frozen=True, kw_only=True):
    """What apt and dpkg are told that is no source."""

    pins: Fact[list[Pin]]
    held: Fact[list[str]]
    """Packages on hold, by name."""
    installed: dict[str, str]
    """Versions of packages that a distribution and a vendor both offer (rocminfo, hipcc ...), where installed."""
    unmet: list[Unmet]
    """Of the vendors' compilers."""
    libc: Fact[str] = Unknown("absent", "/var/lib/dpkg/status")
    """Version of libc6, which tells whether updates came in after the release."""


NO_APT = Apt(
    pins=Unknown("absent", "/etc/apt"), held=Unknown("absent", "/var/lib/dpkg/status"), installed={}, unmet=[]
)  # fmt: skip


class Distribution(Record, frozen=True, kw_only=True):
    """An installed Python distribution that matters here."""

    name: str
    """Normalised."""
    version: str


class TorchLibrary(Record, frozen=True, kw_only=True):
    """One of torch's own libraries with GPU code."""

    path: str
    targets: Fact[list[str]]
    """What it holds code for (`compute_90` is PTX)."""


class Torch(Record, frozen=True, kw_only=True):
    """Which torch build an environment holds, told without importing it."""

    version: str
    backend: Fact[str]
    """`rocm`, `cuda`, `cpu`, `xpu`."""
    backend_version: Fact[str]
    """Of ROCm or CUDA, as far as the build names it: `7.2`, `6.2.4`, `10.1.0`, `13.0`; Unknown(absent) for cpu."""
    targets: Fact[list[str]]
    """Targets it carries, by knowledge of its index or by its device wheels; where that is not known, or a GPU here is
    not among them, and the files are at hand, by what its libraries hold (`compute_90` is PTX)."""
    libraries: tuple[TorchLibrary, ...] = ()
    """Those that were read for this, the ones with torch's own operators first."""
    requires_triton: str | None = None
    """What its metadata requires of a triton package, as written there; null where it requires none."""


class Environment(Record, frozen=True, kw_only=True):
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


class Interpreter(Record, frozen=True, kw_only=True):
    """A python on PATH."""

    path: str
    version: Fact[str]


class Python(Record, frozen=True, kw_only=True):
    """Pythons and what they hold."""

    interpreters: list[Interpreter]
    environments: list[Environment]
    externally_managed: Fact[bool]
    """PEP 668 marker of the system's Python."""


class SystemRocm(Record, frozen=True, kw_only=True):
    """A ROCm outside the environments, e.g. /opt/rocm."""

    path: str
    version: Fact[str]


class Variable(Record, frozen=True, kw_only=True):
    """One environment variable."""

    name: str
    value: str


class Disk(Record, frozen=True, kw_only=True):
    """Room for the project and for temporary files, in bytes."""

    path: str
    role: str
    """`project`, `tmp`, `cache`."""
    total_bytes: int
    free_bytes: int


class Clock(Record, frozen=True, kw_only=True):
    """The host's clock and what it can be checked against, seconds since the epoch."""

    now: Fact[float]
    newest_evidence: Fact[float]
    """The newest date that must lie in the past: kernel build, apt's Release files, dpkg's log."""
    evidence_source: Fact[str]
    synchronised: Fact[bool]


class Facts(Record, frozen=True, kw_only=True):
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
    apt: Apt = NO_APT
    python: Python
    rocm: list[SystemRocm]
    environment: Fact[list[Variable]]
    """GPU variables only: HSA_*, HIP_*, ROCR_*, CUDA_*, NVIDIA_*, *_VISIBLE_DEVICES, LD_LIBRARY_PATH, PYTORCH_* ...;
    what looks like a secret is left out."""
    ld_so_rocm: Fact[list[str]]
    """Lines of ld.so.conf.d that name a ROCm or CUDA folder."""
    disks: list[Disk]
    clock: Clock
