"""How old a build is."""

from __future__ import annotations

import datetime as dt


def released(version: str) -> str | None:
    """ISO date before which a build cannot have been published, for indices that state no upload times: that of its
    torch or, of AMD's own, that of the ROCm release that it names, whichever is later. None: not known."""
    from ..knowledge.releases import rocm, torch

    release, _, local = version.partition("+")
    number = local.removeprefix("rocm") if local.startswith("rocm") else None
    dates = [one.date for one in torch() if one.version == release and one.date]
    return max([*dates, *(one.date for one in rocm() if one.version == number and one.date)]) if dates else None


def age_days(uploaded: str | None, now: object) -> int | None:
    """Whole days since the index published it; None if either date is unknown."""
    if uploaded is None or not isinstance(now, (int, float)):
        return None
    try:
        day = dt.date.fromisoformat(uploaded)
        today = dt.datetime.fromtimestamp(now, tz=dt.timezone.utc).date()
    except (ValueError, OverflowError, OSError):
        return None
    return max(0, (today - day).days)
