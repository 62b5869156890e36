"""Dates as kernels and apt's Release files write them, as seconds since the epoch. Standard library's parsers are
left out on purpose: they take longer to import than all dates here take to read."""

from __future__ import annotations

import re

MONTHS = {
    name: number
    for number, name in enumerate(
        ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"), start=1
    )
}
ZONES = {"UTC": 0, "GMT": 0, "Z": 0, "EST": -5, "EDT": -4, "PST": -8, "PDT": -7, "CET": 1, "CEST": 2, "JST": 9}
"""Hours east of UTC, of those names that hardly mean two zones (CST is China's and America's, IST three countries')."""

FIRST_BELIEVABLE = 946_684_800.0
"""2000-01-01. Builds made reproducible carry 0 or 1980."""

# `date`'s own form, as scripts/mkcompile_h writes it: `Tue Mar  3 10:00:00 UTC 2026`.
_DATE = r"([A-Z][a-z]{2}) {1,2}(\d{1,2}) (\d{2}):(\d{2}):(\d{2}) ([A-Z]{1,5}|[+-]\d{2,4}) (\d{4})\b"
# RFC 5322, of Release files and some distributions' kernels: `Sat, 11 Jul 2026 09:54:44 UTC`.
_MAIL = r"\b(\d{1,2}) ([A-Z][a-z]{2}) (\d{4}) (\d{2}):(\d{2}):(\d{2}) ([A-Z]{1,5}|[+-]\d{4})"
# Debian's kernels: `#1 SMP Debian 6.1.90-1 (2024-05-03)`.
_DAY = r"\((\d{4})-(\d{2})-(\d{2})\)"


def kernel_date(line: str) -> float | None:
    """Build time at the end of /proc/version; None where there is none, or none to be believed."""
    if found := re.search(_DATE, line):
        month, day, hour, minute, second, zone, year = found.groups()
        return _stamp(year, MONTHS.get(month), day, (hour, minute, second), zone)
    if "," in line and (when := mail_date(line)) is not None:
        return when
    if found := re.search(_DAY, line):
        return _stamp(found[1], int(found[2]), found[3], ("0", "0", "0"), "UTC")
    return None


def mail_date(line: str) -> float | None:
    """An RFC 5322 date, as in `Date:` of a Release file."""
    found = re.search(_MAIL, line)
    if not found:
        return None
    day, month, year, hour, minute, second, zone = found.groups()
    return _stamp(year, MONTHS.get(month), day, (hour, minute, second), zone)


def _stamp(year: str, month: int | None, day: str, clock: tuple[str, str, str], zone: str) -> float | None:
    offset = _seconds_east(zone)
    if month is None or offset is None or not 1 <= month <= 12 or not 1 <= int(day) <= 31:
        return None
    hour, minute, second = (int(part) for part in clock)
    seconds = _days(int(year), month, int(day)) * 86400 + hour * 3600 + minute * 60 + second - offset
    return float(seconds) if seconds >= FIRST_BELIEVABLE else None


def _seconds_east(zone: str) -> int | None:
    if zone[0] not in "+-":
        hours = ZONES.get(zone)
        return None if hours is None else hours * 3600
    size = int(zone[1:3]) * 3600 + int(zone[3:5] or 0) * 60
    return -size if zone[0] == "-" else size


def _days(year: int, month: int, day: int) -> int:
    """Days from 1970-01-01 in the Gregorian calendar; years counted from March, so that the leap day comes last."""
    shifted = year - (month <= 2)
    in_year = (153 * ((month + 9) % 12) + 2) // 5 + day - 1
    return 365 * shifted + shifted // 4 - shifted // 100 + shifted // 400 + in_year - 719468
