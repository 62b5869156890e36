"""Ours beside the real thing, at any size."""
