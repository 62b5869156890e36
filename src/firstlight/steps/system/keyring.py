"""A keyring for apt, whose keys are known beforehand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...causes.changes import Keyring
from ...errors import NoError
from ...words import Words
from .file_step import FileStep
from .ground import Ground
from .names import FINGERPRINT, all_fit, path_below, refused

if TYPE_CHECKING:
    from pysequoia import Cert

FOLDERS = ("/etc/apt/keyrings", "/usr/share/keyrings", "/etc/apt/trusted.gpg.d")
LARGEST = 1 << 20


class KeyringFile(FileStep):
    """The certificates that are known, beside those that the file holds already: other sources may name it too."""

    def __init__(self, ground: Ground, change: Keyring) -> None:
        """Raises UnreadableInput for values that are no keyring, NoError where none of its keys is known."""
        path = path_below(change.path, FOLDERS, "keyring")
        if not path.endswith((".gpg", ".asc")):  # apt takes it as armored or binary by its name
            raise refused("keyring", path)
        known = set(all_fit(FINGERPRINT, (one.upper().replace(" ", "") for one in change.fingerprints), "fingerprint"))
        content = change.content or b""
        if not content or len(content) > LARGEST:
            raise refused("keyring", path)
        super().__init__(ground, "keyring", path, merged(ground.read(path) or b"", content, known, path))
        self.turn, self.back, self.url = 0, 22, change.url

    def commands(self) -> tuple[tuple[str, ...], ...]:
        """Of a person, where the address is known."""
        return (("curl", "-fsSL", "-o", self.path, self.url),) if self.url else super().commands()


def merged(old: bytes, new: bytes, known: set[str], path: str) -> bytes:
    """Of `new` only what is known; in the form that the file's name promises. Raises NoError."""
    offered = certificates(new)
    taken = {print_: cert for print_, cert in offered.items() if print_ in known}
    if not taken:
        raise _another_key(set(offered) or {"-"}, path)
    every = {**{print_: cert for print_, cert in certificates(old).items() if print_ not in taken}, **taken}
    if path.endswith(".asc"):
        return "".join(str(cert) for cert in every.values()).encode()
    return b"".join(bytes(cert) for cert in every.values())


def certificates(content: bytes) -> dict[str, Cert]:
    """By fingerprint, in upper case; none where they cannot be read."""
    from pysequoia import Cert

    try:
        return {cert.fingerprint.upper(): cert for cert in Cert.split_bytes(content)} if content else {}
    except Exception:  # noqa: BLE001 - the binding raises errors of no common kind for bytes that are no certificate
        return {}


def _another_key(found: set[str], path: str) -> NoError:
    shown = ", ".join(sorted(found))
    return NoError(
        Words(f"the keyring for {path} holds a key that is not the known one: {shown}",
              f"用于 {path} 的密钥环含有未知的密钥：{shown}"),
        why=Words("whoever holds that key could install anything as root",
                  "持有该密钥的人可以以 root 身份安装任何软件"),
        next=Words("nothing was changed; ask the vendor which key it signs with",
                   "没有改动任何东西；请向厂商确认其签名密钥"),
    )  # fmt: skip
