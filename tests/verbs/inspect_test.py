"""Which targets are asked for, how the answer ends, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from firstlight.binaries.model import Report
from firstlight.cli.parsing import parse
from firstlight.errors import UsageError
from firstlight.verbs.inspect import InspectRequest, inspect
from firstlight.verbs.inspect_answer import InspectAnswer
from firstlight.verbs.inspect_remote import is_address

from ..binaries import made

REPORTS = {
    "cuda.whl": made.TORCH_CUDA, "rocm.whl": made.TORCH_ROCM, "cublas.whl": made.CUBLAS, "amd.whl": made.TORCH_AMD,
    "device.whl": made.TORCH_DEVICE, "cut.so": made.DAMAGED, "cpu.whl": made.CPU,
}  # fmt: skip


def read(path: str) -> Report:
    return REPORTS[path]


def asked(*files: str, targets: tuple[str, ...] = (), host: str = "live") -> InspectAnswer:
    return inspect(InspectRequest(files=files, targets=targets, host=host), read=read)


@pytest.mark.parametrize(
    ("files", "targets", "code"),
    [
        (("cublas.whl",), ("sm_90",), 0),
        (("cublas.whl",), ("sm_90", "sm_121"), 0),
        (("cuda.whl",), ("sm_121",), 0),
        (("cuda.whl",), ("sm_80", "sm_70"), 1),
        (("rocm.whl",), ("gfx1151",), 0),
        (("rocm.whl",), ("gfx1103",), 1),
        (("amd.whl",), ("gfx1151",), 1),
        (("amd.whl", "device.whl"), ("gfx1151",), 0),
        (("cut.so",), ("gfx1151",), 3),
        (("cut.so", "rocm.whl"), ("gfx1103",), 1),
        (("cpu.whl",), ("sm_90",), 1),
    ],
)
def test_exit_codes(files: tuple[str, ...], targets: tuple[str, ...], code: int) -> None:
    assert asked(*files, targets=targets).exit_code == code


def test_targets_are_keys_in_their_order() -> None:
    found = asked("cuda.whl", targets=("sm_121", "SM_80", "gfx1151", "sm_121"))
    assert list(found.runs_on) == ["gfx1151", "sm_80", "sm_121"]
    assert [found.runs_on[name].verdict for name in found.runs_on] == ["no", "native", "jit"]


def test_named_targets_ask_no_machine() -> None:
    found = asked("cuda.whl", targets=("sm_80",))
    assert found.host is None
    assert found.loads.problems == ()
    assert found.loads.glibc == "2.28"


def machine(tmp_path: Path, **files: str) -> str:
    root = tmp_path / "box"
    for name, content in files.items():
        path = root / name.replace("__", "/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    root.mkdir(exist_ok=True)
    return str(root)


RTX = {
    "proc__driver__nvidia__gpus__0000:01:00.0__information": (
        "Model: \t\t NVIDIA GeForce RTX 5090\nBus Location: 0000:01:00.0\n"
    ),
    "proc__driver__nvidia__version": (
        "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  {driver}  Release Build  (x@y)  Fri\n"
    ),
}


def test_the_gpus_of_a_host(tmp_path: Path) -> None:
    old = machine(tmp_path, **{name: text.format(driver="570.26") for name, text in RTX.items()})
    found = asked("cublas.whl", host=old)
    assert list(found.runs_on) == ["sm_120"]
    assert found.runs_on["sm_120"].verdict == "native"
    assert found.exit_code == 0
    jit = asked("cuda.whl", host=old)
    assert jit.runs_on["sm_120"].verdict == "no"  # its PTX asks for the driver of CUDA 13
    assert [one.kind for one in jit.loads.problems] == ["driver"]
    assert jit.exit_code == 1


def test_a_host_without_a_gpu_is_asked_nothing(tmp_path: Path) -> None:
    found = asked("cuda.whl", host=machine(tmp_path))
    assert found.runs_on == {}
    assert found.host is not None
    assert found.exit_code == 0


def test_a_gpu_whose_target_is_not_known_cannot_be_told(tmp_path: Path) -> None:
    odd = {name: text.format(driver="570.26").replace("RTX 5090", "Something 1") for name, text in RTX.items()}
    found = asked("cublas.whl", host=machine(tmp_path, **odd))
    assert found.runs_on == {}
    assert [one.gpu for one in found.unjudged] == ["NVIDIA GeForce Something 1"]
    assert found.exit_code == 3
    assert asked("cublas.whl", targets=("sm_90",), host=str(tmp_path / "box")).unjudged == ()


def test_targets_on_a_host(tmp_path: Path) -> None:
    old = machine(tmp_path, **{name: text.format(driver="570.26") for name, text in RTX.items()})
    found = asked("cuda.whl", targets=("sm_121",), host=old)
    assert list(found.runs_on) == ["sm_121"]
    assert found.runs_on["sm_121"].verdict == "no"


@pytest.mark.parametrize("word", ["gfx11-generic", "compute_90", "sm90", "", "rtx3090", "gfx1151,gfx1100"])
def test_what_is_no_target_is_refused(word: str) -> None:
    with pytest.raises(UsageError):
        asked("cuda.whl", targets=(word,))


def test_no_file_is_refused() -> None:
    with pytest.raises(UsageError):
        inspect(InspectRequest(files=(), targets=("sm_80",)), read=read)


def test_a_file_that_is_named_twice_is_read_once() -> None:
    assert len(asked("cuda.whl", "cuda.whl", targets=("sm_80",)).files) == 1


def test_what_a_file_holds() -> None:
    file = asked("rocm.whl", targets=("gfx1151",)).files[0]
    assert file.targets == (*made.ROCM_TARGETS[:5], "gfx1030", "gfx1100", "gfx1101", "gfx1102", "gfx1103", "gfx1151")
    held = {one.path: (one.name, one.files, one.optional) for one in file.libraries}
    assert held["torch/lib/rocblas/library"] == ("rocBLAS", 10, False)
    assert held["torch/lib/hipblaslt/library"] == ("hipBLASLt", 3, True)
    assert len(file.pieces) == len(made.TORCH_ROCM.pieces)
    assert file.rocm == "7.2"


def test_the_contract() -> None:
    document = json.loads(msgspec.json.encode(asked("rocm.whl", targets=("gfx1103",))))
    assert document["schema"] == "firstlight.inspect/1"
    assert {"path", "kind", "targets"} <= set(document["files"][0])
    assert {"verdict", "why"} <= set(document["runs_on"]["gfx1103"])
    missing = [
        one["missing"] for one in document["runs_on"]["gfx1103"]["libraries"] if one["missing"] and one["counts"]
    ]
    assert missing[0]["indices"][0] == "amd-rocm10"


def test_the_command_line() -> None:
    given = parse(["inspect", "a.whl", "--for", "gfx1151", "--for", "sm_90", "b.deb"], "en")
    assert (given.files, given.targets) == (("a.whl", "b.deb"), ("gfx1151", "sm_90"))
    with pytest.raises(UsageError):
        parse(["inspect", "--for", "gfx1151"], "en")


def test_addresses() -> None:
    assert is_address("https://example.org/a.whl")
    assert not is_address("http.whl")
