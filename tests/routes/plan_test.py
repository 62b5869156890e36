"""Plans for recorded machines over wheelhouses of tiny wheels with real names; uv resolves for real."""

from __future__ import annotations

from pathlib import Path

import pytest

from firstlight.errors import CannotTell
from firstlight.facts.model import Facts
from firstlight.project.model import Backend, Goal, Policy, Project, Source, Sources
from firstlight.routes.model import Plan, Route
from firstlight.routes.plan import plan

from .fake_facts import gpu, machine
from .tiny_wheels import LINUX, make_index, make_wheel

STRIX = gpu("amd", "gfx1151")
H100 = gpu("nvidia", "sm_90")


@pytest.fixture
def house(tmp_path: Path) -> Path:
    folder = tmp_path / "house"
    make_wheel(folder, "torch", "2.13.0+cpu", requires=["filelock"])
    make_wheel(folder, "torch", "2.13.0+rocm7.2", requires=["filelock", "triton-rocm==3.9.0"])
    make_wheel(folder, "torch", "2.13.0+cu130", requires=["filelock"])
    make_wheel(folder, "triton-rocm", "3.9.0")
    return folder


@pytest.fixture
def index(tmp_path: Path) -> str:
    files = tmp_path / "files"
    wheels = [
        make_wheel(files, "filelock", "4.0.0", "py3-none-any"),
        make_wheel(files, "triton-rocm", "3.9.0", f"cp311-cp311-{LINUX}", code="raise SystemExit('another one')"),
        make_wheel(files, "numpy", "2.4.0", f"cp311-cp311-{LINUX}"),
    ]
    return make_index(tmp_path / "simple", wheels)


Place = tuple[Path, Path, str]


@pytest.fixture
def place(tmp_path: Path, house: Path, index: str) -> Place:
    return tmp_path, house, index


def project(
    root: Path,
    house: Path | None,
    index: str,
    *,
    torch_indices: tuple[Source, ...] = (),
    extra: tuple[str, ...] = (),
    backend: Backend | None = None,
    torch: str | None = None,
    packages: tuple[str, ...] = (),
    python: str | None = None,
    route: str | None = None,
    policy: Policy = "any",
    offline: bool = False,
) -> Project:
    houses = [Source(name="wheelhouse", url=str(house), kind="folder", origin="test")] if house else []
    indices = [Source(name="default", url=index, kind="index", origin="test")] if index else []
    further = [Source(name=f"extra-{n}", url=url, kind="index", origin="test") for n, url in enumerate(extra)]
    sources = Sources(
        default_indices=(*further, *indices),
        wheelhouses=tuple(houses),
        torch_indices=torch_indices,
        no_index=not indices,
        offline=offline,
    )
    goal = Goal(backend=backend, torch=torch, packages=packages, python=python, route=route, policy=policy)
    return Project(root=str(root), goal=goal, sources=sources)


def route_of(found: Plan, name: str) -> Route:
    return next(route for route in found.routes if route.name == name)


@pytest.mark.parametrize(
    ("facts", "chosen", "backend"),
    [
        (machine(), "wheelhouse-cpu", "cpu"),
        (machine(gpus=(STRIX,)), "wheelhouse-rocm", "rocm"),
        (machine(gpus=(H100,)), "wheelhouse-cuda", "cuda"),
    ],
    ids=["none", "amd", "nvidia"],
)
def test_the_machine_calls_for_its_backend(place: Place, facts: Facts, chosen: str, backend: str) -> None:
    found = plan(project(*place), facts)
    assert (found.chosen, found.backend) == (chosen, backend)
    route = route_of(found, chosen)
    assert route.tier == "local"
    assert {wheel.name for wheel in route.wheels} >= {"torch", "filelock"}
    assert all(len(wheel.sha256) == 64 for wheel in route.wheels)
    others = [one for one in found.routes if one.name != chosen]
    assert others
    assert {one.because[0].kind for one in others} == {"not-the-backend"}


def test_both_vendors_are_judged_and_said(house: Path, index: str, tmp_path: Path) -> None:
    found = plan(project(tmp_path, house, index), machine(gpus=(STRIX, H100)))
    verdicts = {route.name: route.verdict for route in found.routes}
    assert verdicts == {"wheelhouse-rocm": "works", "wheelhouse-cuda": "works", "wheelhouse-cpu": "blocked"}
    assert "both vendors" in found.why.en
    assert "两家厂商" in found.why.zh


