"""Does it work? The ladder of checks, each a claim that is tried."""

from .ladder import climb
from .model import Ladder

__all__ = ["Ladder", "climb"]
