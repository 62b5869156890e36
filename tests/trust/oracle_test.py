"""Beside the machine's own apt: what it takes is trusted, what it refuses is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.trust import apt
from tests.trust.keyrings import KEYRINGS
from tests.trust.lab import BODY, Lab
from tests.trust.roots import RING, Root, kinds
from tests.trust.signing import SIGNINGS

Made = dict[str, tuple[bytes, bytes]]
FRESH = BODY.replace(b"Date:", b"Valid-Until: Mon, 08 Jun 2099 00:00:00 UTC\nDate:")
PAST = FRESH.replace(b"2099", b"2026")
FUTURE = BODY.replace(b"01 Jun 2026", b"01 Jun 2099")
MD5 = BODY.replace(b"SHA256", b"MD5Sum").replace(
    b"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", b"d41d8cd98f00b204e9800998ecf8427e"
)


def _accepts(root: Root, options: str, uri: str) -> tuple[bool, str]:
    """For apt alone paths in the options are those of this machine."""
    told = apt.accepts(root.source(options.replace("/etc/apt/", f"{root.path}/etc/apt/").strip(), uri=uri))
    root.source(options.strip(), uri=uri)
    return told


@pytest.mark.parametrize("name", SIGNINGS)
def test_the_same_as_apt(name: str, signings: Made, tmp_path: Path) -> None:
    inrelease, keyring = signings[name]
    uri = apt.repository(tmp_path / "served", inrelease)
    root = apt.as_here(Root(tmp_path / "root")).write(RING, keyring)
    takes, said = _accepts(root, f"signed-by={RING}", uri)
    found = root.one()  # from what apt left: its list, or the copy that it refused
    assert (found.verdict == "trusted") is takes, (said, found)
    assert bool(kinds(found, "use")) is not takes


@pytest.mark.parametrize("name", KEYRINGS)
def test_keyrings_as_apt_takes_them(name: str, lab: Lab, tmp_path: Path) -> None:
    lab.key("good")
    lab.key("other")
    case = KEYRINGS[name]
    uri = apt.repository(tmp_path / "served", lab.signed("good"))
    root = case.put(apt.as_here(Root(tmp_path / "root")), lab)
    takes, said = _accepts(root, case.option(lab), uri)
    found = root.one()
    assert (found.verdict == "trusted") is takes, (said, found)


OPTIONS = {
    "plain": ("", "good"),
    "trusted": ("trusted=yes", "missing"),
    "trusted-unsigned": ("trusted=yes", "unsigned"),
    "trusted-tampered": ("trusted=yes", "tampered"),
    "trusted-no": ("trusted=no", "good"),
    "insecure-unsigned": ("allow-insecure=yes", "unsigned"),
    "insecure-missing": ("allow-insecure=yes", "missing"),
}


@pytest.mark.parametrize("name", OPTIONS)
def test_options_of_a_source(name: str, signings: Made, tmp_path: Path) -> None:
    """What apt updates is not always what it takes for authentic: that is told apart."""
    option, signing = OPTIONS[name]
    inrelease, keyring = signings[signing]
    uri = apt.repository(tmp_path / "served", inrelease)
    root = apt.as_here(Root(tmp_path / "root")).write(RING, keyring)
    takes, said = _accepts(root, f"signed-by={RING} {option}", uri)
    found = root.one()
    expected = "trusted" if option == "trusted=yes" or not option else "refused"
    assert found.verdict == expected, (takes, said, found)
    assert (option == "trusted=yes") is ("trusted-yes" in kinds(found))
    assert (option == "allow-insecure=yes") is ("insecure-allowed" in kinds(found))


DATES = {
    "fresh": (FRESH, "", True),
    "no-valid-until": (BODY, "", True),
    "past": (PAST, "", False),
    "past-unchecked": (PAST, "check-valid-until=no", True),
    "past-dates-unchecked": (PAST, "check-date=no", True),
    "past-widened": (PAST, "valid-until-min=3000000000", True),
    "narrowed": (FRESH, "valid-until-max=86400", False),
    "set-by-option": (BODY, "valid-until-max=86400", False),
    "future": (FUTURE, "", False),
    "future-unchecked": (FUTURE, "check-date=no", True),
    "future-allowed": (FUTURE, "date-max-future=3000000000", True),
    "no-hashes": (BODY.partition(b"SHA256")[0], "", False),
    "md5-only": (MD5, "", False),
    "md5-allowed": (MD5, "allow-weak=yes", True),
}


@pytest.mark.parametrize("name", DATES)
def test_dates_and_hashes_as_apt(name: str, lab: Lab, tmp_path: Path) -> None:
    body, option, expected = DATES[name]
    lab.key("good")
    inrelease = lab.signed("good", body=body)
    uri = apt.repository(tmp_path / "served", inrelease)
    root = apt.as_here(Root(tmp_path / "root")).write(RING, lab.keyring("good"))
    takes, said = _accepts(root, f"signed-by={RING} {option}", uri)
    assert takes is expected, said
    found = root.listed(inrelease, uri).one()
    assert (not kinds(found, "use", "update")) is takes, found
