"""The engine, the vocabulary it is given, and whatever is thrown at it."""

from __future__ import annotations

import io
import os
import random
import re
import shutil
import subprocess
import time
import tracemalloc
from pathlib import Path

import pytest

from firstlight.causes import catalogue as causes
from firstlight.causes.exporting import plain
from firstlight.causes.naming import engine, name, vocabulary
from firstlight.causes.signs import DERIVED, SIGNS
from firstlight.transcript.engine import REACH
from firstlight.transcript.literals import literals
from firstlight.transcript.reader import read
from firstlight.verbs.catalogue import catalogue
from tests.explain.asking import CASES, ask, first

FULL = bool(os.environ.get("FIRSTLIGHT_FULL"))
LINE = b"RuntimeError: HIP error: invalid device function"


def scan(data: bytes) -> tuple[int, int]:
    counts = read(io.BytesIO(data), engine()).counts
    return counts.lines, counts.matched


def test_every_pattern_is_bounded_and_has_a_text_to_look_for() -> None:
    parse = re._parser.parse if hasattr(re, "_parser") else __import__("sre_parse").parse
    for pattern in vocabulary().patterns:
        texts, _ = literals(pattern.regex)
        assert min(map(len, texts)) >= 3
        assert parse(pattern.regex.encode()).getwidth()[1] <= REACH, pattern
        assert not re.search(r"\(\?(?:[=!]|<[=!])|\\[1-9]", pattern.regex), pattern


def test_every_match_contains_one_of_its_texts() -> None:
    for pattern in vocabulary().patterns:
        texts, caseless = literals(pattern.regex)
        for path in CASES.glob("*/yes-*.txt"):
            line = path.read_bytes()
            for match in re.finditer(pattern.regex.encode(), line, re.MULTILINE):
                found = match[0].lower() if caseless else match[0]
                assert any((text.lower() if caseless else text) in found for text in texts), pattern
        break


@pytest.mark.parametrize(
    ("regex", "texts"),
    [
        (r"abc.{0,9}defgh", (b"defgh",)),
        (r"(?:abcd|efgh) x", (b"abcd", b"efgh")),
        (r"colou?r of", (b"colo",)),
        (r"ab\.c\(d", (b"ab.c(d",)),
        (r"[abc]xyz{2}", (b"xy",)),
    ],
)
def test_texts_of_a_pattern(regex: str, texts: tuple[bytes, ...]) -> None:
    if min(map(len, texts)) < 3:
        with pytest.raises(ValueError, match="no text"):
            literals(regex)
    else:
        assert literals(regex)[0] == texts


def test_conditions_name_signs_that_there_are() -> None:
    known = {*SIGNS, *DERIVED}
    wrong = {
        (cause.id, sign)
        for cause in causes()
        for message in cause.messages
        for sign in (*message.needs, *message.unless, *message.helps, *message.doubts)
        if sign not in known
    }
    assert not wrong


@pytest.mark.parametrize(
    "wrapper", ["%s", "\x1b[31m%s\x1b[0m", "x" * 5000 + " %s", "\0%s\0", "a\r%s", "%s\r", "é 错误 %s ошибка"]
)
def test_a_line_is_found_in_any_dress(wrapper: str) -> None:
    data = (wrapper % LINE.decode()).encode()
    assert first(data) == "gpu-arch-not-in-rocm-build"
    assert scan(data + b"\n")[1] == 1


def test_a_line_over_many_blocks_is_one_line() -> None:
    line = b"x" * (5 << 20) + LINE + b"y" * (5 << 20) + LINE
    assert scan(line + b"\nnext\n") == (2, 1)
    assert first(line) == "gpu-arch-not-in-rocm-build"


def test_line_numbers() -> None:
    data = b"\n" * 70000 + LINE + b"\n"
    assert ask(data).causes[0].evidence[0].line == 70001
    broken = b"a\nb\n" + b"z" * 50 + LINE[:30] + b"\n" + LINE[30:] + b"\n"
    assert ask(broken).causes[0].evidence[0].line == 3


def test_secrets_do_not_come_out() -> None:
    answer = ask(b"HIP error: invalid device function token=hf_abcdefghijklmnopqrstuvwx https://u:pw@h.example.org/\n")
    shown = answer.causes[0].evidence[0].text
    assert "invalid device function" in shown
    assert "hf_abc" not in shown
    assert "pw@" not in shown


def test_memory_does_not_grow_with_the_log() -> None:
    class Log(io.RawIOBase):
        left = 64

        def readable(self) -> bool:
            return True

        def read(self, size: int = -1) -> bytes:
            self.left -= 1
            return (b"step 1 loss 2.0 all is well\n" * (size // 28 + 1))[:size] if self.left > 0 else b""

    engine()
    tracemalloc.start()
    read(Log(), engine())  # type: ignore[arg-type]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 40 << 20


@pytest.mark.skipif(not shutil.which("rg"), reason="ripgrep is not installed")
def test_ripgrep_counts_the_same_lines(tmp_path: Path) -> None:
    (tmp_path / "patterns").write_text("\n".join(catalogue().patterns) + "\n")
    texts = [path.read_bytes() for path in sorted(CASES.glob("*/*.txt"))]
    (tmp_path / "log").write_bytes(b"".join(texts))
    done = subprocess.run(
        ["rg", "-c", "-f", str(tmp_path / "patterns"), str(tmp_path / "log")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-300:]
    assert int(done.stdout) == scan((tmp_path / "log").read_bytes())[1]


def test_names_of_groups_do_not_clash_in_the_export() -> None:
    assert plain(r"(?i)a(?P<x>b)\"c") == r'(?i-u:a(?:b)"c)'
    assert not any("?P<" in pattern for pattern in catalogue().patterns)


def pieces() -> list[bytes]:
    words = [text for pattern in vocabulary().patterns for text in literals(pattern.regex)[0]]
    odd = [
        b"\x1b[",
        b"\x1b]0;",
        b"\0",
        b"\r",
        b"\n",
        b"\xff\xfe",
        b"GPU: 0\n",
        b'"card0": {',
        b"<gpu id=",
        b" " * 200,
        b"7" * 90,
    ]
    return words + odd


def hostile(rng: random.Random, parts: list[bytes]) -> bytes:
    kind = rng.randrange(4)
    if kind == 0:
        return rng.randbytes(rng.randrange(200))
    if kind == 1:
        return b"".join(rng.choice(parts) for _ in range(rng.randrange(40)))
    if kind == 2:
        return rng.choice(parts) * rng.randrange(1, 60)
    return bytes(one ^ (rng.random() < 0.03) for one in b" ".join(rng.choice(parts) for _ in range(20)))


def test_hostile_input_never_crashes() -> None:
    """`FIRSTLIGHT_FULL=1` tries a million."""
    rng, parts = random.Random(11), pieces()
    for _ in range(1_000_000 if FULL else 1500):
        text = read(io.BytesIO(hostile(rng, parts)), engine())
        name(text.hits)


@pytest.mark.parametrize(
    "unit", [b"Killed", b"gfx", b"GPU 0: A", b"CUDA out of memory. Tried to allocate ", b"[rank0]: /dev/kfd ", b"\x1b["]
)
def test_time_is_linear_in_the_length(unit: bytes) -> None:
    def cost(size: int) -> float:
        data = unit * (size // len(unit))
        begin = time.process_time()
        ask(data)
        return time.process_time() - begin

    cost(1 << 14)
    small, large = cost(1 << 17), cost(1 << 20)
    assert large < 8 * 3 * small + 0.5
