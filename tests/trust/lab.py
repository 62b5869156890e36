"""Keys and signatures made by gpg for one run, at whatever time is wanted."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

LONG_AGO, BEFORE, AFTER = "20200101T000000", "20210101T000000", "20300102T000000"
"""Times that gpg is told: when old keys were made, when something was signed by them, and one that is still to come."""
BODY = b"""Origin: Vendor
Label: Vendor
Suite: noble
Codename: noble
Date: Mon, 01 Jun 2026 00:00:00 UTC
Architectures: amd64
Components: main
SHA256:
 e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855 0 main/binary-amd64/Packages
"""
"""A Release of one empty index."""


class Lab:
    """A GnuPG home of its own. Its path must be short: the agent's socket lies in it."""

    def __init__(self) -> None:
        self.home = Path(tempfile.mkdtemp(prefix="fl-gpg-"))
        self._prints: dict[str, str] = {}

    def close(self) -> None:
        """Ends the agent that gpg started, and clears away."""
        subprocess.run(["gpgconf", "--homedir", str(self.home), "--kill", "all"], check=False, timeout=20)
        shutil.rmtree(self.home, ignore_errors=True)

    def gpg(self, *arguments: str, data: bytes = b"", at: str | None = None) -> bytes:
        """What it writes to stdout. Raises CalledProcessError."""
        time = ("--faked-system-time", at) if at else ()
        argv = ["gpg", "--homedir", str(self.home), "--batch", "--no-tty", "-q", "--yes", "--pinentry-mode", "loopback",
                "--passphrase", "", *time, *arguments]  # fmt: skip
        return subprocess.run(argv, input=data, check=True, capture_output=True, timeout=60).stdout

    def key(self, name: str, kind: str = "ed25519", expire: str = "never", *options: str, at: str | None = None) -> str:
        """Fingerprint of a new key that signs, in upper case."""
        if name not in self._prints:
            self.gpg(*options, "--quick-gen-key", f"{name} <{name}@vendor.example>", kind, "sign", expire, at=at)
            self._prints[name] = self._print(name)
        return self._prints[name]

    def _print(self, name: str) -> str:
        listed = self.gpg("--with-colons", "--list-keys", f"{name}@vendor.example").decode()
        return next(line.split(":")[9] for line in listed.splitlines() if line.startswith("fpr:"))

    def subkey(self, name: str, kind: str = "ed25519", expire: str = "never", *, at: str | None = None) -> str:
        """Fingerprint of a new subkey that signs."""
        self.gpg("--quick-add-key", self._prints[name], kind, "sign", expire, at=at)
        listed = self.gpg("--with-colons", "--list-keys", self._prints[name]).decode().splitlines()
        return [line.split(":")[9] for line in listed if line.startswith("fpr:")][-1]

    def revoke(self, name: str) -> None:
        """By the certificate that gpg made with the key."""
        path = self.home / "openpgp-revocs.d" / f"{self._prints[name]}.rev"
        self.gpg("--import", data=path.read_bytes().replace(b"\n:-----", b"\n-----"))

    def keyring(self, *names: str, armor: bool = False) -> bytes:
        """Public keys, as `gpg --export` gives them."""
        return self.gpg(*(("--armor",) if armor else ()), "--export", *(self._prints[name] for name in names))

    def signed(self, *names: str, body: bytes = BODY, at: str | None = None, options: tuple[str, ...] = ()) -> bytes:
        """An InRelease with the signatures of these keys."""
        users = [part for name in names for part in ("-u", self._prints.get(name, name))]
        return self.gpg(*options, *users, "--clearsign", data=body, at=at)

    def detached(self, name: str, body: bytes = BODY) -> bytes:
        """A Release.gpg."""
        return self.gpg("-u", self._prints[name], "--armor", "--detach-sign", data=body)
