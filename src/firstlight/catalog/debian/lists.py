"""Where apt keeps what it fetched: names in /var/lib/apt/lists (apt-pkg/strutl.cc, URItoFileName)."""

from __future__ import annotations

from collections.abc import Iterator

LISTS = "/var/lib/apt/lists"
_QUOTED = '\\|{}[]<>"^~_=!@#$%^&*'


def list_name(uri: str) -> str:
    """The file that stands for an address: without scheme, user and password; `/` is `_`, odd signs are `%xx`."""
    rest = uri.partition("://")[2] or uri.partition(":")[2] or uri
    authority, slash, path = rest.partition("/")
    plain = authority.rpartition("@")[2] + slash + path
    quoted = "".join(f"%{ord(sign):02x}" if sign in _QUOTED or not " " < sign < "\x7f" else sign for sign in plain)
    return quoted.replace("/", "_")


def suite_uri(uri: str, suite: str) -> str:
    """Where a suite's Release lies: `URI/dists/SUITE/`, or of a flat repository (its suite ends with `/`) the folder
    itself."""
    base = uri if uri.endswith("/") else f"{uri}/"
    if suite.endswith("/"):
        return base + ("" if suite in ("/", "./") else suite)
    return f"{base}dists/{suite}/"


def release_names(uri: str, suite: str) -> tuple[str, str, str]:
    """Names of InRelease, Release, Release.gpg."""
    base = list_name(suite_uri(uri, suite))
    return f"{base}InRelease", f"{base}Release", f"{base}Release.gpg"


def packages_paths(suite: str, component: str, architecture: str) -> Iterator[str]:
    """Below the suite; of a component also the index that is for all architectures."""
    if suite.endswith("/"):
        yield "Packages"
        return
    yield f"{component}/binary-{architecture}/Packages"
    yield f"{component}/binary-all/Packages"
