"""Drivers, kernels, firmware, official lists, indices, releases."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firstlight.knowledge import drivers, releases, rules, sources, tables
from firstlight.knowledge.versions import at_least, version_key, within

ALL = sorted(path.relative_to(tables.FOLDER).with_suffix("").as_posix() for path in Path(tables.FOLDER).rglob("*.toml"))


@pytest.mark.parametrize("name", ALL)
def test_every_table_has_a_date_and_every_figure_a_source(name: str) -> None:
    table = tables.raw(name)
    assert len(table["as_of"]) == 10
    legend = table.get("legend", {})
    for rows in table.values():
        for row in rows if isinstance(rows, list) else []:
            if isinstance(row, dict):
                assert row.get("sources") or row.get("source") or row.get("note") or row.get("verdict") == "unknown", (
                    row
                )
                assert set(row.get("sources", ())) <= set(legend)


@pytest.mark.parametrize(
    ("cuda", "driver"),
    [("13.0", "580"), ("13.2", "580"), ("13", "580"), ("12.6", "525.60.13"), ("12.0", "525.60.13"),
     ("12.9.1", "525.60.13"), ("11.8", "450.80.02"), ("11.0", "450.36.06"), ("10.2", None), ("14.0", None),
     ("", None), ("x", None)],
)  # fmt: skip
def test_cuda_minimum(cuda: str, driver: str | None) -> None:
    assert drivers.cuda_minimum(cuda) == driver


@pytest.mark.parametrize(
    ("version", "key"),
    [("580.105.08", (580, 105, 8)), ("6.17.0-19-generic", (6, 17, 0, 19)), ("13.0", (13,)), ("", ()), ("v1", ()),
     ("7.14.1rc2", (7, 14, 1)), ("6.18.9", (6, 18, 9)), ("9" * 40, ()), ("1.٣", (1,))],
)  # fmt: skip
def test_version_key(version: str, key: tuple[int, ...]) -> None:
    assert version_key(version) == key


NUMBERS = st.lists(st.integers(0, 10**6), min_size=1, max_size=5)


@given(NUMBERS, NUMBERS)
def test_versions_order_as_their_numbers(one: list[int], other: list[int]) -> None:
    longest = max(len(one), len(other))
    padded = [numbers + [0] * (longest - len(numbers)) for numbers in (one, other)]
    texts = [".".join(map(str, numbers)) for numbers in (one, other)]
    assert at_least(texts[0], texts[1]) == (padded[0] >= padded[1])
    assert within(texts[0], texts[0], texts[0])


@pytest.mark.parametrize(
    ("release", "os_id", "version_id", "fixed"),
    [
        ("6.18.4", None, None, True), ("6.18.9-generic", "ubuntu", "24.04", True), ("6.18.3", None, None, False),
        ("7.0.0-14-generic", "ubuntu", "26.04", True), ("6.17.0-19-generic", "ubuntu", "24.04", True),
        ("6.17.0-18-generic", "ubuntu", "24.04", False), ("6.17.0-19-generic", "ubuntu", "25.10", None),
        ("6.17.0-20-generic", None, None, None), ("6.14.0-1018-oem", "ubuntu", "24.04", True),
        ("6.14.0-1017-oem", "ubuntu", "24.04", False), ("6.17.0-1005-oem", "ubuntu", "24.04", True),
        ("6.17.1-300.fc43.x86_64", "fedora", "43", True), ("6.17.1-300.fc42.x86_64", "fedora", "42", False),
        ("6.8.0-60-generic", "ubuntu", "24.04", False), ("6.12.57+deb13-amd64", "debian", "13", False),
        ("odd", None, None, None),
    ],
)  # fmt: skip
def test_fixes_for_strix_halo(release: str, os_id: str | None, version_id: str | None, *, fixed: bool | None) -> None:
    assert rules.kernel_fixed("gfx1151", release, os_id=os_id, version_id=version_id) is fixed


def test_no_fixes_are_known_for_others() -> None:
    assert rules.kernel_fixed("gfx1100", "6.18.4") is None
    assert rules.kernel_fixed("gfx1200", "6.18.4") is None


@pytest.mark.parametrize(
    ("rocm", "on_fixed", "on_older"),
    [("7.2.1", "ok", "warning"), ("7.2.4", "ok", "warning"), ("7.14.1", "ok", "warning"), ("7.12", "ok", "warning"),
     ("7.2.0", "ok", "fails"), ("7.1.1", "fails", "warning"), ("7.9.0", "fails", "warning"),
     ("7.10", "fails", "warning"), ("6.4.3", "fails", "warning"), ("10.0.0", None, None),
     ("7.0.2", None, None), ("", None, None)],
)  # fmt: skip
def test_pairs_of_kernel_and_rocm(rocm: str, on_fixed: str | None, on_older: str | None) -> None:
    assert rules.kernel_pair("gfx1151", rocm, fixed=True) == on_fixed
    assert rules.kernel_pair("gfx1151", rocm, fixed=False) == on_older
    assert rules.kernel_pair("gfx1100", rocm, fixed=True) is None


@pytest.mark.parametrize(
    ("target", "release", "known"),
    [("gfx1151", "6.12.1", True), ("gfx1151", "6.1.0", None), ("gfx950", "6.12.57", False), ("gfx950", "6.1", False),
     ("gfx950", "6.18", None), ("gfx1201", "6.12.0", True), ("gfx1153", "6.11", False), ("gfx9999", "6.18", None),
     ("gfx602", "6.18", None), ("gfx1100", "", None)],
)  # fmt: skip
def test_kernel_knows(target: str, release: str, *, known: bool | None) -> None:
    assert rules.kernel_knows(target, release) is known


@pytest.mark.parametrize(
    ("version", "verdict"),
    [("20251125", "bad"), ("20251125-1", "bad"), ("20251111.git1234567-0ubuntu1", "good"), ("20260110", "good"),
     ("1:20260401-2", None), ("20260401.git0-0ubuntu2.1", "good"), ("20250101", None), ("", None), ("abcdefgh", None)],
)  # fmt: skip
def test_firmware_of_strix_halo(version: str, verdict: str | None) -> None:
    assert rules.firmware_verdict("gfx1151", version) == verdict


def test_firmware_rule() -> None:
    rule = rules.firmware("gfx1151")
    assert rule is not None
    assert (rule.bad_mes, rule.good_mes) == (0x83, 0x80)
    assert rules.firmware("gfx1100") is None
    assert rules.firmware_verdict("gfx1100", "20251125") is None


@pytest.mark.parametrize(
    ("target", "rocm", "named"),
    [("gfx1151", "10.1.0", True), ("gfx906", "10.0.0", False), ("gfx942", "6.2.0", True), ("gfx1201", "6.4.0", False),
     ("gfx1201", "6.4.1", True), ("gfx1151", "7.2.0", None), ("gfx1150", "7.14.0", True), ("gfx900", "7.14.0", None),
     ("gfx942", "4.0", None), ("gfx942", "", None)],
)  # fmt: skip
def test_official(target: str, rocm: str, *, named: bool | None) -> None:
    assert rules.official(target, rocm) is named


def test_dropped() -> None:
    assert rules.rocm_dropped("gfx942", "10.1.0") is False
    assert rules.rocm_dropped("gfx1031", "10.1.0") is False, "never named"
    assert rules.rocm_dropped("gfx942", "7.2.0") is None
    assert rules.torch_dropped("gfx906") == "rocm7.2"
    assert rules.torch_dropped("gfx1151") is None
    assert rules.torch_dropped("gfx1031") is None


def test_indices() -> None:
    found = sources.builtin_indices()
    assert len({index.name for index in found}) == len(found)
    assert len({index.url for index in found}) == len(found)
    assert found[0].backend == "cpu"
    assert all(index.url.startswith("https://") and index.source for index in found)
    cpu = sources.index_for("cpu")
    assert cpu is not None
    assert cpu.url == "https://download.pytorch.org/whl/cpu"
    assert sources.index_for("rocm", "7.2") is not None
    assert sources.index_for("rocm", "10", "vendor") is not None
    assert sources.index_for("rocm", "3.0") is None


def test_only_vendors_hosts() -> None:
    assert all(host == "download.pytorch.org" or host.endswith(".amd.com") for host in sources.hosts())
    assert {channel.name for channel in sources.channels()} >= {"nightly", "prerelease"}


def test_releases() -> None:
    assert releases.torch()[-1].version == "2.15.0"
    assert releases.torch()[-1].rocm is None, "not read: not known"
    assert next(one for one in releases.rocm() if one.version == "10.1.0").date == "2026-10-05"
    assert next(one for one in releases.amdgpu() if one.version == "31.50.0").date is None
