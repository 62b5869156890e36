"""Journals with damage of every kind: whole lines are read, the rest is passed over, nothing is raised."""

from __future__ import annotations

import json
import os
import random
from pathlib import Path

from firstlight.steps import journal as journal_file
from firstlight.steps import lines
from firstlight.steps.journal import Entry, Journal, previous_environment, read_journal

ROUNDS = 700
STATES = ("begin", "done", "right", "undone", "end")
ODD: tuple[object, ...] = (None, True, 0, -1, 1e400, 2**70, "", "\0", "é" * 300, "../../x", [], {}, [[]] * 50, {"": 1})


def _entry(dice: random.Random) -> dict[str, object]:
    kind = dice.choice(("place-wheel", "make-environment", "install", "activate", "rollback"))
    name = f"cpu-{dice.getrandbits(64):016x}.{dice.randrange(1, 9)}"
    previous = dice.choice((None, name[::-1], "cpu-0.1"))
    return {"sync": name, "kind": kind, "subject": "env", "state": dice.choice(STATES), "previous": previous}


def _mutated(dice: random.Random, entry: dict[str, object]) -> bytes:
    """One line: a field of the wrong kind, one too few or many, cut off, doubled, bytes turned, other encodings."""
    way = dice.randrange(9)
    changed = dict(entry)
    key = dice.choice(list(changed))
    if way == 0:
        changed[key] = dice.choice(ODD)
    elif way == 1:
        del changed[key]
    elif way == 2:
        changed[str(dice.choice(ODD))] = dice.choice(ODD)
    data = json.dumps(changed, ensure_ascii=dice.random() < 0.5).encode("utf-8", "surrogatepass")
    if way == 3:
        return data[: dice.randrange(len(data) + 1)]
    if way == 4:
        return data + data
    if way == 5:
        turned = bytearray(data)
        for _ in range(dice.randrange(1, 4)):
            turned[dice.randrange(len(turned))] = dice.randrange(256)
        return bytes(turned)
    if way == 6:
        return json.dumps(changed).encode("utf-16")
    return dice.choice((b"[" * 3000, b'{"a":' * 2000, b"\0" * 64, b"\xff", b"", b"\r\n")) if way == 7 else data


def _refused(name: str) -> None:
    raise ValueError(name)  # Infinity and NaN are no JSON


def _is_entry(line: bytes) -> bool:
    """The oracle: the standard library's own reader, and the shape said again."""
    try:
        value = json.loads(line.decode("utf-8"), parse_constant=_refused)
    except (ValueError, RecursionError):
        return False
    texts = ("sync", "kind", "subject", "state")
    return (
        isinstance(value, dict)
        and all(isinstance(value.get(name), str) for name in texts)
        and value["state"] in STATES
        and isinstance(value.get("previous"), (str, type(None)))
    )


def test_the_reader_keeps_what_is_whole(tmp_path: Path) -> None:
    dice = random.Random(20261201)
    path = tmp_path / "sync.jsonl"
    whole = 0
    for _ in range(ROUNDS):
        lines = [
            _mutated(dice, _entry(dice)) if dice.random() < 0.6 else json.dumps(_entry(dice)).encode()
            for _ in range(dice.randrange(8))
        ]
        data = b"\n".join(lines) + dice.choice((b"", b"\n", b"\n\n", b'{"sy'))
        path.write_bytes(data)
        found = read_journal(str(tmp_path))
        assert all(isinstance(one, Entry) for one in found)
        # msgspec does not look into fields that it does not know, so it may take more lines than the oracle
        expected = [json.loads(line)["sync"] for line in data.split(b"\n") if _is_entry(line)]
        read = iter(one.sync for one in found)
        assert all(name in read for name in expected), data
        whole += len(found)
        name = found[-1].sync if found else None
        before = previous_environment(str(tmp_path), name)
        assert before is None or before in {one.previous for one in found}
        journal = Journal(str(tmp_path), "after")
        journal.trim()
        journal.note("activate", "env", "begin", "before")
        assert previous_environment(str(tmp_path), "after") == "before"
        assert len(read_journal(str(tmp_path))) == len(found) + 1
    assert whole > ROUNDS


def test_a_journal_that_is_no_file_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "sync.jsonl")
    assert read_journal(str(tmp_path)) == []
    (tmp_path / "sync.jsonl").unlink()
    (tmp_path / "sync.jsonl").mkdir()
    assert read_journal(str(tmp_path)) == []


def test_of_a_huge_journal_the_end_counts(tmp_path: Path) -> None:
    journal = Journal(str(tmp_path), "new")
    with open(journal.path, "wb") as file:
        file.write(b"x" * 100 + b"\n")
        file.truncate(3 * lines.LIMIT)
    journal.note("activate", "env", "begin", "before")
    assert previous_environment(str(tmp_path), "new") == "before"
    journal.trim()
    assert os.path.getsize(journal.path) <= lines.LIMIT
    assert previous_environment(str(tmp_path), "new") == "before"
    assert not os.path.exists(f"{journal.path}.tmp")


def test_trimming_does_not_write_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "bashrc").write_text("mine")
    journal = Journal(str(tmp_path), "x")
    Path(journal.path).write_bytes(b"\n" * (journal_file.LONG + 1))
    os.symlink(tmp_path / "bashrc", f"{journal.path}.tmp")
    journal.trim()
    assert (tmp_path / "bashrc").read_text() == "mine"
