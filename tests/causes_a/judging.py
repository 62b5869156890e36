"""One cause judged on facts."""

from __future__ import annotations

from firstlight.causes.catalogue import cause
from firstlight.causes.model import Clear, Found, Judgement, NotKnown
from firstlight.facts.model import Facts


def judged(id: str, facts: Facts) -> Judgement:
    """By the cause of that id."""
    one = cause(id)
    assert one
    assert one.judge
    return one.judge(facts)


def verdict(id: str, facts: Facts) -> str:
    """`found`, `clear` or `unknown`."""
    return {Found: "found", Clear: "clear", NotKnown: "unknown"}[type(judged(id, facts))]


def severity(id: str, facts: Facts) -> str | None:
    """How much what was found matters here."""
    found = judged(id, facts)
    assert isinstance(found, Found)
    one = cause(id)
    return found.severity or (one.severity if one else None)
