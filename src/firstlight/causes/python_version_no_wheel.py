"""No Python here is one that torch has wheels for."""

from __future__ import annotations

from ..facts.model import Facts, Unknown
from ..transcript.model import Hit
from ..words import Words
from ._builds import numbers
from ._gpus import not_captured
from .messages import Message, Seen
from .model import CLEAR, Cause, Evidence, Found, Judgement, NotKnown, Remedy

OLDEST, NEWEST = (3, 10), (3, 14)
"""What the wheels of torch 2.14 and 2.15 and of ROCm 10 are built for (ROCm 10.1 release notes; torch METADATA)."""


def judge(facts: Facts) -> Judgement:
    """Found for an active environment without torch whose Python has no wheels; as advice where no Python on PATH
    has them, since uv can fetch one."""
    active = next((one for one in facts.python.environments if one.active and not one.path.startswith("/usr/")), None)
    if active:
        if active.torch or isinstance(active.python, Unknown) or _served(active.python):
            return CLEAR
        return _found(active.python, "python.environments.python", active.path, active=True)
    pythons = facts.python.interpreters
    if not pythons:
        return not_captured(facts, "python.interpreters") or CLEAR
    blank = [one for one in pythons if isinstance(one.version, Unknown)]
    known = [one.version for one in pythons if isinstance(one.version, str)]
    if any(_served(version) for version in known):
        return CLEAR
    if blank or not known:
        return NotKnown(tuple(f"python.interpreters.version (not-known: {one.path})" for one in blank))
    return _found(known[0], "python.interpreters.version", pythons[0].path, active=False)


def _served(version: str) -> bool:
    return OLDEST <= numbers(version)[:2] <= NEWEST


def _found(version: str, fact: str, source: str, *, active: bool) -> Found:
    why = Words(
        "Fetches a Python that has wheels, beside the system's.", "下载一个有 wheel 可用的 Python，与系统的并存。"
    )
    return Found(
        evidence=(Evidence(fact, version, source),),
        values={"version": version},
        severity=None if active else "advice",
        remedy=(Remedy(("uv", "python", "install", "3.12"), root=False, why=why),),
    )


# messages
def other_python(hit: Hit, seen: Seen) -> bool:
    """The text names a Python, and it is not the wheel's."""
    pythons = {one.replace(".", "") for one in seen.values("python-version", "python")}
    return bool(pythons) and hit.values["tag"] not in pythons


MESSAGES = (
    Message(r"Could not find a version that satisfies the requirement (?P<package>torch\w{0,6}|jax\w{0,6}|triton|flash[-_]attn|vllm|xformers|tensorflow\S{0,12}|onnxruntime\S{0,20}|bitsandbytes)(?:[=<>~!]{1,2}\S{1,40})? \(from versions: none\)", 0.88, unless=("arm64", "musl", "old-glibc", "index-404"), helps=("python-too-new",), told=Words("The index has no {package} for this Python.", "索引没有适用于此 Python 的 {package}。")),
    Message(r"No matching distribution found for torch(?:vision|audio)?(?:[=<>~!]{1,2}\S{1,40})?\s{0,3}$", 0.6, unless=("arm64", "musl", "old-glibc", "versions-listed", "index-404"), helps=("python-too-new",)),
    Message(r"has no wheels with a matching Python (?:ABI tag|implementation tag|version tag)(?: \(e\.g\., `(?P<tag>\S{3,20})`\))?", 0.94),
    Message(r"no wheels with a matching Python", 0.93),
    Message(r"You(?:'re| are) using CPython (?P<python>3\.\d{1,2}) \(`\w{3,6}`\), but .{0,80}only has wheels with the following Python", 0.95, told=Words("There are no wheels for Python {python}.", "没有适用于 Python {python} 的 wheel。")),
    Message(r"only has wheels with the following Python (?:ABI|version|implementation) tags?: (?P<tags>.{2,100})", 0.94, told=Words("There are wheels for {tags}.", "有适用于 {tags} 的 wheel。")),
    Message(r"Ignored the following versions that require a different python version: .{0,200}", 0.55, needs=("no-matching",)),
    Message(r"requires a different Python: (?P<python>3\.\d{1,2}\.\d{1,2}) not in '(?P<wanted>[^']{2,40})'", 0.9, told=Words("Python is {python}, {wanted} is wanted.", "Python 是 {python}，需要 {wanted}。")),
    Message(r"(?P<file>\S{3,120}-cp(?P<tag>3\d{1,2})-\S{3,60}linux\S{0,20}x86_64\.whl) is not a supported wheel on this platform", 0.84, check=other_python, told=Words("{file} is for another Python.", "{file} 属于另一个 Python。")),
    Message(r"the current Python version \((?P<python>3\.\d{1,2}\S{0,4})\) does not satisfy Python(?P<wanted>[^ ]{2,20})", 0.9, told=Words("Python is {python}, {wanted} is wanted.", "Python 是 {python}，需要 {wanted}。")),
    Message(r"Requires-Python (?P<wanted>[<>=!~.,\d ]{3,40}).{0,40}", 0.4, needs=("no-matching",)),
)  # fmt: skip

CAUSE = Cause(
    id="python-version-no-wheel",
    family="python",
    vendor="both",
    severity="degrading",
    title=Words("There are no torch wheels for Python {version}", "没有适用于 Python {version} 的 torch wheel"),
    means=Words("The index has no wheels for this Python version.", "索引里没有这个 Python 版本的 wheel。"),
    effect=Words(
        "pip finds no torch (“from versions: none”), or an old one.",
        "pip 找不到 torch（“from versions: none”），或只找到旧版本。",
    ),
    fix=Words(
        "Make the environment with a Python from 3.10 to 3.14, e.g. uv venv -p 3.12.",
        "用 3.10 到 3.14 之间的 Python 建环境，例如 uv venv -p 3.12。",
    ),
    judge=judge,
    messages=MESSAGES,
)
