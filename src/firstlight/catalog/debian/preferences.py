"""Which version of a package apt prefers (apt_preferences(5))."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Iterable
from functools import lru_cache

from .model import AptConfig, Index, PinRule

DEFAULT, INSTALLED, TARGET, NOT_AUTOMATIC, UPGRADES = 500, 100, 990, 1, 100
FORCED = 1000
"""From here on a version is taken although it is older than the installed one."""


def index_priority(index: Index, config: AptConfig, pins: Iterable[PinRule]) -> int:
    """Of all versions of an index that no pin for their package names: the first pin for `*` that fits counts."""
    for pin in pins:
        if "*" in pin.packages and pin.kind != "version" and fits(pin, index):
            return pin.priority
    release = index.release
    if config.default_release and release and is_release(config.default_release, index):
        return TARGET
    if release and release.not_automatic:
        return UPGRADES if release.but_automatic_upgrades else NOT_AUTOMATIC
    return DEFAULT


def fits(pin: PinRule, index: Index) -> bool:
    """Whether an index is what a pin by release or origin means."""
    if pin.kind == "origin":
        return _like(pin.value.strip('"'), index.site)
    return all(_fits_term(term.strip(), index) for term in pin.value.split(",") if term.strip())


def _fits_term(term: str, index: Index) -> bool:
    key, equals, value = term.partition("=")
    release = index.release
    if not equals:
        return is_release(term, index)
    if release is None:
        return False
    said = {
        "a": release.suite, "n": release.codename, "o": release.origin, "l": release.label, "v": release.version,
        "c": index.component, "b": index.architecture,
    }.get(key.strip())  # fmt: skip
    return said is not None and _like(value.strip().strip('"'), said)


def is_release(name: str, index: Index) -> bool:
    """`apt-get -t NAME`: its archive, codename, or the beginning of its version."""
    release = index.release
    if release is None:
        return name == "now"
    return name in (release.suite, release.codename) or (name[:1].isdigit() and _like(f"{name}*", release.version))


def names(pin: PinRule, package: str, source: str) -> bool:
    """Whether a pin is for a package; `src:` patterns are for all that a source builds."""
    for pattern in pin.packages:
        if pattern.startswith("src:"):
            if _like(pattern[4:], source):
                return True
        elif pattern != "*" and _like(pattern, package):
            return True
    return False


def version_fits(pin: PinRule, version: str) -> bool:
    """Of a pin by version."""
    return _like(pin.value, version)


def _like(pattern: str, text: str) -> bool:
    """apt's patterns: a shell's, or a regular expression between slashes."""
    if len(pattern) > 2 and pattern[0] == pattern[-1] == "/":
        expression = _compiled(pattern[1:-1])
        return expression is not None and expression.search(text[:500]) is not None
    return pattern == text or (any(sign in pattern for sign in "*?[") and fnmatch.fnmatchcase(text, pattern))


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> re.Pattern[str] | None:
    if len(pattern) > 200 or re.search(r"[*+}]\)*[*+{]", pattern):  # nested repeats take forever
        return None
    try:
        return re.compile(pattern)
    except (re.error, OverflowError, RecursionError):
        return None
