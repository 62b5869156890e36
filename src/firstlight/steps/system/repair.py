"""Bring dpkg back to whole packages after it was killed, or after a maintainer script failed."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterable

from ...progress import Reporter
from ...words import Words
from .apt import KEY
from .dpkg_status import Entry, halves, pending, read_status
from .ground import Ground

LOCKS = ("/var/lib/dpkg/lock-frontend", "/var/lib/dpkg/lock")
FORCE = ("--force-confdef", "--force-confold")
WAIT_SECONDS = 600.0


def wait_for_dpkg(ground: Ground, tell: Reporter, wait: float = WAIT_SECONDS) -> None:
    """Until no other package manager runs: what a killed run started may live on."""
    until = time.monotonic() + wait
    while any(_is_held(ground.at(path)) for path in LOCKS) and time.monotonic() < until:
        tell.detail(KEY, Words("waiting for another package manager to end", "正在等待另一个包管理器结束"))
        time.sleep(0.2)


def _is_held(path: str) -> bool:
    """fcntl(2) locks, as dpkg takes them."""
    try:
        handle = os.open(path, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
    except OSError:
        return False
    try:
        fcntl.lockf(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(handle)
    return False


def repair(ground: Ground, tell: Reporter) -> bool:
    """`dpkg --configure -a` where something is half done. Whether everything is whole now; nothing is raised."""
    wait_for_dpkg(ground, tell)
    if not unclean(ground):
        return True
    ground.run(("dpkg", *FORCE, "--configure", "-a"), hold=False)
    return not unclean(ground)


def merge(ground: Ground, tell: Reporter) -> None:
    """Bring dpkg's record up to date after it was killed, without running any package's scripts: apt-get refuses to
    work on one that is not. Selecting nothing does it (lib/dpkg/dbmodify.c, modstatdb_open)."""
    wait_for_dpkg(ground, tell)
    if pending(ground):
        ground.run(("dpkg", "--set-selections"), hold=False)


def unpack_again(ground: Ground, entries: Iterable[Entry], offered: str) -> None:
    """What was cut off while it was unpacked is unpacked anew, from the files in the folder `offered`."""
    files = [path for one in entries if (path := _deb(offered, one.name))]
    if files:
        ground.run(("dpkg", *FORCE, "--force-depends", "--unpack", *map(ground.inside, files)), hold=False)


def unclean(ground: Ground) -> bool:
    """Whether something is half done; `apt-get` will not run then."""
    return bool(pending(ground) or halves(read_status(ground).values()))


def _deb(folder: str, name: str) -> str | None:
    start = f"{name}_"
    try:
        found = [one for one in os.listdir(folder) if one.startswith(start) and one.endswith(".deb")]
    except OSError:
        return None
    return os.path.join(folder, found[0]) if found else None
