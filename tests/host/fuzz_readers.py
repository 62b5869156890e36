"""Structure-aware mutation of valid recordings: every outcome is a host that answers, or a clear error.

    python tests/host/fuzz_readers.py [SECONDS] [SEED]

The test runs a bounded number of rounds from a fixed seed; by hand it can run for longer.
"""

from __future__ import annotations

import contextlib
import gzip
import json
import os
import random
import shutil
import sys
import tarfile
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from unittest import mock

import zstandard

from firstlight.errors import UnreadableInput
from firstlight.host import archive, manifest, members, open_host
from firstlight.host.model import Host

from .recordings import document, folder, member, tar

VALUES: tuple[object, ...] = (
    None, True, -1, 0, 1 << 40, 1 << 70, 1e400, 0.5, "", "0660", "9", "file", "dir", "link", "absent", "/", "..", "/a",
    "\0", "x" * 5000, [], [0, 0], [-1, 2], ["a", "b"], {}, {"kind": "dir"}, {"missing": "denied"}, [[[]]],
)  # fmt: skip
WRONG: dict[str, tuple[object, ...]] = {
    "mode": ("9", 1 << 20, "0o660", "", "0" * 20, -1),
    "uid": (-1, 1 << 40),
    "gid": (-1, 1 << 40),
    "groups": ([-1], ["0"]),
    "size": (-1, 1 << 63),
    "rdev": ([-1, 0], [0, 1 << 40]),
    "link": ("", "x" * 5000, "a\0"),
    "names": ([".."], ["a/b"], [""], ["a", "\0"]),
    "kind": ("char", "block", "link", None),
    "total": (-1, "x"),
    "LANG": (1,),
    "true": (1,),
}
PATHS: dict[str, object] = {
    "/": {"kind": "dir", "mode": "0755", "uid": 0, "gid": 0},
    "/dev": {"kind": "dir", "mode": 493, "names": ["kfd", "dri"]},
    "/dev/kfd": {"kind": "char", "mode": "0660", "uid": 0, "gid": 992, "rdev": [234, 0]},
    "/etc/release": {"kind": "link", "link": "../etc/os-release"},
    "/etc/os-release": {"kind": "file", "size": 3, "mtime": 1.5},
    "/etc/denied": {"kind": "file", "missing": "denied", "detail": "EACCES"},
    "/opt": {"kind": "dir", "complete": False},
    "/opt/rocm": {"missing": "absent"},
    "/sys/loop": {"kind": "link", "link": "loop"},
    "/lie": {"kind": "file"},
    "/etc/hidden": {"missing": "absent"},
}
FIELDS = document(
    created=1e9,
    machine="x86_64",
    process={"uid": 0, "gid": 0, "groups": [0]},
    environment={"LANG": "C", "PATH": "/bin"},
    paths=PATHS,
    spaces={"/": {"total": 2, "free": 1}},
    commands=[{"argv": ["true"], "code": 0, "stdout": "", "stderr": ""}],
    left_out=[{"path": "/x", "why": "secret"}],
)
CONTENTS = {"/etc/os-release": b"ID=x", "/sys/a/b": b"1\n", "/lie/not": b"", "/etc/hidden": b"", "/lib/x": b"y" * 700}


def mutated(value: object, rng: random.Random) -> object:
    """The document with one place changed, at any depth."""
    if not isinstance(value, (dict, list)) or not value or rng.random() < 0.15:
        return rng.choice(VALUES)
    if isinstance(value, list):
        items = list(value)
        index = rng.randrange(len(items))
        items[index] = mutated(items[index], rng)
        return items
    fields = dict(value)
    name = rng.choice(list(fields))
    choice = rng.random()
    if choice < 0.1:
        del fields[name]
    elif choice < 0.25:
        fields[rng.choice(("/x/y", "..", "x", "/a/../b", "/" + "d/" * 200 + "d", "\ud800", "mode", "/dev/new"))] = (
            fields.pop(name)
        )
    elif choice < 0.6 and WRONG.keys() & fields.keys():
        name = rng.choice(sorted(WRONG.keys() & fields.keys()))
        fields[name] = rng.choice(WRONG[name])
    else:
        fields[name] = mutated(fields[name], rng)
    return fields


