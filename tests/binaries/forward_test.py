"""A cursor over chunks: the same answers as over the bytes at once, however they are cut."""

from __future__ import annotations

from collections.abc import Iterator

from hypothesis import given
from hypothesis import strategies as st

from firstlight.binaries.beside import beside
from firstlight.binaries.forward import Forward
from firstlight.binaries.source import Held

CUTS = st.lists(st.integers(0, 40), max_size=12)


def chunked(data: bytes, cuts: list[int]) -> Iterator[bytes]:
    at = 0
    for length in cuts:
        yield data[at : at + length]
        at += length
    yield data[at:]


def first_of(data: bytes, marks: tuple[bytes, ...], align: int) -> tuple[int, bytes] | None:
    places = range(0, len(data), align)
    return next(((at, mark) for at in places for mark in marks if data.startswith(mark, at)), None)


@given(st.binary(max_size=300), CUTS, st.lists(st.tuples(st.sampled_from("rsp"), st.integers(0, 90)), max_size=12))
def test_reading_and_skipping_are_those_of_the_whole(
    data: bytes, cuts: list[int], moves: list[tuple[str, int]]
) -> None:
    for forward in (Forward(chunked(data, cuts)), Forward.of(Held(data))):
        at = 0
        for move, length in moves:
            expected = data[at : at + length]
            if move == "s":
                assert forward.skip(length) == len(expected)
            else:
                assert (forward.read if move == "r" else forward.peek)(length) == expected
            at += len(expected) if move != "p" else 0
            assert forward.offset == at


@given(st.text("abx", max_size=200), CUTS, st.sampled_from([1, 2, 3, 8]), st.integers(0, 20))
def test_a_mark_is_found_where_it_stands(text: str, cuts: list[int], align: int, before: int) -> None:
    data, marks = text.encode(), (b"ab", b"abx", b"xxa")
    forward = Forward(chunked(data, cuts))
    start = forward.skip(before)
    rest = first_of(data[-(-start // align) * align :], marks, align)
    assert forward.until(marks, align) == (rest[1] if rest else None)
    assert forward.offset == (-(-start // align) * align + rest[0] if rest else len(data))


def test_each_mark_may_have_places_of_its_own() -> None:
    data = b"..BB....AABB" + b"." * 4 + b"AA"
    assert Forward(iter([data])).until((b"AA", b"BB"), (16, 4)) == b"AA"
    assert Forward(iter([data])).until((b"AA", b"BB"), (16, 2)) == b"BB"


def test_marks_are_not_looked_for_behind_the_end() -> None:
    forward = Forward(iter([b"." * 64, b"." * 64, b"AA"]))
    assert forward.until((b"AA",), end=64) is None
    assert forward.offset < 128


@given(st.binary(max_size=200), CUTS, st.integers(0, 60), st.integers(0, 60), st.integers(0, 60))
def test_a_part_ends_where_it_says(data: bytes, cuts: list[int], before: int, length: int, wanted: int) -> None:
    forward = Forward(chunked(data, cuts))
    start = forward.skip(before)
    part = forward.part(length)
    assert part.read(wanted) == data[start : start + min(wanted, length)]
    assert part.offset + part.skip(1000) == len(data[start : start + length])
    assert forward.offset == start + len(data[start : start + length])


def test_a_source_is_not_read_where_it_is_skipped() -> None:
    class Counting(Held):
        asked = 0

        def read(self, offset: int, length: int) -> bytes:
            self.asked += length
            return super().read(offset, length)

    source = Counting(bytes(64 << 20))
    forward = Forward.of(source)
    for _ in range(8):
        forward.read(16)
        forward.skip(7 << 20)
    assert source.asked < 8 << 20


@given(st.binary(max_size=200), CUTS)
def test_chunks_made_beside_are_the_same(data: bytes, cuts: list[int]) -> None:
    assert b"".join(beside(chunked(data, cuts))) == data


def test_an_error_beside_is_raised_here_and_nothing_goes_on() -> None:
    made: list[int] = []

    def chunks() -> Iterator[bytes]:
        for number in range(1000):
            made.append(number)
            yield b"x"
            if number == 20:
                raise ValueError

    got = 0
    try:
        for _ in beside(chunks()):
            got += 1
    except ValueError:
        got += 1000
    assert got == 1021
    stopped = beside(chunks())
    made.clear()
    assert next(stopped) == b"x"
    stopped.close()  # type: ignore[attr-defined]
    assert len(made) < 20
