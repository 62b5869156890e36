"""Versions as numbers."""

from __future__ import annotations


def version_key(version: str) -> tuple[int, ...]:
    """The leading dotted numbers of a version, for comparing: `580.105.08` -> (580, 105, 8), `6.17.0-19-generic` ->
    (6, 17, 0, 19). A suffix that is no number ends it; trailing zeros are dropped, so that 13 equals 13.0. Empty
    where there is no number in front."""
    numbers: list[int] = []
    for part in version.strip().replace("-", ".").split("."):
        digits = part[: len(part) - len(part.lstrip("0123456789"))]
        if not digits or not digits.isascii() or len(digits) > 12:
            break
        numbers.append(int(digits))
        if digits != part:
            break
    while numbers and numbers[-1] == 0:
        numbers.pop()
    return tuple(numbers)


def at_least(version: str, minimum: str) -> bool:
    """Whether `version` is `minimum` or newer."""
    return version_key(version) >= version_key(minimum)


def within(version: str, first: str, last: str) -> bool:
    """Whether first <= version <= last; a `last` of fewer parts takes in all below it (`2.15` takes in 2.15.1)."""
    parts = last.count(".") + 1
    return version_key(first) <= version_key(version) and _padded(version, parts) <= _padded(last, parts)


def _padded(version: str, parts: int) -> tuple[int, ...]:
    return (*version_key(version), *(0 for _ in range(parts)))[:parts]
