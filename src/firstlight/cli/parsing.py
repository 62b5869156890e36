"""Arguments -> what was asked for. argparse judges them; its sentences are translated, its help is not used."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Literal, NoReturn

import msgspec

from ..errors import UsageError
from ..text import usage
from ..words import Lang, same
from .arguments import COMMON, VERBS, VERSION, Option, Verb, find


class Given(msgspec.Struct, frozen=True, kw_only=True):
    """What the command line says."""

    verb: str
    help: bool = False
    version: bool = False
    json: bool = False
    lang: Lang | None = None
    quiet: bool = False
    verbose: int = 0
    host: str = "live"
    project: str | None = None
    backend: str | None = None
    torch: str | None = None
    python: str | None = None
    policy: str | None = None
    route: str | None = None
    offline: bool | str = False
    """A folder, where one is named."""
    yes: bool = False
    fix: bool | str = False
    """An id, where one is named."""
    system: bool = False
    dry_run: bool = False
    deep: bool = False
    all: bool = False
    why: str | None = None
    packages: tuple[str, ...] = ()
    release: str | None = None
    matrix: bool = False
    adopt: bool = False
    environment: str | None = None
    export: str | bool | None = None
    """A folder of `lock`, a format of `causes`."""
    here: bool = False
    report: bool = False
    text: str | None = None
    output: str | None = None
    targets: tuple[str, ...] = msgspec.field(default=(), name="for")
    files: tuple[str, ...] = ()
    command: tuple[str, ...] = ()
    query: tuple[str, ...] = ()
    noun: str | None = None
    shell: Literal["bash", "zsh", "fish"] = "bash"


def parse(arguments: Sequence[str], lang: Lang) -> Given:
    """What was asked for. Raises UsageError in one clear sentence."""
    own, after = _split(arguments)
    asks_help = "--help" in own or "-h" in own
    first = _first_word(own)
    if first is None and (asks_help or VERSION.flag in own):
        return Given(verb="", help=asks_help, version=not asks_help)
    verb = _verb(first)
    try:
        with _speaking(lang):
            values = _values(own, verb)
    except UsageError:
        if asks_help:
            return Given(verb=verb.name, help=True)
        raise
    if after:
        if verb.positional is None or verb.positional.name != "command":
            raise UsageError(usage.NO_COMMAND.fill(verb=verb.name), next=usage.SEE_VERB_HELP.fill(verb=verb.name))
        values["command"] = [*values.get("command", ()), *after]
    return msgspec.convert(values, Given)


def _values(own: list[str], verb: Verb) -> dict[str, Any]:
    """argparse takes words of one kind only where they stand together; of files that stand between options it leaves
    the later ones over."""
    known, left = _parser().parse_known_args(own)
    values = vars(known)
    if left:
        if verb.positional is None or verb.positional.nargs != "+" or any(word.startswith("-") for word in left):
            _parser().parse_args(own)  # it refuses them, in its own words
        values[verb.positional.name] = [*values[verb.positional.name], *left]  # type: ignore[union-attr]
    return values


def _split(arguments: Sequence[str]) -> tuple[list[str], list[str]]:
    """What is before the first `--`, and what after it."""
    words = list(arguments)
    if "--" not in words:
        return words, []
    at = words.index("--")
    return words[:at], words[at + 1 :]


def _verb(word: str | None) -> Verb:
    """The verb, or a better sentence than argparse's list of choices where it was left out or misspelt."""
    if word is None:
        raise UsageError(usage.NO_VERB, next=usage.SEE_HELP)
    if verb := find(word):
        return verb
    from difflib import get_close_matches

    near = get_close_matches(word, [verb.name for verb in VERBS], 1)
    hint = usage.DID_YOU_MEAN.fill(near=near[0]) if near else usage.SEE_HELP
    raise UsageError(usage.NO_SUCH_VERB.fill(verb=word), next=hint)


def _first_word(own: Sequence[str]) -> str | None:
    """The first word that is neither an option nor the value of a common one."""
    valued = {option.flag for option in COMMON if option.metavar}
    words = iter(own)
    for word in words:
        if word in valued:
            next(words, None)
        elif not word.startswith("-"):
            return word
    return None


_OF_ARGUMENT = "argument %(argument_name)s: %(message)s"


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        verb = self.prog.partition(" ")[2]
        if message.startswith("argument "):
            # Python 3.10's argparse looks up all of its sentences but this one
            name, _, rest = message.removeprefix("argument ").partition(": ")
            message = argparse.__dict__["_"](_OF_ARGUMENT) % {"argument_name": name, "message": rest}
        raise UsageError(same(message), next=usage.SEE_VERB_HELP.fill(verb=verb) if verb else usage.SEE_HELP)


def _parser() -> argparse.ArgumentParser:
    parser = _Parser("firstlight", add_help=False, allow_abbrev=False)
    _add_options(parser, COMMON)
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="VERB")
    for verb in VERBS:
        _add_verb(verbs, verb)
    return parser


def _add_verb(verbs: Any, verb: Verb) -> None:  # noqa: ANN401 - argparse gives its type no public name
    parser = verbs.add_parser(verb.name, prog=f"firstlight {verb.name}", add_help=False, allow_abbrev=False)
    _add_options(parser, (*COMMON, *verb.options))
    if positional := verb.positional:
        parser.add_argument(
            positional.name,
            metavar=positional.metavar,
            nargs=positional.nargs or None,
            choices=positional.choices or None,
            # argparse would judge SUPPRESS itself against the choices
            default=None if positional.nargs == "?" else argparse.SUPPRESS,
        )


def _add_options(parser: argparse.ArgumentParser, options: Sequence[Option]) -> None:
    for option in options:
        names = [name for name in (option.short, option.flag) if name]
        # SUPPRESS: what stands before the verb must outlive the defaults of the verb's own parser
        if option.metavar:
            choices = option.choices or None
            form: dict[str, Any] = {"nargs": "?", "const": True} if option.bare else {}
            form |= {"action": "extend" if option.many else "append"} if option.repeated else {}
            form |= {"nargs": "+"} if option.many else {}
            parser.add_argument(*names, metavar=option.metavar, choices=choices, default=argparse.SUPPRESS, **form)
        elif option.counted:
            parser.add_argument(*names, action="count", default=argparse.SUPPRESS)
        else:
            parser.add_argument(*names, action="store_true", default=argparse.SUPPRESS)


@contextmanager
def _speaking(lang: Lang) -> Iterator[None]:
    """argparse looks its sentences up by `argparse._`, which is gettext's: it searches the disk for catalogues that no
    one ships. Ours answers instead."""
    before = argparse.__dict__["_"]
    known = usage.ARGPARSE if lang == "zh" else {}
    setattr(argparse, "_", lambda text: known.get(text, text))  # noqa: B010 - it has no public name
    try:
        yield
    finally:
        setattr(argparse, "_", before)  # noqa: B010
