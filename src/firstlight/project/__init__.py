"""What is wanted: flags, variables, project file, user file, pip's and uv's settings -> Project."""

from .load import load
from .model import Project

__all__ = ["Project", "load"]
