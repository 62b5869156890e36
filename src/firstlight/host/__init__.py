"""The machine as something that can be read and commanded."""

from .model import Host
from .opening import open_host

__all__ = ["Host", "open_host"]
