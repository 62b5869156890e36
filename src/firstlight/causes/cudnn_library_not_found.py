"""The CUDA torch's wheels without cuDNN."""

from __future__ import annotations

from ..facts.model import Environment, Facts, Unknown
from ..words import Words
from ._environments import distribution_evidence, each, interpreter, not_of, path, torch_evidence
from .messages import Message
from .model import CLEAR, Cause, Found, Judgement, NotKnown, Remedy


def judge(facts: Facts) -> Judgement:
    """Found if NVIDIA's library wheels are there, but not cuDNN's for the CUDA major of this torch. A torch without
    such wheels (conda's, a distribution's) finds cuDNN elsewhere."""
    return each(facts, lambda environment: _in(facts, environment))


def _in(facts: Facts, environment: Environment) -> Judgement:
    other = not_of(facts, environment, "cuda")
    if other or not environment.torch:
        return other or CLEAR
    cublas = [one for one in environment.distributions if one.name.startswith("nvidia-cublas")]
    cuda = environment.torch.backend_version
    if not cublas:
        return CLEAR
    if isinstance(cuda, Unknown):
        return NotKnown((f"{path(facts, environment)}.torch.backend_version ({cuda.unknown}: {cuda.source})",))
    package = f"nvidia-cudnn-cu{cuda.split('.')[0]}"
    cudnn = [one for one in environment.distributions if one.name.startswith("nvidia-cudnn")]
    if any(one.name == package for one in cudnn):
        return CLEAR
    shown = tuple(distribution_evidence(facts, environment, one.name, one.version) for one in (*cublas, *cudnn))
    why = Words("Installs cuDNN for the CUDA of this torch.", "安装与这个 torch 的 CUDA 对应的 cuDNN。")
    argv = ("uv", "pip", "install", "--python", interpreter(environment), package)
    return Found(
        evidence=(torch_evidence(facts, environment), *shown[:4]),
        values={"package": package, "torch": environment.torch.version},
        remedy=(Remedy(argv, root=False, why=why),),
    )


# messages
MESSAGES = (
    Message(r"Could not load library (?P<file>libcudnn\S{3,40})", 0.95, told=Words("{file} is not found.", "找不到 {file}。")),
    Message(r"Unable to load any of \{.{0,10}libcudnn", 0.95),
    Message(r"(?P<file>libcudnn\S{0,30}\.so\.\d\S{0,8}): cannot open shared object file", 0.94, told=Words("{file} is not found.", "找不到 {file}。")),
    Message(r"Cannot load symbol cudnn\w{3,40}", 0.92),
    Message(r"CUDNN_STATUS_SUBLIBRARY_LOADING_FAILED", 0.88),
    Message(r"Could not locate (?P<file>cudnn\w{3,40}\.dll)", 0.9, told=Words("{file} is not found.", "找不到 {file}。")),
    Message(r"(?:Library |file )(?P<file>(?:libcudnn|cudnn)\S{2,40}) (?:is not found|not found|cannot be loaded)", 0.9, told=Words("{file} is not found.", "找不到 {file}。")),
    Message(r"Loaded runtime CuDNN library: (?P<have>[\d.]{3,10}) but source was compiled with: (?P<wanted>[\d.]{3,10})", 0.92, told=Words("cuDNN {have} is loaded, {wanted} is needed.", "加载了 cuDNN {have}，需要 {wanted}。")),
    Message(r"cuDNN version incompatibility", 0.9),
    Message(r"Cannot dlopen some GPU libraries", 0.72, unless=("amd-card",)),
    Message(r"error loading .{0,60}libcudnn", 0.85),
)  # fmt: skip

CAUSE = Cause(
    id="cudnn-library-not-found",
    family="library",
    vendor="nvidia",
    severity="blocking",
    title=Words("{package} is missing beside torch {torch}", "torch {torch} 旁缺少 {package}"),
    means=Words(
        "cuDNN's shared libraries are not where the loader looks, or not in the major version the program wants.",
        "cuDNN 的动态库不在加载器查找的地方，或者主版本不是程序要的。",
    ),
    effect=Words(
        "import torch or the first convolution fails with “libcudnn” not found.",
        "import torch 或第一个卷积因找不到 “libcudnn” 而失败。",
    ),
    fix=Words(
        "Install the cuDNN package of torch's CUDA major version, or put nvidia/cudnn/lib on "
        "LD_LIBRARY_PATH before start.",
        "安装与 torch 的 CUDA 主版本对应的 cuDNN 包，或在启动前把 nvidia/cudnn/lib 加到 LD_LIBRARY_PATH。",
    ),
    judge=judge,
    messages=MESSAGES,
)
