"""uv with a cache of its own: tests must not fill the user's."""

from __future__ import annotations

from pathlib import Path

import pytest

from .ground import Ground


@pytest.fixture(scope="session")
def uv_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("uv-cache")


@pytest.fixture(autouse=True)
def _own_cache(uv_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UV_CACHE_DIR", str(uv_cache))
    monkeypatch.setenv("UV_HTTP_RETRIES", "0")
    for name in ("UV_LINK_MODE", "VIRTUAL_ENV"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def ground(tmp_path: Path) -> Ground:
    return Ground(tmp_path)
