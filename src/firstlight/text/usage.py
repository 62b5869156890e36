"""What is said of wrong usage, argparse's own sentences among it."""

from __future__ import annotations

from ..words import Words

NO_VERB = Words("no verb was given", "没有给出子命令")
SEE_HELP = Words("see `firstlight --help`", "参见 `firstlight --help`")
SEE_VERB_HELP = Words("see `firstlight {verb} --help`", "参见 `firstlight {verb} --help`")
DID_YOU_MEAN = Words("did you mean `{near}`? see `firstlight --help`", "是不是想用 `{near}`？参见 `firstlight --help`")
NO_SUCH_VERB = Words("there is no verb `{verb}`", "没有子命令 `{verb}`")
NO_COMMAND = Words("`{verb}` takes no command after `--`", "`{verb}` 不接受 `--` 之后的命令")
SHOW_ONE = Words(
    "write `firstlight causes`, or `firstlight causes show ID`",
    "请写 `firstlight causes` 或 `firstlight causes show ID`",
)
ENVIRONMENT_ALONE = Words("`--environment` goes with `--adopt`", "`--environment` 需与 `--adopt` 同用")
ADOPT_OR_EXPORT = Words(
    "`--adopt` makes a lock, `--export` takes one that is there: one after the other",
    "`--adopt` 生成锁文件，`--export` 使用已有的锁文件：请分两步执行",
)
BAD_CAUSES = Words("`causes` takes `show ID` or nothing", "`causes` 只接受 `show ID`，或不带参数")
NOT_WRITTEN = Words("the answer could not be written to stdout: {error}", "回答无法写入 stdout：{error}")

ARGPARSE: dict[str, str] = {
    "argument %(argument_name)s: %(message)s": "参数 %(argument_name)s：%(message)s",
    "expected one argument": "需要一个值",
    "expected at most one argument": "最多接受一个值",
    "expected at least one argument": "至少需要一个值",
    "unrecognized arguments: %s": "不认识的参数：%s",
    "the following arguments are required: %s": "缺少必需的参数：%s",
    "not allowed with argument %s": "不能与参数 %s 同时使用",
    "invalid choice: %(value)r (choose from %(choices)s)": "%(value)r 不在可选值之内（可选：%(choices)s）",
    "ignored explicit argument %r": "该选项不接受值，却给了 %r",
    "ambiguous option: %(option)s could match %(matches)s": "选项 %(option)s 有歧义，可能是 %(matches)s",
    "invalid %(type)s value: %(value)r": "%(value)r 不是有效的 %(type)s 值",
}
"""English templates of the standard library's argparse (gettext keys), in Chinese."""
