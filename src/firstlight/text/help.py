"""The words of `--help`: verbs, options, headings."""

from __future__ import annotations

from ..words import Words

PROGRAM = Words(
    "firstlight takes an AMD or NVIDIA machine from first boot to a running, verified training script.",
    "firstlight 把一台 AMD 或 NVIDIA 机器从首次开机带到跑通并验证过的训练脚本。",
)
USAGE = Words("Usage:", "用法：")
VERB = Words("VERB", "子命令")
OPTIONS = Words("options", "选项")
VERBS_HEADING = Words("Verbs", "子命令")
OPTIONS_HEADING = Words("Options", "选项")
ARGUMENTS_HEADING = Words("Arguments", "参数")
MORE = Words(
    "`firstlight VERB --help` tells more about one verb.", "`firstlight 子命令 --help` 给出该子命令的详细说明。"
)
EXIT_CODES_HEADING = Words("Exit codes", "退出码")
EXIT_CODES: tuple[tuple[int, Words], ...] = (
    (0, Words("yes: nothing blocks, it was read, it works", "是：没有阻碍、已读取、可用")),
    (1, Words("no: something blocks, no route works, a rung failed", "否：有阻碍、没有可行路线、某级检查失败")),
    (2, Words("wrong usage, or input that cannot be read", "用法错误，或输入无法读取")),
    (3, Words("cannot tell; what is missing is named", "无法判断；会说明缺什么")),
    (4, Words("consent or privilege was needed and not given", "需要同意或权限，但没有得到")),
    (70, Words("a bug in firstlight", "firstlight 自身的缺陷")),
    (130, Words("stopped with Ctrl-C (128 and the number of the signal)", "被 Ctrl-C 中断（128 加信号编号）")),
)

VERBS: dict[str, Words] = {
    "up": Words(
        "doctor, plan, lock if there is none, sync and verify in one",
        "一步完成 doctor、plan、（没有锁文件时）lock、sync 和 verify",
    ),
    "facts": Words("what this machine is", "这是一台什么机器"),
    "doctor": Words(
        "what stands in the way of GPU work here, and how to mend it", "这台机器上什么妨碍 GPU 工作，如何修复"
    ),
    "plan": Words(
        "judge every route to a working PyTorch; nothing is changed",
        "评估能得到可用 PyTorch 的各条路线；不改动任何东西",
    ),
    "lock": Words(
        "freeze the chosen route, with hashes, in firstlight.lock", "把选定的路线连同哈希冻结到 firstlight.lock"
    ),
    "sync": Words("make the project's environment match the lock", "让项目环境与锁文件一致"),
    "verify": Words(
        "climb the ladder of checks, from the device node to a training step",
        "逐级检查，从设备节点直到一次训练",
    ),
    "drift": Words(
        "why there and not here: what differs between the lock, this host and the environment",
        "为什么那边可以这边不行：锁文件、本机与环境之间的差异",
    ),
    "rollback": Words(
        "undo the last sync: the environment from before it is in use again",
        "撤销最近一次 sync：重新使用之前的环境",
    ),
    "capture": Words("record this machine, redacted, to share it", "录制这台机器（已脱敏），便于分享"),
    "inspect": Words(
        "which GPUs can run the code in these files, and what is missing", "这些文件中的代码能在哪些 GPU 上运行、缺什么"
    ),
    "explain": Words(
        "what the error in a pasted log means: its root cause, the lines that prove it, the remedy",
        "粘贴的日志中的错误意味着什么：根本原因、证明它的行、修复办法",
    ),
    "causes": Words("the catalogue of reasons why bring-up fails", "环境搭建失败原因的目录"),
    "schema": Words("the JSON schema of an answer", "某种回答的 JSON schema"),
    "completion": Words("print a completion script for a shell", "输出 shell 补全脚本"),
}

ARGUMENTS: dict[str, Words] = {
    "command": Words(
        "your own command: run in the environment as the last rung", "你自己的命令：作为最后一级在环境中运行"
    ),
    "files": Words(
        "wheels, .deb packages, tar archives, libraries, folders, Python environments, or addresses of wheels",
        "wheel、.deb 软件包、tar 归档、库文件、文件夹、Python 环境，或 wheel 的网址",
    ),
    "text": Words(
        "a log, a terminal's text, the output of a tool; else standard input",
        "日志、终端文本或工具的输出；缺省为标准输入",
    ),
    "query": Words(
        "`show ID` explains one cause; without it all are listed", "`show ID` 解释一个原因；不带参数则列出全部"
    ),
    "noun": Words("an answer, or `host` for a recorded host's host.json", "某种回答，或 `host`：录制主机的 host.json"),
    "shell": Words("bash, zsh or fish", "bash、zsh 或 fish"),
}

