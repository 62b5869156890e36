"""A priority for apt in a file of our own (apt_preferences(5))."""

from __future__ import annotations

from ...causes.changes import Pin
from .file_step import FileStep
from .ground import Ground
from .names import PATTERNS, PIN, SLUG, fits, refused

FOLDER = "/etc/apt/preferences.d"


def step(ground: Ground, change: Pin) -> FileStep:
    """Raises UnreadableInput."""
    path = f"{FOLDER}/firstlight-{fits(SLUG, change.name, 'source name')}.pref"
    if not -32768 <= change.priority <= 32767 or change.priority == 0:
        raise refused("pin", str(change.priority))
    package, pin = fits(PATTERNS, change.package, "package"), fits(PIN, change.pin, "pin")
    text = f"Package: {package}\nPin: {pin}\nPin-Priority: {change.priority}\n"
    return FileStep(ground, "pin", path, text.encode())
