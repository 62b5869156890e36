"""Each fault of a source, planted in a machine, is found under its own id, with what it rests on and what to do."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from firstlight.causes import diagnose
from firstlight.causes.model import Finding
from firstlight.facts import collect
from firstlight.host import open_host
from firstlight.verbs.doctor import DoctorRequest, doctor
from firstlight.verbs.trusting import trusted
from firstlight.words import LANGS, Lang
from tests.trust.lab import BODY, Lab
from tests.trust.roots import GPGV, RING, SQV, URI, Root

Plant = Callable[[Root, Lab, dict[str, tuple[bytes, bytes]]], object]
PAST = BODY.replace(b"Date", b"Valid-Until: Mon, 08 Jun 2026 00:00:00 UTC\nDate")
AMD = "https://repo.radeon.com/rocm/apt/7.2.4"


def _signing(name: str, options: str = f"signed-by={RING}") -> Plant:
    return lambda root, _, made: root.source(options).write(RING, made[name][1]).listed(made[name][0])


def _body(body: bytes, options: str = f"signed-by={RING}") -> Plant:
    def plant(root: Root, lab: Lab, _: object) -> None:
        lab.key("good")
        root.source(options).write(RING, lab.keyring("good")).listed(lab.signed("good", body=body))

    return plant


def _source(uri: str, suite: str = "noble") -> Plant:
    return lambda root, _, made: root.source(uri=uri, suite=suite).write(RING, made["good"][1])


def _vendor_with_another_key(root: Root, _: Lab, made: dict[str, tuple[bytes, bytes]]) -> None:
    root.source(uri=AMD).write(RING, made["good"][1]).listed(made["good"][0], AMD)


def _only_the_release(root: Root, *_: object) -> None:
    root.source("", "http://archive.ubuntu.com/ubuntu")
    stanza = "Package: libc6\nStatus: install ok installed\nArchitecture: amd64\nVersion: 2.39-0ubuntu8.4\n\n"
    root.write("/var/lib/dpkg/status", stanza)


class Case(NamedTuple):
    """One fault."""

    cause: str
    plant: Plant
    evidence: str
    """Stands in what is shown as evidence."""
    verifier: str = GPGV
    severity: str = "degrading"


ABSENT: Plant = lambda root, _, made: root.source().listed(made["good"][0])  # noqa: E731 - as the others
CASES = {
    "key-missing": Case("apt-signing-key-missing", _signing("missing"), "vendor.example"),
    "keyring-missing": Case("apt-signing-key-missing", ABSENT, RING),
    "key-expired": Case("apt-signing-key-expired", _signing("expired"), "2022-01-01"),
    "key-expired-sqv": Case("apt-signing-key-expired", _signing("expired"), "2022-01-01", SQV),
    "key-revoked": Case("apt-signing-key-revoked", _signing("revoked"), "vendor.example"),
    "sha1": Case("apt-sha1-signature-policy", _signing("sha1"), "SHA-1"),
    "sha1-key": Case("apt-sha1-signature-policy", _signing("sha1-key"), "SHA-1", SQV),
    "weak": Case("apt-weak-signing-key", _signing("weak"), "rsa1024", SQV),
    "weak-risk": Case("apt-weak-signing-key", _signing("weak"), "rsa1024", GPGV, "advice"),
    "tampered": Case("apt-signature-invalid", _signing("tampered"), "vendor.example"),
    "cut": Case("apt-signature-invalid", _signing("cut"), "vendor.example"),
    "run-out": Case("apt-signature-invalid", _signing("run-out"), "2021-01-11"),
    "unsigned": Case("apt-repo-unsigned", _signing("unsigned"), "no signature"),
    "trusted-yes": Case("apt-source-trusted-yes", _signing("good", f"signed-by={RING} trusted=yes"), "trusted=yes",
                        GPGV, "advice"),
    "insecure": Case("apt-source-trusted-yes", _signing("good", f"signed-by={RING} allow-insecure=yes"),
                     "allow-insecure", GPGV, "advice"),
    "other-key": Case("apt-key-fingerprint-unknown", _vendor_with_another_key, "repo.radeon.com"),
    "fingerprint": Case("apt-key-fingerprint-unknown", _signing("good", f"signed-by={RING},{'0' * 40}"),
                        "vendor.example"),
    "expired": Case("apt-release-expired", _body(PAST),
                    "08 Jun 2026"),
    "weak-hashes": Case("apt-release-weak-hashes", _body(BODY.replace(b"SHA256", b"MD5Sum")), "SHA256"),
    "future": Case("clock-skew", _body(BODY.replace(b"Jun 2026", b"Jun 2099")), "2099", GPGV, "blocking"),
    "signed-in-future": Case("clock-skew", _signing("future"), "2030", SQV, "blocking"),
    "moved": Case("apt-repo-moved", _source("https://repo.radeon.com/amdgpu/7.1/ubuntu"), "amdgpu/7.1"),
    "moved-toolkit": Case("apt-repo-moved", _source("https://nvidia.github.io/nvidia-docker/ubuntu18.04/amd64", "/"),
                          "nvidia-docker"),
    "wrong-release": Case("apt-repo-wrong-release", _source(AMD, "jammy"), "jammy"),
    "wrong-folder": Case("apt-repo-wrong-release",
                         _source("https://developer.download.nvidia.com/compute/cuda/repos/ubuntu2204/x86_64/", "/"),
                         "ubuntu2204"),
    "wrong-folder-amd": Case("apt-repo-wrong-release",
                             _source("https://repo.amd.com/rocm/packages-multi-arch/ubuntu2604", "stable"),
                             "ubuntu2604"),
    "other-suite": Case("apt-repo-wrong-release", _body(BODY.replace(b"noble", b"jammy")), "jammy", GPGV, "advice"),
    "updates": Case("apt-updates-pocket-missing", _only_the_release, "2.39-0ubuntu8.4"),
}  # fmt: skip


def _findings(root: Root) -> dict[str, Finding]:
    host = open_host(str(root.path))
    facts = collect(host)
    return {one.id: one for one in diagnose(facts, trusted(host, facts))}


def _planted(name: str, tmp_path: Path, lab: Lab, signings: dict[str, tuple[bytes, bytes]]) -> Root:
    root = Root(tmp_path, CASES[name].verifier)
    CASES[name].plant(root, lab, signings)
    return root


@pytest.mark.parametrize("name", CASES)
def test_a_planted_fault_is_found(
    name: str, tmp_path: Path, lab: Lab, signings: dict[str, tuple[bytes, bytes]]
) -> None:
    case = CASES[name]
    findings = _findings(_planted(name, tmp_path, lab, signings))
    finding = findings[case.cause]
    assert finding.verdict == "found"
    assert finding.severity == case.severity
    assert any(case.evidence in f"{one.value} {one.source}" for one in finding.evidence), finding.evidence
    assert finding.remedy
    for words in (finding.title, finding.effect, *(one.why for one in finding.remedy)):
        assert "{" not in words.en + words.zh
    found = {one.id for one in findings.values() if one.verdict == "found" and one.family == "apt"}
    assert found <= {case.cause, *ALSO.get(name, ())}


ALSO = {"moved-toolkit": ("apt-repo-wrong-release",)}
"""What follows from the same fault."""


def test_a_healthy_source_has_none(tmp_path: Path, signings: dict[str, tuple[bytes, bytes]]) -> None:
    root = Root(tmp_path).source().write(RING, signings["good"][1]).listed(signings["good"][0])
    apt = [one for one in _findings(root).values() if one.family == "apt"]
    assert {one.verdict for one in apt if one.id in {case.cause for case in CASES.values()}} == {"clear"}


def test_a_machine_without_apt_is_asked_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc/os-release").write_text("ID=fedora\nVERSION_ID=43\n")
    monkeypatch.setattr("firstlight.catalog.debian.trust.judge_trust", lambda *_: pytest.fail("asked"))
    host = open_host(str(tmp_path))
    assert trusted(host, collect(host)) is None


def test_what_was_not_captured_is_unknown_and_named(tmp_path: Path) -> None:
    root = Root(tmp_path).source("signed-by=/usr/share/keyrings/vendor.gpg")
    finding = _findings(root)["apt-signing-key-missing"]
    assert finding.verdict == "unknown"
    assert "not-captured" in finding.needs[0]
    assert URI in finding.needs[0]


@pytest.mark.parametrize("lang", LANGS)
def test_the_doctor_says_it(lang: Lang, tmp_path: Path, signings: dict[str, tuple[bytes, bytes]]) -> None:
    root = Root(tmp_path).source().write(RING, signings["expired"][1]).listed(signings["expired"][0])
    answer = doctor(DoctorRequest(host=str(root.path), lang=lang))
    (said,) = [one for one in answer.found if one.id == "apt-signing-key-expired"]
    assert URI in said.title
    assert "2022-01-01" in said.effect


def test_the_vendors_key_is_named_with_its_fingerprint(
    tmp_path: Path, signings: dict[str, tuple[bytes, bytes]]
) -> None:
    root = Root(tmp_path).source(uri=AMD).write(RING, signings["good"][1]).listed(signings["missing"][0], AMD)
    finding = _findings(root)["apt-signing-key-missing"]
    fetch = finding.remedy[0]
    assert fetch.argv[-1] == "https://repo.radeon.com/rocm/rocm.gpg.key"
    assert "CA8BB4727A47B4D09B4EE8969386B48A1A693C5C" in fetch.why.en
    assert fetch.change is not None
    assert finding.remedy[-1].argv == ("apt-get", "update")
