"""One small file by its address, such as a vendor's key: no index, nothing kept."""

from __future__ import annotations

from collections.abc import Mapping

from ..project.model import Sources
from ..words import same
from .address import shown
from .fetch import Network
from .model import Trouble, TroubleKind
from .trouble import Failed


def plain_file(url: str, sources: Sources, environ: Mapping[str, str], *, limit: int) -> bytes | Trouble:
    """Its bytes, at most `limit`. Nothing is believed of them: who asks knows what it must be."""
    try:
        answer = Network(sources, environ).get(url, limit=limit)
    except Failed as error:
        return error.about(shown(url))
    if answer.status == 200:
        return answer.body
    kind: TroubleKind = "not-there" if answer.status in (404, 410) else "server-error"
    return Failed(kind, same(f"HTTP {answer.status}")).about(shown(url))
