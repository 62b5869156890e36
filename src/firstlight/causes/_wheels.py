"""Remedies that put another build of torch into an environment."""

from __future__ import annotations

from ..facts.model import Environment, Facts, Gpu
from ..words import Words
from ._builds import numbers
from ._environments import interpreter
from .model import Remedy

TORCH_FAMILY = ("torch", "torchvision", "torchaudio")
TRITONS = ("triton", "pytorch-triton", "pytorch-triton-rocm", "pytorch-triton-xpu", "triton-nightly", "triton-rocm",
           "triton-xpu")  # fmt: skip
"""Distributions that all write into site-packages/triton."""


def amd_index(rocm: str = "10") -> str:
    """AMD's own index for a version of ROCm: device code through extras. One for 7.14, one for all of 10."""
    from ..knowledge import sources

    line = "10" if numbers(rocm) >= (10,) else "7.14"
    found = sources.index_for("rocm", line, tier="vendor")
    return found.url if found else ""


def pytorch_index(label: str) -> str:
    """PyTorch's index of builds with that local label: `cu130`, `rocm7.2`, `cpu`; an unknown one by their scheme."""
    from ..knowledge import sources

    known = {one.name: one.url for one in sources.builtin_indices()}
    return known.get(f"pytorch-{label}") or known["pytorch-cpu"].removesuffix("cpu") + label


def uninstall(environment: Environment, names: tuple[str, ...]) -> Remedy:
    """Take distributions out, those of `names` that are there."""
    present = tuple(one.name for one in environment.distributions if one.name in names) or names[:1]
    why = Words(
        "Removes the wrong builds first: pip and uv keep a version number that already agrees.",
        "先卸载不对的构建：版本号相同时 pip 和 uv 会保留旧的。",
    )
    return Remedy(("uv", "pip", "uninstall", "--python", interpreter(environment), *present), root=False, why=why)


def install_rocm(environment: Environment, gpu: Gpu) -> Remedy:
    """AMD's own build with the device code of this GPU; words alone where AMD has no such package."""
    from ..knowledge import chips

    chip = chips.amd(gpu.target) if gpu.target else None
    if chip is None or chip.device_extra is None:
        return Remedy((), root=False, why=_NO_WHEEL)
    extra = f"[{chip.device_extra}]"
    why = Words(
        "Installs AMD's ROCm build of torch with the device code of this GPU, all from one index.",
        "从同一个索引安装 AMD 的 ROCm 版 torch，带本机 GPU 的设备代码。",
    )
    names = (f"torch{extra}", f"torchvision{extra}", "torchaudio")
    return _install(environment, amd_index(), names, why)


_NO_WHEEL = Words(
    "AMD's wheels name no package for this GPU: `firstlight plan` shows which builds have code for it, if any.",
    "AMD 的 wheel 没有这块 GPU 的包：`firstlight plan` 会列出含有其代码的构建（如果有）。",
)


def install_cuda(facts: Facts, environment: Environment, gpu: Gpu) -> Remedy:
    """The build of PyTorch's index whose CUDA fits this GPU and this driver."""
    why = Words(
        "Installs the CUDA build of torch that has code for this GPU and fits its driver.",
        "安装含本机 GPU 代码且与驱动匹配的 CUDA 版 torch。",
    )
    return _install(environment, pytorch_index(cuda_index(facts, gpu)), TORCH_FAMILY, why)


def cuda_index(facts: Facts, gpu: Gpu) -> str:
    """`cu126` for chips before Turing, which later builds dropped; `cu130` where the driver is 580 or newer;
    `cu128` else (NVIDIA's CUDA compatibility page: 13.x from 580, 12.x from 525)."""
    if 0 < capability(gpu.target) < 75:
        return "cu126"
    version = facts.driver.nvidia.version
    major = version.split(".")[0] if isinstance(version, str) else ""
    return "cu128" if major.isdigit() and int(major) < 580 else "cu130"


def capability(target: str | None) -> int:
    """`sm_90a` is 90; 0 where it is not known."""
    digits = (target or "").removeprefix("sm_").rstrip("af")
    return int(digits) if digits.isdigit() and len(digits) <= 4 else 0


def install_right(facts: Facts, environment: Environment, gpu: Gpu) -> Remedy:
    """The build for this GPU's vendor."""
    if gpu.vendor == "amd":
        return install_rocm(environment, gpu)
    return install_cuda(facts, environment, gpu)


def _install(environment: Environment, index: str, names: tuple[str, ...], why: Words) -> Remedy:
    argv = ("uv", "pip", "install", "--python", interpreter(environment), "--index-url", index, *names)
    return Remedy(argv, root=False, why=why)
