"""Host -> Facts; one file a subject."""

from .collect import collect
from .model import Facts

__all__ = ["Facts", "collect"]
