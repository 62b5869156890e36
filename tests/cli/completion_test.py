"""Completion scripts, the bash one in a real bash."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from firstlight.cli.arguments import COMMON, NOUNS, VERBS
from firstlight.cli.completion import script
from firstlight.words import Lang


def completed(tmp_path: Path, *words: str) -> list[str]:
    """What bash offers for the last word."""
    if shutil.which("bash") is None:
        pytest.skip("needs bash")
    source = tmp_path / "completion.bash"
    source.write_text(script("bash", "en"), encoding="utf-8")
    program = (
        'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _firstlight; printf "%s\\n" "${COMPREPLY[@]}"'
    )
    done = subprocess.run(
        ["bash", "-uc", program, "bash", str(source), "firstlight", *words],
        capture_output=True, text=True, check=True, cwd=tmp_path,
    )  # fmt: skip
    return sorted(filter(None, done.stdout.splitlines()))


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (("do",), ["doctor"]),
        (("plan", "--backend", ""), ["cpu", "cuda", "rocm"]),
        (("plan", "--a"), ["--all"]),
        (("plan", "--wh"), ["--why"]),
        (("lock", "--wh"), []),
        (("--lang", ""), ["en", "zh"]),
        (("--lang", "zh", "ver"), ["verify"]),
        (("sync", "--d"), ["--dry-run"]),
        (("sync", "--offline", "w"), ["wheels"]),
        (("sync", "--offline", "--d"), ["--dry-run"]),
        (("plan", "--offline", "w"), []),
        (("lock", "--ex"), ["--export"]),
        (("schema", "h"), ["host"]),
        (("facts", "--dry"), []),
        (("facts", "--project", "w"), ["wheels"]),
        (("facts", "--host", "w"), ["wheels", "words.txt"]),
        (("verify", "--", "wo"), ["words.txt"]),
        (("inspect", "w"), ["wheels", "words.txt"]),
        (("inspect", "words.txt", "--fo"), ["--for"]),
        (("inspect", "--for", "w"), []),
    ],
)
def test_bash_offers(tmp_path: Path, words: tuple[str, ...], offered: list[str]) -> None:
    (tmp_path / "wheels").mkdir()
    (tmp_path / "words.txt").touch()
    assert completed(tmp_path, *words) == offered


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_verb_and_option_is_in_every_script(shell: str, lang: Lang) -> None:
    text = script(shell, lang)
    for verb in VERBS:
        assert verb.name in text
        for option in (*verb.options, *COMMON):
            assert (f"-l {option.flag[2:]}" if shell == "fish" else option.flag) in text
    assert all(noun in text for noun in NOUNS)


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_take_the_syntax(tmp_path: Path, shell: str) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"needs {shell}")
    path = tmp_path / "script"
    path.write_text(script(shell, "en"), encoding="utf-8")
    subprocess.run([shell, "-n", str(path)], check=True)
