"""A dependency is not on the one index asked."""

from __future__ import annotations

from ..transcript.model import Hit
from ..words import Words
from .messages import Message, Seen
from .model import Cause


# messages
def not_torch(hit: Hit, seen: Seen) -> bool:  # noqa: ARG001
    """Something that torch needs, not torch itself."""
    return hit.values["package"].lower() not in {"torch", "torchvision", "torchaudio", "jax", "jaxlib"}


MESSAGES = (
    Message(r"Because (?P<package>[\w.-]{2,60})(?:\S{0,30})? was not found in the package registry", 0.92, unless=("torch-only-missing",), check=not_torch, told=Words("The index has no {package}.", "索引没有 {package}。")),
    Message(r"No matching distribution found for (?P<package>[\w.-]{2,60})\S{0,40} \(from (?P<parent>[^)]{3,80})\)", 0.93, check=not_torch, told=Words("{parent} needs {package}, which the index does not have.", "{parent} 需要 {package}，而索引没有。")),
    Message(r"Could not find a version that satisfies the requirement (?P<package>[\w.-]{2,60})\S{0,40} \(from (?P<parent>torch[^)]{0,80})\)", 0.93, check=not_torch, told=Words("{parent} needs {package}, which the index does not have.", "{parent} 需要 {package}，而索引没有。")),
    Message(r"No matching distribution found for (?P<package>pytorch-triton-rocm|triton|filelock|networkx|sympy|jinja2|fsspec|typing[-_]extensions|MarkupSafe|mpmath|nvidia-[\w-]{3,40}|setuptools)\b", 0.88, told=Words("The index has no {package}.", "索引没有 {package}。")),
    Message(r"Because there (?:is|are) no versions? of (?P<package>[\w.-]{2,60})", 0.6, check=not_torch, unless=("platform-words",), told=Words("The index has no {package}.", "索引没有 {package}。")),
    Message(r"Because only (?P<package>pytorch-triton-rocm|triton|filelock|networkx|sympy|jinja2|fsspec|typing-extensions)\S{0,30} (?:is|are) available", 0.82, told=Words("The index has no fitting {package}.", "索引没有合适的 {package}。")),
    Message(r"(?P<package>[\w.-]{2,60}) was found on \S{5,120}, but not at the requested version", 0.85, told=Words("{package} was looked for on the wrong index.", "在错误的索引上查找 {package}。")),
    Message(r"An index was (?:queried|searched).{0,60}could not be", 0.3),
    Message(r"requires pytorch-triton-rocm==\S{3,40}, which is not installed", 0.4),
)  # fmt: skip

CAUSE = Cause(
    id="pip-index-missing-dependency",
    family="wheel",
    vendor="both",
    severity="blocking",
    title=Words(
        "A dependency is looked for on an index that does not carry it",
        "在没有该依赖的索引上查找依赖",
    ),
    means=Words(
        "A dependency is looked for on an index that does not carry it.",
        "在没有该依赖的索引上查找依赖。",
    ),
    effect=Words(
        "The resolver finds no solution although torch itself is there.",
        "虽然有 torch，解析器仍找不到解。",
    ),
    fix=Words(
        "Give both indexes (vendor for torch and its triton, default for the rest), e.g. map triton in tool.uv.sources too; or install dependencies first.",
        "同时给出两个索引（torch 及其 triton 用厂商的，其余用默认的），例如在 tool.uv.sources 中也映射 triton；或先安装依赖。",
    ),
    messages=MESSAGES,
)
