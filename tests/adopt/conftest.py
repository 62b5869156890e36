"""uv with a cache of its own, and no settings of whoever runs the tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.routes.loopback import Index, serving

from .hand_made import HandMade


@pytest.fixture(scope="session")
def uv_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("uv-cache")


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, uv_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UV_CACHE_DIR", str(uv_cache))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for name in ("UV_LINK_MODE", "VIRTUAL_ENV", "CONDA_PREFIX", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def index(tmp_path: Path) -> Iterator[Index]:
    folder = tmp_path / "served"
    folder.mkdir()
    with serving(folder) as running:
        yield running


@pytest.fixture
def made(tmp_path: Path, index: Index) -> HandMade:
    return HandMade(tmp_path, index)
