"""An sdist that is built for one target, as AMD's `rocm` is: with pinned files, and the variables of the lock."""

from __future__ import annotations

import hashlib
import io
import json
import os
import subprocess
import sys
import tarfile
from pathlib import Path

import msgspec
import pytest

from firstlight.errors import NoError, UnreadableInput
from firstlight.lockfile.files import read, write
from firstlight.lockfile.model import VERSION, BackendLock, HostConditions, Lock
from firstlight.project.model import Goal, Project, Source, Sources
from firstlight.routes.model import Wheel
from firstlight.routes.pylock import pylock_text
from firstlight.steps.places import env_python
from firstlight.steps.sync import sync
from tests.routes.loopback import Index, serving

from .ground import states

PYTHON = f"{sys.version_info[0]}.{sys.version_info[1]}"
SETUP = """
import os
from setuptools import setup
family = os.environ["ROCM_SDK_TARGET_FAMILY"]
setup(name="rocm", version="10.1.0", description=f"for {family}", py_modules=["rocm"],
      install_requires=[f"rocm-sdk-device-{family}==10.1.0"])
"""
TOML = '[build-system]\nrequires = ["setuptools"]\nbuild-backend = "setuptools.build_meta"\n'


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What one test built must not serve another."""
    monkeypatch.setenv("UV_CACHE_DIR", str(tmp_path / "cache"))


@pytest.fixture(scope="session")
def setuptools(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A real setuptools from the machine's own index."""
    folder = tmp_path_factory.mktemp("setuptools")
    argv = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--only-binary", ":all:", "-d", str(folder)]
    answer = subprocess.run([*argv, "setuptools"], capture_output=True, check=False, timeout=120)
    if answer.returncode != 0:
        pytest.skip("no index offers setuptools here")
    return next(folder.glob("setuptools-*.whl"))


