"""What verdicts and tiers are called."""

from __future__ import annotations

from ..routes.model import RouteVerdict, Tier
from ..words import Lang, Words
from .layout import Span, Style

VERDICT: dict[RouteVerdict, tuple[Words, Style]] = {
    "works": (Words("works", "可行"), "good"),
    "harmful": (Words("harmful", "有害"), "bad"),
    "unknown": (Words("unknown", "未知"), "warn"),
    "blocked": (Words("blocked", "不可用"), "bad"),
}
"""In the order in which they are shown."""

TIER: dict[Tier, Words] = {
    "vendor": Words("vendor", "厂商"),
    "upstream": Words("upstream", "上游"),
    "distro": Words("distro", "发行版"),
    "community": Words("community", "社区"),
    "local": Words("local", "本地"),
}


def verdict(which: RouteVerdict, lang: Lang) -> Span:
    """Its word, marked."""
    word, style = VERDICT[which]
    return Span(word.say(lang), style)


def colon(lang: Lang) -> str:
    """Between a name and what is said of it."""
    return "：" if lang == "zh" else ": "


def comma(lang: Lang) -> str:
    """Between the parts of a list."""
    return "，" if lang == "zh" else ", "
