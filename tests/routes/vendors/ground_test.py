"""The ground itself: uv and pip take the indices for what they are meant to be, and every fault is one."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import time
import urllib.error
import urllib.request
import zipfile
from pathlib import Path

import msgspec
import pytest
from packaging.utils import parse_wheel_filename

from firstlight.knowledge.sources import builtin_indices

from .distribution import SOURCE, content, metadata, sha256
from .pages import JSON_TYPE
from .places import PLACES, by_filename, held
from .server import Fault, Vendors

UV = Path(sys.executable).with_name("uv")
QUIET = ("--no-header", "--no-annotate", "--python", sys.executable)


def _get(url: str, **headers: str) -> tuple[int, bytes, dict[str, str]]:
    request = urllib.request.Request(url, headers={name.replace("_", "-"): value for name, value in headers.items()})
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            return answer.status, answer.read(), dict(answer.headers)
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read(), dict(error.headers)


def _compile(folder: Path, vendors: Vendors, index: str, *requirements: str, more: tuple[str, ...] = ()) -> str:
    (folder / "in.txt").write_text("\n".join(requirements))
    project = {**os.environ, "UV_INDEX": vendors.url(index), "UV_DEFAULT_INDEX": vendors.url("pypi")}
    done = subprocess.run(
        [UV, "pip", "compile", "--quiet", "--no-config", *QUIET, "--python-version", "3.12",
         "--python-platform", "x86_64-manylinux_2_28", "--only-binary", ":all:", *more, str(folder / "in.txt")],
        env=project, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_every_index_that_is_built_in_is_here_under_the_path_of_its_host() -> None:
    assert set(PLACES) >= {"pypi", "evil", "mixed", "amd-nightly", *(one.name for one in builtin_indices())}
    assert len({place.path for place in PLACES.values()}) == len(PLACES)
    for one in builtin_indices():
        assert one.url.rstrip("/").endswith(PLACES[one.name].path)
        assert held(one.name)["torch"], one.name


def test_names_versions_and_metadata_agree() -> None:
    for name in PLACES:
        for filename, dist in by_filename(name).items():
            if dist.tag != SOURCE:
                project, version, _, tags = parse_wheel_filename(filename)
                assert (project, str(version)) == (dist.name, dist.version)
                assert tags
    assert f"Version: {dist.version}\n" in metadata(dist)


def test_the_same_file_is_the_same_bytes_in_every_run() -> None:
    """Pinned: a change of the ground that changes its files is one on purpose."""
    wheel = by_filename("amd-rocm10")["amd_torch_device_gfx1151-2.14.0+rocm10.1.0-cp312-cp312-linux_x86_64.whl"]
    code = (
        "from tests.routes.vendors.places import by_filename as b\n"
        "from tests.routes.vendors.distribution import sha256\n"
        f"print(sha256(b('amd-rocm10')[{wheel.filename!r}]), sha256(b('amd-rocm10')['rocm-10.1.0.tar.gz']))"
    )
    again = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True,
                           cwd=Path(__file__).resolve().parents[3])  # fmt: skip
    sdist = by_filename("amd-rocm10")["rocm-10.1.0.tar.gz"]
    assert again.stdout.split() == [sha256(wheel), sha256(sdist)]


def test_uv_resolves_a_fat_build(tmp_path: Path, vendors: Vendors) -> None:
    found = _compile(tmp_path, vendors, "pytorch-rocm7.2", "torch")
    assert "torch==2.14.1+rocm7.2\n" in found
    assert "triton-rocm==3.8.0\n" in found
    assert "filelock==4.3.1\n" in found


def test_uv_resolves_a_split_build_with_its_device(tmp_path: Path, vendors: Vendors) -> None:
    (tmp_path / "uv.toml").write_text(
        '[[dependency-metadata]]\nname = "rocm"\nversion = "10.1.0"\nrequires-dist = ["rocm-sdk-core==10.1.0", '
        '"rocm-sdk-libraries==10.1.0; extra == \'libraries\'"]\nprovides-extra = ["libraries"]\n'
    )
    (tmp_path / "in.txt").write_text("torch[device-gfx1151]==2.14.0+rocm10.1.0\nrocm==10.1.0\n")
    env = {**os.environ, "UV_INDEX": vendors.url("amd-rocm10"), "UV_DEFAULT_INDEX": vendors.url("pypi")}
    done = subprocess.run(
        [UV, "pip", "compile", "-q", "--config-file", str(tmp_path / "uv.toml"), *QUIET,
         "--format", "pylock.toml", "--python-version", "3.12", "--python-platform", "x86_64-manylinux_2_28",
         "--only-binary", ":all:", "--no-binary", "rocm", str(tmp_path / "in.txt")],
        env=env, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    packages = {one["name"]: one for one in msgspec.toml.decode(done.stdout)["packages"]}
    device = {name for name in packages if name.startswith(("amd-torch-device-", "rocm-sdk-device-"))}
    assert device == {"amd-torch-device-gfx1151", "amd-torch-device-gfx115x", "rocm-sdk-device-gfx1151"}
    assert packages["rocm"]["sdist"]["hashes"]["sha256"] == sha256(by_filename("amd-rocm10")["rocm-10.1.0.tar.gz"])


def test_pep_440_puts_the_older_rocm_first(tmp_path: Path, vendors: Vendors) -> None:
    """The trap of the mixed index is real: uv by itself falls into it."""
    assert "torch==2.12.0+rocm7.14.0\n" in _compile(tmp_path, vendors, "mixed", "torch")


def test_uv_by_itself_takes_the_malicious_index(tmp_path: Path, vendors: Vendors) -> None:
    found = _compile(tmp_path, vendors, "evil", "torch")
    assert "torch==99.0" in found
    assert "filelock==99.0" in found


def test_the_default_index_is_asked_for_json_and_gives_metadata(tmp_path: Path, vendors: Vendors) -> None:
    _compile(tmp_path, vendors, "pytorch-cpu", "torch", more=("--no-cache",))
    asked = [one for one in vendors.asked if one.path == "/simple/filelock/"]
    assert asked
    assert all(JSON_TYPE in one.accept for one in asked)
    assert "/simple/filelock-4.3.1-py3-none-any.whl.metadata" in vendors.paths()
    code, body, headers = _get(vendors.url("pypi") + "filelock/", Accept="text/html")
    assert (code, headers["Content-Type"]) == (200, "text/html")
    assert b"data-yanked" in body


def test_pages_are_asked_again_with_their_tag(vendors: Vendors) -> None:
    url = vendors.url("amd-rocm10") + "torch/"
    _, body, headers = _get(url)
    assert b"#sha256=" in body
    assert _get(url, If_None_Match=headers["ETag"])[:2] == (304, b"")
    assert b"#sha256=" not in _get(vendors.url("amd-rocm10-bare") + "torch/")[1]


def test_parts_of_a_file_can_be_had(vendors: Vendors) -> None:
    dist = by_filename("pytorch-cpu")["torch-2.14.1+cpu-cp312-cp312-manylinux_2_28_x86_64.whl"]
    url = vendors.url("pytorch-cpu") + dist.filename.replace("+", "%2B")
    code, body, headers = _get(url, Range="bytes=4-9")
    assert (code, body) == (206, content(dist)[4:10])
    assert headers["Content-Range"] == f"bytes 4-9/{len(content(dist))}"
    assert _get(url, Range="bytes=-6")[1] == content(dist)[-6:]
    assert _get(url)[1] == content(dist)


@pytest.mark.parametrize(
    ("fault", "code"),
    [("403", 403), ("500", 500), ("wrong-hash", 200), ("tampered", 200), ("other-project", 200), ("damaged", 200),
     ("gone", 200), ("cut", 200), ("lying-metadata", 200), ("no-device-wheel", 200)],
)  # fmt: skip
def test_faults_are_told_from_the_truth(fault: Fault, code: int, vendors: Vendors) -> None:
    true, page = (_get(vendors.url("pytorch-cpu", one) + "torch/") for one in (None, fault))
    assert (true[0], page[0]) == (200, code)
    changed = fault in ("403", "500", "wrong-hash", "other-project", "damaged")
    plain = page[1].replace(f"/fault/{fault}/".encode(), b"/")
    assert (plain != true[1]) is changed


def test_device_wheels_and_listed_wheels_can_be_missing(vendors: Vendors) -> None:
    url = vendors.url("amd-rocm10", "no-device-wheel")
    assert _get(url + "torch/")[0] == 200
    assert _get(url + "amd-torch-device-gfx1151/")[0] == _get(url + "rocm-sdk-device-gfx1151/")[0] == 404
    name = "filelock-4.3.1-py3-none-any.whl"
    assert _get(vendors.url("pypi", "gone") + name)[0] == 404
    true, tampered = (_get(vendors.url("pypi", one) + name)[1] for one in (None, "tampered"))
    assert true != tampered
    assert zipfile.ZipFile(io.BytesIO(tampered)).testzip() is None
    lie = _get(vendors.url("pypi", "lying-metadata") + name + ".metadata")[1]
    assert lie != _get(vendors.url("pypi") + name + ".metadata")[1]


def test_the_ground_is_made_at_once(vendors: Vendors) -> None:
    """All pages of the two largest indices, hashes of thousands of files included."""
    start = time.perf_counter()
    for name in ("pypi", "amd-rocm10"):
        for project in held(name):
            assert _get(f"{vendors.url(name)}{project}/")[0] == 200
    assert time.perf_counter() - start < 3
