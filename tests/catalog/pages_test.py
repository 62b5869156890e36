"""Both forms of a project's page, read right."""

from __future__ import annotations

import json
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urljoin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firstlight.catalog.address import _resolved, linked, parse
from firstlight.catalog.model import IndexFile
from firstlight.catalog.pages import read_page
from firstlight.catalog.simple_html import tags
from firstlight.catalog.trouble import Failed
from tests.catalog.server import HTML, JSON

SHARED = Path(__file__).resolve().parents[2].parent / "shared" / "fixtures" / "repos" / "wheel-index"
BASE = "https://index.example/whl/torch/"
DIGEST = "0123456789abcdef" * 4
OTHER = "f" * 64
WHEEL = "torch-2.14.0+rocm10.1.0-cp312-cp312-linux_x86_64.whl"


def html(text: str, project: str = "torch", base: str = BASE) -> tuple[IndexFile, ...]:
    return read_page(text.encode(), HTML, base, project)


def listed(*files: dict[str, object], name: str = "torch", version: str = "1.1") -> bytes:
    return json.dumps({"meta": {"api-version": version}, "name": name, "files": files}).encode()


def test_json_page_with_all_that_it_can_say() -> None:
    said = {
        "filename": WHEEL, "url": "../../files/t.whl", "hashes": {"sha256": DIGEST.upper(), "md5": "x"},
        "requires-python": ">=3.10", "yanked": "broken", "size": 123, "upload-time": "2026-11-02T03:04:05.678Z",
        "core-metadata": {"sha256": OTHER}, "dist-info-metadata": False, "provenance": None, "gpg-sig": True,
    }  # fmt: skip
    assert read_page(listed(said), JSON, BASE, "torch") == (
        IndexFile(
            filename=WHEEL, url="https://index.example/files/t.whl", sha256=DIGEST, requires_python=">=3.10",
            yanked="broken", size=123, uploaded="2026-11-02", metadata=True, metadata_sha256=OTHER,
        ),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("key", "value", "field", "wanted"),
    [
        ("yanked", False, "yanked", None),
        ("yanked", True, "yanked", ""),
        ("yanked", "", "yanked", ""),
        ("core-metadata", True, "metadata", True),
        ("core-metadata", False, "metadata", False),
        ("core-metadata", {}, "metadata", True),
        ("dist-info-metadata", {"sha256": OTHER}, "metadata_sha256", OTHER),
        ("data-dist-info-metadata", True, "metadata", True),
        ("requires-python", None, "requires_python", None),
        ("size", None, "size", None),
        ("upload-time", "yesterday", "uploaded", None),
        ("upload-time", "2026-1-2T00:00:00Z", "uploaded", None),
        ("hashes", {}, "sha256", None),
        ("hashes", {"sha512": "0" * 128}, "sha256", None),
        ("url", "https://u:s3cr3t@other.example:443/a/t.whl#frag", "url", "https://other.example/a/t.whl"),
        ("url", "//cdn.example/t.whl?sign=1", "url", "https://cdn.example/t.whl?sign=1"),
    ],
)
def test_one_field_of_a_json_page(key: str, value: object, field: str, wanted: object) -> None:
    said = {"filename": WHEEL, "url": WHEEL, "hashes": {"sha256": DIGEST}, key: value}
    (file,) = read_page(listed(said), JSON, BASE, "torch")
    assert getattr(file, field) == wanted


