"""Maintainer scripts that fail half-way, or take dpkg down with them: everything is as it was before."""

from __future__ import annotations

import os

import pytest

from firstlight.errors import NoError

from .machine import Machine

HALF = """
[ "$1" = configure ] || [ "$1" = install ] || [ "$1" = upgrade ] || exit 0
echo half > /etc/half.conf
mkdir -p /var/lib/half /etc/half.d
echo data > /var/lib/half/data
echo "half:x:999:" >> /etc/group
ln -sf half.conf /etc/half.link
echo more >> /usr/share/common.cache
"""
FAILS = f"{HALF}\nexit 3"
KILLS = f"{HALF}\nkill -9 $PPID\nsleep 1"
REFUSES = "exit 7"


FULL = os.environ.get("FIRSTLIGHT_FULL") == "1"
FIRST = [
    {"postinst": FAILS},
    {"preinst": KILLS},
    {"postinst": KILLS, "prerm": REFUSES, "postrm": REFUSES},
    {"preinst": FAILS},
    {"postinst": FAILS, "prerm": REFUSES},
    {"postinst": FAILS, "postrm": REFUSES},
    {"postinst": KILLS},
]


@pytest.mark.parametrize(
    "scripts",
    FIRST if FULL else FIRST[:3],
    ids=lambda scripts: "-".join(f"{name}{'-kills' if 'kill' in text else ''}" for name, text in scripts.items()),
)
def test_a_first_installation_that_fails_leaves_nothing(machine: Machine, scripts: dict[str, str]) -> None:
    machine.repository.build("libtiny", "1.0")
    machine.repository.build("tiny", "1.0", Depends="libtiny", scripts=scripts)
    machine.repository.build("last", "1.0", Depends="tiny")
    machine.know()
    machine.root.write("/usr/share/common.cache", "what was\n")
    before = machine.state()
    with pytest.raises(NoError) as caught:
        machine.install("last")
    assert "taken back" in (caught.value.next.en if caught.value.next else "")
    machine.assert_like(before)
    assert machine.standings() == ["applied", "undone"]


UPGRADES = {
    "preinst-kills": ({}, {"preinst": KILLS}),
    "all": ({}, {"postinst": KILLS, "prerm": REFUSES, "postrm": REFUSES}),
    "old-prerm": ({"prerm": REFUSES}, {"prerm": REFUSES}),
    "postinst": ({}, {"postinst": FAILS}),
    "prerm-too": ({}, {"postinst": FAILS, "prerm": REFUSES}),
}


@pytest.mark.parametrize(("old", "new"), list(UPGRADES.values())[: None if FULL else 2])
def test_an_upgrade_that_fails_gives_the_former_version_back(
    machine: Machine, old: dict[str, str], new: dict[str, str]
) -> None:
    machine.repository.build("tiny", "1.0", scripts=old)
    machine.know()
    machine.install("tiny")
    machine.root.write("/usr/share/common.cache", "what was\n")
    before = machine.state()
    machine.repository.build("tiny", "2.0", scripts=new)
    machine.refresh()
    with pytest.raises(NoError):
        machine.install("tiny")
    machine.assert_like(before)
