"""What is named of each signature that is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.trust.lab import BODY, Lab
from tests.trust.roots import GPGV, RING, SQV, URI, Root, kinds
from tests.trust.signing import SIGNINGS

Made = dict[str, tuple[bytes, bytes]]


@pytest.mark.parametrize("verifier", [GPGV, SQV])
@pytest.mark.parametrize("name", SIGNINGS)
def test_each_is_named_as_that_apt_would(name: str, verifier: str, signings: Made, tmp_path: Path) -> None:
    inrelease, keyring = signings[name]
    found = Root(tmp_path, verifier).source().write(RING, keyring).listed(inrelease).one()
    expected = SIGNINGS[name].gpgv if verifier == GPGV else SIGNINGS[name].sqv
    assert found.verdict == ("refused" if expected else "trusted"), found
    assert kinds(found, "use")[:1] == ([expected] if expected else [])
    assert bool(found.signed_by) == (expected is None)


def test_what_will_be_refused_next_is_told(signings: Made, tmp_path: Path) -> None:
    expired = Root(tmp_path / "a", SQV).source().write(RING, signings["expired"][1]).listed(signings["expired"][0])
    assert kinds(expired.one(), "update") == ["key-expired"]
    weak = Root(tmp_path / "b").source().write(RING, signings["weak"][1]).listed(signings["weak"][0])
    assert kinds(weak.one(), "risk") == ["weak-key"]


def test_expiry_is_told_with_its_date(signings: Made, tmp_path: Path) -> None:
    inrelease, keyring = signings["expired"]
    problem = Root(tmp_path).source().write(RING, keyring).listed(inrelease).one().problems[0]
    assert "2022-01-01" in problem.evidence
    assert problem.since == 1_641_038_400.0  # noon of that day, as gpg takes a date


def test_a_key_is_not_expired_before_it_is(signings: Made, tmp_path: Path) -> None:
    inrelease, keyring = signings["expired"]
    root = Root(tmp_path).source().write(RING, keyring).listed(inrelease)
    assert root.one(1_641_038_399.0).verdict == "trusted"
    assert root.one(1_641_038_400.0).verdict == "refused"


def test_a_subkey_signs_for_its_certificate(lab: Lab, signings: Made, tmp_path: Path) -> None:
    inrelease, keyring = signings["subkey"]
    found = Root(tmp_path).source().write(RING, keyring).listed(inrelease).one()
    assert found.signed_by == lab.key("sub")
    assert found.signing_key != found.signed_by


def test_a_release_with_a_signature_beside_it(lab: Lab, tmp_path: Path) -> None:
    lab.key("good")
    root = Root(tmp_path).source().write(RING, lab.keyring("good"))
    name = root.listed(b"").path / "var/lib/apt/lists"
    (inrelease,) = (path for path in name.iterdir() if path.is_file())
    inrelease.unlink()
    base = str(inrelease).removesuffix("InRelease")
    Path(f"{base}Release").write_bytes(BODY)
    assert kinds(root.one()) == ["unsigned"]
    Path(f"{base}Release.gpg").write_bytes(lab.detached("good"))
    assert root.one().verdict == "trusted"
    Path(f"{base}Release").write_bytes(BODY.replace(b"noble", b"jammy"))
    assert kinds(root.one())[0] == "bad-signature"


def test_a_copy_that_apt_refused_is_told_beside_the_one_it_has(lab: Lab, signings: Made, tmp_path: Path) -> None:
    good, ring = signings["good"]
    lab.key("other")
    root = Root(tmp_path).source().write(RING, ring).listed(good).listed(lab.signed("other"), partial=True)
    found = root.one()
    assert found.verdict == "trusted"
    assert [(one.kind, one.effect) for one in found.problems] == [("key-missing", "update")]
    assert "partial" in found.problems[0].source


def test_a_copy_that_apt_refused_is_all_there_is(signings: Made, tmp_path: Path) -> None:
    inrelease, ring = signings["sha1"]
    found = Root(tmp_path).source().write(RING, ring).listed(inrelease, partial=True).one()
    assert (found.verdict, kinds(found)) == ("refused", ["weak-digest"])


def test_nothing_fetched_yet(signings: Made, tmp_path: Path) -> None:
    found = Root(tmp_path).source().write(RING, signings["good"][1]).one()
    assert (found.verdict, found.problems) == ("unknown", ())
    assert found.lacks == (("/var/lib/apt/lists", "not-captured"),)


def test_a_dead_key_needs_no_release(signings: Made, tmp_path: Path) -> None:
    for at, name in enumerate(("expired", "revoked")):
        found = Root(tmp_path / str(at)).source().write(RING, signings[name][1]).one()
        assert (found.verdict, kinds(found)) == ("refused", [f"key-{name}"])


def test_without_gpgv_what_only_it_can_tell_is_unknown(
    signings: Made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inrelease, ring = signings["sha1-key"]
    root = Root(tmp_path).source().write(RING, ring).listed(inrelease)
    assert root.one().verdict == "trusted"
    monkeypatch.setenv("PATH", "/nonexistent")
    assert (root.one().verdict, root.one().lacks) == ("unknown", (("gpgv", "absent"),))


@pytest.mark.parametrize(
    ("policy", "verdict"),
    [
        ('[hash_algorithms]\nsha1 = "always"\n', "trusted"),
        ("[hash_algorithms]\nsha1.second_preimage_resistance = 2099-01-01\n", "trusted"),
        ("[hash_algorithms]\nsha1.second_preimage_resistance = 2026-02-01\n", "refused"),
        ('[hash_algorithms]\nsha1 = "never"\n', "refused"),
        ("", "refused"),
        ("not toml [", "refused"),
    ],
)
def test_the_policy_of_sequoia_decides_on_sha1_keys(policy: str, verdict: str, signings: Made, tmp_path: Path) -> None:
    inrelease, ring = signings["sha1-key"]
    root = Root(tmp_path, SQV).source().write(RING, ring).listed(inrelease)
    root.write("/etc/crypto-policies/back-ends/apt-sequoia.config", policy)
    root.write("/usr/share/apt/default-sequoia.config", '[hash_algorithms]\nsha1 = "never"\n')
    assert root.one().verdict == verdict


def test_sqv_takes_sha1_keys_until_the_day(signings: Made, tmp_path: Path) -> None:
    inrelease, ring = signings["sha1-key"]
    root = Root(tmp_path, SQV).source().write(RING, ring).listed(inrelease)
    last = 1_769_904_000.0  # 2026-02-01
    assert kinds(root.one(last), "use") == ["weak-binding"]
    assert "weak-binding" not in kinds(root.one(last - 1))


def test_gpgv_takes_sha1_where_apt_is_told_so(signings: Made, tmp_path: Path) -> None:
    inrelease, ring = signings["sha1"]
    root = Root(tmp_path).source().write(RING, ring).listed(inrelease)
    root.write("/etc/apt/apt.conf.d/99weak", 'APT::Hashes::SHA1::Weak "yes";\n')
    assert root.one().verdict == "trusted"


def test_a_new_apt_with_gpgv_refuses_weak_keys(signings: Made, tmp_path: Path) -> None:
    inrelease, ring = signings["weak"]
    root = Root(tmp_path).source().write(RING, ring).listed(inrelease)
    root.write("/var/lib/dpkg/status", "Package: apt\nStatus: install ok installed\nVersion: 2.9.8\n\n")
    assert kinds(root.one(), "use") == ["weak-key"]


def test_a_host_of_a_vendor_signed_by_another_key(lab: Lab, signings: Made, tmp_path: Path) -> None:
    inrelease, ring = signings["good"]
    uri = "https://repo.radeon.com/rocm/apt/7.2.4"
    found = Root(tmp_path).source(uri=uri).write(RING, ring).listed(inrelease, uri).one()
    assert (found.verdict, kinds(found)) == ("refused", ["key-unknown"])
    assert lab.key("good") in found.problems[0].evidence


def test_a_source_is_found_by_its_address(signings: Made, tmp_path: Path) -> None:
    trust = Root(tmp_path).source().write(RING, signings["good"][1]).trust()
    assert trust.of(f"{URI}/", "noble") is trust.sources[0]
    assert trust.of(URI, "jammy") is None
