"""What of a file's content may go into a recording: judged by where the file lies."""

from __future__ import annotations

import re
from collections.abc import Callable

from .redact import Redactor

_SIGNED = ("InRelease", "Release", ".gpg", ".asc", ".pgp", ".pem", ".crt", ".der")
"""Public, and signed or hashed: one changed byte would make them worthless."""
_NEVER = (
    re.compile(r"/\.?_?netrc$|/\.ssh/|/ssh_host_|/etc/g?shadow|/private/|\.key$|/id_(?:rsa|dsa|ecdsa|ed25519)"),
    re.compile(r"^/etc/apt/auth\.conf|/\.git-credentials$|/\.docker/config\.json$|/huggingface/.*token"),
    re.compile(r"^/proc/[^/]+/environ$"),
)
_SERIAL_NAME = re.compile(r"(?:product|board|chassis)_serial|\w+_asset_tag|serial(?:_number)?|wwid|wwn|nguid|eui")
_VERSIONS = re.compile(
    r"^/(?:sys|usr|lib|opt)/|^/proc/driver/|^/var/lib/(?:dpkg|dkms|apt)/|/site-packages/|\.dist-info/|^/etc/os-release$"
)


def secret(path: str, data: bytes) -> bool:
    """Whether a file must not be shared, whatever it holds."""
    return any(pattern.search(path) for pattern in _NEVER) or b"PRIVATE KEY-----" in data[:65536]


def redacted(path: str, data: bytes, redactor: Redactor) -> bytes:
    """Content as it may be shared. Binary files stay as they are; NULs at the end, as captures have, do too."""
    if path.endswith(_SIGNED):
        return data
    try:
        text = data.rstrip(b"\0").decode()
    except UnicodeDecodeError:
        return data
    if "\0" in text:
        return data
    return _special(path, redactor)(text).encode() + data[len(data.rstrip(b"\0")) :]


def _special(path: str, redactor: Redactor) -> Callable[[str], str]:
    """How the text of this file is redacted."""
    by_path = {
        "/etc/passwd": lambda text: accounts(text, redactor),
        "/etc/group": lambda text: groups(text, redactor),
        "/etc/machine-id": _whole(redactor.machine_id),
        "/var/lib/dbus/machine-id": _whole(redactor.machine_id),
        "/etc/hostname": _whole(redactor.hosts.of),
        "/proc/sys/kernel/hostname": _whole(redactor.hosts.of),
        "/proc/sys/kernel/domainname": _whole(lambda word: word if word == "(none)" else redactor.hosts.of(word)),
    }
    if path in by_path:
        return by_path[path]
    name = path.rpartition("/")[2]
    if _SERIAL_NAME.fullmatch(name):
        return _whole(redactor.serials.of)
    if name == "unique_id":
        return _whole(lambda word: redactor.number(word, 16))
    versions = bool(_VERSIONS.search(path))
    return lambda text: redactor.text(text, versions=versions)


def _whole(replace: Callable[[str], str]) -> Callable[[str], str]:
    """For a file that is one word."""

    def change(text: str) -> str:
        word = text.strip()
        return text.replace(word, replace(word)) if word else text

    return change


def accounts(text: str, redactor: Redactor) -> str:
    """passwd(5) without people: their names are dummies, and what the fifth field says of them is gone."""
    lines = []
    for line in text.split("\n"):
        fields = line.split(":")
        if is_person(fields):
            fields[0] = redactor.users.of(fields[0])
            fields[4] = ""
            fields[5] = redactor.path(fields[5])
        lines.append(":".join(fields))
    return "\n".join(lines)


def groups(text: str, redactor: Redactor) -> str:
    """group(5) with people's dummies, as members and where a group bears somebody's name."""
    lines = []
    for line in text.split("\n"):
        fields = line.split(":")
        fields[0] = redactor.person(fields[0])
        if len(fields) == 4:
            fields[3] = ",".join(map(redactor.person, fields[3].split(",")))
        lines.append(":".join(fields))
    return "\n".join(lines)


def is_person(fields: list[str]) -> bool:
    """Whether a line of passwd(5) is a person's: login.defs(5) keeps ids below 1000 for the system, 65534 is nobody."""
    return len(fields) == 7 and fields[2].isdecimal() and int(fields[2][:10]) >= 1000 and fields[2] != "65534"