def test_a_blocked_gpu_is_no_reason_for_the_cpu(house: Path, index: str, tmp_path: Path) -> None:
    for wheel in house.glob("*rocm*"):
        wheel.unlink()
    blocked = gpu("amd", "gfx1151", usable=False, why="no-driver")
    found = plan(project(tmp_path, house, index), machine(gpus=(blocked,)))
    assert found.chosen is None
    assert found.backend == "rocm"
    assert plan(project(tmp_path, house, index, backend="cpu"), machine(gpus=(blocked,))).chosen == "wheelhouse-cpu"


def test_the_family_comes_from_its_own_index_and_the_rest_never(house: Path, index: str, tmp_path: Path) -> None:
    make_wheel(house, "numpy", "99.0", f"cp311-cp311-{LINUX}")
    found = plan(project(tmp_path, house, index, packages=("numpy",)), machine(gpus=(STRIX,)))
    wheels = {wheel.name: wheel for wheel in route_of(found, "wheelhouse-rocm").wheels}
    assert wheels["triton-rocm"].source == "wheelhouse"
    assert wheels["torch"].source == "wheelhouse"
    assert (wheels["numpy"].version, wheels["numpy"].source) == ("2.4.0", "default")


def test_an_extra_index_that_is_the_route_serves_the_family_alone(index: str, tmp_path: Path) -> None:
    wheels = [
        make_wheel(tmp_path / "more", "torch", "2.13.0+cpu", requires=["filelock"]),
        make_wheel(tmp_path / "more", "filelock", "66.6", "py3-none-any"),
    ]
    extra = make_index(tmp_path / "extra", wheels)
    source = Source(name="extra-0", url=extra, kind="index", origin="test")
    found = plan(project(tmp_path, None, index, extra=(extra,), torch_indices=(source,)), machine())
    [route] = [one for one in found.routes if one.source is not None and one.source.name == "extra-0"]
    wheels_by_name = {wheel.name: wheel.version for wheel in route.wheels}
    assert wheels_by_name == {"torch": "2.13.0+cpu", "filelock": "4.0.0"}


