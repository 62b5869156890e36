"""pip itself is the oracle for its configuration."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from firstlight.errors import UnreadableInput
from firstlight.project.pip_config import read_pip_config

VARIANTS = {
    "global": {"xdg/pip/pip.conf": "[global]\nindex-url = https://a.example/simple\nno-index = false\n"},
    "install-over-global": {
        "config/pip/pip.conf": "[global]\nfind-links = /g\n[install]\nfind_links =\n    /one\n    /two three\n"
    },
    "user-over-legacy": {
        "home/.pip/pip.conf": "[global]\nproxy = http://old:1\ncert = /old\n",
        "config/pip/pip.conf": "[global]\nproxy = http://new:2\n",
    },
    "install-of-a-lower-file-over-global-of-a-higher": {
        "xdg/pip/pip.conf": "[install]\nconstraint = /low\n",
        "venv/pip.conf": "[global]\nconstraint = /high\n",
    },
    "defaults-section": {"config/pip/pip.conf": "[DEFAULT]\ncert = /d\n[global]\nextra-index-url = https://b.example\n"},
    "odd-spelling": {"config/pip/pip.conf": "[global]\nExtra_Index_URL: https://c.example\n--trusted-host = h\n"},
    "empty-values": {"config/pip/pip.conf": "[global]\nindex-url =\n[install]\nproxy =\n"},
    "pip-config-file": {
        "extra.conf": "[global]\nindex-url = https://e.example\n",
        "home/.pip/pip.conf": "[global]\nproxy=p\n",
    },
}  # fmt: skip
VARIABLES = [
    {"PIP_INDEX_URL": "https://v.example/simple", "PIP_FIND_LINKS": "/v1 /v2"},
    {"PIP_NO_INDEX": "", "PIP_EXTRA_INDEX_URL": "https://x.example  https://y.example"},
]


NONE: dict[str, str] = {}
CASES = [(name, NONE) for name in VARIANTS] + [("install-over-global", said) for said in VARIABLES]


@pytest.mark.parametrize(("name", "variables"), CASES)
def test_the_same_as_pip_config_list(name: str, variables: dict[str, str], tmp_path: Path) -> None:
    environ = _lay_out(tmp_path, VARIANTS[name]) | variables
    ours = {key: one.value for key, one in read_pip_config(environ).values.items() if key != "config-file"}
    theirs = _of_pip(environ)
    assert ours == theirs


def _lay_out(folder: Path, files: dict[str, str]) -> dict[str, str]:
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    environ = {
        "HOME": str(folder / "home"),
        "XDG_CONFIG_HOME": str(folder / "config"),
        "XDG_CONFIG_DIRS": str(folder / "xdg"),
        "PATH": "/usr/bin:/bin",
    }
    if (folder / "venv").exists():
        environ["VIRTUAL_ENV"] = str(folder / "venv")
    if (folder / "extra.conf").exists():
        environ["PIP_CONFIG_FILE"] = str(folder / "extra.conf")
    return environ


def _of_pip(environ: dict[str, str]) -> dict[str, str]:
    """What `pip install` would use: [install] over [global], variables over both."""
    # pip's `site` file is that of the Python that runs it: told here to take the test's environment for its own
    script = "import sys; sys.prefix = sys.argv.pop(1) or sys.prefix; from pip._internal.cli.main import main; main()"
    prefix = environ.get("VIRTUAL_ENV", "")
    argv = [sys.executable, "-c", script, prefix, "--disable-pip-version-check", "config", "list"]
    answer = subprocess.run(argv, env=environ, capture_output=True, text=True, check=True)
    layers: dict[str, dict[str, str]] = {"global": {}, "install": {}, ":env:": {}}
    for line in answer.stdout.splitlines():
        key, _, value = line.partition("=")
        section, _, option = key.partition(".")
        if section in layers and option not in ("config-file", "disable-pip-version-check"):
            layers[section][option] = str(ast.literal_eval(value)).strip()
    merged: dict[str, str] = {}
    for layer in layers.values():
        merged |= {option: value for option, value in layer.items() if value}
    return merged


def test_lists_are_split_at_white_space_and_know_their_origin(tmp_path: Path) -> None:
    environ = _lay_out(tmp_path, VARIANTS["install-over-global"])
    found = read_pip_config(environ, etc=str(tmp_path / "etc")).many("find-links")
    assert [one.value for one in found] == ["/one", "/two", "three"]
    assert found[0].origin == f"pip: {tmp_path}/config/pip/pip.conf"


def test_dev_null_leaves_variables_only(tmp_path: Path) -> None:
    environ = _lay_out(tmp_path, VARIANTS["global"]) | {"PIP_CONFIG_FILE": "/dev/null", "PIP_PROXY": "p"}
    values = read_pip_config(environ, etc=str(tmp_path)).values
    assert {key: one.value for key, one in values.items()} == {"config-file": "/dev/null", "proxy": "p"}


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    environ = _lay_out(tmp_path, {"config/pip/pip.conf": "no section\n"})
    with pytest.raises(UnreadableInput, match=r"config/pip/pip\.conf"):
        read_pip_config(environ, etc=str(tmp_path))


def test_a_switch_that_is_none_is_named(tmp_path: Path) -> None:
    environ = {"HOME": str(tmp_path), "PIP_NO_INDEX": "perhaps"}
    with pytest.raises(UnreadableInput, match="PIP_NO_INDEX: no-index"):
        read_pip_config(environ, etc=str(tmp_path)).flag("no-index")
