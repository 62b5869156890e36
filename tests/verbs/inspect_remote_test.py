"""Wheels at addresses, read through a real server; and the program as a whole on files of this disk."""

from __future__ import annotations

import io
import json
import os
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from firstlight.cli.main import main
from firstlight.errors import CannotTell
from firstlight.verbs.inspect import InspectRequest, inspect

from ..catalog.server import Server, failing, ranged, serving, told

PTX = b"//\n.version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k() { ret; }\n"


def wheel() -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("a/kernels.ptx", PTX)
        file.writestr("a/data.bin", os.urandom(3 << 20))
        file.writestr("a-1.0+cu130.dist-info/METADATA", "Metadata-Version: 2.1\nName: a\nVersion: 1.0+cu130\n")
        file.writestr("a-1.0+cu130.dist-info/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        file.writestr("a-1.0+cu130.dist-info/RECORD", "")
    return made.getvalue()


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Server]:
    for name in list(os.environ):
        if name.lower().endswith("_proxy") or name.startswith(("PIP_", "UV_", "FIRSTLIGHT_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))
    with serving() as one:
        yield one


def test_only_what_is_needed_is_fetched(server: Server, tmp_path: Path) -> None:
    server.routes["/a-1.0+cu130-py3-none-any.whl?token=secret"] = ranged(wheel())
    address = server.url("/a-1.0+cu130-py3-none-any.whl")
    found = inspect(InspectRequest(files=(f"{address}?token=secret#x",), targets=("sm_120",), project=str(tmp_path)))
    assert found.files[0].path == address
    assert found.files[0].targets == ("compute_90",)
    assert found.files[0].distribution == "a 1.0+cu130"
    assert (found.runs_on["sm_120"].verdict, found.runs_on["sm_120"].driver) == ("jit", "580.65.06")
    spans = [one.headers.get("range", "") for one in server.asked]
    assert all(spans)
    assert sum(map(length, spans)) < 1 << 20


def length(span: str) -> int:
    """Bytes that `bytes=0-99` or, counted from the end, `bytes=-100` asks for (RFC 9110, 14.1.2)."""
    first, _, last = span.removeprefix("bytes=").partition("-")
    return int(last) - int(first) + 1 if first else int(last)


@pytest.mark.parametrize("route", [told(b"x"), failing(404), failing(500)])
def test_an_address_that_cannot_be_read(server: Server, tmp_path: Path, route: object) -> None:
    server.routes["/a.whl"] = route  # type: ignore[assignment]
    with pytest.raises(CannotTell, match=r"/a\.whl: "):
        inspect(InspectRequest(files=(server.url("/a.whl"),), targets=("sm_90",), project=str(tmp_path)))


def test_the_program(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.whl").write_bytes(wheel())
    assert main(["inspect", str(tmp_path / "a.whl"), "--for", "sm_120", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["runs_on"]["sm_120"]["verdict"] == "jit"
    assert main(["inspect", str(tmp_path / "a.whl"), "--for", "sm_80", "--lang", "en"]) == 1
    assert "has no code for sm_80; it has compute_90" in capsys.readouterr().out
    assert main(["inspect", str(tmp_path / "gone"), "--for", "sm_80"]) == 2
    assert main(["inspect", str(tmp_path / "a.whl"), "--for", "rubbish"]) == 2
    (tmp_path / "cut.whl").write_bytes(wheel()[:-40])
    assert main(["inspect", str(tmp_path / "cut.whl"), "--for", "sm_120", "--json"]) == 3
