"""For which backend a hand-made environment is, by its torch."""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import CannotTell, NoError
from ..facts.model import Distribution, Facts, Unknown
from ..facts.reading import names_in
from ..facts.torch_build import torch_build
from ..host.model import Host
from ..project.model import Backend
from ..words import Words
from .adopt_places import Place
from .adopt_reading import Installed

BACKENDS: tuple[Backend, ...] = ("rocm", "cuda", "cpu")


def backend_of(host: Host, place: Place, every: Sequence[Installed], facts: Facts, wanted: Backend | None) -> Backend:
    """What its torch was built for; of an environment without torch what was said. Raises NoError where there is no
    torch or it is for another backend, CannotTell for a build that is not known."""
    torch = next((one for one in every if one.name == "torch"), None)
    if torch is None:
        if wanted is not None:
            return wanted
        raise NoError(
            Words(f"there is no torch in {place.prefix}", f"{place.prefix} 中没有 torch"),
            why=Words("the torch build tells which backend is to be locked", "要由 torch 的构建判断锁定哪个后端"),
            next=Words("name another environment with `--environment`, or say `--backend`",
                       "请用 `--environment` 指定其他环境，或用 `--backend` 指定后端"),
        )  # fmt: skip
    listed = [Distribution(name=one.name, version=one.version) for one in every]
    build = torch_build(host, torch.site, names_in(host, torch.site), listed, facts.arch)
    told = None if build is None or isinstance(build.backend, Unknown) else build.backend
    found = next((one for one in BACKENDS if one == told), None)
    if found is None:
        raise CannotTell(
            Words(f"torch {torch.version} in {place.prefix} is a build for {told or '?'}",
                  f"{place.prefix} 中的 torch {torch.version} 是面向 {told or '?'} 的构建"),
            why=Words("a lock is for rocm, cuda or cpu", "锁文件只面向 rocm、cuda 或 cpu"),
            next=Words("name another environment with `--environment`", "请用 `--environment` 指定其他环境"),
        )  # fmt: skip
    if wanted not in (None, found):
        raise NoError(
            Words(f"torch {torch.version} in {place.prefix} is a build for {found}, not for {wanted}",
                  f"{place.prefix} 中的 torch {torch.version} 面向 {found}，而不是 {wanted}"),
            next=Words("leave `--backend` out, or name another environment with `--environment`",
                       "请去掉 `--backend`，或用 `--environment` 指定其他环境"),
        )  # fmt: skip
    return found
