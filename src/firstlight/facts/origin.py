"""Which host answered."""

from __future__ import annotations

from ..host.model import Host, Unread
from .model import Origin
from .value import unknown


def origin(host: Host) -> Origin:
    """Kind and label of the host, and when it was asked or captured."""
    now = host.now()
    return Origin(kind=host.kind, label=host.label, captured_at=unknown(now) if isinstance(now, Unread) else now)
