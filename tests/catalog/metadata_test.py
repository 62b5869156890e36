"""What a file says of itself, read without fetching more than that."""

from __future__ import annotations

import io
import tarfile
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from packaging.metadata import parse_email

from firstlight.catalog import archives, windows
from firstlight.catalog.address import file_url
from firstlight.catalog.core_metadata import read_metadata
from firstlight.catalog.model import IndexFile, Metadata
from firstlight.catalog.trouble import Failed
from tests.catalog.cache_test import Clock
from tests.catalog.conftest import Make, metadata, trouble, wheel_at
from tests.catalog.distributions import FOLDER, METADATA, PKG_INFO, add, digest, sdist, wheel
from tests.catalog.server import Asked, Server, Told, in_turn, ranged, told

WHEEL = wheel(filler=300_000)
NAME = "/f/torch-2.14.0%2Brocm10.1.0-cp312-cp312-linux_x86_64.whl"
SDIST = "/f/rocm-10.1.0.tar.gz"
WANTED = Metadata(
    name="torch", version="2.14.0+rocm10.1.0", requires_python=">=3.10", extras=("device-gfx1151", "device-all"),
    requires=("rocm-bootstrap", "rocm[libraries]==10.1.0",
              'amd-torch-device-gfx1151==2.14.0+rocm10.1.0; extra == "device-gfx1151"'),
)  # fmt: skip


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


def source(url: str, filename: str = "rocm-10.1.0.tar.gz", **said: object) -> IndexFile:
    return IndexFile(filename=filename, url=url, **said)  # type: ignore[arg-type]


def test_metadata_beside_the_file(server: Server, catalog: Make) -> None:
    server.routes[NAME + ".metadata"] = told(METADATA)
    file = wheel_at(server.url(NAME), metadata=True, metadata_sha256=digest(METADATA.encode()))
    assert metadata(catalog().metadata(file)) == WANTED
    assert metadata(catalog(offline=True).metadata(file)) == WANTED
    assert server.paths() == [NAME + ".metadata"]


def test_metadata_beside_the_file_that_has_another_hash(server: Server, catalog: Make) -> None:
    server.routes["*"] = told(METADATA)
    file = wheel_at(server.url(NAME), metadata=True, metadata_sha256="0" * 64)
    said = trouble(catalog().metadata(file), "wrong-hash")
    assert digest(METADATA.encode()) in said.text.en
    assert server.paths() == [NAME + ".metadata"], "there is no second way that would hide it"


def test_an_address_with_a_query(server: Server, catalog: Make) -> None:
    server.routes[NAME + ".metadata?s=1"] = told(METADATA)
    assert metadata(catalog().metadata(wheel_at(server.url(NAME + "?s=1"), metadata=True))) == WANTED


@pytest.mark.parametrize("stated", [True, False])
@pytest.mark.parametrize("promised", [True, False])
def test_parts_of_a_wheel(stated: bool, promised: bool, server: Server, catalog: Make) -> None:  # noqa: FBT001
    server.routes[NAME] = ranged(WHEEL)
    file = wheel_at(
        server.url(NAME), size=len(WHEEL) if stated else None, sha256=digest(WHEEL) if stated else None,
        metadata=promised,
    )  # fmt: skip
    assert metadata(catalog().metadata(file)) == WANTED
    asked = [one for one in server.asked if one.path == NAME and one.method == "GET"]
    assert all("range" in one.headers for one in asked)
    assert len(asked) == 1, "its end holds all that is needed"


def test_a_long_directory_and_metadata_at_the_start(server: Server, catalog: Make) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr(f"{FOLDER}/METADATA", METADATA)
        archive.writestr("torch/lib.so", b"\0" * 400_000)
        for number in range(3000):
            archive.writestr(f"torch/include/some/longer/name/of/a/header/{number}.h", "")
    server.routes[NAME] = ranged(packed.getvalue())
    assert metadata(catalog().metadata(wheel_at(server.url(NAME), size=len(packed.getvalue())))) == WANTED
    assert len(server.paths()) <= 4


