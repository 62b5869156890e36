"""The story, replayed: each half is named before anything changes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from firstlight.cli.main import main

from . import stories
from .roots import Root

Ask = Callable[..., tuple[int, dict[str, Any]]]


@pytest.fixture
def plan(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Ask:
    """`firstlight plan --packages NAME...` of a root, offline: exit code and document."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("FIRSTLIGHT_OFFLINE", "1")
    monkeypatch.chdir(tmp_path)

    def ask(root: Root, *arguments: str) -> tuple[int, dict[str, Any]]:
        code = main(["plan", "--json", "--host", str(root.path), *arguments])
        return code, json.loads(capsys.readouterr().out)

    return ask


def texts(route: dict[str, Any]) -> str:
    return "\n".join(link["text"] for link in route["because"])


def test_22_04_offers_14_where_15_is_wanted(plan: Ask, tmp_path: Path) -> None:
    code, document = plan(stories.jammy(tmp_path / "root"), "--packages", "rocm-dev")
    route = document["routes"][0]
    assert (code, route["verdict"], document["chosen"]) == (1, "blocked", None)
    said = texts(route)
    assert "rocm-llvm" in said
    assert "libc++-dev" in said
    assert "offers 14" in said
    kinds = [link["kind"] for link in route["because"]]
    assert kinds.index("needs") < kinds.index("version-not-offered")


def test_24_04_goes_back_with_clang_and_that_is_harm(plan: Ask, tmp_path: Path) -> None:
    code, document = plan(stories.noble(tmp_path / "root"), "--packages", "rocm-dev")
    route = document["routes"][0]
    assert (code, route["verdict"], document["chosen"]) == (1, "harmful", None)
    lowered = {one["name"]: (one["before"], one["version"]) for one in route["downgrade"]}
    assert lowered["libc++-dev"] == ("1:18.0-55~exp2", "1:15.0-55~exp2")
    assert "clang" in lowered
    harmed = " ".join(f"{one['what']} {one['why']}" for one in route["harm"])
    assert "libc++-dev" in harmed
    assert "clang" in harmed


def test_the_other_release_will_not_help(plan: Ask, tmp_path: Path) -> None:
    code, document = plan(stories.jammy(tmp_path / "root"), "--packages", "rocm-dev", "--release", "noble")
    assert code in (1, 3)
    assert all(route["verdict"] != "works" for route in document["routes"])


def test_the_releases_own_packages_shadow_the_vendors(plan: Ask, tmp_path: Path) -> None:
    root = stories.shadowed(tmp_path / "root")
    code, document = plan(root, "--packages", "rocm-hip-runtime-dev")
    route = document["routes"][0]
    assert (code, route["verdict"]) == (1, "blocked")
    assert "apt-distro-rocm-shadows-vendor" in json.dumps(route["because"])
    root.pin(stories.PIN)
    code, document = plan(root, "--packages", "rocm-hip-runtime-dev")
    assert (code, document["routes"][0]["verdict"]) == (0, "works")
    assert {one["name"] for one in document["routes"][0]["install"]} >= {"rocm-hip-runtime-dev", "hipcc", "rocminfo"}


@pytest.mark.parametrize("story", [stories.jammy, stories.noble, stories.shadowed])
def test_words_are_there_in_both_languages(
    story: Callable[[Path], Root], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("FIRSTLIGHT_OFFLINE", "1")
    root = story(tmp_path / "root")
    said = []
    for lang in ("en", "zh"):
        main(["plan", "--host", str(root.path), "--packages", "rocm-dev", "--lang", lang])
        said.append(any("\u4e00" <= sign <= "\u9fff" for sign in capsys.readouterr().out))
    assert said == [False, True]
