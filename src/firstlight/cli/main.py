"""The program `firstlight`: the only place that prints and exits."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NoReturn, TextIO

from ..words import Lang
from .language import language

if TYPE_CHECKING:
    from ..verbs.error import ErrorAnswer
    from .parsing import Given


def entry() -> NoReturn:
    """Run with the process's arguments, and exit."""
    from .signals import watch
    from .streams import complete

    watch()
    complete()
    sys.exit(main(sys.argv[1:]))


def main(arguments: Sequence[str]) -> int:
    """Run one verb; returns the exit code: 128 and its number where a signal ended it, as shells say it."""
    from .streams import lenient, readable

    lenient(sys.stdout)
    lenient(sys.stderr)
    lang = readable(language(arguments, os.environ), sys.stdout, sys.stderr)
    try:
        return _run(arguments, lang)
    except KeyboardInterrupt as error:
        from ..verbs.error import stopped
        from .signals import name, stopping

        number = stopping(error)
        return _fail(stopped(name(number), 128 + number, lang), arguments, lang)


def _run(arguments: Sequence[str], lang: Lang) -> int:
    from ..errors import FirstlightError

    try:
        return _answer(arguments, lang)
    except FirstlightError as error:
        from ..verbs.error import failed

        return _fail(failed(error, lang), arguments, lang)
    except Exception as error:  # noqa: BLE001 - the last door: whatever comes here is a bug of ours
        from ..verbs.error import broken
        from .streams import written

        trace = _trace(error)
        written(lambda stream: stream.write(trace), sys.stderr)
        return _fail(broken(error, lang), arguments, lang)


def _answer(arguments: Sequence[str], lang: Lang) -> int:
    if not arguments:
        # not to stdout, and no 0: whoever meant to name a verb must not take it for a yes
        _help("", lang, sys.stderr)
        return 2
    if arguments[:1] in (["--help"], ["-h"]):
        return _help("", lang, sys.stdout)
    if arguments[:1] == ["--version"]:
        return _version()
    from .parsing import parse

    given = parse(arguments, lang)
    if given.help:
        return _help(given.verb, lang, sys.stdout)
    if given.version:
        return _version()
    return _call(given, lang)


def _call(given: Given, lang: Lang) -> int:
    from .calls import Schema, call
    from .output import document, show
    from .progress import reporting

    with reporting(sys.stderr, lang, quiet=given.quiet, json=given.json) as reporter:
        reply = call(given, lang, reporter)
    if isinstance(reply, Schema):
        _give(lambda stream: document(reply.document, stream))
        return 0
    answer, say = reply
    if given.json:
        _give(lambda stream: document(answer, stream))
    elif isinstance(say, str):
        _give(lambda stream: stream.write(say))
    else:
        _give(lambda stream: show(say(), stream))
    return answer.exit_code


def _give(write: Callable[[TextIO], object]) -> None:
    """To stdout. A reader that has left (`firstlight facts | head`) had enough; the answer's exit code stays.

    Raises CannotTell where there is no room for the answer.
    """
    from .streams import written

    error = written(write, sys.stdout)
    if error is None or isinstance(error, BrokenPipeError):
        return
    from ..errors import CannotTell
    from ..text.usage import NOT_WRITTEN

    raise CannotTell(NOT_WRITTEN.fill(error=error.strerror or error))


def _version() -> int:
    from .. import __version__

    _give(lambda stream: stream.write(f"firstlight {__version__}\n"))
    return 0


def _help(verb: str, lang: Lang, stream: TextIO) -> int:
    from .arguments import find
    from .help import of_verb, overview
    from .output import show
    from .streams import written

    found = find(verb)
    lines = of_verb(found, lang) if found else overview(lang)
    if stream is sys.stdout:
        _give(lambda out: show(lines, out))
    else:
        written(lambda out: show(lines, out), stream)
    return 0


def _fail(answer: ErrorAnswer, arguments: Sequence[str], lang: Lang) -> int:
    """Say it, as far as there is anybody to say it to; the exit code."""
    from ..text.errors import lines
    from .output import document, show
    from .streams import written

    own = arguments[: arguments.index("--")] if "--" in arguments else arguments
    if "--json" in own:
        written(lambda stream: document(answer, stream), sys.stdout)
    written(lambda stream: show(lines(answer, lang), stream), sys.stderr)
    return answer.exit_code


def _trace(error: Exception) -> str:
    from traceback import format_exception

    return "".join(format_exception(error))
