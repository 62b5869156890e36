"""What holds for every cause of the catalogue: languages, places, ids, remedies."""

from __future__ import annotations

import re
from pathlib import Path
from string import Formatter

import pytest

from firstlight.causes import catalogue, diagnose
from firstlight.causes.catalogue import cause
from firstlight.causes.model import Cause, Finding
from firstlight.words import Words
from tests.causes_a.planting import PLANTS
from tests.machines_facts import MACHINES

SHARED = Path(__file__).resolve().parents[2].parent / "shared" / "causes.yaml"
CJK = re.compile("[\u4e00-\u9fff]")
ADDED = {
    "amdgpu-blacklisted", "amdgpu-driver-not-loaded", "amdgpu-probe-failed", "apu-gtt-limit-too-high",
    "debug-variable-left-on", "host-memory-too-small", "kernel-without-kfd", "nvidia-device-permission",
    "apt-release-weak-hashes", "apt-signature-invalid", "apt-signing-key-revoked", "apt-weak-signing-key",
    "nvidia-driver-dropped-gpu", "nvidia-module-flavour-mismatch", "nvidia-probe-failed",
    "system-cuda-shadows-wheel-libs", "torchvision-torch-mismatch",
}  # fmt: skip
"""Ids that are ours, beside those of the shared catalogue."""
FINDINGS = [
    (name, plant, finding)
    for plant, spec in PLANTS.items()
    for name in spec.machines[:1]
    for finding in diagnose(spec.do(MACHINES[name]()))
    if finding.verdict == "found"
]


def places(text: str) -> set[str]:
    """Names of the places in a text."""
    return {field for _, field, _, _ in Formatter().parse(text) if field is not None}


@pytest.mark.parametrize("one", catalogue(), ids=lambda one: one.id)
def test_words_are_in_both_languages(one: Cause) -> None:
    for words in (one.title, one.means, one.effect, one.fix):
        assert words.en.strip()
        assert not CJK.search(words.en), words.en
        assert CJK.search(words.zh), words.zh
        assert places(words.en) == places(words.zh)
    assert not places(one.means.en)
    assert not places(one.fix.en)


@pytest.mark.parametrize("one", catalogue(), ids=lambda one: one.id)
def test_ids_families_and_reports(one: Cause) -> None:
    assert re.fullmatch("[a-z0-9]+(-[a-z0-9]+)*", one.id)
    assert cause(one.id) is one
    assert set(one.follows) <= {other.id for other in catalogue()} - {one.id}
    assert all(known.url.startswith("https://") for known in one.known)


@pytest.mark.skipif(not SHARED.is_file(), reason="the shared catalogue is not beside the project")
def test_ids_are_the_shared_ones_or_declared_new() -> None:
    text = SHARED.read_text(encoding="utf-8")
    shared = set(re.findall(r"^- id: (\S+)$", text, re.MULTILINE))
    assert {one.id for one in catalogue()} - shared <= ADDED


def test_the_catalogue_is_in_the_order_of_id_and_knows_no_other() -> None:
    ids = [one.id for one in catalogue()]
    assert ids == sorted(ids)
    assert len(ids) >= 35
    assert cause("no-such-cause") is None
    assert cause("model") is None
    assert cause("../model") is None


@pytest.mark.parametrize(("name", "plant", "finding"), FINDINGS, ids=lambda value: getattr(value, "id", value))
def test_what_is_found_is_told_whole(name: str, plant: str, finding: Finding) -> None:
    for words in (finding.title, finding.effect):
        assert not places(words.en + words.zh), (name, plant, words)
    assert finding.evidence
    assert all(one.fact and one.value and one.source for one in finding.evidence)
    assert finding.remedy
    for remedy in finding.remedy:
        assert remedy.why.en
        assert CJK.search(remedy.why.zh)
        _is_argument_vector(remedy.argv)


def _is_argument_vector(argv: tuple[str, ...]) -> None:
    assert all(isinstance(word, str) and word for word in argv), argv
    if argv and argv[0] != "python3":  # whose script has signs of its own
        assert not any(sign in word for word in argv for sign in "|;&<>`$\n"), argv
    assert not argv or argv[0] not in {"sh", "bash", "sudo"}


def test_every_cause_of_ours_is_planted() -> None:
    planted = {spec.cause for spec in PLANTS.values()}
    families = {"kernel", "driver", "permissions", "container"}
    ours = {one.id for one in catalogue() if one.family in families and one.judge is not None}
    elsewhere = {"container-shm-too-small", "nvidia-driver-dropped-gpu"}  # planted in access_test.py and driver_test.py
    assert ours - planted <= elsewhere


def test_words_type_is_kept() -> None:
    assert all(isinstance(finding.title, Words) for _, _, finding in FINDINGS)