def test_html_page_with_all_that_it_can_say() -> None:
    text = f"""<!DOCTYPE html><html><head><meta name="pypi:repository-version" content="1.3"></head><body>
    <A HREF='/files/torch-2.14.0%2Brocm10.1.0-cp312-cp312-linux_x86_64.whl#sha256={DIGEST.upper()}&amp;egg=x'
       data-requires-python="&gt;=3.10" data-yanked data-core-metadata="sha256={OTHER}"
       data-dist-info-metadata=false>whatever</a></body></html>"""
    assert html(text) == (
        IndexFile(
            filename=WHEEL, url="https://index.example/files/torch-2.14.0%2Brocm10.1.0-cp312-cp312-linux_x86_64.whl",
            sha256=DIGEST, requires_python=">=3.10", yanked="", metadata=True, metadata_sha256=OTHER,
        ),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("attributes", "field", "wanted"),
    [
        ('data-yanked=""', "yanked", ""),
        ('data-yanked="no &quot;good&quot;"', "yanked", 'no "good"'),
        ("", "yanked", None),
        ("data-dist-info-metadata=true", "metadata", True),
        ("data-dist-info-metadata", "metadata", True),
        ("data-core-metadata=false", "metadata", False),
        (f"data-dist-info-metadata='sha256={OTHER}'", "metadata_sha256", OTHER),
        ('data-requires-python=""', "requires_python", None),
        ("data-requires-python='&lt;4,&gt;=3'", "requires_python", "<4,>=3"),
    ],
)
def test_one_attribute_of_an_html_page(attributes: str, field: str, wanted: object) -> None:
    (file,) = html(f"<a {attributes} href={WHEEL.replace('+', '%2B')}>x</a>")
    assert getattr(file, field) == wanted


def test_the_first_base_counts() -> None:
    (file,) = html(f'<base href="/mirror/"><base href="/other/"><a href="{WHEEL}">x</a>')
    assert file.url == f"https://index.example/mirror/{WHEEL}"


def test_what_only_looks_like_a_link_is_none() -> None:
    link = f'<a href="{WHEEL}">x</a>'
    for text in (f"<!-- {link} -->", f"<script>'{link}'</script>", f"<style>{link}</style>", f"<title>{link}</title>",
                 f"<p title='{link}'>", f"<abbr href={WHEEL}>", f"< a href={WHEEL}>", f"<!x {link[1:]}"):  # fmt: skip
        assert html(text) == (), text
    assert len(html(f"<!--><a><script></SCRIPT >{link}")) == 1


def test_other_files_and_other_projects_are_left_out() -> None:
    names = ["torch-1.0.whl", "torch-1.0.tar.bz2", "torch-1.0.zip", "torch-1.0.tar.gz", "torchvision-1.0.tar.gz",
             "x.exe", "Torch-1.1-py3-none-any.whl", "torch-1.x-py3-none-any.whl", "torch-1.0-py3-none-any.whl.asc",
             "torch-2-py3-none-any.whl?x=1", "torch-sub-1.0.tar.gz"]  # fmt: skip
    found = html("".join(f"<a href='{name}'>{name}</a>" for name in names))
    assert [one.filename for one in found] == [
        "torch-1.0.zip", "torch-1.0.tar.gz", "Torch-1.1-py3-none-any.whl", "torch-2-py3-none-any.whl",
    ]  # fmt: skip


def test_a_page_of_links_holds_all_projects_and_its_other_links_do_not_matter() -> None:
    text = "<a href=#top>x</a><a href='mailto:a@b.example'>m</a><a href=/>home</a><a>no</a>"
    found = html(text + "<a href=a_b-1.0-py3-none-any.whl>1</a><a href='c-d-2.0.tar.gz'>2</a>", "")
    assert [one.filename for one in found] == ["a_b-1.0-py3-none-any.whl", "c-d-2.0.tar.gz"]


def test_a_name_that_is_listed_twice_means_the_first() -> None:
    (file,) = html(f"<a href='/1/{WHEEL}'>x</a><a href='/2/{WHEEL}'>x</a>")
    assert file.url == f"https://index.example/1/{WHEEL}"


@pytest.mark.parametrize("kind", ["application/octet-stream", "", "binary/octet-stream; charset=x"])
def test_a_page_of_unclear_type_is_told_by_its_beginning(kind: str) -> None:
    assert len(read_page(f"\n<a href={WHEEL}>".encode(), kind, BASE, "torch")) == 1
    assert len(read_page(b" " + listed({"filename": WHEEL, "url": WHEEL, "hashes": {}}), kind, BASE, "torch")) == 1


