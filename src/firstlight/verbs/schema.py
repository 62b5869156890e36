"""JSON schemas (draft 2020-12) of all answers and of host.json."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from ..errors import UsageError
from ..words import Words
from .answer import Answer

DIALECT = "https://json-schema.org/draft/2020-12/schema"
_NO_SUCH = Words("there is no answer called `{noun}`", "没有名为 `{noun}` 的回答")
_LIST = Words("`firstlight schema` lists them", "`firstlight schema` 列出全部")


class SchemaAnswer(Answer, frozen=True, kw_only=True, tag="firstlight.schema/1"):
    """A JSON schema: `firstlight schema NOUN`."""

    dialect: str = msgspec.field(default=DIALECT, name="$schema")


class NounsAnswer(Answer, frozen=True, kw_only=True, tag="firstlight.nouns/1"):
    """All nouns that there is a schema of: `firstlight schema`."""

    nouns: tuple[str, ...]


def schema(noun: str) -> dict[str, object]:
    """The JSON schema of what `firstlight NOUN --json` prints (`host`: of a recorded host's host.json).

    Raises UsageError for a noun that there is none of.
    """
    if noun not in TYPES:
        raise UsageError(_NO_SUCH.fill(noun=noun), next=_LIST)
    body = msgspec.json.schema(TYPES[noun](), schema_hook=_any)
    return {"schema": "firstlight.schema/1", "$schema": DIALECT, **body}


def nouns() -> NounsAnswer:
    """What `schema` can be asked for."""
    return NounsAnswer(nouns=NOUNS)


def _any(kind: type) -> dict[str, object]:
    """`object` in our types stands for any JSON value."""
    if kind is object:
        return {"description": "any JSON value"}
    raise NotImplementedError(kind)  # how msgspec is told that we know no more than it does


def _facts() -> type:
    from .facts import FactsAnswer

    return FactsAnswer


def _doctor() -> type:
    from .doctor import DoctorAnswer

    return DoctorAnswer


def _plan() -> type:
    from .plan import PlanAnswer

    return PlanAnswer


def _matrix() -> type:
    from .matrix import MatrixAnswer

    return MatrixAnswer


def _lock() -> type:
    from .lock import LockAnswer

    return LockAnswer


def _sync() -> type:
    from .sync import SyncAnswer

    return SyncAnswer


def _export() -> type:
    from .export import ExportAnswer

    return ExportAnswer


def _verify() -> type:
    from .verify import VerifyAnswer

    return VerifyAnswer


def _drift() -> type:
    from .drift import DriftAnswer

    return DriftAnswer


def _rollback() -> type:
    from .rollback import RollbackAnswer

    return RollbackAnswer


def _rollback_system() -> type:
    from .rollback_system import RollbackSystemAnswer

    return RollbackSystemAnswer


def _up() -> type:
    from .up import UpAnswer

    return UpAnswer


def _capture() -> type:
    from .capture import CaptureAnswer

    return CaptureAnswer


def _inspect() -> type:
    from .inspect_answer import InspectAnswer

    return InspectAnswer


def _explain() -> type:
    from .explain import ExplainAnswer

    return ExplainAnswer


def _catalogue() -> type:
    from .catalogue import CatalogueAnswer

    return CatalogueAnswer


def _causes() -> type:
    from .causes import CausesAnswer

    return CausesAnswer


def _error() -> type:
    from .error import ErrorAnswer

    return ErrorAnswer


def _host() -> Any:  # noqa: ANN401 - any type that msgspec describes
    from ..host.manifest import Manifest

    return Manifest


def _completion() -> type:
    from .completion import CompletionAnswer

    return CompletionAnswer


TYPES: dict[str, Callable[[], Any]] = {
    "facts": _facts,
    "doctor": _doctor,
    "plan": _plan,
    "matrix": _matrix,
    "lock": _lock,
    "sync": _sync,
    "verify": _verify,
    "drift": _drift,
    "rollback": _rollback,
    "rollback-system": _rollback_system,
    "export": _export,
    "up": _up,
    "capture": _capture,
    "inspect": _inspect,
    "explain": _explain,
    "causes": _causes,
    "catalogue": _catalogue,
    "error": _error,
    "host": _host,
    "schema": lambda: SchemaAnswer,
    "nouns": lambda: NounsAnswer,
    "completion": _completion,
}
NOUNS = tuple(TYPES)
