"""Packages that are asked for by their address: which of them a lock can hold."""

from __future__ import annotations

from collections.abc import Iterable

from ..project.urls import redact
from .family import is_family
from .model import Because
from .reasons import because


def unlockable(requirements: Iterable[str]) -> Because | None:
    """Why the first of them that cannot be frozen cannot. A lock holds a wheel by its address and hash; a folder, a
    repository or source code has none that would stay. Nothing of it is fetched, and git is not started."""
    from packaging.requirements import Requirement
    from packaging.utils import canonicalize_name

    for text in requirements:
        requirement = Requirement(text)
        if requirement.url is None:
            continue
        if is_family(canonicalize_name(requirement.name)):
            return _of_route(requirement.name)
        path = requirement.url.partition("#")[0].partition("?")[0]
        if not requirement.url.startswith(("https://", "http://")) or not path.endswith(".whl"):
            return _no_wheel(requirement.name, redact(requirement.url))
    return None


def _of_route(name: str) -> Because:
    return because(
        "by-address", name,
        f"{name} was asked for by its address, and comes from the route alone: declare a `[[route]]` that holds it",
        f"{name} 以地址方式指定，但它只能来自路线本身：请用 `[[route]]` 声明包含它的路线",
    )  # fmt: skip


def _no_wheel(name: str, url: str) -> Because:
    return because(
        "by-address", name,
        f"{url} is no wheel at an http or https address, so no hash can be frozen for it: build the wheel, and name "
        "its folder with find-links or as a `[[source]]`",
        f"{url} 不是 http 或 https 地址上的 wheel，无法锁定其哈希：请先构建 wheel，"
        "再用 find-links 或 `[[source]]` 指定其文件夹",
    )  # fmt: skip
