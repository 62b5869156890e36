"""A machine's packages: what is installed, what its indices offer, and what apt is told to prefer."""

from __future__ import annotations

from typing import Literal

import msgspec


class ReleaseInfo(msgspec.Struct, frozen=True, kw_only=True):
    """A Release file's body (deb822; Debian wiki, RepositoryFormat)."""

    origin: str = ""
    label: str = ""
    suite: str = ""
    """`Suite`, which preferences call archive: `stable`, `oldstable`, `noble`."""
    codename: str = ""
    version: str = ""
    components: tuple[str, ...] = ()
    architectures: tuple[str, ...] = ()
    date: str = ""
    """As written (RFC 5322)."""
    valid_until: str = ""
    not_automatic: bool = False
    but_automatic_upgrades: bool = False
    by_hash: bool = False
    """`Acquire-By-Hash`."""
    all_apart: bool = False
    """Packages for all architectures stand in an index of their own: `Architectures` has `all`, and no
    `No-Support-for-Architecture-all: Packages`."""
    hashes: dict[str, tuple[str, int]] = {}
    """Path below the suite -> SHA-256 in hex, and size in bytes."""


class Index(msgspec.Struct, frozen=True, kw_only=True):
    """One `Packages` file that apt would read."""

    uri: str
    """As the source names it, without credentials."""
    suite: str
    component: str
    """Empty for a flat repository."""
    architecture: str
    path: str
    """In the host, or in our cache."""
    release: ReleaseInfo | None = None
    release_path: str = ""
    trusted: bool | None = None
    """Whether its Release is signed by a key that apt would accept for it; None: that cannot be told."""
    ours: bool = False
    """It was fetched into our own cache rather than by apt."""

    @property
    def site(self) -> str:
        """Host name of `uri`, which `Pin: origin` names; empty for a local one."""
        return self.uri.partition("://")[2].partition("/")[0].rpartition("@")[2]

    @property
    def label(self) -> str:
        """For people: URI, suite, component."""
        return " ".join(part for part in (self.uri, self.suite, self.component) if part)


class Installed(msgspec.Struct, frozen=True, kw_only=True):
    """One stanza of dpkg's status (dpkg(1), package states) of which files or configuration are there."""

    fields: dict[str, str]
    """By name in lower case, those that resolving needs."""
    state: str
    """`installed`, `unpacked`, `half-configured`, `config-files` ..."""
    held: bool
    auto: bool = False
    """Only there because something needed it (apt's extended_states)."""

    @property
    def name(self) -> str:
        """Of the package."""
        return self.fields.get("package", "")


class AptConfig(msgspec.Struct, frozen=True, kw_only=True):
    """What of apt.conf(5) decides about versions."""

    architectures: tuple[str, ...]
    """The native one first."""
    recommends: bool = True
    """`APT::Install-Recommends`."""
    default_release: str = ""
    """`APT::Default-Release`."""
    never: tuple[str, ...] = ()


class PinRule(msgspec.Struct, frozen=True, kw_only=True):
    """One stanza of apt_preferences(5)."""

    packages: tuple[str, ...]
    kind: Literal["release", "version", "origin"]
    value: str
    priority: int
    file: str


class Lacking(msgspec.Struct, frozen=True, kw_only=True):
    """Something that could not be read, and is needed for a certain answer."""

    what: str
    """A path, or a source."""
    why: str
    """Kebab-case: `not-captured`, `absent`, `denied`, `malformed`, `too-large`, `no-index`, `wrong-hash`."""


class DebianCatalogue(msgspec.Struct, frozen=True, kw_only=True):
    """All that the answer to a request depends on."""

    config: AptConfig
    pins: tuple[PinRule, ...] = ()
    installed: tuple[Installed, ...] = ()
    indices: tuple[Index, ...] = ()
    lacking: tuple[Lacking, ...] = ()
