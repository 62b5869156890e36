"""The ladder: one line a rung."""

from __future__ import annotations

from collections.abc import Mapping

from ..checks.model import RungVerdict
from ..checks.titles import REASONS, TITLES
from ..verbs.verify import RungAnswer, VerifyAnswer
from ..words import Lang, Words
from .layout import BLANK, Line, Span, Style, line, table
from .units import size, span

_VERDICT: dict[RungVerdict, tuple[Words, Style]] = {
    "pass": (Words("pass", "通过"), "good"),
    "fail": (Words("FAIL", "失败"), "bad"),
    "skip": (Words("skip", "跳过"), "dim"),
    "unknown": (Words("unknown", "未知"), "warn"),
}
_PASSED = Words(
    "All {count} rungs that apply passed on the {backend} backend.", "{backend} 后端上适用的 {count} 级检查全部通过。"
)
_FAILED = Words(
    "`{rung}` is the first rung that fails; those that need it were left out.",
    "`{rung}` 是第一级失败的检查；依赖它的检查已跳过。",
)
_UNSURE = Words("No rung failed, but some could not be judged.", "没有检查失败，但有些无法判断。")
_BOUND = Words(
    "worst error {share_of_bound} of what is allowed, {cases} cases",
    "{cases} 个用例，最大误差为允许值的 {share_of_bound}",
)
_KEY: dict[str, Words] = {
    "import": Words("version {version}", "版本 {version}"),
    "device-visible": Words("{count} device(s)", "{count} 个设备"),
    "matmul": _BOUND,
    "convolution": _BOUND,
    "attention": _BOUND,
    "training-step": Words(
        "loss {first_loss} -> {last_loss} in {steps} steps, at most {share_of_bound} of the allowed deviation",
        "{steps} 步内损失 {first_loss} -> {last_loss}，偏差不超过允许值的 {share_of_bound}",
    ),
    "checkpoint": Words("{file_bytes} saved and loaded", "保存并加载 {file_bytes}"),
    "memory": Words("{allocated_bytes} allocated and written", "已分配并写入 {allocated_bytes}"),
}
"""For each rung the evidence that a person wants first; `-v` tells all of it."""


def lines(answer: VerifyAnswer, lang: Lang, *, verbose: bool = False) -> list[Line]:
    """Each rung, and the conclusion."""
    rows = table([_row(rung, lang, verbose=verbose) for rung in answer.rungs])
    for rung in answer.rungs:
        if rung.verdict == "fail" and rung.text:
            rows += [BLANK, line(Span(rung.id, "strong"))]
            rows += [line(said, indent=2) for said in rung.text.splitlines()[-12:]]
    return [*rows, BLANK, conclusion(answer, lang)]


def conclusion(answer: VerifyAnswer, lang: Lang) -> Line:
    """The ladder in one sentence."""
    if answer.first_failure:
        return line(Span(_FAILED.say(lang, rung=answer.first_failure), "bad"))
    if answer.exit_code:
        return line(Span(_UNSURE.say(lang), "warn"))
    passed = sum(rung.verdict == "pass" for rung in answer.rungs)
    return line(Span(_PASSED.say(lang, count=passed, backend=answer.backend), "good"))


def _row(rung: RungAnswer, lang: Lang, *, verbose: bool) -> tuple[Span | str, ...]:
    word, style = _VERDICT[rung.verdict]
    told = [REASONS[rung.reason].say(lang) if rung.reason in REASONS else rung.reason] if rung.reason else []
    if verbose:
        told += [f"{name} {_short(name, value)}" for name, value in _plain(rung.evidence).items()]
    elif rung.verdict in ("pass", "fail"):
        told += _key(rung, lang)
    time = span(rung.ms) if rung.verdict in ("pass", "fail") else ""
    sentence = ("；" if lang == "zh" else "; ").join(told)
    return Span(word.say(lang), style), Span(rung.id, "strong"), time, Span(sentence, "dim")


def _key(rung: RungAnswer, lang: Lang) -> list[str]:
    """What is claimed, if it holds, and the numbers for it; evidence may lack them."""
    claim = [TITLES[rung.id].say(lang)] if rung.verdict == "pass" and rung.id in TITLES else []
    values = {name: _short(name, value) for name, value in _plain(rung.evidence).items()}
    words = _KEY.get(rung.id)
    template = "" if words is None else words.zh if lang == "zh" else words.en
    try:
        return [*claim, template.format(**values)] if template else claim
    except KeyError:
        return claim


def _plain(evidence: Mapping[str, object]) -> dict[str, str | float]:
    return {name: value for name, value in evidence.items() if isinstance(value, (str, int, float))}


def _short(name: str, value: str | float) -> str:
    if name.endswith("_bytes") and isinstance(value, int):
        return size(value)
    if name == "share_of_bound" and isinstance(value, float):
        return f"{value:.0%}"
    return f"{value:.3g}" if isinstance(value, float) else str(value)
