"""What a pasted text says: which messages stand in it, and what it tells of its machine."""

from .reader import Transcript, read

__all__ = ["Transcript", "read"]
