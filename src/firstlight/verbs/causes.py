"""The catalogue of causes."""

from __future__ import annotations

import msgspec

from ..causes import catalogue
from ..causes.model import Cause, Known, Severity
from ..errors import UsageError
from ..words import Lang, Words
from .answer import Answer

_NO_SUCH = Words("there is no cause `{id}` in the catalogue", "目录中没有原因 `{id}`")
_LIST = Words("`firstlight causes` lists them all", "`firstlight causes` 列出全部")
_NEAR = Words(
    "did you mean `{near}`? `firstlight causes` lists them all", "是不是想用 `{near}`？`firstlight causes` 列出全部"
)


class CausesRequest(msgspec.Struct, frozen=True, kw_only=True):
    """All causes, or one by its id."""

    id: str | None = None
    lang: Lang = "en"


class CauseEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One cause, with no machine in view."""

    id: str
    family: str
    vendor: str
    severity: Severity
    means: str
    effect: str
    text: str
    """The remedy in general."""
    follows: tuple[str, ...]
    known: tuple[Known, ...]


class CausesAnswer(Answer, frozen=True, kw_only=True, tag="firstlight.causes/1"):
    """The causes, sorted by id."""

    causes: tuple[CauseEntry, ...]


def causes(request: CausesRequest) -> CausesAnswer:
    """All of the catalogue, or the one asked for. Raises UsageError for an id that is not in it."""
    every = sorted(catalogue(), key=lambda cause: cause.id)
    chosen = [cause for cause in every if request.id in (None, cause.id)]
    if not chosen:
        raise _unknown(str(request.id), [cause.id for cause in every])
    return CausesAnswer(causes=tuple(_entry(cause, request.lang) for cause in chosen))


def _unknown(wanted: str, ids: list[str]) -> UsageError:
    from difflib import get_close_matches

    near = get_close_matches(wanted, ids, 1)
    return UsageError(_NO_SUCH.fill(id=wanted), next=_NEAR.fill(near=near[0]) if near else _LIST)


def _entry(cause: Cause, lang: Lang) -> CauseEntry:
    return CauseEntry(
        id=cause.id,
        family=cause.family,
        vendor=cause.vendor,
        severity=cause.severity,
        means=cause.means.say(lang),
        effect=cause.effect.say(lang),
        text=cause.fix.say(lang),
        follows=cause.follows,
        known=cause.known,
    )
