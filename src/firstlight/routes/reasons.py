"""The words of each reason that a route's verdict can have."""

from __future__ import annotations

from collections.abc import Sequence

from ..project.urls import redact
from ..words import Words
from .model import Because


def because(kind: str, subject: str, en: str, zh: str) -> Because:
    """One link of the chain."""
    return Because(kind, subject, Words(en, zh))


def not_the_backend(has: str, wanted: str) -> Because:
    """It is for another backend."""
    return because(
        "not-the-backend", has,
        f"this route gives a {has} build, and {wanted} is wanted here; ask for it with `--backend {has}`",
        f"此路线提供的是 {has} 版本，而这里需要的是 {wanted}；如确需，请加 `--backend {has}`",
    )  # fmt: skip


def needs_nvidia_driver(source: str) -> Because:
    """The default index's torch on a machine that it does not fit."""
    return because(
        "needs-driver", source,
        "its torch for Linux is the CUDA build: several GB of libraries that need an NVIDIA driver; "
        "nothing was fetched",
        "该索引上的 Linux 版 torch 是 CUDA 版本：附带数 GB 依赖库且需要 NVIDIA 驱动；未下载任何内容",
    )  # fmt: skip


def no_wheel_for_python(have: Sequence[str], offers: Sequence[str], asked: str | None, here: Sequence[str]) -> Because:
    """None of the Pythons that were looked at fits; the remedy is in the words. `here`: all that this machine has."""
    fit = next((one for one in offers if one in here), None)
    names, found = ", ".join(offers), ", ".join(have)
    get = "3.12" if "3.12" in offers else offers[-1]
    en, zh = f"install one (`uv python install {get}`) and ", f"请安装（`uv python install {get}`）后"
    remedy = ("", "请") if fit else (en, zh)
    return because(
        "no-wheel-for-python", asked or found or "python",
        f"its wheels are for Python {names}, and {f'{asked} was asked for' if asked else f'here is {found}'}; "
        f"{remedy[0]}say `--python {fit or get}`{', which is here' if fit else ''}",
        f"其 wheel 适用于 Python {names}，而{f'指定的是 {asked}' if asked else f'本机为 {found}'}；"
        f"{remedy[1]}使用 `--python {fit or get}`{'（本机已有）' if fit else ''}",
    )  # fmt: skip


def no_such_python(asked: str, here: Sequence[str]) -> Because:
    """The one that was asked for is not here, or does not answer."""
    found = ", ".join(here)
    path = "/" in asked
    what = f"{asked} does not answer as a Python 3" if path else f"Python {asked} was asked for and is not here"
    what_zh = f"{asked} 不是可用的 Python 3" if path else f"指定了 Python {asked}，但本机没有"
    get, get_zh = (
        ("name another", "请另指定")
        if path
        else (f"`uv python install {asked}` gets it", f"可用 `uv python install {asked}` 安装")
    )
    return because(
        "no-such-python",
        asked,
        f"{what}; {get}{f', or say `--python` with one that is: {found}' if found else ''}",
        f"{what_zh}；{get_zh}{f'，或用 `--python` 指定本机已有的：{found}' if found else ''}",
    )


def no_python_known(untold: Sequence[str] = ()) -> Because:
    """A machine on which no Python was found, or (`untold`: their paths) none that can be used."""
    if untold:
        found = ", ".join(untold)
        return because(
            "no-such-python", untold[0],
            f"no Python that could be used is known here: of {found} the version is not known, older than 3.9, or a "
            "free-threaded one; install 3.10 to 3.13 (`uv python install 3.12`), or name one with `--python`",
            f"本机没有可用的 Python：{found} 的版本未知、早于 3.9 或为 free-threaded 版本；"
            "请安装 3.10 至 3.13（`uv python install 3.12`），或用 `--python` 指定",
        )  # fmt: skip
    return because(
        "no-such-python", "python",
        "no Python 3 is known on this machine; install one, or name it with `--python PATH`",
        "未在本机发现 Python 3；请安装，或用 `--python 路径` 指定",
    )  # fmt: skip


