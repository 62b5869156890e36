"""The system's ROCm is loaded instead of the wheel's libraries."""

from __future__ import annotations

from ..facts.model import Environment, Facts, Unknown
from ..words import Words
from ._builds import numbers, rocm_suffix
from ._environments import each, not_of, shorten, torch_evidence, variable, variable_evidence
from .messages import Message
from .model import CLEAR, Cause, Evidence, Found, Judgement, Remedy, Severity, missing


def judge(facts: Facts) -> Judgement:
    """Found if LD_LIBRARY_PATH, which the loader asks before the wheel's own folders, leads to a ROCm of another
    version. ld.so.conf.d is asked last (ld.so(8)), so a folder named there is advice."""
    return each(facts, lambda environment: _in(facts, environment))


def _in(facts: Facts, environment: Environment) -> Judgement:
    other = not_of(facts, environment, "rocm")
    if other or not _brings_libraries(environment):
        return other or CLEAR
    lacking = missing(("environment", facts.environment))
    if lacking:
        return lacking
    value = variable(facts, "LD_LIBRARY_PATH") or ""
    for folder in value.split(":"):
        severity = _severity(facts, environment, folder)
        if severity:
            return _found(facts, environment, folder, severity, variable_evidence("LD_LIBRARY_PATH", value))
    for line in [] if isinstance(facts.ld_so_rocm, Unknown) else facts.ld_so_rocm:
        if _severity(facts, environment, line) == "blocking":
            proof = Evidence("ld_so_rocm", shorten(line), "/etc/ld.so.conf.d")
            return _found(facts, environment, line, "advice", proof)
    return CLEAR


def _brings_libraries(environment: Environment) -> bool:
    """Whether ROCm comes with the wheels: seen there, or told by the label of PyTorch's and AMD's own wheels. A
    distribution's torch uses the system's."""
    return bool(environment.libraries) or (environment.torch is not None and "+rocm" in environment.torch.version)


def _severity(facts: Facts, environment: Environment, folder: str) -> Severity | None:
    """None: not a ROCm folder, or of the wheel's own version."""
    if "/rocm" not in folder or folder.startswith(environment.path):
        return None
    version = _version(facts, folder)
    own = _own(environment)
    if not version or not own:
        return "degrading"
    shared = min(len(version), len(own), 2)
    return None if version[:shared] == own[:shared] else "blocking"


def _version(facts: Facts, folder: str) -> tuple[int, ...]:
    """From the folder's name (/opt/rocm-6.4.1/lib, /opt/rocm/core-10.1/lib), else from what is installed there."""
    for part in folder.split("/"):
        if part.startswith(("rocm-", "core-")):
            return numbers(part.split("-", 1)[1])
    versions = [(one.path, one.version) for one in facts.rocm if isinstance(one.version, str)]
    here = [version for root, version in versions if f"{folder}/".startswith(f"{root.rstrip('/')}/")]
    if not here and len(versions) == 1:  # /opt/rocm is a link to the one that is installed
        here = [versions[0][1]]
    return numbers(here[0]) if here else ()


def _own(environment: Environment) -> tuple[int, ...]:
    torch = environment.torch
    if torch is None:
        return ()
    known = torch.backend_version if isinstance(torch.backend_version, str) else rocm_suffix(torch.version)
    return numbers(known or "")


def _found(facts: Facts, environment: Environment, folder: str, severity: Severity, proof: Evidence) -> Found:
    why = Words(
        "Take the ROCm folder out of LD_LIBRARY_PATH (shell files, modules, service units) for this environment: the "
        "wheel brings its own libraries.",
        "在这个环境里把 ROCm 的目录从 LD_LIBRARY_PATH 中去掉（shell 配置、module、服务单元）：wheel 自带所需的库。",
    )
    shown = " ".join(environment.libraries[:4])
    libraries = (Evidence("python.environments.libraries", shown, environment.path),) if shown else ()
    return Found(
        evidence=(proof, torch_evidence(facts, environment), *libraries),
        values={"folder": folder[:80], "torch": environment.torch.version if environment.torch else ""},
        severity=severity,
        remedy=(Remedy((), root=False, why=why),),
    )


# messages
MESSAGES = (
    Message(r"rocBLAS error: Could not load (?P<file>/opt/rocm\S{3,160})", 0.9, unless=(), helps=("rocm-torch", "ld-rocm"), told=Words("{file} is loaded, which is not the wheel's.", "加载了 {file}，而不是 wheel 自带的。")),
    Message(r"(?P<file>/opt/rocm[\w./-]{3,120}): undefined symbol: (?P<symbol>\S{2,120})", 0.92, told=Words("{file} does not fit: it lacks {symbol}.", "{file} 不匹配：缺少 {symbol}。")),
    Message(r"(?P<file>/opt/rocm[\w./-]{3,120}): version `(?P<version>[^']{2,40})' not found", 0.9, told=Words("{file} lacks version {version}.", "{file} 缺少版本 {version}。")),
    Message(r"undefined symbol: (?P<symbol>\S{2,120})", 0.72, needs=("ld-rocm",), told=Words("The library that was loaded lacks {symbol}.", "加载的库缺少 {symbol}。")),
    Message(r"undefined symbol: (?P<symbol>(?:hip|hsa|roc|miopen|amd_comgr|rccl|amdsmi)\S{2,80})", 0.78, unless=("site-packages-rocm",), told=Words("The library that was loaded lacks {symbol}.", "加载的库缺少 {symbol}。")),
    Message(r"symbol lookup error: (?P<file>/opt/rocm\S{3,120})", 0.92),
    Message(r"LD_LIBRARY_PATH=\S{0,120}/opt/rocm\S{0,40}", 0.55, needs=("symbol-words", "rocblas-load-failed")),
    Message(r"/opt/rocm\S{0,60}lib(?:amdhip64|hsa-runtime64|rocblas|MIOpen|hipblaslt|rccl)\S{0,20}.{0,40}(?:Segmentation fault|SIGSEGV)", 0.7),
)  # fmt: skip

CAUSE = Cause(
    id="system-rocm-shadows-wheel-libs",
    family="library",
    vendor="amd",
    severity="blocking",
    title=Words(
        "{folder} is loaded before the ROCm libraries of torch {torch}",
        "{folder} 先于 torch {torch} 自带的 ROCm 库被加载",
    ),
    means=Words(
        "Libraries of the system's ROCm are loaded instead of those in the wheel, and the versions do not fit.",
        "加载的是系统 ROCm 的库而不是 wheel 自带的，版本不配。",
    ),
    effect=Words(
        "import torch fails with undefined symbols, or torch sees no device.",
        "import torch 报未定义符号，或 torch 看不到设备。",
    ),
    fix=Words(
        "Unset LD_LIBRARY_PATH (and the ld.so.conf.d entry) for that environment, or use one ROCm version for system, "
        "wheel and extensions.",
        "在该环境中取消 LD_LIBRARY_PATH（以及 ld.so.conf.d 的条目），或让系统、wheel 和扩展用同一个 ROCm 版本。",
    ),
    judge=judge,
    messages=MESSAGES,
)
