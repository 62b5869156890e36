"""Small catalogues: what the solver makes of Debian's rules, and what hostile ones cost."""

from __future__ import annotations

import resource
import time
from pathlib import Path

import pytest

from firstlight.catalog.debian.catalogue import read_catalogue
from firstlight.facts import collect
from firstlight.facts.value import Unknown
from firstlight.host import open_host
from firstlight.routes.system.ask import Solver
from firstlight.routes.system.model import Request, Solved

RELEASE = "Origin: Test\nSuite: test\nCodename: test\n"


def stanza(name: str, version: str = "1", **fields: str) -> str:
    """A package of the index."""
    rows = {"Package": name, "Version": version, "Architecture": "amd64", **fields}
    return "".join(f"{key.replace('_', '-')}: {value}\n" for key, value in rows.items())


def root(folder: Path, index: str, status: str = "", preferences: str = "", foreign: str = "") -> Path:
    """A private apt root with one suite."""
    lists = folder / "var/lib/apt/lists"
    for path in (lists, folder / "etc/apt", folder / "var/lib/dpkg"):
        path.mkdir(parents=True, exist_ok=True)
    (folder / "etc/apt/sources.list").write_text("deb http://test.example/d test main\n")
    (folder / "etc/apt/preferences").write_text(preferences)
    (lists / "test.example_d_dists_test_InRelease").write_text(RELEASE)
    (lists / "test.example_d_dists_test_main_binary-amd64_Packages").write_text(index)
    (folder / "var/lib/dpkg/status").write_text(status)
    if foreign:
        (folder / "var/lib/dpkg/arch").write_text("amd64\ni386\n")
        (lists / "test.example_d_dists_test_main_binary-i386_Packages").write_text(foreign)
    return folder


def solver(folder: Path) -> Solver:
    host = open_host(str(folder))
    facts = collect(host)
    assert not isinstance(facts.repositories, Unknown)
    return Solver(read_catalogue(host, facts.repositories, facts.apt, native="amd64"), host, str(folder / "cache"))


def ask(folder: Path, *wanted: str) -> Solved:
    return solver(folder).ask(Request(wanted=wanted))


def changed(found: Solved) -> dict[str, tuple[str | None, str | None]]:
    assert found.possible, found.problems
    return {one.name: (one.before, one.after) for one in found.changes}


def there(name: str, version: str = "1", want: str = "install", **fields: str) -> str:
    """A package of dpkg's status."""
    return stanza(name, version, Status=f"{want} ok installed", **fields)


def test_dependencies_alternatives_and_recommends(tmp_path: Path) -> None:
    index = "\n".join((
        stanza("a", Depends="b (>= 2) | c, d"), stanza("b", "1"), stanza("c"), stanza("d", Recommends="e, nosuch"),
        stanza("e"),
    ))  # fmt: skip
    assert set(changed(ask(root(tmp_path, index), "a"))) == {"a", "c", "d", "e"}


def test_an_unversioned_provides_never_satisfies_a_version(tmp_path: Path) -> None:
    index = "\n".join((
        stanza("a", Depends="v (>= 1)"), stanza("b", Depends="v"), stanza("p", Provides="v"),
        stanza("c", Depends="w (>= 1)"), stanza("q", Provides="w (= 2)"),
    ))  # fmt: skip
    folder = root(tmp_path, index)
    assert not ask(folder, "a").possible
    assert set(changed(ask(folder, "b"))) == {"b", "p"}
    assert set(changed(ask(folder, "c"))) == {"c", "q"}


def test_a_conflict_removes_what_is_there_and_a_hold_forbids_it(tmp_path: Path) -> None:
    index = "\n".join((stanza("a", Conflicts="old"), stanza("old")))
    assert changed(ask(root(tmp_path / "one", index, there("old")), "a")) == {"a": (None, "1"), "old": ("1", None)}
    held = ask(root(tmp_path / "two", index, there("old", want="hold")), "a")
    assert not held.possible


def test_nothing_is_downgraded_but_by_a_pin(tmp_path: Path) -> None:
    index = stanza("a", "1")
    assert changed(ask(root(tmp_path / "one", index, there("a", "2")), "a")) == {}
    pin = "Package: *\nPin: release n=test\nPin-Priority: 1001\n"
    assert changed(ask(root(tmp_path / "two", index, there("a", "2"), pin), "a")) == {"a": ("2", "1")}
    never = "Package: a\nPin: release n=test\nPin-Priority: -1\n"
    refused = ask(root(tmp_path / "three", index, "", never), "a")
    assert (refused.possible, refused.problems[0][0].kind) == (False, "no-candidate")


