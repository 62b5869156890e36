"""MIOpen has no precompiled kernels for this GPU."""

from __future__ import annotations

from ..words import Words
from .messages import Message
from .model import Cause

# messages
MESSAGES = (
    Message(r"Missing system database file: {0,2}(?P<file>\S{3,60}\.kdb)", 0.93, told=Words("{file} is not installed.", "没有安装 {file}。")),
    Message(r"Missing system database file", 0.9),
    Message(r"Unable to read system database file ?:? ?(?P<file>\S{3,120}\.(?:fdb|kdb|db)\S{0,6}) Performance may degrade", 0.9),
    Message(r"installing-miopen-kernels-package", 0.85),
)  # fmt: skip

CAUSE = Cause(
    id="miopen-kernel-db-missing",
    family="performance",
    vendor="amd",
    severity="advice",
    title=Words(
        "MIOpen has no precompiled kernels for this GPU: the first runs are slow",
        "MIOpen 没有该 GPU 的预编译核函数：最初几次运行较慢",
    ),
    means=Words(
        "No precompiled MIOpen kernel database for this GPU, so the first runs are slow; nothing is broken.",
        "没有该 GPU 的 MIOpen 预编译核函数数据库，因此最初几次运行较慢；并无故障。",
    ),
    effect=Words(
        "The first run of each shape takes long.",
        "每种形状的首次运行耗时较长。",
    ),
    fix=Words(
        "None needed: keep the user cache (~/.cache/miopen), or use a build that ships the database for this GPU.",
        "无需处理：保留用户缓存（~/.cache/miopen），或使用附带该 GPU 数据库的构建。",
    ),
    messages=MESSAGES,
)
