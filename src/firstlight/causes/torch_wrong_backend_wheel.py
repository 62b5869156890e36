"""torch is built for another backend than the GPUs here."""

from __future__ import annotations

from ..facts.model import Environment, Facts, Gpu
from ..words import Words
from ._environments import each, missing_backend, torch_evidence
from ._gpus import evidence, for_compute, label, no_gpu
from ._wheels import TORCH_FAMILY, TRITONS, install_right, uninstall
from .model import CLEAR, Cause, Found, Judgement, Known

VENDOR = {"rocm": "amd", "cuda": "nvidia"}
NAMES = {"rocm": "ROCm", "cuda": "CUDA", "cpu": "CPU", "xpu": "Intel XPU"}


def judge(facts: Facts) -> Judgement:
    """Found if the build serves none of the vendors whose GPUs are here."""
    gpus = for_compute(facts, "amd") + for_compute(facts, "nvidia")
    if not gpus:
        return no_gpu(facts)
    gpus = [gpu for gpu in gpus if _has_build(gpu)]
    if not gpus:
        return CLEAR
    return each(facts, lambda environment: _in(facts, gpus, environment))


def _has_build(gpu: Gpu) -> bool:
    """Whether any torch is known to have code for it; where that is not known, it may."""
    from ..knowledge import chips

    chip = chips.amd(gpu.target) if gpu.vendor == "amd" and gpu.target else None
    return chip is None or chip.device_extra is not None or chip.torch.first is not None


def _in(facts: Facts, gpus: list[Gpu], environment: Environment) -> Judgement:
    lacking = missing_backend(facts, environment)
    if lacking or not environment.torch:
        return lacking or CLEAR
    backend = str(environment.torch.backend)
    if VENDOR.get(backend) in {gpu.vendor for gpu in gpus}:
        return CLEAR
    gpu = gpus[0]
    wanted = "ROCm" if gpu.vendor == "amd" else "CUDA"
    return Found(
        evidence=(torch_evidence(facts, environment), evidence(facts, gpu)),
        values={"have": NAMES.get(backend, backend), "want": wanted, "gpu": label(gpu)},
        remedy=(
            uninstall(environment, TORCH_FAMILY + TRITONS),
            install_right(facts, environment, gpu),
        ),
    )


CAUSE = Cause(
    id="torch-wrong-backend-wheel",
    family="wheel",
    vendor="both",
    severity="blocking",
    title=Words(
        "torch is the {have} build, the GPU ({gpu}) needs {want}", "torch 是 {have} 版，而 GPU（{gpu}）需要 {want} 版"
    ),
    means=Words(
        "The installed torch is built for another backend: CUDA on an AMD machine, ROCm on an NVIDIA one, or CPU only.",
        "所装的 torch 是为另一种后端构建的：AMD 机器上装了 CUDA 版，NVIDIA 机器上装了 ROCm 版，或者只有 CPU 版。",
    ),
    effect=Words(
        "torch sees no GPU: is_available() is False, and everything runs on the CPU or fails.",
        "torch 看不到 GPU：is_available() 为 False，一切在 CPU 上运行，或者直接报错。",
    ),
    fix=Words(
        "Uninstall torch, torchvision, torchaudio and triton in that environment, install all of them from the index "
        "of the right backend, and keep requirements files from replacing them.",
        "在该环境中卸载 torch、torchvision、torchaudio 和 triton，再全部从对应后端的索引安装，"
        "并防止 requirements 文件把它们换掉。",
    ),
    known=(Known("https://github.com/pytorch/pytorch/issues/70036"),),
    judge=judge,
)
