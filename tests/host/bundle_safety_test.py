"""Each way in which a recording could harm its reader is refused with a clear error, or cannot work."""

from __future__ import annotations

import gzip
import io
import json
import os
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from firstlight.errors import UnreadableInput
from firstlight.host import archive as archive_module
from firstlight.host import manifest, members, open_host
from firstlight.host.model import Missing, Unread
from tests.unprivileged import nobody

from .recordings import SCHEMA, archive, document, folder, host_json, member, tar

SECRET = b"not for the recording"


def refused(path: str, *words: str) -> None:
    with pytest.raises(UnreadableInput) as caught:
        open_host(path)
    assert path in caught.value.what.en
    assert path in caught.value.what.zh
    assert caught.value.what.zh != caught.value.what.en
    assert caught.value.exit_code == 2
    for word in words:
        assert word in caught.value.what.en


@pytest.mark.parametrize("name", ["../evil", "root/../../evil", "/etc/evil", "root/sys/../../../evil", ".."])
def test_names_that_lead_out(tmp_path: Path, name: str) -> None:
    refused(archive(tmp_path / "a.tar", member(name, b"x")), "name")


@pytest.mark.parametrize(
    ("kind", "word"),
    [
        (tarfile.LNKTYPE, "hard link"),
        (tarfile.CHRTYPE, "character device"),
        (tarfile.BLKTYPE, "block device"),
        (tarfile.FIFOTYPE, "FIFO"),
        (tarfile.CONTTYPE, "kind"),
        (tarfile.GNUTYPE_SPARSE, "kind"),
        (b"Z", "kind"),
    ],
)
def test_kinds_that_no_recording_needs(tmp_path: Path, kind: bytes, word: str) -> None:
    refused(archive(tmp_path / "a.tar", member("root/x", type=kind, linkname="host.json")), word)


def test_a_sparse_file(tmp_path: Path) -> None:
    headers = {"GNU.sparse.major": "0", "GNU.sparse.minor": "1", "GNU.sparse.map": "0,0", "GNU.sparse.size": "1"}
    data = tar([host_json(), member("root/x", b"", pax_headers=headers)], pax=True)
    (tmp_path / "a.tar").write_bytes(data)
    refused(str(tmp_path / "a.tar"))


def test_members_given_twice(tmp_path: Path) -> None:
    refused(archive(tmp_path / "a.tar", member("root/x", b"1"), member("./root//x", b"2")), "twice")
    refused(archive(tmp_path / "b.tar", member("host.json", b"{}")), "twice")


def test_links_in_an_archive_are_text(tmp_path: Path) -> None:
    links = [
        member("root/out", type=tarfile.SYMTYPE, linkname="/etc/passwd"),
        member("root/up", type=tarfile.SYMTYPE, linkname="../../../../etc/passwd"),
        member("root/in", type=tarfile.SYMTYPE, linkname="/sys/x"),
        member("root/sys/x", b"inside"),
    ]
    host = open_host(archive(tmp_path / "a.tar", *links))
    assert host.read("/in") == b"inside"
    for path in ("/out", "/up"):
        assert host.read(path) == Unread(Missing.NOT_CAPTURED, path)


def test_nothing_lies_below_a_link_or_a_file(tmp_path: Path) -> None:
    link = member("root/etc", type=tarfile.SYMTYPE, linkname="/etc")
    refused(archive(tmp_path / "a.tar", link, member("root/etc/passwd", b"x")), "not a folder")
    refused(archive(tmp_path / "b.tar", member("root/etc/passwd", b"x"), link), "at once")
    refused(archive(tmp_path / "c.tar", member("root/a", b"x"), member("root/a/b", b"x")), "not a folder")


