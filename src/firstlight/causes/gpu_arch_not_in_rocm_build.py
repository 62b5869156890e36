"""The ROCm torch has no machine code for this GPU."""

from __future__ import annotations

from ..facts.model import Environment, Facts, Gpu
from ..words import Words
from ._builds import divide, in_doubt, library_evidence, runs, splits_device_code, targets
from ._environments import each, not_of, path, torch_evidence
from ._gpus import evidence, for_compute, label, no_gpu
from ._override import effective
from ._wheels import TORCH_FAMILY, TRITONS, install_rocm, uninstall
from .model import CLEAR, Cause, Evidence, Found, Judgement, Known, NotKnown


def judge(facts: Facts) -> Judgement:
    """Found if a build carries nothing that a GPU here can run, not even under the override that is set."""
    gpus = for_compute(facts, "amd")
    if not gpus:
        return no_gpu(facts)
    return each(facts, lambda environment: _in(facts, gpus, environment))


def _in(facts: Facts, gpus: list[Gpu], environment: Environment) -> Judgement:
    other = not_of(facts, environment, "rocm")
    if other or splits_device_code(environment):
        return other or CLEAR  # split wheels: device-wheel-missing judges them
    carried = targets(facts, environment, gpus)
    if isinstance(carried, NotKnown):
        return carried
    served, without = divide(gpus, lambda gpu: _served(facts, carried, gpu))
    if not without or (served and all(gpu.apu for gpu in without)):
        return CLEAR  # an integrated GPU beside one that works: igpu-visible-to-hip judges it
    gpu = without[0]
    if in_doubt(facts, environment, gpu):
        return NotKnown((f"{path(facts, environment)}.torch.targets (sources disagree on {gpu.target})",))
    has = Evidence("python.environments.torch.targets", " ".join(carried) or "none", environment.path)
    return Found(
        evidence=(
            evidence(facts, gpu),
            torch_evidence(facts, environment),
            has,
            *library_evidence(environment, lambda held: _served(facts, held, gpu)),
        ),
        values={"gpu": label(gpu), "torch": str(environment.torch and environment.torch.version)},
        severity="degrading" if served else None,
        remedy=(uninstall(environment, TORCH_FAMILY + TRITONS), install_rocm(environment, gpu)),
    )


def _served(facts: Facts, carried: list[str], gpu: Gpu) -> bool:
    names = {gpu.target, effective(facts, gpu)}
    return any(name and runs(carried, name) for name in names)


CAUSE = Cause(
    id="gpu-arch-not-in-rocm-build",
    family="wheel",
    vendor="amd",
    severity="blocking",
    title=Words("torch {torch} has no code for {gpu}", "torch {torch} 不含 {gpu} 的代码"),
    means=Words("The ROCm torch has no machine code for this GPU.", "ROCm 版 torch 不含这块 GPU 的机器码。"),
    effect=Words(
        "is_available() may be True, yet the first kernel fails with “invalid device function”.",
        "is_available() 可能为 True，但第一个 kernel 就以 “invalid device function” 失败。",
    ),
    fix=Words(
        "Install a build that has this target: AMD's wheels with the device package of the GPU, or a newer index. "
        "HSA_OVERRIDE_GFX_VERSION to a target of the same family is a stopgap only.",
        "安装包含该目标的构建：AMD 的 wheel 加上本 GPU 的设备包，或更新的索引。"
        "用 HSA_OVERRIDE_GFX_VERSION 指到同一系列的目标只能应急。",
    ),
    known=(
        Known("https://github.com/ROCm/legacy-rocm-build/issues/5668", first_seen="2025-11-14"),
        Known("https://github.com/pytorch/pytorch/issues/132570"),
    ),
    follows=("mixed-rocm-index-versions",),
    judge=judge,
)