def text(fields: object, rng: random.Random) -> bytes:
    """The document as JSON, sometimes damaged as text."""
    data = json.dumps(fields).encode()
    choice = rng.random()
    if choice < 0.06:
        return data[: rng.randrange(len(data))]
    if choice < 0.12:
        at = rng.randrange(len(data))
        return data[:at] + rng.randbytes(1) + data[at + 1 :]
    return data.replace(b'"CUT"', b"[" * 5000) if choice < 0.14 else data


def parts(text_: bytes, rng: random.Random) -> list[tuple[tarfile.TarInfo, bytes]]:
    """Members of an archive, some of them odd."""
    found = [member("host.json", text_), member("root", type=tarfile.DIRTYPE)]
    found += [member(f"root{path}", data) for path, data in CONTENTS.items()]
    found.append(member("root/etc/link", type=tarfile.SYMTYPE, linkname="os-release"))
    for _ in range(rng.randrange(3)):
        name = rng.choice(
            ("root/n", "./root/m", "root//etc", "../x", "/abs", "root/lib/x/y", "host.json", "root/" + "q" * 300)
        )
        kind = rng.choice(
            (tarfile.REGTYPE, tarfile.DIRTYPE, tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, b"S", b"x")
        )
        found.append(member(name, b"", type=kind, linkname=rng.choice(("a", "", "/etc", "../.."))))
    if rng.random() < 0.2:
        found = [_prefixed(info, data) for info, data in found]
    if rng.random() < 0.15:
        rng.shuffle(found)
    if rng.random() < 0.1:
        found.pop(rng.randrange(len(found)))
    return found


def _prefixed(info: tarfile.TarInfo, data: bytes) -> tuple[tarfile.TarInfo, bytes]:
    info.name = f"cap/{info.name}"
    return info, data


