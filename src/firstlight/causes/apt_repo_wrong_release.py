"""A vendor's source was made for another release of the distribution."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..facts.model import Facts, Repository, Unknown
from ..knowledge.keys import publishers
from ..knowledge.repositories import Distribution, distribution, distributions, vendors
from ..transcript.model import Hit
from ..words import Words
from ._apt import enabled, of_vendor
from .messages import Message, Seen
from .model import CLEAR, Cause, Evidence, Found, Judgement, Known, Remedy, missing

if TYPE_CHECKING:
    from ..catalog.debian.trust_model import Trust

GENERATIONS = ("rocm", "amdrocm", "amdgpu", "cuda")
PLACE = re.compile(r"(?:^|/)(ubuntu|debian)(\d{2})(04|10)?(?:/|$)")
"""`ubuntu2204`, `debian12` in a path."""
Case = tuple[Repository, str, Distribution]


def judge(facts: Facts) -> Judgement:
    """Found if a vendor's source names a suite or a folder of another release than the one that runs, and the vendor is
    not known to send this release there (AMD's packages for Ubuntu serve some releases of Debian)."""
    codename, id = facts.os.codename, facts.os.id
    if isinstance(facts.repositories, Unknown):
        return (
            CLEAR if facts.repositories.unknown == "absent" else missing(("repositories", facts.repositories)) or CLEAR
        )
    wrong = [one for one in enabled(facts) if _is_vendors(one)]
    if not wrong:
        return CLEAR
    if isinstance(codename, Unknown) or isinstance(id, Unknown):
        return missing(("os.codename", codename), ("os.id", id)) or CLEAR
    here = distribution(codename)
    if here is None or here.id != id:  # a derivative, or a release that no table knows: nothing can be said
        return CLEAR
    cases = [(one, made, other) for one in wrong if (case := _made_for(one, here, facts)) for made, other in (case,)]
    return _found(cases, here) if cases else CLEAR


def judge_trust(facts: Facts, trust: Trust) -> Judgement:
    """Also found, as a risk, if what lies at a suite calls itself another."""
    found = judge(facts)
    other = [(source, problem) for source in trust.sources if (problem := source.problem("other-suite"))]
    if isinstance(found, Found) or not other:
        return found
    source, problem = other[0]
    return Found(
        evidence=tuple(Evidence("trust", problem.evidence, problem.source) for _, problem in other[:4]),
        values={"sources": source.label, "made": problem.evidence.rpartition(": ")[2], "here": source.suite},
        severity="advice",
        remedy=(_remedy(source.place, Words(problem.text.en, problem.text.zh)),),
    )


def _is_vendors(repository: Repository) -> bool:
    makers = {key.maker for uri in repository.uris for key in publishers(uri)}
    return bool(makers & {"AMD", "NVIDIA"})


def _made_for(repository: Repository, here: Distribution, facts: Facts) -> tuple[str, Distribution] | None:
    """(what names it, the release that it was made for); None: this one, or it cannot be told."""
    named = [(suite, distribution(suite)) for suite in repository.suites if not suite.endswith("/")]
    named = [(suite, one) for suite, one in named if one is not None and suite == one.codename]
    named = named or [pair for uri in repository.uris if (pair := _of_path(uri))]
    for text, other in named:
        if other is not None and other.codename != here.codename and not _is_sent_there(repository, here, text, facts):
            return text, other
    return None


def _of_path(uri: str) -> tuple[str, Distribution] | None:
    found = PLACE.search(uri.partition("://")[2].partition("/")[2])
    if found is None:
        return None
    version = f"{found[2]}.{found[3]}" if found[3] else found[2]
    other = next((one for one in distributions() if one.id == found[1] and one.version == version), None)
    return (found[0].strip("/"), other) if other else None


def _is_sent_there(repository: Repository, here: Distribution, text: str, facts: Facts) -> bool:
    """Whether the vendor itself has this release use that suite or folder, of any of its versions."""
    mine = {vendor.generation for one, vendor in of_vendor(facts, *GENERATIONS) if one is repository}
    rows = (row for vendor in vendors() if vendor.generation in mine for row in vendor.suites)
    return any(row.codename == here.codename and text in (row.suite, row.place.partition("/")[0]) for row in rows)


def _found(cases: list[Case], here: Distribution) -> Found:
    repository, _, other = cases[0]
    what = Words(
        f"this source is for {other.label}, and this is {here.label}: write the one for {here.label}, or take the "
        f"source out. `firstlight plan --matrix` shows what there is.",
        f"该软件源面向 {other.label}，而这里是 {here.label}：改为面向 {here.label} 的软件源，或删除它。"
        f"`firstlight plan --matrix` 列出现有的软件源。",
    )
    return Found(
        evidence=(
            Evidence("os.codename", here.codename, "/etc/os-release"),
            *(Evidence("repositories", f"{one.uris[0]} {' '.join(one.suites)}", f"{one.file}:{one.line}")
              for one, _, _ in cases[:4]),
        ),
        values={"sources": f"{repository.uris[0]} {repository.suites[0]}", "made": other.label, "here": here.label},
        remedy=(_remedy(f"{repository.file}:{repository.line}", what),),
    )  # fmt: skip


def _remedy(place: str, what: Words) -> Remedy:
    return Remedy((), root=True, why=Words(f"In {place}: {what.en}", f"在 {place} 中：{what.zh}"))


# messages
_NAMES = {
    "bionic": "18.04",
    "focal": "20.04",
    "jammy": "22.04",
    "noble": "24.04",
    "resolute": "26.04",
    "bookworm": "12",
    "trixie": "13",
}


def other_release(hit: Hit, seen: Seen) -> dict[str, str] | bool:
    """The suffix of the packages is not the release that the text names."""
    machine = seen.value("os-version", "version")
    return {"machine": machine} if machine and machine != hit.values["suite"] else False


def other_codename(hit: Hit, seen: Seen) -> dict[str, str] | bool:
    """As `other_release`, for a suite's name."""
    machine = seen.value("os-version", "version")
    return {"machine": machine} if machine and machine != _NAMES.get(hit.values["name"]) else False


def other_cuda(hit: Hit, seen: Seen) -> dict[str, str] | bool:
    """As `other_release`, for NVIDIA's folders."""
    machine = seen.value("os-version", "version")
    digits = re.sub(r"\D", "", hit.values["suite"])
    return {"machine": machine} if machine and "." in machine and digits != machine.replace(".", "") else False


MESSAGES = (
    Message(r"Depends: (?P<package>libpython3\.\d{1,2}|libicu\d\d|libssl1\.[01]|libffi\d|libtinfo5|libncurses5|libcholmod\d|libsuitesparseconfig\d|libboost[\w.-]{1,40}|libprotobuf\d\d|libjpeg\w{1,6}|libncursesw?5|libstdc\+\+-[5789]-dev|libgcc-[5789]-dev|libnuma1t64|python3\.\d{1,2}|libglib2\.0-0|libelf1t64|libavcodec\d\d|libavformat\d\d|libavutil\d\d|libxml2-16|libdrm\w{0,20}|libllvm\d{1,2}|libgl1-mesa-glx|libva\d)(?: \([^)]{1,60}\))? but it is not installable", 0.93, told=Words("{package} belongs to another release than this one.", "{package} 属于另一个发行版本。")),
    Message(r"Depends: [\w.+-]{2,60} \(= {0,2}[\w.:+-]{3,50}~(?P<suite>\d\d\.\d\d)\) but it is not going to be installed", 0.4, check=other_release, told=Words("The packages are for {suite}, this machine runs {machine}.", "软件包面向 {suite}，本机运行 {machine}。")),
    Message(r"\d{5}-\d{1,4}~(?P<suite>18\.04|20\.04|22\.04|24\.04|26\.04)", 0.75, needs=("unmet",), check=other_release, told=Words("The packages are for {suite}, this machine runs {machine}.", "软件包面向 {suite}，本机运行 {machine}。")),
    Message(r"repo\.radeon\.com/\S{1,60} (?P<name>focal|jammy|noble|bionic|bookworm|trixie) ", 0.86, check=other_codename, told=Words("The suite is {name}, this machine runs {machine}.", "suite 是 {name}，本机运行 {machine}。")),
    Message(r"developer\.download\.nvidia\.com/compute/cuda/repos/(?P<suite>ubuntu\d{4}|debian\d\d|rhel\d)", 0.8, check=other_cuda, told=Words("The repository is for {suite}, this machine runs {machine}.", "该软件源面向 {suite}，本机运行 {machine}。")),
    Message(r"nothing provides (?P<package>[\w.+()-]{3,60}) needed by (?:rocm|hip|amdgpu|cuda|nvidia)", 0.8, told=Words("{package} is not in this release.", "本发行版本没有 {package}。")),
    Message(r"Depends: (?P<package>libc6|libstdc\+\+6|libgcc-s1) \(>= (?P<wanted>[\d.]{3,10})\) but (?P<offered>[\d.]{3,10}\S{0,20}) is to be installed", 0.9, told=Words("{package} {wanted} is of a newer release; here it is {offered}.", "{package} {wanted} 属于较新的发行版本；此处是 {offered}。")),
)  # fmt: skip

CAUSE = Cause(
    id="apt-repo-wrong-release",
    family="apt",
    vendor="both",
    severity="degrading",
    title=Words("{sources} is made for {made}, and this is {here}", "{sources} 面向 {made}，而这里是 {here}"),
    means=Words(
        "The vendor repository registered is the one for another distribution or release.",
        "登记的厂商软件源面向另一个发行版或版本。",
    ),
    effect=Words(
        "Its packages want libraries of that release, which are not there: installing fails, or mixes two releases.",
        "其软件包需要那个版本的库，而这里没有：安装会失败，或混用两个版本。",
    ),
    fix=Words(
        "Register the suite made for this release and ROCm/CUDA version, remove the other entry, apt update; or use a "
        "container of a supported release.",
        "登记面向本版本及 ROCm/CUDA 版本的套件，删除另一条目并运行 apt update；或使用受支持版本的容器。",
    ),
    known=(Known("https://github.com/ROCm/legacy-rocm-build/issues/1730", first_seen="2022-07-23"),),
    messages=MESSAGES,
    judge=judge,
    judge_trust=judge_trust,
)
