"""Whatever lies in a machine's lists and keyrings: a verdict, soon, and never a `trusted` that gpgv would not give.

`FIRSTLIGHT_FULL=1` tries fifty times as many. Branches of the readers that it reaches:
`coverage run --branch --include='*/catalog/debian/*' -m pytest tests/trust/fuzz_test.py && coverage report`."""

from __future__ import annotations

import os
import random
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from firstlight.catalog.debian.clearsigned import BEGIN, SIGNATURE, split
from firstlight.catalog.debian.openpgp import certificates
from firstlight.catalog.debian.packets import LONGEST_KEY, MalformedError, dearmored, signature_packets
from tests.trust.lab import BODY, Lab
from tests.trust.roots import GPGV, RING, SQV, Root
from tests.trust.spoiling import armored, binary, packet, release

Made = dict[str, tuple[bytes, bytes]]
TIMES = 3000 if os.environ.get("FIRSTLIGHT_FULL") else 60
SEEDS = ("good", "rsa", "subkey", "one-missing-one-good", "expired", "dsa", "sha1-key", "run-out")
SOON = 20.0
"""Seconds for one root, whatever is in it; what is usual are some thousandths."""


def _clear(message: bytes, signature: bytes) -> bytes:
    return b"\n".join((BEGIN, b"Hash: SHA512", b"", message, signature))


def _parts(inrelease: bytes) -> tuple[bytes, bytes]:
    message, signature = split(inrelease)
    return message, dearmored(signature, "SIGNATURE")


def _spoiled(seed: tuple[bytes, bytes], chosen: random.Random) -> tuple[bytes, bytes, bytes]:
    """(InRelease, keyring, text that was signed at first)."""
    inrelease, keyring = seed
    message, made = _parts(inrelease)
    what = chosen.randrange(4)
    text = release(message, chosen) if what == 0 else message
    signature = binary(made, chosen) if what == 1 else made
    ring = binary(keyring, chosen) if what >= 2 else keyring
    return _clear(text, armored(signature, "SIGNATURE", chosen)), ring, message


@pytest.mark.parametrize("name", SEEDS)
def test_spoiled_releases_and_keyrings(name: str, signings: Made, tmp_path: Path) -> None:
    chosen = random.Random(name)
    for at in range(TIMES):
        verifier = chosen.choice((GPGV, SQV))
        inrelease, ring, signed = _spoiled(signings[name], chosen)
        root = Root(tmp_path / str(at), verifier).source().listed(inrelease, partial=chosen.random() < 0.1)
        if chosen.random() < 0.3:
            root.write(RING.replace(".gpg", ".asc"), armored(ring, "PUBLIC KEY BLOCK", chosen))
            root.source(f"signed-by={RING.replace('.gpg', '.asc')}")
        else:
            root.write(RING, ring)
        began = time.monotonic()
        found = root.one()
        assert time.monotonic() - began < SOON
        assert found.verdict in ("trusted", "refused", "unknown")
        assert found.verdict != "refused" or found.problems
        if found.verdict == "trusted":
            assert split(inrelease)[0] == signed, "what is believed is what was signed"
        shutil.rmtree(root.path)


def test_spoiled_settings(signings: Made, tmp_path: Path) -> None:
    chosen = random.Random(5)
    policy = (
        b'[hash_algorithms]\nsha1.second_preimage_resistance = 2026-02-01\nsha1 = "always"\n[asymmetric_algorithms]\n'
    )
    conf = b'Acquire::Max-ValidTime "86400"; APT { Hashes { SHA1 { Weak "yes"; }; }; };\nAcquire::Check-Date "maybe";\n'
    stanza = (
        b"Types: deb\nURIs: https://vendor.example/apt\nSuites: noble\nSigned-By:\n -----BEGIN PGP PUBLIC KEY BLOCK"
    )
    status = b"Package: apt\nStatus: install ok installed\nVersion: 3.0.4\n\n"
    status += status.replace(b"apt", b"sqv")
    for at in range(TIMES):
        root = Root(tmp_path / str(at), SQV).listed(signings["sha1-key"][0]).write(RING, signings["sha1-key"][1])
        root.write("/etc/crypto-policies/back-ends/apt-sequoia.config", _bytes(policy, chosen))
        root.write("/etc/apt/apt.conf.d/50x", _bytes(conf, chosen))
        root.write("/var/lib/dpkg/status", _bytes(status, chosen))
        root.write("/etc/apt/sources.list.d/vendor.sources", _bytes(stanza, chosen))
        options = b"signed-by=/etc/apt/keyrings/vendor.gpg valid-until-max=99999999999999999999 date-max-future=-1"
        line = b"deb [" + _bytes(options, chosen) + b"] https://vendor.example/apt noble main\n"
        root.write("/etc/apt/sources.list.d/vendor.list", line)
        for found in root.trust().sources:
            assert found.verdict in ("trusted", "refused", "unknown")
        shutil.rmtree(root.path)


