"""A bounded sample of `python -m tests.oracles.apt FOLDER`, with a fixed seed."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import pytest

from .comparing import compare, solver
from .kinds import KINDS, build
from .requests import requests
from .roots import mirror, stanzas

SAMPLE = {"bookworm-minimal": 6, "trixie-minimal-held": 6, "bookworm-pins-trixie-low": 6}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where fetched indices lie for all kinds."""
    if shutil.which("apt-get") is None or mirror() is None:
        pytest.skip("no apt-get here, or no source of Debian's own to fetch its indices from")
    return tmp_path_factory.mktemp("apt")


@pytest.mark.timeout(900)
@pytest.mark.parametrize("kind", SAMPLE)
def test_the_same_verdict_as_apt_get(kind: str, store: Path) -> None:
    assert kind in KINDS
    random_ = random.Random(2026)
    root = build(kind, store, random_)
    ours = solver(root, store / "cache")
    found = [compare(root, ours, wanted) for wanted in requests(sorted(stanzas(root)), SAMPLE[kind], random_)]
    assert [one for one in found if not one.right] == []
