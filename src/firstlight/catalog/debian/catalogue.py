"""A machine's catalogue of packages: read, not yet parsed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from ...facts.model import Apt, Repository
from ...facts.value import Unknown
from ...host.model import Host, Unread
from .apt_conf import read_config
from .compression import SUFFIXES
from .control import DamagedError
from .lists import LISTS, list_name, packages_paths, release_names, suite_uri
from .model import AptConfig, DebianCatalogue, Index, Lacking, PinRule, ReleaseInfo
from .release import LARGEST, read_release
from .status import read_status

_KINDS: dict[str, Literal["release", "version", "origin"]] = {
    "release": "release", "version": "version", "origin": "origin",
}  # fmt: skip


def read_catalogue(
    host: Host, repositories: Sequence[Repository], apt: Apt, *, native: str | None = None, extra: Sequence[Index] = ()
) -> DebianCatalogue:
    """What the machine's own files say. `extra`: indices that were fetched besides, as if they were configured.
    Whether a source is to be trusted is said by `trust`, not here. Raises nothing: what lacks is in `lacking`."""
    config, missing = read_config(host, native)
    installed, unread = read_status(host)
    names = host.names(LISTS)
    listed = frozenset(() if isinstance(names, Unread) else names)
    indices, lacking = _indices(host, repositories, config, listed)
    if isinstance(names, Unread) and not extra:
        lacking.append(Lacking(what=LISTS, why=names.reason.value))
    return DebianCatalogue(
        config=config,
        pins=tuple(pin_rules(apt)),
        installed=installed,
        indices=(*indices, *extra),
        lacking=(*missing, *unread, *lacking),
    )


def pin_rules(apt: Apt) -> Iterator[PinRule]:
    """The pins among the facts, as rules; forms that apt does not know are left out, as by apt."""
    if isinstance(apt.pins, Unknown):
        return
    for pin in apt.pins:
        word, _, value = pin.pin.partition(" ")
        kind = _KINDS.get(word)
        if kind:
            yield PinRule(
                packages=tuple(pin.packages), kind=kind, value=value.strip(), priority=pin.priority, file=pin.file
            )


def _indices(
    host: Host, repositories: Sequence[Repository], config: AptConfig, listed: frozenset[str]
) -> tuple[list[Index], list[Lacking]]:
    found: dict[str, Index] = {}
    lacking: list[Lacking] = []
    read = _Lists(host, config, listed)
    for source in repositories:
        if not source.enabled or "deb" not in source.types:
            continue
        for uri in source.uris:
            for suite in source.suites:
                here = list(read.suite(source, uri, suite))
                for one in here:
                    found.setdefault(one.path, one)
                if not here:
                    lacking.append(Lacking(what=f"{uri} {suite}", why="no-index"))
    return list(found.values()), lacking


class _Lists:
    """The folder in which apt keeps what it fetched."""

    def __init__(self, host: Host, config: AptConfig, listed: frozenset[str]) -> None:
        self._host, self._config, self._listed = host, config, listed

    def suite(self, source: Repository, uri: str, suite: str) -> Iterator[Index]:
        """The indices of one suite of a source, for each architecture and component. `$(ARCH)` is the native one."""
        uri, plain = (text.replace("$(ARCH)", self._config.architectures[0]) for text in (uri, suite))
        asked = source.options.get("arch", source.options.get("architectures", "")).replace(",", " ").split()
        release, release_path = self._release(uri, plain)
        for architecture in asked or self._config.architectures:
            if architecture not in self._config.architectures:
                continue
            for component in source.components or [""]:
                for path in self._present(uri, plain, component, architecture):
                    yield Index(
                        uri=uri, suite=plain, component=component, architecture=architecture, path=path,
                        release=release, release_path=release_path,
                    )  # fmt: skip

    def _present(self, uri: str, suite: str, component: str, architecture: str) -> Iterator[str]:
        for path in packages_paths(suite, component, architecture):
            name = list_name(f"{suite_uri(uri, suite)}{path}")
            there = next((f"{name}{end}" for end in SUFFIXES if f"{name}{end}" in self._listed), None)
            if there:
                yield f"{LISTS}/{there}"

    def _release(self, uri: str, suite: str) -> tuple[ReleaseInfo | None, str]:
        for name in release_names(uri, suite)[:2]:
            if name in self._listed:
                data = self._host.read(f"{LISTS}/{name}", LARGEST)
                if not isinstance(data, Unread):
                    try:
                        return read_release(data), f"{LISTS}/{name}"
                    except DamagedError:
                        return None, f"{LISTS}/{name}"
        return None, ""
