"""Goal + Facts -> a Plan: every route judged."""

from .model import Plan
from .plan import plan

__all__ = ["Plan", "plan"]