def _bytes(data: bytes, chosen: random.Random) -> bytes:
    for _ in range(chosen.randrange(4)):
        at = chosen.randrange(len(data) + 1)
        data = data[:at] + chosen.choice((b"", b"\0", b"\xff", b"{", b'"', b"\n", b"= 1", b"]")) + data[at + 1 :]
    return data


BOMBS: dict[str, Callable[[Lab], bytes]] = {
    "compressed": lambda _: packet(8, b"\x01" + b"\xed\xc1" * 1000),
    "endless-length": lambda _: b"\xc6\xff\xff\xff\xff\xff",
    "no-length": lambda _: b"\x9b" + b"x" * 100,
    "parts": lambda _: b"\xc6\xe8" + b"x" * 300,
    "long-key": lambda _: packet(6, b"\x04" + bytes(LONGEST_KEY + 1)),
    "huge-modulus": lambda _: packet(6, b"\x04\0\0\0\0\x01\xf0\x00" + b"\xff" * 7000),
    "huge-exponent": lambda _: packet(6, b"\x04\0\0\0\0\x01\x08\x00" + b"\xff" * 256 + b"\x20\x00" + b"\xff" * 1024),
    "many-keys": lambda lab: lab.keyring("good") * 3000,
    "many-signatures": lambda lab: lab.keyring("good") + packet(2, b"\x04" + bytes(200)) * 50_000,
    "many-users": lambda lab: lab.keyring("good") + packet(13, b"x") * 100_000,
    "only-markers": lambda _: packet(10, b"PGP") * 100_000,
    "secret-key": lambda lab: lab.gpg("--export-secret-keys", "good@vendor.example"),
    "nothing": lambda _: b"\x99",
}


@pytest.mark.parametrize("name", BOMBS)
def test_bombs_in_a_keyring(name: str, lab: Lab, signings: Made, tmp_path: Path) -> None:
    began = time.monotonic()
    bomb = BOMBS[name](lab)
    made = time.monotonic() - began
    root = Root(tmp_path).source().listed(signings["good"][0]).write(RING, bomb)
    assert root.one().verdict in ("refused", "trusted", "unknown")  # unknown: too large to be read
    assert time.monotonic() - began < SOON + made
    root.write(RING, signings["good"][1] + bomb)
    assert root.one().verdict in ("refused", "trusted", "unknown")  # unknown: too large to be read


@pytest.mark.parametrize("name", BOMBS)
def test_bombs_in_a_signature(name: str, lab: Lab, signings: Made, tmp_path: Path) -> None:
    inrelease, ring = signings["good"]
    message, made = _parts(inrelease)
    chosen = random.Random(1)
    chosen.random = lambda: 0.9  # type: ignore[method-assign]
    for data in (BOMBS[name](lab), made + BOMBS[name](lab)):
        root = Root(tmp_path / str(len(data))).source().write(RING, ring)
        root.listed(_clear(message, armored(data, "SIGNATURE", chosen)))
        began = time.monotonic()
        assert root.one().verdict == "refused"
        assert time.monotonic() - began < SOON


@pytest.mark.parametrize(
    "text",
    [
        b"", b"\n", BEGIN, BEGIN + b"\n", BEGIN + b"\n\n" + SIGNATURE, (BEGIN + b"\n") * 1000, b"\0" * 1000,
        BEGIN + b"\n\n" + b"x" * 5_000_000 + b"\n" + SIGNATURE, BEGIN + b"\n\n" + b"\n" * 2_000_000,
        BEGIN + b"\n\n" + BODY + (SIGNATURE + b"\n-----END PGP SIGNATURE-----\n") * 20_000, b"<html>log in</html>",
        BEGIN + b"\nHash: SHA1" * 100_000,
        BEGIN + b"\n\n- -----\n" + SIGNATURE + b"\n\nAAAA\n-----END PGP SIGNATURE-----",
    ],
    ids=range(13),
)  # fmt: skip
def test_odd_texts(text: bytes, signings: Made, tmp_path: Path) -> None:
    root = Root(tmp_path).source().write(RING, signings["good"][1]).listed(text)
    began = time.monotonic()
    found = root.one()
    assert time.monotonic() - began < SOON
    assert found.verdict == "refused"
    assert len(found.problems[0].text.en) < 300


@pytest.mark.parametrize("data", [b"\x99", b"\xc6\xc0", b"\xc2\x05x", b"\xc6\xff\0\0", b"\x42", b"\xc6"])
def test_readers_say_what_is_wrong(data: bytes) -> None:
    with pytest.raises(MalformedError):
        certificates(data)
    with pytest.raises(MalformedError):
        signature_packets(data)
