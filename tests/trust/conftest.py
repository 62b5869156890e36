"""One GnuPG home for all tests of the folder: keys take time to make."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.trust.lab import Lab
from tests.trust.signing import SIGNINGS


@pytest.fixture(scope="session")
def lab() -> Iterator[Lab]:
    made = Lab()
    yield made
    made.close()


@pytest.fixture(scope="session")
def signings(lab: Lab) -> dict[str, tuple[bytes, bytes]]:
    """Name -> (InRelease, keyring)."""
    return {name: one.make(lab) for name, one in SIGNINGS.items()}
