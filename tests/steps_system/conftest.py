"""Debian systems to change."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from .machine import Machine
from .roots import Root, bootstrap, cannot


@pytest.fixture(scope="session")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One minimal system for all; FIRSTLIGHT_TEST_ROOT names one that is there already."""
    if cannot():
        pytest.skip(cannot())
    given = os.environ.get("FIRSTLIGHT_TEST_ROOT")
    return Path(given) if given else bootstrap(tmp_path_factory.mktemp("debian"))


@pytest.fixture
def root(base: Path, tmp_path: Path) -> Iterator[Root]:
    """A system of one's own."""
    made = Root(base, tmp_path / "system")
    try:
        yield made
    finally:
        made.close()


@pytest.fixture
def machine(root: Root) -> Machine:
    """One that knows nothing but a small repository."""
    return Machine(root)
