"""The distributions of an environment, by their metadata folders alone (PyPA: recording installed projects, PEP 610).

All of it may be hostile: sizes are bounded, names and versions are checked before anybody uses them."""

from __future__ import annotations

from typing import Literal

import msgspec

from ..facts.distributions import METADATA_AT_MOST, header, normalised
from ..facts.reading import listing, string
from ..facts.value import Unknown
from ..host.model import Host

OriginKind = Literal[
    "index", "archive", "folder", "editable", "version-control", "conda", "no-wheel", "twice", "malformed"
]
DISTRIBUTIONS_AT_MOST = 5000
SMALL = 1 << 16
LONGEST = 200
"""Characters of a name or version."""
TAGS_AT_MOST = 512


class Origin(msgspec.Struct, frozen=True, kw_only=True):
    """Where an installer says that it took a distribution from; `index`: it says nothing, so by name and version."""

    kind: OriginKind
    url: str = ""
    """Of an archive; may hold credentials."""
    sha256: str | None = None
    """Of an archive, where it is recorded."""


class Installed(msgspec.Struct, frozen=True, kw_only=True):
    """One distribution as it is installed."""

    name: str
    """Normalised."""
    version: str
    site: str
    """The folder of packages that holds it."""
    folder: str
    """Name of its metadata folder there."""
    tags: frozenset[str] = frozenset()
    """Compatibility tags of the wheel that it was installed from."""
    origin: Origin = Origin(kind="index")


class DirInfo(msgspec.Struct, frozen=True):
    """PEP 610."""

    editable: bool = False


class ArchiveInfo(msgspec.Struct, frozen=True):
    """PEP 610; `hash` is the older form, `sha256=<hex>`."""

    hash: str | None = None
    hashes: dict[str, str] = {}


class DirectUrl(msgspec.Struct, frozen=True):
    """direct_url.json. Exactly one of the three says what kind it is."""

    url: str
    dir_info: DirInfo | None = None
    archive_info: ArchiveInfo | None = None
    vcs_info: dict[str, object] | None = None


def installed(host: Host, sites: tuple[str, ...]) -> tuple[Installed, ...]:
    """Sorted by name; of a name that several folders hold, the one that is imported. Two of one name in the same
    folder are both given, as `twice`: which of them runs cannot be told."""
    found: dict[str, list[Installed]] = {}
    for site in sites:
        here: dict[str, list[Installed]] = {}
        for entry in _entries(host, site):
            one = _read(host, site, entry)
            here.setdefault(one.name, []).append(one)
        for name, several in here.items():
            found.setdefault(name, several)
    return tuple(one for name in sorted(found) for one in _each(found[name]))


def _entries(host: Host, site: str) -> list[str]:
    """`~orch-2.13.0.dist-info` is what an interrupted pip leaves behind; no installer counts it."""
    names = listing(host, site)
    endings = (".dist-info", ".egg-info", ".egg-link")
    kept = [] if isinstance(names, Unknown) else [one for one in names if one.endswith(endings) and one[0] not in "~-."]
    return kept[:DISTRIBUTIONS_AT_MOST]


def _each(several: list[Installed]) -> list[Installed]:
    if len(several) == 1:
        return several
    # an `.egg-link` stands beside the `.egg-info` of the same editable install in older setuptools
    return [msgspec.structs.replace(one, origin=Origin(kind="twice")) for one in several]


def _read(host: Host, site: str, entry: str) -> Installed:
    stem, _, ending = entry.rpartition(".")
    name, _, version = stem.partition("-")
    if ending == "egg-link":
        return _named(site, entry, stem, "", Origin(kind="editable"))
    if ending == "egg-info":
        return _named(site, entry, name, version.partition("-py3")[0], Origin(kind="no-wheel"))
    fields = _fields(host, f"{site}/{entry}/METADATA")
    said = fields.get("Name", name), fields.get("Version", version)
    one = _named(site, entry, *said, _origin(host, f"{site}/{entry}"))
    return msgspec.structs.replace(one, tags=_tags(host, f"{site}/{entry}/WHEEL"))


def _named(site: str, entry: str, name: str, version: str, origin: Origin) -> Installed:
    """What is no name or version (PEP 508, PEP 440) is shown, and never passed on to another program."""
    sound = _is_name(name) and (_is_version(version) or origin.kind == "editable")
    return Installed(
        name=normalised(name)[:LONGEST] or entry[:LONGEST], version=version[:LONGEST], site=site, folder=entry,
        origin=origin if sound else Origin(kind="malformed"),
    )  # fmt: skip


def _is_name(text: str) -> bool:
    plain = all(sign.isascii() and (sign.isalnum() or sign in "-_.") for sign in text)
    return 0 < len(text) <= LONGEST and plain and text[0].isalnum() and text[-1].isalnum()


def _is_version(text: str) -> bool:
    from packaging.version import InvalidVersion, Version

    if len(text) > LONGEST or not text.isascii():
        return False
    try:
        Version(text)
    except InvalidVersion:
        return False
    return text == text.strip()


def _fields(host: Host, path: str) -> dict[str, str]:
    content = string(host, path, METADATA_AT_MOST)
    lines = [] if isinstance(content, Unknown) else header(content).splitlines()
    pairs = (line.partition(":") for line in lines if line.startswith(("Name:", "Version:")))
    return {name: value.strip() for name, _, value in pairs if value.strip()}


def _tags(host: Host, path: str) -> frozenset[str]:
    content = string(host, path, SMALL)
    lines = [] if isinstance(content, Unknown) else content.splitlines()[:TAGS_AT_MOST]
    return frozenset(line.partition(":")[2].strip() for line in lines if line.startswith("Tag:"))


def _origin(host: Host, folder: str) -> Origin:
    installer = string(host, f"{folder}/INSTALLER", SMALL)
    if not isinstance(installer, Unknown) and installer.strip().lower() == "conda":
        return Origin(kind="conda")
    content = string(host, f"{folder}/direct_url.json", SMALL)
    if isinstance(content, Unknown):
        return Origin(kind="index") if content.unknown == "absent" else Origin(kind="malformed")
    return direct_url(content)


def direct_url(content: str) -> Origin:
    """What a direct_url.json says (PEP 610)."""
    try:
        said = msgspec.json.decode(content.encode(), type=DirectUrl)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return Origin(kind="malformed")
    if said.vcs_info is not None:
        return Origin(kind="version-control", url=said.url)
    if said.dir_info is not None:
        return Origin(kind="editable" if said.dir_info.editable else "folder", url=said.url)
    if said.archive_info is None:
        return Origin(kind="malformed")
    return Origin(kind="archive", url=said.url, sha256=_sha256(said.archive_info))


def _sha256(info: ArchiveInfo) -> str | None:
    algorithm, _, old = (info.hash or "").partition("=")
    text = info.hashes.get("sha256") or (old if algorithm == "sha256" else "")
    return text if len(text) == 64 and all(sign in "0123456789abcdef" for sign in text) else None
