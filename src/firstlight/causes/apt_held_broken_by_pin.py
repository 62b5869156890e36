"""A pin in apt's preferences forces or forbids versions of the GPU's stack."""

from __future__ import annotations

from ..facts.model import Facts, Pin, Unknown
from ..words import Words
from ._apt import of_stack, shown
from .messages import Message
from .model import CLEAR, Cause, Evidence, Found, Judgement, Remedy, missing

NEVER = 0
"""Below it no version is ever taken (apt_preferences(5))."""
ALWAYS = 1000
"""Above it a version is taken even if that is a downgrade."""


def judge(facts: Facts) -> Judgement:
    """Found if a pin on packages of the stack fixes a version, or has a priority that forbids or forces."""
    found = facts.apt.pins
    if isinstance(found, Unknown):
        return CLEAR if found.unknown == "absent" else missing(("apt.pins", found)) or CLEAR
    forcing = [pin for pin in found if _forces(pin)]
    if not forcing:
        return CLEAR
    return Found(
        evidence=tuple(Evidence("apt.pins", shown(pin), pin.file) for pin in forcing[:6]),
        values={"file": forcing[0].file, "packages": " ".join(forcing[0].packages)[:80]},
        remedy=(_look(forcing[0].file),),
    )


def _forces(pin: Pin) -> bool:
    named = any(of_stack(name.lower()) for name in pin.packages if name != "*" and not name.startswith("/"))
    extreme = pin.priority < NEVER or pin.priority > ALWAYS
    fixed = pin.pin.startswith("version ") and pin.priority > 500
    return named and (extreme or fixed)


def _look(path: str) -> Remedy:
    why = Words(
        "Shows the pin. Where it is not meant to hold any longer, correct or delete the file, then `apt-get update`.",
        "显示该 pin。如果已不需要它，请修改或删除该文件，然后运行 `apt-get update`。",
    )
    return Remedy(("cat", path), root=False, why=why)


# messages
MESSAGES = (
    Message(r"you have held broken packages", 0.82, needs=("pin-forcing",)),
    Message(r"Pin-Priority: (?P<priority>(?:-\d{1,5}|[1-9]\d{3,4}))", 0.7, needs=("unmet", "apt-held-words"), told=Words("A preferences file sets priority {priority}.", "preferences 文件设置了优先级 {priority}。")),
    Message(r"but (?P<offered>[\w.:+~-]{2,60}) is to be installed", 0.75, needs=("pin-forcing",)),
    Message(r"(?P<package>[\w.+-]{2,60}) -> (?P<version>[\w.:+~-]{2,60}) with priority (?P<priority>-?\d{1,5})", 0.8, needs=("unmet", "apt-held-words"), told=Words("{package} is pinned to {version} with priority {priority}.", "{package} 被 pin 到 {version}，优先级 {priority}。")),
)  # fmt: skip

CAUSE = Cause(
    id="apt-held-broken-by-pin",
    family="apt",
    vendor="both",
    severity="advice",
    title=Words("{file} pins {packages}", "{file} 对 {packages} 设置了 pin"),
    means=Words(
        "A pin in apt's preferences forces an old or foreign version and blocks the install.",
        "apt 首选项中的 pin 强制使用旧版本或其他来源的版本，导致无法安装。",
    ),
    effect=Words(
        "Other versions of these packages are not taken: what needs them cannot be installed, though nothing is on "
        "hold.",
        "apt 不会采用这些软件包的其他版本：需要它们的软件包无法安装，尽管没有任何保持（hold）。",
    ),
    fix=Words(
        "Correct or delete that preferences file, apt update, install again; allow the downgrade if the pin had moved "
        "packages ahead.",
        "修改或删除该首选项文件，apt update 后重新安装；如果该 pin 曾把软件包推到更新的版本，则允许降级。",
    ),
    messages=MESSAGES,
    judge=judge,
)
