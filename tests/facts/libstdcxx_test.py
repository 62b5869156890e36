"""Which libstdc++ a host has."""

from __future__ import annotations

import pytest

from firstlight.facts.libstdcxx import libstdcxx
from firstlight.facts.value import Fact, Unknown
from firstlight.host.model import Missing

from .fake_host import FakeHost

GNU = "/usr/lib/x86_64-linux-gnu"


@pytest.mark.parametrize(
    ("folder", "file", "arch", "expected"),
    [
        (GNU, "libstdc++.so.6.0.30", "x86_64", "3.4.30"),
        (GNU, "libstdc++.so.6.0.30", Unknown("absent", "machine"), Unknown("absent", "/usr/lib64/libstdc++.so.6")),
        ("/usr/lib64", "libstdc++.so.6.0.19", "aarch64", "3.4.19"),
        ("/usr/lib", "libstdc++.so.6.0.33", "x86_64", "3.4.33"),
    ],
)
def test_by_the_name_of_its_file(folder: str, file: str, arch: Fact[str], expected: Fact[str]) -> None:
    host = FakeHost({f"{folder}/{file}": b""}, links={f"{folder}/libstdc++.so.6": file})
    found = libstdcxx(host, arch)
    assert found == expected or (isinstance(found, Unknown) and isinstance(expected, Unknown))


@pytest.mark.parametrize("file", ["libstdc++.so.6.0.x", "libstdc++.so.6.0.123456789", "other.so"])
def test_an_odd_name_tells_nothing(file: str) -> None:
    host = FakeHost({f"{GNU}/{file}": b""}, links={f"{GNU}/libstdc++.so.6": file})
    assert isinstance(libstdcxx(host, "x86_64"), Unknown)


def test_what_was_not_captured_is_said_so() -> None:
    found = libstdcxx(FakeHost(missing=Missing.NOT_CAPTURED), "x86_64")
    assert isinstance(found, Unknown)
    assert found.unknown == "not-captured"
