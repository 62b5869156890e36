"""What a person reads of a plan, whole, and on terminals of any width."""

from __future__ import annotations

from io import StringIO

import msgspec
import pytest

from firstlight.cli.output import show
from firstlight.project.model import Goal
from firstlight.routes.model import Plan
from firstlight.text import plan as text
from firstlight.text.layout import cells
from firstlight.verbs.plan import about, answer
from firstlight.words import Lang, Words

from ..snapshots.driver import check, drawn
from . import plans

LANGS: tuple[Lang, ...] = ("en", "zh")
PLANS: dict[str, Plan] = {
    "many": plans.STRIX,
    "cpu": plans.CPU,
    "nothing": plans.NOTHING,
    "harmful": plans.HARMFUL,
    "unknown": plans.UNKNOWN,
    "cached": plans.CACHED,
}


def said(plan: Plan, lang: Lang, goal: Goal | None = None, *, width: int = 80, every: bool = False) -> str:
    """The table on a terminal of so many columns."""
    stream = StringIO()
    show(text.lines(answer(plan, lang, goal), lang, every=every, width=width), stream, width)
    return stream.getvalue()


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("name", PLANS)
def test_the_table(name: str, lang: Lang) -> None:
    check(f"plan-{name}-{lang}", said(PLANS[name], lang))


@pytest.mark.parametrize("lang", LANGS)
def test_all_of_it(lang: Lang) -> None:
    check(f"plan-all-{lang}", said(plans.STRIX, lang, every=True))
    check(f"plan-verbose-{lang}", drawn(text.lines(answer(plans.STRIX, lang), lang, verbose=True)))


@pytest.mark.parametrize("lang", LANGS)
def test_wide_and_narrow(lang: Lang) -> None:
    check(f"plan-narrow-{lang}", said(plans.STRIX, lang, width=44))
    wide = said(plans.STRIX, lang, width=200)
    assert "0.29.0+rocm10.1.0" in wide
    assert "3.8.0+rocm10.1.0" in wide
    assert "Python" in wide.splitlines()[3]


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize(
    ("plan", "name"),
    [
        (plans.STRIX, "amd-rocm10"),
        (plans.STRIX, "pytorch-rocm7.14"),
        (plans.STRIX, "strix-builds"),
        (plans.STRIX, "pytorch-rocm7.1"),
        (plans.NOTHING, "pytorch-cu126"),
        (plans.HARMFUL, "system-rocm"),
        (plans.CACHED, "pytorch-cpu"),
    ],
    ids=["chosen", "second", "declared", "unknown", "blocked", "harmful", "cached"],
)
def test_why(plan: Plan, name: str, lang: Lang, request: pytest.FixtureRequest) -> None:
    told = about(answer(plan, lang), name)
    kind = request.node.callspec.id.split("-")[0]
    check(f"plan-why-{kind}-{lang}", drawn(text.lines(told, lang)))


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("name", PLANS)
@pytest.mark.parametrize("every", [False, True])
def test_no_row_is_wider_than_the_terminal(name: str, lang: Lang, every: bool) -> None:  # noqa: FBT001
    for width in range(30, 200, 7):
        for row in said(PLANS[name], lang, width=width, every=every).splitlines():
            longest = max(map(cells, row.split()), default=0)
            assert cells(row) <= width or longest > width - 6, (width, row)


def test_what_works_comes_first_then_what_harms() -> None:
    harmful = msgspec.structs.replace(plans.HARMFUL.routes[0], name="harmful")
    mixed = msgspec.structs.replace(plans.STRIX, routes=(*plans.STRIX.routes, harmful), chosen="strix-builds")
    rows = said(mixed, "en", every=True).splitlines()[4:]
    verdicts = ("works", "harmful", "unknown", "blocked")
    words = [word for row in rows for word in row.split()[:1] if word in verdicts]
    assert words == ["works"] * 3 + ["harmful", "unknown"] + ["blocked"] * 5
    assert next(row for row in rows if row.startswith("works")).split()[1] == "strix-builds"


def test_other_backends_are_only_counted() -> None:
    rows = said(plans.STRIX, "en")
    assert "3 more are for other backends: `firstlight plan --all`" in rows
    assert "pytorch-cu130" not in rows
    assert "pytorch-cu130" in said(plans.STRIX, "en", every=True)
    assert "1 more is for another backend" in said(plans.CPU, "en")


def test_a_route_that_was_named_is_shown_whatever_it_is_for() -> None:
    none = msgspec.structs.replace(plans.STRIX, chosen=None, why=Words("no route works here", "没有可用的路线"))
    rows = said(none, "en", Goal(route="pytorch-cu130"), width=200)
    assert "blocked  pytorch-cu130" in rows
    assert "restricted to pytorch-cu130; without that these work: amd-rocm10, pytorch-rocm7.14, strix-builds" in rows


def test_a_driver_that_the_wanted_backend_needs_is_no_matter_of_another_backend() -> None:
    cuda = msgspec.structs.replace(plans.CPU, backend="cuda", chosen=None)
    assert "blocked  pypi-cuda" in said(cuda, "en")


def test_a_policy_says_what_it_refuses() -> None:
    check("plan-production-en", said(plans.STRIX, "en", plans.PRODUCTION))
    check("plan-production-zh", said(plans.STRIX, "zh", plans.PRODUCTION))


def test_reasons_are_short_where_something_works_and_whole_where_nothing_does() -> None:
    assert "use another release" not in said(plans.STRIX, "en", width=300)
    assert "install a newer driver" in said(plans.NOTHING, "en", width=300)


def test_the_same_remedy_is_said_once() -> None:
    again = [msgspec.structs.replace(plans.NOTHING.routes[1], name=f"pytorch-cu{n}") for n in range(118, 122)]
    many = said(msgspec.structs.replace(plans.NOTHING, routes=tuple(again)), "en", width=300)
    assert many.count("here is 470.256") == 4
    assert many.count("install a newer driver") == 1


def test_nothing_is_offered() -> None:
    empty = Plan(backend="cpu", routes=(), chosen=None, why=Words("nothing offers a torch", "没有来源提供 torch"))
    assert said(empty, "en") == "no route is chosen\n  nothing offers a torch\n"


def test_rich_is_not_needed_to_say_it() -> None:
    import subprocess
    import sys

    program = "import sys; import firstlight.text.plan; sys.exit('rich' in sys.modules or 'urllib3' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
