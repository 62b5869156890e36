"""Remedies that install, upgrade or remove packages, with the distribution's own tool."""

from __future__ import annotations

from ..facts.model import DkmsModule, Facts, Unknown
from ..words import Words
from ._boot import family
from .changes import Install, LoadModule
from .model import Remedy

_VERBS: dict[str, dict[str, tuple[str, ...]]] = {
    "install": {"debian": ("apt-get", "install"), "fedora": ("dnf", "install"), "suse": ("zypper", "install"),
                "arch": ("pacman", "-S", "--needed")},
    "remove": {"debian": ("apt-get", "remove"), "fedora": ("dnf", "remove"), "suse": ("zypper", "remove"),
               "arch": ("pacman", "-R")},
}  # fmt: skip


def install(facts: Facts, why: Words, **packages: str) -> Remedy:
    """Install what `packages` names for the distribution's family (debian, fedora, suse, arch; several with spaces).
    A family without an entry gets the words alone."""
    return _change("install", facts, why, packages)


def remove(facts: Facts, why: Words, **packages: str) -> Remedy:
    """Remove packages, named in the same way."""
    return _change("remove", facts, why, packages)


def _change(verb: str, facts: Facts, why: Words, packages: dict[str, str]) -> Remedy:
    kin = family(facts)
    names = tuple(packages.get(kin, "").split())
    argv = (*_VERBS[verb][kin], *names) if names else ()
    change = _as_data(verb, names) if names and kin == "debian" else None
    return Remedy(argv, root=True, why=why, change=change)


def _as_data(verb: str, names: tuple[str, ...]) -> Install:
    release, words = (names[1], names[2:]) if names[0] == "-t" else (None, names)
    return Install(wanted=words if verb == "install" else tuple(f"{name}-" for name in words), release=release)


def plain(value: str | Unknown) -> str:
    """A value of the machine that may become part of a package name; empty if it is not known or is no such word (it
    may come from a recording that means harm)."""
    if isinstance(value, Unknown):
        return ""
    good = value.isascii() and all(sign.isalnum() or sign in ".+~:_-" for sign in value) and not value.startswith("-")
    return value if good else ""


def is_ubuntu(facts: Facts) -> bool:
    """Whether Ubuntu's own tools are to be expected (also of what is made from it)."""
    return facts.os.id == "ubuntu" or "ubuntu" in facts.os.like


def newest_ubuntu_kernel(facts: Facts) -> str:
    """The package of Ubuntu's hardware enablement kernel; empty elsewhere, also on what is made from Ubuntu, whose
    version numbers are its own."""
    version = plain(facts.os.version_id)
    year, dot, month = version.partition(".")
    return f"linux-generic-hwe-{version}" if facts.os.id == "ubuntu" and dot and (year + month).isdecimal() else ""


def debian_kernel(facts: Facts) -> str:
    """The package of the usual kernel where packages are Debian's."""
    return (
        "linux-generic" if is_ubuntu(facts) else "linux-image-arm64" if facts.arch == "aarch64" else "linux-image-amd64"
    )


def headers(facts: Facts) -> Remedy:
    """Install the headers of the running kernel."""
    release = plain(facts.kernel.release)
    why = Words(
        "Installs the headers of the running kernel, which DKMS builds against.",
        "安装当前运行内核的头文件，DKMS 编译要用。",
    )
    return install(
        facts,
        why,
        debian=f"linux-headers-{release}" if release else "",
        fedora=f"kernel-devel-{release}" if release else "",
        suse="kernel-azure-devel" if release.endswith("-azure") else "kernel-default-devel",
        arch=next((f"linux-{kind}-headers" for kind in ("lts", "zen", "hardened") if kind in release), "linux-headers"),
    )


def nvidia_driver(facts: Facts) -> Remedy:
    """Install the distribution's NVIDIA driver; the open kernel modules where there is a choice."""
    why = Words(
        "Installs the NVIDIA driver of the distribution (Fedora: from RPM Fusion; RHEL and its kin: from NVIDIA's own "
        "repository), which is built for this kernel.",
        "安装发行版提供的 NVIDIA 驱动（Fedora：RPM Fusion；RHEL 系：NVIDIA 的软件源），它会为当前内核编译。",
    )
    if is_ubuntu(facts):
        return Remedy(("ubuntu-drivers", "install"), root=True, why=why)
    return install(
        facts,
        why,
        debian="nvidia-driver",
        fedora="akmod-nvidia xorg-x11-drv-nvidia-cuda" if facts.os.id == "fedora" else "",
        suse="nvidia-open-driver-G06-signed-kmp-default",
        arch="nvidia-open",
    )


def dkms_build(facts: Facts) -> Remedy:
    """Build what DKMS knows for the running kernel."""
    release = plain(facts.kernel.release)
    kernel = ("-k", release) if release else ()
    why = Words("Builds the driver for the running kernel.", "为当前运行的内核编译驱动。")
    return Remedy(("dkms", "autoinstall", *kernel), root=True, why=why)


def dkms_rebuild(facts: Facts, module: DkmsModule, why: Words) -> tuple[Remedy, ...]:
    """Build and install one module anew for the running kernel, although it is there already."""
    name = plain(f"{module.name}/{module.version}".replace("/", "+"))
    release = plain(facts.kernel.release)
    if not name or not release:
        return (Remedy((), root=True, why=why),)
    target = f"{module.name}/{module.version}"
    steps = (("dkms", verb, "--force", target, "-k", release) for verb in ("build", "install"))
    return tuple(Remedy(argv, root=True, why=why) for argv in steps)


def modprobe(module: str) -> Remedy:
    """Load a kernel module now."""
    why = Words("Loads the kernel module now.", "立即加载内核模块。")
    return Remedy(("modprobe", module), root=True, why=why, change=LoadModule(module=module))
