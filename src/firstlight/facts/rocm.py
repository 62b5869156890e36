"""ROCm outside the environments."""

from __future__ import annotations

from ..host.model import Host, Unread
from .model import SystemRocm
from .reading import is_folder, names_in, string
from .value import Fact, Unknown

VERSION_FILES = (".info/version", ".info/version-rocm", "share/doc/rocm-core/version", "share/therock/version")
FOLDERS_AT_MOST = 64


def system_rocm(host: Host) -> list[SystemRocm]:
    """/opt/rocm, /opt/rocm-VERSION, /opt/rocm/core-VERSION and where ROCM_PATH leads; each real folder once."""
    found: dict[str, SystemRocm] = {}
    for path in _candidates(host):
        end = host.resolve(path)
        if isinstance(end, str) and end not in found and is_folder(host, end):
            version = _version(host, end)
            if not isinstance(version, Unknown) or not _only_holds_others(host, end):
                found[end] = SystemRocm(path=end, version=version)
    return [found[path] for path in sorted(found)]


def _candidates(host: Host) -> list[str]:
    names = [f"/opt/{name}" for name in names_in(host, "/opt") if name == "rocm" or name.startswith("rocm-")]
    cores = [f"/opt/rocm/{name}" for name in names_in(host, "/opt/rocm") if name.startswith("core-")]
    environment = host.environment()
    told = "" if isinstance(environment, Unread) else environment.get("ROCM_PATH", "")
    return [*names[:FOLDERS_AT_MOST], *cores[:FOLDERS_AT_MOST], *([told] if told.startswith("/opt/") else [])]


def _only_holds_others(host: Host, folder: str) -> bool:
    """/opt/rocm is a plain folder where several versions lie below it as core-VERSION."""
    names = names_in(host, folder)
    return bool(names) and all(name.startswith("core") for name in names)


def _version(host: Host, folder: str) -> Fact[str]:
    """`7.2.0-81` -> `7.2.0`: the build's number is left out. Without a file, what the folder is called."""
    first: Unknown | None = None
    for name in VERSION_FILES:
        text = string(host, f"{folder}/{name}", 4096)
        if not isinstance(text, Unknown):
            word = text.partition("-")[0].strip()
            return word if _is_version(word) else Unknown("malformed", f"{folder}/{name}", text[:40])
        first = first or text
    word = folder.rpartition("/")[2].partition("-")[2]
    return word if _is_version(word) else first or Unknown("absent", folder)


def _is_version(word: str) -> bool:
    return 0 < len(word) <= 40 and word[0].isdigit() and all(sign.isalnum() or sign in ".~+" for sign in word)
