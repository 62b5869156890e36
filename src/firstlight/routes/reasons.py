"""The words of each reason that a route's verdict can have."""

from __future__ import annotations

from ..words import Words
from .model import Because


def because(kind: str, subject: str, en: str, zh: str) -> Because:
    """One link of the chain."""
    return Because(kind, subject, Words(en, zh))


def not_the_backend(has: str, wanted: str) -> Because:
    """It is for another backend."""
    return because(
        "not-the-backend", has,
        f"this route gives a {has} build, and {wanted} is wanted here; ask for it with `--backend {has}`",
        f"此路线提供的是 {has} 版本，而这里需要的是 {wanted}；如确需，请加 `--backend {has}`",
    )  # fmt: skip


def needs_nvidia_driver(source: str) -> Because:
    """The default index's torch on a machine that it does not fit."""
    return because(
        "needs-driver", source,
        "its torch for Linux is the CUDA build: several GB of libraries that need an NVIDIA driver; "
        "nothing was fetched",
        "该索引上的 Linux 版 torch 是 CUDA 版本：附带数 GB 依赖库且需要 NVIDIA 驱动；未下载任何内容",
    )  # fmt: skip


def no_wheel_for_python(have: str, offers: str) -> Because:
    """No Python here fits; the remedy is in the words."""
    first = offers.split(", ", maxsplit=1)[0]
    return because(
        "no-wheel-for-python", have or "python",
        f"its wheels are for Python {offers}, and here is {have or 'none that is known'}; "
        f"install one (`uv python install {first}`) and say `--python {first}`",
        f"其 wheel 适用于 Python {offers}，而本机为 {have or '未知'}；"
        f"请安装（`uv python install {first}`）后加 `--python {first}`",
    )  # fmt: skip


def no_wheel_for_arch(have: str, offers: str) -> Because:
    """Another processor architecture."""
    return because(
        "no-wheel-for-arch", have,
        f"its wheels are for {offers}, and this machine is {have}",
        f"其 wheel 适用于 {offers}，而本机架构为 {have}",
    )  # fmt: skip


def no_wheel_for_libc(have: str, offers: str) -> Because:
    """The C library is too old, or another one."""
    return because(
        "no-wheel-for-libc", have,
        f"its wheels need {offers}, and this machine has {have}; a newer distribution or a container has it",
        f"其 wheel 需要 {offers}，而本机为 {have}；可换用更新的发行版或容器",
    )  # fmt: skip


def fact_missing(path: str, reason: str) -> Because:
    """A fact that the verdict needs is not known."""
    return because(
        "unknown-fact",
        path,
        f"needs the fact `{path}`, which is unknown ({reason})",
        f"需要事实 `{path}`，但其未知（{reason}）",
    )


def offline(source: str) -> Because:
    """FIRSTLIGHT_OFFLINE."""
    return because(
        "offline",
        source,
        "lies on the network, and nothing is fetched while offline is set",
        "位于网络上，而当前为离线模式，不做任何下载",
    )


def unreadable_folder(source: str, why: str) -> Because:
    """A find-links folder that cannot be listed."""
    return because("unreadable", source, f"cannot list the folder: {why}", f"无法列出该文件夹：{why}")
