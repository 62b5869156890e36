"""Which setting wins, and what an error names."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from firstlight.errors import UnreadableInput
from firstlight.project.load import load
from firstlight.project.model import Project
from firstlight.project.root import find_root
from firstlight.project.settings import Flags


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "p").mkdir()
    return tmp_path / "p"


def _load(root: Path, flags: Flags | None = None, **environ: str) -> Project:
    known = {"HOME": str(root.parent / "home"), **environ}
    return load(str(root), flags or Flags(), known, etc=str(root.parent / "etc"))


def _put(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def test_each_level_wins_over_the_one_below(root: Path) -> None:
    user, own = root.parent / "home/.config/firstlight/config.toml", root / "firstlight.toml"
    assert _load(root).goal.torch is None
    _put(user, '[goal]\ntorch = ">=1"\npolicy = "production"\n')
    assert _load(root).goal.torch == ">=1"
    _put(root / "pyproject.toml", '[tool.firstlight.goal]\ntorch = ">=2"\n')
    assert _load(root).goal.torch == ">=2"
    _put(own, '[goal]\ntorch = ">=3"\n')
    assert _load(root).goal.torch == ">=3"
    assert _load(root, FIRSTLIGHT_TORCH=">=4").goal.torch == ">=4"
    found = _load(root, Flags(torch=">=5"), FIRSTLIGHT_TORCH=">=4")
    assert (found.goal.torch, found.goal.policy) == (">=5", "production")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ('[goal]\nbackend = "rocn"\n', "goal.backend"),
        ("[goal]\nbakend = 1\n", "goal"),
        ('[goal]\ntorch = "new"\n', "goal.torch"),
        ('[goal]\npackages = ["numpy", "a b c"]\n', r"goal.packages\[1\]"),
        ('[[source]]\nname = "x"\n', r"source\[0\]"),
        ("[goal\n", "firstlight.toml"),
        ("a = " + "[" * 5000, "nested too deeply"),
        ('origin = "x"\n', "origin"),
        ('[goal]\npython = "3"\n', "goal.python"),
        ('[goal]\npython = "python3.12"\n', "goal.python"),
        ("megabits = 0\n", "megabits"),
    ],
)
def test_an_error_names_the_file_and_the_place(root: Path, text: str, names: str) -> None:
    _put(root / "firstlight.toml", text)
    with pytest.raises(UnreadableInput, match=names) as caught:
        _load(root)
    assert "firstlight.toml" in caught.value.what.en
    assert caught.value.what.zh


def test_pip_and_uv_say_where_to_look(root: Path) -> None:
    _put(
        root.parent / "home/.config/pip/pip.conf",
        "[global]\nextra-index-url = https://x.example/whl/rocm7.2\nfind-links = /w\n",
    )
    _put(root.parent / "home/.config/uv/uv.toml", '[[index]]\nname = "mine"\nurl = "https://y.example/simple"\n')
    sources = _load(root, UV_DEFAULT_INDEX="https://uv.example/simple").sources
    assert [one.name for one in sources.default_indices] == ["pip-index-rocm7.2", "mine", "pypi"]
    assert sources.default_indices[-1].url == "https://uv.example/simple"
    assert [(one.name, one.url) for one in sources.wheelhouses] == [("wheelhouse", "/w")]
    assert _load(root, PIP_INDEX_URL="https://pip.example").sources.default_indices[-1].url == "https://pip.example"


def test_a_source_is_remapped_by_name(root: Path) -> None:
    _put(root / "firstlight.toml", '[[source]]\nname = "pytorch-cpu"\nurl = "https://file.example"\n')
    found = {one.name: one.url for one in _load(root).sources.torch_indices}
    assert found["pytorch-cpu"] == "https://file.example"
    found = {
        one.name: one.url
        for one in _load(root, FIRSTLIGHT_SOURCE_PYTORCH_CPU="https://v.example").sources.torch_indices
    }
    assert found["pytorch-cpu"] == "https://v.example"
    assert list(found).count("pytorch-cpu") == 1


def test_a_variable_names_a_source_without_its_dot(root: Path) -> None:
    found = _load(root, FIRSTLIGHT_SOURCE_PYTORCH_ROCM7_2="https://v.example").sources.torch_indices
    assert [one.name for one in found if one.url == "https://v.example"] == ["pytorch-rocm7.2"]


def test_names_tell_no_path_and_no_host(root: Path) -> None:
    urls = "https://u:p@host.example/token/simple file:///home/somebody/simple https://other.example/cu130"
    found = _load(root, PIP_EXTRA_INDEX_URL=urls).sources.default_indices
    assert [one.name for one in found] == ["pip-index", "pip-index-2", "pip-index-cu130", "pypi"]


def test_a_relative_path_in_a_file_is_meant_from_there(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(root.parent)
    _put(
        root / "firstlight.toml",
        'constraints = ["c.txt", "https://host.example/c.txt"]\n[goal]\npython = "venv/bin/python"\n'
        '[[source]]\nname = "mine"\nurl = "wheels"\nkind = "folder"\n',
    )
    found = _load(root)
    assert found.sources.wheelhouses[0].url == str(root / "wheels")
    assert found.sources.constraints == (str(root / "c.txt"), "https://host.example/c.txt")
    assert found.goal.python == str(root / "venv/bin/python")


def test_the_speed_of_the_network_is_a_number(root: Path) -> None:
    assert _load(root, FIRSTLIGHT_MEGABITS="80").sources.megabits == 80
    with pytest.raises(UnreadableInput, match="megabits"):
        _load(root, FIRSTLIGHT_MEGABITS="fast")


def test_no_index_leaves_find_links_only(root: Path) -> None:
    sources = _load(root, PIP_NO_INDEX="1", PIP_FIND_LINKS="/w").sources
    assert sources.no_index
    assert not sources.default_indices
    assert not sources.torch_indices
    assert sources.wheelhouses[0].url == "/w"


@pytest.mark.parametrize(("said", "offline"), [("1", True), ("0", False), ("", False), ("yes", True)])
def test_offline(root: Path, said: str, *, offline: bool) -> None:
    assert _load(root, FIRSTLIGHT_OFFLINE=said).sources.offline is offline


def test_the_root_is_the_nearest_folder_of_ours(tmp_path: Path) -> None:
    deep = tmp_path / "a/b/c"
    deep.mkdir(parents=True)
    (tmp_path / "a/pyproject.toml").write_text("[project]\nname = 'x'\n")
    assert find_root(str(deep)) == str(deep)
    (tmp_path / "a/pyproject.toml").write_text("[tool.firstlight]\n[tool.firstlight.goal]\n")
    assert find_root(str(deep)) == str(tmp_path / "a")
    (tmp_path / "a/b/firstlight.lock").write_text("")
    assert find_root(str(deep)) == str(tmp_path / "a/b")


def test_a_folder_above_that_another_user_prepared_does_not_count(tmp_path: Path) -> None:
    (tmp_path / "firstlight.toml").write_text("")
    inner = tmp_path / "mine"
    inner.mkdir()
    assert find_root(str(inner)) == str(tmp_path)
    if os.geteuid() != 0:
        pytest.skip("needs root, to give a file away")
    os.chown(tmp_path / "firstlight.toml", 65534, 65534)
    assert find_root(str(inner)) == str(inner)


def test_a_damaged_pyproject_above_is_not_ours(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[[[")
    inner = tmp_path / "mine"
    inner.mkdir()
    assert find_root(str(inner)) == str(inner)


def test_many_extras_in_one_line_are_not_deep(tmp_path: Path) -> None:
    listed = ", ".join(f"'pkg{n}[extra]'" for n in range(100))
    (tmp_path / "pyproject.toml").write_text(
        f"[project]\ndependencies = [{listed}]\n[tool.firstlight.goal]\ntorch='>=2'\n"
    )
    assert find_root(str(tmp_path)) == str(tmp_path)
    assert load(str(tmp_path), environ={}, etc=str(tmp_path)).goal.torch == ">=2"


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "firstlight.toml")
    with pytest.raises(UnreadableInput, match="not a regular file"):
        load(str(tmp_path), environ={}, etc=str(tmp_path))


@pytest.mark.parametrize("setting", ["source", "PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "PIP_FIND_LINKS", "UV_INDEX"])
def test_a_login_without_a_scheme_is_refused_unseen(setting: str, tmp_path: Path) -> None:
    """It would pass for a path on this disk, and be shown as one."""
    place, environ = "user:s3cr3t@host.example/simple", {"HOME": str(tmp_path)}
    if setting == "source":
        (tmp_path / "firstlight.toml").write_text(f'[[source]]\nname = "mine"\nurl = "{place}"\n')
    else:
        environ[setting] = place
    with pytest.raises(UnreadableInput, match="https://") as caught:
        load(str(tmp_path), environ=environ, etc=str(tmp_path))
    assert "s3cr3t" not in str(caught.value)
    assert ("source[0].url" if setting == "source" else setting) in str(caught.value)
