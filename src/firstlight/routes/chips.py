"""Whether a build runs on this machine's GPUs and driver, by what is known of builds, chips and drivers."""

from __future__ import annotations

from collections.abc import Sequence

from ..facts.compute import tegra
from ..facts.model import Facts, Gpu, Unknown
from ..knowledge.builds import index_targets, runs_on, torch_doubtful, torch_targets
from ..knowledge.carriers import carriers
from ..knowledge.drivers import at_least, cuda_minimum
from ..knowledge.nvidia_chips import jetson_wheels
from ..project.model import Backend
from ..words import Words
from .claims import claim_stops
from .elsewhere import MANY, elsewhere
from .gpus import meant
from .gpus import targets as targets_of
from .model import Because
from .reasons import because, fact_missing
from .wanted import behind_dxg, untold


def chip_reason(backend: Backend, number: str | None, torch: str, facts: Facts) -> Because | None:
    """None: what is known does not speak against it. `number`: version of ROCm or CUDA, if the build tells it;
    `torch`: its version, with the local part."""
    if backend == "cpu":
        return None
    gpus = meant(backend, facts)
    if not gpus and (behind_dxg(facts) or untold(facts)):
        return fact_missing("gpus[].target", "behind /dev/dxg" if behind_dxg(facts) else "not-captured")
    if not gpus:
        return because(
            "no-gpu", backend,
            f"a {backend} build needs a GPU, and none that it could use is here",
            f"{backend} 版本需要 GPU，而本机没有可供其使用的 GPU",
        )  # fmt: skip
    return _code(backend, number, torch, gpus, facts) or (driver_reason(number, facts) if backend == "cuda" else None)


def claimed_reason(
    claimed: Sequence[str], backend: Backend, number: str | None, torch: str, facts: Facts
) -> Because | None:
    """The same for a build that somebody declared: what its maker says counts where nothing known contradicts it."""
    if backend == "cpu":
        return None
    if not meant(backend, facts):
        return chip_reason(backend, number, torch, facts)
    stop = claim_stops(claimed, backend, number, torch, facts)
    return stop or (driver_reason(number, facts) if backend == "cuda" else None)


def holds_code(backend: Backend, number: str | None, torch: str, facts: Facts) -> tuple[str, ...] | None:
    """Targets that such a build carries; None: not known."""
    arch = facts.arch if isinstance(facts.arch, str) else ""
    return torch_targets(backend, number or "", torch, arch)


def index_reason(backend: Backend, number: str | None, facts: Facts) -> Because | None:
    """What speaks against every build that PyTorch publishes for a ROCm or CUDA version: known without asking its
    index. None: nothing does."""
    gpus = meant(backend, facts)
    if backend == "cpu" or number is None or not gpus or not isinstance(facts.arch, str):
        return None
    carried = index_targets(backend, number, facts.arch)
    targets = [gpu.target for gpu in gpus if gpu.target]
    if (
        carried is not None
        and targets
        and all(runs_on(carried, one, backend_version=number) == "no" for one in targets)
    ):
        return _no_code(f"({backend.upper().replace('ROCM', 'ROCm')} {number})", targets, sorted(carried), facts)
    return driver_reason(number, facts) if backend == "cuda" else None


def _code(backend: Backend, number: str | None, torch: str, gpus: Sequence[Gpu], facts: Facts) -> Because | None:
    """One GPU that it runs on is enough: the others are hidden or left idle."""
    targets = [gpu.target for gpu in gpus if gpu.target]
    if not targets:
        return fact_missing("gpus[].target", gpus[0].unknown.get("target", "not known"))
    arch = facts.arch if isinstance(facts.arch, str) else ""
    carried = torch_targets(backend, number or "", torch, arch)
    if carried is None:
        return _unknown_targets(torch)
    if any(runs_on(carried, target, backend_version=number) != "no" for target in targets):
        return None
    if set(torch_doubtful(backend, number or "", torch, arch)) & {one.split(":")[0] for one in targets}:
        return _doubtful(torch, targets, facts)
    return _no_code(torch, targets, carried, facts)


