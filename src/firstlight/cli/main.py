"""The program `firstlight`: the only place that prints and exits."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn

from ..words import Lang
from .language import language

if TYPE_CHECKING:
    from ..verbs.error import ErrorAnswer
    from .parsing import Given

INTERRUPTED = 130
"""128 + SIGINT, as shells say it."""


def entry() -> NoReturn:
    """Run with the process's arguments, and exit."""
    sys.exit(main(sys.argv[1:]))


def main(arguments: Sequence[str]) -> int:
    """Run one verb; returns the exit code."""
    from .output import lenient

    lenient(sys.stdout)
    lenient(sys.stderr)
    lang = language(arguments, os.environ)
    try:
        return _run(arguments, lang)
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # what read our output has left (`firstlight facts | head`); keep the interpreter's own flush quiet too
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _run(arguments: Sequence[str], lang: Lang) -> int:
    from ..errors import FirstlightError

    try:
        return _answer(arguments, lang)
    except (KeyboardInterrupt, BrokenPipeError):
        raise
    except FirstlightError as error:
        from ..verbs.error import failed

        return _fail(failed(error, lang), arguments, lang)
    except Exception as error:  # noqa: BLE001 - the last door: whatever comes here is a bug of ours
        import traceback

        from ..verbs.error import broken

        traceback.print_exc()
        return _fail(broken(error, lang), arguments, lang)


def _answer(arguments: Sequence[str], lang: Lang) -> int:
    if arguments[:1] == ["--version"]:
        return _version()
    if arguments[:1] in (["--help"], ["-h"]):
        return _help("", lang)
    from .parsing import parse

    given = parse(arguments, lang)
    if given.help:
        return _help(given.verb, lang)
    if given.verb == "schema":
        return _schema(given)
    if given.verb == "completion":
        from .completion import script

        sys.stdout.write(script(given.shell, lang))
        return 0
    return _call(given, lang)


def _call(given: Given, lang: Lang) -> int:
    from .calls import call
    from .output import document, show
    from .progress import reporting

    with reporting(sys.stderr, lang, quiet=given.quiet, json=given.json) as reporter:
        reply = call(given, lang, reporter)
    if given.json:
        document(reply.answer, sys.stdout)
    else:
        show(reply.say(), sys.stdout)
    return reply.answer.exit_code


def _version() -> int:
    from .. import __version__

    sys.stdout.write(f"firstlight {__version__}\n")
    return 0


def _help(verb: str, lang: Lang) -> int:
    from .arguments import find
    from .help import of_verb, overview
    from .output import show

    found = find(verb)
    show(of_verb(found, lang) if found else overview(lang), sys.stdout)
    return 0


def _schema(given: Given) -> int:
    from ..verbs.schema import NOUNS, schema
    from .output import document

    if given.noun is None:
        sys.stdout.write("".join(f"{noun}\n" for noun in NOUNS))
    else:
        document(schema(given.noun), sys.stdout)
    return 0


def _fail(answer: ErrorAnswer, arguments: Sequence[str], lang: Lang) -> int:
    from ..text.errors import lines
    from .output import document, show

    own = arguments[: arguments.index("--")] if "--" in arguments else arguments
    if "--json" in own:
        document(answer, sys.stdout)
    show(lines(answer, lang), sys.stderr)
    return answer.exit_code
