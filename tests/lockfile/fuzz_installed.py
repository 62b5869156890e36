"""Mutates a valid environment and reads it; run under coverage by `installed_fuzz_test.py`.

Prints in how many rounds nothing differed, and in how many something did. An exception is a bug, and so is a file
outside that was opened.
"""

from __future__ import annotations

import os
import random
import shutil
import sys
import tempfile
from pathlib import Path

from msgspec.structs import replace

from firstlight.lockfile.difference import Difference
from firstlight.lockfile.drift_environment import InUse
from firstlight.lockfile.installed import lacking, read_environment, versions
from tests.lockfile.planted_environment import Planted

PIECES = [
    b",", b'"', b"\r", b"\n", b"\0", b"\xff", b"=", b"../", b"../../../../../../etc/passwd", b"/etc/passwd,,\n", b"//",
    b"sha256=", b"sha512=" + b"A" * 86, b"md5=abc", b",99999999999999999999", b",-1", b"a,b,c,d\n", "é,,\n".encode(),
    b"x" * 140_000 + b",,\n", b'"a\nb",,\n', b".,,\n", b"..,,\n", b"./torch/__init__.py,,\n", b"\n\n", b"Name: x\n",
    b"Version:\n", b"\x1b[31m", b"__pycache__/x.pyc,,\n",
]  # fmt: skip


def mutate(data: bytes, chance: random.Random) -> bytes:
    """One structural change: a piece in, a line out, doubled or moved, cut, a sign swapped, or nothing left."""
    lines = data.splitlines(keepends=True)
    place, at = chance.randrange(len(lines) or 1), chance.randrange(len(data) + 1)
    return chance.choice([
        data[:at] + chance.choice(PIECES) + data[at:],
        data + chance.choice(PIECES),
        b"".join(lines[:place] + lines[place + 1 :]),
        b"".join([*lines, *lines[place:]]),
        b"".join(chance.sample(lines, len(lines))),
        data[:at],
        data.replace(chance.choice([b"=", b",", b"/", b"2", b"a"]), chance.choice(PIECES), 1),
        b"",
    ])  # fmt: skip


def damage(planted: Planted, chance: random.Random) -> None:
    """One change to the files themselves."""
    paths = sorted(path for path in planted.root.rglob("*") if path.is_symlink() or path.exists())
    path = chance.choice(paths)
    folder = path if path.is_dir() and not path.is_symlink() else path.parent
    change = chance.randrange(8)
    if change < 4:
        remove(path)
    if change == 1:
        path.symlink_to(chance.choice(["/etc", "/nowhere", ".", path.name, "../" * 9]))
    elif change == 2:
        os.mkfifo(path)
    elif change == 3:
        path.mkdir()
    elif change == 4:
        (folder / "x.dist-info").symlink_to("/etc")
    elif change == 5:
        (folder / "y-1.egg-info").mkdir(exist_ok=True)
    elif change == 6:
        (folder / os.fsdecode(b"\xff\n.py")).write_text("")
    elif change == 7 and not path.is_symlink():
        path.chmod(0)


def in_use(planted: Planted, chance: random.Random) -> InUse:
    """As it was made, mostly; else another lock's, one that is not ours, or none."""
    made = planted.in_use()
    others = [
        InUse(folder=made.folder, shown="x"), replace(made, id="x"), replace(made, finished=1.0),
        InUse(folder=None, shown="x"), InUse(folder=None, shown=None),
    ]  # fmt: skip
    return chance.choice(others) if chance.random() < 0.15 else made


def remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink()


def one(folder: Path, chance: random.Random, watch: Watch) -> list[Difference]:
    """Lay out, change once or twice, read every way."""
    planted = Planted(folder)
    texts = sorted([*planted.site.glob("*.dist-info/*"), planted.root / "pyvenv.cfg"])
    for _ in range(chance.randrange(3)):
        path = chance.choice(texts)
        if path.is_file() and not path.is_symlink():
            path.write_bytes(mutate(path.read_bytes(), chance))
    if chance.random() < 0.4:
        damage(planted, chance)
    watch.on = True
    try:
        found = planted.differences(in_use(planted, chance), deep=chance.random() < 0.5)
        here = read_environment(str(planted.root), "3.11")
        lacking(here)
        versions(here)
    finally:
        watch.on = False
    return found


class Watch:
    """Refuses to open what lies outside, also by way of a link."""

    def __init__(self, folder: str) -> None:
        self.folder = os.path.realpath(folder)
        self.on = False
        sys.addaudithook(self.hook)

    def hook(self, event: str, arguments: tuple[object, ...]) -> None:
        if self.on and event in ("open", "os.listdir", "os.scandir") and isinstance(arguments[0], str):
            told = real = arguments[0]
            flags = arguments[2] if event == "open" else 0
            # O_NOFOLLOW refuses a link at the end of a path, and follows those before it
            real = os.path.realpath(os.path.dirname(told) if isinstance(flags, int) and flags & os.O_NOFOLLOW else told)
            if told.startswith("/etc") or (told.startswith(self.folder) and not real.startswith(self.folder)):
                raise RuntimeError(f"{event} {told}")


def main(rounds: int) -> None:
    """Deterministic: the seed is fixed."""
    chance = random.Random(20261202)
    same = differing = 0
    with tempfile.TemporaryDirectory() as name:
        watch = Watch(name)
        for number in range(rounds):
            folder = Path(os.path.realpath(name)) / str(number)
            folder.mkdir()
            found = one(folder, chance, watch)
            for each in found:
                if not each.effect.en or not each.effect.zh or len(each.what) > 1000:
                    raise RuntimeError(each.what)
            same, differing = same + (not found), differing + bool(found)
            shutil.rmtree(folder, ignore_errors=True)
    sys.stdout.write(f"{same} {differing}\n")


if __name__ == "__main__":
    main(int(sys.argv[1]))
