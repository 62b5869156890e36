"""Bare roots of machines with apt, and what is asked of them."""

from __future__ import annotations

import time
from pathlib import Path

from firstlight.catalog.debian.lists import release_names
from firstlight.catalog.debian.trust import judge_trust
from firstlight.catalog.debian.trust_model import SourceTrust, Trust
from firstlight.facts.repositories import repositories
from firstlight.host import open_host

URI, SUITE = "https://vendor.example/apt", "noble"
RING = "/etc/apt/keyrings/vendor.gpg"
GPGV, SQV = "gpgv", "sqv"
OS_RELEASE = 'ID=ubuntu\nID_LIKE=debian\nVERSION_ID="24.04"\nVERSION_CODENAME=noble\nPRETTY_NAME="Ubuntu 24.04 LTS"\n'
_STANZA = "Package: {name}\nStatus: install ok installed\nArchitecture: amd64\nVersion: {version}\n\n"


class Root:
    """A folder as a file system root; every change returns it."""

    def __init__(self, path: Path, verifier: str = GPGV) -> None:
        self.path = path
        status = _STANZA.format(name="apt", version="3.0.4" if verifier == SQV else "2.6.1")
        self.write("/var/lib/dpkg/status", status + (_STANZA.format(name="sqv", version="1.3.0-3") * (verifier == SQV)))
        self.write("/etc/os-release", OS_RELEASE)
        (path / "etc/apt/trusted.gpg.d").mkdir(parents=True)
        (path / "etc/apt/keyrings").mkdir(parents=True)
        (path / "var/lib/apt/lists/partial").mkdir(parents=True)

    def write(self, path: str, content: str | bytes) -> Root:
        """A file with its folders."""
        target = self.path / path.lstrip("/")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content if isinstance(content, bytes) else content.encode())
        return self

    def source(self, options: str = f"signed-by={RING}", uri: str = URI, suite: str = SUITE) -> Root:
        """One line of sources.list.d."""
        components = "" if suite.endswith("/") else " main"
        shown = f"[{options}] " if options else ""
        return self.write("/etc/apt/sources.list.d/vendor.list", f"deb {shown}{uri} {suite}{components}\n")

    def listed(self, inrelease: bytes, uri: str = URI, suite: str = SUITE, *, partial: bool = False) -> Root:
        """An InRelease among apt's lists."""
        folder = "/var/lib/apt/lists/partial" if partial else "/var/lib/apt/lists"
        return self.write(f"{folder}/{release_names(uri, suite)[0]}", inrelease)

    def trust(self, now: float | None = None) -> Trust:
        """Of all its sources."""
        host = open_host(str(self.path))
        return judge_trust(host, repositories(host), time.time() if now is None else now)

    def one(self, now: float | None = None) -> SourceTrust:
        """Of its only suite."""
        (found,) = self.trust(now).sources
        return found


def kinds(found: SourceTrust, *effects: str) -> list[str]:
    """Kinds of its problems, of these effects only; all if none is named."""
    return [one.kind for one in found.problems if not effects or one.effect in effects]
