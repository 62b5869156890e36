"""`--help`, drawn from the table of verbs. Ours rather than argparse's: it knows wide characters and both languages."""

from __future__ import annotations

from collections.abc import Iterable

from ..text import help as words
from ..text.layout import BLANK, Line, Span, line, table
from ..words import Lang, Words
from .arguments import COMMON, VERBS, VERSION, Option, Verb


def overview(lang: Lang) -> list[Line]:
    """What `firstlight --help` says."""
    say = words.VERB.say(lang), words.OPTIONS.say(lang)
    return [
        line(words.PROGRAM.say(lang)),
        BLANK,
        line(Span(words.USAGE.say(lang), "strong"), f" firstlight {say[0]} [{say[1]}]"),
        *_block(words.VERBS_HEADING, [(verb.name, words.VERBS[verb.name]) for verb in VERBS], lang),
        *_block(words.OPTIONS_HEADING, _options((*COMMON, VERSION)), lang),
        *_block(words.EXIT_CODES_HEADING, [(str(code), text) for code, text in words.EXIT_CODES], lang),
        BLANK,
        line(words.MORE.say(lang)),
    ]


def of_verb(verb: Verb, lang: Lang) -> list[Line]:
    """What `firstlight VERB --help` says."""
    return [
        line(Span(words.USAGE.say(lang), "strong"), f" {usage(verb, lang)}", hang=4),
        BLANK,
        line(_sentence(words.VERBS[verb.name].say(lang), lang)),
        *_arguments(verb, lang),
        *_block(words.OPTIONS_HEADING, _options((*verb.options, *COMMON)), lang),
    ]


def usage(verb: Verb, lang: Lang) -> str:
    """`firstlight verify [options] [-- CMD ...]`"""
    needed = [f"{option.short or option.flag} {option.metavar}" for option in verb.options if option.required]
    parts = ["firstlight", verb.name, *needed, f"[{words.OPTIONS.say(lang)}]"]
    if verb.positional:
        shape = {"": "{}", "?": "[{}]", "*": "[{}]", "+": "{} ...", "...": "[-- {} ...]"}[verb.positional.nargs]
        parts.append(shape.format(verb.positional.metavar))
    return " ".join(parts)


def _arguments(verb: Verb, lang: Lang) -> list[Line]:
    if verb.positional is None:
        return []
    text = words.ARGUMENTS[verb.positional.name]
    lines = _block(words.ARGUMENTS_HEADING, [(verb.positional.metavar, text)], lang)
    if verb.positional.choices:
        lines.append(line(" ".join(verb.positional.choices), indent=2 + len(verb.positional.metavar) + 2))
    return lines


def _options(options: Iterable[Option]) -> list[tuple[str, Words]]:
    return [(_spelling(option), words.FLAGS[option.words]) for option in options]


def _spelling(option: Option) -> str:
    value = "|".join(option.choices) or (f"[{option.metavar}]" if option.bare else option.metavar)
    value += "…" if option.many else ""
    return f"{option.short or '  '}{',' if option.short else ' '} {option.flag}{' ' + value if value else ''}"


def _block(heading: Words, rows: Iterable[tuple[str, Words]], lang: Lang) -> list[Line]:
    body = table([(Span(name, "strong"), text.say(lang)) for name, text in rows], indent=2)
    return [BLANK, line(Span(heading.say(lang), "strong")), *body]


def _sentence(text: str, lang: Lang) -> str:
    return text + "。" if lang == "zh" else text[0].upper() + text[1:] + "."
