"""What LLVM lets one choose of a target."""

from __future__ import annotations

FEATURES = {
    "gfx801": "x",
    "gfx810": "x",
    "gfx900": "x",
    "gfx902": "x",
    "gfx904": "x",
    "gfx906": "xs",
    "gfx908": "xs",
    "gfx909": "x",
    "gfx90a": "xs",
    "gfx90c": "x",
    "gfx940": "xs",
    "gfx941": "xs",
    "gfx942": "xs",
    "gfx950": "xs",
    "gfx1010": "x",
    "gfx1011": "x",
    "gfx1012": "x",
    "gfx1013": "x",
    "gfx9-generic": "x",
    "gfx9-4-generic": "xs",
    "gfx10-1-generic": "x",
}
"""Which of xnack (x) and sramecc (s) a target lets one choose: LLVM's AMDGPU usage document."""
