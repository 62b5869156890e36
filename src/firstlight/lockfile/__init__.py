"""A plan frozen with hashes: firstlight.lock and pylock.<backend>.toml. The verb is `freeze.freeze`, not imported here:
see `routes`."""

from .model import Lock

__all__ = ["Lock"]
