"""Names of distribution files (binary distribution format, PEP 625): which project, which version."""

from __future__ import annotations

from functools import lru_cache

LONGEST = 255
"""Bytes of a file name on Linux."""
TAG_SETS = 500
"""Combinations of tags in one name; more is an attack on whoever expands them."""
SDISTS = (".tar.gz", ".zip")
TAG_SIGNS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.")


def normal(name: str) -> str:
    """A project's name as PEP 503 compares it: lower case, each run of `-`, `_` and `.` one hyphen."""
    return "-".join(part for part in name.lower().replace("_", "-").replace(".", "-").split("-") if part)


def project_of(filename: str, expected: str = "") -> str | None:
    """The normalised name of the project of a wheel or sdist; None for any other file. `expected` settles where the
    name ends in an old sdist name (`a-b-1.0.tar.gz`)."""
    if len(filename) > LONGEST or not filename.isprintable() or any(sign in filename for sign in "/\\ "):
        return None
    if filename.endswith(".whl"):
        return _of_wheel(filename[:-4].split("-"))
    stem = next((filename[: -len(end)] for end in SDISTS if filename.endswith(end)), None)
    return _of_sdist(stem, expected) if stem else None


def version_of(filename: str, project: str) -> str | None:
    """The normalised version that the name tells of a file of `project`."""
    if filename.endswith(".whl"):
        name, _, rest = filename.partition("-")
        return version(rest.partition("-")[0]) if project and named(name) == project else None
    stem = next((filename[: -len(end)] for end in SDISTS if filename.endswith(end)), "")
    return next((told for name, told in _splits(stem) if name == project), None)


def _of_wheel(parts: list[str]) -> str | None:
    if len(parts) not in (5, 6) or version(parts[1]) is None or (len(parts) == 6 and not parts[2][:1].isdigit()):
        return None
    tags = parts[-3:]
    sets = 1
    for tag in tags:
        if not tag or not set(tag) <= TAG_SIGNS:
            return None
        sets *= tag.count(".") + 1
    return named(parts[0]) if sets <= TAG_SETS else None


def _of_sdist(stem: str, expected: str) -> str | None:
    found = [name for name, _ in _splits(stem)]
    return expected if expected in found else next(iter(found), None)


def _splits(stem: str) -> list[tuple[str, str]]:
    """(name, version) for every hyphen at which the rest is a version; the longest name first."""
    parts = stem.split("-")[:20]
    pairs = ((named("-".join(parts[:at])), version("-".join(parts[at:]))) for at in range(len(parts) - 1, 0, -1))
    return [(name, told) for name, told in pairs if name and told]


@lru_cache(maxsize=4096)
def named(name: str) -> str | None:
    """The normalised name; None where the text is no project name (PEP 508)."""
    plain = normal(name)
    ends_well = name[:1].isalnum() and name[-1:].isalnum()
    return plain if ends_well and plain.isascii() and plain.replace("-", "").isalnum() else None


@lru_cache(maxsize=4096)
def version(text: str) -> str | None:
    """The version in its normal form; None where it is none (PEP 440)."""
    from packaging.version import InvalidVersion, Version

    try:
        return str(Version(text))
    except (InvalidVersion, ValueError):  # ValueError: a number of more digits than Python converts
        return None
