"""pip itself is the oracle for its configuration."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from firstlight.errors import UnreadableInput
from firstlight.project.pip_config import Setting, read_pip_config

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


@pytest.mark.parametrize("number", range(len(CASES)), ids=[f"{name}-{len(said)}" for name, said in CASES])
def test_the_same_as_pip_install_would_use(number: int, answers: Answers) -> None:
    environ, theirs = answers[number]
    found = read_pip_config(environ)
    ours = {
        "index_url": _value(found.one("index-url")), "proxy": _value(found.one("proxy")),
        "cert": _value(found.one("cert")), "no_index": found.flag("no-index"),
    }  # fmt: skip
    lists = {"extra_index_urls": "extra-index-url", "find_links": "find-links", "constraints": "constraint"}
    many = {name: [one.value for one in found.many(key)] for name, key in lists.items()}
    hosts = [one.value for one in found.many("trusted-host")]
    assert {**ours, **many, "trusted_hosts": hosts} == theirs


def _value(setting: Setting | None) -> str | None:
    return setting.value if setting else None


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


ORACLE = """
import json, os, sys
from pip._internal.commands import create_command
names = ["index_url", "proxy", "cert", "no_index", "extra_index_urls", "find_links", "constraints", "trusted_hosts"]
answers = []
for environ in json.load(sys.stdin):
    os.environ.clear()
    os.environ.update(environ)
    sys.prefix = environ.get("VIRTUAL_ENV", "/nowhere")  # pip's `site` file is that of the Python that runs it
    parser = create_command("install").parser
    unset = parser.defaults["index_url"]
    said = parser.get_default_values()
    found = {name: getattr(said, name) for name in names}
    url = None if found["index_url"] == unset else found["index_url"]
    answers.append({**found, "index_url": url, "proxy": found["proxy"] or None, "no_index": bool(found["no_index"])})
print(json.dumps(answers))
"""
Answers = list[tuple[dict[str, str], dict[str, object]]]


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> Answers:
    """(environment, what pip itself makes of its files and variables) of each case; pip is started once."""
    environs = [_lay_out(tmp_path_factory.mktemp("case"), VARIANTS[name]) | said for name, said in CASES]
    argv = [sys.executable, "-c", ORACLE]
    answer = subprocess.run(argv, input=json.dumps(environs), capture_output=True, text=True, check=True)
    return list(zip(environs, json.loads(answer.stdout), strict=True))


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
