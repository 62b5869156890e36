"""Whether a build runs on this machine's GPUs and driver, by what is known of builds, chips and drivers."""

from __future__ import annotations

from collections.abc import Sequence

from ..facts.model import Facts, Gpu, Unknown
from ..knowledge.builds import runs_on, torch_doubtful, torch_targets
from ..knowledge.drivers import at_least, cuda_minimum
from ..project.model import Backend
from .model import Because, Wheel
from .reasons import because, fact_missing

VENDORS = {"rocm": "amd", "cuda": "nvidia"}


def chip_reason(backend: Backend, number: str | None, torch: Wheel, facts: Facts) -> Because | None:
    """None: what is known does not speak against it. `number`: version of ROCm or CUDA, if the build tells it."""
    if backend == "cpu":
        return None
    gpus = [gpu for gpu in facts.gpus if gpu.vendor == VENDORS[backend]]
    if not gpus:
        return because(
            "no-gpu", backend,
            f"a {backend} build needs a GPU, and none that it could use is here",
            f"{backend} 版本需要 GPU，而本机没有可供其使用的 GPU",
        )  # fmt: skip
    return _code(backend, number, torch, gpus, facts) or (_driver(number, facts) if backend == "cuda" else None)


def _code(backend: Backend, number: str | None, torch: Wheel, gpus: Sequence[Gpu], facts: Facts) -> Because | None:
    """One GPU that it runs on is enough: the others are hidden or left idle."""
    targets = [gpu.target for gpu in gpus if gpu.target]
    if not targets:
        return fact_missing("gpus[].target", gpus[0].unknown.get("target", "not known"))
    arch = facts.arch if isinstance(facts.arch, str) else ""
    carried = torch_targets(backend, number or "", torch.version, arch)
    if carried is None:
        return _unknown_targets(torch)
    if any(runs_on(carried, target, backend_version=number) != "no" for target in targets):
        return None
    if set(torch_doubtful(backend, number or "", torch.version, arch)) & {one.split(":")[0] for one in targets}:
        return _unknown_targets(torch)
    names = ", ".join(dict.fromkeys(targets))
    return because(
        "no-code-for-chip", torch.filename,
        f"torch {torch.version} holds no code for {names}; it holds: {', '.join(carried)}",
        f"torch {torch.version} 不含 {names} 的代码；其包含：{', '.join(carried)}",
    )  # fmt: skip


def _unknown_targets(torch: Wheel) -> Because:
    return because(
        "unknown-targets", torch.filename,
        f"for which GPUs torch {torch.version} holds code is not known for sure",
        f"无法确定 torch {torch.version} 包含哪些 GPU 的代码",
    )  # fmt: skip


def _driver(cuda: str | None, facts: Facts) -> Because | None:
    minimum = cuda_minimum(cuda) if cuda else None
    version = facts.driver.nvidia.version
    if minimum is None:
        return None
    if isinstance(version, Unknown):
        return _no_driver(cuda or "", minimum) if version.unknown == "absent" else fact_missing(
            "driver.nvidia.version", version.unknown
        )  # fmt: skip
    if at_least(version, minimum):
        return None
    return because(
        "driver-too-old", version,
        f"CUDA {cuda} needs NVIDIA driver {minimum} or newer, and {version} is loaded",
        f"CUDA {cuda} 需要 {minimum} 或更新的 NVIDIA 驱动，而当前加载的是 {version}",
    )  # fmt: skip


def _no_driver(cuda: str, minimum: str) -> Because:
    return because(
        "needs-driver", "driver.nvidia",
        f"CUDA {cuda} needs NVIDIA driver {minimum} or newer, and none is loaded",
        f"CUDA {cuda} 需要 {minimum} 或更新的 NVIDIA 驱动，而当前未加载驱动",
    )  # fmt: skip