def make_sdist(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "rocm-10.1.0.tar.gz"
    texts = {"PKG-INFO": "Metadata-Version: 2.4\nName: rocm\nVersion: 10.1.0\nDynamic: requires-dist\n",
             "setup.py": SETUP, "pyproject.toml": TOML, "rocm.py": "version = 10\n"}  # fmt: skip
    with tarfile.open(path, "w:gz") as archive:
        for name, text in texts.items():
            member = tarfile.TarInfo(f"rocm-10.1.0/{name}")
            member.size, member.mtime = len(text), 1_700_000_000
            archive.addfile(member, io.BytesIO(text.encode()))
    return path


def entry(path: Path, index: Index | None) -> Wheel:
    name, version = path.name.removesuffix(".tar.gz").split("-")[:2]
    url = index.url("files") + path.name if index else None
    data = path.read_bytes()
    return Wheel(name=name, version=version, filename=path.name, sha256=hashlib.sha256(data).hexdigest(),
                 size=len(data), url=url, source="house")  # fmt: skip


def project(root: Path, house: Path) -> Project:
    root.mkdir(parents=True)
    source = Source(name="house", url=str(house), kind="folder", origin="test")
    return Project(
        root=str(root), goal=Goal(), sources=Sources(default_indices=(), wheelhouses=(source,), torch_indices=())
    )


def lock(wanted: Project, sdist: Wheel, build: tuple[Wheel, ...], target: str) -> Lock:
    text = pylock_text([sdist], PYTHON)
    frozen = BackendLock(
        backend="rocm", route="amd", tier="vendor", python=PYTHON, pylock="pylock.rocm.toml",
        pylock_sha256=hashlib.sha256(text.encode()).hexdigest(), variables={},
        local=tuple(one for one in (sdist,) if one.url is None), build=build,
        build_variables={"ROCM_SDK_TARGET_FAMILY": target},
    )  # fmt: skip
    host = HostConditions(arch="x86_64", targets=(target,))
    write(wanted.root, Lock(version=VERSION, goal={}, host=host, backends=(frozen,)), text)
    return read(wanted.root)


def info(wanted: Project, name: str) -> str:
    folder = next(Path(wanted.root).glob(".firstlight/env/lib/*/site-packages/rocm-10.1.0.dist-info"))
    return (folder / name).read_text()


@pytest.mark.parametrize("served", [True, False], ids=["index", "folder"])
def test_two_checkouts_get_the_same_bytes(
    tmp_path: Path, setuptools: Path, monkeypatch: pytest.MonkeyPatch, *, served: bool
) -> None:
    house = setuptools.parent
    sdist = make_sdist(house)
    with serving(house) as index:
        where = index if served else None
        said = entry(sdist, where), (entry(setuptools, where),)
        records = []
        for number, cache in enumerate(("one", "two")):
            monkeypatch.setenv("UV_CACHE_DIR", str(tmp_path / cache))
            wanted = project(tmp_path / f"checkout {number}" / cache, house)
            assert "done" in states(sync(wanted, lock(wanted, *said, "gfx1151"), "rocm"))
            assert states(sync(wanted, read(wanted.root), "rocm")) == {"right"}
            assert "rocm-sdk-device-gfx1151==10.1.0" in info(wanted, "METADATA")
            assert os.listdir(tmp_path / f"checkout {number}" / cache / ".firstlight/journal") == ["sync.jsonl"]
            records.append(info(wanted, "RECORD"))
    assert records[0] == records[1]
    assert "sha256=" in records[0]


def test_the_cache_does_not_give_what_was_built_for_another_target(tmp_path: Path, setuptools: Path) -> None:
    wanted = project(tmp_path / "project", setuptools.parent)
    said = entry(make_sdist(setuptools.parent), None), (entry(setuptools, None),)
    for target in ("gfx1151", "gfx942", "gfx1151"):
        sync(wanted, lock(wanted, *said, target), "rocm")
        assert f"Summary: for {target}" in info(wanted, "METADATA")
    assert env_python(wanted) is not None


def test_what_builds_is_checked_against_its_hash(tmp_path: Path, setuptools: Path) -> None:
    house = setuptools.parent
    sdist = make_sdist(house)
    with serving(house) as index:
        wrong = msgspec.structs.replace(entry(setuptools, index), sha256="0" * 64)
        wanted = project(tmp_path / "project", house)
        with pytest.raises(NoError, match="hash"):
            sync(wanted, lock(wanted, entry(sdist, index), (wrong,), "gfx1151"), "rocm")
    assert env_python(wanted) is None


def test_what_is_not_pinned_is_not_looked_up(tmp_path: Path, setuptools: Path) -> None:
    """The sdist asks for setuptools; the lock pins another: no index may say which setuptools it is then."""
    house = setuptools.parent
    with serving(house) as index:
        sdist = entry(make_sdist(house), index)
        other = msgspec.structs.replace(entry(setuptools, index), name="wheel")
        wanted = project(tmp_path / "project", house)
        main = Source(name="default", url=index.url("simple"), kind="index", origin="test")
        wanted = msgspec.structs.replace(
            wanted, sources=msgspec.structs.replace(wanted.sources, default_indices=(main,))
        )
        with pytest.raises(NoError, match="not there") as caught:
            sync(wanted, lock(wanted, sdist, (other,), "gfx1151"), "rocm")
        assert caught.value.why is not None
        assert "setuptools" in caught.value.why.en
        assert not any("/simple/" in path for path in index.asked)


def test_a_lock_that_does_not_say_what_builds_its_sdist_is_refused(tmp_path: Path) -> None:
    house = tmp_path / "house"
    sdist = entry(make_sdist(house), None)
    wanted = project(tmp_path / "project", house)
    with pytest.raises(UnreadableInput, match=r"build"):
        sync(wanted, lock(wanted, sdist, (), "gfx1151"), "rocm")


BAD = {
    "filename": ("setuptools.tar.gz", "../x.whl", "x\n.whl/", ""),
    "sha256": ("", "g" * 64),
    "name": ("a b", "a\n--index-url x", "", "ä"),
    "url": ("ftp://x", "file:///etc/passwd", "https://x/\n-r y", "https://x/a b", "https://x/#sha256=1"),
}


@pytest.mark.parametrize(("field", "value"), [(field, value) for field, values in BAD.items() for value in values])
def test_a_build_entry_that_could_say_more_is_refused(tmp_path: Path, field: str, value: str) -> None:
    good = Wheel(name="setuptools", version="80", filename="setuptools-80-py3-none-any.whl", sha256="0" * 64,
                 url="https://x/setuptools-80-py3-none-any.whl", source="default")  # fmt: skip
    wanted = project(tmp_path / "project", tmp_path)
    sdist = entry(make_sdist(tmp_path / "house"), None)
    lock(wanted, sdist, (good,), "gfx1151")
    bad = msgspec.structs.replace(good, **{field: value})
    with pytest.raises(UnreadableInput, match=rf"build\[0\]\.{field}"):
        lock(wanted, sdist, (bad,), "gfx1151")


def test_the_settings_are_valid_for_uv(tmp_path: Path, setuptools: Path) -> None:
    wanted = project(tmp_path / "project", setuptools.parent)
    said = entry(make_sdist(setuptools.parent), None), (entry(setuptools, None),)
    sync(wanted, lock(wanted, *said, "gfx1151"), "rocm")
    built = json.loads(info(wanted, "uv_build.json"))
    assert built["extra_build_variables"]["ROCM_SDK_TARGET_FAMILY"] == "gfx1151"
