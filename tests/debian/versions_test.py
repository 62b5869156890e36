"""Versions as numbers: dpkg's own comparison is the judge."""

from __future__ import annotations

import itertools
import shutil
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firstlight.routes.system.versions import decoded, encoded

ODD = (
    "0", "1", "1.0", "1.0-1", "1.0-0", "1.0-1~bpo12+1", "1.0~rc1-1", "1.0~~", "1.0~", "1:0.1", "0:1.0", "1.0+b1",
    "1.0a", "1.0.1", "1.00", "1.01", "10.0", "2.0-1ubuntu1", "2.0-1ubuntu1.1", "5.2.3-2", "15.0-56~exp2", "1.0-1-1",
    "1.0.-1", "1.0z", "1.0Z", "a1", "1:15.0-59~12", "2024.01.02", "3.0.0~git20230101.abc-1", "6.1.40091-1~22.04",
)  # fmt: skip


def key(version: str) -> list[int]:
    return [int(number) for number in encoded(version).split(".")]


def dpkg(one: str, sign: str, other: str) -> bool:
    return subprocess.run(["dpkg", "--compare-versions", one, sign, other], check=False).returncode == 0


@pytest.mark.skipif(shutil.which("dpkg") is None, reason="dpkg is not installed")
def test_they_sort_as_dpkg_says() -> None:
    for one, other in itertools.combinations(ODD, 2):
        sign = "lt" if key(one) < key(other) else "gt" if key(one) > key(other) else "eq"
        assert dpkg(one, sign, other), (one, sign, other)


@given(st.from_regex(r"([0-9]:)?[0-9][0-9a-zA-Z.+~]{0,12}(-[0-9a-zA-Z.+~]{1,6})?", fullmatch=True))
def test_what_is_decoded_means_the_same(version: str) -> None:
    assert key(decoded(encoded(version))) == key(version)


@given(st.text(max_size=60))
def test_anything_is_a_version_of_numbers(text: str) -> None:
    assert all(number.isdigit() for number in encoded(text).split("."))
    decoded(text)


def test_a_version_without_end_costs_little() -> None:
    assert len(encoded("1" * 1_000_000)) < 2000
    assert len(encoded("~" * 1_000_000)) < 4000
