"""Values that mean harm, links that lead elsewhere, folders that others may write in."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from firstlight.causes.changes import (
    AddToGroup,
    Blacklist,
    Change,
    CommandLine,
    FirmwareFile,
    Install,
    Keyring,
    LiftBlacklist,
    LoadModule,
    ModuleOptions,
    PackageChange,
    Packages,
    Pin,
    RefreshLists,
    RemoveFile,
    Source,
    WriteFile,
)
from firstlight.errors import FirstlightError, NoError, UnreadableInput
from firstlight.steps.system import Ground, SystemChange, apply_system, preview
from firstlight.steps.system.files import FileState, look, put, remove
from firstlight.steps.system.request import exact

from . import repository


def key(path: str = "/etc/apt/keyrings/a.asc") -> Keyring:
    cert = repository.certificate()
    return Keyring(path=path, fingerprints=(cert.fingerprint,), content=str(cert).encode())


def package(**values: str | None) -> Packages:
    usual: dict[str, str | None] = {"name": "tiny", "architecture": "all", "before": None, "after": "1.0"}
    return Packages(changes=(PackageChange(**{**usual, **values}),))  # type: ignore[arg-type]


def source(**values: object) -> Source:
    usual = {"name": "a", "uris": ("https://example.org/a",), "suites": ("stable",), "components": ("main",),
             "signed_by": "/etc/apt/keyrings/a.asc"}  # fmt: skip
    return Source(**{**usual, **values})  # type: ignore[arg-type]


HOSTILE: tuple[Change, ...] = (
    AddToGroup(user="-R/tmp", groups=("render",)),
    AddToGroup(user="alice", groups=("render,sudo",)),
    AddToGroup(user="alice\nroot", groups=("render",)),
    AddToGroup(user="alice", groups=()),
    ModuleOptions(module="../../etc/x", options="a=1"),
    ModuleOptions(module="amdgpu", options="a=1\ninstall amdgpu /bin/sh"),
    ModuleOptions(module="amdgpu", options="a=$(id)"),
    ModuleOptions(module="amdgpu", options=""),
    Blacklist(module="a b"),
    LiftBlacklist(module="amdgpu", file="/etc/shadow"),
    LiftBlacklist(module="amdgpu", file="/etc/modprobe.d/../shadow"),
    LoadModule(module="-r"),
    LoadModule(module="/tmp/evil.ko"),
    CommandLine(add=("init=/bin/sh ro",)),
    CommandLine(add=('a="$(id)"',)),
    CommandLine(remove=("a|b",)),
    CommandLine(),
    WriteFile(path="/etc/passwd", content="x"),
    WriteFile(path="/etc/sudoers.d/x", content="x"),
    WriteFile(path="/etc/apt/../cron.d/x", content="x"),
    WriteFile(path="/etc/apt/x\n", content="x"),
    WriteFile(path="/etc/apt/x", content="x", mode=0o4755),
    RemoveFile(path="/usr/bin/dpkg"),
    FirmwareFile(name="../../../etc/x", source="/etc/passwd", sha256="0" * 64),
    FirmwareFile(name="a.bin", source="/etc/passwd", sha256="x"),
    source(name="../x"),
    source(uris=("https://example.org/a\nTrusted: yes",)),
    source(uris=("ftp://x y",)),
    source(uris=()),
    source(suites=("stable\nTrusted: yes",)),
    source(signed_by="/tmp/key.gpg"),
    source(signed_by="/etc/apt/keyrings/a.asc\nTrusted: yes"),
    Pin(name="a", package="*\nPin: x", pin="release o=x", priority=1001),
    Pin(name="a", package="*", pin="release o=x\nPin-Priority: 9999", priority=1),
    Pin(name="a", package="*", pin="release o=x", priority=99999),
    RefreshLists(files=("/tmp/evil.list",)),
    key("/etc/apt/trusted.gpg.d/../../x.gpg"),
    key("/etc/apt/keyrings/a.txt"),
    package(name="-oDir=/tmp"),
    package(name="tiny;id"),
    package(architecture="all -y"),
    package(after="1.0 evil"),
    package(after="$(id)"),
)


@pytest.mark.parametrize("change", HOSTILE, ids=lambda change: repr(change)[:70])
def test_what_is_not_plainly_a_value_is_refused(tmp_path: Path, change: Change) -> None:
    with pytest.raises(UnreadableInput):
        preview(SystemChange(reason="test", parts=(change,)), Ground(str(tmp_path)))
    assert not list(tmp_path.rglob("*"))


@pytest.mark.parametrize("word", ["-y", "a b", "a=1 2", "/tmp/x.deb", "./x.deb", "a;b", "a=$(id)", "a\n", "*", "~nfoo"])
def test_requests_are_names_only(tmp_path: Path, word: str) -> None:
    with pytest.raises(UnreadableInput):
        exact(Ground(str(tmp_path)), Install(wanted=(word,)))


def test_a_keyring_takes_only_known_keys(tmp_path: Path) -> None:
    wrong = Keyring(path="/etc/apt/keyrings/a.asc", fingerprints=("A" * 40,), content=key().content)
    for content in (wrong, Keyring(path=wrong.path, fingerprints=wrong.fingerprints, content=b"no key at all")):
        with pytest.raises(NoError, match="not the known one"):
            preview(SystemChange(reason="test", parts=(content,)), Ground(str(tmp_path)))


def test_a_keyring_keeps_other_keys_and_is_binary_where_its_name_says_so(tmp_path: Path) -> None:
    from pysequoia import Tsk

    from firstlight.steps.system.keyring import certificates, merged

    other = Tsk.generate(user_ids=["Other <o@example.org>"]).extract_certificate()
    ours = repository.certificate()
    known = {ours.fingerprint.upper()}
    data = merged(bytes(other), str(ours).encode() + str(other).encode(), known, "/etc/apt/keyrings/a.gpg")
    assert set(certificates(data)) == {*known, other.fingerprint.upper()}
    assert not data.startswith(b"-----")
    alone = merged(b"", bytes(ours) + bytes(other), known, "/etc/apt/keyrings/a.asc")
    assert set(certificates(alone)) == known
    assert alone.startswith(b"-----BEGIN PGP PUBLIC KEY BLOCK-----")
    assert not list(tmp_path.iterdir())


needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can write as root does")


@pytest.fixture
def ground(tmp_path: Path) -> Ground:
    (tmp_path / "root/etc/modprobe.d").mkdir(parents=True)
    (tmp_path / "root/var/lib").mkdir(parents=True)
    return Ground(str(tmp_path / "root"))


OPTIONS = ModuleOptions(module="amdgpu", options="a=1")
OURS = "/etc/modprobe.d/firstlight-amdgpu.conf"


def apply(ground: Ground, *parts: Change) -> None:
    apply_system(SystemChange(reason="test", parts=parts), ground=ground)


@needs_root
def test_a_link_in_place_of_the_file_is_not_written_through(ground: Ground, tmp_path: Path) -> None:
    target = tmp_path / "victim"
    target.write_text("precious")
    os.symlink(target, ground.at(OURS))
    with pytest.raises(NoError, match="is a link"):
        apply(ground, OPTIONS)
    assert target.read_text() == "precious"
    assert os.path.islink(ground.at(OURS))


@needs_root
def test_a_link_in_place_of_the_file_in_the_making_is_not_written_through(ground: Ground, tmp_path: Path) -> None:
    target = tmp_path / "victim"
    target.write_text("precious")
    os.symlink(target, ground.at("/etc/modprobe.d/.firstlight-amdgpu.conf.firstlight-new"))
    apply(ground, OPTIONS)
    assert target.read_text() == "precious"
    assert ground.text(OURS) == "options amdgpu a=1\n"


@needs_root
@pytest.mark.parametrize("how", ["world", "group", "owner"])
def test_a_folder_that_others_may_write_in_is_not_written_in(ground: Ground, how: str) -> None:
    folder = ground.at("/etc/modprobe.d")
    if how == "world":
        os.chmod(folder, 0o777)
    elif how == "group":
        os.chown(folder, 0, 44)
        os.chmod(folder, 0o775)
    else:
        os.chown(folder, 1000, 1000)
    with pytest.raises(NoError, match="others may write"):
        apply(ground, OPTIONS)
    assert os.listdir(folder) == []


@needs_root
def test_links_of_root_on_the_way_are_followed_inside_the_root_only(ground: Ground, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    os.makedirs(ground.at("/usr/lib/conf"))
    for name, target in (
        ("a", "/usr/lib/conf"),
        ("b", "../../../../../usr/lib/conf"),
        ("c", str(tmp_path / "outside")),
    ):
        os.symlink(target, ground.at(f"/etc/{name}"))
    for name in ("a", "b"):
        put(ground, f"/etc/{name}/x", b"x", FileState(kind="file", mode=0o644))
        assert ground.read("/usr/lib/conf/x") == b"x"
        assert remove(ground, f"/etc/{name}/x")
    os.symlink("loop", ground.at("/etc/loop"))
    with pytest.raises(NoError):
        put(ground, "/etc/loop/x", b"x", FileState(kind="file", mode=0o644))
    put(ground, "/etc/c/x", b"x", FileState(kind="file", mode=0o644))  # made below the root, never outside
    assert not list((tmp_path / "outside").iterdir())


@needs_root
def test_modes_owners_and_times_come_back(ground: Ground) -> None:
    path = ground.at(OURS)
    Path(path).write_text("options amdgpu a=0\n")
    os.chown(path, 7, 8)
    os.chmod(path, 0o640)
    os.utime(path, ns=(10**18, 10**18))
    before = look(ground, OURS)
    old = os.umask(0o077)
    try:
        apply(ground, OPTIONS, WriteFile(path="/etc/udev/rules.d/70.rules", content="x"))
        now = look(ground, OURS)
        assert (now.mode, now.uid, now.gid) == (0o640, 7, 8)
        assert look(ground, "/etc/udev/rules.d/70.rules").mode == 0o644
        assert look(ground, "/etc/udev/rules.d").mode == 0o755
        from firstlight.steps.system import rollback_system

        rollback_system(ground=ground)
    finally:
        os.umask(old)
    assert look(ground, OURS) == before
    assert not ground.exists("/etc/udev")


@needs_root
def test_what_somebody_has_changed_since_stays_and_is_named(ground: Ground) -> None:
    from firstlight.steps.system import rollback_system

    apply(ground, OPTIONS, Blacklist(module="nouveau"))
    Path(ground.at(OURS)).write_text("options amdgpu a=2\n")
    done = rollback_system(ground=ground)
    assert done.left == (OURS,)
    assert ground.text(OURS) == "options amdgpu a=2\n"
    assert not ground.exists("/etc/modprobe.d/firstlight-no-nouveau.conf")


@needs_root
def test_a_file_that_was_changed_after_it_was_judged_is_not_overwritten(ground: Ground) -> None:
    Path(ground.at("/etc/modprobe.d/a.conf")).write_text("new\n")
    with pytest.raises(NoError, match="since it was judged"):
        apply(ground, WriteFile(path="/etc/modprobe.d/a.conf", content="x", replaces="0" * 64))
    assert ground.text("/etc/modprobe.d/a.conf") == "new\n"


@needs_root
def test_a_damaged_state_is_told_in_words(ground: Ground) -> None:
    from firstlight.steps.system import rollback_system

    apply(ground, OPTIONS)
    folder = Path(ground.state) / "changes/000001"
    for name, data in (("before.json", b"{"), ("change.json", b"[" * 9999), ("before.json", b'{"files": 1}')):
        kept = (folder / name).read_bytes()
        (folder / name).write_bytes(data)
        with pytest.raises(FirstlightError, match="cannot be read"):
            rollback_system(ground=ground)
        (folder / name).write_bytes(kept)
    with open(f"{ground.state}/system.jsonl", "ab") as journal:
        journal.write(b'{"cha\n\xff\xff\n')
    assert rollback_system(ground=ground).id == "000001"
    assert not ground.exists(OURS)
