"""Declared routes: what is taken, what is refused and with which words."""

from __future__ import annotations

from pathlib import Path

import pytest

from firstlight.errors import UnreadableInput
from firstlight.project.load import load
from firstlight.project.model import DeclaredRoute

DIGEST = "sha256:" + "a" * 64
WHOLE = f"""
[[route]]
name = "mine"
kind = "folder"
url = "wheels"
tier = "community"
backend = "rocm"
targets = ["gfx906", "gfx906:xnack-"]
licence = "BSD-3-Clause"
maintainer = "A. Somebody"
recipe = "https://host.example/recipe"
build_minutes = 90
homepage = "https://host.example"

[[route]]
name = "an-image"
kind = "image"
url = "docker.io/somebody/torch:v1@{DIGEST}"

[[route]]
name = "packed"
kind = "tarball"
url = "https://host.example/wheels.tar.gz"
sha256 = "{"b" * 64}"

[[route]]
name = "built"
kind = "build"
url = "~/out"

[[route]]
name = "an-index"
kind = "index"
url = "https://host.example/simple"
"""


def _load(root: Path, text: str, user: str = "") -> tuple[DeclaredRoute, ...]:
    (root / "p").mkdir(exist_ok=True)
    (root / "p/firstlight.toml").write_text(text)
    if user:
        (root / "home/.config/firstlight").mkdir(parents=True, exist_ok=True)
        (root / "home/.config/firstlight/config.toml").write_text(user)
    return load(str(root / "p"), environ={"HOME": str(root / "home")}, etc=str(root / "etc")).routes


def route(**said: str) -> str:
    """One `[[route]]`; a value is written as it is, a string with its quotes."""
    lines = {"name": '"x"', "kind": '"folder"', "url": '"w"', **said}
    return "[[route]]\n" + "".join(f"{key} = {value}\n" for key, value in lines.items() if value)


def test_all_kinds_are_taken(tmp_path: Path) -> None:
    mine, image, packed, built, index = _load(tmp_path, WHOLE)
    assert mine == DeclaredRoute(
        name="mine", kind="folder", url=str(tmp_path / "p/wheels"), tier="community", backend="rocm",
        targets=("gfx906", "gfx906:xnack-"), licence="BSD-3-Clause", maintainer="A. Somebody",
        recipe="https://host.example/recipe", build_minutes=90, homepage="https://host.example",
        declared_in="firstlight.toml",
    )  # fmt: skip
    assert image.url == f"docker.io/somebody/torch:v1@{DIGEST}"
    assert (packed.tier, packed.sha256) == ("local", "b" * 64)
    assert built.url == "~/out"
    assert index.url == "https://host.example/simple"


@pytest.mark.parametrize(
    ("said", "place"),
    [
        ({"tier": '"vendor"'}, r"route\[0\].tier: `vendor` cannot be claimed"),
        ({"tier": '"upstream"'}, r"route\[0\].tier: `upstream` cannot be claimed"),
        ({"tier": '"distro"'}, r"route\[0\].tier: `distro` cannot be claimed"),
        ({"tier": '"mine"'}, r"route\[0\].tier"),
        ({"tier": "3"}, r"route\[0\].tier"),
        ({"kind": '"wheel"'}, r"route\[0\].kind"),
        ({"kind": ""}, r"route\[0\]: .*kind"),
        ({"name": '"Mine Own"'}, r"route\[0\].name"),
        ({"name": '"pytorch-cpu"'}, r"route\[0\].name: .*built-in"),
        ({"name": '"pytorch-cu999"'}, r"route\[0\].name: .*built-in"),
        ({"name": '"amd-rocm11"'}, r"route\[0\].name: .*built-in"),
        ({"name": '"pypi-cuda"'}, r"route\[0\].name: .*built-in"),
        ({"name": '"wheelhouse-cpu"'}, r"route\[0\].name: .*built-in"),
        ({"name": '"therock-source"'}, r"route\[0\].name: .*built-in"),
        ({"backend": '"metal"'}, r"route\[0\].backend"),
        ({"url": '"https://host.example/w"'}, r"route\[0\].url: .*folder"),
        ({"url": '""'}, r"route\[0\].url"),
        ({"url": '"ftp://host.example/w"', "kind": '"index"'}, r"route\[0\].url"),
        ({"kind": '"tarball"', "url": '"https://h.example/t.tar"'}, r"route\[0\].sha256: required"),
        ({"kind": '"tarball"', "sha256": '"xyz"'}, r"route\[0\].sha256"),
        ({"sha256": f'"{"a" * 64}"'}, r"route\[0\].sha256: .*folder"),
        ({"kind": '"image"', "url": '"docker.io/x/y:latest"'}, r"route\[0\].url: .*digest"),
        ({"kind": '"image"', "url": '"docker.io/x/y@sha256:12"'}, r"route\[0\].url: .*digest"),
        ({"targets": '["gfx906", "RX 580"]'}, r"route\[0\].targets\[1\]"),
        ({"targets": '["gfx906", "sm_90"]'}, r"route\[0\].targets\[1\]"),
        ({"targets": '["sm_90"]', "backend": '"rocm"'}, r"route\[0\].targets\[0\]"),
        ({"build_minutes": "-1"}, r"route\[0\].build_minutes"),
        ({"build_minutes": "inf"}, r"route\[0\].build_minutes"),
        ({"maintainer": r'"a\u001b[31m"'}, r"route\[0\].maintainer: holds control signs"),
        ({"licence": '""'}, r"route\[0\].licence"),
        ({"colour": '"red"'}, r"route\[0\]"),
    ],
)
def test_a_bad_value_is_named_by_its_path(tmp_path: Path, said: dict[str, str], place: str) -> None:
    with pytest.raises(UnreadableInput, match=place) as caught:
        _load(tmp_path, route(**said))
    assert "firstlight.toml" in caught.value.what.en
    assert caught.value.what.zh


def test_the_second_of_one_name_in_a_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnreadableInput, match=r"route\[1\].name: .*twice"):
        _load(tmp_path, route() + route())


def test_the_projects_route_wins_over_the_users(tmp_path: Path) -> None:
    found = _load(tmp_path, route(licence='"MIT"'), route(licence='"GPL-3.0-only"') + route(name='"y"'))
    assert [(one.name, one.licence, one.declared_in) for one in found] == [
        ("x", "MIT", "firstlight.toml"),
        ("y", None, "config.toml"),
    ]


@pytest.mark.parametrize("names", [("x", "x-rocm"), ("x-cpu", "x")])
def test_names_that_lead_to_one_route_are_refused(tmp_path: Path, names: tuple[str, str]) -> None:
    with pytest.raises(UnreadableInput, match=r"route\[1\].name: .*told apart"):
        _load(tmp_path, "".join(route(name=f'"{name}"') for name in names))


def test_a_name_that_a_source_has_is_refused(tmp_path: Path) -> None:
    source = '[[source]]\nname = "x"\nurl = "https://host.example/simple"\n'
    with pytest.raises(UnreadableInput, match=r"route\[0\].name: .*told apart"):
        _load(tmp_path, source + route())


def test_a_route_in_pyproject_is_known_by_its_file(tmp_path: Path) -> None:
    (tmp_path / "p").mkdir()
    text = route().replace("[[route]]", "[[tool.firstlight.route]]")
    (tmp_path / "p/pyproject.toml").write_text(text)
    found = load(str(tmp_path / "p"), environ={"HOME": str(tmp_path)}, etc=str(tmp_path)).routes
    assert [one.declared_in for one in found] == ["pyproject.toml"]
