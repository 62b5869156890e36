"""torch is built for another backend than the GPUs here."""

from __future__ import annotations

from ..facts.model import Environment, Facts, Gpu
from ..transcript.model import Hit
from ..words import Words
from ._environments import each, missing_backend, torch_evidence
from ._gpus import evidence, for_compute, label, no_gpu
from ._wheels import TORCH_FAMILY, TRITONS, install_right, uninstall
from .messages import Message, Seen
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


def _in_sight(_: Hit, seen: Seen) -> bool:
    """A CPU build is the right one where `collect_env` lists no GPU and nothing else speaks of one."""
    return not seen.has("none-listed") or seen.has(
        "amd", "amd-card", "rocminfo-card", "nvidia-card", "nvidia-smi-works"
    )


# messages
MESSAGES = (
    Message(r"Torch not compiled with CUDA enabled", 0.94),
    Message(r"Found no NVIDIA driver on your system", 0.93, needs=("amd-card",), unless=("nvidia-card",)),
    Message(r"Found no NVIDIA driver on your system", 0.6, needs=("amd",), unless=("nvidia-card", "container", "rocm-torch")),
    Message(r"Found no NVIDIA driver on your system", 0.6, unless=("nvidia-card", "nvidia-smi-failed", "nvidia-smi-works", "container", "rocm-torch", "amd-card")),
    Message(r"(?P<version>\d\.\d{1,2}\.\d{1,2}\S{0,20}?\+cpu)\b", 0.7, needs=("no-cuda-words",), told=Words("torch is {version}, which has no GPU code.", "torch 是 {version}，不含 GPU 代码。"), check=_in_sight),
    Message(r"\+cpu\b", 0.72, needs=("no-cuda-words",), check=_in_sight),
    Message(r"torch {1,30}(?P<version>\d\.\d{1,2}\.\d{1,2}\+cu\d{2,3})", 0.85, needs=("amd-card", "rocminfo-card"), unless=("nvidia-card",), told=Words("torch is {version}: built for CUDA.", "torch 是 {version}：为 CUDA 编译。")),
    Message(r"\+cu\d{3}\b", 0.8, needs=("amd-card", "rocminfo-card"), unless=("nvidia-card",)),
    Message(r"libcuda\.so\.1: cannot open shared object file", 0.72, needs=("amd-card", "rocminfo-card"), unless=("nvidia-card",)),
    Message(r"CUDA used to build PyTorch: (?P<cuda>\d{1,2}\.\d)", 0.75, needs=("amd-card", "rocminfo-card"), unless=("nvidia-card", "cuda-available"), told=Words("torch is built for CUDA {cuda}.", "torch 为 CUDA {cuda} 编译。")),
    Message(r"CUDA used to build PyTorch: None", 0.85, needs=("not-rocm-built",), unless=("cuda-available", "rocm-torch"), check=_in_sight),
    Message(r"CUDA used to build PyTorch: Could not collect", 0.5, needs=("not-rocm-built",), unless=("cuda-available", "rocm-torch"), check=_in_sight),
    Message(r"torch\.version\.hip.{0,30}None", 0.72, needs=("amd-card", "rocminfo-card", "amd"), unless=("nvidia-card",)),
    Message(r"libamdhip64\.so\S{0,6}: cannot open shared object file", 0.6, needs=("nvidia-card",), unless=("amd-card",)),
    Message(r"Requirement already satisfied: torch(?:==\S{1,20})? in", 0.6, needs=("index-rocm",)),
    Message(r"PyTorch (?:was|is) (?:not )?(?:built|compiled) (?:without|for) (?:CUDA|GPU|CPU)", 0.8),
    Message(r"Attempting to deserialize object on a CUDA device but torch\.cuda\.is_available\(\) is False", 0.6, needs=("cpu-torch",)),
    Message(r"undefined symbol: (?:ncclCommRegister|__nvJitLink\w{1,40}|cudaGetDriverEntryPoint\w{0,12})", 0.3),
    Message(r"torch\.cuda\.is_available\(\).{0,40}False", 0.4, needs=("cpu-torch",)),
)  # fmt: skip

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
    messages=MESSAGES,
)
