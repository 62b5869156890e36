"""Lock -> an environment, by steps that survive being killed at any moment."""

from .model import StepResult
from .sync import sync

__all__ = ["StepResult", "sync"]
