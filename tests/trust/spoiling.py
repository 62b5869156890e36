"""Changes to signed files and keyrings that keep their structure, so that they get past the first check."""

from __future__ import annotations

import base64
import random

from firstlight.catalog.debian.packets import framed

_TAGS = frozenset(range(64))
_INSIDE = (0, 1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 13, 14, 17, 18, 20, 21, 40, 60, 63)


def packets_of(binary: bytes) -> list[tuple[int, bytes]]:
    """(tag, body) of whole packets."""
    return [(tag, _body(packet)) for tag, packet in framed(binary, _TAGS, 10_000)]


def _body(packet: bytes) -> bytes:
    if packet[0] & 0x40:
        head = 2 if packet[1] < 192 else 3 if packet[1] < 224 else 6
        return packet[head:]
    return packet[1 + (1 << (packet[0] & 3)) :]


def packet(tag: int, body: bytes, *, old: bool = False) -> bytes:
    """With a new or an old header (RFC 9580, 4.2)."""
    if old and tag < 16:
        return bytes([0x80 | tag << 2 | 2]) + len(body).to_bytes(4, "big") + body
    return bytes([0xC0 | tag, 0xFF]) + len(body).to_bytes(4, "big") + body


def binary(data: bytes, chosen: random.Random) -> bytes:
    """A keyring or signatures: packets changed, moved, doubled, lengthened, replaced."""
    made = packets_of(data)
    for _ in range(chosen.randrange(1, 4)):
        at = chosen.randrange(len(made))
        tag, body = made[at]
        kind = chosen.randrange(10)
        if kind == 0 and len(made) > 1:
            del made[at]
        elif kind == 1:
            made.insert(chosen.randrange(len(made) + 1), made[at])
        elif kind == 2:
            chosen.shuffle(made)
        elif kind == 3:
            made[at] = (chosen.choice(_INSIDE), body)
        elif kind == 4:
            made[at] = (tag, body[: chosen.randrange(len(body) + 1)])
        elif kind == 5:
            made[at] = (tag, body + bytes(chosen.randrange(300)))
        elif kind == 6:
            made[at] = (tag, bytes([chosen.randrange(8)]) + body[1:])
        else:
            made[at] = (tag, _flipped(body, chosen))
    joined = b"".join(packet(tag, body, old=chosen.random() < 0.5) for tag, body in made)
    return joined if chosen.random() < 0.8 else _raw(joined, chosen)


def _flipped(body: bytes, chosen: random.Random) -> bytes:
    if not body:
        return body
    at = chosen.randrange(min(len(body), 40) if chosen.random() < 0.6 else len(body))
    return body[:at] + bytes([chosen.randrange(256)]) + body[at + 1 :]


def _raw(data: bytes, chosen: random.Random) -> bytes:
    """Not by its structure: cut, or a header that lies."""
    at = chosen.randrange(len(data) + 1)
    kind = chosen.randrange(4)
    if kind == 0:
        return data[:at]
    lies = (
        b"\xc2\xff\xff\xff\xff\xff",
        b"\x9b",
        b"\xc2\xe4",
        b"\xff\xff\xff",
        b"\x00",
        b"\xc8\x05bomb!",
        b"\x8a\xff\xff",
    )
    return data[:at] + chosen.choice(lies) + data[at:]


def armored(data: bytes, kind: str, chosen: random.Random) -> bytes:
    """In armor that may be odd."""
    text = base64.b64encode(data)
    lines = [text[at : at + 64] for at in range(0, len(text), 64)]
    head = [f"-----BEGIN PGP {kind}-----".encode(), b"Comment: odd", b""]
    whole = [*head, *lines, b"=AAAA", f"-----END PGP {kind}-----".encode()]
    if chosen.random() < 0.3:
        at = chosen.randrange(len(whole))
        odd = (b"", b"-", b"=", b"\0", b" \t", b"-----BEGIN PGP " + kind.encode(), b"\xff\xfe", b"A" * 5000, whole[0])
        whole.insert(at, chosen.choice(odd))
    if chosen.random() < 0.15:
        del whole[chosen.randrange(len(whole))]
    return (b"\r\n" if chosen.random() < 0.1 else b"\n").join(whole) + b"\n"


def release(text: bytes, chosen: random.Random) -> bytes:
    """Its fields: gone, doubled, odd values."""
    lines = text.split(b"\n")
    for _ in range(chosen.randrange(1, 4)):
        at = chosen.randrange(len(lines))
        odd = (b"", b"Date: Mon, 99 Foo 99999 99:99:99 UTC", b"Date: " + b"9" * 400, b"Valid-Until: never", b"SHA256:",
               b" " + b"0" * 64 + b" -5 x", b" x y z", b"Suite: \xff\xfe\0", b": no name", b"Codename:", b"- dashed",
               b"Components: " + b"main " * 2000, b"Valid-Until: Thu, 01 Jan 1970 00:00:00 UTC")  # fmt: skip
        if chosen.random() < 0.5:
            lines[at] = chosen.choice(odd)
        else:
            lines.insert(at, chosen.choice(odd))
    return b"\n".join(lines)
