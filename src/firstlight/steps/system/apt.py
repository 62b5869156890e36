"""The real apt-get: asked first, then run with exactly what was agreed to."""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Iterable, Sequence

from ...causes.changes import PackageChange
from ...host.model import Outcome
from ...progress import Reporter
from ...words import same
from .ground import Ground
from .names import ARCHITECTURE, PACKAGE, VERSION, fits

KEY = "system"
LOCK_SECONDS = 600
SURE = (
    "-o", "Dpkg::Options::=--force-confdef", "-o", "Dpkg::Options::=--force-confold", "-o", "Dpkg::Use-Pty=0",
    "-o", f"DPkg::Lock::Timeout={LOCK_SECONDS}", "-o", "APT::Get::AllowUnauthenticated=false",
    "-o", "APT::Get::AutomaticRemove=false", "-o", "Acquire::AllowInsecureRepositories=false",
    "-o", "Acquire::AllowDowngradeToInsecureRepositories=false",
)  # fmt: skip
"""Nothing is asked, changed configuration files stay, another package manager is waited for, nothing without a
signature is taken, and nothing is removed but what is named."""
_LINE = re.compile(
    r"(?P<verb>Inst|Remv|Purg) (?P<name>[^\s:]+)(?::(?P<foreign>\S+))?(?: \[(?P<before>[^\]\s]+)\])?"
    r"(?: \((?P<after>\S+) .*\[(?P<architecture>[a-z0-9-]+)\]\))?"
)


def specification(change: PackageChange) -> str:
    """One word for apt-get install. Raises UnreadableInput."""
    name = fits(PACKAGE, change.name, "package")
    architecture = fits(ARCHITECTURE, change.architecture, "architecture")
    full = name if architecture == "all" else f"{name}:{architecture}"
    return f"{full}-" if change.after is None else f"{full}={fits(VERSION, change.after, 'package version')}"


def options(changes: Sequence[PackageChange], downgrades: bool) -> tuple[str, ...]:  # noqa: FBT001 - said by name
    """What this set needs to be allowed, and no more."""
    return (
        "--no-install-recommends",
        *(["--allow-downgrades"] if downgrades else []),
        *(["--allow-change-held-packages"] if any(one.held for one in changes) else []),
        *([] if any(one.after is None for one in changes) else ["--no-remove"]),
    )


def command(verb: str, words: Iterable[str], *more: str) -> tuple[str, ...]:
    """The whole vector."""
    return ("apt-get", "-y", "-q", *SURE, *more, verb, *words)


def simulate(ground: Ground, words: Sequence[str], *more: str) -> Outcome:
    """What apt would do: `changes_of` reads its answer."""
    return ground.run(command("install", words, "-s", *more), timeout=600)


def changes_of(outcome: Outcome, native: str) -> set[tuple[str, str, str | None, str | None]]:
    """(name, architecture, before, after) of each package that apt said it would change. The architecture of what is
    removed is the native one where apt names none; `all` is told so by what is installed."""
    found = set()
    for line in outcome.stdout.splitlines():
        match = _LINE.match(line)
        if match:
            architecture = match["architecture"] or match["foreign"] or native
            found.add(
                (match["name"], architecture, match["before"], match["after"] if match["verb"] == "Inst" else None)
            )
    return found


def native_architecture(ground: Ground) -> str:
    """Of dpkg."""
    return ground.run(("dpkg", "--print-architecture"), timeout=60).stdout.strip()


def follow(ground: Ground, argv: Sequence[str], tell: Reporter) -> Outcome:
    """Run apt-get to its end, telling how far it is (APT::Status-Fd, README.progress-reporting of apt)."""
    reading, writing = os.pipe()
    watcher = threading.Thread(target=_watch, args=(reading, tell), daemon=True)
    watcher.start()
    try:
        told = (*argv[:1], "-o", f"APT::Status-Fd={writing}", *argv[1:])
        outcome = ground.run(told, also=(writing,))
    finally:
        os.close(writing)
    watcher.join(0.5)  # a service that was started may hold it for ever
    return Outcome(argv=tuple(argv), code=outcome.code, stdout=outcome.stdout, stderr=outcome.stderr,
                   seconds=outcome.seconds)  # fmt: skip


def _watch(handle: int, tell: Reporter) -> None:
    with os.fdopen(handle, "r", errors="replace") as stream:
        for line in stream:
            words = line.rstrip().split(":", 3)
            if len(words) == 4 and words[0] in ("dlstatus", "pmstatus"):
                tell.detail(KEY, same(f"{words[2].partition('.')[0]}% {words[3]}"))


ARCHIVES = "/var/cache/apt/archives"
"""Where apt keeps what it fetched."""
