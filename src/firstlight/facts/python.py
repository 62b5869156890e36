"""Pythons and what they hold."""

from __future__ import annotations

from collections.abc import Sequence

from ..host.model import Host
from .environments import environments
from .interpreters import interpreters, real_path
from .model import Interpreter, Python
from .reading import names_in, present
from .value import Fact, Unknown


def python(host: Host, project: str | None, arch: Fact[str], *, chips: Sequence[str] = ()) -> Python:
    """Interpreters on PATH, environments with torch, the PEP 668 marker. `chips`: targets of the GPUs."""
    found = interpreters(host)
    return Python(
        interpreters=found,
        environments=environments(host, project, found, arch, chips=chips),
        externally_managed=_externally_managed(host, found),
    )


def _externally_managed(host: Host, found: list[Interpreter]) -> Fact[bool]:
    """EXTERNALLY-MANAGED in the standard library's folder of the system's Python, the one in /usr/bin."""
    folders = {_library(host, one) for one in found} | {
        f"/usr/lib/{name}" for name in names_in(host, "/usr/lib") if name.startswith("python3.")
    }
    verdict: Fact[bool] = Unknown("absent", "/usr/bin/python3")
    for folder in sorted(folder for folder in folders if folder):
        marked = present(host, f"{folder}/EXTERNALLY-MANAGED")
        if marked is True:
            return True
        verdict = marked
    return verdict


def _library(host: Host, interpreter: Interpreter) -> str | None:
    end = real_path(host, interpreter)
    if not end or not end.startswith("/usr/bin/") or isinstance(interpreter.version, Unknown):
        return None
    return f"/usr/lib/python{interpreter.version}"
