"""Words of a command line added and removed in the forms in which configuration files hold them."""

from __future__ import annotations

import re
from collections.abc import Sequence


def changed(words: str, add: Sequence[str], remove: Sequence[str]) -> str:
    """A command line: another value of what is added goes, as the kernel would take the last; `-` and `_` in a name
    are the same to it. One that says it already stays as it is."""
    have = words.split()
    gone = {_name(word) for word in (*add, *remove)}
    if all(word in have for word in add) and not any(_name(word) in {_name(one) for one in remove} for word in have):
        return words
    return " ".join([word for word in have if _name(word) not in gone] + list(add))


def says(words: str, add: Sequence[str], remove: Sequence[str]) -> bool:
    """Whether nothing would have to be changed."""
    return changed(words, add, remove) == words


def in_shell(text: str, variable: str, add: Sequence[str], remove: Sequence[str]) -> str:
    """`VARIABLE="…"` lines; the last one gets what is added. One with a substitution in it is not touched."""
    lines = re.compile(rf"""^(\s*{variable}=)(["']?)([^"'$`\n]*)\2[ \t]*$""", re.MULTILINE)
    found = list(lines.finditer(text))
    for match in reversed(found):
        words = changed(match[3], add if match is found[-1] else (), remove)
        if words != match[3]:
            quote = match[2] or '"'
            text = f"{text[: match.start()]}{match[1]}{quote}{words}{quote}{text[match.end() :]}"
    return text


def value_of(text: str, variable: str) -> str | None:
    """Value of the last `VARIABLE="…"` line; None: there is none."""
    found = re.findall(rf"""^\s*{variable}=(["']?)([^"'$`\n]*)\1[ \t]*$""", text, re.MULTILINE)
    return str(found[-1][1]) if found else None


def after_key(text: str, pattern: str, add: Sequence[str], remove: Sequence[str]) -> str:
    """Every line that begins with a key (a pattern with one group), its rest being the command line."""

    def line(match: re.Match[str]) -> str:
        quote = '"' if match[2].startswith('"') and match[2].endswith('"') and len(match[2]) > 1 else ""
        inner = match[2].strip('"') if quote else match[2]
        return f"{match[1]}{quote}{changed(inner, add, remove)}{quote}"

    return re.sub(rf"^({pattern})(.*)$", line, text, flags=re.MULTILINE)


def whole(text: str, add: Sequence[str], remove: Sequence[str]) -> str:
    """A file that is one command line."""
    line, end, rest = text.partition("\n")
    return f"{changed(line, add, remove)}{end or chr(10)}{rest}"


def _name(word: str) -> str:
    return word.partition("=")[0].replace("-", "_")
