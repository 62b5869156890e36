"""Runs in the target Python: standard library and torch only, and nothing of firstlight."""