def _no_code(build: str, targets: Sequence[str], carried: Sequence[str], facts: Facts) -> Because:
    names = ", ".join(dict.fromkeys(targets))
    other = _other(targets, facts)
    return because(
        "no-code-for-chip", build,
        f"torch {build} holds no code for {names}; it holds: {', '.join(carried)}; {other.en}",
        f"torch {build} 不含 {names} 的代码；其包含：{', '.join(carried)}；{other.zh}",
    )  # fmt: skip


def _other(targets: Sequence[str], facts: Facts) -> Words:
    if any(tegra(gpu) for gpu in facts.gpus):
        page = jetson_wheels()
        return Words(
            f"NVIDIA publishes wheels for Jetson, by JetPack version, at {page}: declare them as a `[[route]]`",
            f"NVIDIA 按 JetPack 版本为 Jetson 单独发布 wheel（{page}）：可将其声明为 `[[route]]`",
        )
    driver, arch = facts.driver.nvidia.version, facts.arch if isinstance(facts.arch, str) else ""
    return elsewhere(targets, arch, driver=driver if isinstance(driver, str) else None)


def _doubtful(torch: str, targets: Sequence[str], facts: Facts) -> Because:
    names, other = ", ".join(dict.fromkeys(targets)), _other(targets, facts)
    return because(
        "unknown-targets", torch,
        f"whether torch {torch} holds code for {names} is not known for sure: sources disagree; {other.en}",
        f"torch {torch} 是否包含 {names} 的代码尚不确定：来源说法不一；{other.zh}",
    )  # fmt: skip


def _unknown_targets(torch: str) -> Because:
    return because(
        "unknown-targets", torch,
        f"for which GPUs torch {torch} holds code is not known; `firstlight inspect` tells it of a wheel on disk",
        f"不知道 torch {torch} 包含哪些 GPU 的代码；wheel 在本地时可用 `firstlight inspect` 查看",
    )  # fmt: skip


def driver_reason(cuda: str | None, facts: Facts) -> Because | None:
    """Whether the loaded NVIDIA driver is new enough for a CUDA version (minor version compatibility)."""
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
    then = _instead(version, facts)
    return because(
        "driver-too-old", version,
        f"CUDA {cuda} needs NVIDIA driver {minimum} or newer, and {version} is loaded; {then.en}",
        f"CUDA {cuda} 需要 {minimum} 或更新的 NVIDIA 驱动，而当前加载的是 {version}；{then.zh}",
    )  # fmt: skip


def _instead(version: str, facts: Facts) -> Words:
    """What to do about a driver that is too old."""
    gpus = meant("cuda", facts)
    if any(tegra(gpu) for gpu in gpus):
        other = _other(targets_of("cuda", facts), facts)
        return Words(f"it comes with JetPack; {other.en}", f"该驱动随 JetPack 提供；{other.zh}")
    arch = facts.arch if isinstance(facts.arch, str) else ""
    names = ", ".join(carriers(next(iter(targets_of("cuda", facts)), ""), arch, driver=version)[:MANY])
    if not names:
        return Words("install a newer driver", "请升级驱动")
    return Words(
        f"install a newer driver, or take what this one runs: {names}", f"请升级驱动，或改用该驱动可运行的：{names}"
    )


def _no_driver(cuda: str, minimum: str) -> Because:
    return because(
        "needs-driver", "driver.nvidia",
        f"CUDA {cuda} needs NVIDIA driver {minimum} or newer, and none is loaded; `firstlight doctor` says why",
        f"CUDA {cuda} 需要 {minimum} 或更新的 NVIDIA 驱动，而当前未加载驱动；原因见 `firstlight doctor`",
    )  # fmt: skip