FLAGS: dict[str, Words] = {
    "--help": Words("show this text", "显示本说明"),
    "--version": Words("show the version", "显示版本"),
    "--json": Words("one JSON document on stdout", "在 stdout 输出一份 JSON 文档"),
    "--lang": Words(
        "language of the words; else FIRSTLIGHT_LANG, LC_ALL, LC_MESSAGES, LANG",
        "输出语言；缺省取 FIRSTLIGHT_LANG、LC_ALL、LC_MESSAGES、LANG",
    ),
    "--quiet": Words("no progress", "不显示进度"),
    "--verbose": Words("more: also what could not be judged", "更详细：也列出无法判断的内容"),
    "--host": Words(
        "a recorded machine (folder, .tar.zst, .tar.gz), a bare tree, or overlay:FOLDER; else this one",
        "录制的机器（文件夹、.tar.zst、.tar.gz）、裸目录树或 overlay:文件夹；缺省为本机",
    ),
    "--for": Words(
        "a target, e.g. gfx1151 or sm_121, as often as there are any; else the GPUs of the host",
        "target，如 gfx1151 或 sm_121，可多次给出；缺省为主机的 GPU",
    ),
    "--project": Words("folder of the project; else the current one", "项目文件夹；缺省为当前文件夹"),
    "--backend": Words("rocm, cuda or cpu; else what the machine calls for", "rocm、cuda 或 cpu；缺省由机器决定"),
    "--torch": Words("versions of torch that will do, e.g. '>=2.8'", "可接受的 torch 版本范围，如 '>=2.8'"),
    "--python": Words("version or path of the Python to use", "要使用的 Python 版本或路径"),
    "--policy": Words("production: only vendor, upstream and distribution", "production：只用厂商、上游和发行版来源"),
    "--route": Words("take the route of this name", "采用该名称的路线"),
    "--all": Words("also the routes for other backends", "也列出用于其他后端的路线"),
    "--why": Words("all that is known about one route: `plan --why ROUTE`", "某一条路线的全部详情"),
    "--packages": Words(
        "judge these system packages instead, in apt-get's syntax: `name`, `name=version`, `name/suite`, `name-`",
        "改为评估这些系统软件包，写法同 apt-get：`name`、`name=version`、`name/suite`、`name-`",
    ),
    "--release": Words(
        "judge system packages for another release of the distribution, e.g. noble, 24.04 or 'debian 13'",
        "针对发行版的另一个版本评估系统软件包，如 noble、24.04 或 'debian 13'",
    ),
    "--matrix": Words("the vendors' releases against the distributions' releases", "厂商各版本与发行版各版本的对照表"),
    "--offline": Words("fetch nothing from the network", "不从网络获取任何东西"),
    "--offline DIR": Words(
        "fetch nothing from the network; with DIR install from what `lock --export` put there, and nothing else",
        "不从网络获取任何东西；给出 DIR 时，只用 `lock --export` 放在其中的文件安装",
    ),
    "--adopt": Words(
        "freeze what is installed in a hand-made environment, exactly as it is",
        "把手工搭好的环境原样冻结",
    ),
    "--environment": Words(
        "environment to adopt: its folder or its python; else VIRTUAL_ENV, CONDA_PREFIX or .venv",
        "要接管的环境：其文件夹或 python；缺省取 VIRTUAL_ENV、CONDA_PREFIX 或 .venv",
    ),
    "--export": Words(
        "put every file of the lock into this folder, for a machine without network",
        "把锁文件涉及的所有文件放入该文件夹，供没有网络的机器使用",
    ),
    "--export FORMAT": Words(
        "print the whole catalogue: json (the default), or patterns, one a line, for `rg -f`",
        "输出整个目录：json（缺省），或 patterns：每行一个，可用于 `rg -f`",
    ),
    "--here": Words(
        "the text comes from this machine: weigh what is found here too", "文本来自本机：也参考在本机上的发现"
    ),
    "--report": Words("Markdown for a maintainer, redacted", "给维护者的 Markdown 报告（已脱敏）"),
    "--fix": Words(
        "mend what blocks or degrades, one consent each, by steps that can be taken back",
        "修复造成阻碍或影响性能的问题：逐项征得同意，每一步都可撤销",
    ),
    "--fix ID": Words(
        "mend what blocks or degrades, one consent each, by steps that can be taken back; with ID that finding only",
        "修复造成阻碍或影响性能的问题：逐项征得同意，每一步都可撤销；给出 ID 时只修复该项",
    ),
    "--system": Words(
        "undo the last change of the machine (`doctor --fix`, system packages) instead",
        "改为撤销本机最近一次系统更改（`doctor --fix`、系统软件包）",
    ),
    "--yes": Words("consent to what else would be asked", "同意本来会询问的事项"),
    "--deep": Words(
        "read every installed file, also those that nothing has touched since the sync",
        "读取每个已安装的文件，包括 sync 之后没有动过的",
    ),
    "--dry-run": Words("show the steps, take none", "只显示步骤，不执行"),
    "--output": Words("file to write, e.g. machine.tar.zst", "要写入的文件，如 machine.tar.zst"),
}
