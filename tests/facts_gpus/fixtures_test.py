"""Every captured machine whose truth is known, judged by the project's own scorer."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec
import pytest

from firstlight.facts.gpus import gpus
from firstlight.host.opening import open_host

SHARED = Path(__file__).resolve().parents[2].parent / "shared"


def machines() -> list[Path]:
    """Folders of kind `host`."""
    truths = sorted((SHARED / "fixtures").rglob("truth.json"))
    return [path.parent for path in truths if json.loads(path.read_text())["kind"] == "host"]


def scorer() -> ModuleType:
    spec = importlib.util.spec_from_file_location("score_facts", SHARED / "tools" / "score_facts.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.skipif(not machines(), reason="../shared is not here")
@pytest.mark.parametrize("folder", machines(), ids=lambda folder: f"{folder.parent.name}/{folder.name}")
def test_gpus_of_a_captured_machine(folder: Path) -> None:
    found: list[dict[str, Any]] = msgspec.to_builtins(gpus(open_host(str(folder / "root"))))
    truth = json.loads((folder / "truth.json").read_text())
    truth.pop("nvidia_driver", None)  # another subject's
    assert scorer().faults(truth, {"gpus": found}) == []


@pytest.mark.skipif(not machines(), reason="../shared is not here")
@pytest.mark.parametrize("folder", machines(), ids=lambda folder: f"{folder.parent.name}/{folder.name}")
def test_what_is_not_known_is_said(folder: Path) -> None:
    for gpu in gpus(open_host(str(folder / "root"))):
        null = {name for name in ("target", "name", "memory_bytes", "usable") if getattr(gpu, name) is None}
        assert null - set(gpu.unknown) <= ({"target"} if gpu.vendor == "intel" else set())
        assert (gpu.usable is False) == (gpu.why is not None)
        assert not any(getattr(gpu, name, None) is not None for name in gpu.unknown)