def test_links_in_a_folder_are_never_followed_by_the_kernel(tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/secret").write_bytes(SECRET)
    paths = {"/lie": {"kind": "dir"}, "/lie/secret": {"kind": "file"}, "/file": {"kind": "file"}}
    at = folder(tmp_path / "host", document(paths=paths), {"/x": b"x"})
    os.symlink(tmp_path / "outside", f"{at}/root/lie")  # host.json calls it a folder
    os.symlink(tmp_path / "outside", f"{at}/root/link")
    os.symlink(tmp_path / "outside/secret", f"{at}/root/file")
    host = open_host(at)
    for path in ("/lie/secret", "/link/secret", "/file"):
        assert isinstance(host.read(path), Unread), path
    assert host.names("/lie") == ("secret",)  # what host.json lists; nothing of the real folder
    assert isinstance(host.names("/link"), Unread)


def test_the_root_or_host_json_as_a_link(tmp_path: Path) -> None:
    at = folder(tmp_path / "a", document())
    os.symlink("/etc", f"{at}/root")
    with pytest.raises(UnreadableInput):
        open_host(at)
    (tmp_path / "b").mkdir()
    os.symlink(f"{at}/host.json", tmp_path / "b/host.json")
    with pytest.raises(UnreadableInput):
        open_host(str(tmp_path / "b"))


def test_fifos_are_never_opened(tmp_path: Path) -> None:
    at = folder(tmp_path / "a", document(paths={"/f": {"kind": "file"}}), {"/x": b""})
    os.mkfifo(f"{at}/root/f")
    assert isinstance(open_host(at).read("/f"), Unread)
    os.mkfifo(tmp_path / "fifo.tar")
    refused(str(tmp_path / "fifo.tar"), "neither a folder nor a regular file")
    (tmp_path / "b").mkdir()
    os.mkfifo(tmp_path / "b/host.json")
    with pytest.raises(UnreadableInput):
        open_host(str(tmp_path / "b"))
    refused("/dev/zero", "neither")


def squeezed(pack: Callable[[bytes], bytes], at: Path) -> str:
    at.write_bytes(pack(tar([host_json(), member("root/zeros", bytes(70 << 20))])))
    return str(at)


@pytest.mark.parametrize("pack", [zstandard.ZstdCompressor(level=3).compress, lambda data: gzip.compress(data, 9)])
def test_a_decompression_bomb(tmp_path: Path, pack: Callable[[bytes], bytes]) -> None:
    refused(squeezed(pack, tmp_path / "a.bomb"), "bomb")


def test_bounds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = archive(tmp_path / "a.tar", *(member(f"root/{n}", b"x") for n in range(9)))
    open_host(path)
    with monkeypatch.context() as patch:
        patch.setattr(members, "COUNT_LIMIT", 9)
        refused(path, "more than 9 members")
    with monkeypatch.context() as patch:
        patch.setattr(archive_module, "TOTAL_LIMIT", 5000)
        refused(path, "when decompressed")
    with monkeypatch.context() as patch:
        patch.setattr(archive_module, "PACKED_LIMIT", 5000)
        refused(path, "larger than")
    with monkeypatch.context() as patch:
        patch.setattr(manifest, "LIMIT", 10)
        refused(path, "host.json")
        at = folder(tmp_path / "f", document())
        with pytest.raises(UnreadableInput, match="larger than"):
            open_host(at)


@pytest.mark.parametrize("name", ["root/" + "x" * 5000, "root/" + "d/" * 200 + "x"])
def test_names_too_long_or_too_deep(tmp_path: Path, name: str) -> None:
    refused(archive(tmp_path / "a.tar", member(name, b"x")), "longer or deeper")


def test_a_header_of_absurd_size(tmp_path: Path) -> None:
    refused(archive(tmp_path / "a.tar", member("root/" + "x" * (2 << 20))), "absurd")
    huge = {"path": "root/x", "comment": "x" * (2 << 20)}
    (tmp_path / "b.tar").write_bytes(tar([host_json(), member("x", pax_headers=huge)], pax=True))
    refused(str(tmp_path / "b.tar"), "absurd")


def resized(data: bytes, size: int) -> bytes:
    """The last member's header says another size (base-256, as GNU does), with a right checksum."""
    info = tarfile.TarInfo("root/x")
    info.size = size
    header = info.tobuf(tarfile.GNU_FORMAT)
    at = data.rindex(b"root/x\0")
    return data[:at] + header[:512] + data[at + 512 :]


@pytest.mark.parametrize("size", [1 << 20, 1 << 62, -1, -1024, -(1 << 40)])
def test_sizes_that_lie(tmp_path: Path, size: int) -> None:
    data = tar([host_json(), member("root/x", b"data")])
    (tmp_path / "a.tar").write_bytes(resized(data, size))
    refused(str(tmp_path / "a.tar"))


def test_a_negative_size_in_a_pax_header(tmp_path: Path) -> None:
    """CVE-2025-8194: tarfile walked backwards for ever."""
    data = tar([host_json(), member("root/x", b"", pax_headers={"size": "-1024"})], pax=True)
    (tmp_path / "a.tar").write_bytes(data)
    refused(str(tmp_path / "a.tar"))


@pytest.mark.parametrize("name", ["a.tar", "a.tar.gz", "a.tar.zst"])
def test_cut_anywhere(tmp_path: Path, name: str) -> None:
    data = tar([host_json(), member("root/x", b"data" * 500)])
    packed = {"a.tar": data, "a.tar.gz": gzip.compress(data), "a.tar.zst": zstandard.compress(data)}[name]
    at = tmp_path / name
    at.write_bytes(packed)
    assert open_host(str(at)).read("/x") == b"data" * 500
    end = len(packed) if name != "a.tar" else 512 * (data.rstrip(b"\0").__len__() // 512 + 2)
    for cut in range(0, end - 1, max(1, end // 40)):
        at.write_bytes(packed[:cut])
        with pytest.raises(UnreadableInput):
            open_host(str(at))


def test_a_header_damaged_in_the_middle(tmp_path: Path) -> None:
    data = bytearray(tar([host_json(), member("root/a", b"x"), member("root/b", b"x")]))
    data[data.index(b"root/b")] ^= 1  # the checksum is wrong: tarfile would take it for the end
    (tmp_path / "a.tar").write_bytes(bytes(data))
    refused(str(tmp_path / "a.tar"), "cut off or damaged")


def test_archives_of_a_folder_with_the_folder_in_it(tmp_path: Path) -> None:
    body = json.dumps({"schema": SCHEMA}).encode()
    parts = [member("cap", type=tarfile.DIRTYPE), member("cap/host.json", body), member("cap/root/x", b"1")]
    (tmp_path / "a.tar").write_bytes(tar(parts))
    assert open_host(str(tmp_path / "a.tar")).read("/x") == b"1"
    (tmp_path / "b.tar").write_bytes(tar([*parts, member("other", b"")]))
    refused(str(tmp_path / "b.tar"), "no host.json")


def test_other_files(tmp_path: Path) -> None:
    for index, data in enumerate((b"", b"hello", b"PK\x03\x04" * 400, b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"\0" * 10240)):
        (tmp_path / str(index)).write_bytes(data)
        refused(str(tmp_path / str(index)))
    for spec in (f"{tmp_path}/nothing", "", "overlay:", f"overlay:{tmp_path}/nothing", "a\0b"):
        with pytest.raises(UnreadableInput) as caught:
            open_host(spec)
        assert caught.value.next


def test_nothing_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading a large archive leaves no file, not even a temporary one that has a name."""
    monkeypatch.setattr(archive_module, "_IN_MEMORY", 1024)
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    (tmp_path / "tmp").mkdir()
    path = archive(tmp_path / "a.tar", member("root/x", b"data" * 9999))
    before = sorted(tmp_path.rglob("*"))
    assert open_host(path).read("/x") == b"data" * 9999
    assert sorted(tmp_path.rglob("*")) == before


def test_odd_headers_are_taken_for_what_they_are(tmp_path: Path) -> None:
    odd = [
        member("root/t", b"", pax_headers={"mtime": "nan"}),
        member("root/i", b"", pax_headers={"mtime": "inf"}),
    ]
    (tmp_path / "a.tar").write_bytes(tar([host_json(), *odd], pax=True))
    try:
        host = open_host(str(tmp_path / "a.tar"))
    except UnreadableInput:
        return
    for path in ("/t", "/i"):
        found = host.info(path)
        assert not isinstance(found, Unread)
        assert found.mtime is None


def test_empty_link_text(tmp_path: Path) -> None:
    refused(archive(tmp_path / "a.tar", member("root/x", type=tarfile.SYMTYPE, linkname="")), "link")


def test_concatenated_frames(tmp_path: Path) -> None:
    data = tar([host_json(), member("root/x", b"1")])
    half = len(data) // 2
    out = io.BytesIO()
    for part in (data[:half], data[half:]):
        out.write(zstandard.compress(part))
    (tmp_path / "a").write_bytes(out.getvalue())
    assert open_host(str(tmp_path / "a")).read("/x") == b"1"


def test_what_this_user_may_not_read_is_said_so_and_is_not_taken_for_empty(tmp_path: Path) -> None:
    sound = document(paths={})
    bundle = folder(tmp_path / "bundle", sound, {"/proc/version": b"x"})
    manifest_closed = folder(tmp_path / "manifest", sound)
    (tmp_path / "m.tar").write_bytes(tar([member("host.json", json.dumps(sound).encode())]))
    tree = tmp_path / "tree"
    (tree / "etc").mkdir(parents=True)
    (tree / "etc/hostname").write_text("x")
    (tree / "etc/hostname").chmod(0)
    (tmp_path / "closed").mkdir()
    for path in (f"{bundle}/root", f"{manifest_closed}/host.json", tmp_path / "m.tar", tmp_path / "closed"):
        Path(path).chmod(0)
    with nobody(tmp_path):
        for name in ("bundle", "manifest", "m.tar", "closed"):
            refused(f"{tmp_path}/{name}", "this user may not read it")
        assert open_host(str(tree)).read("/etc/hostname") == Unread(Missing.NOT_CAPTURED, "/etc/hostname", "EACCES")
    for path in (f"{bundle}/root", tmp_path / "closed"):
        Path(path).chmod(0o700)


def test_a_recording_of_a_later_schema_is_named(tmp_path: Path) -> None:
    refused(folder(tmp_path, {"schema": "firstlight.host/2"}), "schema: firstlight.host/2", "reads firstlight.host/1")
    for other in ("x", 3, None):
        refused(folder(tmp_path, {"schema": other}), "schema")
