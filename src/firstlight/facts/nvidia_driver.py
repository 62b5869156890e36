"""The NVIDIA kernel driver and its libraries, by files only."""

from __future__ import annotations

from ..host.model import Host, Missing, Unread
from .model import Library, Modules, NvidiaDriver
from .reading import parameters, present, string
from .value import Fact, Unknown, unknown

VERSION = "/proc/driver/nvidia/version"
PARAMS = "/proc/driver/nvidia/params"
SONAMES = ("libcuda.so.1", "libnvidia-ml.so.1")
LIBRARY_FOLDERS = (
    "/usr/lib/{arch}-linux-gnu", "/usr/lib/{arch}-linux-gnu/nvidia", "/usr/lib/{arch}-linux-gnu/nvidia/current",
    "/usr/lib/{arch}-linux-gnu/tegra", "/usr/lib64", "/usr/lib", "/usr/lib/wsl/lib", "/usr/local/nvidia/lib64",
    "/run/opengl-driver/lib",
)  # fmt: skip
"""Debian and Ubuntu, Debian's alternatives, Jetson, Fedora and SUSE, Arch, WSL, Kubernetes nodes, NixOS."""


def nvidia_driver(host: Host, modules: Modules, arch: Fact[str]) -> NvidiaDriver:
    """What the loaded module says of itself, and the versions of the libraries beside it."""
    banner = string(host, VERSION)
    return NvidiaDriver(
        loaded=_loaded(host, modules, banner),
        version=_version(host, banner),
        open=_is_open(banner),
        uvm=_module(host, modules, "nvidia_uvm"),
        parameters=_parameters(host),
        libraries=_libraries(host, arch),
    )


def module_version(banner: str) -> str | None:
    """Version in the first line of /proc/driver/nvidia/version: the first dotted number behind `Kernel Module`.
    The wording has changed over the years; `for x86_64`, the build user and the date may or may not stand around it."""
    line = banner.partition("\n")[0][:1000]
    _, mark, rest = line.partition("Kernel Module")
    words = rest.split() if mark else []
    return next((word for word in words if _is_version(word)), None)


def _is_version(word: str) -> bool:
    """`580.105.08`; before 2007 `1.0-8776`."""
    parts = word.removeprefix("1.0-").split(".")
    if len(parts) == 1 and word.startswith("1.0-"):
        return parts[0].isascii() and parts[0].isdecimal() and len(parts[0]) == 4
    return 2 <= len(parts) <= 4 and all(part.isdecimal() and part.isascii() and len(part) <= 6 for part in parts)


def _version(host: Host, banner: Fact[str]) -> Fact[str]:
    if not isinstance(banner, Unknown):
        return module_version(banner) or Unknown("malformed", VERSION, banner[:80])
    found = string(host, "/sys/module/nvidia/version")
    return banner if isinstance(found, Unknown) or not _is_version(found) else found


def _is_open(banner: Fact[str]) -> Fact[bool]:
    return banner if isinstance(banner, Unknown) else "Open Kernel Module" in banner.partition("\n")[0]


def _loaded(host: Host, modules: Modules, banner: Fact[str]) -> Fact[bool]:
    """The module makes /proc/driver/nvidia; where that was not captured, the module lists decide."""
    if not isinstance(banner, Unknown) or present(host, PARAMS) is True:
        return True
    return _module(host, modules, "nvidia")


def _module(host: Host, modules: Modules, name: str) -> Fact[bool]:
    if not isinstance(modules.loaded, Unknown):
        return name in modules.loaded or present(host, f"/sys/module/{name}") is True
    return present(host, f"/sys/module/{name}")


def _parameters(host: Host) -> dict[str, str]:
    """`Name: value` lines of params, else the module's own."""
    content = string(host, PARAMS)
    if isinstance(content, Unknown):
        return parameters(host, "nvidia")
    pairs = (line.partition(":") for line in content.splitlines())
    return {name.strip(): value.strip() for name, colon, value in pairs if colon}


def _libraries(host: Host, arch: Fact[str]) -> Fact[list[Library]]:
    """Unknown only if none was found and some folder could not be read."""
    if isinstance(arch, Unknown):
        return arch
    found: list[Library] = []
    failed: Unknown | None = None
    for folder in LIBRARY_FOLDERS:
        path = folder.format(arch=arch)
        names = host.names(path)
        if not isinstance(names, Unread):
            found += _of_folder(host, path, names)
        elif names.reason is not Missing.ABSENT:
            failed = failed or unknown(names)
    return found or failed or []


def _of_folder(host: Host, folder: str, names: tuple[str, ...]) -> list[Library]:
    """The file that a program would load: what the soname leads to; every versioned file where there is no soname."""
    found: list[Library] = []
    for soname in SONAMES:
        prefix = soname.removesuffix("1")
        versioned = [name for name in names if name.startswith(prefix) and _is_driver_version(name[len(prefix) :])]
        loaded = _soname_target(host, folder, soname, names) if len(versioned) > 1 else None
        chosen = [loaded] if loaded in versioned else versioned
        found += [Library(path=f"{folder}/{name}", version=name[len(prefix) :]) for name in chosen if name]
    return found


def _soname_target(host: Host, folder: str, soname: str, names: tuple[str, ...]) -> str | None:
    end = host.resolve(f"{folder}/{soname}") if soname in names else None
    return end.rpartition("/")[2] if isinstance(end, str) else None


def _is_driver_version(word: str) -> bool:
    """`580.105.08`; not the `1.1` of Tegra's and WSL's own naming."""
    return _is_version(word) and len(word.partition(".")[0]) >= 2
