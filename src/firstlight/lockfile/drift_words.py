"""What each difference inside an environment means for the user."""

from __future__ import annotations

from ..words import Words
from .difference import Severity

Effect = tuple[Severity, Words]

FILES: dict[str, Effect] = {
    "file-missing": ("blocking", Words(
        "{name} lacks a file here: what needs it fails", "这里的 {name} 缺少一个文件：用到它时会失败")),
    "file-changed": ("blocking", Words(
        "{name} does not run the locked code here", "这里的 {name} 运行的不是锁定的代码")),
    "file-link": ("blocking", Words(
        "what {name} uses there can be anything that the link leads to; it was not followed",
        "{name} 在此处使用的内容取决于链接指向何处；未跟随该链接")),
    "file-added": ("degrading", Words(
        "no distribution here brought this; Python can import it, and cannot on other machines",
        "它不属于这里的任何分发包；此处 Python 可以导入它，而其他机器不能")),
    "file-added-run": ("blocking", Words(
        "no distribution here brought this, and Python runs it at each start",
        "它不属于这里的任何分发包，而且 Python 每次启动都会执行它")),
    "unreadable": ("degrading", Words(
        "whether it is as recorded cannot be told: {why}", "无法判断它是否与记录一致：{why}")),
}  # fmt: skip

DISTRIBUTIONS: dict[str, Effect] = {
    "distribution-missing": ("blocking", Words(
        "`import` of it fails here", "这里 `import` 它会失败")),
    "distribution-version": ("blocking", Words(
        "programs here run with another version than on other machines", "这里的程序使用的版本与其他机器不同")),
    "distribution-extra": ("degrading", Words(
        "it is in no lock: programs that use it work here and not on other machines",
        "它不在锁文件中：用到它的程序在这里能用，在其他机器上不能")),
    "distribution-reinstalled": ("degrading", Words(
        "it was installed again after the sync, perhaps from another file of the same version: its RECORD is not the "
        "one that the sync wrote",
        "它在 sync 之后又被安装过，可能来自同版本的另一个文件：其 RECORD 不是 sync 写入的那份")),
    "record-unreadable": ("degrading", Words(
        "which files belong to it cannot be told ({why}): they were not compared, and added ones were not looked for",
        "无法得知哪些文件属于它（{why}）：未对比这些文件，也未查找新增的文件")),
    "record-outside": ("blocking", Words(
        "its RECORD names a file outside the environment, which no wheel may do; it was not looked at",
        "它的 RECORD 列出了环境之外的文件，任何 wheel 都不允许这样；未查看该文件")),
}  # fmt: skip

PYTHON: dict[str, Effect] = {
    "version": ("blocking", Words(
        "wheels are made for one version of Python: those that are locked do not load in this one",
        "wheel 针对特定 Python 版本：锁定的 wheel 无法在此版本中加载")),
    "gone": ("blocking", Words(
        "the Python that the environment was made with is gone: nothing in it runs",
        "创建该环境所用的 Python 已不存在：环境中的任何程序都无法运行")),
    "changed": ("degrading", Words(
        "it was changed after the sync: another Python, or other settings of it, may be in use",
        "它在 sync 之后被改动：可能在使用另一个 Python，或其设置已变")),
}  # fmt: skip

ENVIRONMENT: dict[str, Effect] = {
    "none": ("blocking", Words(
        "nothing of what is locked is installed here; `firstlight sync` installs it",
        "锁定的内容在这里都没有安装；`firstlight sync` 会安装")),
    "foreign": ("blocking", Words(
        "it was not made here by `firstlight sync`, or not to its end (a copy, another tool, a killed run), or its "
        "pyvenv.cfg was touched since: every file was read",
        "它不是由本机的 `firstlight sync` 创建，或未完成（复制而来、其他工具、被中断），或其 pyvenv.cfg 之后被改动："
        "已读取所有文件")),
    "link": ("blocking", Words(
        "it is no link to an environment in `.firstlight/envs`; it was not followed",
        "它不是指向 `.firstlight/envs` 中环境的链接；未跟随")),
    "newer-lock": ("blocking", Words(
        "the lock was changed after this environment was made; `firstlight sync` brings what is locked now",
        "该环境创建之后锁文件已改变；`firstlight sync` 会安装现在锁定的内容")),
    "other-lock": ("blocking", Words(
        "this environment was made from another lock (a rollback, another branch, another backend); "
        "`firstlight sync` brings what is locked now",
        "该环境来自另一个锁文件（回滚、另一个分支或另一个后端）；`firstlight sync` 会安装现在锁定的内容")),
    "pylock-edited": ("blocking", Words(
        "it was edited after it was locked, and `firstlight sync` refuses it; restore it, or make it anew with "
        "`firstlight lock`",
        "它在锁定之后被改动：`firstlight sync` 会拒绝；请恢复它，或用 `firstlight lock` 重新生成")),
    "pylock-missing": ("blocking", Words(
        "without it nothing can be installed; restore it, or make it anew with `firstlight lock`",
        "缺少它就无法安装任何内容；请恢复它，或用 `firstlight lock` 重新生成")),
    "pylock-unreadable": ("blocking", Words(
        "it cannot be read, so distributions were not compared; restore it, or make it anew with `firstlight lock`",
        "它无法读取，因此未对比分发包；请恢复它，或用 `firstlight lock` 重新生成")),
}  # fmt: skip

VARIABLE: Effect = ("degrading", Words(
    "the environment was locked for this value: a program that is started without it may see other GPUs, or none; "
    "`firstlight verify` sets it by itself",
    "环境是按此值锁定的：不设置它就启动的程序可能看到别的 GPU，或看不到 GPU；"
    "`firstlight verify` 会自行设置"))  # fmt: skip
