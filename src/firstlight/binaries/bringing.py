"""Which package would bring the code for a target that a library lacks."""

from __future__ import annotations

import msgspec

from ..knowledge.amd_chips import amd
from ..knowledge.carriers import carriers
from ..knowledge.versions import version_key
from ..words import Words
from .built_for import parted, rocm_label
from .libraries import Library
from .model import Report

OF_AMD = "amd-"
"""Names of AMD's own indices begin so: all libraries of one of their builds are made for the same targets."""
MANY = 3
"""Indices that are named."""
SPLIT_FROM = (7, 14)
"""ROCm version from which AMD's own builds keep device code in wheels of their own (ROCm/TheRock RELEASES.md)."""
TORCH_FAMILY = ("torch", "torchvision", "torchaudio")

_DEVICE = Words("install {package}, of the same version and index", "安装同一版本、同一索引的 {package}")
_NO_DEVICE = Words("AMD publishes no device wheel for {target}", "AMD 没有为 {target} 发布 device wheel")
_INDEX = Words("a build with code for {target} is in: {indices}", "含 {target} 代码的构建在：{indices}")
_WHEELS = Words("wheels with code for {target} are in: {indices}", "含 {target} 代码的 wheel 在：{indices}")
_NEWER = Words(
    "{package}, the same library of CUDA 13, may have it: {target} needs CUDA {least} or newer",
    "CUDA 13 的同一个库 {package} 可能含有：{target} 需要 CUDA {least} 或更新版本",
)
_NONE = Words("no build is known that has code for {target}", "已知的构建都没有 {target} 的代码")

_NONE_WHOLE = Words(
    "no build is known in which this library has code for {target} too", "没有已知的构建让这个库也含有 {target} 的代码"
)


class Brings(msgspec.Struct, frozen=True, kw_only=True):
    """Where the missing code is."""

    package: str | None = None
    """A Python distribution, to be installed beside or instead."""
    indices: tuple[str, ...] = ()
    """Or names of indices (as `firstlight plan` calls routes) whose builds have it."""
    text: Words


def bringing(
    library: Library, report: Report, target: str, arch: str = "x86_64", *, partly: bool = False
) -> Brings | None:
    """By the distribution that the library comes from. `partly`: its neighbours have code for the target. Then what is
    known of PyTorch's builds, which is the list that torch itself was compiled for, says nothing of this library. None:
    nothing is known of it."""
    base = target.partition(":")[0]
    name, version = parted(report.distribution)
    if base.startswith("gfx") and (package := _device_wheel(library, name, version)):
        return _device(package, base)
    if newer := _newer_cuda(name, base):
        return newer
    debian = report.kind == "deb" and library.title is not None
    if not debian and _project(library, name) not in TORCH_FAMILY:
        return None
    found = [one for one in carriers(base, arch) if not partly or one.startswith(OF_AMD)][:MANY]
    if not found:
        return Brings(text=(_NONE_WHOLE if partly else _NONE).fill(target=base))
    text = _WHEELS if debian else _INDEX
    return Brings(indices=tuple(found), text=text.fill(target=base, indices=", ".join(found)))


def _project(library: Library, name: str) -> str:
    """Of a file outside its wheel, by the folder that it lies in."""
    return name or library.path.partition("/")[0]


def _device_wheel(library: Library, name: str, version: str) -> str | None:
    """Beginning of the name of the wheels that hold device code for this library; None: it holds its own."""
    split = library.reference is not None or _is_split(version)
    if "rocm_sdk" in library.path or name.startswith("rocm-sdk"):
        return "rocm-sdk-device-"
    project = _project(library, name)
    return f"amd-{project}-device-" if split and project in TORCH_FAMILY else None


def _is_split(version: str) -> bool:
    """AMD's own builds name three numbers of ROCm."""
    label = rocm_label(version) or ""
    return label.count(".") >= 2 and version_key(label) >= SPLIT_FROM


def _device(prefix: str, target: str) -> Brings:
    chip = amd(target)
    if chip is None or not chip.device_extra:
        return Brings(text=_NO_DEVICE.fill(target=target))
    package = f"{prefix}{target}"
    return Brings(package=package, text=_DEVICE.fill(package=package))


def _newer_cuda(name: str, target: str) -> Brings | None:
    """NVIDIA's libraries for CUDA 12 have a sister for CUDA 13."""
    least = _min_cuda(target)
    if not name.startswith("nvidia-") or not name.endswith(("-cu11", "-cu12")) or least is None:
        return None
    from ..knowledge.libraries import sister_of

    package = sister_of(name)
    return Brings(package=package, text=_NEWER.fill(package=package, target=target, least=least)) if package else None


def _min_cuda(target: str) -> str | None:
    from ..knowledge.tables import raw

    row = raw("nvidia/targets").get(target.rstrip("af"))
    found = row.get("min_cuda") if isinstance(row, dict) else None
    return str(found) if found else None
