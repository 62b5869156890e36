"""Pages that lie or attack are refused, and what is wrong is said."""

from __future__ import annotations

import json
import time
from contextlib import suppress

import pytest

from firstlight.catalog import links, pages
from firstlight.catalog.pages import read_page
from firstlight.catalog.trouble import Failed
from tests.catalog.conftest import Make, names, trouble
from tests.catalog.pages_test import BASE, DIGEST, WHEEL, listed
from tests.catalog.server import HTML, JSON, Server, moved, packed, told

GOOD: dict[str, object] = {"filename": WHEEL, "url": WHEEL, "hashes": {"sha256": DIGEST}}


def refused(body: bytes, kind: str = JSON, base: str = BASE) -> str:
    with pytest.raises(Failed) as caught:
        read_page(body, kind, base, "torch")
    found = caught.value.about(base)
    assert found.kind == "damaged-index"
    assert found.text.zh != found.text.en
    return found.text.en


@pytest.mark.parametrize(
    ("body", "wrong"),
    [
        (listed(GOOD, name="evil"), "`torch` speaks of `evil`"),
        (listed(GOOD, version="2.0"), "version `2.0`"),
        (listed(GOOD, version="x"), "version `x`"),
        (listed({**GOOD, "url": 7}), "$.files[0].url"),
        (listed({**GOOD, "hashes": None}), "$.files[0].hashes"),
        (listed({**GOOD, "hashes": {"sha256": 1}}), "$.files[0].hashes[...]"),
        (listed({**GOOD, "yanked": 3}), "$.files[0].yanked"),
        (listed({**GOOD, "size": "9"}), "$.files[0].size"),
        (listed({**GOOD, "size": -9}), "cannot be of -9 bytes"),
        (listed({**GOOD, "size": 2**70}), "cannot be of"),
        (listed({**GOOD, "hashes": {"sha256": "beef"}}), "`beef` is no sha256"),
        (listed({**GOOD, "hashes": {"sha256": "g" * 64}}), "is no sha256"),
        (listed({**GOOD, "core-metadata": {"sha256": "1"}}), "`1` is no sha256"),
        (listed({**GOOD, "url": "javascript:alert('x.whl')"}), "`javascript:alert('x.whl')`"),
        (listed({**GOOD, "url": "file:///etc/passwd"}), "`file:///etc/passwd`"),
        (listed({**GOOD, "url": "ftp://a.example/x.whl"}), "not on the network"),
        (listed({**GOOD, "url": "https://[::1/x.whl"}), "no address of a file"),
        (listed({**GOOD, "url": "https://good.example\\@evil.example/x.whl"}), "no address of a file"),
        (listed({**GOOD, "url": "https://a.example:99999/x.whl"}), "no address of a file"),
        (listed({**GOOD, "url": "http:///x.whl"}), "no address of a file"),
        (listed({**GOOD, "url": "https://a.example/" + "x" * 9000}), "no address of a file"),
        (listed({**GOOD, "url": "http://a.example/x.whl", "hashes": {}}), "without TLS and without a hash"),
        (b"[]", "`Expected 'object', got 'array'`"),
        (b"{}", "meta"),
        (b"\xff\xfe", "PEP 691"),
        (b"[" * 100_000, "PEP 691"),
        (b'{"meta": {"api-version": "1.0"}, "name": "torch", "files": ' + b"[" * 5000, "PEP 691"),
        (b"", "PEP 691"),
    ],
)
def test_json(body: bytes, wrong: str) -> None:
    assert wrong in refused(body)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("<meta name='pypi:repository-version' content='2.0'>", "version `2.0`"),
        (f"<a href='{WHEEL}#sha256=beef'>", "`beef` is no sha256"),
        (f"<a href='{WHEEL}' data-core-metadata='sha256=1'>", "`1` is no sha256"),
        ("<a href='javascript:x()'>", "not on the network"),
        ("<a href=' file:///srv/x.whl'>", "not on the network"),
        ("<base href='file:///srv/'>", "not on the network"),
        ("<a href='jav&#x61;script:x()'>", "not on the network"),
        ("<a href='data:,torch-1-py3-none-any.whl'>", "not on the network"),
        ("<a href='http://index.example/torch-1-py3-none-any.whl'>", "without TLS and without a hash"),
        ("<a href='//u:p@[evil/x.whl'>", "no address of a file"),
    ],
)
def test_html(text: str, wrong: str) -> None:
    assert wrong in refused(text.encode(), HTML)


