"""The texts of which every match of a pattern contains one: what the engine looks for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

SHORTEST = 3
_ENOUGH = 8
"""A longer text than this finds no faster."""
# an escape; a class; a counted repetition; a sign of its own; a run of plain characters
_TOKEN = re.compile(
    r"\\.|\[\^?\]?(?:[^\]\\]|\\.)*\]|\{\d+,?\d*\}\??|[*+?]\??|\((?:\?(?:P<\w+>|[a-z]*-?[a-z]*:|:))?|[)|.^$]"
    r"|[^\\\[{(*+?)|.^$]+|.",
    re.DOTALL,
)
_REPEATED = frozenset("*+?{")
_SHORTHAND = frozenset("dDwWsSbBAzZ")


def literals(regex: str) -> tuple[tuple[bytes, ...], bool]:
    """(texts, whether upper and lower case are the same) of a pattern. Raises ValueError where there is a way to match
    it without three fixed characters in a row. Linear in the pattern's length, for each level of its groups."""
    caseless = regex.startswith("(?i)")
    tokens = _TOKEN.findall(regex[4:] if caseless else regex)
    parts = list(_alternatives(tokens))
    if len(parts) > 1:
        raise ValueError(f"a choice outside of a group in {regex!r}")
    found = _best(tokens)
    if not found or min(map(len, found)) < SHORTEST:
        raise ValueError(f"no text to look for in {regex!r}")
    return tuple(text.encode() for text in found), caseless


def _best(tokens: Sequence[str]) -> tuple[str, ...]:
    """Of all sets of texts of which one must be there, the one whose shortest text is longest."""
    return max(_sets(tokens), key=lambda one: (min(*map(len, one), _ENOUGH), -len(one)), default=())


def _sets(tokens: Sequence[str]) -> Iterator[tuple[str, ...]]:
    at, run = 0, ""
    while at < len(tokens):
        token = tokens[at]
        end = _closing(tokens, at) if token[0] == "(" else at + 1
        repeated = tokens[end] if end < len(tokens) and tokens[end][0] in _REPEATED else ""
        plain = _plain(token)
        if plain and repeated:
            plain, kept = "", run + plain[:-1]  # the repetition is of the last character
        else:
            kept = run + plain
        if plain:
            run = kept
        else:
            if kept:
                yield (kept,)
            run = ""
            if token[0] == "(" and repeated in ("", "+", "+?"):
                yield from _group(tokens[at:end])
        at = end + bool(repeated)
    if run:
        yield (run,)


def _plain(token: str) -> str:
    """What the token matches, if that is fixed."""
    if token[0] == "\\":
        return "" if token[1] in _SHORTHAND else token[1]
    return "" if token[0] in "[({*+?)|.^$" else token


def _group(tokens: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """The texts of a group's alternatives together, if each has one."""
    if tokens[0].startswith("(?i"):
        return  # its letters are not fixed
    each = [_best(one) for one in _alternatives(tokens[1:-1])]
    if all(each):
        yield tuple(dict.fromkeys(text for one in each for text in one))


def _alternatives(tokens: Sequence[str]) -> Iterator[Sequence[str]]:
    start, depth = 0, 0
    for at, item in enumerate(tokens):
        depth += (item[0] == "(") - (item == ")")
        if item == "|" and not depth:
            yield tokens[start:at]
            start = at + 1
    yield tokens[start:]


def _closing(tokens: Sequence[str], at: int) -> int:
    depth = 0
    for end in range(at, len(tokens)):
        depth += (tokens[end][0] == "(") - (tokens[end] == ")")
        if not depth:
            return end + 1
    raise ValueError("a group is not closed")
