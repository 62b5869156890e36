"""The machine's own apt as oracle: `apt-get update` in a private root."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from tests.trust.roots import Root

_CONF = """Dir "{root}/";
Dir::Bin::methods "/usr/lib/apt/methods";
Dir::State::status "{root}/var/lib/dpkg/status";
APT::Sandbox::User "root";
APT::Architecture "amd64";
APT::Architectures "amd64";
APT::Update::Error-Mode "any";
Acquire::Languages "none";
Acquire::IndexTargets::deb::Packages::DefaultEnabled "true";
"""


def installed(name: str) -> str:
    """Version of a package of this machine; empty: not installed."""
    argv = ["dpkg-query", "-W", "-f", "${Version}", name]
    return subprocess.run(argv, capture_output=True, text=True, check=False, timeout=20).stdout


def as_here(root: Root) -> Root:
    """The root's dpkg has apt and sqv in the versions of this machine."""
    found = [(name, installed(name)) for name in ("apt", "sqv")]
    stanzas = (f"Package: {n}\nStatus: install ok installed\nVersion: {v}\n\n" for n, v in found if v)
    return root.write("/var/lib/dpkg/status", "".join(stanzas))


def repository(folder: Path, inrelease: bytes, suite: str = "noble") -> str:
    """Address of a repository with one empty index."""
    dists = folder / "dists" / suite
    (dists / "main/binary-amd64").mkdir(parents=True)
    (dists / "main/binary-amd64/Packages").write_bytes(b"")
    (dists / "InRelease").write_bytes(inrelease)
    return f"file:{folder}"


def accepts(root: Root) -> tuple[bool, str]:
    """Whether `apt-get update` takes all its sources, and what it says. Its lists are left in the root."""
    conf = root.path / "apt.conf"
    conf.write_text(_CONF.format(root=root.path))
    (root.path / "var/cache/apt/archives/partial").mkdir(parents=True, exist_ok=True)
    done = subprocess.run(
        ["apt-get", "-q", "update"], env={**os.environ, "APT_CONFIG": str(conf), "LC_ALL": "C"}, capture_output=True,
        text=True, check=False, timeout=60,
    )  # fmt: skip
    return done.returncode == 0, done.stdout + done.stderr
