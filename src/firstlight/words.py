"""Text that a person reads, in every language the program speaks."""

from __future__ import annotations

from typing import Literal

import msgspec

Lang = Literal["en", "zh"]
LANGS: tuple[Lang, ...] = ("en", "zh")


class Words(msgspec.Struct, frozen=True):
    """One text in English and Chinese; `{name}` marks a place that `say` fills in."""

    en: str
    zh: str

    def say(self, lang: Lang, /, **values: object) -> str:
        """The text in `lang` with its places filled. Raises KeyError if a value is missing."""
        template = self.zh if lang == "zh" else self.en
        return template.format(**values) if values else template

    def fill(self, /, **values: object) -> Words:
        """The same text with its places filled in both languages; a value that is Words itself by the same language."""
        english = {name: value.en if isinstance(value, Words) else value for name, value in values.items()}
        chinese = {name: value.zh if isinstance(value, Words) else value for name, value in values.items()}
        return Words(self.en.format(**english), self.zh.format(**chinese))


def same(text: str) -> Words:
    """A text that is the same in every language: a name, a path, the words of a foreign program."""
    return Words(text, text)
