"""All settings weighed -> where distributions come from here."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from ..knowledge.sources import builtin_indices
from .model import Source, Sources
from .pip_config import PipConfig, Setting
from .settings import Settings, SourceSettings, check_place
from .urls import label, local_path, without_credentials
from .uv_config import UvConfig

PYPI = "pypi"
"""Name of the default index. Its URL is empty where nobody configured one: the installer's own default is used."""


def weigh(settings: Sequence[Settings], pip: PipConfig, uv: UvConfig) -> Sources:
    """`settings` in falling precedence."""
    own = _own(settings)
    repositories = _repositories(own)
    default = _default(own, pip, uv)
    extra = _unique([*_extra(pip.many("extra-index-url"), "pip-index"), *_uv_extra(uv)], taken=set(own))
    no_index = pip.flag("no-index") or uv.no_index
    return Sources(
        default_indices=() if no_index else (*extra, default),
        wheelhouses=_wheelhouses(own, pip, uv),
        torch_indices=_torch_indices(own, () if no_index else extra, default, no_index=no_index),
        further=() if no_index else tuple(_added(own)),
        repositories=repositories,
        constraints=_constraints(settings, pip, uv),
        no_index=no_index,
        cert=_value(pip.one("cert")),
        client_cert=_value(pip.one("client-cert")),
        trusted_hosts=tuple(setting.value for setting in pip.many("trusted-host")),
        proxy=_value(pip.one("proxy")),
        megabits=next((one.megabits for one in settings if one.megabits is not None), None),
        offline=next((one.offline for one in settings if one.offline is not None), False),
    )


def _own(settings: Sequence[Settings]) -> dict[str, Source]:
    """Sources of our own settings by name; the first to name one wins."""
    found: dict[str, Source] = {}
    for one in settings:
        for source in one.source:
            found.setdefault(source.name, _source(source, one.origin))
    return found


def _repositories(own: dict[str, Source]) -> tuple[Source, ...]:
    """Those of system packages, taken out of `own`: they are no indices of Python packages."""
    if not own:
        return ()
    from ..knowledge.repositories import source_names  # parses a table

    return tuple(own.pop(name) for name in source_names() if name in own)


def _added(own: Mapping[str, Source]) -> list[Source]:
    """Indices that are no mirror of a known one."""
    known = {PYPI, *(one.name for one in builtin_indices())}
    return [one for one in own.values() if one.kind == "index" and one.name not in known]


def _source(said: SourceSettings, origin: str) -> Source:
    path = local_path(said.url)
    # a folder that holds wheels is a wheelhouse; a PEP 503 tree on disk holds folders
    flat = path is not None and os.path.isdir(path) and _holds_wheels(path)
    return Source(name=said.name, url=said.url, kind=said.kind or ("folder" if flat else "index"), origin=origin)


def _holds_wheels(path: str) -> bool:
    try:
        with os.scandir(path) as entries:
            return any(entry.name.endswith(".whl") for entry in entries)
    except OSError:
        return False


def _default(own: Mapping[str, Source], pip: PipConfig, uv: UvConfig) -> Source:
    if PYPI in own:
        return own[PYPI]
    said = pip.one("index-url") or pip.one("pypi-url") or uv.default
    url, origin = (said.value, said.origin) if said else ("", "built-in")
    check_place(url, "index-url", origin)
    return Source(name=PYPI, url=url, kind="index", origin=origin)


def _extra(said: Sequence[Setting], prefix: str) -> list[Source]:
    for one in said:
        check_place(one.value, "extra-index-url", one.origin)
    return [
        Source(name=f"{prefix}-{label(one.value)}".strip("-"), url=one.value, kind="index", origin=one.origin)
        for one in said
    ]


def _uv_extra(uv: UvConfig) -> list[Source]:
    plain = _extra(uv.extra, "uv-index")
    return [
        Source(name=uv.named.get(one.url, one.name), url=one.url, kind=one.kind, origin=one.origin) for one in plain
    ]


def _unique(sources: Sequence[Source], taken: set[str]) -> tuple[Source, ...]:
    """Each URL once, each name once (`-2`, `-3` for namesakes)."""
    found: dict[str, Source] = {}
    for one in sources:
        if all(one.url != other.url for other in found.values()):
            name, number = one.name, 2
            while name in found or name in taken:
                name, number = f"{one.name}-{number}", number + 1
            found[name] = Source(name=name, url=one.url, kind=one.kind, origin=one.origin)
    return tuple(found.values())


def _wheelhouses(own: Mapping[str, Source], pip: PipConfig, uv: UvConfig) -> tuple[Source, ...]:
    said = [*pip.many("find-links"), *uv.find_links]
    for one in said:
        check_place(one.value, "find-links", one.origin)
    folders = [Source(name="wheelhouse", url=one.value, kind="folder", origin=one.origin) for one in said]
    mine = [one for one in own.values() if one.kind == "folder"]
    return (*mine, *_unique(folders, taken=set(own)))


def _torch_indices(
    own: Mapping[str, Source], extra: Sequence[Source], default: Source, *, no_index: bool
) -> tuple[Source, ...]:
    said = {_plain(one.url) for one in (*own.values(), *extra)}
    built_in = [] if no_index else [
        Source(name=one.name, url=one.url, kind="index", origin="built-in")
        for one in builtin_indices()
        if one.name not in own and _plain(one.url) not in said
    ]  # fmt: skip
    mine = [one for one in own.values() if one.kind == "index" and one.name != PYPI]
    return (*mine, *extra, *built_in, *([] if no_index else [default]))


def _plain(url: str) -> str:
    """An address as far as it tells two places apart."""
    return without_credentials(url).rstrip("/").lower()


def _constraints(settings: Sequence[Settings], pip: PipConfig, uv: UvConfig) -> tuple[str, ...]:
    own = [path for one in settings for path in one.constraints]
    said = [setting.value for setting in (*pip.many("constraint"), *uv.constraints)]
    return tuple(dict.fromkeys([*own, *said]))


def _value(setting: Setting | None) -> str | None:
    return setting.value if setting else None