def test_secrets_in_links_are_not_told() -> None:
    assert "s3cr3t" not in refused(b"<a href='ftp://u:s3cr3t@a.example/x.whl?token=s3cr3t'>", HTML)
    assert "s3cr3t" not in refused(b"<a href='https://u:s3cr3t@a.example:x/'>", HTML)


def test_control_signs_do_not_reach_the_terminal() -> None:
    said = refused(listed(GOOD, name="\x1b[2J\u202etorch\n" + "x" * 500))
    assert said.isprintable()
    assert len(said) < 500


def test_foreign_texts_may_be_shown_as_they_are() -> None:
    said = "\x1b[2J" + "x" * 9000
    (one,) = read_page(listed({**GOOD, "yanked": said, "requires-python": said}), JSON, BASE, "torch")
    (two,) = read_page(
        f"<a href={WHEEL} data-yanked='{said}' data-requires-python='{said}'>".encode(), HTML, BASE, "torch"
    )
    for text in (one.yanked, one.requires_python, two.yanked, two.requires_python):
        assert text
        assert text.isprintable()
        assert len(text) == 500


def test_unknown_types_are_refused() -> None:
    assert "`image/png`" in refused(b"\x89PNG", "image/png")
    assert "`application/vnd.pypi.simple.v2+json`" in refused(listed(GOOD), "application/vnd.pypi.simple.v2+json")


def test_a_charset_that_unpacks_or_runs_away_is_not_used() -> None:
    for charset in ("zlib", "punycode", "idna", "rot13", "\ud800"):
        kind = f"text/html; charset={charset}"
        assert len(read_page(f"<a href={WHEEL}>".encode(), kind, BASE, "torch")) == 1


def test_limits(monkeypatch: pytest.MonkeyPatch, server: Server, catalog: Make) -> None:
    many = [{**GOOD, "filename": f"torch-{number}-py3-none-any.whl"} for number in range(9)]
    monkeypatch.setattr("firstlight.catalog.simple_json.FILES", 8)
    monkeypatch.setattr("firstlight.catalog.simple_html.FILES", 8)
    assert "more than 8 files" in refused(listed(*many))
    assert "more than 8 files" in refused(b"<a href=x.whl>" * 9, HTML)
    monkeypatch.setattr("firstlight.catalog.listings.BODY", 1000)
    server.routes["/simple/torch/"] = told(" " * 1001)
    assert "1000 bytes" in trouble(catalog().page(server.url(), "torch"), "damaged-index").text.en
    assert (links.FILES, pages.BODY) == (100_000, 64 << 20)


def test_a_page_that_unpacks_to_too_much_is_refused_early(server: Server, catalog: Make) -> None:
    server.routes["/simple/torch/"] = packed(b" " * (80 << 20))
    start = time.perf_counter()
    assert "more than" in trouble(catalog().page(server.url(), "torch"), "damaged-index").text.en
    assert time.perf_counter() - start < 5


@pytest.mark.parametrize(
    "text",
    ["<!--" * 100_000, "<a href='" * 100_000,
     '<a b="' * 50_001, "<" * 400_000, "<a " + "x " * 200_000, "<script>" * 50_000,
     "<a " + " " * 400_000, "<a href=x" + "/" * 400_000, "</" * 200_000, "<a a" + "=" * 400_000, "<!" * 200_000,
     "<a " + "a='" * 100_001, "<title " * 60_000, "&" * 400_000 + "<a href='" + "&" * 400_000 + "'>"],
)  # fmt: skip
def test_no_page_takes_more_than_its_length_is_worth(text: str) -> None:
    start = time.perf_counter()
    with suppress(Failed):
        read_page(text.encode(), HTML, BASE, "torch")
    assert time.perf_counter() - start < 2


def test_a_tag_bomb_in_a_name_is_no_wheel(server: Server, catalog: Make) -> None:
    tag = ".".join(["a"] * 40)
    server.routes["/simple/torch/"] = told(f"<a href=torch-1-{tag}-{tag}-any.whl>", HTML)
    assert names(catalog().page(server.url(), "torch")) == []


def test_a_page_behind_a_redirect_may_not_be_of_another_project(server: Server, catalog: Make) -> None:
    server.routes["/simple/torch/"] = moved("/simple/evil/")
    server.routes["/simple/evil/"] = told(
        json.dumps({"meta": {"api-version": "1.0"}, "name": "evil", "files": []}), JSON
    )
    trouble(catalog().page(server.url(), "torch"), "damaged-index")