def no_wheel_for_arch(have: str, offers: str) -> Because:
    """Another processor architecture."""
    return because(
        "no-wheel-for-arch", have,
        f"its wheels are for {offers}, and this machine is {have}",
        f"其 wheel 适用于 {offers}，而本机架构为 {have}",
    )  # fmt: skip


def no_wheel_for_libc(have: str, offers: str) -> Because:
    """The C library is too old, or another one."""
    if have.startswith("musl"):
        return because(
            "no-wheel-for-libc", have,
            f"its wheels ({offers}) are built for glibc, and this machine has {have}; a container of a distribution "
            "with glibc has it",
            f"其 wheel（{offers}）面向 glibc 构建，而本机为 {have}；可使用基于 glibc 的发行版容器",
        )  # fmt: skip
    return because(
        "no-wheel-for-libc", have,
        f"its wheels need {offers}, and this machine has {have}; a newer distribution or a container has it",
        f"其 wheel 需要 {offers}，而本机为 {have}；可换用更新的发行版或容器",
    )  # fmt: skip


def fact_missing(path: str, reason: str) -> Because:
    """A fact that the verdict needs is not known."""
    en, zh = TELLS.get(reason, ("", ""))
    return because(
        "unknown-fact",
        path,
        f"needs the fact `{path}`, which is unknown ({reason}){en}",
        f"需要事实 `{path}`，但其未知（{reason}）{zh}",
    )


TELLS = {
    "not-captured": (
        "; a new `firstlight capture` of that machine tells it",
        "；在该机器上重新 `firstlight capture` 可得",
    ),
    "device-id-not-known": (
        "; once amdgpu serves the GPU, the kernel tells it: `firstlight doctor`",
        "；amdgpu 驱动接管该 GPU 后由内核给出：见 `firstlight doctor`",
    ),
    "behind /dev/dxg": (": no file under WSL says which GPU it is", "：WSL 中没有文件说明是哪种 GPU"),
}
"""Reason why a fact is not known -> what would tell it."""


def constrained(kind: str, files: Sequence[str]) -> tuple[Because, ...]:
    """The resolver does not say that a limit comes from a constraints file."""
    if not files or kind not in ("no-version", "conflict", "not-there"):
        return ()
    names = redact(", ".join(files))
    return (
        because(
            "constraint", names, f"constraints files limit the choice: {names}", f"约束文件限制了可选版本：{names}"
        ),
    )


def no_file(path: str, why: str) -> Because:
    """One that a setting names."""
    return because(
        "no-file", redact(path),
        f"a file that a setting names cannot be read: {why}",
        f"某项设置所指的文件无法读取：{why}",
    )  # fmt: skip


def bad_constraint(path: str, line: int, why: str) -> Because:
    """A line of a constraints file that is no requirement."""
    return because(
        "bad-constraint", path,
        f"line {line} of the constraints file cannot be used: {why}",
        f"约束文件第 {line} 行无法使用：{why}",
    )  # fmt: skip


def not_followed(options: Sequence[str]) -> Because:
    """Options in constraints files: they limit versions, and do not say where files come from."""
    names = ", ".join(options)
    return because(
        "option-left-out", names,
        f"constraints files hold options that are not followed ({names}): they only limit versions; name indices and "
        "folders in pip's or uv's settings, or as a `[[source]]`",
        f"约束文件中的选项未采用（{names}）：约束文件只限制版本；索引和文件夹请在 pip 或 uv 的设置中指定，"
        "或写为 `[[source]]`",
    )  # fmt: skip


def time_unknown(fetched: int | None) -> Because:
    """Why `minutes` is null."""
    if fetched is None:
        return because(
            "time-unknown", "download_bytes",
            "how long it takes is not known: the index does not state the sizes of its files",
            "所需时间未知：该索引没有给出文件大小",
        )  # fmt: skip
    return because(
        "time-unknown", "megabits",
        "how long it takes is not known: say how fast this machine fetches, with FIRSTLIGHT_MEGABITS (Mbit/s)",
        "所需时间未知：请用 FIRSTLIGHT_MEGABITS（Mbit/s）给出本机的下载速度",
    )  # fmt: skip


