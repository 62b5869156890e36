"""No credential is ever shown."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firstlight.project.urls import label, local_path, redact, slug, without_credentials

SECRET = st.text(st.characters(codec="ascii", categories=["L", "N"]), min_size=6, max_size=12).map("pw".__add__)


@given(SECRET, st.lists(st.sampled_from(["https://", "http://"]), min_size=1, max_size=4))
def test_a_password_is_in_nothing_that_is_shown(secret: str, schemes: list[str]) -> None:
    text = " and ".join(f"{scheme}user:{secret}@host.example/simple" for scheme in schemes)
    assert secret not in redact(text)
    assert redact(text).count("host.example/simple") == len(schemes)


@given(st.text())
def test_text_without_an_at_sign_stays_as_it_is(text: str) -> None:
    plain = text.replace("@", "")
    assert redact(plain) == plain
    assert redact(redact(text)) == redact(text)


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
