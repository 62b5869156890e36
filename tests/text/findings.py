"""Findings as causes would make them, for tests of the words around them."""

from __future__ import annotations

from firstlight.causes.model import Evidence, Finding, Known, Remedy
from firstlight.words import Words

NO_PERMISSION = Finding(
    id="kfd-permission-denied",
    verdict="found",
    severity="blocking",
    family="permissions",
    title=Words("this process may not open /dev/kfd", "当前进程无权打开 /dev/kfd"),
    evidence=(
        Evidence("access.nodes", "/dev/kfd 0660 0:992", "/dev/kfd"),
        Evidence("access.groups", "1000 27", "/proc/self/status"),
    ),
    effect=Words(
        "ROCm finds no GPU: every program that wants one sees none, although the driver is loaded and the card works.",
        "ROCm 找不到 GPU：尽管驱动已加载、显卡正常，所有需要 GPU 的程序都看不到它。",
    ),
    remedy=(
        Remedy(
            ("usermod", "-aG", "render", "alice"),
            root=True,
            why=Words("puts alice in the group that owns the node", "把 alice 加入拥有该节点的组"),
        ),
        Remedy((), root=False, why=Words("log in again: groups are given at login", "重新登录：组在登录时生效")),
    ),
    known=(Known("https://github.com/ROCm/ROCm/issues/1211", "ROCm 4.0", None),),
    follows=None,
    needs=(),
)
TORCH_SEES_NONE = Finding(
    id="torch-sees-no-gpu",
    verdict="found",
    severity="degrading",
    family="python",
    title=Words("torch will say that no GPU is available", "torch 会报告没有可用的 GPU"),
    evidence=(Evidence("python.environments", "2.13.0+rocm7.2", "/home/alice/env"),),
    effect=Words("training runs on the CPU, unnoticed", "训练会悄悄在 CPU 上运行"),
    remedy=(),
    known=(),
    follows="kfd-permission-denied",
    needs=(),
)
GTT_SMALL = Finding(
    id="gtt-limit-default",
    verdict="found",
    severity="advice",
    family="memory",
    title=Words("the GPU may use 62.5 GiB of 125.0 GiB", "GPU 最多可用 125.0 GiB 中的 62.5 GiB"),
    evidence=(Evidence("memory.ttm_pages_limit", "16384000", "/sys/module/ttm/parameters/pages_limit"),),
    effect=Words("larger models do not fit", "更大的模型放不下"),
    remedy=(),
    known=(Known("https://example.org/gtt", None, "6.16.9"), Known("https://example.org/ttm", "6.10", "6.12")),
    follows=None,
    needs=(),
)
UNJUDGED = Finding(
    id="mes-firmware-bad",
    verdict="unknown",
    severity="blocking",
    family="firmware",
    title=Words("bad MES firmware", "有问题的 MES 固件"),
    evidence=(),
    effect=Words("page faults", "缺页错误"),
    remedy=(),
    known=(),
    follows=None,
    needs=("firmware.mes_version (denied: /sys/kernel/debug/dri)",),
)
CLEAR = Finding(
    id="no-gpu",
    verdict="clear",
    severity="advice",
    family="hardware",
    title=Words("no GPU", "没有 GPU"),
    evidence=(),
    effect=Words("the CPU is used", "使用 CPU"),
    remedy=(),
    known=(),
    follows=None,
    needs=(),
)
