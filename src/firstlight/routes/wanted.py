"""Which backend is wanted: said by the user, or called for by the machine."""

from __future__ import annotations

import msgspec

from ..facts.compute import display_only, hopeless, of_a_laptop
from ..facts.model import Facts, Gpu, Unknown
from ..project.model import Backend, Goal
from ..words import Words


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """The backends to judge; none if it cannot be told."""

    backends: tuple[Backend, ...]
    why: Words


def wanted(goal: Goal, facts: Facts) -> Wanted:
    """A GPU that is there but blocked still calls for its backend: the CPU is no answer to a fault."""
    if goal.backend:
        return Wanted(backends=(goal.backend,), why=Words("it was asked for", "由用户指定"))
    gpus = [gpu for gpu in facts.gpus if _computes(gpu)]
    names = {
        "amd": ", ".join(dict.fromkeys(gpu.target or gpu.name or "AMD" for gpu in gpus if gpu.vendor == "amd")),
        "nvidia": ", ".join(
            dict.fromkeys(gpu.target or gpu.name or "NVIDIA" for gpu in gpus if gpu.vendor == "nvidia")
        ),
    }
    if names["amd"] and names["nvidia"]:
        if all(of_a_laptop(gpu) for gpu in gpus if gpu.vendor == "amd"):
            return _aside(names["amd"], names["nvidia"])
        return _both(names["amd"], names["nvidia"])
    if names["amd"]:
        return Wanted(
            backends=("rocm",), why=Words(f"an AMD GPU is here ({names['amd']})", f"本机有 AMD GPU（{names['amd']}）")
        )
    if names["nvidia"]:
        text = Words(f"an NVIDIA GPU is here ({names['nvidia']})", f"本机有 NVIDIA GPU（{names['nvidia']}）")
        return Wanted(backends=("cuda",), why=text)
    return _without_gpu(facts)


def _computes(gpu: Gpu) -> bool:
    """Whether it calls for its vendor's backend: neither too old for any, nor made for a display only."""
    from ..knowledge.amd_chips import kfd_supported

    if hopeless(gpu) or display_only(gpu):
        return False
    return gpu.vendor != "amd" or gpu.target is None or bool(gpu.usable) or kfd_supported(gpu.target) is not False


def _aside(amd: str, nvidia: str) -> Wanted:
    text = Words(
        f"an NVIDIA GPU is here ({nvidia}); the processor's own {amd} is left aside: `--backend rocm` takes it",
        f"本机有 NVIDIA GPU（{nvidia}）；旁边处理器自带的 {amd} 不予考虑：如需使用请加 `--backend rocm`",
    )
    return Wanted(backends=("cuda",), why=text)


def _both(amd: str, nvidia: str) -> Wanted:
    text = Words(
        f"GPUs of both vendors are here ({amd}; {nvidia}): routes for both are judged; choose with `--backend`",
        f"本机同时有两家厂商的 GPU（{amd}；{nvidia}）：两种后端的路线都会评估；可用 `--backend` 选择",
    )
    return Wanted(backends=("rocm", "cuda"), why=text)


def _without_gpu(facts: Facts) -> Wanted:
    if behind_dxg(facts):
        text = Words(
            "WSL passes a GPU through (/dev/dxg), but its vendor is not known; say `--backend`",
            "WSL 透传了 GPU（/dev/dxg），但无法判断厂商；请用 `--backend` 指定",
        )
        return Wanted(backends=(), why=text)
    if untold(facts):
        text = Words(
            "whether there is a GPU was not captured; say `--backend`",
            "记录中没有 GPU 信息，无法判断；请用 `--backend` 指定",
        )
        return Wanted(backends=(), why=text)
    return Wanted(backends=("cpu",), why=_no_use(facts))


def _no_use(facts: Facts) -> Words:
    """Why the CPU, also where there is a GPU that nobody would compute on: it is named."""
    seen = [gpu for gpu in facts.gpus if gpu.vendor in ("amd", "nvidia")]
    names = ", ".join(dict.fromkeys(gpu.target or gpu.name or gpu.vendor for gpu in seen))
    weak = next((gpu for gpu in seen if not hopeless(gpu) and display_only(gpu)), None)
    if weak is not None:
        backend = "rocm" if weak.vendor == "amd" else "cuda"
        return Words(
            f"the only GPU here ({names}) is the processor's own, of two compute units for a display: the CPU is used; "
            f"`--backend {backend}` takes that GPU",
            f"本机唯一的 GPU（{names}）是处理器自带的显示核心（两个计算单元），因此使用 CPU；"
            f"要用该 GPU 请加 `--backend {backend}`",
        )
    if seen:
        return Words(
            f"no build of torch that is known has code for the GPU here ({names}): the CPU is used",
            f"已知的 torch 版本都不支持本机的 GPU（{names}）：使用 CPU",
        )
    return Words("there is no AMD or NVIDIA GPU here", "本机没有 AMD 或 NVIDIA GPU")


def behind_dxg(facts: Facts) -> bool:
    """Whether Windows holds a GPU that WSL passes through: which one, no file there tells."""
    return any(node.path == "/dev/dxg" for node in facts.access.nodes)


def untold(facts: Facts) -> bool:
    """Whether a recording says nothing of GPUs."""
    return _not_captured(facts.driver.amd.loaded) and _not_captured(facts.driver.nvidia.loaded)


def _not_captured(fact: object) -> bool:
    return isinstance(fact, Unknown) and fact.unknown == "not-captured"
