"""A plan frozen with hashes: firstlight.lock and pylock.<backend>.toml."""

from .freeze import freeze
from .model import Lock

__all__ = ["Lock", "freeze"]
