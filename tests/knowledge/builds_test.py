"""Which targets a build carries and which devices run it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firstlight.knowledge import builds, chips
from firstlight.knowledge.tables import raw

X86, ARM = "x86_64", "aarch64"


@pytest.mark.parametrize(
    ("backend", "version", "torch", "arch", "carried", "left_out"),
    [
        ("rocm", "7.14", "2.14.0", X86, ("gfx1151", "gfx1103"), ("gfx906", "gfx1152")),
        ("rocm", "7.2", "2.13.0+rocm7.2", X86, ("gfx906", "gfx1151"), ("gfx1103", "gfx1152")),
        ("rocm", "7.1", "2.10.0", X86, ("gfx950",), ("gfx1151",)),
        ("rocm", "6.2.4", "2.6.0", X86, ("gfx1102",), ("gfx950",)),
        ("rocm", "6.2", "2.5.1", X86, ("gfx942",), ("gfx1102",)),
        ("rocm", "6.4", "2.9.1", X86, ("gfx1201",), ("gfx950", "gfx1151")),
        ("rocm", "5.4.2", "2.0.1", X86, ("gfx1030",), ("gfx1100",)),
        ("rocm", "5.7", "2.2.2", X86, ("gfx1100",), ("gfx942",)),
        ("cuda", "13.0", "2.14.1", X86, ("sm_75", "sm_120"), ("sm_70", "compute_120")),
        ("cuda", "13.0", "2.10.0", X86, ("sm_75", "compute_120"), ("sm_110",)),
        ("cuda", "13.2", "2.15.0", ARM, ("sm_110", "sm_120"), ("sm_86", "sm_121")),
        ("cuda", "12.6", "2.15.0", X86, ("sm_50", "sm_90"), ("sm_100",)),
        ("cuda", "12.1", "2.3.1+cu121", X86, ("sm_50",), ("sm_37",)),
        ("cuda", "12.4", "2.5.1", ARM, ("sm_90",), ("sm_80",)),
    ],
)  # fmt: skip
def test_targets_of_torch(  # noqa: PLR0917  one column each
    backend: str, version: str, torch: str, arch: str, carried: tuple[str, ...], left_out: tuple[str, ...]
) -> None:
    found = builds.torch_targets(backend, version, torch, arch)
    assert found is not None
    assert set(carried) <= set(found)
    assert not set(left_out) & set(found)


@pytest.mark.parametrize(
    ("backend", "version", "torch", "arch"),
    [
        ("rocm", "7.14.0", "2.12.0", X86), ("rocm", "10.1.0", "2.14.0", X86), ("rocm", "7.2", "2.13.0", ARM),
        ("rocm", "5.7", "2.9.0", X86), ("rocm", "", "2.13.0", X86), ("cuda", "12.8", "2.7.0", X86),
        ("cuda", "14.0", "2.99.0", X86), ("cuda", "13.0", "2.14.0", "ppc64le"), ("cpu", "", "2.14.0", X86),
        ("cuda", "", "", ""),
    ],
)  # fmt: skip
def test_not_known_is_none(backend: str, version: str, torch: str, arch: str) -> None:
    assert builds.torch_targets(backend, version, torch, arch) is None


def test_doubt_is_told() -> None:
    assert builds.torch_doubtful("rocm", "7.1", "2.10.0", X86) == ("gfx1150", "gfx1151")
    assert builds.torch_doubtful("rocm", "7.2", "2.14.0", X86) == ("gfx1103",)
    assert builds.torch_doubtful("cuda", "13.0", "2.14.0", X86) == ()
    assert builds.torch_doubtful("rocm", "99", "2.14.0", X86) == ()


@pytest.mark.parametrize(
    ("carried", "target", "cuda", "verdict"),
    [
        (["gfx1151"], "gfx1151", None, "native"),
        (["gfx1100"], "gfx1151", None, "no"),
        (["gfx11-generic"], "gfx1151", None, "generic"),
        (["gfx11-generic", "gfx1151"], "gfx1151", None, "native"),
        (["gfx9-generic"], "gfx908", None, "no"),
        (["gfx9-generic"], "gfx90c", None, "generic"),
        (["gfx9-4-generic"], "gfx950", None, "generic"),
        (["gfx90a"], "gfx90a:sramecc+:xnack-", None, "native"),
        (["gfx90a:xnack+"], "gfx90a:xnack-", None, "no"),
        (["gfx90a:xnack-", "gfx90a:xnack+"], "gfx90a:xnack+", None, "native"),
        (["gfx90a:xnack+"], "gfx90a", None, "native"),
        (["gfx99-generic"], "gfx1151", None, "no"),
        ([], "gfx1151", None, "no"),
        (["sm_86"], "sm_89", None, "native"),
        (["sm_89"], "sm_86", None, "no"),
        (["sm_80"], "sm_90", None, "no"),
        (["sm_120"], "sm_121", None, "native"),
        (["sm_100"], "sm_103", None, "native"),
        (["sm_100"], "sm_120", None, "no"),
        (["sm_90a"], "sm_90", None, "native"),
        (["sm_100a"], "sm_103", None, "no"),
        (["sm_100f"], "sm_103", None, "native"),
        (["sm_100f"], "sm_120", None, "no"),
        (["sm_80", "sm_86"], "sm_87", None, "no"),
        (["sm_80", "sm_86"], "sm_87", "13.0", "no"),
        (["sm_80"], "sm_87", "13.2", "native"),
        (["sm_70"], "sm_72", None, "no"),
        (["sm_60", "sm_61"], "sm_62", None, "no"),
        (["sm_50"], "sm_52", None, "native"),
        (["sm_50", "sm_52"], "sm_53", None, "no"),
        (["sm_101"], "sm_110", None, "native"),
        (["sm_110"], "sm_101", None, "native"),
        (["compute_90"], "sm_120", None, "jit"),
        (["compute_120"], "sm_90", None, "no"),
        (["compute_90a"], "sm_100", None, "no"),
        (["compute_90a"], "sm_90", None, "jit"),
        (["compute_100f"], "sm_103", None, "jit"),
        (["compute_100f"], "sm_120", None, "no"),
        (["sm_90", "compute_90"], "sm_90", None, "native"),
        (["rubbish", "sm_", "sm_x", "compute_", "sm_9", "gfx900", "sm_90aa"], "sm_90", None, "no"),
        (["sm_90"], "rubbish", None, "no"),
        (["sm_90"], "", None, "no"),
    ],
)  # fmt: skip
def test_runs_on(carried: list[str], target: str, cuda: str | None, verdict: str) -> None:
    assert builds.runs_on(carried, target, backend_version=cuda) == verdict


NAMES = st.lists(
    st.sampled_from(["sm_50", "sm_80", "sm_86", "sm_90a", "sm_100f", "compute_70", "gfx900", "gfx11-generic"])
)
DEVICES = st.sampled_from(["sm_53", "sm_80", "sm_89", "sm_90", "sm_103", "sm_120", "gfx900", "gfx1151", "gfx90c"])
RANK = {"no": 0, "jit": 1, "generic": 1, "native": 2}


@given(NAMES, NAMES, DEVICES)
def test_more_code_never_runs_worse(some: list[str], more: list[str], device: str) -> None:
    assert RANK[builds.runs_on([*some, *more], device)] >= RANK[builds.runs_on(some, device)]


@given(DEVICES)
def test_its_own_target_is_native(device: str) -> None:
    assert builds.runs_on([device], device) == "native"


def test_members_are_targets_that_name_their_generic() -> None:
    for row in raw("amd/generic")["generic"]:
        for member in row["members"]:
            chip = chips.amd(member)
            assert chip is None or chip.generic == row["name"]
    assert builds.members("gfx12-generic") == ("gfx1200", "gfx1201")
    assert builds.members("gfx1200") == ()
