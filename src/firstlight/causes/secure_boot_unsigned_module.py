"""A self-built module that Secure Boot refuses."""

from __future__ import annotations

from ..facts.model import Facts, Gpu, Unknown
from ..words import Words
from ._boot import reboot
from ._cmdline import parameter
from ._dkms import built, vendor_of
from ._gpus import label, of
from ._packages import dkms_build, dkms_rebuild, is_ubuntu
from ._serving import loaded, module_evidence, rest, unserved
from .messages import Message
from .model import CLEAR, Cause, Evidence, Found, Judgement, NotKnown, Remedy, missing


def judge(facts: Facts) -> Judgement:
    """Found if signatures are enforced and DKMS's module of the running kernel bears none. Where the driver is loaded
    all the same (a build newer than the boot, or the kernel's own) the next boot refuses it: that does not block yet.
    One that is signed may be refused as well if its key is not enrolled: no fact tells that, so it is not known."""
    judgements = [_judge(facts, vendor) for vendor in ("nvidia", "amd")]
    found = next((one for one in judgements if isinstance(one, Found)), None)
    return found or next((one for one in judgements if isinstance(one, NotKnown)), CLEAR)


def _judge(facts: Facts, vendor: str) -> Judgement:
    gpus, idle = of(facts, vendor), unserved(facts, vendor)
    if not gpus:
        return rest(facts, vendor)
    enforced = _enforced(facts, running=not idle or loaded(facts, vendor) is True)
    if enforced is None:
        return CLEAR
    unsigned = facts.modules.unsigned_dkms
    lacking = (enforced if isinstance(enforced, NotKnown) else None) or missing(("modules.unsigned_dkms", unsigned))
    if lacking or isinstance(unsigned, Unknown) or isinstance(enforced, NotKnown):
        return rest(facts, vendor) if lacking and not idle else lacking or CLEAR
    named = next((name for name in unsigned if vendor_of(name.replace("_", "-")) == vendor), None)
    if named:
        return _found(facts, (idle or gpus)[0], named, enforced)
    signed = built(facts, vendor) if idle and loaded(facts, vendor) is not True else None
    return NotKnown((f"keys enrolled for {signed.name} (not-read: mokutil --list-enrolled)",)) if signed else CLEAR


def _enforced(facts: Facts, *, running: bool) -> Evidence | NotKnown | None:
    """What makes the kernel refuse unsigned modules; None: nothing does. `running`: the driver is at work. Then a
    lockdown that is known to be off proves that Secure Boot alone refuses nothing here (Arch's kernel)."""
    lockdown = facts.kernel.lockdown
    if isinstance(lockdown, str) and lockdown != "none":
        return Evidence("kernel.lockdown", lockdown, "/sys/kernel/security/lockdown")
    if lockdown == "none" and running:
        return None
    if facts.kernel.secure_boot is True:
        return Evidence("kernel.secure_boot", "true", "/sys/firmware/efi/efivars")
    strict = parameter(facts, "module.sig_enforce")
    if strict and strict.value != "0":
        return Evidence("kernel.cmdline", "module.sig_enforce", "/proc/cmdline")
    return missing(("kernel.secure_boot", facts.kernel.secure_boot))


def _found(facts: Facts, gpu: Gpu, module: str, enforced: Evidence) -> Found:
    enrol = Words(
        "Enrols the key that DKMS signs with: set a one-time password, then confirm in the blue screen at the "
        "next boot.",
        "登记 DKMS 签名所用的密钥：设置一次性密码，下次启动时在蓝色界面中确认。",
    )
    build = Words("Builds the module again, now signed with that key.", "重新编译模块，并用该密钥签名。")
    off = Words("Or turn Secure Boot off in firmware setup.", "或者在固件设置中关闭 Secure Boot。")
    key = "/var/lib/shim-signed/mok/MOK.der" if is_ubuntu(facts) else "/var/lib/dkms/mok.pub"
    first = (Remedy(("update-secureboot-policy", "--new-key"), root=True, why=_NEW_KEY),) if is_ubuntu(facts) else ()
    entry = built(facts, gpu.vendor)
    again = dkms_rebuild(facts, entry, build) if entry else (Remedy(dkms_build(facts).argv, root=True, why=build),)
    return Found(
        evidence=(Evidence("modules.unsigned_dkms", module, "/var/lib/dkms, /lib/modules"), enforced,
                  module_evidence(facts, gpu.vendor)),
        values={"gpu": label(gpu), "module": module},
        severity="degrading" if loaded(facts, gpu.vendor) is True else None,
        remedy=(*first, Remedy(("mokutil", "--import", key), root=True, why=enrol),
                *again, reboot(),
                Remedy((), root=True, why=off)),
    )  # fmt: skip


_NEW_KEY = Words("Makes a machine-owner key if there is none yet.", "如果还没有机器所有者密钥（MOK），就生成一个。")

# messages
MESSAGES = (
    Message(r"could not insert '?\"?(?P<module>[\w-]{2,40})'?\"?: Key was rejected by service", 0.96, told=Words("The kernel refuses the module {module}.", "内核拒绝模块 {module}。")),
    Message(r"could not insert '?\"?(?P<module>[\w-]{2,40})'?\"?: Required key not available", 0.96, told=Words("The kernel refuses the module {module}.", "内核拒绝模块 {module}。")),
    Message(r"Key was rejected by service", 0.94),
    Message(r"Required key not available", 0.9),
    Message(r"Loading of (?:unsigned )?module .{0,40}is rejected", 0.93),
    Message(r"Lockdown: .{0,40}unsigned module loading is restricted", 0.95),
    Message(r"PKCS#7 signature not signed with a trusted key", 0.93),
    Message(r"(?P<module>amdgpu|nvidia[\w-]{0,10}): (?:loading of unsigned|module verification failed: signature and/or required key missing)", 0.3, needs=("secure-boot",), unless=("module-loaded",)),
    Message(r"UEFI Secure Boot is not yet configured", 0.6),
    Message(r"(?i)UEFI Secure Boot requires additional configuration to work with third-party drivers", 0.85),
    Message(r"modprobe: ERROR: could not insert '(?P<module>[\w-]{2,40})': (?:Operation not permitted|Permission denied)", 0.62, needs=("secure-boot",)),
    Message(r"The target kernel has CONFIG_MODULE_SIG set, which means that it supports cryptographic signatures", 0.55, needs=("secure-boot",)),
)  # fmt: skip

CAUSE = Cause(
    id="secure-boot-unsigned-module",
    family="kernel",
    vendor="both",
    severity="blocking",
    title=Words(
        "Secure Boot refuses the unsigned module {module} for {gpu}", "Secure Boot 拒绝加载 {gpu} 的未签名模块 {module}"
    ),
    means=Words(
        "Secure Boot refuses the self-built kernel module, as its signing key is not enrolled.",
        "Secure Boot 拒绝自行编译的内核模块，因为签名密钥没有登记。",
    ),
    effect=Words(
        "The driver cannot be loaded (“Key was rejected by service”), so the GPU is not served.",
        "驱动无法加载（“Key was rejected by service”），GPU 没有驱动。",
    ),
    fix=Words(
        "Enrol the machine-owner key (mokutil --import, confirm at next boot), use pre-signed modules, or turn "
        "Secure Boot off.",
        "登记机器所有者密钥（mokutil --import，下次启动时确认），或使用已签名的模块，或关闭 Secure Boot。",
    ),
    judge=judge,
    messages=MESSAGES,
)
