"""apt itself as the oracle for its sources: `apt-get indextargets` names each entry's file, line, suite, options."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from firstlight.facts.repositories import repositories
from firstlight.facts.value import Unknown
from tests.facts.fake_host import FakeHost

ONE_LINE = """\
# deb http://disabled.example/ noble main
deb http://a.example/ubuntu noble main universe # why
deb  [ arch=amd64  signed-by=/usr/share/keyrings/x.gpg ]  https://b.example/apt/7.2   noble main
deb-src [arch=amd64,i386] http://a.example/ubuntu noble-updates main
deb\thttp://tab.example/x\tstable\tnon-free
   deb http://indent.example/x stable main
deb [trusted=yes allow-insecure=yes] http://flat.example/cuda/repos/x86_64 ./
"""
DEB822 = """\
# a comment first
Types: deb deb-src
URIs: http://c.example/debian http://d.example/debian
Suites: trixie trixie-updates
# in the middle
Components: main
 contrib
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg

Types: deb
uris: http://off.example/
Suites: x
Components: main
Enabled: no


Types: deb
URIs: http://flat.example/all/
Suites: /
Trusted: yes
Signed-By:
 -----BEGIN PGP PUBLIC KEY BLOCK-----
 .
 mDMEYCQjIxYJKwYBBAHaRw8BAQdAD/P5Nvvnvk66SxBBHDbhRml9ORg1WV5CvzKY
 -----END PGP PUBLIC KEY BLOCK-----
"""


@pytest.mark.skipif(not shutil.which("apt-get"), reason="no apt here")
@pytest.mark.parametrize(("name", "content"), [("x.list", ONE_LINE), ("x.sources", DEB822)])
def test_entries_are_those_that_apt_sees(name: str, content: str, tmp_path: Path) -> None:
    host = FakeHost({f"/etc/apt/sources.list.d/{name}": content})
    found = repositories(host)
    assert not isinstance(found, Unknown)
    here = {
        (one.line if name.endswith(".list") else 0, kind, uri.rstrip("/"), suite, component)
        for one in found
        if one.enabled
        for kind in one.types
        for uri in one.uris
        for suite in one.suites
        for component in one.components or [""]
    }
    assert here == _apt_sees(tmp_path, name, content)


def _apt_sees(root: Path, name: str, content: str) -> set[tuple[int, str, str, str, str]]:
    folder = root / "parts"
    folder.mkdir()
    (folder / name).write_text(content)
    options = {
        "Dir::Etc::sourcelist": "/dev/null", "Dir::Etc::sourceparts": str(folder), "Dir::State": str(root),
        "Dir::State::status": "/dev/null", "APT::Architecture": "amd64",
    }  # fmt: skip
    form = "$(SOURCESENTRY)|$(TARGET_OF)|$(REPO_URI)|$(RELEASE)|$(COMPONENT)"
    argv = ["apt-get", "indextargets", "--no-release-info", "--format", form]
    argv += [f"-o{key}={value}" for key, value in options.items()]
    lines = subprocess.run(argv, capture_output=True, text=True, check=True).stdout.splitlines()
    seen = set()
    for entry, kind, uri, suite, component in (line.split("|") for line in lines):
        line = int(entry.rpartition(":")[2]) if name.endswith(".list") else 0  # of deb822 it counts stanzas
        seen.add((line, kind, uri.rstrip("/"), suite or "/", "" if component.startswith("$") else component))
    return seen
