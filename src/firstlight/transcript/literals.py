"""The texts of which every match of a pattern contains one: what the engine looks for."""

from __future__ import annotations

from collections.abc import Iterator

_SPECIAL = frozenset(".^$*+?{}[]|()\\")
_SHORTHAND = frozenset("dDwWsSbBAzZ")
SHORTEST = 3
_ENOUGH = 8
"""A longer text than this finds no faster."""


def literals(regex: str) -> tuple[tuple[bytes, ...], bool]:
    """(texts, whether upper and lower case are the same) of a pattern. Raises ValueError where there is a way to match
    it without three fixed characters in a row. Linear in the pattern's length, for each level of its groups."""
    caseless = regex.startswith("(?i)")
    found = _best(regex[4:] if caseless else regex)
    if not found or min(map(len, found)) < SHORTEST:
        raise ValueError(f"no text to look for in {regex!r}")
    return tuple(text.encode() for text in found), caseless


def _best(regex: str) -> tuple[str, ...]:
    """Of all sets of texts of which one must be there, the one whose shortest text is longest."""
    sets = list(_sets(regex))
    return max(sets, key=lambda one: (min(min(map(len, one)), _ENOUGH), -len(one)), default=())


def _sets(regex: str) -> Iterator[tuple[str, ...]]:
    at, run = 0, ""
    while at < len(regex):
        end = _end(regex, at)
        after = _quantifier(regex, end)
        plain = _plain(regex, at)
        if plain and after == end:
            run += regex[at:end].removeprefix("\\")
        else:
            if run:
                yield (run,)
            run = ""
            if regex[at] == "(" and (after == end or regex[end] == "+"):
                yield from _group(regex[at + 1 : end - 1])
        at = after
    if run:
        yield (run,)


def _plain(regex: str, at: int) -> bool:
    if regex[at] == "|":
        raise ValueError(f"a choice outside of a group in {regex!r}")
    return regex[at] not in _SPECIAL or (regex[at] == "\\" and regex[at + 1] not in _SHORTHAND)


def _group(inside: str) -> Iterator[tuple[str, ...]]:
    """The texts of a group's alternatives together, if each has one."""
    if inside.startswith("?i"):
        return  # its letters are not fixed
    if inside.startswith("?:"):
        inside = inside[2:]
    elif inside.startswith("?P<"):
        inside = inside[inside.index(">") + 1 :]
    each = [_best(one) for one in _alternatives(inside)]
    if all(each):
        yield tuple(dict.fromkeys(text for one in each for text in one))


def _alternatives(inside: str) -> list[str]:
    parts, at, start = [], 0, 0
    while at < len(inside):
        if inside[at] == "|":
            parts.append(inside[start:at])
            at += 1
            start = at
        else:
            at = _end(inside, at)
    return [*parts, inside[start:]]


def _end(regex: str, at: int) -> int:
    """Where the item that begins at `at` ends, without its quantifier."""
    sign = regex[at]
    if sign == "\\":
        return at + 2
    if sign == "[":
        return _class_end(regex, at)
    return _closing(regex, at) if sign == "(" else at + 1


def _closing(regex: str, at: int) -> int:
    depth = 0
    while at < len(regex):
        sign = regex[at]
        if sign in "\\[":
            at = _end(regex, at)
            continue
        depth += (sign == "(") - (sign == ")")
        at += 1
        if not depth:
            return at
    raise ValueError(f"a group is not closed in {regex!r}")


def _class_end(regex: str, at: int) -> int:
    at += 2 if regex[at + 1] == "^" else 1
    at += 1 if regex[at] == "]" else 0
    while regex[at] != "]":
        at += 2 if regex[at] == "\\" else 1
    return at + 1


def _quantifier(regex: str, at: int) -> int:
    start = at
    if at < len(regex) and regex[at] in "*+?":
        at += 1
    elif at < len(regex) and regex[at] == "{":
        at = regex.index("}", at) + 1
    if at > start and at < len(regex) and regex[at] == "?":
        at += 1
    return at
