"""Faults planted in healthy machines, alone and in pairs, through `diagnose`; and what every finding must hold."""

from __future__ import annotations

import string
from collections.abc import Callable
from itertools import combinations
from typing import Any

import msgspec
import pytest

from firstlight.causes import catalogue, diagnose
from firstlight.causes.model import Cause, Finding
from firstlight.facts.model import Disk, Facts, GpuMemory, Library, SystemRocm, Variable
from firstlight.words import Words
from tests.causes_b.judging import first_gpu, holding
from tests.machines_facts import GIB, MACHINES, NOW, bare_tree, change, changes

FAMILIES = {"wheel", "python", "memory", "firmware", "library", "network", "hardware", "performance"}
MINE = {one.id: one for one in catalogue() if one.family in FAMILIES}
Plant = Callable[[Facts], Facts]


def variable(name: str, value: str) -> Plant:
    """One more environment variable."""

    def plant(facts: Facts) -> Facts:
        assert isinstance(facts.environment, list)
        return change(facts, "environment", [*facts.environment, Variable(name=name, value=value)])

    return plant


def packages(*names: str, **said: Any) -> Plant:
    """An active environment with these packages."""
    return lambda facts: holding(facts, *names, **said)


def low_gtt(facts: Facts) -> Facts:
    gtt = 62 * GIB
    apu = first_gpu(facts, memory=GpuMemory(carveout=GIB // 2, gtt=gtt))
    return change(apu, "memory.ttm_pages_limit", gtt // 4096)


def large_carveout(facts: Facts) -> Facts:
    apu = first_gpu(facts, memory=GpuMemory(carveout=96 * GIB, gtt=15 * GIB))
    return changes(apu, memory__total_bytes=31 * GIB, memory__ttm_pages_limit=15 * GIB // 4096)


def shadowed(facts: Facts) -> Facts:
    held = holding(
        facts, "torch==2.14.0+rocm7.2", libraries=["libamdhip64.so"], targets=["gfx1151", "gfx1100", "gfx942"]
    )
    system = change(held, "rocm", [SystemRocm(path="/opt/rocm-6.3.0", version="6.3.0")])
    return variable("LD_LIBRARY_PATH", "/opt/rocm/lib")(system)


def full_disk(facts: Facts) -> Facts:
    return change(facts, "disks", [Disk(path="/home", role="project", total_bytes=90 * GIB, free_bytes=GIB)])


def no_firmware(facts: Facts) -> Facts:
    off = first_gpu(facts, driver=None, kfd=False, usable=False, why="no-driver")
    return change(off, "firmware.amdgpu_files", ["navi10"])


APU, SERVER, NVIDIA = "gfx1151-apu", "mi300x-server", "rtx4090-desktop"
PLANTS: dict[str, tuple[str, str, Plant, str]] = {
    "cpu-torch": ("torch-wrong-backend-wheel", APU, packages("torch==2.14.1+cpu"), "torch"),
    "rocm-on-nvidia": ("torch-wrong-backend-wheel", NVIDIA, packages("torch==2.14.0+rocm7.2"), "torch"),
    "old-rocm": ("gpu-arch-not-in-rocm-build", APU, packages("torch==2.6.0+rocm6.2.4", targets=["gfx90a"]), "torch"),
    "new-chip": ("cuda-arch-not-in-torch-build", "dgx-spark",
                 packages("torch==2.4.0+cu124", targets=["sm_90"]), "torch"),
    "device": ("device-wheel-missing", APU, packages("torch==2.14.0+rocm10.1.0", "rocm-sdk-core==10.1.0"), "torch"),
    "mixed": ("mixed-rocm-index-versions", APU,
              packages("torch==2.14.0+rocm7.14.0", "torchvision==0.29.0+rocm10.1.0"), "torch"),
    "triton": ("torch-rocm-triton-mismatch", APU,
               packages("torch==2.9.1+rocm7.2", "triton==3.5.1", targets=["gfx1151"]), "torch"),
    "tritons": ("triton-version-mismatch", NVIDIA,
                packages("torch==2.9.1+cu128", "triton==3.5.1", "triton-nightly==3.6", targets=["sm_80"]), "torch"),
    "vision": ("torchvision-torch-mismatch", NVIDIA,
               packages("torch==2.9.1+cu128", "torchvision==0.23.0+cu128", targets=["sm_80"]), "torch"),
    "cudnn": ("cudnn-library-not-found", NVIDIA,
              packages("torch==2.9.1+cu128", "nvidia-cublas-cu12==12.8.4.1", targets=["sm_80"]), "torch"),
    "shadowed": ("system-rocm-shadows-wheel-libs", SERVER, shadowed, "torch"),
    "override": ("hsa-override-wrong", APU, variable("HSA_OVERRIDE_GFX_VERSION", "10.3.0"), "override"),
    "hidden": ("hip-visible-devices-hides-gpu", APU, variable("HIP_VISIBLE_DEVICES", "-1"), "hidden"),
    "rocr-hidden": ("hip-visible-devices-hides-gpu", SERVER, variable("ROCR_VISIBLE_DEVICES", "8"), "hidden"),
    "cuda-hidden": ("cuda-visible-devices-hides-gpu", NVIDIA, variable("CUDA_VISIBLE_DEVICES", ""), "hidden"),
    "tuning": ("miopen-exhaustive-tuning", APU, variable("MIOPEN_FIND_ENFORCE", "4"), "tuning"),
    "debugging": ("debug-variable-left-on", SERVER, variable("AMD_SERIALIZE_KERNEL", "3"), "debugging"),
    "gtt": ("apu-gtt-limit-too-low", APU, low_gtt, "memory"),
    "carveout": ("apu-carveout-too-large", APU, large_carveout, "memory"),
    "mes": ("strix-bad-mes-firmware", APU, lambda facts: change(facts, "firmware.mes_version", 0x83), "firmware"),
    "disk": ("disk-full", APU, full_disk, "disk"),
    "disk-nvidia": ("disk-full", NVIDIA, full_disk, "disk"),
    "clock": ("clock-skew", APU, lambda facts: change(facts, "clock.newest_evidence", NOW + 1e6), "clock"),
    "glibc": ("python-glibc-too-old-for-manylinux", SERVER, lambda f: change(f, "os.libc", "glibc 2.17"), "libc"),
    "musl": ("no-wheel-for-platform", APU, lambda facts: change(facts, "os.libc", "musl"), "libc"),
}  # fmt: skip
PAIRS = [
    (first, second)
    for first, second in combinations(PLANTS, 2)
    if PLANTS[first][1] == PLANTS[second][1] and PLANTS[first][3] != PLANTS[second][3]
]


def planted(*names: str) -> list[Finding]:
    """What is found on the machine of the first with all of them planted."""
    facts = MACHINES[PLANTS[names[0]][1]]()
    for name in names:
        facts = PLANTS[name][2](facts)
    return [one for one in diagnose(facts) if one.verdict == "found"]


@pytest.mark.parametrize("name", PLANTS)
def test_a_planted_fault_comes_first(name: str) -> None:
    found = planted(name)
    assert found, "nothing was found"
    assert found[0].id == PLANTS[name][0], [one.id for one in found]


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_of_two_planted_faults_both_are_named_and_one_leads(first: str, second: str) -> None:
    found = planted(first, second)
    wanted = {PLANTS[first][0], PLANTS[second][0]}
    assert wanted <= {one.id for one in found}
    assert found[0].id in wanted, [one.id for one in found]


@pytest.mark.parametrize("machine", MACHINES)
def test_nothing_of_these_blocks_on_a_healthy_machine(machine: str) -> None:
    found = [one for one in diagnose(MACHINES[machine]()) if one.verdict == "found" and one.id in MINE]
    assert [one.id for one in found if one.severity == "blocking"] == []


def test_a_bare_tree_yields_no_finding_of_these() -> None:
    findings = [one for one in diagnose(bare_tree()) if one.id in MINE]
    assert [one.id for one in findings if one.verdict == "found"] == []
    assert all(one.needs for one in findings if one.verdict == "unknown")
    assert sum(one.verdict == "unknown" for one in findings) > 20


def test_every_fact_of_a_bare_tree_that_is_learnt_later_may_still_be_unknown() -> None:
    """One record known at a time: still nothing found that needs another."""
    for machine in MACHINES.values():
        for name in Facts.__struct_fields__:
            if name in {"origin", "python"}:
                continue
            tree = msgspec.structs.replace(bare_tree(), **{name: getattr(machine(), name)})
            found = [one for one in diagnose(tree) if one.verdict == "found" and one.id in MINE]
            assert [one.id for one in found if one.severity == "blocking"] == [], name


def has_cjk(text: str) -> bool:
    """Whether there is a Chinese character in it."""
    return any("\u4e00" <= sign <= "\u9fff" for sign in text)


def places(text: str) -> set[str]:
    """Names of the places in a text."""
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("id", MINE)
def test_both_languages_are_complete(id: str) -> None:
    one: Cause = MINE[id]
    for words in (one.title, one.means, one.effect, one.fix):
        assert words.en.isascii() or set(words.en) - set(map(chr, range(128))) <= set("“”…—")
        assert has_cjk(words.zh)
        assert places(words.en) == places(words.zh)
        assert words.en[0].strip()
    for words in (one.means, one.effect, one.fix):
        assert not places(words.en)
        assert words.en.endswith((".", "!"))
        assert words.zh.endswith(("。", "！"))


SHELL = (";", "|", "&", "`", "$(", "<", ">")


@pytest.mark.parametrize("name", PLANTS)
def test_every_finding_has_evidence_and_a_remedy_without_a_shell(name: str) -> None:
    for one in planted(name):
        if one.id not in MINE:
            continue
        assert one.evidence
        assert one.remedy
        assert not places(one.title.en)
        assert not places(one.title.zh)
        for remedy in one.remedy:
            assert has_cjk(remedy.why.zh)
            assert remedy.why.en
            assert not any(sign in word for word in remedy.argv for sign in SHELL)


def test_hostile_values_break_no_text() -> None:
    hostile = "{0}{name}%s\x1b[31m" + "9" * 5000
    facts = holding(MACHINES[APU](), f"torch==2.9.1+rocm{hostile}", f"torchvision=={hostile}", f"triton=={hostile}")
    names = ("HSA_OVERRIDE_GFX_VERSION", "ROCR_VISIBLE_DEVICES", "LD_LIBRARY_PATH", "MIOPEN_FIND_ENFORCE", "HSA_XNACK")
    for name in names:
        facts = variable(name, hostile)(facts)
    facts = change(facts, "driver.nvidia.libraries", [Library(path=hostile, version=hostile)])
    for finding in diagnose(facts):
        assert isinstance(finding.title, Words)
        assert all(len(one.value) <= 400 for one in finding.evidence)


def test_time_is_linear_in_the_number_of_gpus() -> None:
    """A thousand of one kind in well under a second: no predicate compares each with each."""
    import time

    server = MACHINES[SERVER]()
    cards = [msgspec.structs.replace(server.gpus[0], pci=f"{at:04x}:03:00.0", node=at) for at in range(2000)]
    facts = holding(change(server, "gpus", cards), "torch==2.9.1+rocm6.4", targets=["gfx90a"])
    facts = variable("ROCR_VISIBLE_DEVICES", ",".join(map(str, range(2000))))(facts)
    facts = variable("HSA_OVERRIDE_GFX_VERSION", "9.4.2")(facts)
    start = time.perf_counter()
    for one in MINE.values():
        if one.judge:
            one.judge(facts)
    assert time.perf_counter() - start < 1.5
