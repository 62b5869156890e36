"""What is understood, and what is said where it is not."""

from __future__ import annotations

import argparse

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firstlight.cli.arguments import COMMON, VERBS
from firstlight.cli.parsing import Given, parse
from firstlight.errors import UsageError
from firstlight.text import usage
from firstlight.words import Lang


@pytest.mark.parametrize(
    ("arguments", "given"),
    [
        (["facts", "--host", "x", "--json"], Given(verb="facts", host="x", json=True)),
        (["--json", "facts"], Given(verb="facts", json=True)),
        (["--lang", "zh", "doctor", "-vv"], Given(verb="doctor", lang="zh", verbose=2)),
        (["up", "--", "python", "x.py", "--", "--y"], Given(verb="up", command=("python", "x.py", "--", "--y"))),
        (["verify", "python", "x.py", "--json"], Given(verb="verify", command=("python", "x.py", "--json"))),
        (["verify", "--json", "--", "-x"], Given(verb="verify", json=True, command=("-x",))),
        (["verify", "a", "--", "b"], Given(verb="verify", command=("a", "b"))),
        (["verify", "a", "--help"], Given(verb="verify", command=("a", "--help"))),
        (["plan", "--backend", "cpu", "--torch", ">=2.8", "--offline"],
         Given(verb="plan", backend="cpu", torch=">=2.8", offline=True)),
        (["plan", "--all"], Given(verb="plan", all=True)),
        (["plan", "--why", "amd-rocm10", "--policy", "production"],
         Given(verb="plan", why="amd-rocm10", policy="production")),
        (["capture", "-o", "m.tar.zst"], Given(verb="capture", output="m.tar.zst")),
        (["sync", "--dry-run"], Given(verb="sync", dry_run=True)),
        (["sync", "--offline"], Given(verb="sync", offline=True)),
        (["sync", "--offline", "--dry-run"], Given(verb="sync", offline=True, dry_run=True)),
        (["sync", "--offline", "stick", "--json"], Given(verb="sync", offline="stick", json=True)),
        (["sync", "--offline="], Given(verb="sync", offline="")),
        (["lock", "--adopt", "--environment", "env"], Given(verb="lock", adopt=True, environment="env")),
        (["lock", "--export", "stick"], Given(verb="lock", export="stick")),
        (["causes"], Given(verb="causes")),
        (["causes", "show", "no-gpu"], Given(verb="causes", query=("show", "no-gpu"))),
        (["schema"], Given(verb="schema")),
        (["schema", "facts"], Given(verb="schema", noun="facts")),
        (["completion", "fish"], Given(verb="completion", shell="fish")),
        (["--lang", "zh", "--help"], Given(verb="", help=True)),
        (["--json", "--version"], Given(verb="", version=True)),
        (["--version", "--help"], Given(verb="", help=True)),
        (["completion", "--help"], Given(verb="completion", help=True)),
        (["facts", "-h", "--bogus"], Given(verb="facts", help=True)),
    ],
)  # fmt: skip
def test_understood(arguments: list[str], given: Given) -> None:
    assert parse(arguments, "en") == given


@pytest.mark.parametrize(
    ("arguments", "en", "zh"),
    [
        ([], "no verb was given", "没有给出子命令"),
        (["docter"], "there is no verb `docter`", "没有子命令 `docter`"),
        (["facts", "--host"], "argument --host: expected one argument", "参数 --host：需要一个值"),
        (["facts", "--bogus"], "unrecognized arguments: --bogus", "不认识的参数：--bogus"),
        (["facts", "--hos", "x"], "unrecognized arguments: --hos x", "不认识的参数：--hos x"),
        (
            ["facts", "--json=1"],
            "argument --json: ignored explicit argument '1'",
            "参数 --json：该选项不接受值，却给了 '1'",
        ),
        (["completion"], "the following arguments are required: SHELL", "缺少必需的参数：SHELL"),
        (["facts", "--", "x"], "`facts` takes no command after `--`", "`facts` 不接受 `--` 之后的命令"),
    ],
)
def test_refused_in_one_sentence(arguments: list[str], en: str, zh: str) -> None:
    for lang, said in (("en", en), ("zh", zh)):
        with pytest.raises(UsageError) as caught:
            parse(arguments, lang)  # type: ignore[arg-type]
        assert caught.value.what.say(lang) == said  # type: ignore[arg-type]
        assert caught.value.next is not None
        assert caught.value.exit_code == 2


def test_a_misspelt_verb_brings_the_near_one() -> None:
    with pytest.raises(UsageError) as caught:
        parse(["docter"], "en")
    assert caught.value.next is not None
    assert "did you mean `doctor`?" in caught.value.next.en


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_wrong_choice_names_the_right_ones(lang: Lang) -> None:
    with pytest.raises(UsageError, match=r"rocm.*cuda.*cpu"):
        parse(["plan", "--backend", "cud"], lang)


def test_argparse_is_left_as_it_was() -> None:
    before = argparse.__dict__["_"]
    with pytest.raises(UsageError):
        parse(["facts", "--bogus"], "zh")
    assert argparse.__dict__["_"] is before


def test_translations_keep_the_places_of_argparse() -> None:
    import re

    for english, chinese in usage.ARGPARSE.items():
        places = r"%(?:\(\w+\))?[rsd]"
        assert sorted(re.findall(places, english)) == sorted(re.findall(places, chinese))


WORDS = [verb.name for verb in VERBS] + [option.flag for verb in VERBS for option in (*verb.options, *COMMON)]


@given(st.lists(st.sampled_from([*WORDS, "--", "x", "", "-", "zh", "show"]) | st.text(max_size=5), max_size=6))
def test_any_arguments_are_understood_or_refused(arguments: list[str]) -> None:
    known = {"", *(verb.name for verb in VERBS)}
    try:
        understood = parse(arguments, "zh").verb in known
    except UsageError as error:
        understood = bool(error.what.zh and error.exit_code == 2)
    assert understood
