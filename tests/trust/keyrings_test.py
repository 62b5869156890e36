"""Keyrings in every form, where apt would look for them."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path

import pytest

from firstlight.catalog.debian.keyrings import KeyringReader
from firstlight.catalog.debian.trust import judge_trust
from firstlight.facts.repositories import repositories
from firstlight.host import open_host
from firstlight.host.model import FileInfo, Host, Kind
from tests.trust.keyrings import KEYRINGS
from tests.trust.lab import Lab
from tests.trust.roots import GPGV, RING, SQV, SUITE, URI, Root, kinds

Made = dict[str, tuple[bytes, bytes]]


@pytest.mark.parametrize("verifier", [GPGV, SQV])
@pytest.mark.parametrize("name", KEYRINGS)
def test_the_key_is_found_as_that_apt_would(name: str, verifier: str, lab: Lab, tmp_path: Path) -> None:
    lab.key("good")
    lab.key("other")
    case = KEYRINGS[name]
    root = case.put(Root(tmp_path, verifier), lab).source(case.option(lab)).listed(lab.signed("good"))
    found = root.one()
    expected = case.gpgv if verifier == GPGV else case.sqv
    assert (found.verdict == "trusted") is expected, found
    if not expected:
        assert set(kinds(found)) <= {"key-missing", "keyring-missing", "keyring-unusable", "key-not-allowed"}


def test_a_key_in_the_source_itself(lab: Lab, tmp_path: Path) -> None:
    lab.key("good")
    armored = lab.keyring("good", armor=True).decode()
    inside = "".join(f" {line or '.'}\n" for line in armored.splitlines())
    stanza = f"# vendor\nTypes: deb\nURIs: {URI}\nSuites: {SUITE}\nComponents: main\nSigned-By:\n{inside}"
    root = Root(tmp_path).write("/etc/apt/sources.list.d/vendor.sources", stanza).listed(lab.signed("good"))
    found = root.one()
    assert (found.verdict, found.signed_by) == ("trusted", lab.key("good"))
    root.write("/etc/apt/sources.list.d/vendor.sources", stanza.replace("\n m", "\n x", 1))
    assert root.one().verdict == "refused"


def test_what_a_tree_does_not_hold_is_unknown(signings: Made, tmp_path: Path) -> None:
    inrelease, _ = signings["good"]
    elsewhere = Root(tmp_path / "a").source("signed-by=/usr/share/keyrings/vendor.gpg").listed(inrelease).one()
    assert (elsewhere.verdict, elsewhere.problems) == ("unknown", ())
    assert elsewhere.lacks == (("/usr/share/keyrings/vendor.gpg", "not-captured"),)
    listed = Root(tmp_path / "b").source().listed(inrelease).one()
    assert (listed.verdict, kinds(listed)[0]) == ("refused", "keyring-missing")


def test_no_trusted_folder_in_a_tree_is_unknown(signings: Made, tmp_path: Path) -> None:
    root = Root(tmp_path).source("").listed(signings["good"][0])
    assert root.one().verdict == "refused"
    (tmp_path / "etc/apt/trusted.gpg.d").rmdir()
    assert (root.one().verdict, root.one().problems) == ("unknown", ())


class _OnlyRoot:
    """A live machine's answer about a file that only root may read."""

    def __init__(self, host: Host) -> None:
        self._host = host

    def __getattr__(self, name: str) -> object:
        return getattr(self._host, name)

    kind = None

    def info(self, path: str) -> FileInfo:
        del path
        return FileInfo(kind=Kind.FILE, mode=0o600, uid=0, gid=0)


def test_a_keyring_that_apt_may_not_read(signings: Made, tmp_path: Path) -> None:
    root = Root(tmp_path).source().write(RING, signings["good"][1]).listed(signings["good"][0])
    host = _OnlyRoot(open_host(str(root.path)))
    (ring,) = KeyringReader(host).each([RING])  # type: ignore[arg-type]
    assert "_apt" in ring.unusable
    (found,) = judge_trust(host, repositories(open_host(str(root.path)))).sources  # type: ignore[arg-type]
    assert (found.verdict, kinds(found)[0]) == ("refused", "keyring-unusable")


def test_a_recording_answers_alike(signings: Made, tmp_path: Path) -> None:
    from firstlight.host.capture import capture
    from firstlight.host.recorder import Recorder
    from firstlight.progress import Silent

    for name in ("good", "sha1", "expired", "missing", "unsigned"):
        inrelease, keyring = signings[name]
        root = Root(tmp_path / name / "root").source().write(RING, keyring).listed(inrelease)
        out = tmp_path / name / "machine.tar"
        capture(Recorder(open_host(str(root.path))), str(out), reporter=Silent())
        recorded = open_host(str(out))
        (found,) = judge_trust(recorded, repositories(recorded)).sources
        assert (found.verdict, kinds(found)) == (root.one().verdict, kinds(root.one()))
        with tarfile.open(fileobj=io.BytesIO(out.read_bytes())) as members:
            assert any(one.name.endswith("vendor.gpg") for one in members)
