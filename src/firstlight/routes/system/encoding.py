"""How packages of several architectures are told to a solver that knows names and versions only.

Each name stands twice: by itself, and with its version under `v:`. An unversioned `Provides` gives the first only, so
that it never satisfies a relation with a version (Policy 7.5). Names of foreign architectures bear them (`libc6:i386`);
what `Multi-Arch` allows is provided under further names (https://wiki.ubuntu.com/MultiarchSpec).

All is written as entries of RPM's `primary` metadata, which the solver's own parser reads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from .relations import Relation, relations
from .versions import encoded

ANY = "any"
EITHER = " or "
_SIGNS = {"<<": ("<", "LT"), "<=": ("<=", "LE"), "=": ("=", "EQ"), ">=": (">=", "GE"), ">>": (">", "GT")}
"""Debian's signs as the solver writes them in an alternative, and in an entry."""
MOST_PARTS = 5000
"""Relations of one field."""


class _Known(dict[str, str]):
    """Relations as they are written in control files -> entries: most stand in many packages."""

    def __init__(self, made: Callable[[str], str]) -> None:
        super().__init__()
        self._made = made

    def __missing__(self, part: str) -> str:
        found = self[part] = self._made(part)
        return found


class Encoder:
    """Relations of packages as entries."""

    def __init__(self, architectures: tuple[str, ...]) -> None:
        self.native = architectures[0]
        self._architectures = architectures
        self._needed: dict[str, _Known] = {}
        self._against = _Known(self._conflict)

    def name(self, name: str, architecture: str) -> str:
        """What a package of an architecture is called; `all` counts as native."""
        return name if architecture in (self.native, "all") else f"{name}:{architecture}"

    def needs(self, field: str, architecture: str) -> str:
        """What must (Depends, Pre-Depends) or should (Recommends) be there with it."""
        known = self._needed.get(architecture)
        if known is None:
            known = self._needed[architecture] = _Known(lambda part: self._need(part, architecture))
        return "".join([known[part] for part in field.split(", ", MOST_PARTS)])

    def _need(self, text: str, architecture: str) -> str:
        return "".join(self._alternatives(one, architecture) for one in relations(text))

    def _alternatives(self, alternatives: tuple[Relation, ...], architecture: str) -> str:
        named = [(self._called(one, architecture), one) for one in alternatives]
        if len(named) == 1:
            return entry(*named[0])
        return f'<rpm:entry name="{quoted("(" + EITHER.join(_told(name, one) for name, one in named) + ")")}"/>'

    def _called(self, one: Relation, architecture: str) -> str:
        if one.architecture == ANY:
            return f"{one.name}:{ANY}"
        return self.name(one.name, one.architecture or architecture)

    def against(self, fields: dict[str, str]) -> str:
        """What must not be there with it (Conflicts, Breaks): of every architecture (Policy 7.4), but for its own name
        where copies of several may be there."""
        own = fields["package"] if fields.get("multi-arch") == "same" else ""
        found = [
            self._against[part]
            for field in ("conflicts", "breaks")
            if field in fields
            for part in fields[field].split(", ", MOST_PARTS)
            if not (own and part.partition(" ")[0] == own)
        ]
        if len(self._architectures) > 1:
            found += self._beside_itself(fields)
        return "".join(found)

    def _conflict(self, text: str) -> str:
        return "".join(
            entry(name, one)
            for alternatives in relations(text)
            for one in alternatives
            for name in self._everywhere(one)
        )

    def _everywhere(self, one: Relation) -> Iterator[str]:
        for architecture in (one.architecture,) if one.architecture not in ("", ANY) else self._architectures:
            yield self.name(one.name, architecture)

    def _beside_itself(self, fields: dict[str, str]) -> Iterator[str]:
        """Copies for other architectures: none, or of the very same version."""
        version, mine = fields["version"], self.name(fields["package"], fields["architecture"])
        for other in self._architectures:
            name = self.name(fields["package"], other)
            if name == mine:
                continue
            if fields.get("multi-arch") == "same":
                yield entry(f"self:{name}", Relation("", "", "<<", version))
                yield entry(f"self:{name}", Relation("", "", ">>", version))
            else:
                yield entry(f"self:{name}", Relation(""))

    def provides(self, fields: dict[str, str], version: str) -> str:
        """Itself, and what it stands for. `version`: its own, encoded."""
        own, architecture, multi = fields["package"], fields["architecture"], fields.get("multi-arch", "")
        found = [_both(one, version) for one in self._under(own, architecture, multi)]
        if len(self._architectures) > 1:
            found.append(_both(f"self:{self.name(own, architecture)}", version))
        for alternatives in relations(fields["provides"]) if "provides" in fields else ():
            for one in alternatives:
                exact = encoded(one.version) if one.operator == "=" else ""
                under = self._under(one.name, one.architecture or architecture, multi)
                found += [_both(quoted(name), exact) if exact else entry(name, Relation("")) for name in under]
        return "".join(found)

    def _under(self, name: str, architecture: str, multi: str) -> list[str]:
        """The names under which others find it."""
        mine = self.name(name, architecture)
        if multi == "foreign" and len(self._architectures) > 1:
            return list(dict.fromkeys(self.name(name, one) for one in self._architectures))
        return [mine, f"{name}:{ANY}"] if multi == "allowed" else [mine]


def _both(name: str, version: str) -> str:
    """A name by itself and with a version."""
    return f'<rpm:entry name="{name}"/><rpm:entry name="v:{name}" flags="EQ" epoch="0" ver="{version}"/>'


def entry(name: str, one: Relation) -> str:
    """A relation that stands alone."""
    if not one.operator:
        return f'<rpm:entry name="{quoted(name)}"/>'
    flags, version = _SIGNS[one.operator][1], encoded(one.version)
    return f'<rpm:entry name="v:{quoted(name)}" flags="{flags}" epoch="0" ver="{version}"/>'


def _told(name: str, one: Relation) -> str:
    """A relation among alternatives."""
    return f"v:{name} {_SIGNS[one.operator][0]} {encoded(one.version)}" if one.operator else name


def quoted(text: str) -> str:
    """As XML holds it; what it does not allow is left out."""
    plain = text if text.isprintable() else "".join(one for one in text if one.isprintable())
    for sign, written in _ESCAPES:  # xml.sax.saxutils would import urllib, which takes as long as an answer
        if sign in plain:
            plain = plain.replace(sign, written)
    return plain


_ESCAPES = (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;"))
