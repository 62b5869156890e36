"""The machine's sources as they would be on another release: the same mirrors, that release's suites."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import msgspec

from ...facts.model import Facts, Repository
from ...knowledge.repositories import Distribution, archives, vendors
from .vendors import own_release

Remap = Callable[[str, str], str]
"""(name of a source, its URL) -> where the user's settings take it from."""


class Elsewhere(msgspec.Struct, frozen=True, kw_only=True):
    """One source of the other release."""

    name: str
    repository: Repository
    key: str | None = None
    """Of `keys.toml`, where nothing on the machine names a keyring."""
    needed: bool = True
    """Without it there is no answer; a further source may not have that release."""


def mapped(found: Sequence[Repository], facts: Facts, release: Distribution, remap: Remap) -> tuple[Elsewhere, ...]:
    """Sources of packages for `release`: from the machine's own where it is of the same distribution, else the archive
    of that distribution; and the vendors' that are configured."""
    own = own_release(facts)
    enabled = [one for one in found if one.enabled and "deb" in one.types]
    same = own is not None and own.id == release.id
    mine = [] if not same or own is None else [one for one in enabled if _is_own(one, own)]
    base = list(_own(mine, own, release)) if own is not None and mine else list(_archive(release, remap))
    return (*base, *_further([one for one in enabled if own is None or not _is_own(one, own)], own, release))


def _is_own(one: Repository, own: Distribution) -> bool:
    names = {own.codename, *own.aliases}
    return any(suite.partition("-")[0].partition("/")[0] in names for suite in one.suites) and not _of_vendor(one)


def _of_vendor(one: Repository) -> bool:
    """AMD names its suites as Ubuntu's releases."""
    hosts = {row.url.partition("://")[2].partition("/")[0] for row in vendors()}
    return any(uri.partition("://")[2].partition("/")[0] in hosts for uri in one.uris)


def _own(mine: Sequence[Repository], own: Distribution, release: Distribution) -> Iterator[Elsewhere]:
    for one in mine:
        suites = [new for suite in one.suites if (new := _suite(suite, own, release))]
        if suites:
            for uri in one.uris:
                yield Elsewhere(name=uri, repository=msgspec.structs.replace(one, uris=[uri], suites=suites))


def _suite(suite: str, own: Distribution, release: Distribution) -> str | None:
    """`bookworm-updates` -> `trixie-updates`; None where the other release has no such pocket (sid)."""
    for name in (own.codename, *own.aliases):
        if suite == name or suite.startswith((f"{name}-", f"{name}/")):
            other = release.codename + suite[len(name) :]
            return other if other in (*release.pockets, release.security) or suite == name else None
    return None


def _archive(release: Distribution, remap: Remap) -> Iterator[Elsewhere]:
    for archive in archives():
        if archive.id != release.id:
            continue
        pairs = [(archive.name, archive.url, list(release.pockets))]
        if release.security:
            pairs.append((f"{archive.name}-security", archive.security, [release.security]))
        for name, url, suites in pairs:
            yield Elsewhere(
                name=name, key=archive.key,
                repository=Repository(
                    file="", line=0, types=["deb"], uris=[remap(name, url)], suites=suites,
                    components=list(archive.components), signed_by=None, options={}, enabled=True,
                ),
            )  # fmt: skip


def _further(rest: Sequence[Repository], own: Distribution | None, release: Distribution) -> Iterator[Elsewhere]:
    """Of others: the suite of that name for the release; one that has no such names stays as it is."""
    known = [one for one in vendors() if one.suites]
    for one in rest:
        for uri in one.uris:
            vendor = next(
                (row for row in known if "{place}" not in row.url and row.url.rstrip("/") == uri.rstrip("/")), None
            )
            served = next((row for row in vendor.suites if row.codename == release.codename), None) if vendor else None
            suites = [served.suite or "/"] if served else [_renamed(suite, own, release) for suite in one.suites]
            yield Elsewhere(
                name=uri, needed=False, key=vendor.key if vendor else None,
                repository=msgspec.structs.replace(one, uris=[uri], suites=suites),
            )  # fmt: skip


def _renamed(suite: str, own: Distribution | None, release: Distribution) -> str:
    if own is None:
        return suite
    return suite.replace(own.codename, release.codename)
