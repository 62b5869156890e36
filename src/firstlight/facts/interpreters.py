"""Pythons on PATH, told by their files; none is run."""

from __future__ import annotations

from ..host.model import Host, Unread
from .model import Interpreter
from .reading import string
from .value import Fact, Unknown

NAMES = ("python3", "python", *(f"python3.{minor}" for minor in range(9, 16)))
FOLDERS_AT_MOST = 64


def interpreters(host: Host) -> list[Interpreter]:
    """In the order of PATH; what leads to the same file is named once, by the first path."""
    found: dict[str, Interpreter] = {}
    for folder in _folders(host):
        for name in NAMES:
            path = f"{folder}/{name}"
            if isinstance(host.info(path), Unread):
                continue
            end = _behind_shim(host, path)
            if end and end not in found:
                found[end] = Interpreter(path=path, version=version_of(host, path, end))
    return list(found.values())


def real_path(host: Host, interpreter: Interpreter) -> str | None:
    """The file that runs in the end."""
    return _behind_shim(host, interpreter.path)


def version_of(host: Host, path: str, end: str) -> Fact[str]:
    """`3.11`, by the virtual environment's pyvenv.cfg or by the name of the file that the links lead to."""
    configured = pyvenv_version(host, _prefix(path))
    if configured:
        return configured
    name = end.rpartition("/")[2]
    word = name.removeprefix("python")
    major, dot, minor = word.partition(".")
    if name.startswith("python") and dot and major.isdecimal() and minor.isdecimal():
        return word
    return Unknown("absent", path, "no version in the file's name")


def pyvenv_version(host: Host, prefix: str) -> str | None:
    """Major and minor number in pyvenv.cfg: `version` of venv, `version_info` of virtualenv and uv."""
    content = string(host, f"{prefix}/pyvenv.cfg", 1 << 16)
    if isinstance(content, Unknown):
        return None
    for line in content.splitlines():
        name, equals, value = line.partition("=")
        if equals and name.strip() in ("version", "version_info"):
            parts = value.strip().split(".")
            if len(parts) >= 2 and all(part.isdecimal() and len(part) <= 3 for part in parts[:2]):
                return f"{parts[0]}.{parts[1]}"
    return None


def _folders(host: Host) -> list[str]:
    environment = host.environment()
    path = "" if isinstance(environment, Unread) else environment.get("PATH", "")
    absolute = (folder.rstrip("/") for folder in path.split(":") if folder.startswith("/"))
    return list(dict.fromkeys(absolute))[:FOLDERS_AT_MOST]


def _prefix(path: str) -> str:
    """`/env` of `/env/bin/python`."""
    return path.rpartition("/")[0].rpartition("/")[0]


def _behind_shim(host: Host, path: str) -> str | None:
    """pyenv puts one script for all names on PATH; its `version` file tells which Python it starts."""
    folder, _, name = path.rpartition("/")
    if not folder.endswith("/shims"):
        end = host.resolve(path)
        return end if isinstance(end, str) else None
    root = folder.removesuffix("/shims")
    chosen = string(host, f"{root}/version", 4096)
    words = [] if isinstance(chosen, Unknown) else chosen.split()
    for word in words[:8]:
        started = host.resolve(f"{root}/versions/{word}/bin/{name}")
        if "/" not in word and isinstance(started, str):
            return started
    return None
