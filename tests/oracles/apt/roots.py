"""Private apt roots: `etc/apt`, lists that the real apt-get fetched, a dpkg status of any size."""

from __future__ import annotations

import os
import random
import re
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

import lz4.frame

SUITES = ("bookworm", "trixie", "sid")
KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg"


@cache
def mirror() -> str | None:
    """Where this machine fetches Debian's packages; None where it is no Debian machine."""
    for path in [Path("/etc/apt/sources.list"), *sorted(Path("/etc/apt/sources.list.d").glob("*"))]:
        text = path.read_text() if path.is_file() else ""
        found = re.search(r"https?://\S+/debian/?(?=\s)", text)
        if found and Path(KEYRING).exists():
            return found[0]
    return None


def options(root: Path) -> list[str]:
    """apt's options for a root; its downloads are not cached between runs unless a test asks for it."""
    arch = root / "var/lib/dpkg/arch"
    architectures = arch.read_text().split() if arch.exists() else ["amd64"]
    return [
        *(part for one in architectures for part in ("-o", f"APT::Architectures::={one}")),
        "-o", f"Dir={root}", "-o", f"Dir::State::status={root}/var/lib/dpkg/status", "-o", "Dir::Etc::main=/dev/null",
        "-o", "APT::Architecture=amd64", "-o", "Debug::NoLocking=1", "-o", "Acquire::Check-Valid-Until=false",
        "-o", "APT::Sandbox::User=root", "-o", "Dir::Cache::pkgcache=pkgcache.bin",
        "-o", "Dir::Cache::srcpkgcache=srcpkgcache.bin",
    ]  # fmt: skip


def bare(root: Path) -> Path:
    """The folders that apt wants, and an empty dpkg status."""
    for folder in ("etc/apt/apt.conf.d", "etc/apt/preferences.d", "etc/apt/sources.list.d", "etc/apt/trusted.gpg.d",
                   "var/lib/apt/lists/partial", "var/cache/apt/archives/partial", "var/lib/dpkg"):  # fmt: skip
        (root / folder).mkdir(parents=True, exist_ok=True)
    (root / "var/lib/dpkg/status").write_text("")
    (root / "etc/os-release").write_text('ID=debian\nPRETTY_NAME="Debian"\n')
    return root


def with_suites(root: Path, suites: Sequence[str], store: Path, foreign: str = "") -> Path:
    """A root that has these suites' indices, fetched once into `store`."""
    bare(root)
    if foreign:
        (root / "var/lib/dpkg/arch").write_text(f"amd64\n{foreign}\n")
    lines = [f"deb [signed-by={KEYRING}] {mirror()} {suite} main" for suite in suites]
    (root / "etc/apt/sources.list").write_text("\n".join(lines) + "\n")
    for suite in suites:
        fetched = _fetched(suite, store, foreign) / "var/lib/apt/lists"
        for file in fetched.iterdir():
            if file.is_file() and file.name != "lock":
                target = root / "var/lib/apt/lists" / file.name
                if not target.exists():
                    os.link(file, target)
    return root


def _fetched(suite: str, store: Path, foreign: str) -> Path:
    root = store / f"fetched-{suite}{foreign and '-'}{foreign}"
    done = root / "done"
    if not done.exists():
        shutil.rmtree(root, ignore_errors=True)
        bare(root)
        if foreign:
            (root / "var/lib/dpkg/arch").write_text(f"amd64\n{foreign}\n")
        (root / "etc/apt/sources.list").write_text(f"deb [signed-by={KEYRING}] {mirror()} {suite} main\n")
        subprocess.run(
            ["apt-get", *options(root), "-qq", "-o", "Acquire::Languages=none", "update"], check=True, timeout=600
        )
        done.write_text("")
    return root


def stanzas(root: Path) -> dict[str, str]:
    """Text of the first stanza of each package in the root's lists."""
    found: dict[str, str] = {}
    for path in sorted((root / "var/lib/apt/lists").glob("*_Packages*")):
        data = path.read_bytes()
        text = (lz4.frame.decompress(data) if path.suffix == ".lz4" else data).decode()
        for block in text.split("\n\n"):
            name = block[9 : block.find("\n")]
            if block.startswith("Package: "):
                found.setdefault(name, block)
    return found


def install(root: Path, names: Iterable[str], known: dict[str, str], hold: Iterable[str] = ()) -> None:
    """Write a dpkg status in which these packages are installed."""
    held = set(hold)
    blocks = []
    for name in sorted(set(names)):
        block = known.get(name)
        if block:
            want = "hold" if name in held else "install"
            head, _, rest = block.partition("\n")
            kept = "\n".join(
                line for line in rest.split("\n") if not line.startswith(("Filename:", "SHA256:", "MD5sum:"))
            )
            blocks.append(f"{head}\nStatus: {want} ok installed\n{kept}\n")
    (root / "var/lib/dpkg/status").write_text("\n".join(blocks))


def closure(root: Path, wanted: Sequence[str]) -> list[str]:
    """What apt-get itself would install for these on the root as it is."""
    done = subprocess.run(
        ["apt-get", *options(root), "-s", "-y", "install", *wanted], capture_output=True, text=True, timeout=600,
        check=False, env={**os.environ, "LC_ALL": "C"},
    )  # fmt: skip
    if done.returncode:
        raise AssertionError(done.stderr)
    return re.findall(r"^Inst (\S+)", done.stdout, re.MULTILINE)


def essential(known: dict[str, str]) -> list[str]:
    """A minimal machine: all that is essential or required, and apt."""
    mark = re.compile(r"^(Essential: yes|Priority: required|Package: apt)$", re.MULTILINE)
    return [name for name, block in known.items() if mark.search(block)]


def some(names: Sequence[str], count: int, random_: random.Random) -> list[str]:
    """A sample, each once."""
    return random_.sample(list(names), min(count, len(names)))
