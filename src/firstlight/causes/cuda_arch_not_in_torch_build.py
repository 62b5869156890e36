"""The CUDA torch has neither machine code nor PTX for this GPU."""

from __future__ import annotations

from ..facts.model import Environment, Facts, Gpu
from ..words import Words
from ._builds import divide, library_evidence, runs, targets
from ._environments import each, not_of, torch_evidence
from ._gpus import evidence, for_compute, label, no_gpu
from ._wheels import TORCH_FAMILY, TRITONS, install_cuda, uninstall
from .model import CLEAR, Cause, Evidence, Found, Judgement, NotKnown


def judge(facts: Facts) -> Judgement:
    """Found if a build carries nothing that a GPU here can run. Release wheels since 2.14 hold no PTX, so a newer
    chip has nothing to compile from (architecture lists in the wheels of 2.14.1 and 2.15.0)."""
    gpus = for_compute(facts, "nvidia")
    if not gpus:
        return no_gpu(facts)
    return each(facts, lambda environment: _in(facts, gpus, environment))


def _in(facts: Facts, gpus: list[Gpu], environment: Environment) -> Judgement:
    other = not_of(facts, environment, "cuda")
    if other:
        return other
    carried = targets(facts, environment, gpus)
    if isinstance(carried, NotKnown):
        return carried
    version = environment.torch.backend_version if environment.torch else None
    cuda = version if isinstance(version, str) else None
    served, without = divide(gpus, lambda gpu: runs(carried, gpu.target or "", cuda))
    if not without:
        return CLEAR
    gpu = without[0]
    has = Evidence("python.environments.torch.targets", " ".join(carried) or "none", environment.path)
    return Found(
        evidence=(
            evidence(facts, gpu),
            torch_evidence(facts, environment),
            has,
            *library_evidence(environment, lambda held: runs(held, gpu.target or "", cuda)),
        ),
        values={"gpu": label(gpu), "torch": str(environment.torch and environment.torch.version)},
        severity="degrading" if served else None,
        remedy=(uninstall(environment, TORCH_FAMILY + TRITONS), install_cuda(facts, environment, gpu)),
    )


CAUSE = Cause(
    id="cuda-arch-not-in-torch-build",
    family="wheel",
    vendor="nvidia",
    severity="blocking",
    title=Words("torch {torch} has no code for {gpu}", "torch {torch} 不含 {gpu} 的代码"),
    means=Words(
        "The CUDA torch has no machine code (nor PTX) for this GPU: it is too new or too old for the build.",
        "CUDA 版 torch 不含这块 GPU 的机器码（也没有 PTX）：对该构建来说 GPU 太新或太旧。",
    ),
    effect=Words(
        "The first kernel fails with “no kernel image is available for execution on the device”.",
        "第一个 kernel 就以 “no kernel image is available for execution on the device” 失败。",
    ),
    fix=Words(
        "Newer GPU: a build for a newer CUDA (sm_120 from cu128 on). Older GPU (sm_50 to sm_70): the cu126 build.",
        "较新的 GPU：用更新 CUDA 的构建（sm_120 从 cu128 起）。较旧的 GPU（sm_50 至 sm_70）：用 cu126 构建。",
    ),
    judge=judge,
)
