"""Stanzas, packed indices, Release bodies, names of lists."""

from __future__ import annotations

import bz2
import gzip
import lzma
from pathlib import Path

import lz4.frame
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from firstlight.catalog.debian import control
from firstlight.catalog.debian.compression import UnpackError, unpacked
from firstlight.catalog.debian.control import DamagedError, stanzas
from firstlight.catalog.debian.lists import list_name, release_names, suite_uri
from firstlight.catalog.debian.release import read_release
from firstlight.catalog.debian.status import read_status
from firstlight.host import open_host

PACKED = {
    "": bytes, ".gz": gzip.compress, ".xz": lzma.compress, ".bz2": bz2.compress,
    ".zst": zstandard.ZstdCompressor().compress, ".lz4": lz4.frame.compress,
}  # fmt: skip
TEXT = b"Package: a\nVersion: 1\nDescription: x\n long\nDepends: b,\n c (>= 2)\n\nPackage: d\nVersion: 2\n"


def test_fields_and_their_continuation() -> None:
    one, other = stanzas(TEXT)
    assert one == {"package": "a", "version": "1", "depends": "b, c (>= 2)"}
    assert other == {"package": "d", "version": "2"}


@pytest.mark.parametrize("suffix", PACKED)
def test_every_packing(suffix: str) -> None:
    packed = PACKED[suffix](TEXT)
    assert unpacked(packed, f"Packages{suffix}") == TEXT
    if suffix:
        with pytest.raises(UnpackError):
            unpacked(packed[: len(packed) // 2], f"Packages{suffix}")
        with pytest.raises(UnpackError):
            unpacked(b"nothing of the kind", f"Packages{suffix}")


@pytest.mark.parametrize("suffix", PACKED)
def test_what_unpacks_to_too_much_is_refused(suffix: str) -> None:
    with pytest.raises(UnpackError):
        unpacked(PACKED[suffix](bytes(4 << 20)), f"Packages{suffix}", most=1 << 20)


def test_two_members_of_gzip_follow_each_other() -> None:
    assert unpacked(gzip.compress(b"a") + gzip.compress(b"b"), "Packages.gz") == b"ab"


@given(st.binary(max_size=400))
def test_any_bytes_are_stanzas_or_damaged(data: bytes) -> None:
    for one in stanzas(data):
        assert all(isinstance(value, str) for value in one.values())


def test_too_many_stanzas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(control, "MOST", 3)
    with pytest.raises(DamagedError):
        list(stanzas(b"Package: a\n\n" * 10))


def test_release_fields_and_hashes() -> None:
    digest = "a" * 64
    head = "Origin: Debian\nSuite: sid\nNotAutomatic: yes\nComponents: main contrib\n"
    found = read_release(f"{head}SHA256:\n {digest} 12 main/x\n".encode())
    assert (found.origin, found.suite, found.not_automatic, found.components) == (
        "Debian", "sid", True, ("main", "contrib"),
    )  # fmt: skip
    assert found.hashes == {"main/x": (digest, 12)}


def test_names_of_lists_are_apts() -> None:
    # those that apt-get update left (apt 2.6.1)
    assert list_name("http://u:p@h.example:8080/a_b/dists/x") == "h.example:8080_a%5fb_dists_x"
    assert suite_uri("http://h/debian", "sid") == "http://h/debian/dists/sid/"
    assert suite_uri("http://h/flat/", "./") == "http://h/flat/"
    assert release_names("http://h/d", "sid")[0] == "h_d_dists_sid_InRelease"


def test_states_of_dpkg(tmp_path: Path) -> None:
    status = tmp_path / "var/lib/dpkg/status"
    status.parent.mkdir(parents=True)
    status.write_text(
        "Package: a\nStatus: hold ok installed\nArchitecture: amd64\nVersion: 1\n\n"
        "Package: b\nStatus: deinstall ok config-files\nArchitecture: amd64\nVersion: 1\n\nPackage: c\nVersion: 1\n"
    )
    extended = tmp_path / "var/lib/apt/extended_states"
    extended.parent.mkdir(parents=True)
    extended.write_text("Package: a\nArchitecture: amd64\nAuto-Installed: 1\n")
    found, lacking = read_status(open_host(str(tmp_path)))
    assert [(one.name, one.state, one.held, one.auto) for one in found] == [
        ("a", "installed", True, True), ("b", "config-files", False, False),
    ]  # fmt: skip
    assert lacking == ()