def damaged(data: bytes, rng: random.Random) -> bytes:
    """A tar with bytes of its headers changed, checksums sometimes mended."""
    changed = bytearray(data)
    for _ in range(rng.randrange(3)):
        block = 512 * rng.randrange(len(data) // 512)
        at = block + rng.choice((0, 100, 108, 116, 124, 125, 135, 136, 148, 156, 157, 257, 345, rng.randrange(512)))
        changed[at] = rng.choice((0, 0x80, 0xFF, 0x37, 0x2D, rng.randrange(256)))
        if rng.random() < 0.8:
            header = changed[block : block + 512]
            header[148:156] = b" " * 8
            changed[block + 148 : block + 156] = b"%06o\0 " % sum(header)
    if rng.random() < 0.08:
        del changed[rng.randrange(len(changed)) :]
    return bytes(changed)


def packed(data: bytes, rng: random.Random) -> bytes:
    """Compressed, and sometimes damaged after that."""
    pack = rng.choice((zstandard.compress, lambda plain: gzip.compress(plain, 1), lambda plain: plain))
    result: bytes = pack(data)
    if rng.random() < 0.1:
        at = rng.randrange(len(result))
        result = result[:at] + rng.randbytes(2) + result[at + 2 :]
    return result[: rng.randrange(len(result))] if rng.random() < 0.05 else result


def question(host: Host) -> None:
    """Ask everything; nothing may raise."""
    paths = (
        "/",
        *PATHS,
        *CONTENTS,
        "/etc/link",
        "/etc",
        "/sys/loop/x",
        "/dev/nvidia0",
        "/n",
        "/m",
        "/lie/not",
        "x",
        "/lie/l",
    )
    for path in paths:
        host.read(path)
        host.read(path, 2)
        host.names(path)
        host.info(path)
        host.resolve(path)
        host.space(path)
    host.process()
    host.environment()
    host.machine()
    host.now()
    host.ask(["true"])


@contextlib.contextmanager
def narrow(rng: random.Random) -> Iterator[None]:
    """Now and then the bounds are so narrow that good input passes them."""
    bounds = (
        (archive, "PACKED_LIMIT", 900), (archive, "TOTAL_LIMIT", 4000), (members, "COUNT_LIMIT", 3),
        (members, "HEADER_LIMIT", 512), (manifest, "LIMIT", 600), (archive, "RATIO_FREE", 100),
    )  # fmt: skip
    with contextlib.ExitStack() as stack:
        if rng.random() < 0.15:
            module, name, value = rng.choice(bounds)
            stack.enter_context(mock.patch.object(module, name, value))
            stack.enter_context(mock.patch.object(archive, "RATIO_LIMIT", 2))
        stack.enter_context(mock.patch.object(archive, "_IN_MEMORY", rng.choice((100, 1 << 20))))
        yield


def parsed(rng: random.Random) -> None:
    """host.json alone, which is where most of its faults are found."""
    with contextlib.suppress(UnreadableInput):
        manifest.parse(text(mutated(FIELDS, rng), rng), "host.json")


def once(at: Path, rng: random.Random) -> bool:
    """One round; whether the recording was taken."""
    fields = mutated(FIELDS, rng) if rng.random() < 0.6 else FIELDS
    text_ = text(fields, rng)
    if rng.random() < 0.4:
        shutil.rmtree(at / "folder", ignore_errors=True)
        spec = folder(at / "folder", FIELDS, CONTENTS)
        (at / "folder/host.json").write_bytes(text_)
        _odd_files(at / "folder", rng)
    else:
        data = tar(parts(text_, rng), pax=rng.random() < 0.3)
        spec = str(at / "archive")
        Path(spec).write_bytes(packed(damaged(data, rng) if rng.random() < 0.6 else data, rng))
    with narrow(rng):
        try:
            host = open_host(spec)
        except UnreadableInput as error:
            return _is_clear(error)
        question(host)
        if rng.random() < 0.1 and (at / "folder/root").is_dir():
            question(open_host(f"{at}/folder/root"))
            question(open_host(f"overlay:{at}/folder/root"))
    return True


def _is_clear(error: UnreadableInput) -> bool:
    """Always false: it was not taken. Fails on an error that would not help its reader."""
    if not (error.what.en and error.what.zh and error.next):
        raise AssertionError(repr(error))
    return False


def _odd_files(at: Path, rng: random.Random) -> None:
    """Links, FIFOs and folders where host.json says other things."""
    (at / "root/lie/l").symlink_to(rng.choice(("/etc", "..", "l", "../etc")))
    choice = rng.randrange(12)
    if choice == 0:
        shutil.rmtree(at / "root")
        (at / "root").symlink_to("/etc")
    elif choice < 3:
        (at / "host.json").unlink()
        (os.mkfifo if choice == 1 else os.mkdir)(at / "host.json")
    elif choice < 6:
        target = at / "root" / rng.choice(("etc", "etc/os-release", "sys/a", "lib/x"))
        aside = at / "aside"
        shutil.move(target, aside)
        if rng.random() < 0.6:
            target.symlink_to(rng.choice((aside, "/etc", target)))
        else:
            os.mkfifo(target)


def rounds(seed: int, go_on: Callable[[int], bool]) -> tuple[int, int]:
    """(rounds, recordings taken)."""
    rng = random.Random(seed)
    done = taken = 0
    with tempfile.TemporaryDirectory() as name:
        while go_on(done):
            taken += once(Path(name), rng)
            parsed(rng)
            parsed(rng)
            done += 1
    return done, taken


if __name__ == "__main__":
    end = time.monotonic() + float(sys.argv[1] if len(sys.argv) > 1 else 10)
    sys.stdout.write(f"{rounds(int(sys.argv[2]) if len(sys.argv) > 2 else 1, lambda _: time.monotonic() < end)}\n")
