"""The only file that knows the OpenPGP library. It alone says whether a signature holds; what is read from packets here
serves to name why one does not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, TypeVar

import msgspec

from .packets import PACKETS_AT_MOST, PUBLIC_KEY, MalformedError, keyring_packets

if TYPE_CHECKING:
    from pysequoia import Cert
    from pysequoia.packet import Packet

_T = TypeVar("_T")
_LATEST = 253_402_300_800.0
"""Year 10000: what lies beyond is as good as never."""
_BINDINGS = (
    "SubkeyBinding",
    "PositiveCertification",
    "GenericCertification",
    "CasualCertification",
    "PersonaCertification",
    "DirectKey",
)


class Key(msgspec.Struct, frozen=True, kw_only=True):
    """A key of a certificate, as its newest binding says. Fingerprints in upper-case hexadecimal."""

    fingerprint: str
    primary: str
    """Fingerprint of the certificate's primary key; equal to `fingerprint` for that key itself."""
    created: float
    expires: float | None
    """Seconds since 1970; None: never. Of a subkey the earlier of its own and the primary key's."""
    revoked: bool
    algorithm: str
    """`rsa4096`, `dsa1024`, `ed25519`, `ecdsa` ... as gpg writes it."""
    digest: str
    """Of the signature that binds it: `SHA1`, `SHA512`; empty where there is none."""


class Signature(msgspec.Struct, frozen=True, kw_only=True):
    """What a signature says of itself."""

    issuer: str
    """Fingerprint, or where it names none the key id (16 digits); empty if it names neither."""
    created: float | None
    expires: float | None
    digest: str
    packet: bytes

    def is_by(self, fingerprint: str) -> bool:
        """Whether it names that key."""
        return bool(self.issuer) and fingerprint.endswith(self.issuer)


_Certificate = tuple["Cert", bytes, tuple[Key, ...]]
"""The library's own object, the bytes that it was read from, its keys."""


class Certificates:
    """The certificates of some keyrings."""

    def __init__(self, found: Sequence[_Certificate] = (), damage: str = "", packets: int = 0) -> None:
        self._found = list(found)
        self.packets = packets
        """How many were read: what bounds the time that it took."""
        self.damage = damage
        """What is wrong with what follows them in the same keyring; empty: nothing."""

    def __len__(self) -> int:
        return len(self._found)

    def __add__(self, other: Certificates) -> Certificates:
        return Certificates([*self._found, *other._found])

    @property
    def keys(self) -> tuple[Key, ...]:
        """Of all of them; primary keys before their subkeys."""
        return tuple(key for _, _, keys in self._found for key in keys)

    def key(self, signature: Signature, *, newest: bool = False) -> Key | None:
        """The key that a signature names; None: it is not here. Of several copies the first, as with gpgv, or with
        `newest` the one that is valid for longest."""
        copies = [key for key in self.keys if key.digest and signature.is_by(key.fingerprint)]  # unbound ones are none
        longest = max(copies, key=lambda key: (not key.revoked, key.expires or _LATEST), default=None)
        return longest if newest else next(iter(copies), None)

    def only(self, fingerprint: str) -> Certificates:
        """Those that hold that key."""
        return Certificates([one for one in self._found if any(key.fingerprint == fingerprint for key in one[2])])

    def binary(self) -> bytes:
        """As a keyring."""
        return b"".join(raw for _, raw, _ in self._found)

    def certs(self) -> list[Cert]:
        """The library's own objects."""
        return [cert for cert, _, _ in self._found]


def certificates(binary: bytes, most: int = PACKETS_AT_MOST) -> Certificates:
    """Of a binary keyring, up to where it is damaged, and of at most so many packets. Raises MalformedError where there
    is none."""
    from pysequoia import Cert

    blocks, damage = _blocks(binary, most)
    found = []
    for raw in map(b"".join, blocks):
        read = _guarded(Cert.split_bytes, raw)
        damage = damage or ("" if read else "a certificate in it cannot be read")
        # not as the library would write it again: that takes it ten times as long as reading
        found += [(cert, raw, _keys(raw)) for cert in (read or ())[:1]]
    if not found:
        raise MalformedError(damage or "it holds no key")
    return Certificates(found, damage, sum(map(len, blocks)))


def _blocks(binary: bytes, most: int) -> tuple[list[list[bytes]], str]:
    """One certificate each, and what is wrong with the rest; the one that is being read then is lost with it."""
    found: list[list[bytes]] = []
    try:
        for tag, packet in keyring_packets(binary, most):
            if tag == PUBLIC_KEY:
                found.append([])
            found[-1].append(packet)
    except MalformedError as error:
        return found[:-1], str(error)
    return found, ""


class _Own(msgspec.Struct, frozen=True, kw_only=True):
    """A signature that a certificate's primary key made on a part of its own certificate."""

    revokes: bool
    binds: bool
    created: float
    period: float | None
    """Seconds from the key's creation on; None: for good."""
    digest: str


