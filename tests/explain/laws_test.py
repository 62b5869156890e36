"""What must not change an answer: cutting, prefixes, a healthy log between the lines, a terminal's width."""

from __future__ import annotations

import random
import textwrap
from collections.abc import Callable

import pytest

from tests.explain.asking import SHARED, ask, corpus, first

CORPUS = corpus()
HEALTHY = [
    f"2025-06-18 10:{at // 60 % 60:02d}:{at % 60:02d},123 [INFO] rank{at % 8}: epoch {at // 1000} step {at} "
    f"loss {4 / (1 + at / 500):.4f} lr 3.0e-04 grad_norm 0.91 tokens/s {10000 + at % 997} mem 61.2GiB"
    for at in range(10_000)
]
pytestmark = pytest.mark.skipif(not SHARED.is_dir(), reason="the shared cases are not beside the project")


def prefixed(prefix: str) -> Callable[[str], str]:
    return lambda text: "".join(f"{prefix}{line}\n" for line in text.splitlines())


def interleaved(text: str) -> str:
    lines = text.splitlines()
    places = sorted(random.Random(len(text)).sample(range(len(HEALTHY)), len(lines)))
    mixed = list(HEALTHY)
    for place, line in reversed(list(zip(places, lines, strict=True))):
        mixed.insert(place, line)
    return "\n".join(mixed) + "\n"


def cut_at_80(text: str) -> str:
    return "".join(line[at : at + 80] + "\n" for line in text.splitlines() for at in range(0, max(len(line), 1), 80))


def folded_at_80(text: str) -> str:
    rows = (textwrap.wrap(line, 80, break_long_words=False) or [""] for line in text.splitlines())
    return "".join(f"{row}\n" for each in rows for row in each)


def with_bars(text: str) -> str:
    return "".join(f"\r 12%|###   | {at}/800 [00:01<00:09]\r{line}\n" for at, line in enumerate(text.splitlines()))


LAWS: dict[str, Callable[[str], str]] = {
    "compose": prefixed("web_1  | "),
    "journald": prefixed("Mar 11 10:00:01 host app[123]: "),
    "kubernetes": prefixed("2025-03-01T10:00:01.123456789Z stderr F "),
    "dmesg": prefixed("[12345.678901] "),
    "rank": prefixed("[rank3]: "),
    "coloured": prefixed("\x1b[36mtrain-0\x1b[0m "),
    "quoted": prefixed("> "),
    "interleaved": interleaved,
    "cut at 80": cut_at_80,
    "folded at 80": folded_at_80,
    "progress bars": with_bars,
    "CRLF": lambda text: text.replace("\n", "\r\n"),
    "NULs": lambda text: text.replace("\n", "\n\0\0"),
    "UTF-16": lambda text: text,
    "other languages": lambda text: f"使い方: 以下を参照\n{text}错误：请参阅上文。\nошибка\n",
}


@pytest.mark.parametrize("law", LAWS)
def test_the_answer_stays(law: str) -> None:
    changed = {}
    for name, _, text in CORPUS:
        told = LAWS[law](text)
        data = told.encode("utf-16") if law == "UTF-16" else told.encode()
        if (after := first(data)) != (before := first(text)):
            changed[name] = (before, after)
    assert not changed


def test_the_half_with_the_line_that_proves_it_says_the_same() -> None:
    changed = {}
    for name, _, text in CORPUS:
        if not (named := ask(text).causes):
            continue
        lines = text.splitlines()
        middle = (len(lines) + 1) // 2
        half = lines[:middle] if named[0].evidence[0].line <= middle else lines[middle:]
        if (after := first("\n".join(half) + "\n")) != named[0].id:
            changed[name] = (named[0].id, after)
    assert not changed
