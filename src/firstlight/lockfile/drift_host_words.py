"""What a host that is not as the lock's means for the user, by what is known of builds, drivers and kernels."""

from __future__ import annotations

from collections.abc import Sequence

from ..facts.model import Facts, Unknown
from ..routes.model import Wheel
from ..routes.platforms import platforms
from ..words import Words
from .build import Build, runs
from .difference import Severity
from .drift_words import Effect

UNKNOWN: Effect = ("advice", Words("whether it differs cannot be told: {why}", "无法判断是否有差异：{why}"))
_HARMLESS: Effect = ("advice", Words("nothing is known to depend on it", "没有已知的内容依赖于它"))
_CPU: Effect = ("advice", Words("the cpu backend does not use it", "cpu 后端不使用它"))


def arch_effect(here: str) -> Effect:
    """Wheels with compiled code are for one architecture."""
    return "blocking", Words(
        "the locked wheels are for another architecture and cannot be installed on {here}; freeze anew there",
        "锁定的 wheel 针对另一种架构，无法安装在 {here} 上；请在该机器上重新锁定",
    ).fill(here=here)


def libc_effect(here: str, facts: Facts, locked: Sequence[Wheel]) -> Effect:
    """By the wheels' own tags (PEP 600, PEP 656)."""
    if isinstance(facts.arch, Unknown):
        return _HARMLESS
    allowed = {*platforms(facts.arch, here), "any"}
    unfit = [wheel.filename for wheel in locked if not wheel.is_source and not allowed & _platforms(wheel.filename)]
    if not unfit:
        return "advice", Words("every locked wheel fits it as well", "所有锁定的 wheel 同样适用")
    return "blocking", Words(
        "{count} of the locked wheels cannot be installed with it, e.g. {first}",
        "锁定的 wheel 中有 {count} 个无法在其上安装，例如 {first}",
    ).fill(count=len(unfit), first=unfit[0])


def _platforms(filename: str) -> set[str]:
    return set(filename.removesuffix(".whl").rpartition("-")[2].split("."))


def gpus_effect(here: Sequence[str], new: Sequence[str], build: Build, facts: Facts) -> Effect:
    """Whether the locked torch has code for the GPUs that are new here."""
    if build.backend == "cpu":
        return _CPU
    own = [target for target in here if target.startswith("gfx" if build.backend == "rocm" else "sm_")]
    if not own:
        return "blocking", Words(
            "no GPU that {backend} could use is here: torch finds none",
            "这里没有 {backend} 可用的 GPU：torch 找不到任何 GPU",
        ).fill(backend=build.backend)
    arch = facts.arch if isinstance(facts.arch, str) else "x86_64"
    judged = {target: runs(build, target, arch) for target in own}
    return _code(
        [one for one in own if judged[one] == "no"], [one for one in own if judged[one] == "unknown"], own, new
    )


def _code(none: Sequence[str], unsure: Sequence[str], own: Sequence[str], new: Sequence[str]) -> Effect:
    if none:
        severity: Severity = "blocking" if len(none) == len(own) else "degrading"
        return severity, Words(
            "the locked wheels hold no code for {targets}: torch imports there and dies at the first kernel; freeze "
            "anew on this machine with `firstlight lock`",
            "锁定的 wheel 不含 {targets} 的代码：torch 能导入，但执行第一个 kernel 就会失败；"
            "请在这台机器上用 `firstlight lock` 重新锁定",
        ).fill(targets=", ".join(none))
    if unsure:
        return "degrading", Words(
            "whether the locked wheels hold code for {targets} is not known; `firstlight verify` tries it",
            "不清楚锁定的 wheel 是否包含 {targets} 的代码；`firstlight verify` 可以验证",
        ).fill(targets=", ".join(unsure))
    if new:
        return "advice", Words(
            "the locked wheels hold code for what is here: they run, perhaps at another speed",
            "锁定的 wheel 包含这里 GPU 的代码：可以运行，但速度可能不同",
        )
    return "degrading", Words(
        "some GPUs that it was locked for are not here: jobs that need them wait or fail",
        "锁定时的部分 GPU 不在这里：需要它们的任务会等待或失败",
    )


