"""Declared routes: inspected, labelled, and never more than what their maker claims."""

from __future__ import annotations

import io
import tarfile
import zipfile
from pathlib import Path

import pytest

from firstlight.catalog import Catalog
from firstlight.project.model import DeclaredRoute, Goal, Project, Sources
from firstlight.routes.candidates import Candidate
from firstlight.routes.choose import choose
from firstlight.routes.claims import claim_fits, claim_stops, is_known_form
from firstlight.routes.declared import declared_candidates, declared_sources
from firstlight.routes.judge import judge
from firstlight.routes.model import Because, Route

from .fake_facts import gpu, machine
from .tiny_wheels import LINUX, make_index, make_wheel

MI50 = machine(gpus=(gpu("amd", "gfx906"),))


def project(root: Path, *routes: DeclaredRoute, goal: Goal | None = None) -> Project:
    sources = Sources(default_indices=(), wheelhouses=(), torch_indices=(), no_index=True)
    return Project(root=str(root), goal=goal or Goal(), sources=sources, routes=routes)


def route(kind: str, url: str, **said: object) -> DeclaredRoute:
    fields = {"name": "mine", "tier": "community", "declared_in": "firstlight.toml", **said}
    return DeclaredRoute(kind=kind, url=url, **fields)  # type: ignore[arg-type]


def found(root: Path, *routes: DeclaredRoute, wanted: tuple[str, ...] = ()) -> list[Candidate | Route]:
    return list(declared_candidates(project(root, *routes), "x86_64", wanted, cache=str(root / "cache")))  # type: ignore[arg-type]


def only(root: Path, declared: DeclaredRoute) -> Candidate:
    (one,) = found(root, declared)
    assert isinstance(one, Candidate), one
    return one


def reason(root: Path, declared: DeclaredRoute, **said: tuple[str, ...]) -> Because:
    (one,) = found(root, declared, **said)
    assert isinstance(one, Route), one
    assert one.verdict == "blocked"
    assert one.tier == declared.tier
    assert one.provenance is not None
    return one.because[0]


@pytest.fixture
def house(tmp_path: Path) -> Path:
    folder = tmp_path / "house"
    make_wheel(folder, "torch", "2.13.0+gfx906.20260802")
    make_wheel(folder, "torchvision", "0.28.0+gfx906.20260802")
    return folder


def test_a_folder_is_a_candidate_with_its_provenance(tmp_path: Path, house: Path) -> None:
    declared = route(
        "folder", str(house), targets=("gfx906",), licence="BSD-3-Clause", maintainer="A. Somebody",
        recipe="https://user:secret@host.example/recipe", build_minutes=90.0,
    )  # fmt: skip
    one = only(tmp_path, declared)
    assert (one.name, one.tier, one.backend, one.flat) == ("mine", "community", "rocm", True)
    assert [wheel.version for wheel in one.torch or ()] == ["2.13.0+gfx906.20260802"]
    assert one.claimed == ("gfx906",)
    assert one.source.name == "mine"
    said = one.provenance
    assert said is not None
    assert (said.declared_in, said.licence, said.maintainer, said.build_minutes) == (
        "firstlight.toml", "BSD-3-Clause", "A. Somebody", 90.0,
    )  # fmt: skip
    assert "secret" not in str(said)
    assert [source.url for source in declared_sources(project(tmp_path, declared))] == [str(house)]


def test_a_build_without_a_telling_version_is_what_it_is_declared_for(tmp_path: Path) -> None:
    make_wheel(tmp_path / "w", "torch", "2.8.0a0+gitba56102")
    assert only(tmp_path, route("folder", str(tmp_path / "w"), backend="rocm")).backend == "rocm"
    assert only(tmp_path, route("folder", str(tmp_path / "w"), targets=("sm_90",))).backend == "cuda"
    assert reason(tmp_path, route("folder", str(tmp_path / "w"))).kind == "not-the-backend"


def test_a_folder_of_several_backends_gives_one_route_each(tmp_path: Path) -> None:
    for local in ("cpu", "rocm7.2"):
        make_wheel(tmp_path / "w", "torch", f"2.13.0+{local}")
    declared = route("folder", str(tmp_path / "w"))
    assert [one.name for one in found(tmp_path, declared)] == ["mine-rocm", "mine-cpu"]
    one = only(tmp_path, route("folder", str(tmp_path / "w"), backend="cpu"))
    assert one.name == "mine"
    assert [wheel.version for wheel in one.held or ()] == ["2.13.0+cpu"]
    assert reason(tmp_path, route("folder", str(tmp_path / "w"), backend="cuda")).kind == "not-the-backend"


