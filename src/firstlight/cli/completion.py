"""Completion scripts for shells, made from the table of verbs. Static text: completing starts no Python."""

from __future__ import annotations

import shlex
from collections.abc import Iterable

from ..text import help as words
from ..words import Lang
from .arguments import COMMON, VERBS, VERSION, Option, Verb


def script(shell: str, lang: Lang) -> str:
    """The script for `bash`, `zsh` or `fish`."""
    return {"bash": _bash, "zsh": _zsh, "fish": _fish}[shell](lang)


def _options(verb: Verb) -> tuple[Option, ...]:
    return (*verb.options, *COMMON)


def _flags(options: Iterable[Option]) -> str:
    return " ".join(name for option in options for name in (option.flag, option.short) if name)


def _words(verb: Verb) -> str:
    """What may follow the verb, besides options."""
    return " ".join(verb.positional.choices) if verb.positional and verb.positional.choices else ""


def _bash(lang: Lang) -> str:  # noqa: ARG001 - bash shows no descriptions
    verbs = " ".join(verb.name for verb in VERBS)
    cases = "\n".join(
        f"    {verb.name}) words='{_flags(_options(verb))} {_words(verb)}'{_files(verb)} ;;" for verb in VERBS
    )
    every = {option.flag: option for verb in VERBS for option in _options(verb)}
    values = "\n".join(
        f"    {_names(option)}) {_bash_value(option)}; return ;;"
        for option in every.values()
        if option.metavar and not option.bare
    )
    values += "".join(
        f"\n    {_names(option)}) [[ $verb != {verb.name} || $word == -* ]] || {{ {_bash_value(option)}; return; }} ;;"
        for verb in VERBS
        for option in verb.options
        if option.bare
    )
    return f"""\
# bash completion of firstlight
_firstlight() {{
  local word="${{COMP_WORDS[COMP_CWORD]}}" before="${{COMP_WORDS[COMP_CWORD-1]}}" verb= words i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "${{COMP_WORDS[i]}}" in
      --) COMPREPLY=($(compgen -f -- "$word")); return ;;
      {verbs.replace(" ", "|")}) [[ $verb ]] || verb="${{COMP_WORDS[i]}}" ;;
    esac
  done
  case "$before" in
{values}
  esac
  case "$verb" in
    '') words='{verbs} {_flags((*COMMON, VERSION))}' ;;
{cases}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}}
complete -F _firstlight firstlight
"""


def _files(verb: Verb) -> str:
    """What bash does at once where no option is begun and files are wanted."""
    wanted = verb.positional is not None and verb.positional.takes == "file"
    return '; [[ $word == -* ]] || { COMPREPLY=($(compgen -f -- "$word")); return; }' if wanted else ""


def _names(option: Option) -> str:
    return f"{option.short}|{option.flag}" if option.short else option.flag


def _bash_value(option: Option) -> str:
    if option.choices:
        return f"COMPREPLY=($(compgen -W '{' '.join(option.choices)}' -- \"$word\"))"
    kind = {"file": "-f", "folder": "-d", "": ""}[option.takes]
    return f'COMPREPLY=($(compgen {kind} -- "$word"))' if kind else "COMPREPLY=()"


def _zsh(lang: Lang) -> str:
    verbs = "\n".join(f"    {shlex.quote(f'{verb.name}:{words.VERBS[verb.name].say(lang)}')}" for verb in VERBS)
    cases = "\n".join(f"    {verb.name}) _arguments {' '.join(_zsh_arguments(verb, lang))} ;;" for verb in VERBS)
    return f"""\
#compdef firstlight
_firstlight() {{
  local -a verbs
  verbs=(
{verbs}
  )
  if (( CURRENT == 2 )); then
    _describe verb verbs
    return
  fi
  local verb="$words[2]"
  shift words; (( CURRENT-- ))
  case "$verb" in
{cases}
  esac
}}
compdef _firstlight firstlight
"""


def _zsh_arguments(verb: Verb, lang: Lang) -> Iterable[str]:
    for option in _options(verb):
        told = words.FLAGS[option.words].say(lang).replace("[", "(").replace("]", ")").replace(":", " -")
        takes = {"file": "_files", "folder": "_files -/", "": " "}[option.takes]
        action = f"({' '.join(option.choices)})" if option.choices else takes
        value = f"{':' if option.bare else ''}:{option.metavar}:{action}" if option.metavar else ""
        often = "*" if option.repeated else ""
        yield from (shlex.quote(f"{often}{name}[{told}]{value}") for name in (option.flag, option.short) if name)
    if verb.positional:
        choices = f"({' '.join(verb.positional.choices)})" if verb.positional.choices else "_files"
        yield shlex.quote(f"*:{verb.positional.name}:{choices}")


def _fish(lang: Lang) -> str:
    lines = ["# fish completion of firstlight", "complete -c firstlight -f"]
    for verb in VERBS:
        told = _fish_quote(words.VERBS[verb.name].say(lang))
        lines.append(f"complete -c firstlight -n __fish_use_subcommand -a {verb.name} -d {told}")
        seen = f"-n '__fish_seen_subcommand_from {verb.name}'"
        lines += [f"complete -c firstlight {seen} {_fish_option(option, lang)}" for option in _options(verb)]
        if choices := _words(verb):
            lines.append(f"complete -c firstlight {seen} -a '{choices}'")
        elif verb.positional and verb.positional.takes == "file":
            lines.append(f"complete -c firstlight {seen} -F")
    return "\n".join(lines) + "\n"


def _fish_option(option: Option, lang: Lang) -> str:
    parts = [f"-l {option.flag[2:]}"]
    if option.short:
        parts.append(f"-s {option.short[1:]}")
    if option.bare:
        parts.append("-a '(__fish_complete_directories)'")
    elif option.metavar:
        parts.append(
            f"-x -a '{' '.join(option.choices)}'" if option.choices else "-r" + (" -F" if option.takes else "")
        )
    return " ".join([*parts, f"-d {_fish_quote(words.FLAGS[option.words].say(lang))}"])


def _fish_quote(text: str) -> str:
    r"""In single quotes fish knows only \\ and \' as escapes."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
