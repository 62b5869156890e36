"""From names of packages to the exact set that apt makes of them now."""

from __future__ import annotations

from ...causes.changes import Install, PackageChange, Packages
from ...errors import NoError
from ...words import Words
from . import apt
from .dpkg_status import Entry, Key, read_marks, read_status
from .failed import said
from .ground import Ground
from .names import REQUEST, SUITE, all_fit, fits


def exact(ground: Ground, request: Install) -> Packages:
    """Ask apt-get -s what it would do, its Recommends as configured. Raises UnreadableInput for words that are no
    packages, NoError with apt's own words where it can do nothing."""
    words = all_fit(REQUEST, request.wanted, "package request")
    if not words or ground.find("apt-get") is None:
        raise NoError(
            Words("there is no apt-get here, or nothing is asked of it", "这里没有 apt-get，或没有指定软件包")
        )
    status = read_status(ground)
    words = tuple(word for word in words if not word.endswith("-") or _is_there(status, word))
    release = ("-t", fits(SUITE, request.release, "suite")) if request.release else ()
    outcome = ground.run(apt.command("install", words, "-s", *release), timeout=600)
    if outcome.code != 0:
        raise said(outcome)
    native = apt.native_architecture(ground)
    held = {one.name for one in status.values() if one.want == "hold"}
    wanted = {word.rstrip("+-").partition("=")[0].partition("/")[0].partition(":")[0] for word in words}
    known = {name for name, _ in read_marks(ground)}
    found = []
    for name, architecture, before, after in sorted(apt.changes_of(outcome, native), key=str):
        if before == after:
            continue
        own = (
            architecture
            if after
            else next((key[1] for key in status if key[0] == name and _fits(key[1], architecture)), architecture)
        )
        auto = name in known if before else name not in wanted
        found.append(
            PackageChange(name=name, architecture=own, before=before, after=after, auto=auto, held=name in held)
        )
    return Packages(changes=tuple(found))


def _is_there(status: dict[Key, Entry], word: str) -> bool:
    """apt knows no name of a package that neither is installed nor offered: it need not be removed."""
    return any(word == f"{one.name}-" for one in status.values()) or any(one.name == word for one in status.values())


def _fits(own: str, told: str) -> bool:
    return own in (told, "all")
