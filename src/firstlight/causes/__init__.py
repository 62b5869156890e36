"""Named reasons why bring-up fails; one file each. `diagnose` judges them all on the facts of a machine."""

from .catalogue import catalogue
from .diagnosis import diagnose

__all__ = ["catalogue", "diagnose"]