def no_temporary_folder(why: str) -> Because:
    """TMPDIR is full, gone or read-only."""
    return because(
        "no-temporary-folder", "TMPDIR",
        f"no temporary file can be written: {why}; free some room, or set TMPDIR to a folder with some",
        f"无法写入临时文件：{why}；请腾出空间，或把 TMPDIR 设为有空间的目录",
    )  # fmt: skip


def unreadable_folder(source: str, why: str) -> Because:
    """A find-links folder that cannot be listed."""
    return because("unreadable", source, f"cannot list the folder: {why}", f"无法列出该文件夹：{why}")


def no_device_wheel(torch: str, wanted: Sequence[str], offered: Sequence[str]) -> Because:
    """AMD's builds keep the code for each chip in wheels of their own, and there is none for this one."""
    from .elsewhere import elsewhere  # parses tables of knowledge

    names, have = ", ".join(wanted) or "?", ", ".join(offered)
    other = elsewhere(wanted, "x86_64", vendor=False)
    return because(
        "no-device-wheel", torch,
        f"this build keeps GPU code in separate device wheels, and has none for {names}; it has them for: {have}; "
        f"{other.en}",
        f"此版本把 GPU 代码放在独立的 device wheel 中，而没有 {names} 的；现有：{have}；{other.zh}",
    )  # fmt: skip


def not_offered(requirement: str, subject: str) -> Because:
    """A package that torch needs of the same index is not on it."""
    kind = "no-device-wheel" if "-device-" in requirement else "not-there"
    return because(
        kind, subject,
        f"its index does not offer {requirement}, which this torch needs",
        f"该索引没有此版本 torch 所需的 {requirement}",
    )  # fmt: skip


def belongs_to_none(requirement: str, torchs: str) -> Because:
    """A wanted package of the torch family goes with no torch that may be taken."""
    return because(
        "no-version", requirement,
        f"{requirement} is wanted, and none on this index belongs to a torch that may be taken here ({torchs})",
        f"要求 {requirement}，而该索引上没有与此处可用的 torch（{torchs}）配套的版本",
    )  # fmt: skip


def no_torch_wanted(spec: str, offers: str, subject: str) -> Because:
    """No build is in the wanted range."""
    return because(
        "no-version", subject,
        f"torch {spec} is wanted, and it offers {offers}",
        f"要求 torch {spec}，而该来源提供 {offers}",
    )  # fmt: skip


def kernel_pair_breaks(target: str, rocm: str, kernel: str, goes: str | None) -> Because:
    """A pair of kernel and ROCm that is known not to work. `goes`: the first ROCm that does on this kernel."""
    return because(
        "kernel-rocm-pair", kernel,
        f"ROCm {rocm} is known to fail on kernel {kernel} with {target}; "
        + (f"take ROCm {goes} or newer, which goes with it" if goes else "both must move together"),
        f"已知 ROCm {rocm} 在内核 {kernel} 上配合 {target} 会失败；"
        + (f"请改用与之相配的 ROCm {goes} 或更新版本" if goes else "两者必须一起升级"),
    )  # fmt: skip


def kernel_pair_doubtful(target: str, rocm: str, kernel: str, fixed: str) -> Because:
    """A pair that works with warnings, or of which only some patch releases fail. `fixed`: kernels with the fixes."""
    return because(
        "kernel-rocm-caution", kernel,
        f"kernel {kernel} lacks fixes that {target} needs, and ROCm {rocm} is not safe without them; the first kernels "
        f"that have them: {fixed}",
        f"内核 {kernel} 缺少 {target} 所需的修复，ROCm {rocm} 在其上不可靠；最早带有修复的内核：{fixed}",
    )  # fmt: skip


def read_from_cache(when: str) -> Because:
    """The index could not be asked."""
    return because(
        "from-cache", when,
        f"judged by what its index said on {when}; it could not be asked now",
        f"依据其索引在 {when} 的内容判断；现在无法访问该索引",
    )  # fmt: skip