def test_uv_is_given_no_index_of_the_callers(place: Place, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    _, house, index = place
    evil = make_index(tmp_path / "evil", [make_wheel(tmp_path / "bad", "filelock", "66.6", "py3-none-any")])
    monkeypatch.setenv("UV_INDEX_URL", evil)
    monkeypatch.setenv("UV_INDEX_STRATEGY", "unsafe-best-match")
    route = route_of(plan(project(tmp_path, house, index), machine()), "wheelhouse-cpu")
    assert {wheel.name: wheel.version for wheel in route.wheels}["filelock"] == "4.0.0"


def test_under_no_index_the_folder_serves_all(house: Path, tmp_path: Path) -> None:
    make_wheel(house, "filelock", "4.0.0", "py3-none-any")
    found = plan(project(tmp_path, house, ""), machine())
    assert found.chosen == "wheelhouse-cpu"
    assert route_of(found, "wheelhouse-cpu").versions == {"torch": "2.13.0+cpu"}


def test_a_missing_dependency_is_named(house: Path, tmp_path: Path) -> None:
    found = plan(project(tmp_path, house, ""), machine())
    route = route_of(found, "wheelhouse-cpu")
    assert found.chosen is None
    assert route.verdict == "blocked"
    assert route.because[0].kind == "not-there"
    assert any("filelock" in link.text.en for link in route.because)


@pytest.mark.parametrize(
    ("facts", "kind", "names"),
    [
        (machine(pythons=("3.12",)), "no-wheel-for-python", "3.11"),
        (machine(arch="aarch64"), "no-wheel-for-arch", "aarch64"),
        (machine(libc="glibc 2.27"), "no-wheel-for-libc", "manylinux_2_28"),
        (machine(libc="musl 1.2"), "no-wheel-for-libc", "musl"),
    ],
)
def test_what_keeps_a_wheel_out(place: Place, facts: Facts, kind: str, names: str) -> None:
    found = plan(project(*place), facts)
    reason = route_of(found, "wheelhouse-cpu").because[0]
    assert found.chosen is None
    assert reason.kind == kind
    assert names in reason.text.en


def test_a_python_that_fits_is_found_behind_one_that_does_not(house: Path, index: str, tmp_path: Path) -> None:
    found = plan(project(tmp_path, house, index), machine(pythons=("3.13", "3.11", "3.12")))
    assert route_of(found, "wheelhouse-cpu").python == "/usr/bin/python3.11"


@pytest.mark.parametrize(
    ("asked", "kind", "says"),
    [
        ("3.12", "no-wheel-for-python", "3.12 was asked for; say `--python 3.11`, which is here"),
        ("/nowhere/python", "no-such-python", "/nowhere/python does not answer"),
        ("3.11", "", ""),
    ],
)
def test_a_python_that_was_asked_for(place: Place, asked: str, kind: str, says: str) -> None:
    found = plan(project(*place, python=asked), machine(pythons=("3.11",)))
    assert (found.chosen is None) == bool(kind)
    if kind:
        reason = route_of(found, "wheelhouse-cpu").because[0]
        assert reason.kind == kind
        assert says in reason.text.en


def test_an_index_does_not_tell_what_no_python_could_take(place: Place) -> None:
    nowhere = Source(name="pytorch-cpu", url="http://127.0.0.1:9/whl/cpu", kind="index", origin="test")
    found = plan(project(*place, torch_indices=(nowhere,), python="3.12"), machine(pythons=("3.11",)))
    reason = route_of(found, "pytorch-cpu").because[0]
    assert (reason.kind, reason.subject) == ("no-such-python", "3.12")
    assert "3.11" in reason.text.en
    for route in plan(project(*place), machine(pythons=())).routes:
        assert route.because[0].kind in ("no-such-python", "not-the-backend")


def test_a_constraints_file_that_caps_torch_is_named(place: Place) -> None:
    from msgspec.structs import replace

    cap = place[0] / "caps.txt"
    cap.write_text("torch<2\n")
    capped = project(*place)
    sources = replace(capped.sources, constraints=(str(cap),))
    found = plan(replace(capped, sources=sources), machine())
    reasons = {link.kind: link.subject for link in route_of(found, "wheelhouse-cpu").because}
    assert found.chosen is None
    assert reasons["constraint"] == str(cap)
    gone = replace(capped.sources, constraints=(str(place[0] / "none.txt"),))
    assert route_of(plan(replace(capped, sources=gone), machine()), "wheelhouse-cpu").because[0].kind == "no-file"


def test_a_folder_of_any_name_is_a_wheelhouse(house: Path, index: str, tmp_path: Path) -> None:
    odd = tmp_path / "a#b%20?c, d\n'ü\""
    house.rename(odd)
    for wheel in (*odd.glob("*rocm*"), *odd.glob("*cu130*")):
        wheel.unlink()
    found = plan(project(tmp_path, odd, index), machine())
    assert found.chosen == "wheelhouse-cpu"
    assert {wheel.source for wheel in route_of(found, "wheelhouse-cpu").wheels} == {"wheelhouse", "default"}


def test_a_temporary_folder_that_cannot_be_had(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(place[0] / "gone"))
    route = route_of(plan(project(*place), machine()), "wheelhouse-cpu")
    assert (route.verdict, route.because[0].kind) == ("unknown", "no-temporary-folder")


def test_without_uv_it_cannot_be_told(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    import uv

    def gone() -> str:
        raise FileNotFoundError("uv")

    monkeypatch.setattr(uv, "find_uv_bin", gone)
    with pytest.raises(CannotTell, match="uv"):
        plan(project(*place), machine())


def test_a_range_that_nothing_meets(house: Path, index: str, tmp_path: Path) -> None:
    found = plan(project(tmp_path, house, index, torch=">=9"), machine())
    assert found.chosen is None
    assert route_of(found, "wheelhouse-cpu").because[0].kind in ("no-version", "not-there")


def test_production_takes_no_local_route(house: Path, index: str, tmp_path: Path) -> None:
    found = plan(project(tmp_path, house, index, policy="production"), machine())
    assert found.chosen is None
    assert "production" in found.why.en
    assert route_of(found, "wheelhouse-cpu").verdict == "works"


def test_a_route_that_is_not_there(house: Path, index: str, tmp_path: Path) -> None:
    found = plan(project(tmp_path, house, index, route="nix"), machine())
    assert found.chosen is None
    assert "nix" in found.why.en


def test_an_index_out_of_reach_is_unknown(house: Path, index: str, tmp_path: Path) -> None:
    nowhere = Source(name="pytorch-cpu", url="http://127.0.0.1:9/whl/cpu", kind="index", origin="test")
    found = plan(project(tmp_path, house, index, torch_indices=(nowhere,)), machine())
    route = route_of(found, "pytorch-cpu")
    assert (route.verdict, route.because[0].kind) == ("unknown", "unreachable")
    assert found.chosen == "wheelhouse-cpu"


def test_offline_judges_no_index(house: Path, index: str, tmp_path: Path) -> None:
    nowhere = Source(name="pytorch-cpu", url="http://127.0.0.1:9/whl/cpu", kind="index", origin="test")
    found = plan(project(tmp_path, house, index, torch_indices=(nowhere,), offline=True), machine())
    assert route_of(found, "pytorch-cpu").because[0].kind == "offline"
    assert found.chosen == "wheelhouse-cpu"


def test_the_default_index_is_never_taken_for_a_cpu(tmp_path: Path) -> None:
    default = Source(name="pypi", url="", kind="index", origin="built-in")
    sources = Sources(default_indices=(default,), wheelhouses=(), torch_indices=(default,))
    found = plan(Project(root=str(tmp_path), goal=Goal(), sources=sources), machine())
    assert found.chosen is None
    assert route_of(found, "pypi-cuda").because[0].kind == "needs-driver"


def test_a_broken_extra_index_does_no_harm(house: Path, index: str, tmp_path: Path) -> None:
    (tmp_path / "broken").mkdir()
    broken = (tmp_path / "broken").as_uri()
    assert plan(project(tmp_path, house, index, extra=(broken,)), machine()).chosen == "wheelhouse-cpu"


def test_an_index_on_disk_is_judged_by_what_it_lists(tmp_path: Path, index: str) -> None:
    wheel = make_wheel(tmp_path / "t", "torch", "2.14.0+rocm7.2", requires=["filelock"])
    url = make_index(tmp_path / "torch-index", [wheel])
    source = Source(name="pip-index-mine", url=url, kind="index", origin="test")
    found = plan(project(tmp_path, None, index, torch_indices=(source,)), machine(gpus=(STRIX,)))
    assert found.chosen == "pip-index-mine"
    assert route_of(found, "pip-index-mine").versions == {"torch": "2.14.0+rocm7.2"}


def test_a_vanished_folder_is_a_reason(index: str, tmp_path: Path) -> None:
    found = plan(project(tmp_path, tmp_path / "gone", index), machine())
    assert found.chosen is None
    assert found.routes[0].because[0].kind == "unreadable"


def test_a_tree_without_gpu_facts_is_not_taken_for_a_machine_without_gpu(
    house: Path, index: str, tmp_path: Path
) -> None:
    from msgspec.structs import replace

    from firstlight.facts.model import Unknown

    facts = machine()
    lost = Unknown("not-captured", "/sys")
    driver = replace(
        facts.driver, amd=replace(facts.driver.amd, loaded=lost), nvidia=replace(facts.driver.nvidia, loaded=lost)
    )
    found = plan(project(tmp_path, house, index), replace(facts, driver=driver))
    assert (found.chosen, found.backend) == (None, None)
    assert {route.verdict for route in found.routes} == {"unknown"}


@pytest.mark.parametrize(
    ("facts", "name", "kind"),
    [
        (machine(gpus=(gpu("amd", "gfx803"),)), "wheelhouse-rocm", "no-code-for-chip"),
        (machine(gpus=(gpu("nvidia", "sm_50"),)), "wheelhouse-cuda", "no-code-for-chip"),
        (machine(gpus=(H100,), nvidia="535.183.01"), "wheelhouse-cuda", "driver-too-old"),
        (machine(gpus=(H100,), nvidia=None), "wheelhouse-cuda", "needs-driver"),
        (machine(gpus=(gpu("amd", None),)), "wheelhouse-rocm", "unknown-fact"),
    ],
)
def test_what_keeps_a_gpu_from_running_it(place: Place, facts: Facts, name: str, kind: str) -> None:
    found = plan(project(*place), facts)
    assert found.chosen is None
    assert route_of(found, name).because[0].kind == kind


def test_a_gpu_that_can_never_compute_calls_for_no_backend(place: Place) -> None:
    for old in (gpu("amd", "gfx600", usable=False, why="no-driver"), gpu("amd", None, usable=False, why="gcn1")):
        assert plan(project(*place), machine(gpus=(old,))).chosen == "wheelhouse-cpu"


def test_a_backend_that_no_gpu_here_serves(place: Place) -> None:
    found = plan(project(*place, backend="rocm"), machine())
    assert (found.chosen, found.backend) == (None, "rocm")
    assert route_of(found, "wheelhouse-rocm").because[0].kind == "no-gpu"
