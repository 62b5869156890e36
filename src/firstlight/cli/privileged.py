"""The part that runs as root for a user who is not: one order on stdin, one report on stdout. Started by sudo only."""

from __future__ import annotations

import os
import sys

import msgspec

from ..progress import Silent
from ..steps.system.elevated import Order, Report, carry_out
from ..words import same
from .signals import watch

LIMIT = 64 << 20


def main() -> int:
    """0 if the order was understood: whether it was carried out is in the report."""
    os.umask(0o022)
    watch()
    try:
        order = msgspec.json.decode(sys.stdin.buffer.read(LIMIT), type=Order)
    except (msgspec.MsgspecError, ValueError) as error:
        report = Report(exit_code=2, what=same(f"no order: {error}"))
    else:
        report = carry_out(order, Silent())
    sys.stdout.buffer.write(msgspec.json.encode(report))
    sys.stdout.buffer.flush()
    return 0