def hash_unstated(count: int, subject: str) -> Because:
    """The index states no hashes."""
    return because(
        "no-hash", subject,
        f"its index states no hash for {count} of the files: `lock` fetches them once and takes the hash",
        f"该索引未给出其中 {count} 个文件的哈希：`lock` 会下载一次并记录哈希",
    )  # fmt: skip


def idle_gpu(target: str, variable: str, value: str) -> Because:
    """A GPU beside, for which the build has no code."""
    return because(
        "gpu-left-out", target,
        f"it has no code for {target} beside; {variable}={value} hides that GPU and goes into the lock",
        f"它没有同机 {target} 的代码；{variable}={value} 会隐藏该 GPU，并写入锁文件",
    )  # fmt: skip


def gpu_not_served(target: str, why: str) -> Because:
    """Its driver is missing, or does not serve it."""
    return because(
        "gpu-not-served", target,
        f"{target} cannot compute now ({why}): this can be installed, and runs once `firstlight doctor` is content",
        f"{target} 目前无法计算（{why}）：可以安装，待 `firstlight doctor` 无问题后即可运行",
    )  # fmt: skip


def not_named_by_amd(target: str, rocm: str, *, dropped: bool) -> Because:
    """It runs, and AMD does not answer for it."""
    if dropped:
        return because(
            "dropped-by-rocm", target,
            f"AMD named {target} for older ROCm and no longer does for {rocm}: it runs as long as somebody builds it",
            f"AMD 在旧版 ROCm 中列出过 {target}，而 {rocm} 已不再列出：只在仍有人构建时可用",
        )  # fmt: skip
    return because(
        "not-named-by-amd", target,
        f"AMD's list for ROCm {rocm} does not name {target}",
        f"AMD 的 ROCm {rocm} 支持列表中没有 {target}",
    )  # fmt: skip


def mirror(source: str, host: str) -> Because:
    """A built-in source that the user's settings take from elsewhere."""
    return because(
        "mirror", host,
        f"{source} is taken from a mirror ({host}), as the settings here say; the lock pins its files by hash",
        f"按本机设置，{source} 取自镜像（{host}）；锁文件会用哈希固定其文件",
    )  # fmt: skip


def other_file(filename: str, published: str) -> Because:
    """A mirror's file is not what was published under that name."""
    return because(
        "wrong-hash", filename,
        f"{filename} is not the file that was published under this name ({published}); do not use this mirror",
        f"{filename} 与以此名称发布的文件（{published}）不一致；请勿使用该镜像",
    )  # fmt: skip


def none_for_linux(source: str, *, yanked: bool) -> Because:
    """A page with files of which none counts here."""
    if yanked:
        return because(
            "no-version", source,
            "its maker has withdrawn every torch that it lists (yanked)",
            "该来源列出的 torch 已全部被发布者撤回（yanked）",
        )  # fmt: skip
    return because(
        "no-wheel-for-platform", source, "it lists no wheel of torch for Linux", "该来源没有 Linux 版的 torch wheel"
    )


def no_files(source: str) -> Because:
    """A page that is there and lists nothing of its project."""
    return because(
        "damaged-index", source,
        "its page for torch lists no file of torch: it is damaged, or no package index",
        "其 torch 页面没有列出任何 torch 文件：页面已损坏，或不是包索引",
    )  # fmt: skip


def content_lacks(filename: str, why: Words) -> Because:
    """The file itself was read."""
    return because(
        "no-code-for-chip", filename,
        f"by its own content it does not run here: {why.en}",
        f"其自身内容表明它在本机无法运行：{why.zh}",
    )  # fmt: skip


def library_lacks(path: str, target: str, why: Words) -> Because:
    """A wheel that is whole but for one library."""
    return because(
        "library-lacks-code", path,
        f"{path} has no code for {target}: what needs it fails ({why.en})",
        f"{path} 没有 {target} 的代码：用到它的运算会失败（{why.zh}）",
    )  # fmt: skip
