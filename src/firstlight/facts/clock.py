"""The host's clock, and dates on the machine that must lie in the past."""

from __future__ import annotations

from collections.abc import Iterator

from ..host.model import Host, HostKind, Missing, Unread
from .dates import mail_date
from .model import Clock
from .reading import names_in, present
from .value import Fact, Unknown, unknown

LISTS = "/var/lib/apt/lists"
TIMESYNC = "/run/systemd/timesync"
RELEASES_AT_MOST = 64


def clock(host: Host, built: Fact[float]) -> Clock:
    """Now, the newest evidence with its source, and whether systemd-timesyncd has synchronised."""
    now = host.now()
    evidence = sorted(_evidence(host, built))
    newest = evidence[-1] if evidence else None
    nothing = Unknown("not-captured" if host.kind is HostKind.TREE else "absent", LISTS, "no dated file")
    return Clock(
        now=unknown(now) if isinstance(now, Unread) else now,
        newest_evidence=newest[0] if newest else nothing,
        evidence_source=newest[1] if newest else nothing,
        synchronised=_synchronised(host),
    )


def _evidence(host: Host, built: Fact[float]) -> Iterator[tuple[float, str]]:
    if not isinstance(built, Unknown):
        yield built, "/proc/version"
    names = [name for name in names_in(host, LISTS) if name.endswith(("InRelease", "_Release"))]
    for name in names[:RELEASES_AT_MOST]:
        data = host.read(f"{LISTS}/{name}", 4 << 20)
        when = None if isinstance(data, Unread) else _release_date(data)
        if when is not None:
            yield when, f"{LISTS}/{name}"
    status = None if host.kind is HostKind.TREE else host.info("/var/lib/dpkg/status")
    # The time of a file in a bare tree is that of its copy.
    if status and not isinstance(status, Unread) and status.mtime is not None:
        yield status.mtime, "/var/lib/dpkg/status"


def _release_date(data: bytes) -> float | None:
    """`Date:` stands before the long lists of hashes."""
    head = data[:8192]
    at = 0 if head.startswith(b"Date:") else head.find(b"\nDate:") + 1
    line = head[at : at + 80] if at or head.startswith(b"Date:") else b""
    return mail_date(line.partition(b"\n")[0].decode("ascii", "replace"))


def _synchronised(host: Host) -> Fact[bool]:
    """systemd-timesyncd's flag. Without its folder another service may keep the time: not known."""
    flag = present(host, f"{TIMESYNC}/synchronized")
    if flag is not False:
        return flag
    folder = present(host, TIMESYNC)
    return Unknown(Missing.ABSENT.value, TIMESYNC) if folder is not True else False
