"""Who answers for what a lock holds, judged by the files that it names rather than by what it says of itself."""

from __future__ import annotations

from collections.abc import Sequence

from ..catalog import Catalog, Page
from ..errors import NoError
from ..knowledge.files import known_file
from ..knowledge.sources import builtin_indices
from ..project.known import known_index
from ..project.model import Project, Sources
from ..project.urls import local_path
from ..routes.choose import PRODUCTION
from ..routes.model import Wheel
from ..routes.pylock import wheels_of
from ..words import Words
from .files import read_pylock
from .model import BackendLock

DEFAULT_ROUTE = "pypi-cuda"
"""The only route to a torch of PyTorch's own that lies on no host of the torch family: the default index."""

_WHAT = Words(
    "policy production does not take this lock: {why}",
    "production 策略不接受此锁文件：{why}",
)
_TIER = Words(
    "route {route} is of tier {tier}, and only vendor, upstream and distro are taken",
    "路线 {route} 的层级为 {tier}，而只接受 vendor、upstream、distro",
)
_CLAIM = Words(
    "it says that route {route} is of tier {tier}, and its torch comes from {place}, which does not bear that out",
    "它称路线 {route} 的层级为 {tier}，而其 torch 来自 {place}，与此不符",
)
_WHY = Words(
    "the policy is set in the settings or in FIRSTLIGHT_POLICY; nothing was installed",
    "该策略在设置或 FIRSTLIGHT_POLICY 中指定；没有安装任何东西",
)
_NEXT = Words(
    'freeze another route with `firstlight lock --policy production`, or lift the policy with `policy = "any"`',
    '用 `firstlight lock --policy production` 锁定其他路线，或用 `policy = "any"` 取消该策略',
)


def allow(project: Project, held: BackendLock) -> None:
    """Raises NoError where the project wants policy production and the lock holds a community or local environment,
    or one whose tier its own files do not bear out; UnreadableInput for a damaged pylock."""
    if project.goal.policy != "production":
        return
    wheels = wheels_of(read_pylock(project.root, held), (), {}, held.pylock)
    why = refusal(held, wheels, project.sources)
    if why is not None:
        raise NoError(Words(_WHAT.en.format(why=why.en), _WHAT.zh.format(why=why.zh)), why=_WHY, next=_NEXT)


def refusal(held: BackendLock, wheels: Sequence[Wheel], sources: Sources, cache: str | None = None) -> Words | None:
    """Why policy production does not take it; None: it does. Only for files from a place that nothing here speaks for
    is the index asked that the route is named after. `cache`: of the catalogue, for tests."""
    if held.tier not in PRODUCTION or held.provenance is not None:
        tier = held.tier if held.tier not in PRODUCTION else "local"
        return _TIER.fill(route=held.route, tier=tier)
    torch = next((wheel for wheel in wheels if wheel.name == "torch"), None)
    if torch is None or _borne_out(held, torch) or _is_mirror(held, torch, sources):
        return None
    if _stated(held, torch, Catalog(sources, cache)):
        return None
    return _CLAIM.fill(route=held.route, tier=held.tier, place=_host(torch.url) or "a folder")


def _borne_out(held: BackendLock, torch: Wheel) -> bool:
    tiers = _tiers_of(_host(torch.url))
    if tiers:
        return held.tier in tiers
    known = known_file(torch.filename)
    if known is not None and known.sha256 == torch.sha256:
        return known.tier == held.tier
    plain = "+" not in torch.version and torch.url is not None
    return (held.route == DEFAULT_ROUTE or held.adopted) and held.tier == "upstream" and plain


def _is_mirror(held: BackendLock, torch: Wheel, sources: Sources) -> bool:
    """Whether the settings of this machine name the place as a mirror of the index that the route is called after."""
    original = known_index(held.route)
    if original is None or original.tier != held.tier:
        return False
    places = [one.url for one in sources.torch_indices if one.name == held.route]
    if torch.url is None:
        return any(local_path(place) is not None for place in places)
    return any(_host(place) == _host(torch.url) for place in places)


def _stated(held: BackendLock, torch: Wheel, catalog: Catalog) -> bool:
    """Whether the index that the route is named after states this very file."""
    original = known_index(held.route)
    if original is None or original.tier != held.tier:
        return False
    page = catalog.page(original.url, "torch")
    return isinstance(page, Page) and any(
        (one.filename, one.sha256) == (torch.filename, torch.sha256) for one in page.files
    )


def _tiers_of(host: str) -> set[str]:
    """Of the known indices in its domain: an index may keep its files on another host there."""
    domain = host.split(".")[-2:]
    known = ((one.url.partition("://")[2].partition("/")[0], one.tier) for one in builtin_indices())
    return {tier for name, tier in known if name.split(".")[-2:] == domain}


def _host(url: str | None) -> str:
    return (url or "").partition("://")[2].partition("/")[0].rpartition("@")[2].partition(":")[0].lower()
