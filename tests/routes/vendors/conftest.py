"""The vendors' hosts, our own cache and nobody's settings."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from .distribution import real_file
from .server import Vendors, serving

SETUPTOOLS = "setuptools==84.2.1"
BEFORE = dict(os.environ)
"""Before the tests took pip's settings away."""
FOREIGN = (
    "PIP_",
    "UV_",
    "FIRSTLIGHT_",
    "http_proxy",
    "https_proxy",
    "all_proxy",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "ALL_PROXY",
)


@pytest.fixture(scope="session")
def hosts() -> Iterator[Vendors]:
    with serving() as found:
        yield found


@pytest.fixture
def vendors(hosts: Vendors) -> Iterator[Vendors]:
    hosts.asked.clear()
    yield hosts
    hosts.down = False


@pytest.fixture(scope="session")
def setuptools_wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The real one, which builds sdists. Skips where pip's own sources do not have it."""
    folder = tmp_path_factory.mktemp("setuptools")
    argv = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(folder), SETUPTOOLS]
    subprocess.run(argv, capture_output=True, check=False, timeout=60, env=BEFORE)
    found = next(folder.glob("setuptools-*.whl"), None)
    if found is None:
        pytest.skip("setuptools cannot be had here")
    return found


@pytest.fixture
def setuptools(setuptools_wheel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The default index has the real one. Caches that know the file of the other tests are put aside."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("UV_CACHE_DIR", str(tmp_path / "uv"))
    with real_file(setuptools_wheel.name, setuptools_wheel.read_bytes()):
        yield


@pytest.fixture(scope="session")
def caches(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("caches")


@pytest.fixture(autouse=True)
def _own_settings(caches: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [one for one in os.environ if one.startswith(FOREIGN)]:
        monkeypatch.delenv(name)
    empty = tmp_path / "home"
    empty.mkdir(exist_ok=True)
    monkeypatch.setenv("HOME", str(empty))
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    for name in ("HTTPS_PROXY", "https_proxy"):  # the vendors' true hosts cannot be reached from these tests
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(name, str(empty / name))
    monkeypatch.setenv("XDG_CACHE_HOME", str(caches / "xdg"))
    monkeypatch.setenv("UV_HTTP_RETRIES", "0")
    monkeypatch.setenv("UV_CACHE_DIR", str(caches / "uv"))
