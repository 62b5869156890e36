"""The words for what keeps a declared or community route from being taken, and for what its maker claims."""

from __future__ import annotations

from collections.abc import Sequence

from ..project.model import DeclaredRoute
from ..project.urls import redact
from .model import Because
from .reasons import because


def no_torch(subject: str) -> Because:
    """Nothing of torch in it."""
    return because(
        "no-torch", subject,
        "it was looked into and holds no torch wheel",
        "已检查，其中没有 torch 的 wheel",
    )  # fmt: skip


def no_torch_for(subject: str, backend: str, has: Sequence[str]) -> Because:
    """It is declared for one backend, and its wheels say another."""
    found = ", ".join(has)
    return because(
        "not-the-backend", subject,
        f"it is declared for {backend}, and its torch wheels are for {found}",
        f"它声明的后端是 {backend}，而其 torch wheel 属于 {found}",
    )  # fmt: skip


def not_built_yet(route: DeclaredRoute) -> Because:
    """The folder of results is missing or empty."""
    recipe = redact(route.recipe or "") or None
    minutes = f"{route.build_minutes:g}" if route.build_minutes else None
    how = f"build it: {recipe}" if recipe else "build it; its declaration names no recipe"
    how_zh = f"请构建：{recipe}" if recipe else "请先构建；其声明没有给出 recipe"
    took = f"; by its declaration that takes {minutes} minutes" if minutes else "; how long that takes is not declared"
    took_zh = f"；据声明需要 {minutes} 分钟" if minutes else "；声明中没有说明所需时间"
    return because(
        "not-built-yet", route.name,
        f"its folder of results holds no torch wheel yet; {how}{took}",
        f"其结果文件夹中还没有 torch 的 wheel；{how_zh}{took_zh}",
    )  # fmt: skip


def needs_container(image: str, name: str) -> Because:
    """An image: nothing that could be locked and synced here."""
    return because(
        "needs-container", name,
        f"an image cannot be planned or locked; what it holds was not looked at. Take it with a container engine: "
        f"`podman pull {image}`, then run it with /dev/kfd and /dev/dri or the NVIDIA devices passed in",
        f"镜像无法规划或锁定；其内容未经检查。请用容器引擎使用它：`podman pull {image}`，"
        "并在运行时传入 /dev/kfd 和 /dev/dri，或 NVIDIA 设备",
    )  # fmt: skip


def not_fetched_yet(name: str, url: str) -> Because:
    """A tarball from elsewhere that is not in the cache."""
    shown = redact(url)
    return because(
        "not-fetched-yet", name,
        f"nothing of {shown} is here yet, so it could not be looked into; `firstlight lock --route {name}` fetches it, "
        "checks its sha256 and looks",
        f"{shown} 尚未下载，无法检查其内容；`firstlight lock --route {name}` 会下载它、校验 sha256 并检查",
    )  # fmt: skip


def cannot_fetch(kind: str, name: str, en: str, zh: str) -> Because:
    """It was asked for, and could not be had. `kind`: of the catalogue's trouble."""
    return because(kind, name, f"the tarball cannot be fetched: {en}", f"无法下载该归档：{zh}")


def wrong_archive_hash(subject: str, found: str) -> Because:
    """Not the file that was declared."""
    return because(
        "wrong-hash", subject,
        f"the tarball is not the declared file: its sha256 is {found}; nothing of it was used",
        f"该归档不是声明的文件：其 sha256 为 {found}；未使用其中任何内容",
    )  # fmt: skip


def bad_archive(subject: str, en: str, zh: str) -> Because:
    """Hostile or damaged."""
    return because(
        "damaged-archive", subject,
        f"the tarball cannot be used: {en}; nothing of it was used",
        f"该归档不可用：{zh}；未使用其中任何内容",
    )  # fmt: skip


def bad_record(filename: str, en: str, zh: str) -> Because:
    """A wheel whose own RECORD does not hold."""
    return because(
        "wrong-hash", filename,
        f"the wheel does not match its own RECORD: {en}; nothing of the tarball was used",
        f"该 wheel 与其自身的 RECORD 不符：{zh}；未使用该归档的任何内容",
    )  # fmt: skip


def unreadable_archive(subject: str, why: str) -> Because:
    """Missing, not readable, or no room to open it."""
    return because("unreadable", subject, f"cannot open the tarball: {why}", f"无法打开该归档：{why}")


def claims(torch: str, targets: Sequence[str]) -> Because:
    """The chip is among those that the maker names."""
    names = ", ".join(targets)
    return because(
        "claimed-targets", torch,
        f"whoever declared this route says that its torch holds code for {names}; that is a claim, not checked here",
        f"该路线的声明者称其 torch 包含 {names} 的代码；这只是声明，此处未经核实",
    )  # fmt: skip


def claims_others(torch: str, here: Sequence[str], targets: Sequence[str]) -> Because:
    """The maker names other chips."""
    names, have = ", ".join(here), ", ".join(targets)
    return because(
        "no-code-for-chip", torch,
        f"whoever declared this route names code for {have}, and this machine has {names}",
        f"该路线的声明者称其包含 {have} 的代码，而本机为 {names}",
    )  # fmt: skip


def claim_contradicted(torch: str, here: Sequence[str], known: Sequence[str]) -> Because:
    """The version is that of a build whose content is known to lack the chip."""
    names, have = ", ".join(here), ", ".join(known)
    return because(
        "unknown-targets", torch,
        f"it is declared to hold code for {names}, but PyTorch's own wheel of this very version holds code for {have} "
        "only; a build of your own bears another version",
        f"声明称其包含 {names} 的代码，但 PyTorch 官方同一版本的 wheel 只包含 {have} 的代码；"
        "自行构建的应使用不同的版本号",
    )  # fmt: skip


def claims_nothing(torch: str) -> Because:
    """Neither knowledge nor a claim."""
    return because(
        "unknown-targets", torch,
        f"for which GPUs {torch} holds code is not known: it is no build of PyTorch or AMD, and its declaration "
        "names no `targets`",
        f"{torch} 包含哪些 GPU 的代码未知：它不是 PyTorch 或 AMD 的版本，其声明也没有给出 `targets`",
    )  # fmt: skip
