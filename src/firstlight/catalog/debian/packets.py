"""OpenPGP's outer form (RFC 9580): ASCII armor and the lengths of packets. No cryptography, and nothing is unpacked:
what is let through to the library that verifies is bounded by what was read."""

from __future__ import annotations

import binascii
from collections.abc import Iterator

PUBLIC_KEY, SECRET_KEY, SIGNATURE_TAG = 6, 5, 2
_OF_KEYRINGS = frozenset({2, 6, 10, 12, 13, 14, 17, 21})
"""Signature, public key, marker, trust, user id, subkey, user attribute, padding (RFC 9580, 5)."""
_OF_SIGNATURES = frozenset({2, 10, 21})
_KEYS = (PUBLIC_KEY, 14)
_RSA = (1, 2, 3)
PACKETS_AT_MOST = 2_000
"""Of one keyring; that of all keys which Debian ever retired has 189."""
SIGNATURES_AT_MOST = 64
LONGEST = 1 << 20
"""Bytes of one packet (a user attribute may be a picture)."""
LONGEST_KEY, LONGEST_SIGNATURE = 8 << 10, 128 << 10
LARGEST_MODULUS, LARGEST_EXPONENT = 16_384, 64
"""Bits of an RSA key: what is beyond them only takes time."""
_LONGEST = {2: LONGEST_SIGNATURE, 6: LONGEST_KEY, 14: LONGEST_KEY}
BINARY_KEY = (0x98, 0x99, 0xC6)
"""First byte of a public key packet, by which apt knows a binary keyring (methods/sqv.cc, dearmorKeyOrCheckFormat)."""


class MalformedError(ValueError):
    """The bytes are not what OpenPGP lets stand here. The message is short and names what is wrong."""


def dearmored(data: bytes, kind: str) -> bytes:
    """The content of every armored block of `kind` (`PUBLIC KEY BLOCK`, `SIGNATURE`), joined. Checksums are passed
    over, as RFC 9580 (6.1) wants. Raises MalformedError where there is no whole block."""
    begin, end = f"-----BEGIN PGP {kind}-----".encode(), f"-----END PGP {kind}-----".encode()
    found: list[bytes] = []
    inside: list[bytes] | None = None
    head = False
    for raw in data.split(b"\n"):
        line = raw.strip()
        if line == begin:
            inside, head = [], True
        elif inside is not None and line == end:
            found.append(_decoded(inside))
            inside = None
        elif inside is not None and head:
            head = bool(line)
        elif inside is not None and line[:1] != b"=":
            inside.append(line)
    if inside is not None or not found:
        raise MalformedError("the armor does not end" if inside is not None else f"there is no {kind.lower()}")
    return b"".join(found)


def _decoded(lines: list[bytes]) -> bytes:
    try:
        return binascii.a2b_base64(b"".join(lines))
    except binascii.Error as error:
        raise MalformedError("the armor is not base64") from error


def framed(data: bytes, allowed: frozenset[int], most: int) -> Iterator[tuple[int, bytes]]:
    """(tag, whole packet) one after another. Raises MalformedError for a tag that is not allowed (compressed data above
    all, which would have to be unpacked), lengths that lead out of `data`, and more than `most` packets."""
    at = count = 0
    while at < len(data):
        tag, start, length = _header(data, at)
        end = start + length
        if tag not in allowed:
            raise MalformedError(f"a packet of type {tag} has no place here")
        if end > len(data):
            raise MalformedError("a packet is cut short")
        if length > _LONGEST.get(tag, LONGEST):
            raise MalformedError("a packet is too long")
        if tag in _KEYS:
            _check_key(data[start:end])
        count += 1
        if count > most:
            raise MalformedError(f"there are more than {most} packets")
        yield tag, data[at:end]
        at = end


def _check_key(body: bytes) -> None:
    """Raises MalformedError for RSA numbers that would keep a verifier busy for hours (RFC 9580, 5.5.2, 5.6.1)."""
    start = {4: 6, 6: 10}.get(body[0] if body else 0)
    if start is None or len(body) < start or body[5] not in _RSA:
        return
    modulus = int.from_bytes(body[start : start + 2], "big")
    after = start + 2 + (modulus + 7) // 8
    exponent = int.from_bytes(body[after : after + 2], "big")
    if modulus > LARGEST_MODULUS or exponent > LARGEST_EXPONENT:
        raise MalformedError("a key is larger than any that is in use")


def _header(data: bytes, at: int) -> tuple[int, int, int]:
    """(tag, where the body starts, its length). RFC 9580, 4.2; partial and unknown lengths are for streams only."""
    first = data[at]
    if not first & 0x80:
        raise MalformedError("it is not OpenPGP")
    if first & 0x40:
        return (first & 0x3F, *_new_length(data, at + 1))
    size = 1 << (first & 3)
    if size == 8:
        raise MalformedError("a packet has no length")
    return (first >> 2) & 0xF, at + 1 + size, int.from_bytes(data[at + 1 : at + 1 + size], "big")


def _new_length(data: bytes, at: int) -> tuple[int, int]:
    first = data[at] if at < len(data) else 255
    if first < 192:
        return at + 1, first
    if first < 224:
        second = data[at + 1] if at + 1 < len(data) else 0
        return at + 2, ((first - 192) << 8) + second + 192
    if first < 255:
        raise MalformedError("a packet has no length")
    return at + 5, int.from_bytes(data[at + 1 : at + 5], "big")


def keyring_packets(data: bytes, most: int = PACKETS_AT_MOST) -> Iterator[tuple[int, bytes]]:
    """(tag, packet) of a binary keyring, which begins with a public key. Raises MalformedError where anything else than
    keys and what belongs to them comes."""
    for at, (tag, packet) in enumerate(framed(data, _OF_KEYRINGS, most)):
        if at == 0 and tag != PUBLIC_KEY:
            raise MalformedError("it does not begin with a public key")
        yield tag, packet


def signature_packets(data: bytes) -> tuple[bytes, ...]:
    """Each signature in `data` (binary). Raises MalformedError."""
    found = tuple(one for tag, one in framed(data, _OF_SIGNATURES, SIGNATURES_AT_MOST) if tag == SIGNATURE_TAG)
    if not found:
        raise MalformedError("there is no signature")
    return found
