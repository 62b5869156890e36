"""What is this machine?"""

from __future__ import annotations

import msgspec

from ..facts import Facts, collect
from ..host import Host, open_host
from ..host.model import HostKind
from ..words import Lang
from .answer import Answer
from .place import root


class FactsRequest(msgspec.Struct, frozen=True, kw_only=True):
    """Which machine, and the folder of the project on it."""

    host: str = "live"
    project: str | None = None
    lang: Lang = "en"


class FactsAnswer(Answer, Facts, frozen=True, kw_only=True, tag="firstlight.facts/1"):
    """All that is known of the machine. What could not be read is `{unknown, source, detail}`."""


def facts(request: FactsRequest) -> FactsAnswer:
    """Read the machine. Unknown parts are no failure."""
    return answer(read(open_host(request.host), request.project))


def read(host: Host, project: str | None) -> Facts:
    """Facts of `host`, with the environments and the disk of the folder `project`; of a recorded machine those of the
    folder that it was recorded in: a folder here says nothing about it."""
    live = host.kind in (HostKind.LIVE, HostKind.OVERLAY)
    return collect(host, project=root(project) if live else None)


def answer(known: Facts) -> FactsAnswer:
    """The same facts under their schema's name."""
    return FactsAnswer(**{name: getattr(known, name) for name in Facts.__struct_fields__})
