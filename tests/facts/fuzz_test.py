"""Readers of facts under structure-aware mutation of valid machines: a typed value each time, never an exception."""

from __future__ import annotations

import gzip
import json
import lzma
import random
import sys
from collections.abc import Callable
from pathlib import Path

import coverage
import msgspec
import pytest
import zstandard

import firstlight.facts
from firstlight.facts.signatures import MARK
from firstlight.host.model import HostKind, Missing
from tests.facts.case import ALL, SUBJECTS, Case, load
from tests.facts.fake_host import Content, FakeHost

SEED = 20261201
ROUNDS = 24
THROUGH_BINARIES = "torch_code"
"""Reads files of a live machine through `firstlight.binaries`, whose readers have a fuzz of their own."""
DEVICES = ("gpus", "amd_gpus", "amd_memory", "nvidia_gpus", "intel_gpus", "pci", "npus")
"""Beginnings of the readers of devices, which have a fuzz of their own."""
ODD = (
    "", "=", ":", "\0", '"', "'", "[", "]", "#", "\\", "²", "１２", "-1", "0x", "9" * 400, "a" * 5000, "\n\n", "\r\n",
    "\t", "://", "@", "../..", "/", ".", "NaN", "\ud800".encode("utf-8", "surrogatepass").decode("latin-1"), "=" * 300,
)  # fmt: skip


def dkms_with_packed_modules() -> Case:
    """What a text file cannot hold: signed modules as distributions pack them."""
    plain = b"\x7fELF" + bytes(64) + MARK
    packed = {"zst": zstandard.compress(plain), "xz": lzma.compress(plain), "gz": gzip.compress(plain)}
    base = "/var/lib/dkms/{0}/1.0/6.1/x86_64/module/{0}.ko.{0}"
    return Case(
        expect={"unsigned_dkms": []},
        files={"/proc/sys/kernel/osrelease": "6.1"},
        hex={base.format(name): data.hex() for name, data in packed.items()},
    )


def dkms_with_bombs() -> Case:
    """Little files that unpack to more than the bound."""
    plain = bytes((16 << 20) + 1)
    case = dkms_with_packed_modules()
    paths = list(case.hex)
    packed = (zstandard.compress(plain), lzma.compress(plain, preset=0), gzip.compress(plain, 1))
    case.hex = {path: data.hex() for path, data in zip(paths, packed, strict=True)}
    return case


def seeds() -> list[tuple[str, Case]]:
    return [(path.parent.name, load(path)) for path in ALL] + [("modules", dkms_with_packed_modules())]


def mutated(case: Case, chance: random.Random) -> FakeHost:
    host = case.host()
    files = host.files
    for _ in range(chance.choice((1, 1, 2, 4))):
        if not files:
            break
        path = chance.choice(sorted(files))
        chance.choice(ACTS)(files, path, chance)
    links = dict(host.links)
    if links and chance.random() < 0.2:
        links[chance.choice(sorted(links))] = chance.choice(
            ("loop", "/", "/gone", "../" * 50, chance.choice(sorted(links)))
        )
    environment = None if case.environment is None else {k: _text(v, chance) for k, v in case.environment.items()}
    return FakeHost(
        files,
        links=links,
        folders=case.folders,
        missing=chance.choice((host.missing, Missing.ABSENT, Missing.NOT_CAPTURED, Missing.DENIED)),
        kind=chance.choice((HostKind.RECORDED, HostKind.TREE)),
        process=host._process,
        environment=environment if chance.random() < 0.3 else case.environment,
        machine=chance.choice((case.machine, "x86_64", "aarch64", None)),
        now=case.now,
        spaces=host._spaces,
    )


def _content(files: dict[str, Content], path: str, chance: random.Random) -> None:
    found = files[path]
    if isinstance(found, bytes):
        data = bytearray(found)
        for _ in range(min(len(data), 3)):
            data[chance.randrange(len(data))] = chance.randrange(256)
        files[path] = bytes(data[: chance.choice((len(data), chance.randrange(len(data) + 1)))])
    elif isinstance(found, str):
        files[path] = _text(found, chance)


def _text(text: str, chance: random.Random) -> str:
    """Mutates lines (dropped, doubled, swapped, cut) and words (replaced by odd ones, odd ones put in)."""
    lines = text.split("\n")
    index = chance.randrange(len(lines))
    line = lines[index]
    at = chance.randrange(len(line) + 1)
    choice = chance.randrange(6)
    if choice == 0:
        del lines[index]
    elif choice == 1:
        lines.insert(index, line)
    elif choice == 2:
        lines[index] = line[:at]
    elif choice == 3:
        lines[index] = line[:at] + chance.choice(ODD) + line[at:]
    elif choice == 4:
        words = line.split(" ")
        words[chance.randrange(len(words))] = chance.choice(ODD)
        lines[index] = " ".join(words)
    else:
        other = chance.randrange(len(lines))
        lines[index], lines[other] = lines[other], lines[index]
    return "\n".join(lines)


def _loss(files: dict[str, Content], path: str, chance: random.Random) -> None:
    files[path] = chance.choice(tuple(Missing))


def _move(files: dict[str, Content], path: str, chance: random.Random) -> None:
    """Another name at one level of the path: other versions, other distributions, a file where a folder was."""
    parts = path.split("/")
    index = chance.randrange(1, len(parts))
    name = _text(parts[index], chance).replace("/", "_").replace("\n", "_") or "x"
    parts[index] = name
    files["/".join(parts)] = files.pop(path)


def _folder(files: dict[str, Content], path: str, _: random.Random) -> None:
    found = files.pop(path)
    files[f"{path}/inner"] = found


ACTS: tuple[Callable[[dict[str, Content], str, random.Random], None], ...] = (
    _content,
    _content,
    _content,
    _loss,
    _move,
    _folder,
)


def climb(rounds: int) -> int:
    """Runs every subject on mutated machines; returns how many answers were checked."""
    chance = random.Random(SEED)
    checked = 0
    for subject, case in seeds():
        for _ in range(rounds):
            host = mutated(case, chance)
            answer = SUBJECTS[subject](host, case)
            assert_typed(answer)
            checked += 1
    return checked


def assert_typed(answer: object) -> None:
    """Encodes, and reads back as the very types that the model declares."""
    for record in answer.values() if isinstance(answer, dict) else (answer,):
        plain = msgspec.json.encode(record)
        if isinstance(record, msgspec.Struct):
            assert msgspec.json.decode(plain, type=type(record)) == record


@pytest.mark.skipif(sys.gettrace() is not None, reason="coverage is measured from outside already")
def test_mutated_machines_give_values_and_the_readers_are_reached(tmp_path: Path) -> None:
    folder = Path(firstlight.facts.__file__).parent
    measured = coverage.Coverage(branch=True, include=[f"{folder}/*.py"], data_file=None, config_file=False)
    measured.start()
    try:
        assert climb(ROUNDS) > 1000
        bombs = dkms_with_bombs()
        assert_typed(SUBJECTS["modules"](bombs.host(), bombs))
    finally:
        measured.stop()
    report = tmp_path / "coverage.json"
    measured.json_report(outfile=str(report))
    short = {}
    files = json.loads(report.read_text())["files"]
    assert len(files) > 25
    for name, one in files.items():
        summary, stem = one["summary"], Path(name).stem
        if not stem.startswith((*DEVICES, THROUGH_BINARIES)) and summary["num_branches"]:
            share = summary["covered_branches"] / summary["num_branches"]
            if share < 0.9:
                short[stem] = (round(share, 2), one["missing_branches"])
    assert short == {}
