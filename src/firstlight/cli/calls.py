"""From what was asked for to a verb's answer. Each verb is imported only when it is called."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from ..progress import Reporter
from ..text.layout import Line
from ..words import Lang

if TYPE_CHECKING:
    from ..project.settings import Flags
    from ..verbs.answer import Answer
    from .parsing import Given


class Reply(NamedTuple):
    """An answer, and how to say it to a person: lines, or a text for another program, which stays as it is."""

    answer: Answer
    say: Callable[[], list[Line]] | str


class Schema(NamedTuple):
    """The one answer that is no record of ours."""

    document: dict[str, object]


def call(given: Given, lang: Lang, reporter: Reporter) -> Reply | Schema:
    """Run the verb that was named. Raises FirstlightError."""
    return _CALLS[given.verb](given, lang, reporter)


def _facts(given: Given, lang: Lang, reporter: Reporter) -> Reply:  # noqa: ARG001
    from ..text.facts import lines
    from ..verbs.facts import FactsRequest, facts

    answer = facts(FactsRequest(host=given.host, project=given.project))
    return Reply(answer, lambda: lines(answer, lang))


def _doctor(given: Given, lang: Lang, reporter: Reporter) -> Reply:
    from ..text.doctor import lines
    from ..verbs.doctor import DoctorRequest, doctor

    if given.fix is not False:
        return _fix(given, lang, reporter)
    answer = doctor(DoctorRequest(host=given.host, project=given.project, lang=lang))
    return Reply(answer, lambda: lines(answer, lang, verbose=bool(given.verbose)))


def _fix(given: Given, lang: Lang, reporter: Reporter) -> Reply:
    from ..text import fix as text
    from ..verbs.fix import FixRequest, Question, fix
    from .consent import ask

    def asking(question: Question) -> bool | None:
        return ask(lambda: text.question(question, lang), text.ASK, lang)

    only = given.fix if isinstance(given.fix, str) else None
    request = FixRequest(host=given.host, project=given.project, only=only, consent=given.yes, lang=lang)
    answer = fix(request, reporter, asking)
    return Reply(answer, lambda: text.lines(answer, lang, verbose=bool(given.verbose)))


def _capture(given: Given, lang: Lang, reporter: Reporter) -> Reply:
    from ..text.capture import lines
    from ..verbs.capture import CaptureRequest, capture

    answer = capture(CaptureRequest(output=given.output, project=given.project), reporter)
    return Reply(answer, lambda: lines(answer, lang, verbose=bool(given.verbose)))


def _plan(given: Given, lang: Lang, reporter: Reporter) -> Reply:
    from ..text.plan import lines
    from ..verbs.plan import PlanRequest, plan
    from .output import columns

    if given.matrix:
        return _matrix(given, lang, reporter)
    request = PlanRequest(
        host=given.host, project=given.project, flags=_flags(given), route=given.why, every=given.all,
        packages=given.packages, release=given.release, lang=lang,
    )  # fmt: skip
    answer = plan(request, reporter)
    width = columns(sys.stdout)
    return Reply(answer, lambda: lines(answer, lang, verbose=bool(given.verbose), every=given.all, width=width))


def _matrix(given: Given, lang: Lang, reporter: Reporter) -> Reply:
    from ..text.matrix import lines
    from ..verbs.system_plan import MatrixRequest, plan_matrix

    answer = plan_matrix(
        MatrixRequest(host=given.host, project=given.project, flags=_flags(given), lang=lang), reporter
    )
    return Reply(answer, lambda: lines(answer, lang, verbose=bool(given.verbose)))


def _lock(given: Given, lang: Lang, reporter: Reporter) -> Reply:
    from ..text.lock import lines
    from ..verbs.lock import LockRequest, lock

    if given.export is not None:
        return _export(given, lang, reporter)
    if given.adopt or given.environment is not None:
        return _adopt(given, lang, reporter)
    answer = lock(LockRequest(project=given.project, flags=_flags(given), consent=given.yes), reporter)
    return Reply(answer, lambda: lines(answer, lang))


def _adopt(given: Given, lang: Lang, reporter: Reporter) -> Reply:
    from ..errors import UsageError
    from ..text import usage
    from ..text.lock import lines
    from ..verbs.adopt import AdoptRequest, adopt

    if not given.adopt:
        raise UsageError(usage.ENVIRONMENT_ALONE, next=usage.SEE_VERB_HELP.fill(verb=given.verb))
    request = AdoptRequest(project=given.project, flags=_flags(given), environment=given.environment, lang=lang)
    answer = adopt(request, reporter)
    return Reply(answer, lambda: lines(answer, lang))


def _export(given: Given, lang: Lang, reporter: Reporter) -> Reply:
    from ..errors import UsageError
    from ..text import usage
    from ..text.export import lines
    from ..verbs.export import ExportRequest, export

    if given.adopt or given.environment is not None:
        raise UsageError(usage.ADOPT_OR_EXPORT, next=usage.SEE_VERB_HELP.fill(verb=given.verb))
    request = ExportRequest(project=given.project, flags=_flags(given), folder=str(given.export or ""), lang=lang)
    answer = export(request, reporter)
    return Reply(answer, lambda: lines(answer, lang))


def _sync(given: Given, lang: Lang, reporter: Reporter) -> Reply:
    from ..text.sync import lines
    from ..verbs.sync import SyncRequest, sync

    store = given.offline if isinstance(given.offline, str) else None
    request = SyncRequest(project=given.project, flags=_flags(given), dry_run=given.dry_run, store=store)
    answer = sync(request, reporter)
    return Reply(answer, lambda: lines(answer, lang))


def _verify(given: Given, lang: Lang, reporter: Reporter) -> Reply:
    from ..text.verify import lines
    from ..verbs.verify import VerifyRequest, verify

    answer = verify(VerifyRequest(project=given.project, flags=_flags(given), command=given.command), reporter)
    return Reply(answer, lambda: lines(answer, lang, verbose=bool(given.verbose)))


def _drift(given: Given, lang: Lang, reporter: Reporter) -> Reply:
    from ..text.drift import lines
    from ..verbs.drift import DriftRequest, drift

    request = DriftRequest(host=given.host, project=given.project, flags=_flags(given), deep=given.deep, lang=lang)
    answer = drift(request, reporter)
    return Reply(answer, lambda: lines(answer, lang))


def _rollback(given: Given, lang: Lang, reporter: Reporter) -> Reply:
    from ..text.rollback import lines
    from ..verbs.rollback import RollbackRequest, rollback

    if given.system:
        return _rollback_system(given, lang, reporter)
    answer = rollback(RollbackRequest(project=given.project), reporter)
    return Reply(answer, lambda: lines(answer, lang))


def _rollback_system(given: Given, lang: Lang, reporter: Reporter) -> Reply:
    from ..text import rollback_system as text
    from ..text.fix import ASK
    from ..verbs.rollback_system import UndoQuestion, rollback_system
    from .consent import ask

    def asking(question: UndoQuestion) -> bool | None:
        return ask(lambda: text.question(question, lang), ASK, lang)

    answer = rollback_system(reporter, asking, consent=given.yes)
    return Reply(answer, lambda: text.lines(answer, lang))


def _up(given: Given, lang: Lang, reporter: Reporter) -> Reply:
    from ..text.up import lines
    from ..verbs.up import UpRequest, up

    request = UpRequest(
        host=given.host,
        project=given.project,
        flags=_flags(given),
        consent=given.yes,
        command=given.command,
        lang=lang,
    )
    answer = up(request, reporter)
    return Reply(answer, lambda: lines(answer, lang, verbose=bool(given.verbose)))


def _inspect(given: Given, lang: Lang, reporter: Reporter) -> Reply:
    from ..text.inspect import lines
    from ..verbs.inspect import InspectRequest, inspect
    from .output import columns

    request = InspectRequest(
        files=given.files, targets=given.targets, host=given.host, project=given.project, lang=lang
    )
    answer = inspect(request, reporter)
    width = columns(sys.stdout)
    return Reply(answer, lambda: lines(answer, lang, verbose=bool(given.verbose), width=width))


def _explain(given: Given, lang: Lang, reporter: Reporter) -> Reply:  # noqa: ARG001
    from ..verbs.explain import ExplainRequest, explain

    answer = explain(ExplainRequest(file=given.text, here=given.here, lang=lang), sys.stdin.buffer)
    if given.report:
        from ..text.explain_report import markdown

        return Reply(answer, markdown(answer, lang))
    from ..text.explain import lines

    return Reply(answer, lambda: lines(answer, lang, verbose=bool(given.verbose)))


def _catalogue(given: Given, lang: Lang, reporter: Reporter) -> Reply:  # noqa: ARG001
    from ..verbs.catalogue import catalogue, document

    answer = catalogue()
    if given.export == "patterns":
        return Reply(answer, "".join(f"{pattern}\n" for pattern in answer.patterns))
    return Reply(answer, document(answer))


def _causes(given: Given, lang: Lang, reporter: Reporter) -> Reply:
    from ..errors import UsageError
    from ..text import usage
    from ..text.causes import lines
    from ..verbs.causes import CausesRequest, causes

    if given.query and (given.query[0] != "show" or len(given.query) != 2 or given.export):
        raise UsageError(usage.BAD_CAUSES, next=usage.SHOW_ONE)
    if given.export:
        return _catalogue(given, lang, reporter)
    answer = causes(CausesRequest(id=given.query[1] if given.query else None, lang=lang))
    return Reply(answer, lambda: lines(answer, lang))


def _schema(given: Given, lang: Lang, reporter: Reporter) -> Reply | Schema:  # noqa: ARG001
    from ..verbs.schema import nouns, schema

    if given.noun is not None:
        return Schema(schema(given.noun))
    answer = nouns()
    return Reply(answer, "".join(f"{noun}\n" for noun in answer.nouns))


def _completion(given: Given, lang: Lang, reporter: Reporter) -> Reply:  # noqa: ARG001
    from ..verbs.completion import CompletionAnswer
    from .completion import script

    answer = CompletionAnswer(shell=given.shell, text=script(given.shell, lang))
    return Reply(answer, answer.text)


def _flags(given: Given) -> Flags:
    from ..project.settings import Flags

    return Flags(
        backend=given.backend,
        torch=given.torch,
        python=given.python,
        policy=given.policy,
        route=given.route,
        offline=None if given.offline is False else True,
    )


_CALLS: dict[str, Callable[[Given, Lang, Reporter], Reply | Schema]] = {
    "facts": _facts,
    "doctor": _doctor,
    "capture": _capture,
    "plan": _plan,
    "lock": _lock,
    "sync": _sync,
    "verify": _verify,
    "drift": _drift,
    "rollback": _rollback,
    "up": _up,
    "inspect": _inspect,
    "explain": _explain,
    "causes": _causes,
    "schema": _schema,
    "completion": _completion,
}
