"""Goal + Facts -> a Plan: every route judged. The verb is `plan.plan`, not imported here: who only installs what is
locked needs no facts, no catalogue and no solver, and starts three times as fast without."""

from .model import Plan

__all__ = ["Plan"]
