"""Trust in the machine's apt sources, looked at only where there are some."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..facts.model import Facts, Unknown
from ..host import Host

if TYPE_CHECKING:
    from ..catalog.debian.trust_model import Trust


def trusted(host: Host, facts: Facts) -> Trust | None:
    """None where there is no apt: nothing is read then."""
    if isinstance(facts.repositories, Unknown) or not facts.repositories:
        return None
    from ..catalog.debian.trust import judge_trust

    now = facts.clock.now
    return judge_trust(host, facts.repositories, None if isinstance(now, Unknown) else now)
