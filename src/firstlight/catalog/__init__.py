"""What package indices say that they offer, as records, with its date."""

from .index import Catalog
from .model import Page

__all__ = ["Catalog", "Page"]
