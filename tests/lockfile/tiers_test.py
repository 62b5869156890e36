"""Who answers for a lock: declared routes keep their provenance, and no edit of the tier opens policy production."""

from __future__ import annotations

import hashlib
from pathlib import Path

import msgspec
import pytest

from firstlight.errors import NoError, UnreadableInput
from firstlight.lockfile.files import dumps, parse
from firstlight.lockfile.freeze import freeze
from firstlight.lockfile.model import VERSION, BackendLock, HostConditions, Lock
from firstlight.lockfile.tiers import allow, refusal
from firstlight.project.model import Goal, Project, Source, Sources
from firstlight.routes.model import Plan, Provenance, Route, Tier, Wheel
from firstlight.routes.pylock import pylock_text
from firstlight.words import same

from ..routes.fake_facts import machine

SAID = Provenance(
    declared_in="firstlight.toml", maintainer="A. Somebody", licence="BSD-3-Clause",
    recipe="git clone https://host.example/x\nmake 'torch'", homepage="https://host.example", build_minutes=90.5,
)  # fmt: skip
SOURCES = Sources(default_indices=(), wheelhouses=(), torch_indices=(), no_index=True, offline=True)


def wheel(url: str | None, version: str = "2.13.0+cpu") -> Wheel:
    name = f"torch-{version}-cp311-cp311-linux_x86_64.whl"
    return Wheel(name="torch", version=version, filename=name, sha256="b" * 64, size=5, url=url and f"{url}/{name}",
                 source="mine")  # fmt: skip


def held(one: Wheel, tier: Tier = "local", route: str = "mine", said: Provenance | None = None) -> BackendLock:
    digest = hashlib.sha256(pylock_text((one,), "3.11").encode()).hexdigest()
    return BackendLock(
        backend="cpu", route=route, tier=tier, python="3.11", pylock="pylock.cpu.toml", pylock_sha256=digest,
        variables={}, local=() if one.url else (one,), provenance=said,
    )  # fmt: skip


def test_provenance_stands_in_the_lock_and_is_read_back() -> None:
    route = Route(
        name="mine", tier="community", backend="cpu", verdict="works", because=(), python_version="3.11",
        wheels=(wheel(None),), provenance=SAID,
        source=Source(name="mine", url="/somewhere/private", kind="folder", origin="firstlight.toml"),
    )  # fmt: skip
    project = Project(root="/p", goal=Goal(), sources=SOURCES)
    lock = freeze(project, machine(), Plan(backend="cpu", routes=(route,), chosen="mine", why=same("x")))
    assert lock.backends[0].provenance == SAID
    assert (lock.backends[0].source, lock.backends[0].tier) == ("mine", "community")
    text = dumps(lock)
    assert "/somewhere" not in text
    assert parse(text.encode()) == lock
    assert dumps(parse(text.encode())) == text


def test_a_declared_route_cannot_be_made_another_tier_by_hand() -> None:
    lock = Lock(version=VERSION, goal={}, host=HostConditions(arch="x86_64", targets=()),
                backends=(held(wheel(None), said=SAID),))  # fmt: skip
    text = dumps(lock).replace('tier = "local"', 'tier = "upstream"')
    with pytest.raises(UnreadableInput, match=r"backend\[0\].tier: `upstream`"):
        parse(text.encode())


@pytest.mark.parametrize(
    ("url", "tier", "route", "taken"),
    [
        ("https://download.pytorch.org/whl/cpu", "upstream", "pytorch-cpu", True),
        ("https://download-r2.pytorch.org/whl/cpu", "upstream", "pytorch-cpu", True),
        ("https://repo.amd.com/rocm/whl-multi-arch", "vendor", "amd-rocm7.14", True),
        ("https://repo.amd.com/rocm/whl-multi-arch", "upstream", "amd-rocm7.14", False),
        ("https://host.example/whl", "upstream", "mine", False),
        ("https://host.example/whl", "vendor", "amd-rocm10", False),
        ("https://pytorch.org.host.example/whl", "upstream", "pytorch-cpu", False),
        ("https://download.pytorch.org@host.example/whl", "upstream", "pytorch-cpu", False),
        ("https://download.pytorch.org/whl/cpu", "local", "pytorch-cpu", False),
        (None, "upstream", "wheelhouse-cpu", False),
        (None, "local", "mine", False),
        (None, "community", "mine", False),
    ],
)
def test_production_judges_by_where_the_files_come_from(
    tmp_path: Path, url: str | None, tier: Tier, route: str, *, taken: bool
) -> None:
    one = wheel(url)
    why = refusal(held(one, tier, route), (one,), SOURCES, str(tmp_path / "cache"))
    assert (why is None) is taken
    assert why is None or (why.en and why.zh and "{" not in why.en + why.zh)


@pytest.mark.parametrize("place", ["https://mirror.example/whl/cpu", "file:///srv/simple"])
def test_a_mirror_that_the_settings_name_answers_as_its_original(tmp_path: Path, place: str) -> None:
    one = wheel(None if place.startswith("file:") else place)
    source = Source(name="pytorch-cpu", url=place, kind="index", origin="flag")
    mine = msgspec.structs.replace(SOURCES, torch_indices=(source,))
    assert refusal(held(one, "upstream", "pytorch-cpu"), (one,), mine, str(tmp_path)) is None
    assert refusal(held(one, "vendor", "pytorch-cpu"), (one,), mine, str(tmp_path)) is not None
    assert refusal(held(one, "upstream", "pytorch-cpu"), (one,), SOURCES, str(tmp_path)) is not None


def test_the_default_index_has_no_host_of_its_own(tmp_path: Path) -> None:
    plain = wheel("https://files.example/x", "2.13.0")
    assert refusal(held(plain, "upstream", "pypi-cuda"), (plain,), SOURCES, str(tmp_path / "cache")) is None
    odd = wheel("https://files.example/x", "2.13.0+cu130")
    assert refusal(held(odd, "upstream", "pypi-cuda"), (odd,), SOURCES, str(tmp_path / "cache")) is not None


def test_what_was_declared_stays_refused(tmp_path: Path) -> None:
    one = wheel("https://download.pytorch.org/whl/cpu")
    assert refusal(held(one, "upstream", "pytorch-cpu", SAID), (one,), SOURCES, str(tmp_path / "cache")) is not None


def test_sync_asks_only_under_the_policy(tmp_path: Path) -> None:
    one = wheel("https://host.example/whl")
    (tmp_path / "pylock.cpu.toml").write_text(pylock_text((one,), "3.11"))
    project = Project(root=str(tmp_path), goal=Goal(), sources=SOURCES)
    allow(project, held(one))
    strict = msgspec.structs.replace(project, goal=Goal(policy="production"))
    with pytest.raises(NoError, match="policy production does not take this lock: route mine is of tier local"):
        allow(strict, held(one))
