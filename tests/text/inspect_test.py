"""What a person reads of files and targets, whole, and on terminals of any width."""

from __future__ import annotations

from io import StringIO

import msgspec
import pytest

from firstlight.binaries.answer import Asked, answer
from firstlight.binaries.loading import Machine, loading
from firstlight.binaries.model import Fault, Report
from firstlight.cli.output import show
from firstlight.text.inspect import lines
from firstlight.text.layout import cells
from firstlight.verbs.inspect_answer import InspectAnswer, UnjudgedAnswer, answered
from firstlight.words import Lang

from ..binaries import made
from ..snapshots.driver import check

LANGS: tuple[Lang, ...] = ("en", "zh")
OLD = Machine(arch="x86_64", glibc="2.27", glibcxx="3.4.19", pythons=("3.12",), driver="570.26")
CUT = msgspec.structs.replace(
    made.DEB,
    faults=tuple(Fault(kind="damaged", where=f"usr/lib/a{at}.so", detail="its CRC differs") for at in range(12)),
)


def told(
    reports: tuple[Report, ...],
    targets: tuple[str, ...],
    lang: Lang,
    machine: Machine | None = None,
    host: str | None = None,
) -> InspectAnswer:
    driver = machine.driver if machine else None
    judged = [answer(reports, Asked(target=one, driver=driver)) for one in targets]
    return answered(reports, judged, loading(reports, machine), lang, host=host)


def cuda(lang: Lang) -> InspectAnswer:
    return told((made.TORCH_CUDA, made.CUBLAS), ("sm_80", "sm_121", "sm_70"), lang)


def rocm(lang: Lang) -> InspectAnswer:
    return told((made.TORCH_ROCM,), ("gfx1100", "gfx1103", "sm_90"), lang)


def split(lang: Lang) -> InspectAnswer:
    return told((made.TORCH_AMD,), ("gfx1151",), lang)


def host(lang: Lang) -> InspectAnswer:
    return told((made.TORCH_CUDA, made.DEB), ("sm_121",), lang, OLD, "box")


def damaged(lang: Lang) -> InspectAnswer:
    return told((made.DAMAGED, CUT), ("gfx1100",), lang)


def plain(lang: Lang) -> InspectAnswer:
    return told((made.CPU,), (), lang, host="box")


def unjudged(lang: Lang) -> InspectAnswer:
    found = told((made.DEB,), (), lang, host="box")
    why = {"en": "its target is not known (device-id-not-known)", "zh": "其 target 未知（device-id-not-known）"}[lang]
    return msgspec.structs.replace(found, unjudged=(UnjudgedAnswer(gpu="Radeon", why=why),))


MADE = {
    "cuda": cuda, "rocm": rocm, "split": split, "host": host, "damaged": damaged, "plain": plain, "unjudged": unjudged,
}  # fmt: skip


def drawn(found: InspectAnswer, lang: Lang, *, width: int = 80, verbose: bool = False) -> str:
    stream = StringIO()
    show(lines(found, lang, verbose=verbose, width=width), stream, width)
    return stream.getvalue()


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("name", MADE)
def test_whole(name: str, lang: Lang) -> None:
    check(f"inspect-{name}-{lang}", drawn(MADE[name](lang), lang))


@pytest.mark.parametrize("lang", LANGS)
def test_more_of_it(lang: Lang) -> None:
    check(f"inspect-verbose-{lang}", drawn(rocm(lang), lang, verbose=True))


@pytest.mark.parametrize("lang", LANGS)
def test_narrow(lang: Lang) -> None:
    check(f"inspect-narrow-{lang}", drawn(rocm(lang), lang, width=44))


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("name", MADE)
def test_no_row_is_wider_than_the_terminal(name: str, lang: Lang) -> None:
    for width in (30, 44, 60, 80, 120, 200):
        for row in drawn(MADE[name](lang), lang, width=width).splitlines():
            longest = max(map(cells, row.split()), default=0)
            assert cells(row) <= width or longest > width - 8, (width, row)


def test_hostile_names_stay_text() -> None:
    odd = made.elf("torch/{0}\x1b[2J\n{en}.so", "gfx1100", libraries=("lib{x}.so",))
    report = Report(path="a{b}.whl", kind="wheel", pieces=(odd, odd))
    text = drawn(told((report,), ("gfx1151", "gfx1100"), "en"), "en")
    assert "\x1b" not in text
    assert "{0}" in text
