"""`python -m firstlight`."""

from .cli.main import entry

entry()
