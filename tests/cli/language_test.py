"""Which language is spoken."""

from __future__ import annotations

import pytest

from firstlight.cli.language import language


@pytest.mark.parametrize(
    ("arguments", "environ", "spoken"),
    [
        ([], {}, "en"),
        ([], {"LANG": "zh_CN.UTF-8"}, "zh"),
        ([], {"LC_ALL": "C", "LANG": "zh_CN.UTF-8"}, "en"),
        ([], {"LC_ALL": "", "LC_MESSAGES": "zh_TW", "LANG": "de_DE"}, "zh"),
        ([], {"FIRSTLIGHT_LANG": "zh", "LC_ALL": "en_US.UTF-8"}, "zh"),
        (["facts", "--lang", "en"], {"LC_ALL": "zh_CN"}, "en"),
        (["--lang=zh", "facts"], {}, "zh"),
        (["verify", "--", "train", "--lang", "zh"], {}, "en"),
        (["facts", "--lang"], {"LANG": "zh"}, "zh"),
        ([], {"LANG": "zh_CN.GBK"}, "zh"),
        ([], {"LANG": "zha_CN"}, "en"),
        ([], {"LANG": "ZH-Hant"}, "zh"),
    ],
)
def test_language(arguments: list[str], environ: dict[str, str], spoken: str) -> None:
    assert language(arguments, environ) == spoken
