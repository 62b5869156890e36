"""Debian versions as dotted numbers that sort alike, for a solver that compares versions as RPM does."""

from __future__ import annotations

import re
from functools import cache, lru_cache

LONGEST = 1000
"""Signs of a version that are looked at (Policy 5.6.12 sets no limit; archives hold some tens)."""


@lru_cache(maxsize=200_000)
def encoded(version: str) -> str:
    """Numbers that compare, one by one and the shorter first, as the versions do (Debian Policy 5.6.12): the epoch,
    the upstream version, the revision. `~` is 0, the end of a part 1, letters 2 and their code, other signs 300 and
    theirs, runs of digits their number; a missing revision is `0`."""
    plain = version[:LONGEST].strip()
    epoch, colon, rest = plain.partition(":")
    if not colon:
        epoch, rest = "0", plain
    upstream, hyphen, revision = rest.rpartition("-")
    if not hyphen:
        upstream, revision = rest, "0"
    head = epoch.lstrip("0") if epoch.isascii() and epoch.isdigit() else ""
    return ".".join([head or "0", *_part(upstream), *_part(revision or "0")])


def _part(text: str) -> list[str]:
    """Signs, 1, the number behind them, and so on; 1 at the end, which sorts before all signs but `~`."""
    numbers: list[str] = []
    for signs, digits in _runs().findall(text):
        if signs:
            numbers += [_sign(one) for one in signs]
        if digits or signs:
            numbers += ["1", digits.lstrip("0") or "0"]
    numbers.append("1")
    return numbers


@cache
def _runs() -> re.Pattern[str]:
    return re.compile("([^0-9]*)([0-9]*)")


def _sign(one: str) -> str:
    if one == "~":
        return "0"
    return str(2 + ord(one)) if one.isascii() and one.isalpha() else str(300 + ord(one))


def decoded(numbers: str) -> str:
    """A version that is encoded so: zeros at the beginning of a run of digits, and a revision `0`, are lost. What is
    no such encoding is given back as it is."""
    if not _encoding().fullmatch(numbers):
        return numbers
    epoch, *rest = map(int, numbers.split("."))
    upstream, rest = _text(rest)
    revision, _ = _text(rest)
    head = f"{epoch}:" if epoch else ""
    return head + upstream + (f"-{revision}" if revision not in ("", "0") else "")


@cache
def _encoding() -> re.Pattern[str]:
    return re.compile(r"[0-9]{1,20}(\.[0-9]{1,40})+")


def _text(numbers: list[int]) -> tuple[str, list[int]]:
    """One part, and what follows it."""
    text, at = "", 0
    while at < len(numbers):
        end = next((place for place in range(at, len(numbers)) if numbers[place] == 1), len(numbers))
        signs = numbers[at:end]
        if not signs and text:  # the mark of the end
            return text, numbers[end + 1 :]
        if end + 1 >= len(numbers):
            return text, []
        text += "".join(_letter(one) for one in signs)
        digits = numbers[end + 1]
        at = end + 2
        lettered = bool(signs) and 0 < signs[-1] < 300  # `1.0rc` more often than `1.0rc0`
        if digits or not lettered or at >= len(numbers) or numbers[at] != 1:
            text += str(digits)
    return text, []


def _letter(number: int) -> str:
    if number == 0:
        return "~"
    return chr(number - 2) if number < 300 else chr(min(number - 300, 0x10FFFF))
