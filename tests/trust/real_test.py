"""Debian's own signed files, as they were served, and as they must not be believed."""

from __future__ import annotations

import random
import re
import subprocess
from pathlib import Path

import pytest

from firstlight.catalog.debian.clearsigned import signatures, split
from firstlight.catalog.debian.openpgp import certificates, signature, signer
from firstlight.catalog.debian.packets import MalformedError
from firstlight.knowledge.keys import owner_of, publishers, signing_key, signing_keys
from firstlight.knowledge.moved import moved
from firstlight.knowledge.repositories import archives, vendors
from tests.trust.roots import Root, kinds

DEBIAN = Path(__file__).resolve().parents[3] / "shared" / "fixtures" / "repos" / "debian"
ARCHIVE = Path("/usr/share/keyrings/debian-archive-keyring.gpg")
RING = "/usr/share/keyrings/debian-archive-keyring.gpg"
URI = "http://deb.debian.org/debian"
READ = 1_795_996_800.0
"""2026-11-30, when the files were fetched."""
SUITES = ("bookworm", "trixie", "sid")
needs_files = pytest.mark.skipif(not DEBIAN.is_dir(), reason="the shared fixtures are not beside the project")
needs_keys = pytest.mark.skipif(not ARCHIVE.is_file(), reason="no debian-archive-keyring here")


def _root(tmp_path: Path, suite: str, data: bytes | None = None) -> Root:
    root = Root(tmp_path).source(f"signed-by={RING}", URI, suite).write(RING, ARCHIVE.read_bytes())
    return root.listed((DEBIAN / f"{suite}.InRelease").read_bytes() if data is None else data, URI, suite)


@needs_files
@needs_keys
@pytest.mark.parametrize("suite", SUITES)
def test_debian_is_trusted(suite: str, tmp_path: Path) -> None:
    found = _root(tmp_path, suite).one(READ)
    assert (found.verdict, found.owner) == ("trusted", "debian")
    assert found.release is not None
    assert found.release.codename == suite
    # sid was a month old on that mirror
    assert kinds(found, "use", "update") == (["release-expired"] if suite == "sid" else [])


@needs_files
@needs_keys
def test_a_clock_that_is_behind(tmp_path: Path) -> None:
    found = _root(tmp_path, "trixie").one(READ - 30 * 86_400)
    assert kinds(found, "update") == ["release-from-future"]


@needs_files
@needs_keys
def test_another_suite_than_asked_for(tmp_path: Path) -> None:
    found = _root(tmp_path, "trixie", (DEBIAN / "bookworm.InRelease").read_bytes()).one(READ)
    assert found.verdict == "trusted"
    assert kinds(found) == ["other-suite"]
    assert "bookworm" in found.problems[0].evidence


@needs_files
@needs_keys
@pytest.mark.parametrize("suite", ["stable", "oldstable", "unstable"])
def test_a_suite_by_its_other_name(suite: str, tmp_path: Path) -> None:
    name = {"stable": "trixie", "oldstable": "bookworm", "unstable": "sid"}[suite]
    found = _root(tmp_path, suite, (DEBIAN / f"{name}.InRelease").read_bytes()).one(READ)
    assert "other-suite" not in kinds(found)


@needs_files
@needs_keys
def test_nothing_that_was_changed_is_believed(tmp_path: Path) -> None:
    """gpgv as oracle: what it finds bad is never good here, and what it finds good is."""
    known = certificates(ARCHIVE.read_bytes())
    data = (DEBIAN / "sid.InRelease").read_bytes()
    chosen = random.Random(4)
    agreed = 0
    for _ in range(60):
        spoiled = _spoiled(data, chosen)
        try:
            message, armored = split(spoiled)
            good = [key for made in signatures(armored) if (key := signer(message, signature(made), known))]
        except MalformedError:
            continue
        (tmp_path / "message").write_bytes(message)
        (tmp_path / "signature").write_bytes(armored)
        argv = ["gpgv", "--status-fd", "1", "--keyring", str(ARCHIVE), str(tmp_path / "signature"),
                str(tmp_path / "message")]  # fmt: skip
        said = subprocess.run(argv, capture_output=True, check=False, timeout=20).stdout.decode(errors="replace")
        assert len(good) <= said.count("GOODSIG"), said
        agreed += len(good) == said.count("GOODSIG")
    assert agreed > 30


def _spoiled(data: bytes, chosen: random.Random) -> bytes:
    """One change: a byte, a line that is gone, twice or moved, blanks at a line's end."""
    lines = data.split(b"\n")
    at = chosen.randrange(3, len(lines) - 1)
    kind = chosen.randrange(5)
    if kind == 0:
        place = chosen.randrange(len(data))
        return data[:place] + bytes([data[place] ^ (1 << chosen.randrange(8))]) + data[place + 1 :]
    if kind == 1:
        del lines[at]
    elif kind == 2:
        lines.insert(at, lines[at])
    elif kind == 3:
        lines[at], lines[at - 1] = lines[at - 1], lines[at]
    else:
        lines[at] += b"  \t"  # does not count, by RFC 9580
    return b"\n".join(lines)


@needs_keys
def test_debians_keys_are_known() -> None:
    keys = certificates(ARCHIVE.read_bytes()).keys
    assert {owner_of(key.primary) for key in keys} == {"debian"}
    assert len({key.primary for key in keys}) >= 8


def test_fingerprints_are_whole_and_one_ones() -> None:
    seen: set[str] = set()
    for key in signing_keys():
        for print in (*key.fingerprints, *key.retired):
            assert re.fullmatch("[0-9A-F]{40}", print)
            assert print not in seen
            seen.add(print)
        assert key.sources
        assert all(" " in source for source in key.sources), "a source is spelt out"


def test_every_repository_names_a_key_that_is_known() -> None:
    named = {one.name: one.key for one in vendors()} | {one.name: one.key for one in archives()}
    for name, key in named.items():
        assert signing_key(key) is not None, name
    for one in vendors():
        assert one.key in {key.id for key in publishers(one.url)}, one.name


def test_who_publishes_where() -> None:
    assert [one.id for one in publishers("https://user:word@repo.radeon.com:443/rocm/apt/7.2")] == ["amd-rocm"]
    assert publishers("https://mirror.example.org/repo.radeon.com/rocm") == ()


@pytest.mark.parametrize(
    ("uri", "suite", "gone"),
    [
        ("http://repo.radeon.com/rocm/apt/debian/", "xenial", True),
        ("http://repo.radeon.com/rocm/apt/debian/", "ubuntu", False),
        ("https://repo.radeon.com/amdgpu/7.1/ubuntu", "noble", True),
        ("https://repo.radeon.com/amdgpu/30.20/ubuntu", "noble", False),
        ("https://nvidia.github.io/libnvidia-container/stable/ubuntu22.04/amd64", "/", True),
        ("https://nvidia.github.io/libnvidia-container/stable/deb/amd64", "/", False),
        ("http://deb.debian.org/debian-security", "buster/updates", True),
        ("http://deb.debian.org/debian", "trixie", False),
        ("http://de.archive.ubuntu.com/ubuntu/", "lunar-updates", True),
        ("http://archive.ubuntu.com/ubuntu", "noble", False),
    ],
)
def test_what_has_moved(uri: str, suite: str, *, gone: bool) -> None:
    assert (moved(uri, suite) is not None) is gone
