"""Settings of all tests."""

from __future__ import annotations

import os

from hypothesis import settings

# continuous integration judges the change, not the day's luck; at home every run tries other examples
settings.register_profile("ci", derandomize=True)
if os.environ.get("CI"):
    settings.load_profile("ci")
