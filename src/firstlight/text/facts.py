"""The machine as a compact table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..facts.model import Environment, Facts, Gpu, Node, Unknown
from ..host.model import HostKind
from ..words import Lang, Words
from .layout import BLANK, Line, Span, line, table
from .units import size

_UNKNOWN = Words("unknown ({why})", "未知（{why}）")
_WHY: dict[str, Words] = {
    "absent": Words("not there", "不存在"),
    "denied": Words("not readable for this user", "当前用户无权读取"),
    "too-large": Words("too large", "过大"),
    "not-captured": Words("not captured", "未录制"),
    "unreadable": Words("unreadable", "无法读取"),
    "malformed": Words("malformed", "格式有误"),
}
_YES_NO = Words("yes", "是"), Words("no", "否")
_MORE = Words("and {count} more", "及另外 {count} 个")
_SHOWN = 4
_NONE = Words("none", "无")
_GPU = Words("GPU", "GPU")
_NPU = Words("NPU", "NPU")
_USABLE = Words("usable", "可用")
_NOT_USABLE = Words("not usable: {why}", "不可用：{why}")
_MAYBE_USABLE = Words("usability unknown", "是否可用未知")
_POOLS = Words("carve-out {carveout}, GTT {gtt}", "保留显存 {carveout}，GTT {gtt}")
_SYSTEM = Words("system", "系统")
_PRODUCT = Words("product", "机型")
_KERNEL = Words("kernel", "内核")
_SECURE_BOOT = Words("Secure Boot", "安全启动")
_AMD = Words("amdgpu driver", "amdgpu 驱动")
_NVIDIA = Words("NVIDIA driver", "NVIDIA 驱动")
_NOT_LOADED = Words("not loaded", "未加载")
_LOADED = Words("loaded", "已加载")
_MEMORY = Words("memory", "内存")
_TTM = Words("TTM limit", "TTM 上限")
_ACCESS = Words("this user", "当前用户")
_IDS = Words("uid {uid}, groups {groups}", "uid {uid}，组 {groups}")
_NODES = Words("device nodes", "设备节点")
_OPENS = Words("may open", "可打开")
_CLOSED = Words("may not open", "不可打开")
_SEEN_FROM = Words("seen from", "所处环境")
_BARE = Words("bare metal", "物理机")
_CONTAINER = Words("container ({kind})", "容器（{kind}）")
_VM = Words("virtual machine ({kind})", "虚拟机（{kind}）")
_PYTHON = Words("Python", "Python")
_TORCH = Words("torch", "torch")
_DISK = Words("disk free", "磁盘剩余")
_VARIABLES = Words("GPU variables", "GPU 环境变量")
_ROCM = Words("system ROCm", "系统 ROCm")
_REPOSITORIES = Words("apt sources", "apt 源")
_COUNT = Words("{count}, {enabled} enabled", "{count} 个，启用 {enabled} 个")


def lines(facts: Facts, lang: Lang) -> list[Line]:
    """One row a subject; what is unknown says why."""
    rows = [(Span(word.say(lang), "strong"), text) for word, text in _rows(facts, lang)]
    return [line(Span(f"{facts.origin.label} ({facts.origin.kind.value})", "dim")), BLANK, *table(rows)]


def value(fact: object, lang: Lang) -> str:
    """A fact in a few words; for what could not be read: why."""
    if isinstance(fact, Unknown):
        why = _WHY.get(fact.unknown)
        return _UNKNOWN.say(lang, why=why.say(lang) if why else fact.unknown)
    if isinstance(fact, bool):
        return _YES_NO[not fact].say(lang)
    return str(fact)


def _rows(facts: Facts, lang: Lang) -> Iterable[tuple[Words, str]]:
    yield from ((_GPU, text) for text in _gpus(facts.gpus, lang))
    if not facts.gpus:
        # a bare tree that shows none says nothing about the machine
        tree = facts.origin.kind is HostKind.TREE
        yield _GPU, value(Unknown("not-captured", "gpus"), lang) if tree else _NONE.say(lang)
    yield from ((_NPU, " ".join(filter(None, (npu.name or npu.device_id, npu.pci, npu.driver)))) for npu in facts.npus)
    yield _SYSTEM, f"{value(facts.os.pretty_name, lang)}, {value(facts.arch, lang)}, {value(facts.os.libc, lang)}"
    yield _PRODUCT, value(facts.product, lang)
    yield _SEEN_FROM, _seen_from(facts, lang)
    yield _KERNEL, value(facts.kernel.release, lang)
    yield _SECURE_BOOT, value(facts.kernel.secure_boot, lang)
    yield from _drivers(facts, lang)
    yield from _resources(facts, lang)
    yield from _access(facts, lang)
    yield from _software(facts, lang)


def _gpus(gpus: Sequence[Gpu], lang: Lang) -> Iterable[str]:
    """One text for all that are alike but for their place."""
    alike: dict[str, list[str]] = {}
    for gpu in gpus:
        alike.setdefault(_gpu(gpu, lang), []).append(gpu.pci or gpu.physical)
    for told, places in alike.items():
        yield f"{f'{len(places)} x ' if len(places) > 1 else ''}{told}  {_several(places, lang)}"


def _several(names: Sequence[str], lang: Lang) -> str:
    """The first few, and how many more."""
    names = list(dict.fromkeys(names))
    shown, rest = names[:_SHOWN], names[_SHOWN:]
    return " ".join(shown) + (" " + _MORE.say(lang, count=len(rest)) if rest else "")


def _gpu(gpu: Gpu, lang: Lang) -> str:
    parts = [gpu.target or "?", gpu.name or gpu.device_id or gpu.vendor, gpu.driver or ""]
    if gpu.memory and gpu.apu:
        parts.append(_POOLS.say(lang, carveout=size(gpu.memory.carveout), gtt=size(gpu.memory.gtt)))
    elif gpu.memory_bytes is not None:
        parts.append(size(gpu.memory_bytes))
    if gpu.usable is None:
        parts.append(_MAYBE_USABLE.say(lang))
    else:
        parts.append(_USABLE.say(lang) if gpu.usable else _NOT_USABLE.say(lang, why=gpu.why or "?"))
    return ", ".join(part for part in parts if part)


def _seen_from(facts: Facts, lang: Lang) -> str:
    if facts.virtual.wsl is True:
        return f"WSL {value(facts.virtual.wsl_version, lang)}"
    kind, under = facts.container.kind, facts.virtual.hypervisor
    if isinstance(kind, Unknown) and isinstance(under, Unknown):
        return value(kind, lang)
    parts = []
    if isinstance(kind, str) and kind != "none":
        parts.append(_CONTAINER.say(lang, kind=kind))
    if isinstance(under, str) and under != "none":
        parts.append(_VM.say(lang, kind=under))
    return ", ".join(parts) or _BARE.say(lang)


def _drivers(facts: Facts, lang: Lang) -> Iterable[tuple[Words, str]]:
    amd, nvidia = facts.driver.amd, facts.driver.nvidia
    for word, driver, vendor in ((_AMD, amd, "amd"), (_NVIDIA, nvidia, "nvidia")):
        if driver.loaded is not True and not any(gpu.vendor == vendor for gpu in facts.gpus):
            continue
        known = [str(one) for one in (driver.version, amd.kind if driver is amd else None) if isinstance(one, str)]
        state = {True: _LOADED.say(lang), False: _NOT_LOADED.say(lang)}
        loaded = state[driver.loaded] if isinstance(driver.loaded, bool) else value(driver.loaded, lang)
        yield word, ", ".join([loaded, *known])


def _resources(facts: Facts, lang: Lang) -> Iterable[tuple[Words, str]]:
    total = facts.memory.total_bytes
    yield _MEMORY, size(total) if isinstance(total, int) else value(total, lang)
    pages = facts.memory.ttm_pages_limit
    if isinstance(pages, int):
        yield _TTM, size(pages * facts.memory.page_bytes)
    yield from ((_DISK, f"{size(disk.free_bytes)}  {disk.path} ({disk.role})") for disk in facts.disks)


def _access(facts: Facts, lang: Lang) -> Iterable[tuple[Words, str]]:
    groups = facts.access.groups
    named = value(groups, lang) if isinstance(groups, Unknown) else " ".join(map(str, groups))
    yield _ACCESS, _IDS.say(lang, uid=value(facts.access.uid, lang), groups=named)
    alike: dict[str, list[str]] = {}
    for node in facts.access.nodes:
        alike.setdefault(_node(node, lang), []).append(node.path)
    yield from ((_NODES, f"{told}  {_several(paths, lang)}") for told, paths in alike.items())


def _node(node: Node, lang: Lang) -> str:
    """Mode, owner and whether this process may open it."""
    may = {True: _OPENS.say(lang), False: _CLOSED.say(lang)}
    opens = may[node.can_open] if isinstance(node.can_open, bool) else value(node.can_open, lang)
    return f"{node.mode:04o} {node.uid}:{node.gid} {opens}"


def _software(facts: Facts, lang: Lang) -> Iterable[tuple[Words, str]]:
    for interpreter in facts.python.interpreters:
        yield _PYTHON, f"{value(interpreter.version, lang)}  {interpreter.path}"
    for environment in facts.python.environments:
        if environment.torch:
            yield _TORCH, _torch(environment, lang)
    yield from ((_ROCM, f"{value(rocm.version, lang)}  {rocm.path}") for rocm in facts.rocm)
    if isinstance(facts.repositories, list) and facts.repositories:
        enabled = sum(one.enabled for one in facts.repositories)
        yield _REPOSITORIES, _COUNT.say(lang, count=len(facts.repositories), enabled=enabled)
    if isinstance(facts.environment, list):
        yield from ((_VARIABLES, f"{one.name}={one.value}") for one in facts.environment)


def _torch(environment: Environment, lang: Lang) -> str:
    torch = environment.torch
    if torch is None:
        return _NONE.say(lang)
    backend = value(torch.backend, lang)
    version = f" {torch.backend_version}" if isinstance(torch.backend_version, str) else ""
    return f"{torch.version} ({backend}{version})  {environment.path}"
