"""Laws of the small readers."""

from __future__ import annotations

import datetime as dt
import email.utils
import time
from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from firstlight.facts.command_line import split
from firstlight.facts.dates import kernel_date, mail_date
from firstlight.facts.distributions import normalised
from firstlight.facts.nvidia_driver import module_version
from firstlight.facts.os_release import parse
from firstlight.facts.packages import packages
from firstlight.facts.repositories import one_line, without_secrets
from tests.facts.fake_host import FakeHost

TIMES = st.datetimes(dt.datetime(2000, 1, 2), dt.datetime(2199, 12, 31)).map(
    lambda when: when.replace(microsecond=0, tzinfo=dt.timezone.utc)
)
WORDS = st.text(st.characters(min_codepoint=33, max_codepoint=126, exclude_characters='"='), min_size=1, max_size=12)


@given(TIMES)
def test_kernel_date_is_the_inverse_of_date(when: dt.datetime) -> None:
    line = f"Linux version 6.1 (b@h) #1 SMP {when.strftime('%a %b %e %H:%M:%S UTC %Y')}"
    assert kernel_date(line) == when.timestamp()


@given(TIMES, st.integers(-14 * 4, 14 * 4))
def test_mail_date_agrees_with_the_standard_library(when: dt.datetime, quarters: int) -> None:
    local = when.astimezone(dt.timezone(dt.timedelta(minutes=15 * quarters)))
    line = email.utils.format_datetime(local)
    assert mail_date(line) == when.timestamp()
    assert email.utils.parsedate_to_datetime(line).timestamp() == when.timestamp()


@given(st.lists(st.tuples(WORDS, st.none() | st.text(st.sampled_from("ab .,=-/"), max_size=12)), max_size=8))
def test_command_line_gives_back_what_was_quoted(words: list[tuple[str, str | None]]) -> None:
    words = [(name, value) for name, value in words if name != "--"]
    line = " ".join(name if value is None else f'{name}="{value}"' for name, value in words)
    assert [(one.name, one.value) for one in split(line)] == words


@given(st.text(max_size=200))
def test_command_line_loses_no_letter_but_blanks_and_quotes(line: str) -> None:
    kept = "".join(one.name + ("" if one.value is None else "=" + one.value) for one in split(line))
    assert set(kept) <= set(line)


@given(st.text(st.sampled_from("ab-_.Z9"), max_size=20))
def test_normalising_a_name_twice_is_normalising_it_once(name: str) -> None:
    assert normalised(normalised(name)) == normalised(name)


@given(
    st.lists(st.integers(0, 999), min_size=2, max_size=3).map(lambda parts: ".".join(map(str, parts))),
    st.sampled_from(("UNIX x86_64 Kernel Module ", "UNIX Open Kernel Module for aarch64 ", "Linux x86 Kernel Module ")),
    st.sampled_from(("", "Release Build  (a@b.c)  ")),
)
def test_nvidia_version_is_found_in_every_wording(version: str, wording: str, build: str) -> None:
    line = f"NVRM version: NVIDIA {wording} {version}  {build}Tue Jan  7 17:35:12 PST 2025\nGCC version: 12.2.0"
    assert module_version(line) == version


@given(st.text(max_size=40), st.text(min_size=1, max_size=40))
def test_nothing_before_the_at_sign_survives(user: str, host: str) -> None:
    secret = "hunter2" + user.replace("/", "")
    assert "hunter2" not in without_secrets(f"https://{secret}@x.example/{host.replace('hunter2', '')}")


@given(
    st.dictionaries(st.sampled_from("ABCDE"), st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=20))
)
def test_os_release_unquotes_what_was_quoted(fields: dict[str, str]) -> None:
    quoted = {name: value.replace("\\", "\\\\").replace('"', '\\"') for name, value in fields.items()}
    assert parse("".join(f'{name}="{value}"\n' for name, value in quoted.items())) == fields


def test_hostile_sizes_cost_linear_time() -> None:
    """Four times as much may take eight times as long at most; squares take sixteen. Tried again where the machine was
    busy with something else: what is square is so each time."""
    for grow in (_command_line, _status, _sources, _os_release):
        assert any(_linear(grow) for _ in range(10)), grow.__name__


def _linear(grow: Callable[[int], object]) -> bool:
    small, large = (min(_seconds(grow(size)) for _ in range(7)) for size in (5_000, 20_000))
    return large < 8 * small + 0.05


def _seconds(act: object) -> float:
    assert callable(act)
    start = time.thread_time()
    act()
    return time.thread_time() - start


def _command_line(size: int) -> object:
    line = 'a="b c" ' * size
    return lambda: split(line)


def _status(size: int) -> object:
    host = FakeHost({"/var/lib/dpkg/status": "Package: libc6\nStatus: x\n" * size})
    return lambda: packages(host).version("libc6")


def _sources(size: int) -> object:
    content = "deb [a=b] http://x y z\n" * size
    return lambda: list(one_line(content, "/x"))


def _os_release(size: int) -> object:
    content = 'A="b\\\\c"\n' * size
    return lambda: parse(content)


def test_every_variable_that_is_known_is_collected() -> None:
    from firstlight.facts.variables import variables
    from firstlight.knowledge.tables import raw

    named = [entry["name"].replace("<n>", "0") for entry in raw("variables")["variable"]]
    names = {name for name in named if name.replace("_", "").isalnum() and name.isupper()}
    assert len(names) > 50
    found = variables(FakeHost(environment=dict.fromkeys(names, "1")))
    assert isinstance(found, list)
    assert names - {one.name for one in found} == set()
