"""Mutates valid records of installed distributions and a MANIFEST; run under coverage by `fuzz_test.py`.

Prints how often a value was read and how often it was called malformed. An exception is a bug."""

from __future__ import annotations

import base64
import hashlib
import os
import random
import sys
import tempfile
from pathlib import Path

from firstlight.host import open_host
from firstlight.host.model import Host
from firstlight.lockfile.adopt_compare import is_changed, is_this, metadata_sha256, recorded
from firstlight.lockfile.adopt_reading import installed
from firstlight.steps.manifest import manifest_text, parse_manifest
from tests.routes.tiny_wheels import make_wheel

URLS = (
    '{"url": "https://h.example/a-1.0-py3-none-any.whl", "archive_info": {"hash": "sha256=%s"}}' % ("a" * 64),
    '{"url": "https://h.example/a.whl", "archive_info": {"hashes": {"sha256": "%s", "md5": "x"}}}' % ("b" * 64),
    '{"url": "file:///home/alice/a", "dir_info": {"editable": true}}',
    '{"url": "file:///home/alice/a", "dir_info": {}}',
    '{"url": "https://h.example/a.git", "vcs_info": {"vcs": "git", "commit_id": "%s"}}' % ("0" * 40),
    '{"url": "https://h.example/a"}',
)  # fmt: skip
PIECES = ("{", "}", "[", "]", '"', ":", ",", "\n", "\0", "\ud800", "é", "null", "3", "[" * 300, "sha256=", "true", "..")
DIGESTS = {"firstlight.lock": "1" * 64, "wheels/a-1.0-py3-none-any.whl": "2" * 64, "MANIFEST": "3" * 64}
FILES = ("METADATA", "WHEEL", "RECORD", "INSTALLER", "direct_url.json")


def mutate(text: str, chance: random.Random) -> str:
    """One structural change: a piece in, a line out, doubled or moved, cut short, a sign swapped, or nothing left."""
    lines = text.splitlines(keepends=True)
    place, at = chance.randrange(len(lines) or 1), chance.randrange(len(text) + 1)
    return chance.choice([
        text[:at] + chance.choice(PIECES) + text[at:],
        "".join(lines[:place] + lines[place + 1 :]),
        "".join([*lines, *lines[place:]]),
        "".join(chance.sample(lines, len(lines))),
        text[:at],
        text.replace(chance.choice("=\"'[]:/ae,1"), chance.choice(PIECES), 1),
        "",
    ])  # fmt: skip


def lay_out(site: Path, chance: random.Random) -> None:
    """One distribution whose files are changed, and now and then a neighbour of another kind."""
    name = chance.choice(("a", "a", "b.c", "~a", "-a", ""))
    info = site / f"{name}-1.0.dist-info"
    info.mkdir(parents=True)
    digest = base64.urlsafe_b64encode(hashlib.sha256(chance.choice((b"hello", b"hallo"))).digest()).decode().rstrip("=")
    texts = {
        "METADATA": "Metadata-Version: 2.1\nName: a\nVersion: 1.0\n\nbody\n",
        "WHEEL": "Wheel-Version: 1.0\nTag: py3-none-any\nTag: py2-none-any\n",
        "RECORD": f"a/__init__.py,sha256={digest},5\n{info.name}/METADATA,,\n../../../bin/a,,\n{info.name}/RECORD,,\n",
        "INSTALLER": chance.choice(("pip\n", "uv", "conda\n", "debian")),
        "direct_url.json": chance.choice(URLS),
    }
    for file in FILES:
        if chance.random() < 0.85:
            changed = mutate(texts[file], chance) if chance.random() < 0.4 else texts[file]
            (info / file).write_bytes(changed.encode("utf-8", "surrogatepass"))
    (site / "a").mkdir(exist_ok=True)
    code = site / "a/__init__.py"
    code.write_text(chance.choice(("hello", "hello", "x" * 9)))
    if chance.random() < 0.5:
        os.utime(code, (4e9, 4e9))  # written long after RECORD
    for other in chance.sample(("a-2.0.dist-info", "old-1.0-py3.11.egg-info", "mine.egg-link", "x.dist-info"), 1):
        if chance.random() < 0.3:
            (site / other).mkdir()


def once(host: Host, wheel: str, chance: random.Random) -> tuple[int, int]:
    with tempfile.TemporaryDirectory() as folder:
        site = Path(folder) / "site-packages"
        lay_out(site, chance)
        odd = 0
        every = installed(host, (str(site), f"{folder}/nowhere"))
        for one in every:
            odd += one.origin.kind == "malformed"
            assert len(one.name) <= 200
            claims = recorded(one)
            if claims is not None:
                assert is_changed(one, claims) in (True, False)
            assert is_this(wheel, one, claims) in (True, False, None)
            assert metadata_sha256(one) is None or one.folder
        return len(every) - odd, odd


def broken(wheel: Path, chance: random.Random) -> str:
    """A wheel with some bytes of it changed."""
    data = bytearray(wheel.read_bytes())
    for _ in range(chance.randrange(3)):
        data[chance.randrange(len(data))] = chance.randrange(256)
    path = wheel.with_name("broken.whl")
    path.write_bytes(bytes(data[: chance.choice((len(data), chance.randrange(len(data))))]))
    return str(path)


def manifests(chance: random.Random) -> tuple[int, int]:
    text = manifest_text(DIGESTS)
    found = parse_manifest(mutate(text, chance).encode("utf-8", "surrogatepass"))
    for path, digest in found.items():
        assert len(digest) == 64
        assert ".." not in path.split("/")
        assert not path.startswith("/")
    return len(found), len(DIGESTS) - len(found)


def main(rounds: int) -> None:
    chance = random.Random(20261201)
    host = open_host("live")
    taken = refused = 0
    with tempfile.TemporaryDirectory() as folder:
        wheel = make_wheel(Path(folder), "a", "1.0", "py3-none-any")
        for _ in range(rounds):
            for good, bad in (once(host, broken(wheel, chance), chance), manifests(chance)):
                taken, refused = taken + good, refused + max(bad, 0)
    sys.stdout.write(f"{taken} {refused}\n")


if __name__ == "__main__":
    main(int(sys.argv[1]))
