"""Takes out of a recording what would tell whose machine it is. Versions, PCI ids and gfx names stay.

Everything is replaced by a dummy that is the same wherever the same value stood, so that a diagnosis still works.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from . import dummies, variables

_URL_USER = re.compile(r"(?<![\w+.-])([a-z][a-z0-9+.-]{1,20}://)([^\s/@?#]{1,512})@", re.IGNORECASE)
_WORD = r"(?:token|secret|passw(?:or)?d|passphrase|api[_-]?key|access[_-]?key|credentials?|signature)"
_QUERY = re.compile(rf"([?&][\w.-]{{0,40}}(?:{_WORD}|key|sig|auth|pwd)[\w.-]{{0,40}}=)([^\s&#\"'<>]+)", re.IGNORECASE)
_ASSIGNED = re.compile(
    rf"(?<![\w.-])([\w.-]{{0,40}}(?:{_WORD}|authorization)[\w.-]{{0,40}}[\"']?\s{{0,4}}[=:]\s{{0,4}}"
    rf"(?:(?:bearer|basic|token)\s{{1,4}})?[\"']?)([^\s\"'&]+)",
    re.IGNORECASE,
)
_TOKEN = re.compile(r"(?<![\w-])(?:gh[opsur]_|github_pat_|glpat-|hf_|sk-|xox[abp]-|AKIA|pypi-|eyJ)[A-Za-z0-9_.-]{16,}")
_SERIAL = re.compile(
    r"(?<![\w-])((?:serial(?:[ _-]?(?:number|num|no))?|asset[ _-]?tag)(?:[\"']?\s{0,60}[:=]\s{0,20}[\"']?|>))"
    r"([^\s\"'<>,;&]+)",
    re.IGNORECASE,
)
_UNIQUE = re.compile(
    r"(?<!\w)((?:unique[ _]id|hive_id)[\"']?\s{0,20}[:=]?\s{0,20}[\"']?(?:0x)?)([0-9a-f]{6,20})(?!\w)", re.IGNORECASE
)
_KFD = re.compile(r"(?:unique_id|hive_id) +")
_PARTITION = re.compile(r"(PARTUUID=)([0-9a-f]{8})(?=-[0-9a-f]{2}(?![0-9a-f]))", re.IGNORECASE)
_UUID = re.compile(r"(?<![0-9a-f])[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}(?![0-9a-f])", re.IGNORECASE)
_MAC = re.compile(r"(?<![\w:-])[0-9a-f]{2}(?:([:-])[0-9a-f]{2})(?:\1[0-9a-f]{2}){4}(?![\w:-])", re.IGNORECASE)
_IPV6 = re.compile(r"(?<![\w:.])[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,7}(?![\w:])", re.IGNORECASE)
_IPV4 = re.compile(r"(?<![\w.+~-])\d{1,3}(?:\.\d{1,3}){3}(?![\w+~]|\.\d|-\w)")
_PRIVATE = re.compile(r"192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|169\.254\.")  # RFC 1918, RFC 3927: no versions look so
_VERSION_BEFORE = re.compile(
    r"(?:version|release|revision|\bver|\brev|firmware|\bfw|bios|driver|module|cuda|cudnn|rocm|hip|nvidia\S*|torch|"
    r"[=<>~!]=|[<>(]|\bv)[\s:=\"'(]*$|(?<![:/])/$",
    re.IGNORECASE,
)
_ADDRESS_BEFORE = re.compile(
    r"(?:://|@|\b(?:ip|addr|address|inet|nameserver|server|gateway|host)[\s:=]*)$", re.IGNORECASE
)
_HOME = re.compile(
    r"(?<![\w.-])(/(?:var/|export/|mnt/)?(?:home|Users)/|/run/media/|/media/)([^/\s:;,\"'<>|()\\]{1,255})"
)
_SYSTEM = r"/(?:sys|proc|usr|lib\w{0,8}|etc|bin|sbin|opt/rocm[\w.-]{0,20}|var/lib)/[^\s:;,\"'<>|()]*"
"""Paths that mean the same on every machine: an account called `max` must not rename /sys/fs/cgroup/memory.max."""
_ORDINARY = frozenset(
    (
        "all", "amd64", "any", "arm64", "auto", "contrib", "false", "free", "high", "legacy", "low", "main", "max",
        "min", "mode", "model", "none", "off", "on", "pip", "python", "quiet", "ro", "rw", "splash", "stable", "true",
    )
)  # fmt: skip
"""Account names that also are words of configuration files: replaced only where an account must be meant."""
_CONTEXT = 32  # characters looked at before an address


class Redactor:
    """One recording's memory of what stands for what."""

    def __init__(self, *, users: Iterable[str] = (), hosts: Iterable[str] = ()) -> None:
        self.users = dummies.users()
        self.hosts = dummies.hosts()
        self.serials = dummies.serials()
        self.secrets = dummies.secrets()
        self._uuids = dummies.uuids()
        self._macs = dummies.macs()
        self._ipv4 = dummies.ipv4()
        self._ipv6 = dummies.ipv6()
        self._numbers = dummies.numbers()
        self._partitions = dummies.partitions()
        self._words: re.Pattern[str] | None = None
        self._by_word: dict[str, str] = {}
        self._people: dict[str, str] = {}
        self._learn(users, hosts)

    def text(self, text: str, *, versions: bool = False) -> str:
        """`text` with dummies. `versions`: a text full of versions, in which four numbers are an address only if
        something says so, and no word by itself is a secret or somebody's name."""
        if not versions:
            text = _ASSIGNED.sub(self._secret, text)
        text = _TOKEN.sub(lambda found: self.secrets.of(found[0]), text)
        text = _URL_USER.sub(lambda found: f"{found[1]}{self.secrets.of(found[2])}@", text)
        text = _QUERY.sub(self._secret, text)
        text = self._devices(text)
        text = _IPV6.sub(self._address6, text)
        text = _IPV4.sub(lambda found: self._address4(found, versions=versions), text)
        return self._homes(text) if versions else self.path(text)

    def path(self, text: str) -> str:
        """A path, or a text, with names of people and machines and UUIDs replaced; nothing else."""
        text = self._homes(text)
        return self._words.sub(self._word, text) if self._words else text

    def _homes(self, text: str) -> str:
        text = _UUID.sub(lambda found: self._cased(self._uuids, found[0]), text)
        return _HOME.sub(lambda found: found[1] + self.users.of(found[2]), text)

    def person(self, name: str) -> str:
        """An account's dummy, where the account is a person's; else its name."""
        return self._people.get(name, name)

    def number(self, text: str, base: int) -> str:
        """A device's 64-bit id, in the base that it was written in; its dummy is the same number in all bases."""
        try:
            dummy = int(self._numbers.of(f"{int(text, base):016x}"), 16)
        except ValueError:
            return self.serials.of(text)
        return str(dummy) if base == 10 else f"{dummy:0{len(text)}x}"

    def machine_id(self, text: str) -> str:
        """machine-id(5): a UUID without hyphens."""
        if len(text) != 32:
            return self.serials.of(text)
        joined = "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:]))
        return self._uuids.of(joined).replace("-", "")

    def environment(self, variables_: Mapping[str, str]) -> tuple[dict[str, str], tuple[str, ...]]:
        """The variables that matter, redacted, and the names of those that were left out."""
        kept: dict[str, str] = {}
        left = []
        for name, value in sorted(variables_.items()):
            if not variables.is_relevant(name):
                left.append(self.path(name))
            elif variables.is_secret(name):
                kept[name] = self.secrets.of(value)
            else:
                kept[name] = self.text(value)
        return kept, tuple(left)

    def _learn(self, users: Iterable[str], hosts: Iterable[str]) -> None:
        """Names that are replaced wherever they stand alone as a word."""
        self._people = {name: self.users.of(name) for name in users}
        known = {**{name: self.hosts.of(name) for name in hosts}, **self._people}
        self._by_word = {
            name: dummy for name, dummy in known.items() if name != dummy and len(name) > 1 and name not in _ORDINARY
        }
        if self._by_word:
            either = "|".join(map(re.escape, sorted(self._by_word, key=len, reverse=True)))
            self._words = re.compile(rf"(?<![A-Za-z0-9])(?:{either})(?![A-Za-z0-9])|(?<![\w.-]){_SYSTEM}")

    def _word(self, found: re.Match[str]) -> str:
        return self._by_word.get(found[0], found[0])

    def _devices(self, text: str) -> str:
        text = _UNIQUE.sub(self._unique, text)
        text = _SERIAL.sub(lambda found: found[1] + self.serials.of(found[2]), text)
        text = _PARTITION.sub(lambda found: found[1] + self._partitions.of(found[2]), text)
        return _MAC.sub(self._mac, text)

    def _secret(self, found: re.Match[str]) -> str:
        return found[1] + self.secrets.of(found[2])

    def _unique(self, found: re.Match[str]) -> str:
        """KFD's properties (`unique_id 123`) give it in decimal, everything else in hexadecimal."""
        decimal = found[2].isdigit() and _KFD.fullmatch(found[1])
        return found[1] + self.number(found[2], 10 if decimal else 16)

    def _mac(self, found: re.Match[str]) -> str:
        dummy = self._cased(self._macs, found[0].replace("-", ":"))
        return dummy.replace(":", found[1])

    @staticmethod
    def _cased(table: dummies.Dummies, real: str) -> str:
        dummy = table.of(real)
        return dummy.upper() if real.upper() == real and real.lower() != real else dummy

    def _address6(self, found: re.Match[str]) -> str:
        from ipaddress import IPv6Address

        try:
            address = str(IPv6Address(found[0]))
        except ValueError:
            return found[0]
        if sum(map(bool, found[0].split(":"))) < 2:
            return found[0]  # `0::/` of a cgroup, `::1`: nobody's address
        dummy = self._ipv6.of(address)
        return found[0] if dummy == address else dummy

    def _address4(self, found: re.Match[str], *, versions: bool) -> str:
        real = found[0]
        if any(int(part) > 255 for part in real.split(".")):
            return real
        before = found.string[max(0, found.start() - _CONTEXT) : found.start()]
        sure = _PRIVATE.match(real) or _ADDRESS_BEFORE.search(before)
        if not sure and (versions or _VERSION_BEFORE.search(before)):
            return real
        return self._ipv4.of(real)
