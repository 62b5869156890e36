"""The words of each reason that a route's verdict can have."""

from __future__ import annotations

from collections.abc import Sequence

from ..project.urls import redact
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


def no_wheel_for_python(have: Sequence[str], offers: Sequence[str], asked: str | None, here: Sequence[str]) -> Because:
    """None of the Pythons that were looked at fits; the remedy is in the words. `here`: all that this machine has."""
    fit = next((one for one in offers if one in here), None)
    names, found = ", ".join(offers), ", ".join(have)
    en, zh = f"install one (`uv python install {offers[0]}`) and ", f"请安装（`uv python install {offers[0]}`）后"
    remedy = ("", "请") if fit else (en, zh)
    return because(
        "no-wheel-for-python", asked or found or "python",
        f"its wheels are for Python {names}, and {f'{asked} was asked for' if asked else f'here is {found}'}; "
        f"{remedy[0]}say `--python {fit or offers[0]}`{', which is here' if fit else ''}",
        f"其 wheel 适用于 Python {names}，而{f'指定的是 {asked}' if asked else f'本机为 {found}'}；"
        f"{remedy[1]}使用 `--python {fit or offers[0]}`{'（本机已有）' if fit else ''}",
    )  # fmt: skip


def no_such_python(asked: str, here: Sequence[str]) -> Because:
    """The one that was asked for is not here, or does not answer."""
    found = ", ".join(here)
    path = "/" in asked
    what = f"{asked} does not answer as a Python 3" if path else f"Python {asked} was asked for and is not here"
    what_zh = f"{asked} 不是可用的 Python 3" if path else f"指定了 Python {asked}，但本机没有"
    get, get_zh = (
        ("name another", "请另指定")
        if path
        else (f"`uv python install {asked}` gets it", f"可用 `uv python install {asked}` 安装")
    )
    return because(
        "no-such-python",
        asked,
        f"{what}; {get}{f', or say `--python` with one that is: {found}' if found else ''}",
        f"{what_zh}；{get_zh}{f'，或用 `--python` 指定本机已有的：{found}' if found else ''}",
    )


def no_python_known() -> Because:
    """A machine on which no Python was found."""
    return because(
        "no-such-python", "python",
        "no Python 3 is known on this machine; install one, or name it with `--python PATH`",
        "未在本机发现 Python 3；请安装，或用 `--python 路径` 指定",
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


def constrained(kind: str, files: Sequence[str]) -> tuple[Because, ...]:
    """The resolver does not say that a limit comes from a constraints file."""
    if not files or kind not in ("no-version", "conflict", "not-there"):
        return ()
    names = redact(", ".join(files))
    return (
        because(
            "constraint", names, f"constraints files limit the choice: {names}", f"约束文件限制了可选版本：{names}"
        ),
    )


def time_unknown(fetched: int | None) -> Because:
    """Why `minutes` is null."""
    if fetched is None:
        return because(
            "time-unknown", "download_bytes",
            "how long it takes is not known: the index does not state the sizes of its files",
            "所需时间未知：该索引没有给出文件大小",
        )  # fmt: skip
    return because(
        "time-unknown", "megabits",
        "how long it takes is not known: say how fast this machine fetches, with FIRSTLIGHT_MEGABITS (Mbit/s)",
        "所需时间未知：请用 FIRSTLIGHT_MEGABITS（Mbit/s）给出本机的下载速度",
    )  # fmt: skip


def no_temporary_folder(why: str) -> Because:
    """TMPDIR is full, gone or read-only."""
    return because(
        "no-temporary-folder", "TMPDIR",
        f"no temporary file can be written: {why}; free some room, or set TMPDIR to a folder with some",
        f"无法写入临时文件：{why}；请腾出空间，或把 TMPDIR 设为有空间的目录",
    )  # fmt: skip


def unreadable_folder(source: str, why: str) -> Because:
    """A find-links folder that cannot be listed."""
    return because("unreadable", source, f"cannot list the folder: {why}", f"无法列出该文件夹：{why}")