def test_of_a_file_with_a_hash_it_is_kept_for_good(server: Server, catalog: Make, clock: Clock) -> None:
    server.routes[NAME] = ranged(WHEEL)
    file = wheel_at(server.url(NAME), size=len(WHEEL), sha256=digest(WHEEL))
    catalog().metadata(file)
    clock.ahead = 400 * 86400
    assert metadata(catalog().metadata(file)) == WANTED
    assert len(server.asked) == 1
    other = wheel_at(server.url(NAME), size=len(WHEEL), sha256="0" * 64)
    catalog().metadata(other)
    assert len(server.asked) == 2, "another hash is another file"


def test_of_a_file_without_a_hash_the_server_is_asked_again(server: Server, catalog: Make, clock: Clock) -> None:
    def route(asked: Asked) -> Told:
        answer = ranged(WHEEL)(asked)
        return Told(answer.status, answer.body, {**answer.headers, "ETag": etag})

    etag = '"1"'
    server.routes[NAME] = route
    file = wheel_at(server.url(NAME))
    catalog().metadata(file)
    assert [one.method for one in server.asked] == ["HEAD", "GET"]
    catalog().metadata(file)
    assert len(server.asked) == 2
    clock.ahead = 700
    assert metadata(catalog().metadata(file)) == WANTED
    assert [one.method for one in server.asked[2:]] == ["HEAD"]
    clock.ahead, etag = 1400, '"2"'
    assert metadata(catalog().metadata(file)) == WANTED
    assert [one.method for one in server.asked[3:]] == ["HEAD", "GET"]
    clock.ahead = 9999
    assert metadata(catalog(offline=True).metadata(file)) == WANTED
    trouble(catalog(offline=True).metadata(wheel_at(server.url("/other"))), "offline")


def test_a_server_that_sends_only_whole_files(server: Server, catalog: Make) -> None:
    server.routes[NAME] = told(WHEEL)
    assert metadata(catalog().metadata(wheel_at(server.url(NAME), size=len(WHEEL)))) == WANTED
    large = wheel(filler=2 << 20)
    server.routes["/f/large"] = told(large)
    for size in (len(large), None, 100_000):
        said = trouble(catalog().metadata(wheel_at(server.url("/f/large"), size=size)), "too-large")
        assert "metadata by itself" in said.text.en
    wrong = wheel_at(server.url(NAME), size=len(WHEEL), sha256="1" * 64)
    trouble(catalog().metadata(wrong), "wrong-hash")


def test_a_server_that_does_not_answer_head(server: Server, catalog: Make) -> None:
    server.routes[NAME] = lambda asked: Told(405) if asked.method == "HEAD" else ranged(WHEEL)(asked)
    assert metadata(catalog().metadata(wheel_at(server.url(NAME)))) == WANTED
    assert catalog().sizes([wheel_at(server.url(NAME))]) == {server.url(NAME): len(WHEEL)}


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (Told(206, b"x" * 10, {"Content-Range": "bytes 0-9/300000"}), "damaged-index"),
        (Told(206, b"x" * 10, {"Content-Range": "lines 0-9/300000"}), "damaged-index"),
        (Told(206, b"x" * 10), "damaged-index"),
        (Told(206, b"x" * 10, {"Content-Range": f"bytes {300000 - 65536}-299999/300000"}), "damaged-index"),
        (Told(206, b"x" * 65536, {"Content-Range": f"bytes {300000 - 65536}-299999/300000"}), "damaged-index"),
        (Told(206, b"x" * 65537, {"Content-Range": f"bytes {300000 - 65536}-299999/300000"}), "damaged-index"),
        (Told(204), "damaged-index"),
        (Told(404), "not-there"),
        (Told(403), "denied"),
        (Told(416), "server-error"),
        (Told(500), "server-error"),
        (Told(fault="drop"), "unreachable"),
    ],
)
def test_wrong_parts(answer: Told, kind: str, server: Server, catalog: Make) -> None:
    server.routes[NAME] = lambda _: answer
    trouble(catalog().metadata(wheel_at(server.url(NAME), size=300_000, sha256="0" * 64)), kind)  # type: ignore[arg-type]


