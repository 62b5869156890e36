"""Private apt roots with hand-written indices: sources, lists, dpkg's status, os-release."""

from __future__ import annotations

import hashlib
from pathlib import Path

RELEASES = {
    "jammy": ("ubuntu", "22.04", "Ubuntu 22.04.5 LTS"),
    "noble": ("ubuntu", "24.04", "Ubuntu 24.04.3 LTS"),
    "bookworm": ("debian", "12", "Debian GNU/Linux 12 (bookworm)"),
    "trixie": ("debian", "13", "Debian GNU/Linux 13 (trixie)"),
}
UBUNTU = "http://archive.ubuntu.com/ubuntu"
AMD = "https://repo.radeon.com/rocm/apt/{}"


class Root:
    """One machine as apt sees it. Sources are trusted=yes: signatures are tested elsewhere."""

    def __init__(self, path: Path, codename: str) -> None:
        self.path = path
        id, version, pretty = RELEASES[codename]
        self.write("etc/os-release", f'ID={id}\nVERSION_ID="{version}"\nVERSION_CODENAME={codename}\n'
                                     f'PRETTY_NAME="{pretty}"\n')  # fmt: skip
        self.write("etc/apt/apt.conf.d/00native", 'APT::Architecture "amd64";\n')
        self.write("var/lib/dpkg/arch", "amd64\n")
        self._status: list[str] = []
        self.write("var/lib/dpkg/status", "")
        self.write("var/lib/apt/lists/lock", "")

    def write(self, name: str, text: str) -> None:
        """One file below the root."""
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def source(
        self, uri: str, suite: str, stanzas: str, *, origin: str = "Ubuntu", version: str = "", name: str = ""
    ) -> None:
        """A source with its index: Packages and the Release that names its hash."""
        label = name or f"{origin.lower().replace('.', '-')}-{suite}"
        self.write(f"etc/apt/sources.list.d/{label}.list", f"deb [trusted=yes arch=amd64] {uri} {suite} main\n")
        body = stanzas.strip() + "\n"
        stem = uri.partition("://")[2].strip("/").replace("/", "_")
        self.write(f"var/lib/apt/lists/{stem}_dists_{suite}_main_binary-amd64_Packages", body)
        digest = hashlib.sha256(body.encode()).hexdigest()
        self.write(
            f"var/lib/apt/lists/{stem}_dists_{suite}_Release",
            f"Origin: {origin}\nLabel: {origin}\nSuite: {suite}\nCodename: {suite}\n"
            + (f"Version: {version}\n" if version else "")
            + "Date: Wed, 06 Nov 2024 18:36:13 UTC\nArchitectures: amd64\nComponents: main\n"
            f"SHA256:\n {digest} {len(body)} main/binary-amd64/Packages\n",
        )

    def install(self, stanzas: str, *, hold: bool = False) -> None:
        """Packages that are installed: stanzas of an index, with a status."""
        want = "hold" if hold else "install"
        for stanza in stanzas.strip().split("\n\n"):
            kept = [line for line in stanza.splitlines() if not line.startswith(("Filename", "Size", "SHA256"))]
            self._status.append("\n".join([kept[0], f"Status: {want} ok installed", *kept[1:]]))
        self.write("var/lib/dpkg/status", "\n\n".join(self._status) + "\n\n")

    def pin(self, text: str, name: str = "pin") -> None:
        """A file of preferences."""
        self.write(f"etc/apt/preferences.d/{name}", text)


def stanza(
    name: str, version: str, *, depends: str = "", architecture: str = "amd64", size: int = 1000, **fields: str
) -> str:
    """One package of an index."""
    lines = [f"Package: {name}", f"Version: {version}", f"Architecture: {architecture}"]
    lines.append("Maintainer: x <x@example.org>")
    lines += [f"Depends: {depends}"] if depends else []
    lines += [f"{key.replace('_', '-').title()}: {value}" for key, value in fields.items()]
    file = f"{name}_{version.replace(':', '%3a')}_{architecture}.deb"
    lines += [f"Installed-Size: {size // 100}", f"Filename: pool/main/{file}",
              f"Size: {size}", f"SHA256: {hashlib.sha256(f'{name}{version}'.encode()).hexdigest()}"]  # fmt: skip
    return "\n".join(lines)


def index(*stanzas: str) -> str:
    """Packages of one source."""
    return "\n\n".join(stanzas)
