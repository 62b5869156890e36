"""Lines are broken to a width without losing a word."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from firstlight.text.layout import Line, Span, broken, cells, command, line, table

WORDS = st.text(alphabet="abc中文，。 ", max_size=60)


def texts(lines: list[Line], width: int) -> list[str]:
    return ["".join(span.text for span in row) for row in broken(lines, width)]


def test_a_wide_sign_takes_two_cells_and_a_combining_one_none() -> None:
    assert [cells(text) for text in ("ab", "中a", "é", "，")] == [2, 3, 1, 2]


def test_words_are_kept_whole_and_continuations_hang() -> None:
    assert texts([line("one two three four", indent=1, hang=2)], 10) == [" one two", "   three", "   four"]


def test_a_word_longer_than_the_room_stays_whole() -> None:
    assert texts([line("see /a/very/long/path now")], 10) == ["see", "/a/very/long/path", "now"]


def test_chinese_breaks_between_signs_but_never_before_a_full_stop() -> None:
    assert texts([line("这是一台机器。好")], 12) == ["这是一台机", "器。好"]


def test_a_command_is_never_broken() -> None:
    assert texts([command("sudo usermod -aG render alice", indent=2)], 10) == ["  sudo usermod -aG render alice"]


def test_columns_line_up_under_wide_signs() -> None:
    rows = texts(table([("通过", "import", "x"), ("pass", "matmul", "y")]), 80)
    assert [cells(row[: row.index(mark)]) for row, mark in zip(rows, "xy", strict=True)] == [14, 14]


def test_the_last_column_is_broken_under_itself() -> None:
    assert texts(table([("a", "one two three")]), 12) == ["a  one two", "   three"]


@given(st.lists(WORDS, max_size=4), st.integers(8, 40), st.integers(0, 4))
def test_breaking_keeps_every_sign_and_the_width(parts: list[str], width: int, indent: int) -> None:
    spans = tuple(Span(part, "strong" if at % 2 else "plain") for at, part in enumerate(parts))
    rows = texts([Line(spans, indent)], width)
    kept = "".join("".join(rows).split())
    assert kept == "".join("".join(parts).split())
    for row in rows:
        assert row == row.rstrip(" ")
        # only a piece without a place to break may stand out: a run of letters, or closing signs after one
        assert cells(row) <= width or " " not in row.strip() or len(row.split()) == 1
