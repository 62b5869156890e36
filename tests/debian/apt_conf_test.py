"""apt's configuration, beside `apt-config dump`."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firstlight.catalog.debian.apt_conf import assignments, read_config
from firstlight.host import open_host

FILES = {
    "00one": 'APT::Install-Recommends "false";\n// a comment\nAPT { Default-Release "trixie"; };\n',
    "10two": 'APT::Install-Recommends yes; /* said\nagain */ APT::Architectures { "amd64"; "i386"; };\n',
    "20three": '#clear APT::Architectures;\nAPT::Architectures:: "amd64";\nAPT::Architectures:: "arm64";\n',
    "30four.conf": '# a comment\nAPT\n{\n  Get { Assume-Yes "true"; };\n};\nDPkg::Options:: "--force-confold";\n',
    "40ignored.bak": 'APT::Default-Release "sid";\n',
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    parts = tmp_path / "etc/apt/apt.conf.d"
    parts.mkdir(parents=True)
    for name, text in FILES.items():
        (parts / name).write_text(text)
    return tmp_path


def test_later_files_and_lists(root: Path) -> None:
    config, lacking = read_config(open_host(str(root)), native="amd64")
    assert config.architectures == ("amd64", "arm64")
    assert (config.recommends, config.default_release, lacking) == (True, "trixie", ())


@pytest.mark.skipif(shutil.which("apt-config") is None, reason="apt is not installed")
@pytest.mark.parametrize("name", [name for name in FILES if not name.endswith(".bak")])
def test_as_apt_config_reads_it(name: str, tmp_path: Path) -> None:
    path = tmp_path / "apt.conf"
    path.write_text(FILES[name])
    done = subprocess.run(
        ["apt-config", "-c", str(path), "dump"], capture_output=True, text=True, check=True,
        env={"APT_CONFIG": "/dev/null", "PATH": "/usr/bin"},
    )  # fmt: skip
    theirs = [line for line in done.stdout.lower().splitlines() if line]
    for key, value in assignments(FILES[name]):
        if not key.startswith("#clear"):
            assert f'{key} "{value}";'.lower() in theirs, key


@given(st.text(alphabet='ab:{};"#/*\n -', max_size=200))
def test_any_text_is_read_to_its_end(text: str) -> None:
    list(assignments(text))


def test_nesting_without_end_is_cut() -> None:
    assert list(assignments("a {" * 100_000)) == []
