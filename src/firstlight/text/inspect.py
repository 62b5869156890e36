"""What files hold, and which GPUs run it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..binaries.targets import packed
from ..host.model import HostKind
from ..verbs.inspect_answer import (
    FileAnswer,
    InspectAnswer,
    LibraryAnswer,
    LibraryVerdict,
    LoadsAnswer,
    NeededAnswer,
    TargetAnswer,
)
from ..words import Lang, Words, same
from .layout import BLANK, Line, Span, Style, cells, line, table
from .route_words import colon, comma

LEAST = 24
"""Cells that a list of targets needs to stand beside its library."""
SHOWN = 8
"""Libraries of one target, or faults of one file, that are told one by one."""
MANY = 16
"""Targets that are told one by one."""
_ALL = 10**9

VERDICT: dict[str, tuple[Words, Style]] = {
    "native": (Words("native", "原生"), "good"),
    "generic": (Words("generic", "通用代码"), "good"),
    "jit": (Words("just in time", "即时编译"), "warn"),
    "no": (Words("no", "不能运行"), "bad"),
    "unknown": (Words("unknown", "无法判断"), "warn"),
}
_ORDER = ("no", "unknown", "jit", "generic", "native")
_KIND: dict[str, Words] = {
    "file": Words("file", "文件"),
    "wheel": same("wheel"),
    "deb": Words("Debian package", "Debian 软件包"),
    "tar": Words("tar archive", "tar 归档"),
    "folder": Words("folder", "文件夹"),
    "environment": Words("Python environment", "Python 环境"),
}
_HEAD = Words("library", "库"), Words("kind", "类型"), Words("targets", "含有的 target")
_FILES = Words("{count} files", "{count} 个文件")
_NAMED = Words("{name}, {files}", "{name}，{files}")
_OTHERS = Words("{count} other files", "另有 {count} 个文件与此无关")
_OTHER = Words("1 other file", "另有 1 个文件与此无关")
_NO_CODE = Words("It holds no GPU code.", "其中没有 GPU 代码。")
_UNREAD = Words(
    "{count} binaries without GPU code were not fetched; what they need is not known",
    "有 {count} 个不含 GPU 代码的二进制文件未下载；它们的依赖未知",
)
_IN_ARCHIVE = Words("in {archive}", "在 {archive} 中")
_NOTHING = Words("not known", "未知")
_FAULT = Words("not read: {where}: {detail}", "未能读取：{where}：{detail}")
_MORE = Words("... and {count} more (`--json` lists all)", "……另有 {count} 个（`--json` 列出全部）")
_OPTIONAL = Words("can be done without", "可有可无")
_SPARE = Words("another is used in its place", "由另一个库代替")
_NEEDS = Words("To load, the files need", "加载这些文件需要")
_SYSTEM = Words("system", "系统")
_GLIBCXX = Words("libstdc++ with GLIBCXX_{version}", "含 GLIBCXX_{version} 的 libstdc++")
_DRIVER = Words("driver", "驱动")
_UNKNOWN = Words("origin not known", "来源未知")
_OR = Words(" or ", " 或 ")
_STOPS = Words("stands in the way", "阻碍")
_NOTE = Words("note", "注意")
_SOME = Words(
    "{count} of {all} libraries with GPU code do not run on it", "含 GPU 代码的 {all} 个库中有 {count} 个不能在其上运行"
)
_SOME_PTX = Words(
    "{count} of {all} libraries with GPU code run on it only by just-in-time compilation",
    "含 GPU 代码的 {all} 个库中有 {count} 个只能靠即时编译在其上运行",
)
_HERE = Words("this machine", "本机")
_THERE = Words("{host}", "{host} ")
_ON = Words("GPUs of {host}:", "{host}的 GPU：")
_NO_GPU = Words(
    "No GPU is known on {host}: `--for TARGET` asks for one, e.g. `--for gfx1151`.",
    "{host}上没有已知的 GPU：用 `--for TARGET` 指定，例如 `--for gfx1151`。",
)


def lines(answer: InspectAnswer, lang: Lang, *, verbose: bool = False, width: int = _ALL) -> list[Line]:
    """Each file with its libraries, what they need, then the answer for each target."""
    rows: list[Line] = []
    for file in answer.files:
        rows += [*_file(file, lang, verbose, width), BLANK]
    if needs := list(_loads(answer.loads, lang, verbose, width)):
        rows += [*needs, BLANK]
    return [*rows, *_answers(answer, lang, verbose)]


def _file(file: FileAnswer, lang: Lang, verbose: bool, width: int) -> Iterator[Line]:  # noqa: FBT001
    yield line(Span(file.path, "strong"))
    told = [_KIND[file.kind].say(lang), file.distribution]
    told += [f"CUDA {file.cuda}" if file.cuda else None, f"ROCm {file.rocm}" if file.rocm else None]
    told += [_others(file).say(lang)] if file.others and file.kind != "file" else []
    yield line(comma(lang).join(part for part in told if part), indent=2)
    if file.libraries:
        yield from _libraries(file.libraries, lang, verbose, width)
    elif not file.faults:
        yield line(_NO_CODE.say(lang), indent=2)
    if file.unread:
        yield line(_UNREAD.say(lang, count=len(file.unread)), indent=2, hang=2)
    faults = [*file.faults, *(fault for one in file.libraries for fault in one.faults)]
    for fault in faults[: _ALL if verbose else SHOWN]:
        yield line(Span(_FAULT.say(lang, where=fault.where, detail=fault.detail), "warn"), indent=2, hang=2)
    if len(faults) > SHOWN and not verbose:
        yield line(_MORE.say(lang, count=len(faults) - SHOWN), indent=2)


def _others(file: FileAnswer) -> Words:
    return _OTHER if file.others == 1 else _OTHERS.fill(count=file.others)


def _libraries(held: Sequence[LibraryAnswer], lang: Lang, verbose: bool, width: int) -> list[Line]:  # noqa: FBT001
    """As a table where it fits, else a library in one line and its targets in the next."""
    rows = [(_path(one, lang), one.kind, _targets(one, lang, verbose)) for one in held]
    head = tuple(word.say(lang) for word in _HEAD)
    left = sum(max(cells(row[at]) for row in (head, *rows)) + 2 for at in (0, 1))
    longest = max(cells(word) for row in rows for word in row[2].split())
    if 2 + left + max(LEAST, longest) <= width:
        return table([[Span(word, "dim") for word in head], *rows], indent=2)
    return [
        each
        for path, kind, targets in rows
        for each in (line(path, comma(lang), kind, indent=2, hang=2), line(targets, indent=4))
    ]


def _path(one: LibraryAnswer, lang: Lang) -> str:
    files = _FILES.say(lang, count=one.files)
    if one.files == 1:
        return one.path
    told = _NAMED.say(lang, name=one.name, files=files) if one.name else files
    return f"{one.path} ({told})" if lang == "en" else f"{one.path}（{told}）"


def _targets(one: LibraryAnswer, lang: Lang, verbose: bool) -> str:  # noqa: FBT001
    if one.targets:
        return packed(one.targets, 0 if verbose else MANY)
    reference = one.reference
    return _IN_ARCHIVE.say(lang, archive=reference) if reference else _NOTHING.say(lang)


def _loads(loads: LoadsAnswer, lang: Lang, verbose: bool, width: int) -> Iterator[Line]:  # noqa: FBT001
    system = [*loads.machines]
    system += [f"glibc {loads.glibc}"] if loads.glibc else []
    system += [_GLIBCXX.say(lang, version=loads.libstdcxx)] if loads.libstdcxx else []
    system += [f"Python {_OR.say(lang).join(loads.pythons)}"] if loads.pythons else []
    rows = [(_SYSTEM.say(lang), comma(lang).join(system))] if system else []
    rows += [(where, " ".join(names)) for where, names in _origins(loads.libraries, lang, verbose)]
    if rows:
        yield line(_NEEDS.say(lang), colon(lang).rstrip())
        if 4 + max(cells(where) for where, _ in rows) + LEAST <= width:
            yield from table(rows, indent=2)
        else:
            yield from (line(where, colon(lang), what, indent=2, hang=2) for where, what in rows)
    for problem in loads.problems:
        mark = Span(_STOPS.say(lang), "bad") if problem.stops else Span(_NOTE.say(lang), "warn")
        yield line(mark, "  ", problem.subject, colon(lang), problem.text, indent=2, hang=2)


def _origins(needed: Sequence[NeededAnswer], lang: Lang, verbose: bool) -> Iterator[tuple[str, list[str]]]:  # noqa: FBT001
    """Libraries by the place that they come from; what the files or the system have is taken for granted."""
    found: dict[str, list[str]] = {}
    for one in needed:
        if one.origin in ("same", "other", "python", "system") and not verbose:
            continue
        words = {"driver": _DRIVER, "unknown": _UNKNOWN, "system": _SYSTEM}.get(one.origin)
        where = words.say(lang) if words else _OR.say(lang).join(one.where) or _UNKNOWN.say(lang)
        found.setdefault(where, []).append(one.name)
    yield from found.items()


def _answers(answer: InspectAnswer, lang: Lang, verbose: bool) -> Iterator[Line]:  # noqa: FBT001
    host = (_HERE if answer.host == HostKind.LIVE.value else _THERE.fill(host=answer.host or "-")).say(lang)
    if answer.host and answer.runs_on:
        yield line(_ON.say(lang, host=host))
    for target, one in answer.runs_on.items():
        yield from _target(target, one, lang, verbose)
    for unjudged in answer.unjudged:
        yield line(Span(unjudged.gpu, "strong"), "  ", _verdict("unknown", lang), "  ", unjudged.why, hang=2)
    if not answer.runs_on and not answer.unjudged:
        yield line(_NO_GPU.say(lang, host=host))


def _target(target: str, one: TargetAnswer, lang: Lang, verbose: bool) -> Iterator[Line]:  # noqa: FBT001
    told = sorted(one.libraries, key=lambda each: (not each.counts, _ORDER.index(each.verdict)))
    told = [each for each in told if verbose or each.verdict != "native"] if len(told) > 1 else []
    why = _short(one, lang) if told else one.why
    yield line(Span(target, "strong"), "  ", _verdict(one.verdict, lang), "  ", why, hang=2)
    for each in told[: _ALL if verbose else SHOWN]:
        yield from _library(each, lang)
    if len(told) > SHOWN and not verbose:
        yield line(_MORE.say(lang, count=len(told) - SHOWN), indent=2)
    missing = dict.fromkeys(each.missing.text for each in one.libraries if each.missing and (each.counts or verbose))
    yield from (line(text, indent=2, hang=2) for text in missing)


def _short(one: TargetAnswer, lang: Lang) -> str:
    """Why, where the libraries that are told below say the rest."""
    words = {"no": _SOME, "jit": _SOME_PTX}.get(one.verdict)
    counted = [each for each in one.libraries if each.counts]
    count = sum(each.verdict == one.verdict for each in counted)
    return words.say(lang, count=count, all=len(counted)) if words and count else one.why


def _library(one: LibraryVerdict, lang: Lang) -> Iterator[Line]:
    name = one.library if one.name is None else f"{one.library} ({one.name})"
    spare = "" if one.verdict == "unknown" else f" [{(_OPTIONAL if one.optional else _SPARE).say(lang)}]"
    aside = "" if one.counts else spare
    yield line(_verdict(one.verdict, lang), "  ", name, aside, indent=2, hang=2)
    yield line(one.why, indent=6)


def _verdict(verdict: str, lang: Lang) -> Span:
    word, style = VERDICT[verdict]
    return Span(word.say(lang), style)
