"""`firstlight plan` from the command line to the exit code; the routes themselves are made by hand."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from firstlight.cli.main import main
from firstlight.routes.model import Plan
from firstlight.verbs import plan as verb

from ..text import plans


@pytest.fixture(autouse=True)
def _judged_by_hand(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(verb, "judged", lambda *_, **__: plans.STRIX)


def said(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> str:
    assert main(["plan", *arguments, "--host", "."]) == code
    out, err = capsys.readouterr()
    assert (code == 2) == bool(err)
    return out or err


def document(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> Any:
    return json.loads(said(capsys, "--json", *arguments, code=code))


def test_all_routes_are_in_the_document_whatever_the_table_shows(capsys: pytest.CaptureFixture[str]) -> None:
    assert "pytorch-cpu" not in said(capsys)
    assert "pytorch-cpu" in said(capsys, "--all")
    every = document(capsys)
    assert every == document(capsys, "--all")
    assert len(every["routes"]) == len(plans.STRIX.routes)


@pytest.mark.parametrize(
    ("name", "code"), [("amd-rocm10", 0), ("strix-builds", 0), ("pytorch-cpu", 1), ("pytorch-rocm7.1", 3)]
)
def test_one_route_is_told_with_its_own_exit_code(name: str, code: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, "--why", name, code=code).startswith(f"{name}: ")
    one = document(capsys, "--why", name, code=code)
    assert (one["asked"], [route["name"] for route in one["routes"]], one["chosen"]) == (name, [name], "amd-rocm10")


@pytest.mark.parametrize(("lang", "names"), [("en", "there are: amd-rocm10, "), ("zh", "现有：amd-rocm10, ")])
def test_a_route_that_is_not_there_is_wrong_usage(lang: str, names: str, capsys: pytest.CaptureFixture[str]) -> None:
    err = said(capsys, "--why", "rocm", "--lang", lang, code=2)
    assert "`rocm`" in err
    assert names in err
    assert main(["plan", "--why", "rocm", "--json", "--host", "."]) == 2
    assert json.loads(capsys.readouterr().out)["exit_code"] == 2


def test_the_table_is_as_wide_as_the_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "2.14.0+rocm10.1.0  0.29.0+rocm10.1.0  3.8.0+rocm10.1.0  3.12" in said(capsys)
    monkeypatch.setenv("COLUMNS", "80")
    assert "2.14.0  0.29.0" in said(capsys)


def test_a_policy_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert "policy production does not take tier community" in said(capsys, "--policy", "production")
    refused = {route["name"]: route["left_out"] for route in document(capsys, "--policy", "production")["routes"]}
    assert refused["strix-builds"] == "policy"
    assert refused["amd-rocm10"] is None


def test_hundreds_of_routes_are_drawn_at_once(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    many = Plan(backend="rocm", routes=plans.STRIX.routes * 40, chosen="amd-rocm10", why=plans.STRIX.why)
    monkeypatch.setattr(verb, "judged", lambda *_, **__: many)
    before = time.process_time()
    said(capsys, "--all")
    assert time.process_time() - before < 2
