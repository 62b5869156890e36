"""The distribution: /etc/os-release (os-release(5)) and its C library."""

from __future__ import annotations

from ..host.model import Host
from .libc import libc
from .model import Os
from .packages import Packages
from .reading import string
from .value import Fact, Unknown

PATHS = ("/etc/os-release", "/usr/lib/os-release")
QUOTES = ('"', "'")


def operating_system(host: Host, packages: Packages, arch: Fact[str]) -> Os:
    """Names as the distribution gives them."""
    content = string(host, PATHS[0])
    if isinstance(content, Unknown):
        second = string(host, PATHS[1])
        content = content if isinstance(second, Unknown) else second
    fields = content if isinstance(content, Unknown) else parse(content)
    return Os(
        id=_field(fields, "ID"),
        version_id=_field(fields, "VERSION_ID"),
        codename=_field(fields, "VERSION_CODENAME"),
        pretty_name=_field(fields, "PRETTY_NAME"),
        like=[] if isinstance(fields, Unknown) else fields.get("ID_LIKE", "").split(),
        libc=libc(host, packages, arch),
    )


def parse(content: str) -> dict[str, str]:
    """`NAME=value` lines with shell quoting, without expansion. Lines of another form are passed over."""
    fields: dict[str, str] = {}
    for line in content.splitlines():
        name, equals, value = line.strip().partition("=")
        if equals and name.isidentifier():
            fields[name] = _unquoted(value)
    return fields


def _unquoted(value: str) -> str:
    if len(value) >= 2 and value[0] in QUOTES and value[-1] == value[0]:
        inner = value[1:-1]
        return inner if value[0] == "'" else _unescaped(inner)
    return _unescaped(value)


def _unescaped(value: str) -> str:
    if "\\" not in value:
        return value
    parts = value.split("\\\\")
    return "\\".join(part.replace("\\", "") for part in parts)


def _field(fields: dict[str, str] | Unknown, name: str) -> Fact[str]:
    if isinstance(fields, Unknown):
        return fields
    return fields.get(name) or Unknown("absent", PATHS[0], name)