def driver_effect(here: str | None, build: Build) -> Effect:
    """Against the lowest driver of the CUDA that torch was built with."""
    if build.backend == "cpu":
        return _CPU
    if build.backend == "cuda":
        return _nvidia(here, build.number)
    if here is None:
        return "degrading", Words(
            "the driver that it was locked with is not loaded: the kernel's own amdgpu is used, or none; "
            "`firstlight doctor` tells which",
            "未加载锁定时的驱动：正在使用内核自带的 amdgpu，或没有驱动；`firstlight doctor` 会说明是哪种",
        )
    return _unproved("amdgpu")


def _nvidia(here: str | None, cuda: str | None) -> Effect:
    from ..knowledge.drivers import at_least, cuda_minimum

    minimum = cuda_minimum(cuda) if cuda else None
    if here is None:
        return "blocking", Words(
            "no NVIDIA driver is loaded: torch finds no GPU", "未加载 NVIDIA 驱动：torch 找不到 GPU"
        )
    if minimum is None:
        return _unproved("NVIDIA")
    if at_least(here, minimum):
        return "advice", Words(
            "CUDA {cuda} needs {minimum} or newer: it is enough", "CUDA {cuda} 需要 {minimum} 或更新版本：满足要求"
        ).fill(cuda=cuda, minimum=minimum)
    return "blocking", Words(
        "CUDA {cuda} needs driver {minimum} or newer: torch finds no GPU with {here}",
        "CUDA {cuda} 需要 {minimum} 或更新的驱动：使用 {here} 时 torch 找不到 GPU",
    ).fill(cuda=cuda, minimum=minimum, here=here)


def _unproved(vendor: str) -> Effect:
    return "advice", Words(
        "nothing is known against this {vendor} driver; `firstlight verify` tries it",
        "没有已知的问题涉及此 {vendor} 驱动；`firstlight verify` 可以验证",
    ).fill(vendor=vendor)


def kernel_effect(here: str, build: Build, facts: Facts) -> Effect:
    """A kernel matters through its amdgpu only: NVIDIA's module, if it does not fit, is missed as the driver; a DKMS
    driver is the same one on every kernel."""
    if build.backend == "cpu":
        return _CPU
    if build.backend == "cuda" or isinstance(facts.driver.amd.version, str):
        return _HARMLESS
    for gpu in facts.gpus:
        if gpu.vendor == "amd" and gpu.target and gpu.kfd is not True and (lack := _lack(gpu.target, here)):
            return lack
    return _pair(build, facts) or ("advice", Words(
        "no known pair of kernel and ROCm breaks with it", "没有已知的内核与 ROCm 组合问题涉及它"))  # fmt: skip


def _lack(target: str, here: str) -> Effect | None:
    from ..knowledge.rules import kernel_knows, kernel_lacks

    if kernel_knows(target, here) is False:
        return "blocking", Words(
            "its amdgpu does not know {target}: ROCm finds no GPU", "它的 amdgpu 不认识 {target}：ROCm 找不到 GPU"
        ).fill(target=target)
    if not kernel_lacks(target, here):
        return None
    return "degrading", Words(
        "mainline kernels of this version do not know {target}; unless the distribution added it, ROCm finds no GPU",
        "此版本的主线内核不认识 {target}；除非发行版已补上，否则 ROCm 找不到 GPU",
    ).fill(target=target)


def _pair(build: Build, facts: Facts) -> Effect | None:
    """The words of `plan` for the same pair."""
    from ..routes.kernels import kernel_reason

    blocks, pause = kernel_reason(build.number, facts)
    if blocks is not None:
        return "blocking", blocks.text
    return ("degrading", pause.text) if pause is not None else None
