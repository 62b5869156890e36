"""What was perhaps meant by a word that is no target."""

from __future__ import annotations

import pytest

from firstlight.binaries.targets import meant, target_of
from firstlight.errors import UsageError
from firstlight.verbs.inspect import InspectRequest, inspect


@pytest.mark.parametrize(
    ("word", "target"),
    [
        ("1151", "gfx1151"),
        ("gfx-1151", "gfx1151"),
        ("90a", "gfx90a"),
        ("12.1", "sm_121"),
        ("sm121", "sm_121"),
        ("compute_90", "sm_90"),
        ("MI300X", "gfx942"),
        ("Strix Halo", "gfx1151"),
        ("h100", "sm_90"),
        ("7900", None),
        ("rubbish", None),
        ("", None),
        ("²", None),
        ("9" * 4000, None),
    ],
)
def test_the_guess(word: str, target: str | None) -> None:
    assert meant(word) == target
    assert target is None or target_of(target) == target


def test_the_error_names_it_in_both_languages() -> None:
    with pytest.raises(UsageError) as caught:
        inspect(InspectRequest(files=("x",), targets=("sm121",)))
    assert caught.value.next is not None
    assert "`--for sm_121`" in caught.value.next.en
    assert "`--for sm_121`" in caught.value.next.zh
