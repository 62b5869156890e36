"""What an adopted environment holds that cannot be had again: why, in words; and that such a lock is not synced."""

from __future__ import annotations

from collections.abc import Mapping

from ..errors import NoError
from ..words import Words
from .model import BackendLock, Lost

CANNOT_TELL = (
    "offline", "unreachable", "denied", "bad-certificate", "server-error", "disk-full", "unwritable-cache",
    "damaged-index", "uv-too-old", "failed", "no-temporary-folder",
)  # fmt: skip
"""Refusals of a place that say nothing about what it offers."""
TEXTS: Mapping[str, Words] = {
    "not-offered": Words("no source offers this version", "没有来源提供该版本"),
    "other-file": Words("what the sources offer under this version is another file than the installed one",
                        "各来源以该版本提供的文件与已安装的不同"),
    "only-source": Words("only its source code is offered, and what one builds is another file each time",
                         "只提供源码，而每次构建得到的文件都不同"),
    "no-wheel-for-python": Words("what is offered does not fit this Python", "现有文件不适合该 Python"),
    "no-wheel-for-platform": Words("what is offered does not fit this machine", "现有文件不适合这台机器"),
    "python-too-old": Words("what is offered asks for another Python", "现有文件要求其他 Python 版本"),
    "changed": Words("its files are not the ones that were installed", "它的文件已不是安装时的文件"),
    "editable": Words("it is an editable install of a folder on this machine", "它是本机某个目录的可编辑安装"),
    "from-a-folder": Words("it was built from a folder on this machine", "它由本机的某个目录构建"),
    "from-version-control": Words("it was built from a version control checkout", "它由版本库检出构建"),
    "from-an-archive": Words("it was installed from a file that no source offers",
                             "它由某个文件安装，没有来源提供该文件"),
    "built-from-source": Words("it was built from a source archive", "它由源码包构建"),
    "from-conda": Words("it is a conda package, and conda's channels are no source of wheels",
                        "它是 conda 包，而 conda 频道不提供 wheel"),
    "not-from-a-wheel": Words("it was not installed from a wheel (egg-info only)",
                              "它不是由 wheel 安装的（仅有 egg-info）"),
    "no-record": Words("it has no RECORD that can be read: another tool than pip or uv installed it",
                       "它没有可读的 RECORD：不是由 pip 或 uv 安装的"),
    "installed-twice": Words("two versions are installed over each other", "两个版本互相覆盖安装"),
    "malformed": Words("its metadata cannot be read", "它的元数据无法读取"),
    "offline": Words("nothing may be asked while offline is set", "离线模式下无法查询"),
    "unreachable": Words("a source cannot be reached from here", "有来源无法从本机访问"),
    "denied": Words("a source refuses access", "有来源拒绝访问"),
    "bad-certificate": Words("a source's certificate is not trusted", "有来源的证书不受信任"),
    "server-error": Words("a source answers with an error of its own", "有来源自身返回错误"),
}  # fmt: skip
"""By `Lost.why`."""
_OTHER = Words("a source could not be asked", "有来源无法查询")
_CANNOT = Words("the lock of {backend} was adopted from an environment that cannot be made again: {names}",
                "{backend} 的锁文件取自无法重建的环境：{names}")  # fmt: skip
_NEXT = Words(
    "replace or remove these there, or add a source that has them, then `firstlight lock --adopt` again; or solve it "
    "anew with `firstlight lock`",
    "请在原环境中替换或移除它们，或添加提供它们的来源，再执行 `firstlight lock --adopt`；"
    "也可用 `firstlight lock` 重新求解",
)
SHOWN = 20
"""Names in one sentence."""


def text_of(lost: Lost) -> Words:
    """Why, in a sentence."""
    return TEXTS.get(lost.why, _OTHER)


def nothing_lost(held: BackendLock) -> None:
    """Raises NoError that names what is lost."""
    if not held.lost:
        return
    texts = [text_of(one) for one in held.lost[:SHOWN]]
    titles = [f"{one.name} {one.version}".strip() for one in held.lost[:SHOWN]]
    more = f" (+{len(held.lost) - SHOWN})" if len(held.lost) > SHOWN else ""
    raise NoError(
        _CANNOT.fill(backend=held.backend, names=", ".join(titles) + more),
        why=Words(
            "; ".join(f"{title}: {text.en}" for title, text in zip(titles, texts, strict=True)),
            "；".join(f"{title}：{text.zh}" for title, text in zip(titles, texts, strict=True)),
        ),
        next=_NEXT,
    )
