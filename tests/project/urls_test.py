"""No credential is ever shown."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firstlight.catalog.address import shown
from firstlight.project.urls import label, local_path, redact, slug, without_credentials

SECRET = st.text(st.characters(codec="ascii", categories=["L", "N"]), min_size=6, max_size=12).map("pw".__add__)


@given(SECRET, st.lists(st.sampled_from(["https://", "http://"]), min_size=1, max_size=4))
def test_a_password_is_in_nothing_that_is_shown(secret: str, schemes: list[str]) -> None:
    text = " and ".join(f"{scheme}user:{secret}@host.example/simple" for scheme in schemes)
    assert secret not in redact(text)
    assert redact(text).count("host.example/simple") == len(schemes)


@given(st.text())
def test_text_without_credentials_or_a_query_stays_as_it_is(text: str) -> None:
    plain = text.replace("@", "").replace("?", "")
    assert redact(plain) == plain
    assert redact(redact(text)) == redact(text)


@given(SECRET)
def test_no_secret_of_any_place_in_a_url_is_shown(secret: str) -> None:
    """Also one that holds signs which should have been percent-encoded: what such a URL means, nobody can tell."""
    for url in (
        f"https://host.example/simple?token={secret}", f"https://host.example/simple?a=1&t={secret}#sha256=00",
        f"https://user:{secret}/x@host.example/simple", f"https://user:x?{secret}@host.example/",
        f"https://user:#{secret}@host.example/", f"(see https://host.example/?{secret}).",
    ):  # fmt: skip
        assert secret not in redact(f"at {url} it ends")
        assert secret not in shown(url)
        assert "host.example" in redact(url)
        assert redact(f"at {url} it ends").endswith(" it ends")


def test_what_is_no_secret_is_shown() -> None:
    for url in ("https://host/@scope/x", "http://[::1]:80/a@b", "https://host:8080/a@b", "https://host/a#sha256=0"):
        assert redact(url) == url
    assert redact("https://host/a?b=c#d") == "https://host/a?***#d"


def test_credentials_leave_a_url() -> None:
    assert without_credentials("https://a:b@host/x@y") == "https://host/x@y"
    assert without_credentials("/a/folder") == "/a/folder"


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://host/whl/rocm7.2", "rocm7.2"),
        ("https://host/whl/cu130/", "cu130"),
        ("https://host/whl/nightly/cpu", "cpu"),
        ("https://host/rocm/whl/gfx1151/", "gfx1151"),
        ("https://u:p@host.example:8080/simple", ""),
        ("https://host.example/s3cr3t-token/simple?key=cu130", ""),
        ("file:///home/somebody/mirror/simple", ""),
        ("/srv/rocm/cuda/gfx/", ""),
    ],
)
def test_an_index_is_called_by_its_telling_part(url: str, name: str) -> None:
    assert label(url) == name


@given(st.text())
def test_a_slug_is_plain(text: str) -> None:
    assert all(sign.isalnum() or sign in ".-" for sign in slug(text))


def test_what_lies_on_this_disk() -> None:
    assert local_path("file:///a/b%20c") == "/a/b c"
    assert local_path("/a/b") == "/a/b"
    assert local_path("https://host/a") is None
