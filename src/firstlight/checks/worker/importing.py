"""Rung `import`: torch loads, and which build it is. Opens no device and runs no operation."""

from __future__ import annotations

import contextlib
import faulthandler
import importlib
import os
import sys
import time
import traceback

from .outcome import Finding, failed, passed


def import_torch(backend: str, limit: float) -> Finding:
    """Import torch into this process. Firstlight ends the process after `limit` seconds; just before, the stack is
    printed: the best evidence of a hang."""
    started = time.perf_counter()
    faulthandler.dump_traceback_later(max(limit * 0.9, limit - 1), exit=False)
    try:
        import torch
    except ModuleNotFoundError as error:
        reason = "no-torch" if error.name == "torch" else "import-error"
        return failed(reason, f"{type(error).__name__}: {error}", python=sys.executable, prefix=sys.prefix)
    except (Exception, SystemExit) as error:  # noqa: BLE001  # whatever a broken package raises is the finding
        last = traceback.extract_tb(error.__traceback__)[-1:]
        where = [f"{frame.filename}:{frame.lineno}" for frame in last]
        return failed("import-error", f"{type(error).__name__}: {error}", python=sys.executable, where=where)
    finally:
        faulthandler.cancel_dump_traceback_later()
    seconds = time.perf_counter() - started
    try:
        evidence = describe(torch.__version__, torch.__file__, torch.version.hip, torch.version.cuda)
        torch.tensor, torch.nn, torch._C  # noqa: B018, SLF001  # a folder called torch has none of these
    except AttributeError as error:
        where = [str(entry) for entry in getattr(torch, "__path__", [])]
        return failed("not-torch", str(error), python=sys.executable, where=where)
    return passed(**evidence, wanted=backend, python=sys.executable, seconds=round(seconds, 3))


def describe(version: object, path: object, hip: object, cuda: object) -> dict[str, object]:
    """Which build this is."""
    backend = "rocm" if hip else "cuda" if cuda else "cpu"
    return {
        "version": str(version),
        "backend": backend,
        "backend_version": str(hip or cuda) if hip or cuda else None,
        "path": os.path.dirname(str(path)),
        "python_version": ".".join(str(part) for part in sys.version_info[:3]),
    }


PRELOADED = {
    "convolution": "torch.fx.experimental.symbolic_shapes",  # imported by the first backward
    "attention": "torch.fx.experimental.symbolic_shapes",
    "training-step": "torch._dynamo",  # imported by the first optimiser, from torch 2.4 on
    "checkpoint": "torch._dynamo",
}


def preload(rung: str) -> None:
    """Import what torch imports late and slowly (1 to 3 s), so that not every rung pays for it again."""
    with contextlib.suppress(Exception):  # the rung itself will meet it and say so
        if rung in PRELOADED:
            importlib.import_module(PRELOADED[rung])
