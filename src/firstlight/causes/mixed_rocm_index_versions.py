"""Parts of one environment come from different ROCm versions."""

from __future__ import annotations

from ..facts.model import Distribution, Environment, Facts
from ..transcript.model import Hit
from ..words import Words
from ._builds import numbers, rocm_suffix, splits_device_code
from ._environments import distribution_evidence, each, interpreter, not_of, torch_evidence
from ._wheels import TORCH_FAMILY, amd_index, pytorch_index
from .messages import Message, Seen
from .model import CLEAR, Cause, Found, Judgement, Known, Remedy

SDK_PREFIXES = ("rocm-sdk-", "amd-torch")


def judge(facts: Facts) -> Judgement:
    """Found if two parts name different ROCm versions, or torchvision is of no ROCm build beside a torch that is."""
    return each(facts, lambda environment: _in(facts, environment))


def _in(facts: Facts, environment: Environment) -> Judgement:
    other = not_of(facts, environment, "rocm")
    own = rocm_suffix(environment.torch.version) if environment.torch else None
    if other or own is None:
        return other or CLEAR  # a distribution's or a local build: no index to compare
    odd = [one for one in environment.distributions if one.name != "torch" and _differs(one, own)]
    if not odd:
        return CLEAR
    shown = tuple(distribution_evidence(facts, environment, one.name, one.version) for one in odd[:6])
    return Found(
        evidence=(torch_evidence(facts, environment), *shown),
        values={"own": own, "other": f"{odd[0].name} {odd[0].version}"},
        remedy=(_renew(environment, own),),
    )


def _differs(one: Distribution, own: str) -> bool:
    if one.name.startswith("jax"):  # brings ROCm libraries of its own, and says so in its own way (+rocm700)
        return False
    suffix = rocm_suffix(one.version)
    if suffix is not None:
        return not _same(suffix, own) if one.name.startswith(SDK_PREFIXES) else suffix != own
    if one.name == "rocm" or one.name.startswith("rocm-sdk-"):
        return not _same(one.version, own)
    if one.name == "torchvision":  # the default index's build is linked against the CUDA torch
        return "+" not in one.version or "+c" in one.version
    return one.name == "torchaudio" and "+c" in one.version  # +cpu, +cu126


def _same(version: str, own: str) -> bool:
    """Equal as far as both go: SDK 7.14.1 fits torch +rocm7.14; nightlies carry their date."""
    left, right = numbers(version), numbers(own)
    shared = min(len(left), len(right))
    dated = "a2" in version and "a2" in own
    return left[:shared] == right[:shared] and (not dated or version.partition("a2")[2] == own.partition("a2")[2])


def _renew(environment: Environment, own: str) -> Remedy:
    split = splits_device_code(environment)
    index = amd_index(own) if split else pytorch_index(f"rocm{own}")
    version = environment.torch.version if environment.torch else ""
    names = (f"torch=={version}", *(name for name in TORCH_FAMILY[1:]))
    argv = ("uv", "pip", "install", "--python", interpreter(environment), "--reinstall", "--index-url", index, *names)
    why = Words(
        "Installs torch, torchvision and torchaudio anew from one index; a fresh environment is the surest way.",
        "从同一个索引重新安装 torch、torchvision 和 torchaudio；新建环境最稳妥。",
    )
    return Remedy(argv, root=False, why=why)


# messages
def unequal(hit: Hit, seen: Seen) -> dict[str, str] | bool:
    """The suffix is not torch's."""
    torch = seen.value("torch-rocm-version", "rocm")
    return {"torch": torch} if torch and torch != hit.values["other"] else False


def unequal_sdk(hit: Hit, seen: Seen) -> dict[str, str] | bool:
    """Another rocm-sdk package has another version."""
    others = [one for one in seen.values("rocm-sdk-version", "rocm") if one != hit.values["other"]]
    return {"torch": others[0]} if others else False


MESSAGES = (
    Message(r"undefined symbol: .{1,200}", 0.5, needs=("site-packages-rocm",), unless=("opt-rocm-lib",)),
    Message(r"torch(?P<which>vision|audio) {1,40}\S{3,20}\+rocm(?P<other>[\w.]{1,24})", 0.86, check=unequal, told=Words("torch is built for ROCm {torch}, torch{which} for {other}.", "torch 面向 ROCm {torch}，torch{which} 面向 {other}。")),
    Message(r"rocm-sdk-(?P<which>[\w-]{3,40}) {1,40}(?P<other>\d[\w.]{2,24})", 0.84, check=unequal_sdk, told=Words("rocm-sdk-{which} is {other}, others are {torch}.", "rocm-sdk-{which} 是 {other}，其他是 {torch}。")),
    Message(r"torch(?P<which>vision|audio)? \S{3,30} requires torch==(?P<wanted>\S{3,40}), but you have torch (?P<have>\S{3,40}\+rocm\S{1,20}) which is incompatible", 0.85, told=Words("torch{which} wants torch {wanted}, torch {have} is installed.", "torch{which} 需要 torch {wanted}，已装的是 {have}。")),
    Message(r"rocm\S{0,20} \S{3,30} requires rocm-sdk-\S{3,40}==(?P<wanted>\S{3,30}), but you have rocm-sdk-\S{3,40} (?P<have>\S{3,30}) which is incompatible", 0.92, told=Words("{wanted} is wanted, {have} is installed.", "需要 {wanted}，已装的是 {have}。")),
    Message(r"ROCm SDK version (?P<have>\S{3,30}) .{0,40}(?:does not match|mismatch)", 0.88),
    Message(r"_rocm_sdk_(?:core|libraries|devel)\S{0,60}: (?:undefined symbol|version|cannot open)", 0.8),
    Message(r"ROCm SDK libraries.{0,60}version mismatch", 0.8),
)  # fmt: skip

CAUSE = Cause(
    id="mixed-rocm-index-versions",
    family="wheel",
    vendor="amd",
    severity="blocking",
    title=Words("torch is built for ROCm {own}, but {other} is there", "torch 对应 ROCm {own}，但环境中有 {other}"),
    means=Words(
        "rocm, torch, torchvision, torchaudio or device wheels come from different ROCm versions or indexes.",
        "rocm、torch、torchvision、torchaudio 或设备 wheel 来自不同的 ROCm 版本或索引。",
    ),
    effect=Words(
        "Imports fail with undefined symbols or missing libraries, or kernels with an invalid image. "
        "Upgrades do not mend it: +rocm10 sorts below +rocm7.",
        "导入时报未定义符号或缺少库，或者 kernel 报 设备映像无效。升级修不好：按版本排序 +rocm10 低于 +rocm7。",
    ),
    fix=Words(
        "A new environment, one index, all packages pinned to one ROCm version in one command.",
        "新建环境，只用一个索引，用一条命令把所有包固定在同一个 ROCm 版本。",
    ),
    known=(Known("https://github.com/ROCm/TheRock/issues/7183", first_seen="10.0.0"),),
    judge=judge,
    messages=MESSAGES,
)
