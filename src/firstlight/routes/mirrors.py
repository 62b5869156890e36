"""Who answers for what a mirror serves, and whether it serves what its original does."""

from __future__ import annotations

from collections.abc import Sequence

from ..catalog.model import Page
from ..project.known import known_index
from ..project.urls import without_credentials
from .family import is_family
from .model import TIERS, Because, Tier, Wheel
from .reasons import mirror, other_file
from .work import Work


def tier_of(work: Work, wheels: Sequence[Wheel]) -> Tier:
    """The candidate's own; of a place that only whoever named it answers for, that of the publisher, if each file of
    the torch family has the very hash that it was published with."""
    if work.candidate.tier != "local" or work.candidate.torch is not None or work.candidate.provenance is not None:
        return work.candidate.tier
    from ..knowledge.files import known_file  # parses a table

    found = [known_file(wheel.filename) for wheel in _mine(wheels)]
    same = {one.tier for one, wheel in zip(found, _mine(wheels), strict=True) if one and one.sha256 == wheel.sha256}
    known = all(one and one.sha256 == wheel.sha256 for one, wheel in zip(found, _mine(wheels), strict=True))
    return max(same, key=TIERS.index) if known and same else "local"


def against(work: Work, wheels: Sequence[Wheel]) -> Because | None:
    """A mirror's file that is not the one which the original's own index states under its name. That is asked only
    where a policy depends on it; an original that cannot be reached says nothing."""
    original = known_index(work.candidate.source.name)
    if work.project.goal.policy != "production" or original is None or not _is_mirror(work):
        return None
    mine = [wheel for wheel in _mine(wheels) if wheel.sha256]
    work.catalog.warm((original.url, wheel.name) for wheel in mine)
    for wheel in mine:
        page = work.catalog.page(original.url, wheel.name)
        files = page.files if isinstance(page, Page) else ()
        said = next((one.sha256 for one in files if one.filename == wheel.filename), None)
        if said is not None and said != wheel.sha256:
            return other_file(wheel.filename, original.url)
    return None


def note(work: Work) -> tuple[Because, ...]:
    """That a route of a built-in source comes from somewhere else."""
    host = without_credentials(work.candidate.source.url).partition("://")[2].partition("/")[0]
    return (mirror(work.candidate.source.name, host or "file"),) if _is_mirror(work) else ()


def _is_mirror(work: Work) -> bool:
    original = known_index(work.candidate.source.name)
    return original is not None and original.url.rstrip("/") != work.candidate.source.url.rstrip("/")


def _mine(wheels: Sequence[Wheel]) -> list[Wheel]:
    return [wheel for wheel in wheels if wheel.name == "torch" or is_family(wheel.name)]