def _keys(raw: bytes) -> tuple[Key, ...]:
    """Keys with their newest bindings. Whoever could forge a binding could exchange the whole keyring: they are taken
    as they stand, and only for naming."""
    from pysequoia.packet import PacketPile

    pile = _guarded(PacketPile.from_bytes, raw)
    parts: list[tuple[Packet, list[_Own]]] = []
    primary = ""
    for packet in pile or ():
        kind = _guarded(_tag, packet)
        if kind in ("PublicKey", "PublicSubkey"):
            primary = primary if parts else _guarded(_print, packet) or ""
            parts.append((packet, []))
        elif kind == "Signature" and parts:
            own = _guarded(_own, packet, primary)
            parts[-1][1].extend([own] if own else [])
    keys: list[Key] = []
    for packet, signatures in parts:
        key = _guarded(_key, packet, signatures, keys[0] if keys else None)
        if key is None and not keys:
            return ()
        keys += [key] if key else []
    return tuple(keys)


def _own(packet: Packet, primary: str) -> _Own | None:
    """None: somebody else's."""
    issuer = (packet.issuer_fingerprint or packet.issuer_key_id or "").upper()
    if not issuer or not primary.endswith(issuer):
        return None
    what = _name(packet.signature_type)
    period = packet.key_validity_period
    return _Own(
        revokes=what in ("KeyRevocation", "SubkeyRevocation"),
        binds=what in _BINDINGS,
        created=_seconds(packet.signature_created) or 0.0,
        period=period.total_seconds() if period else None,
        digest=_name(packet.hash_algorithm),
    )


def _key(packet: Packet, signatures: list[_Own], primary: Key | None) -> Key:
    newest = max((one for one in signatures if one.binds), key=lambda one: one.created, default=None)
    created = _seconds(packet.key_created) or 0.0
    ends = [created + newest.period] if newest is not None and newest.period else []
    ends += [primary.expires] if primary is not None and primary.expires is not None else []
    return Key(
        fingerprint=_print(packet),
        primary=primary.fingerprint if primary else _print(packet),
        created=created,
        expires=min((end for end in ends if end < _LATEST), default=None),
        revoked=any(one.revokes for one in signatures) or (primary is not None and primary.revoked),
        algorithm=_algorithm(packet),
        digest=newest.digest if newest is not None else "",
    )


def _tag(packet: Packet) -> str:
    return _name(packet.tag)


def _print(packet: Packet) -> str:
    return str(packet.fingerprint or "").upper()


def _algorithm(packet: Packet) -> str:
    """The first number of an RSA or DSA key is its modulus, its length in bits before it (RFC 9580, 3.2, 5.5.5)."""
    name = _name(packet.key_algorithm).lower()
    body = packet.body
    if name.startswith("rsa") and body[:1] == b"\x04":
        return f"rsa{int.from_bytes(body[6:8], 'big')}"
    if name == "dsa" and body[:1] == b"\x04":
        return f"dsa{int.from_bytes(body[6:8], 'big')}"
    return "ed25519" if name == "eddsa" else name


def signature(packet: bytes) -> Signature:
    """What one signature packet says. Raises MalformedError."""
    read = _guarded(_read_signature, packet)
    if read is None:
        raise MalformedError("a signature cannot be read")
    return read


def _read_signature(packet: bytes) -> Signature:
    from pysequoia import Sig

    read = Sig.from_bytes(packet)
    return Signature(
        issuer=str(read.issuer_fingerprint or read.issuer_key_id or "").upper(),
        created=_seconds(read.created),
        expires=_seconds(read.expiration),
        digest=_name(read.hash_algorithm),
        packet=packet,
    )


def signer(message: bytes, made: Signature, known: Certificates) -> str | None:
    """Fingerprint of the key by which `made` is a valid signature of `message`, by the library's own policy and clock;
    None: by no key of `known`."""
    from pysequoia import Sig, verify

    def check() -> str | None:
        result = verify(bytes=message, store=lambda _: known.certs(), signature=Sig.from_bytes(made.packet))
        return next((str(one.signing_key).upper() for one in result.valid_sigs), None)

    return _guarded(check)


def _guarded(do: Callable[..., _T], *values: object) -> _T | None:
    """None where the library refuses: its errors have no kinds of their own, and what panics in it is no Exception."""
    try:
        return do(*values)
    except (KeyboardInterrupt, SystemExit, MemoryError):
        raise
    except BaseException as error:
        if isinstance(error, Exception) or type(error).__name__ == "PanicException":
            return None
        raise


def _seconds(when: datetime | None) -> float | None:
    try:
        return None if when is None else when.timestamp()
    except (OverflowError, ValueError, OSError):
        return None


def _name(value: object) -> str:
    """`HashAlgorithm.SHA1` -> `SHA1`."""
    return str(value).rpartition(".")[2] if value is not None else ""
