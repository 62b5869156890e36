"""The .deb files of versions that a change replaces: without them it could not be undone."""

from __future__ import annotations

import os
from collections.abc import Sequence

from ...causes.changes import PackageChange
from ...errors import ConsentNeeded
from ...words import Words
from .dpkg_status import Key
from .files import copy_out
from .ground import Ground
from .names import ARCHITECTURE, PACKAGE, VERSION, fits

CACHE = "/var/cache/apt/archives"


def replaced(changes: Sequence[PackageChange]) -> list[PackageChange]:
    """Those that are installed before, and not any more, or in another version, after."""
    return [one for one in changes if one.before is not None]


def filename(name: str, version: str, architecture: str) -> str:
    """As apt names it (pkgAcqArchive: QuoteString of the version)."""
    return f"{name}_{version.replace(':', '%3a')}_{architecture}.deb"


def unavailable(ground: Ground, changes: Sequence[PackageChange]) -> list[PackageChange]:
    """Those whose present version neither lies in apt's cache nor is offered by any index."""
    wanted = [one for one in replaced(changes) if not ground.exists(_cached(one))]
    if not wanted or _offered(ground, wanted):
        return []
    return [one for one in wanted if not _offered(ground, [one])]


def _offered(ground: Ground, changes: Sequence[PackageChange]) -> bool:
    words = [_word(one) for one in changes]
    return ground.run(("apt-get", "-q", "download", "--print-uris", *words), timeout=300).code == 0


def keep_former(ground: Ground, changes: Sequence[PackageChange], folder: str, *, accept_loss: bool) -> None:
    """Put them into `folder/debs`, from apt's cache or from where they are offered. Raises ConsentNeeded where one
    cannot be had and `accept_loss` was not said."""
    place = os.path.join(folder, "debs")
    os.makedirs(place, mode=0o755, exist_ok=True)
    os.chmod(place, 0o755)  # noqa: S103 - apt's own user reads the packages in it
    missing = [one for one in replaced(changes) if not _from_cache(ground, one, place)]
    if missing and not _download(ground, missing, place):
        lost = [one for one in missing if not _download(ground, [one], place)]
        if lost and not accept_loss:
            raise cannot_undo(lost)


def deb_of(ground: Ground, folder: str, key: Key, version: str) -> str | None:
    """Path, on the machine, of the kept file of a package that was installed in that version."""
    path = os.path.join(folder, "debs", filename(key[0], version, key[1]))
    return ground.inside(path) if os.path.isfile(path) else None


def cannot_undo(lost: Sequence[PackageChange]) -> ConsentNeeded:
    """Said before anything begins."""
    names = ", ".join(f"{one.name} {one.before}" for one in lost[:8]) + (" …" if len(lost) > 8 else "")
    return ConsentNeeded(
        Words(f"this change could not be undone: {names} is offered nowhere any more",
              f"此更改将无法撤销：{names} 已无处可得"),
        why=Words("nothing was changed", "没有改动任何东西"),
        next=Words("to make it all the same, consent with `--yes`", "若仍要执行，请用 `--yes` 同意"),
    )  # fmt: skip


def _cached(change: PackageChange) -> str:
    return f"{CACHE}/{filename(change.name, change.before or '', change.architecture)}"


def _from_cache(ground: Ground, change: PackageChange, place: str) -> bool:
    """What lies there under the name may be another package: its own fields decide."""
    path = _cached(change)
    if not ground.exists(path) or not _is(ground, path, change):
        return False
    copy_out(ground, path, os.path.join(place, os.path.basename(path)))
    os.chmod(os.path.join(place, os.path.basename(path)), 0o644)
    return True


def _is(ground: Ground, path: str, change: PackageChange) -> bool:
    form = "--showformat=${Package} ${Version} ${Architecture}"
    outcome = ground.run(("dpkg-deb", "--show", form, path), timeout=120)
    return outcome.code == 0 and outcome.stdout.split() == [change.name, change.before, change.architecture]


def _download(ground: Ground, changes: Sequence[PackageChange], place: str) -> bool:
    words = [_word(one) for one in changes]
    lock = ("-o", "DPkg::Lock::Timeout=600")
    outcome = ground.run(("apt-get", "-q", *lock, "download", *words), folder=ground.inside(place))
    return outcome.code == 0


def _word(change: PackageChange) -> str:
    name = fits(PACKAGE, change.name, "package")
    architecture = fits(ARCHITECTURE, change.architecture, "architecture")
    full = name if architecture == "all" else f"{name}:{architecture}"
    return f"{full}={fits(VERSION, change.before or '', 'package version')}"
