"""apt's sources as configured (sources.list(5)), one-line and deb822."""

from __future__ import annotations

from collections.abc import Iterator

from ..host.model import Host, Missing, Unread
from .model import Repository
from .reading import string
from .value import Fact, Unknown, unknown

MAIN = "/etc/apt/sources.list"
PARTS = "/etc/apt/sources.list.d"
TYPES = ("deb", "deb-src")
FILES_AT_MOST = 500
HIDDEN = "REDACTED"


def repositories(host: Host) -> Fact[list[Repository]]:
    """Of every file that apt would read, in its order. Unknown(absent) where there is no apt; otherwise unknown only
    if nothing was found and something could not be read."""
    found: list[Repository] = []
    failed: Unknown | None = None
    files, parts_failed = _files(host)
    for path in files:
        content = string(host, path)
        if isinstance(content, str):
            found += _of_file(content, path)
        elif content.unknown != "absent":
            failed = failed or content
    apt = host.info("/etc/apt")
    return found or failed or parts_failed or (unknown(apt) if isinstance(apt, Unread) else [])


def _files(host: Host) -> tuple[list[str], Unknown | None]:
    names = host.names(PARTS)
    if isinstance(names, Unread):
        return [MAIN], None if names.reason is Missing.ABSENT else unknown(names)
    return [MAIN, *(f"{PARTS}/{name}" for name in names[:FILES_AT_MOST] if _is_read_by_apt(name))], None


def _is_read_by_apt(name: str) -> bool:
    """apt passes over other endings, and names with other signs than letters, digits, `_`, `-`, `.`."""
    plain = name.replace("_", "").replace("-", "").replace(".", "")
    return name.endswith((".list", ".sources")) and plain.isalnum() and plain.isascii()


def _of_file(content: str, path: str) -> Iterator[Repository]:
    return deb822(content, path) if path.endswith(".sources") else one_line(content, path)


def one_line(content: str, path: str) -> Iterator[Repository]:
    """`deb [name=value ...] URI SUITE [COMPONENT ...]`; a commented line of that very form is a disabled source."""
    for number, raw in enumerate(content.splitlines(), start=1):
        line = raw.strip()
        enabled = not line.startswith("#")
        plain = line.lstrip("#").partition("#")[0]
        source = _source(plain, path, number, enabled=enabled) if plain.strip() else None
        if source:
            yield source


def _source(line: str, path: str, number: int, *, enabled: bool) -> Repository | None:
    kind, *rest_of_line = line.split(maxsplit=1)
    if kind not in TYPES or not rest_of_line:
        return None
    options, rest = _options(rest_of_line[0])
    words = rest.split()
    if len(words) < 2 or (not enabled and "/" not in words[0]):  # prose that begins with `deb`
        return None
    signed_by = options.pop("signed-by", None)
    return Repository(
        file=path,
        line=number,
        types=[kind],
        uris=[without_secrets(words[0])],
        suites=[words[1]],
        components=words[2:],
        signed_by=signed_by,
        options=options,
        enabled=enabled,
    )


def _options(rest: str) -> tuple[dict[str, str], str]:
    if not rest.startswith("["):
        return {}, rest
    inside, closed, after = rest[1:].partition("]")
    if not closed:
        return {}, ""
    pairs = (word.partition("=") for word in inside.split())
    return {name.rstrip("+-").lower(): value.strip('"') for name, equals, value in pairs if equals}, after


def deb822(content: str, path: str) -> Iterator[Repository]:
    """Stanzas of `Field: value` lines, parted by empty lines; lines that begin with a blank continue a field."""
    for number, fields in _stanzas(content):
        types = [word for word in fields.pop("types", "").split() if word in TYPES]
        uris = [without_secrets(word) for word in fields.pop("uris", "").split()]
        suites = fields.pop("suites", "").split()
        if not (types and uris and suites):
            continue
        yield Repository(
            file=path,
            line=number,
            types=types,
            uris=uris,
            suites=suites,
            components=fields.pop("components", "").split(),
            signed_by=_signed_by(fields.pop("signed-by", "")),
            enabled=fields.pop("enabled", "yes").strip().lower()
            not in ("no", "false", "without", "off", "disable", "0"),
            options={name: value for name, value in fields.items() if "\n" not in value},
        )


def stanza_at(host: Host, path: str, line: int) -> dict[str, str]:
    """The fields of the deb822 stanza whose first field stands on that line: with a key that is written in it, which
    the facts leave out. Empty where it cannot be read, or is another by now."""
    content = string(host, path) if path.endswith(".sources") else ""
    found = _stanzas(content) if isinstance(content, str) else iter(())
    return next((fields for number, fields in found if number == line), {})


def _stanzas(content: str) -> Iterator[tuple[int, dict[str, str]]]:
    """Line number of the first field, and fields by lower-case name; a field's lines are joined by newlines."""
    fields: dict[str, list[str]] = {}
    start, current = 0, ""
    for number, line in enumerate((*content.splitlines(), ""), start=1):
        if line.startswith("#"):
            continue
        if not line.strip():
            if fields:
                yield start, {name: "\n".join(lines) for name, lines in fields.items()}
            fields, current = {}, ""
        elif line[0] in " \t":
            if current:
                fields[current].append(line.strip())
        else:
            name, _, value = line.partition(":")
            start = start if fields else number
            current = name.strip().lower()
            fields[current] = [value.strip()]


def _signed_by(value: str) -> str | None:
    """A path (or fingerprints), `inline` for a key in the file itself."""
    if "BEGIN PGP" in value:
        return "inline"
    return " ".join(value.split()) or None


def without_secrets(uri: str) -> str:
    """The URI with user, password and query values taken out; they can be an access token."""
    scheme, slashes, rest = uri.partition("://")
    if not slashes:
        return uri
    authority, slash, path = rest.partition("/")
    if "@" in authority:
        authority = f"{HIDDEN}@{authority.rpartition('@')[2]}"
    path, question, _ = path.partition("?")
    return f"{scheme}://{authority}{slash}{path}{question}{HIDDEN if question else ''}"
