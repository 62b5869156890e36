"""The same steps as root, for a user who is not: one privileged process for each consent, through sudo."""

from __future__ import annotations

import os
import sys
from typing import Literal

import msgspec

from ...errors import ConsentNeeded, FirstlightError, NoError
from ...host.command import run
from ...host.model import Outcome
from ...progress import Reporter
from ...words import Words, same
from .apply import apply_system
from .model import Applied, RolledBack, Settled, SystemChange
from .rollback import rollback_system
from .unfinished import settle_system

LIMIT = 8 << 20
MAIN = "import sys; sys.path.insert(0, sys.argv.pop(1)); from firstlight.cli.privileged import main; sys.exit(main())"


class Order(msgspec.Struct, frozen=True, kw_only=True):
    """What the privileged process is to do: it was consented to."""

    verb: Literal["apply", "rollback", "settle"]
    change: SystemChange | None = None
    accept_loss: bool = False


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """What came of it."""

    applied: Applied | None = None
    rolled_back: RolledBack | None = None
    settled: Settled | None = None
    exit_code: int = 0
    """Of the error, if there was one: `what`, `why`, `next` are its parts."""
    what: Words | None = None
    why: Words | None = None
    next: Words | None = None


def apply_as_root(change: SystemChange, reporter: Reporter, *, accept_loss: bool = False) -> Applied:
    """Directly if we are root, else through sudo. Raises FirstlightError as `apply_system` does; ConsentNeeded where
    sudo refuses."""
    if os.geteuid() == 0:
        return apply_system(change, reporter=reporter, accept_loss=accept_loss)
    report = _through_sudo(Order(verb="apply", change=change, accept_loss=accept_loss))
    if report.applied is None:
        raise _error(report)
    return report.applied


def rollback_as_root(reporter: Reporter) -> RolledBack:
    """The same for the machine's last change."""
    if os.geteuid() == 0:
        return rollback_system(reporter=reporter)
    report = _through_sudo(Order(verb="rollback"))
    if report.rolled_back is None:
        raise _error(report)
    return report.rolled_back


def settle_as_root(reporter: Reporter) -> Settled | None:
    """The same for a change that was cut off."""
    if os.geteuid() == 0:
        return settle_system(reporter=reporter)
    report = _through_sudo(Order(verb="settle"))
    if report.what is not None:
        raise _error(report)
    return report.settled


def carry_out(order: Order, reporter: Reporter) -> Report:
    """What the privileged process does."""
    try:
        if order.verb == "rollback":
            return Report(rolled_back=rollback_system(reporter=reporter))
        if order.verb == "settle":
            return Report(settled=settle_system(reporter=reporter))
        if order.change is None:
            return Report(exit_code=2, what=same("no change"))
        return Report(applied=apply_system(order.change, reporter=reporter, accept_loss=order.accept_loss))
    except FirstlightError as error:
        return Report(exit_code=error.exit_code, what=error.what, why=error.why, next=error.next)


def sudo() -> tuple[str, ...]:
    """How it is called: without a terminal it must not ask for a password."""
    return ("sudo", "--") if os.path.exists("/dev/tty") and _has_terminal() else ("sudo", "-n", "--")


def _has_terminal() -> bool:
    try:
        os.close(os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY))
    except OSError:
        return False
    return True


def _through_sudo(order: Order) -> Report:
    """-I: neither the variables nor the working folder of the user say what root imports."""
    place = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
    argv = (*sudo(), sys.executable, "-I", "-c", MAIN, place)
    outcome = run(argv, timeout=None, inherit=True, input=msgspec.json.encode(order), terminal=True, limit=LIMIT)
    try:
        return msgspec.json.decode(outcome.stdout.encode(), type=Report)
    except (msgspec.MsgspecError, ValueError):
        raise _refused(outcome) from None


def _refused(outcome: Outcome) -> FirstlightError:
    said = outcome.stderr.strip().splitlines()
    if outcome.code in (1, 127) and "Traceback" not in outcome.stderr:
        return ConsentNeeded(
            Words("root is needed, and sudo did not give it", "需要 root 权限，但 sudo 没有给予"),
            why=same(said[-1]) if said else None,
            next=Words(
                "run it as root, or where sudo can ask for your password",
                "请以 root 运行，或在 sudo 能询问密码的地方运行",
            ),
        )
    return NoError(
        Words(f"the part that runs as root ended with {outcome.code}", f"以 root 运行的部分以 {outcome.code} 结束"),
        why=same(" ".join(said[-3:])) if said else None,
        next=Words("run it again: what was cut off is brought to an end first", "请重新运行：会先收尾被中断的更改"),
    )


def _error(report: Report) -> FirstlightError:
    kind = ConsentNeeded if report.exit_code == ConsentNeeded.exit_code else NoError
    return kind(report.what or same("?"), why=report.why, next=report.next)
