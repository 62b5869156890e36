"""The same answer as Markdown, for whoever maintains the program or the machine."""

from __future__ import annotations

import re

from ..verbs.explain import ExplainAnswer, ExplainedAnswer
from ..words import Lang, Words
from .explain import sure

_TITLE = Words("What this log says", "日志说明")
_READ = Words(
    "Read {lines} lines ({bytes} bytes) from `{source}`; {matched} of them match a known message. Secrets, names and "
    "addresses are replaced by dummies.",
    "从 `{source}` 读取 {lines} 行（{bytes} 字节），其中 {matched} 行与已知消息匹配。"
    "密钥、姓名和地址已替换为占位内容。",
)
_CAUSES = Words("Causes", "原因")
_NONE = Words("None that is known.", "没有已知原因。")
_UNDECIDED = Words("Undecided: {ids}", "未定：{ids}")
_PROOF = Words("Evidence", "依据")
_REMEDY = Words("Remedy", "修复")
_KNOWN = Words("Known reports", "已知报告")
_FOLLOWS = Words("A consequence of `{id}`.", "由 `{id}` 引起。")
_FACTS = Words("What it says of the machine", "文本所述的机器")
_FENCE = re.compile("`+")


def markdown(answer: ExplainAnswer, lang: Lang) -> str:
    """The report. No line of the log can break out of its code block."""
    amount = answer.read
    parts = [
        f"# {_TITLE.say(lang)}",
        _READ.say(lang, lines=amount.lines, bytes=amount.bytes, matched=amount.matched_lines, source=answer.source),
        *_machine(answer, lang),
        f"## {_CAUSES.say(lang)}",
    ]
    if not answer.causes:
        parts.append(_UNDECIDED.say(lang, ids=", ".join(answer.undecided)) if answer.undecided else _NONE.say(lang))
    for one in answer.causes:
        parts += _cause(one, lang)
    return "\n\n".join(parts) + "\n"


def _machine(answer: ExplainAnswer, lang: Lang) -> list[str]:
    if not answer.machine:
        return []
    rows = "\n".join(f"- {name}: {value}" for name, value in answer.machine.items())
    return [f"## {_FACTS.say(lang)}", rows]


def _cause(one: ExplainedAnswer, lang: Lang) -> list[str]:
    parts = [f"### `{one.id}`: {sure(one.confidence, lang)}", one.means]
    if one.follows:
        parts.append(_FOLLOWS.say(lang, id=one.follows))
    quoted = "\n".join(f"{proof.line}: {proof.text}" for proof in one.evidence)
    fence = "`" * max(3, 1 + max((len(run) for run in _FENCE.findall(quoted)), default=0))
    parts += [f"{_PROOF.say(lang)}:", f"{fence}text\n{quoted}\n{fence}", f"{_REMEDY.say(lang)}:"]
    parts.append("\n".join(f"- {remedy.why}" for remedy in one.remedy))
    if one.known:
        parts += [f"{_KNOWN.say(lang)}:", "\n".join(f"- <{known.url}>" for known in one.known)]
    return parts
