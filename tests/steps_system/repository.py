"""A small signed apt repository in a folder of the system, with packages that weigh nothing."""

from __future__ import annotations

import gzip
import hashlib
import subprocess
import time
from functools import cache
from pathlib import Path
from typing import Any

from firstlight.causes.changes import Keyring, RefreshLists, Source

PLACE = "/srv/repository"
KEYRING = "/etc/apt/keyrings/tiny.asc"
FILE = "/etc/apt/sources.list.d/firstlight-tiny.sources"


@cache
def _secret() -> Any:
    from pysequoia import Tsk

    return Tsk.generate(user_ids=["Tiny <tiny@example.org>"])


def certificate() -> Any:
    """Who signs."""
    return _secret().extract_certificate()


class Repository:
    """What it offers is whatever was built into it."""

    def __init__(self, root: Path) -> None:
        self.root, self.folder = root, root / PLACE.lstrip("/")
        self.folder.mkdir(parents=True)

    def build(
        self, name: str, version: str, *, files: dict[str, str] | None = None, conffiles: tuple[str, ...] = (),
        scripts: dict[str, str] | None = None, **fields: str,
    ) -> Path:  # fmt: skip
        """One package; `scripts`: maintainer script -> shell text."""
        work = self.root / "tmp" / f"{name}-{time.monotonic_ns()}"
        more = {key.replace("_", "-"): value for key, value in fields.items()}
        control = {"Package": name, "Version": version, "Architecture": "all", "Maintainer": "T <t@example.org>"}
        control |= {"Description": "tiny", **more}
        _write(work / "DEBIAN/control", "".join(f"{key}: {value}\n" for key, value in control.items()))
        for path, text in (files or {f"/usr/share/{name}/version": version}).items():
            _write(work / path.lstrip("/"), text)
        if conffiles:
            _write(work / "DEBIAN/conffiles", "".join(f"{path}\n" for path in conffiles))
        for script, text in (scripts or {}).items():
            _write(work / "DEBIAN" / script, f"#!/bin/sh\n{text}\n")
            (work / "DEBIAN" / script).chmod(0o755)
        target = self.folder / f"{name}_{version.replace(':', '%3a')}_{control['Architecture']}.deb"
        subprocess.run(["dpkg-deb", "--root-owner-group", "-Znone", "--build", str(work), str(target)], check=True,
                       capture_output=True)  # fmt: skip
        subprocess.run(["rm", "-r", str(work)], check=True)
        return target

    def publish(self) -> None:
        """Packages, Release, InRelease."""
        index = b"".join(_stanza(path) for path in sorted(self.folder.glob("*.deb")))
        (self.folder / "Packages").write_bytes(index)
        (self.folder / "Packages.gz").write_bytes(gzip.compress(index, mtime=0))
        files = {name: (self.folder / name).read_bytes() for name in ("Packages", "Packages.gz")}
        sums = "".join(f" {hashlib.sha256(data).hexdigest()} {len(data)} {name}\n" for name, data in files.items())
        date = time.strftime("%a, %d %b %Y %H:%M:%S UTC", time.gmtime())
        release = f"Origin: Tiny\nLabel: Tiny\nSuite: tiny\nCodename: tiny\nDate: {date}\nSHA256:\n{sums}"
        self.sign(release)

    def sign(self, release: str) -> None:
        """InRelease."""
        from pysequoia import SignatureMode, sign

        data = sign(_secret().signer(), release.encode(), mode=SignatureMode.CLEAR)
        (self.folder / "InRelease").write_bytes(bytes(data))

    def changes(self) -> tuple[Keyring, Source, RefreshLists]:
        """What makes apt know it."""
        cert = certificate()
        return (
            Keyring(path=KEYRING, fingerprints=(cert.fingerprint.upper(),), content=str(cert).encode()),
            Source(name="tiny", uris=(f"file:{PLACE}",), suites=("./",), signed_by=KEYRING),
            RefreshLists(files=(FILE,)),
        )


def _stanza(path: Path) -> bytes:
    data = path.read_bytes()
    fields = subprocess.run(["dpkg-deb", "-f", str(path)], check=True, capture_output=True).stdout
    more = f"Filename: ./{path.name}\nSize: {len(data)}\nSHA256: {hashlib.sha256(data).hexdigest()}\n\n"
    return fields.rstrip(b"\n") + b"\n" + more.encode()


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
