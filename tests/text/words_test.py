"""Every word that a user may see is there in both languages, with the same places."""

from __future__ import annotations

import ast
import re
import string
from pathlib import Path

import pytest

SRC = Path(__file__).resolve().parents[2] / "src" / "firstlight"
FOREIGN = {"GPU", "NPU", "Python", "torch"}
"""Texts that are the same in Chinese."""


def calls() -> list[tuple[str, str, str]]:
    """(place, English, Chinese) of each `Words(...)` with literal texts."""
    found = []
    for path in sorted(SRC.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Words":
                given = [*node.args, *(keyword.value for keyword in node.keywords)]
                texts = [literal(one) for one in given]
                if len(texts) == 2 and texts[0] is not None and texts[1] is not None:
                    found.append((f"{path.relative_to(SRC)}:{node.lineno}", texts[0], texts[1]))
    return found


def literal(node: ast.expr) -> str | None:
    """The text of a string literal; of an f-string with its values as `{}`."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(part.value if isinstance(part, ast.Constant) else "{}" for part in node.values)  # type: ignore[misc]
    return None


def places(text: str) -> set[str]:
    """Names of the `{name}` places; a text may also quote braces that are no places."""
    try:
        return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}
    except ValueError:
        return set()


@pytest.mark.parametrize(("place", "en", "zh"), calls())
def test_both_languages(place: str, en: str, zh: str) -> None:
    assert bool(en.strip()) == bool(zh.strip()), place
    assert en in FOREIGN or not re.search("[a-z]", re.sub(r"\{\w*\}", "", en)) or re.search("[\u4e00-\u9fff]", zh), (
        f"{place}: no Chinese in {zh!r}"
    )
    assert not re.search("[\u4e00-\u9fff]", en), f"{place}: Chinese in {en!r}"
    assert places(en) == places(zh), place


def test_the_search_finds_words() -> None:
    assert len(calls()) > 50
