"""Order of findings: roots first, consequences under them, the rest after."""

from __future__ import annotations

from firstlight.causes.diagnosis import arrange
from firstlight.causes.model import CLEAR, Cause, Evidence, Finding, Severity, Verdict
from firstlight.words import same


def made(id: str, family: str = "driver", follows: tuple[str, ...] = (), severity: Severity = "blocking") -> Cause:
    return Cause(
        id=id, family=family, vendor="both", severity=severity, title=same(id), means=same(id), effect=same(id),
        fix=same(id), follows=follows, judge=lambda _: CLEAR,
    )  # fmt: skip


def finding(cause: Cause, verdict: Verdict = "found", proofs: int = 1) -> Finding:
    return Finding(
        id=cause.id, verdict=verdict, severity=cause.severity, family=cause.family, title=cause.title,
        evidence=(Evidence("f", "v", "s"),) * proofs, effect=cause.effect, remedy=(), known=(), follows=None, needs=(),
    )  # fmt: skip


def order(*causes: Cause) -> list[tuple[str, str | None]]:
    return [(one.id, one.follows) for one in arrange(causes, [finding(one) for one in causes])]


def test_a_chain_leads_to_its_root() -> None:
    a, b, c = made("a", "kernel"), made("b", follows=("a",)), made("c", "permissions", follows=("b",))
    assert order(c, b, a) == [("a", None), ("b", "a"), ("c", "a")]


def test_a_parent_that_was_not_found_is_no_parent() -> None:
    assert order(made("b", follows=("a",))) == [("b", None)]


def test_the_first_parent_named_counts() -> None:
    x = made("x", follows=("b", "a"))
    assert dict(order(made("a"), made("b"), x))["x"] == "b"


def test_a_ring_has_one_root() -> None:
    a, b = made("a", follows=("b",)), made("b", follows=("a",))
    assert order(a, b) == [("a", None), ("b", "a")]


def test_a_tail_of_a_ring_has_the_rings_root() -> None:
    a, b, c = made("a", follows=("b",)), made("b", follows=("a",)), made("0", follows=("b",))
    assert dict(order(a, b, c)) == {"a": None, "b": "a", "0": "a"}


def test_blocking_before_degrading_before_advice_whatever_the_layer() -> None:
    causes = made("a", "hardware", severity="advice"), made("b", "kernel", severity="degrading"), made("c", "network")
    assert [id for id, _ in order(*causes)] == ["c", "b", "a"]


def test_layers_from_the_bottom_up() -> None:
    causes = made("a", "wheel"), made("b", "permissions"), made("c", "kernel"), made("d", "no-such-family")
    assert [id for id, _ in order(*causes)] == ["c", "b", "a", "d"]


def test_a_mild_root_of_a_blocking_consequence_counts_as_blocking() -> None:
    root = made("z", "kernel", severity="degrading")
    assert order(made("a", "wheel"), root, made("y", follows=("z",)))[:2] == [("z", None), ("y", "z")]


def test_more_proof_comes_first_in_a_layer() -> None:
    a, b = made("a"), made("b")
    assert [one.id for one in arrange((a, b), [finding(a), finding(b, proofs=3)])] == ["b", "a"]


def test_unknown_before_clear_after_found() -> None:
    a, b, c = made("a"), made("b"), made("c")
    findings = [finding(a, "clear"), finding(b, "unknown"), finding(c)]
    assert [one.id for one in arrange((a, b, c), findings)] == ["c", "b", "a"]
