"""Modules that DKMS built, read from its own folder: /var/lib/dkms/NAME/VERSION/KERNEL/ARCH/module."""

from __future__ import annotations

from ..host.model import Host, Kind, Unread
from .model import DkmsModule
from .reading import is_folder, listing, names_in
from .value import Fact, Unknown

ROOT = "/var/lib/dkms"
ENDINGS = (".ko", ".ko.zst", ".ko.xz", ".ko.gz")
NAMES_AT_MOST = 100


def dkms_modules(host: Host) -> Fact[list[DkmsModule]]:
    """Every name and version that DKMS knows, with the kernels it is built for."""
    names = listing(host, ROOT)
    if isinstance(names, Unknown):
        return names
    found: list[DkmsModule] = []
    for name in _folders(host, ROOT, names):
        for version in _folders(host, f"{ROOT}/{name}", names_in(host, f"{ROOT}/{name}")):
            kernels = sorted(_builds(host, f"{ROOT}/{name}/{version}"))
            found.append(DkmsModule(name=name, version=version, kernels=kernels))
    return found


def unsigned(host: Host, release: Fact[str], modules: Fact[list[DkmsModule]]) -> Fact[list[str]]:
    """Names of what DKMS built for this kernel without a signature; of a module that only /lib/modules holds, the
    module's own name."""
    if isinstance(release, Unknown):
        return release
    if isinstance(modules, Unknown):
        return modules
    unsigned_names: list[str] = []
    failed: Unknown | None = None
    for name, files in _files_of(host, release, modules).items():
        verdict = _any_unsigned(host, files)
        if isinstance(verdict, Unknown):
            failed = failed or verdict
        elif verdict:
            unsigned_names.append(name)
    return sorted(unsigned_names) or failed or []


def _files_of(host: Host, release: str, modules: list[DkmsModule]) -> dict[str, list[str]]:
    files: dict[str, list[str]] = {}
    covered: set[str] = set()
    for module in modules:
        folder = _builds(host, f"{ROOT}/{module.name}/{module.version}").get(release)
        for file in _module_files(host, folder) if folder else []:
            files.setdefault(module.name, []).append(file)
            covered.add(_stem(file))
    for file in _module_files(host, f"/lib/modules/{release}/updates/dkms"):
        if _stem(file) not in covered:
            files[_stem(file)] = [file]
    return files


def _any_unsigned(host: Host, files: list[str]) -> Fact[bool]:
    """One build signs all its modules or none: the smallest file that can be read decides."""
    from .signatures import signed

    sized = sorted((_size(host, file), file) for file in files)
    verdict: Fact[bool] = False
    for _, file in sized[:3]:
        state = signed(host, file)
        if not isinstance(state, Unknown):
            return not state
        verdict = state
    return verdict


def _size(host: Host, path: str) -> int:
    info = host.info(path)
    return 0 if isinstance(info, Unread) else info.size


def _module_files(host: Host, folder: str) -> list[str]:
    return [f"{folder}/{name}" for name in names_in(host, folder)[:NAMES_AT_MOST] if name.endswith(ENDINGS)]


def _stem(path: str) -> str:
    return path.rpartition("/")[2].partition(".ko")[0].replace("-", "_")


def _builds(host: Host, folder: str) -> dict[str, str]:
    """Kernel release -> its `module` folder."""
    found: dict[str, str] = {}
    for kernel in _folders(host, folder, names_in(host, folder)):
        if kernel in ("source", "build"):
            continue
        for arch in names_in(host, f"{folder}/{kernel}")[:4]:
            if is_folder(host, f"{folder}/{kernel}/{arch}/module"):
                found[kernel] = f"{folder}/{kernel}/{arch}/module"
    return found


def _folders(host: Host, parent: str, names: tuple[str, ...]) -> list[str]:
    """Real folders only: the links (`kernel-RELEASE-ARCH`, `source`) say the same again."""
    infos = ((name, host.info(f"{parent}/{name}")) for name in names[:NAMES_AT_MOST])
    return [name for name, info in infos if not isinstance(info, Unread) and info.kind is Kind.DIR]
