"""A sync that has nothing to do loads next to nothing."""

from __future__ import annotations

import subprocess
import sys

HEAVY = ("firstlight.routes.plan", "firstlight.routes.wheels", "firstlight.routes.declared", "firstlight.facts.collect",
         "firstlight.lockfile.freeze", "urllib3", "packaging.version", "subprocess", "ctypes", "tempfile")  # fmt: skip


def test_what_only_plans_or_installs_is_not_loaded() -> None:
    code = "import sys, firstlight.verbs.sync; print(*sys.modules)"
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not [name for name in HEAVY if name in answer.stdout.split()]
