"""A container without the GPU's device nodes."""

from __future__ import annotations

from ..facts.compute import tegra
from ..facts.model import Facts
from ..words import Words
from ._containers import amd_start, in_container, kind, nvidia_start
from ._gpus import for_compute, label, not_captured, of
from ._serving import served
from .messages import Message
from .model import CLEAR, Cause, Evidence, Found, Judgement, NotKnown, Remedy, missing


def judge(facts: Facts) -> Judgement:
    """Found in a container if the host's driver serves a GPU (sysfs shows it) and its nodes are known not to be there.
    Advice if another vendor's GPU is there to work with."""
    if not facts.gpus:
        return not_captured(facts) or CLEAR
    if not in_container(facts):
        return missing(("container.kind", facts.container.kind)) or CLEAR
    found = [one for one in (_judge(facts, vendor) for vendor in ("amd", "nvidia")) if one is not CLEAR]
    return next((one for one in found if isinstance(one, Found)), found[0] if found else CLEAR)


def _judge(facts: Facts, vendor: str) -> Judgement:
    gpus = [gpu for gpu in for_compute(facts, vendor) or of(facts, vendor) if not tegra(gpu)]
    if not gpus or all(served(facts, gpu) is False for gpu in gpus):
        return CLEAR
    wanted = ("/dev/kfd", "/dev/dri") if vendor == "amd" else ("/dev/nvidiactl",)
    lost = [path for path in wanted if path in facts.access.absent]
    if lost:
        start = amd_start(facts) if vendor == "amd" else nvidia_start(facts)
        return Found(
            evidence=(Evidence("container.kind", kind(facts), "/.dockerenv, /run/.containerenv, /proc/1/cgroup"),
                      *(Evidence("access.absent", path, "/dev") for path in lost)),
            values={"gpu": label(gpus[0]), "nodes": ", ".join(lost), "kind": kind(facts)},
            severity="advice" if _other_works(facts, vendor) else None,
            remedy=(Remedy((), root=False, why=start),),
        )  # fmt: skip
    here = {node.path for node in facts.access.nodes}
    blank = [path for path in wanted if path not in here and not any(one.startswith(path + "/") for one in here)]
    return NotKnown(tuple(f"access.nodes (not-captured: {path})" for path in blank)) if blank else CLEAR


def _other_works(facts: Facts, vendor: str) -> bool:
    """Whether a node of the other vendor may be opened, so that this container was made for that one."""
    control = "/dev/nvidiactl" if vendor == "amd" else "/dev/kfd"
    return any(node.path == control and node.can_open is True for node in facts.access.nodes)


# messages
MESSAGES = (
    Message(r"Unable to open /dev/kfd read-write: No such file or directory", 0.82, needs=("container",), unless=("wsl", "gpu-passed-amd", "nomodeset-words", "kfd-unsupported-words"), helps=("no-gpu-passed",)),
    Message(r"ROCk module is NOT loaded, possibly no GPU devices", 0.7, needs=("container",), unless=("wsl", "gpu-passed-amd")),
    Message(r"/dev/kfd.{0,10}(?:No such file or directory|does not exist|not found)", 0.78, needs=("container",), unless=("wsl", "gpu-passed-amd", "nomodeset-words", "device-add-failed")),
    Message(r"No such file or directory: '/dev/(?:kfd|dri)", 0.75, needs=("container",), unless=("wsl", "gpu-passed-amd")),
    Message(r"cannot access '/dev/(?:kfd|dri|nvidia\S{0,6})'", 0.75, needs=("container",), unless=("wsl", "gpu-passed", "uvm-only")),
    Message(r"/dev/nvidia(?:ctl|0)?\*?'?: No such file or directory", 0.8, needs=("container",), unless=("gpu-passed",)),
    Message(r"Found no NVIDIA driver on your system", 0.8, needs=("container",), unless=("amd-card", "gpu-passed", "rocm-torch")),
    Message(r"The NVIDIA Driver was not detected\. {1,3}GPU functionality will not be available", 0.88),
    Message(r"Use the NVIDIA Container Toolkit to start this container with GPU support", 0.85),
    Message(r"nvidia-smi: (?:command )?not found", 0.72, needs=("container",), unless=("gpu-passed",)),
    Message(r"\"nvidia-smi\": executable file not found in \$PATH", 0.8, unless=("gpu-passed",)),
    Message(r"nvidia-smi.{0,10}: executable file not found", 0.75, unless=("gpu-passed",)),
    Message(r"libcuda\.so\.1: cannot open shared object file", 0.72, needs=("container",), unless=("gpu-passed", "amd-card")),
    Message(r"No HIP GPUs are available", 0.6, needs=("no-gpu-passed", "k8s"), unless=("gpu-passed",)),
    Message(r"no ROCm-capable device is detected", 0.6, needs=("no-gpu-passed", "k8s"), unless=("gpu-passed",)),
    Message(r"(?:0/\d{1,5} nodes are available).{0,80}Insufficient (?P<resource>(?:nvidia|amd)\.com/gpu)", 0.6, told=Words("No node has {resource} free.", "没有节点有空闲的 {resource}。")),
)  # fmt: skip

CAUSE = Cause(
    id="container-missing-gpu-devices",
    family="container",
    vendor="both",
    severity="blocking",
    title=Words("This container ({kind}) has no {nodes} for {gpu}", "这个容器（{kind}）里没有 {gpu} 的 {nodes}"),
    means=Words(
        "The container was started without the GPU's device nodes.",
        "启动容器时没有传入 GPU 设备节点。",
    ),
    effect=Words(
        "Management tools may list the GPU; compute does not find it.",
        "管理工具可能列出 GPU；但计算程序找不到它。",
    ),
    fix=Words(
        "AMD: --device=/dev/kfd --device=/dev/dri plus the numeric render gid, or CDI amd.com/gpu. NVIDIA: "
        "--gpus or CDI "
        "nvidia.com/gpu.",
        "AMD：--device=/dev/kfd --device=/dev/dri 加 render 组的数字编号，或 CDI amd.com/gpu。NVIDIA：--gpus "
        "或 CDI nvidia.com/gpu。",
    ),
    judge=judge,
    messages=MESSAGES,
)
