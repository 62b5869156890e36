"""What is known of builds from no index, as routes that say what they would cost."""

from __future__ import annotations

from collections.abc import Sequence

from ..facts.model import Facts
from ..knowledge.community import CommunityBuild, builds_for
from ..project.model import Backend
from .gpus import targets
from .model import Because, Provenance, Route
from .reasons import because


def community_routes(facts: Facts, backends: Sequence[Backend]) -> tuple[Route, ...]:
    """Those for the AMD chips of this machine, each blocked, with what it takes; none where `backends` has no rocm.
    Reads our own tables only."""
    if "rocm" not in backends or facts.arch != "x86_64":
        return ()  # what is known of them is for x86-64
    found: dict[str, Route] = {}
    for target in targets("rocm", facts):
        for build in builds_for(target):
            found.setdefault(build.name, _route(build, target))
    return tuple(found.values())


def _route(build: CommunityBuild, target: str) -> Route:
    return Route(
        name=build.name, tier="community", backend="rocm", verdict="blocked",
        because=(_needs(build, target), *_costs(build), *_notes(build)),
        versions={"torch": build.torch} if build.torch else {}, targets=(target,),
        disk_bytes=round(build.disk_gb * 1e9) if build.disk_gb else None, provenance=_provenance(build, target),
    )  # fmt: skip


def _provenance(build: CommunityBuild, target: str) -> Provenance:
    return Provenance(
        declared_in="built-in", maintainer=build.maintainer, licence=build.licence,
        recipe=build.recipe.strip().replace("{target}", target), homepage=build.homepage,
        build_minutes=build.minutes,
    )  # fmt: skip


DECLARE = "then declare the folder of its wheels as a `[[route]]`"
DECLARE_ZH = "然后把其 wheel 所在文件夹声明为 `[[route]]`"


def _needs(build: CommunityBuild, target: str) -> Because:
    if build.kind == "image":
        return because(
            "needs-container", build.name,
            f"{build.title}, by {build.maintainer}, seen {build.seen}: `podman pull {build.image}`; not checked here, "
            "and an image cannot be locked",
            f"{build.title}，由 {build.maintainer} 维护，查看于 {build.seen}：`podman pull {build.image}`；"
            "此处未经核实，且镜像无法锁定",
        )  # fmt: skip
    if build.kind == "wheels":
        return because(
            "needs-fetching", build.name,
            f"{build.title}, by {build.maintainer}, seen {build.seen}: fetch them from {build.homepage}, {DECLARE}",
            f"{build.title}，由 {build.maintainer} 维护，查看于 {build.seen}：请从 {build.homepage} 下载，{DECLARE_ZH}",
        )  # fmt: skip
    return because(
        "needs-building", build.name,
        f"{build.title}: {build.homepage} says how to build it for {target}, {DECLARE}; {build.maintainer} answers "
        "for it",
        f"{build.title}：请按 {build.homepage} 的说明为 {target} 构建，{DECLARE_ZH}；由 {build.maintainer} 负责",
    )  # fmt: skip


def _costs(build: CommunityBuild) -> tuple[Because, ...]:
    parts = [part for part in (_disk(build), _memory(build), _time(build)) if part]
    if build.kind != "source" and not parts:
        return ()
    en = "; ".join(part[0] for part in parts) or "nothing is known of disk, memory and time"
    zh = "；".join(part[1] for part in parts) or "磁盘、内存和时间均未知"
    return (because("build-cost", build.name, f"it takes: {en}", f"代价：{zh}"),)


def _disk(build: CommunityBuild) -> tuple[str, str] | None:
    if build.disk_gb is None:
        return None
    part = f", of which {build.checkout_gb:g} GB are sources" if build.checkout_gb else ""
    part_zh = f"（其中源码 {build.checkout_gb:g} GB）" if build.checkout_gb else ""
    return f"about {build.disk_gb:g} GB of disk{part}", f"磁盘约 {build.disk_gb:g} GB{part_zh}"


def _memory(build: CommunityBuild) -> tuple[str, str] | None:
    if build.memory_gb is None:
        return None
    each = f", up to {build.process_gb:g} GB in one process" if build.process_gb else ""
    each_zh = f"（单个进程最多 {build.process_gb:g} GB）" if build.process_gb else ""
    return (
        f"{build.memory_gb:g} GB of memory for {build.jobs} jobs at a time{each}",
        f"{build.jobs} 个并行任务需内存 {build.memory_gb:g} GB{each_zh}",
    )


def _time(build: CommunityBuild) -> tuple[str, str] | None:
    if build.minutes is not None:
        on, on_zh = (f" on a {build.machine}", f"（{build.machine}）") if build.machine else ("", "")
        return f"about {build.minutes:g} minutes{on}", f"约 {build.minutes:g} 分钟{on_zh}"
    if build.processor_minutes is not None:
        hours = round(build.processor_minutes / 60)
        return f"{hours} processor hours in one recorded build", f"有记录的一次构建用了 {hours} 处理器小时"
    return ("how long is not known", "所需时间未知") if build.kind == "source" else None


def _notes(build: CommunityBuild) -> tuple[Because, ...]:
    archived = build.archived and because(
        "archived", build.name,
        f"its maker has not kept it since {build.archived}",
        f"作者自 {build.archived} 起不再维护",
    )  # fmt: skip
    note = build.note_en and build.note_zh and because("note", build.name, build.note_en, build.note_zh)
    return tuple(one for one in (archived, note) if one)