def test_the_chain_leads_from_the_wanted_to_the_fact(tmp_path: Path) -> None:
    index = "\n".join((
        stanza("rocm-dev", "6.1", Depends="rocm-llvm (= 17.0)"),
        stanza("rocm-llvm", "17.0", Depends="libc++-dev (= 1:15)"),
        stanza("libc++-dev", "1:14.0-55"),
    ))  # fmt: skip
    chain = ask(root(tmp_path, index), "rocm-dev").problems[0]
    assert [(one.wanted[0], one.kind) for one in chain] == [
        ("rocm-dev", "needs"), ("rocm-llvm", "version-not-offered"),
    ]  # fmt: skip
    assert chain[-1].offered[0][:2] == ("libc++-dev", "1:14.0-55")
    assert "libc++-dev (= 1:15" in chain[-1].relation


def test_packages_of_two_architectures(tmp_path: Path) -> None:
    foreign = "\n".join((
        stanza("lib", Architecture="i386", Multi_Arch="same"), stanza("tool", Architecture="i386"),
        stanza("game", Architecture="i386", Depends="lib, helper, py:any"),
    ))  # fmt: skip
    index = "\n".join((
        stanza("lib", Multi_Arch="same"), stanza("tool"), stanza("helper", Multi_Arch="foreign"),
        stanza("py", Multi_Arch="allowed"),
    ))  # fmt: skip
    folder = root(tmp_path, index, there("lib", Multi_Arch="same"), foreign=foreign)
    found = ask(folder, "game:i386")
    assert {(one.name, one.architecture) for one in found.changes} == {
        ("game", "i386"), ("lib", "i386"), ("helper", "amd64"), ("py", "amd64"),
    }  # fmt: skip
    assert not ask(folder, "tool", "tool:i386").possible


def test_what_is_not_there_is_said(tmp_path: Path) -> None:
    folder = root(tmp_path, "\n".join((stanza("p", Provides="v"), stanza("q", Provides="v"), stanza("a"))))
    for wanted, kind in (("nosuch", "not-offered"), ("a=9", "version-not-offered"), ("v", "no-candidate")):
        refused = ask(folder, wanted)
        assert (refused.possible, refused.problems[0][0].kind) == (False, kind)


def test_a_damaged_cache_is_made_anew(tmp_path: Path) -> None:
    folder = root(tmp_path, stanza("a"))
    assert changed(ask(folder, "a"))
    for path in (folder / "cache").rglob("*"):
        if path.is_file():
            path.write_bytes(path.read_bytes()[:20] + b"rubbish")
    assert changed(ask(folder, "a"))


def test_a_changed_index_is_noticed(tmp_path: Path) -> None:
    folder = root(tmp_path, stanza("a"))
    assert not ask(folder, "b").possible
    root(tmp_path, "\n".join((stanza("a"), stanza("b"))))
    assert changed(ask(folder, "b"))


HOSTILE = {
    "a cycle of a thousand": "\n".join(stanza(f"p{n}", Depends=f"p{(n + 1) % 1000}") for n in range(1000)),
    "a ring of conflicts": "\n".join(
        stanza(f"p{n}", Depends=f"p{(n + 1) % 400}", Conflicts=f"p{(n + 200) % 400}") for n in range(400)
    ),
    "a hundred thousand alternatives": stanza("p0", Depends=" | ".join(f"q{n}" for n in range(100_000))),
    "a field of megabytes": stanza("p0", Depends="x" * 8_000_000),
    "versions without end": "\n".join(stanza("p0", "1" * 250 + f".{n}") for n in range(500)),
    "signs of XML": "\n".join((stanza("p0", Depends='<"&>', Filename="<a>&\x01\x1f"), stanza("<p1/>", "&"))),
    "the same again and again": "\n".join(
        stanza("p0", Provides=", ".join(f"v{n}" for n in range(50))) for _ in range(2000)
    ),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_indices_cost_little(name: str, tmp_path: Path) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    began = time.process_time()
    ask(root(tmp_path, HOSTILE[name]), "p0", "p1")
    ask(root(tmp_path, HOSTILE[name]), "p0")
    assert time.process_time() - began < 30
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 600 << 10
