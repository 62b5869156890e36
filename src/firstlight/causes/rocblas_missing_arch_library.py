"""rocBLAS has no kernels for this GPU."""

from __future__ import annotations

from ..words import Words
from .messages import Message
from .model import Cause, Known

# messages
MESSAGES = (
    Message(r"rocBLAS error: Cannot read (?P<file>[^\n]{3,200}?TensileLibrary\S{0,40}\.dat).{0,80}for GPU arch ?: (?P<gfx>gfx\w{3,5})", 0.96, unless=("two-agents-igpu",), told=Words("rocBLAS has no kernels for {gfx}.", "rocBLAS 没有 {gfx} 的核函数。")),
    Message(r"rocBLAS error: Cannot read .{3,200}TensileLibrary", 0.92, unless=("two-agents-igpu", "rocm-version-clash")),
    Message(r"TensileLibrary\S{0,40}\.dat.{0,60}(?:No such file|Illegal seek)", 0.88, unless=("rocm-version-clash",)),
    Message(r"rocBLAS error: Could not (?:load|initialize) .{0,10}Tensile", 0.7, unless=("rocm-version-clash",)),
    Message(r"rocBLAS warning: .{0,80}(?P<gfx>gfx\w{3,5}).{0,40}(?:not|no )", 0.7),
    Message(r"rocblas.{0,30}(?:does not support|is not supported on|not built for) (?P<gfx>gfx\w{3,5})", 0.85, told=Words("rocBLAS has no kernels for {gfx}.", "rocBLAS 没有 {gfx} 的核函数。")),
    Message(r"No Tensile (?:library|solution|kernel).{0,40}(?P<gfx>gfx\w{3,5})", 0.8),
    Message(r"amdgpu is not supported \(supported types:? .{0,300}gpu_type=(?P<gfx>gfx\w{3,5})", 0.85, told=Words("rocBLAS has no kernels for {gfx}.", "rocBLAS 没有 {gfx} 的核函数。")),
    Message(r"amdgpu is not supported.{0,120}gpu_type=(?P<gfx>gfx\w{3,5})", 0.84, told=Words("rocBLAS has no kernels for {gfx}.", "rocBLAS 没有 {gfx} 的核函数。")),
)  # fmt: skip

CAUSE = Cause(
    id="rocblas-missing-arch-library",
    family="library",
    vendor="amd",
    severity="blocking",
    title=Words(
        "rocBLAS has no kernel library for this GPU",
        "rocBLAS 没有该 GPU 的核函数库",
    ),
    means=Words(
        "rocBLAS has no Tensile kernel library for this GPU.",
        "rocBLAS 没有该 GPU 的 Tensile 核函数库。",
    ),
    effect=Words(
        "The program aborts at its first matrix product.",
        "程序在第一次矩阵乘法时中止。",
    ),
    fix=Words(
        "A ROCm or rocBLAS build with that gfx; as a stopgap HSA_OVERRIDE_GFX_VERSION to a listed target of the same family.",
        "使用包含该 gfx 的 ROCm 或 rocBLAS 构建；应急时用 HSA_OVERRIDE_GFX_VERSION 设为同系列中列出的目标。",
    ),
    follows=(
        "igpu-visible-to-hip",
        "system-rocm-shadows-wheel-libs",
    ),
    known=(Known("https://github.com/ROCm/rocBLAS/issues/1339"),),
    messages=MESSAGES,
)
