"""Structure-aware mutation of valid recordings: every outcome is a host that answers, or a clear error.

    python tests/host/fuzz_readers.py [SECONDS] [SEED]

The test runs a bounded number of rounds from a fixed seed; by hand it can run for longer.
"""

from __future__ import annotations

import contextlib
import gzip
import json
import random
import sys
import tarfile
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import zstandard

from firstlight.errors import UnreadableInput
from firstlight.host import open_host
from firstlight.host.model import Host

from .recordings import document, folder, member, tar

VALUES: tuple[object, ...] = (
    None, True, -1, 0, 1 << 40, 1 << 70, 1e400, 0.5, "", "0660", "9", "file", "dir", "link", "absent", "/", "..", "/a",
    "\0", "x" * 5000, [], [0, 0], [-1, 2], ["a", "b"], {}, {"kind": "dir"}, {"missing": "denied"}, [[[]]],
)  # fmt: skip
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
        fields[rng.choice(("/x/y", "..", "x", "/a/../b", "/" + "d/" * 200, "\ud800", "mode", "/dev/new"))] = fields.pop(
            name
        )
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


def members(manifest: bytes, rng: random.Random) -> list[tuple[tarfile.TarInfo, bytes]]:
    """Members of an archive, some of them odd."""
    found = [member("host.json", manifest), member("root", type=tarfile.DIRTYPE)]
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


def once(at: Path, rng: random.Random) -> bool:
    """One round; whether the recording was taken."""
    fields = mutated(FIELDS, rng) if rng.random() < 0.6 else FIELDS
    manifest = text(fields, rng)
    if rng.random() < 0.4:
        spec = folder(at / "folder", FIELDS, CONTENTS)
        (at / "folder/host.json").write_bytes(manifest)
        _odd_files(at / "folder/root", rng)
    else:
        data = tar(members(manifest, rng), pax=rng.random() < 0.3)
        spec = str(at / "archive")
        Path(spec).write_bytes(packed(damaged(data, rng) if rng.random() < 0.6 else data, rng))
    try:
        host = open_host(spec)
    except UnreadableInput as error:
        assert error.what.en
        assert error.what.zh
        assert error.next
        return False
    question(host)
    return True


def _odd_files(root: Path, rng: random.Random) -> None:
    """Links where host.json says other things, once in a while."""
    link = root / "lie/l"
    with contextlib.suppress(FileExistsError):
        link.symlink_to(rng.choice(("/etc", "..", "l", "../etc")))


def rounds(seed: int, go_on: Callable[[int], bool]) -> tuple[int, int]:
    """(rounds, recordings taken)."""
    rng = random.Random(seed)
    done = taken = 0
    with tempfile.TemporaryDirectory() as name:
        while go_on(done):
            taken += once(Path(name), rng)
            done += 1
    return done, taken


if __name__ == "__main__":
    end = time.monotonic() + float(sys.argv[1] if len(sys.argv) > 1 else 10)
    sys.stdout.write(f"{rounds(int(sys.argv[2]) if len(sys.argv) > 2 else 1, lambda _: time.monotonic() < end)}\n")
