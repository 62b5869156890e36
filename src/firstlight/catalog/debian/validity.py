"""What apt says of a Release that is rightly signed: its dates, its hashes, whether it is the suite that was asked for
(apt-pkg/deb/debmetaindex.cc, Load; apt-pkg/acquire-item.cc, VerifyVendor)."""

from __future__ import annotations

from collections.abc import Iterator

from ...facts.dates import mail_date
from ...words import Words
from .apt_conf import truth
from .key_problems import day
from .model import ReleaseInfo
from .trust_model import Effect, Problem, ProblemKind

MAX_FUTURE = 10.0
"""Acquire::Max-FutureTime, seconds."""


class Options:
    """Those of one source, over those of apt.conf."""

    def __init__(self, own: dict[str, str], settings: dict[str, list[str]], label: str) -> None:
        self._own, self._settings, self._label = own, settings, label.lower()

    def flag(self, own: str, setting: str, *, default: bool) -> bool:
        """yes or no: the source's word before apt.conf's."""
        said = truth(self._own.get(own, ""))
        if said is None:
            said = truth(self._last(setting))
        return default if said is None else said

    def seconds(self, own: str, setting: str, default: float) -> float:
        """A number, also for one label alone (`Acquire::Max-ValidTime::Debian`)."""
        for text in (self._own.get(own, ""), self._last(f"{setting}::{self._label}"), self._last(setting)):
            if text.strip().isascii() and text.strip().isdigit():
                return float(text.strip()[:12])
        return default

    def _last(self, name: str) -> str:
        return (self._settings.get(name) or [""])[-1]


def problems(release: ReleaseInfo, suite: str, options: Options, now: float, *, has_hashes: bool) -> Iterator[Problem]:
    """The worst first; `source` is left empty."""
    weak = options.flag("allow-weak", "acquire::allowweakrepositories", default=False)
    if not has_hashes and not weak:
        text = Words(
            "its Release names its indices by no hash that apt takes (SHA-256, SHA-512)",
            "其 Release 没有用 apt 接受的哈希（SHA-256、SHA-512）列出索引",
        )
        yield _problem("weak-hashes", "use", "no SHA256 or SHA512", text)
    yield from _dates(release, options, now)
    if suite and not suite.endswith("/") and not _is_asked(release, suite):
        said = " ".join(part for part in (release.suite, release.codename) if part)
        text = Words(f"what lies at {suite} calls itself {said}", f"{suite} 处的内容自称 {said}")
        yield _problem("other-suite", "risk", f"{suite}: {said}", text)


def _dates(release: ReleaseInfo, options: Options, now: float) -> Iterator[Problem]:
    checks = options.flag("check-date", "acquire::check-date", default=True)
    made, until = mail_date(release.date), _until(release, options)
    slack = options.seconds("date-max-future", "acquire::max-futuretime", MAX_FUTURE)
    if made is not None and made > now + slack:
        text = Words(
            f"its Release is of {day(made)}, which by this machine's clock lies in the future",
            f"其 Release 的日期为 {day(made)}，按本机时钟尚在未来",
        )
        yield _problem("release-from-future", "update" if checks else "risk", release.date, text, made)
    if until is not None and until <= now:
        checks = checks and options.flag("check-valid-until", "acquire::check-valid-until", default=True)
        text = Words(f"its Release was valid until {day(until)}", f"其 Release 仅在 {day(until)} 之前有效")
        said = release.valid_until or day(until)
        yield _problem("release-expired", "update" if checks else "risk", said, text, until)


def _until(release: ReleaseInfo, options: Options) -> float | None:
    """Valid-Until, narrowed or widened as apt is told (Max-ValidTime, Min-ValidTime: seconds from Date on)."""
    until, made = mail_date(release.valid_until), mail_date(release.date)
    most = options.seconds("valid-until-max", "acquire::max-validtime", 0.0)
    least = options.seconds("valid-until-min", "acquire::min-validtime", 0.0)
    if made is not None and most and (until is None or until > made + most):
        until = made + most
    if made is not None and least and until is not None and until < made + least:
        until = made + least
    return until


def _is_asked(release: ReleaseInfo, suite: str) -> bool:
    """As pkgAcqMetaBase::VerifyVendor: by suite or codename; `stable/updates` counts as `stable`."""
    plain = suite.removesuffix("/updates")
    plain = "experimental" if plain == "../project/experimental" else plain
    names = {release.suite, release.codename, release.suite.removesuffix("/updates")}
    return plain in names or not any(names)


def _problem(kind: ProblemKind, effect: Effect, evidence: str, text: Words, since: float | None = None) -> Problem:
    return Problem(kind=kind, effect=effect, text=text, evidence=evidence[:200], source="", since=since)
