"""The CUDA torch has neither machine code nor PTX for this GPU."""

from __future__ import annotations

from ..facts.model import Environment, Facts, Gpu
from ..words import Words
from ._builds import divide, library_evidence, runs, targets
from ._environments import each, not_of, torch_evidence
from ._gpus import evidence, for_compute, label, no_gpu
from ._wheels import TORCH_FAMILY, TRITONS, install_cuda, uninstall
from .messages import Message
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


# messages
MESSAGES = (
    Message(r"(?P<name>[\w -]{3,60}?) with CUDA capability (?P<sm>sm_\w{2,4}) is not compatible with the current PyTorch installation", 0.97, told=Words("{name} is {sm}, for which this torch has no code.", "{name} 是 {sm}，该 torch 没有其代码。")),
    Message(r"The current PyTorch install supports CUDA capabilities (?P<list>sm_[\w ,]{2,160})", 0.93, told=Words("This torch has code for {list}.", "该 torch 含有 {list} 的代码。")),
    Message(r"CUDA error: no kernel image is available for execution on the device", 0.93, unless=("amd-card",)),
    Message(r"no kernel image is available for execution on the device", 0.9, unless=("amd-card", "hip-error", "rocm-torch")),
    Message(r"cudaErrorNoKernelImageForDevice", 0.92),
    Message(r"CUDA_ERROR_NO_BINARY_FOR_GPU", 0.9),
    Message(r"PyTorch no longer supports this GPU because it is too old", 0.95),
    Message(r"which is of cuda capability (?P<sm>\d{1,2}\.\d)", 0.9, told=Words("The GPU has capability {sm}.", "该 GPU 的计算能力为 {sm}。")),
    Message(r"minimum cuda capability supported by this library is (?P<least>\d{1,2}\.\d)", 0.93, told=Words("This build begins at capability {least}.", "该构建最低支持计算能力 {least}。")),
    Message(r"(?:nvrtc|nvcc|ptxas).{0,60}(?:invalid value for --gpu-architecture|Unsupported gpu architecture|is not defined for option 'gpu-name')", 0.85),
    Message(r"invalid value for --gpu-architecture \(-arch\)", 0.88),
    Message(r"Unsupported gpu architecture '(?P<sm>compute_\w{2,4})'", 0.85, told=Words("The compiler does not know {sm}.", "编译器不认识 {sm}。")),
    Message(r"Value 'sm_\w{2,4}' is not defined for option 'gpu-name'", 0.88),
    Message(r"not supported by this (?:PyTorch|build).{0,40}(?P<sm>sm_\w{2,4})", 0.8),
)  # fmt: skip

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
    messages=MESSAGES,
)