def test_what_is_empty_missing_or_unbuilt_is_said(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert reason(tmp_path, route("folder", str(tmp_path / "empty"))).kind == "no-torch"
    assert reason(tmp_path, route("folder", str(tmp_path / "none"))).kind == "unreadable"
    unbuilt = reason(tmp_path, route("build", str(tmp_path / "none"), recipe="make torch", build_minutes=90.0))
    assert unbuilt.kind == "not-built-yet"
    for text in (unbuilt.text.en, unbuilt.text.zh):
        assert "make torch" in text
        assert "90" in text
    assert reason(tmp_path, route("build", str(tmp_path / "empty"))).kind == "not-built-yet"


def test_results_of_a_build_are_a_folder(tmp_path: Path, house: Path) -> None:
    assert only(tmp_path, route("build", str(house), recipe="make", backend="rocm")).tier == "community"


def test_an_image_is_told_what_it_needs(tmp_path: Path) -> None:
    image = f"docker.io/somebody/torch@sha256:{'a' * 64}"
    needs = reason(tmp_path, route("image", image, backend="rocm"))
    assert needs.kind == "needs-container"
    assert image in needs.text.zh


def test_another_backend_is_not_even_looked_into(tmp_path: Path) -> None:
    declared = route("tarball", str(tmp_path / "none.tar"), backend="rocm")
    assert reason(tmp_path, declared, wanted=("cpu",)).kind == "not-the-backend"
    assert reason(tmp_path, declared, wanted=("rocm",)).kind == "unreadable"


def test_a_tarball_is_a_folder_once_opened(tmp_path: Path, house: Path) -> None:
    path = tmp_path / "packed.tar.gz"
    with tarfile.open(path, "w:gz") as archive:
        archive.add(house, "dist")
    one = only(tmp_path, route("tarball", str(path), targets=("gfx906",)))
    assert [wheel.filename for wheel in one.torch or ()] == [next(house.glob("torch-*")).name]
    assert one.source.url.startswith(str(tmp_path / "cache"))
    sources = declared_sources(project(tmp_path, route("tarball", str(path))), cache=str(tmp_path / "cache"))
    assert [source.url for source in sources] == [one.source.url]


def test_a_tarball_from_elsewhere_is_not_fetched_by_a_plan(tmp_path: Path) -> None:
    declared = route("tarball", "https://u:secret@host.example/w.tar", sha256="c" * 64)
    said = reason(tmp_path, declared)
    assert said.kind == "not-fetched-yet"
    assert "firstlight lock --route mine" in said.text.en
    assert "secret" not in said.text.en + said.text.zh


def test_a_damaged_tarball_is_refused(tmp_path: Path) -> None:
    (tmp_path / "bad.zip").write_bytes(b"PK" + bytes(50))
    assert reason(tmp_path, route("tarball", str(tmp_path / "bad.zip"))).kind == "damaged-archive"
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("README", "nothing here")
    (tmp_path / "none.zip").write_bytes(stream.getvalue())
    assert reason(tmp_path, route("tarball", str(tmp_path / "none.zip"))).kind == "no-torch"


def test_an_index_is_a_candidate(tmp_path: Path, house: Path) -> None:
    far = only(tmp_path, route("index", "https://host.example/whl/rocm7.2"))
    assert (far.backend, far.number, far.torch, far.flat) == ("rocm", "7.2", None, False)
    near = make_index(tmp_path / "simple", sorted(house.glob("*.whl")))
    one = only(tmp_path, route("index", near))
    assert (one.backend, len(one.torch or ())) == ("rocm", 1)
    (tmp_path / "bare").mkdir()
    assert reason(tmp_path, route("index", str(tmp_path / "bare"))).kind == "no-torch"


@pytest.mark.parametrize(
    ("claimed", "version", "kind"),
    [
        (("gfx906",), "2.13.0+gfx906.1", None),
        (("gfx9-generic",), "2.13.0+gfx906.1", None),
        (("gfx1030",), "2.13.0+gfx906.1", "no-code-for-chip"),
        ((), "2.13.0+gfx906.1", "unknown-targets"),
        ((), "2.13.0+gitba56102", "unknown-targets"),
        (("gfx906",), "2.14.0+rocm7.14", "unknown-targets"),  # PyTorch's own wheel of that name lacks it
        (("gfx906",), "2.8.0+rocm6.4", None),  # which PyTorch's own has, too
    ],
)
def test_a_claim_is_weighed(claimed: tuple[str, ...], version: str, kind: str | None) -> None:
    number = version.partition("+rocm")[2] or None
    stop = claim_stops(claimed, "rocm", number, version, MI50)
    assert (stop.kind if stop else None) == kind
    if stop is None:
        assert claim_fits(claimed, version).kind == "claimed-targets"


def test_a_claim_says_nothing_of_a_machine_without_a_gpu() -> None:
    assert claim_stops(("gfx906",), "rocm", None, "2.13.0+gfx906.1", machine()) is None
    stop = claim_stops(("gfx906",), "rocm", None, "2.13.0+gfx906.1", machine(gpus=(gpu("amd", None),)))
    assert stop is not None
    assert stop.kind == "unknown-fact"


@pytest.mark.parametrize(
    ("version", "known"),
    [("2.13.0+rocm7.2", True), ("2.13.0+cu130", True), ("2.13.0", True), ("2.13.0+cpu", True),
     ("2.13.0+gfx906.1", False), ("2.8.0a0+gitba5", False), ("2.9.0+rocm7.2.git123", False)],
)  # fmt: skip
def test_whose_builds_have_such_a_version(version: str, *, known: bool) -> None:
    assert is_known_form(version) is known


def test_policy_production_refuses_it(tmp_path: Path) -> None:
    make_wheel(tmp_path / "w", "torch", "2.13.0+cpu", f"cp311-cp311-{LINUX}")
    declared = route("folder", str(tmp_path / "w"), tier="local")
    mine = project(tmp_path, declared)
    one = only(tmp_path, declared)
    judged = judge(one, ("cpu",), mine, machine(), catalog=Catalog(mine.sources, str(tmp_path / "cache")))
    assert judged.verdict == "works", judged.because
    assert judged.tier == "local"
    assert choose((judged,), Goal())[0] == "mine"
    assert choose((judged,), Goal(policy="production"))[0] is None
