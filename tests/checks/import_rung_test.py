"""Rung `import`, where torch is missing or broken: needs no torch."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from firstlight.checks.limits import Limits

from .climbing import cpu


def broken(folder: Path, source: str) -> dict[str, str]:
    """Variables under which `import torch` runs `source`."""
    (folder / "torch").mkdir(parents=True)
    (folder / "torch" / "__init__.py").write_text(source, encoding="utf-8")
    return {"PYTHONPATH": str(folder)}


@pytest.fixture(scope="module")
def bare_python(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A Python without any package."""
    folder = tmp_path_factory.mktemp("bare") / "env"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    return str(folder / "bin" / "python")


def test_no_torch(bare_python: str) -> None:
    rungs = cpu(bare_python, command=("true",))
    assert (rungs["import"].verdict, rungs["import"].reason) == ("fail", "no-torch")
    assert rungs["import"].evidence["python"] == bare_python
    assert {rung.reason for rung in rungs.values()} == {"no-torch", "after-failure"}


def test_no_python(tmp_path: Path) -> None:
    rungs = cpu(str(tmp_path / "python"), "matmul")
    assert (rungs["import"].verdict, rungs["import"].reason) == ("fail", "no-python")
    assert rungs["matmul"].reason == "after-failure"


def test_a_python_that_is_none() -> None:
    imported = cpu("/bin/false", "import")["import"]
    assert (imported.verdict, imported.reason, imported.evidence["code"]) == ("fail", "no-python", 1)


@pytest.mark.parametrize(
    ("source", "reason", "text"),
    [
        ("raise ImportError('libtorch_hip.so: undefined symbol: hipFoo')", "import-error", "undefined symbol"),
        ("import numpy_that_is_not_there", "import-error", "numpy_that_is_not_there"),
        ("import ctypes; ctypes.CDLL(__file__)  #" + "#" * 2000, "import-error", "invalid ELF header"),
        ("syntax error", "import-error", "SyntaxError"),
        ("raise SystemExit(3)", "import-error", "SystemExit"),
        ("x = 1", "not-torch", "__version__"),
    ],
)
def test_torch_that_cannot_be_loaded(bare_python: str, tmp_path: Path, source: str, reason: str, text: str) -> None:
    imported = cpu(bare_python, "import", variables=broken(tmp_path, source))["import"]
    assert (imported.verdict, imported.reason) == ("fail", reason)
    assert text in imported.text


@pytest.mark.parametrize(
    ("source", "reason", "evidence"),
    [
        ("import ctypes; ctypes.string_at(0)", "crashed", {"signal": "SIGSEGV"}),
        ("import os; os.abort()", "crashed", {"signal": "SIGABRT"}),
        ("import os; os.kill(os.getpid(), 9)", "killed", {"signal": "SIGKILL"}),
        ("import os; os._exit(4)", "exit-code", {"code": 4}),
        (
            "import os; os.write(2, b'cannot allocate memory for thread-local data: ABORT'); os._exit(127)",
            "out-of-memory",
            {"code": 127},
        ),
        ("import os; os.closerange(3, 99); import time; time.sleep(0.1); os._exit(0)", "exit-code", {"code": 0}),
    ],
)
def test_import_that_ends_the_worker(
    bare_python: str, tmp_path: Path, source: str, reason: str, evidence: dict[str, object]
) -> None:
    noise = "print('noise' * 100000)\n"
    imported = cpu(bare_python, "import", variables=broken(tmp_path, noise + source))["import"]
    assert (imported.verdict, imported.reason) == ("fail", reason)
    assert evidence.items() <= imported.evidence.items()
    assert len(str(imported.evidence["stderr"])) <= 4000


def test_import_that_hangs_shows_where(bare_python: str, tmp_path: Path) -> None:
    variables = broken(tmp_path, "import time\ntime.sleep(1000)")
    imported = cpu(bare_python, "import", variables=variables, limits=Limits(import_=1))["import"]
    assert (imported.verdict, imported.reason) == ("fail", "timeout")
    assert "torch/__init__.py" in str(imported.evidence["stderr"])


def test_the_current_folder_shadows_nothing(bare_python: str, tmp_path: Path) -> None:
    (tmp_path / "json.py").write_text("raise RuntimeError('shadowed')", encoding="utf-8")
    imported = cpu(bare_python, "import", cwd=tmp_path, variables={"PYTHONPATH": ":."})["import"]
    assert imported.reason == "no-torch"