@pytest.mark.parametrize(
    ("name", "versions"),
    [
        ("pytorch-whl-torch", ["2.11.0+cu118", "2.12.0+cu124", "2.13.0+cu126", "2.13.0+cu129", "2.13.0+cu130",
                               "2.13.0+cu132", "2.13.0+rocm7.1", "2.13.0+rocm7.2", "2.13.0+cpu"]),
        ("pytorch-whl-nightly-torch", [f"2.15.0.dev20260828+{one}" for one in
                                       ("cu126", "cu130", "cu132", "cu134", "rocm7.14")]),
    ],
)  # fmt: skip
def test_recorded_pages_of_pytorch(name: str, versions: list[str]) -> None:
    path = SHARED / f"{name}.mirrored.html"
    if not path.exists():
        pytest.skip(f"{path} is not here")
    found = read_page(path.read_bytes(), "text/html", "https://download.pytorch.org/whl/torch/", "torch")
    assert [one.filename.split("-")[1] for one in found] == versions
    assert all(one.url.startswith("https://download.pytorch.org/whl/torch/torch-2.1") for one in found)


class Oracle(HTMLParser):
    """The standard library's reading: (name, attributes; of doubles the first) of every opening tag that matters."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[tuple[str, dict[str, str]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("a", "base", "meta"):
            self.found.append((tag, {name: value or "" for name, value in reversed(attrs)}))


NAMES = st.sampled_from(["href", "data-yanked", "DATA-Requires-Python", "class", "rel", "data-core-metadata"])
VALUES = st.text(st.sampled_from("abz09._-+/#%:;() é\n<>&"), max_size=12)
QUOTES = st.sampled_from(["'", '"'])


@st.composite
def attributes(draw: st.DrawFn) -> str:
    name, quote = draw(NAMES), draw(QUOTES)
    gap = draw(st.sampled_from([" ", "\n", "  ", "\t"]))
    equals = draw(st.sampled_from(["=", " = ", "= "]))
    value = draw(VALUES).replace("&", draw(st.sampled_from(["&amp;", "&gt;", "&#43;"])))
    return draw(st.sampled_from([f"{gap}{name}{equals}{quote}{value}{quote}", f"{gap}{name}"]))


@st.composite
def pages(draw: st.DrawFn) -> str:
    tag = st.builds(
        lambda name, said, end: f"<{name}{''.join(said)}{end}",
        st.sampled_from(["a", "A", "base", "meta", "br", "div", "abbr"]), st.lists(attributes(), max_size=4),
        st.sampled_from([">", " >", "\n>", " />"]),
    )  # fmt: skip
    other = st.sampled_from(["text ", "</a>", "</body >", "<!-- <a href=x> -->", "<!DOCTYPE html>", "&lt;", "a > b",
                             "<script>var a = '<a href=\"x\">'</script>", "<style>a{}</style>"])  # fmt: skip
    return "".join(draw(st.lists(tag | other, max_size=12)))


@given(pages())
def test_tags_are_those_that_the_standard_parser_finds(text: str) -> None:
    oracle = Oracle()
    oracle.feed(text)
    oracle.close()
    assert [(tag.name, tag.attributes) for tag in tags(text)] == oracle.found


HREFS = st.text(st.sampled_from("ab1/.:?&=+-_~%é #@"), min_size=1, max_size=30) | st.builds(
    lambda origin, path: origin + path,
    st.sampled_from(["http://a.example", "https://A.example:443", "https://b.example:8", "//c.example", ""]),
    st.text(st.sampled_from("ab1/.+-_~%#"), max_size=12),
)


@given(HREFS, st.sampled_from([BASE, "https://index.example/a/b?x=/y", "http://index.example:80/"]))
def test_links_are_resolved_as_the_standard_does(href: str, base: str) -> None:
    def answer(read: Callable[[str, str], tuple[str, str]]) -> tuple[str, str] | None:
        try:
            return read(base, href.strip())
        except Failed:
            return None

    found = answer(linked)
    assert found == answer(_resolved), "the short way and the long way agree"
    if found and found[0] and href.isascii() and "@" not in href and " " not in href and ":" not in href:
        assert found[0] == parse(urljoin(base, href)).url