def test_a_part_that_drops_is_asked_for_once_more(server: Server, catalog: Make) -> None:
    server.routes[NAME] = in_turn(lambda _: Told(fault="drop"), ranged(WHEEL))
    assert metadata(catalog().metadata(wheel_at(server.url(NAME), size=len(WHEEL), sha256="0" * 64))) == WANTED


def test_a_directory_that_claims_gigabytes_is_not_fetched(
    server: Server, catalog: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(windows, "BUDGET", 200_000)
    server.routes[NAME] = ranged(wheel(filler=1000, members={f"x/{number:0100}": "" for number in range(3000)}))
    size = len(server.routes[NAME](Asked("GET", NAME, {})).body)
    said = trouble(catalog().metadata(wheel_at(server.url(NAME), size=size, sha256="0" * 64)), "damaged-index")
    assert "200000 bytes" in said.text.en


@pytest.mark.parametrize(
    ("data", "wrong"),
    [
        (b"PK" * 50_000, "archive is broken"),
        (b"", "archive is broken"),
        (wheel(METADATA.replace("+rocm10.1.0\n", "\n", 1)), "speaks of `Torch 2.14.0`"),
        (wheel(METADATA.replace("Name: Torch", "Name: torchvision")), "speaks of `torchvision 2.14.0+rocm10.1.0`"),
        (wheel(METADATA.replace("Name: Torch", "Name: torch\nName: x")), "2 fields `name`"),
        (wheel(METADATA.replace("Version: 2", "Xersion: 2")), "0 fields `version`"),
        (wheel(METADATA.replace("rocm-bootstrap", "rocm bootstrap")), "`rocm bootstrap` is no requirement"),
        (wheel(METADATA.replace("rocm-bootstrap", "a; " + "(" * 3000)), "is no requirement"),
        (wheel(METADATA.replace("rocm-bootstrap", "a" * 5000)), "is no requirement"),
        (wheel(METADATA.replace(">=3.10", ">>3")), "`>>3` is no range"),
        (wheel(METADATA.replace(">=3.10", ">=3," * 2000)), "is no range"),
        (wheel(METADATA.replace("Device_All", "de/vice")), "is no name of an extra"),
        (wheel("Requires-Dist: a\n" * 5001 + METADATA), "too many fields `requires-dist`"),
        (wheel("no field\n" + METADATA), "`no field` is no field"),
        (wheel("x" * (4 << 20) + METADATA), "of a sensible size"),
        (wheel(members={"torch-2.14.0+ROCM10.1.0.dist-info/METADATA": METADATA}), "holds METADATA 2 times"),
    ],
)
def test_wheels_that_lie(data: bytes, wrong: str, server: Server, catalog: Make) -> None:
    server.routes[NAME] = ranged(data)
    file = wheel_at(server.url(NAME), size=len(data))
    assert wrong in trouble(catalog().metadata(file), "damaged-index").text.en


def test_wheels_that_lack_it_or_hide_it(server: Server, catalog: Make) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("other-1.0.dist-info/METADATA", METADATA)
        archive.writestr(f"x/{FOLDER}/METADATA", METADATA)
    encrypted = bytearray(wheel())
    place = encrypted.rindex(f"{FOLDER}/METADATA".encode()) - 46 + 8
    encrypted[place] |= 1
    for data in (packed.getvalue(), bytes(encrypted)):
        server.routes[NAME] = ranged(data)
        trouble(catalog().metadata(wheel_at(server.url(NAME), size=len(data))), "damaged-index")


def test_an_sdist(server: Server, catalog: Make) -> None:
    data = sdist()
    server.routes[SDIST] = told(data)
    wanted = Metadata(
        name="rocm", version="10.1.0", requires=("rocm-sdk-core==10.1.0",),
        dynamic=("requires-dist", "provides-extra"), build_requires=("setuptools>=40.8.0",),
    )  # fmt: skip
    assert metadata(catalog().metadata(source(server.url(SDIST), sha256=digest(data)))) == wanted
    assert metadata(catalog(offline=True).metadata(source(server.url(SDIST), sha256=digest(data)))) == wanted
    trouble(catalog().metadata(source(server.url(SDIST), sha256="0" * 64)), "wrong-hash")
    server.routes[SDIST] = told(sdist(PKG_INFO.replace("2.4", "2.1")))
    old = metadata(catalog().metadata(source(server.url(SDIST))))
    assert old.dynamic == ("requires-dist", "provides-extra", "requires-python"), "it could not vouch for them yet"


def test_an_sdist_in_a_zip(server: Server, catalog: Make) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("rocm-10.1.0/PKG-INFO", PKG_INFO)
        archive.writestr("rocm-10.1.0/x/PKG-INFO", "")
    server.routes["/z.zip"] = told(packed.getvalue())
    assert metadata(catalog().metadata(source(server.url("/z.zip"), "rocm-10.1.0.zip"))).name == "rocm"


def bomb(size: int) -> bytes:
    import gzip

    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        add(archive, "rocm-10.1.0/zeros", b"\0" * size)
        add(archive, "rocm-10.1.0/PKG-INFO", PKG_INFO.encode())
    return gzip.compress(packed.getvalue())


@pytest.mark.parametrize(
    ("data", "wrong"),
    [
        (b"junk", "archive is broken"),
        (sdist()[:200], "archive is broken"),
        (sdist(name="PKG-INFO"), "holds no PKG-INFO"),
        (sdist(name="a/b/PKG-INFO"), "holds no PKG-INFO"),
        (sdist("x" * (5 << 20)), "holds no PKG-INFO"),
        (sdist(PKG_INFO.replace("10.1.0", "7.0")), "speaks of `rocm 7.0`"),
        (sdist(PKG_INFO.replace("2.4", "two")), "no sensible version"),
        (bomb(70 << 20), "not among its first"),
    ],
)  # fmt: skip
def test_sdists_that_lie(data: bytes, wrong: str, server: Server, catalog: Make) -> None:
    server.routes[SDIST] = told(data)
    assert wrong in trouble(catalog().metadata(source(server.url(SDIST))), "damaged-index").text.en


def test_an_sdist_that_is_a_link_to_elsewhere(server: Server, catalog: Make) -> None:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        member = tarfile.TarInfo("rocm-10.1.0/PKG-INFO")
        member.type, member.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(member)
    server.routes[SDIST] = told(packed.getvalue())
    trouble(catalog().metadata(source(server.url(SDIST))), "damaged-index")


def test_a_large_sdist_is_not_fetched(server: Server, catalog: Make) -> None:
    server.routes[SDIST] = told(b"x" * ((8 << 20) + 1))
    trouble(catalog().metadata(source(server.url(SDIST), size=9 << 20, sha256="0" * 64)), "too-large")
    assert server.asked == []
    trouble(catalog().metadata(source(server.url(SDIST), sha256="0" * 64)), "too-large")


def test_files_on_this_disk(catalog: Make, tmp_path: Path) -> None:
    (tmp_path / "a b.whl").write_bytes(WHEEL)
    (tmp_path / "s.tar.gz").write_bytes(sdist())
    (tmp_path / "l.tar.gz").write_bytes(b"x" * ((8 << 20) + 1))
    one = catalog(offline=True)
    assert metadata(one.metadata(wheel_at(file_url(str(tmp_path / "a b.whl"))))) == WANTED
    assert metadata(one.metadata(source(file_url(str(tmp_path / "s.tar.gz"))))).name == "rocm"
    trouble(one.metadata(source(file_url(str(tmp_path / "s.tar.gz")), sha256="0" * 64)), "wrong-hash")
    trouble(one.metadata(source(file_url(str(tmp_path / "l.tar.gz")))), "too-large")
    trouble(one.metadata(wheel_at(file_url(str(tmp_path / "gone.whl")))), "not-there")
    trouble(one.metadata(wheel_at(file_url(str(tmp_path)))), "not-there")
    trouble(one.metadata(wheel_at("file:///a%00b")), "not-there")
    assert one.sizes([wheel_at(file_url(str(tmp_path / "a b.whl"))), wheel_at("file:///nowhere")]) == {
        file_url(str(tmp_path / "a b.whl")): len(WHEEL)
    }


@pytest.mark.parametrize("filename", ["torch.whl", "torch-1.tar.bz2", "x/torch-1.tar.gz", "torch-1.0\n.tar.gz", ""])
def test_names_that_are_none(filename: str, catalog: Make) -> None:
    trouble(catalog().metadata(IndexFile(filename=filename, url="http://127.0.0.1:1/")), "damaged-index")


FIELD = st.sampled_from(["Requires-Dist", "Provides-Extra", "Summary", "requires-dist", "Classifier", "Dynamic"])
VALUE = {
    "requires-dist": st.sampled_from(["a", "b >=1,<2", "c[x] ; python_version > '3'", "d @ https://e.example/f.whl"]),
    "provides-extra": st.sampled_from(["x", "y-z", "gfx1151"]),
    "dynamic": st.sampled_from(["Version", "requires-dist"]),
}


@given(st.lists(FIELD.flatmap(lambda name: st.tuples(st.just(name), VALUE.get(name.lower(), st.just("t"))))))
def test_fields_are_those_that_packaging_reads(fields: list[tuple[str, str]]) -> None:
    text = "Metadata-Version: 2.2\nName: A.b\nVersion: 1.0.0\n" + "".join(
        f"{name}: {value}\n" for name, value in fields
    )
    oracle, _ = parse_email(text)
    found = read_metadata(f"{text}\nBody: x\n".encode(), "a-b", "1.0.0", source=True)
    assert list(found.requires) == oracle.get("requires_dist", [])
    assert list(found.extras) == list(dict.fromkeys(oracle.get("provides_extra", [])))
    assert list(found.dynamic) == list(dict.fromkeys(one.lower() for one in oracle.get("dynamic", [])))


def test_a_description_of_millions_of_lines_takes_no_time() -> None:
    import time

    start = time.perf_counter()
    text = "Metadata-Version: 2.1\nName: a\nVersion: 1\nDescription: x\n" + " \n" * 2_000_000
    assert read_metadata(text.encode(), "a", "1", source=False).requires == ()
    assert time.perf_counter() - start < 3
    with pytest.raises(Failed):
        read_metadata(text.encode() + b" " * (4 << 20), "a", "1", source=False)
    assert archives.UNPACKED == 64 << 20


@pytest.mark.parametrize(
    ("pyproject", "wanted"),
    [
        ('[build-system]\nrequires = ["hatchling >=1.26", "wheel"]\n', ("hatchling>=1.26", "wheel")),
        ("[build-system]\nbuild-backend = 'b'\n", ("setuptools>=40.8.0",)),
        ("[project]\nname = 'rocm'\n", ("setuptools>=40.8.0",)),
    ],
)
def test_what_an_sdist_is_built_with(server: Server, catalog: Make, pyproject: str, wanted: tuple[str, ...]) -> None:
    server.routes[SDIST] = told(sdist(pyproject=pyproject))
    assert metadata(catalog().metadata(source(server.url(SDIST)))).build_requires == wanted


@pytest.mark.parametrize(
    "pyproject", ["[build", '[build-system]\nrequires = "x"\n', '[build-system]\nrequires = ["a b c"]\n']
)
def test_an_sdist_that_says_it_wrongly(server: Server, catalog: Make, pyproject: str) -> None:
    server.routes[SDIST] = told(sdist(pyproject=pyproject))
    trouble(catalog().metadata(source(server.url(SDIST))), "damaged-index")
