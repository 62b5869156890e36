"""The program as a whole: streams, exit codes, failures."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from firstlight import __version__
from firstlight.causes.model import Finding
from firstlight.cli import calls
from firstlight.cli.main import main
from firstlight.errors import CannotTell
from firstlight.words import Words

PROGRAM = [sys.executable, "-c", "from firstlight.cli.main import entry; entry()"]


def run(*arguments: str, **environ: str) -> subprocess.CompletedProcess[bytes]:
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("LC_", "LANG", "PYTHON"))}
    return subprocess.run([*PROGRAM, *arguments], capture_output=True, env={**clean, **environ}, check=False)


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr() == (f"firstlight {__version__}\n", "")


def test_help_goes_to_stdout(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (["--help"], ["-h"], ["up", "--help"], ["--lang", "zh", "--help"]):
        assert main(arguments) == 0
        out, err = capsys.readouterr()
        assert "firstlight" in out
        assert err == ""


def test_wrong_usage_is_one_sentence_on_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["docter", "--lang", "zh"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err == "firstlight: 没有子命令 `docter`\n  下一步：是不是想用 `doctor`？参见 `firstlight --help`\n"


def test_an_error_is_a_document_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["facts", "--json", "--bogus"]) == 2
    out, err = capsys.readouterr()
    assert json.loads(out) == {
        "schema": "firstlight.error/1",
        "what": "unrecognized arguments: --bogus",
        "why": None,
        "next": "see `firstlight --help`",
        "exit_code": 2,
    }
    assert err.startswith("firstlight: unrecognized")


def raising(error: BaseException) -> object:
    def call(*_: object) -> object:
        raise error

    return call


def test_an_error_of_the_library_keeps_its_code(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    error = CannotTell(Words("no host.json", "没有 host.json"), why=Words("it is needed", "需要它"))
    monkeypatch.setattr(calls, "call", raising(error))
    assert main(["facts"]) == 3
    assert capsys.readouterr().err == "firstlight: no host.json\n  it is needed\n"


def test_a_bug_of_ours_shows_its_trace_and_where_to_report_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calls, "call", raising(ZeroDivisionError("{x}")))
    assert main(["facts", "--json"]) == 70
    out, err = capsys.readouterr()
    assert json.loads(out)["exit_code"] == 70
    assert "Traceback" in err
    assert "ZeroDivisionError: {x}" in err
    assert "issue tracker" in err


def test_an_interrupt_ends_in_130_without_a_trace(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calls, "call", raising(KeyboardInterrupt()))
    assert main(["facts"]) == 130
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("firstlight: stopped by SIGINT\n")
    assert main(["facts", "--json"]) == 130
    assert json.loads(capsys.readouterr().out)["exit_code"] == 130


def test_a_broken_pipe_inside_a_verb_is_a_bug_not_a_yes(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calls, "call", raising(BrokenPipeError()))
    assert main(["facts"]) == 70
    assert "Traceback" in capsys.readouterr().err


def test_without_arguments_the_help_is_shown_but_it_is_no_yes(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "Usage: firstlight VERB" in err


def in_shell(script: str, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        ["bash", "-o", "pipefail", "-c", script, "bash", *PROGRAM, *arguments], capture_output=True, check=False
    )


def test_a_reader_that_leaves_is_no_error() -> None:
    done = in_shell('"$@" | true', "completion", "fish")
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("arguments", [("docter",), ("docter", "--json"), ("doctor", "--host", "/nowhere")])
@pytest.mark.parametrize("script", ['"$@" | true', '"$@" 2>&1 | true', '"$@" >&- 2>&-', '"$@" >/dev/full 2>&1'])
def test_the_exit_code_stays_whoever_listens(script: str, arguments: tuple[str, ...]) -> None:
    done = in_shell(script, *arguments)
    assert done.returncode == 2
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize(
    "arguments", [("--version",), ("--help",), ("schema", "up"), ("causes", "--json"), ("completion", "zsh")]
)
def test_an_answer_that_there_is_no_room_for_is_none(arguments: tuple[str, ...]) -> None:
    done = in_shell('"$@" >/dev/full', *arguments)
    assert done.returncode == 3
    assert done.stderr == b"firstlight: the answer could not be written to stdout: No space left on device\n"
    closed = in_shell('"$@" >&- <&-', *arguments)
    assert (closed.returncode, closed.stderr) == (0, b"")


def test_a_closed_stream_is_not_taken_by_the_next_file() -> None:
    program = "import os; from firstlight.cli.streams import complete; complete(); print(os.open('/', 0) > 2)"
    script = f'{sys.executable} -c "$1" >&- 2>&- <&-; exec 3>&1; {sys.executable} -c "$1" 2>&- <&-'
    done = subprocess.run(["bash", "-c", script, "bash", program], capture_output=True, check=True)
    assert done.stdout == b"True\n"


@pytest.mark.parametrize(("encoding", "said"), [("ascii", "firstlight takes"), ("gbk", "firstlight 把")])
def test_chinese_where_it_can_be_shown(encoding: str, said: str) -> None:
    done = run("--help", FIRSTLIGHT_LANG="zh", PYTHONIOENCODING=encoding)
    assert done.returncode == 0
    assert done.stdout.startswith(said.encode(encoding))


NOT_TEXT = "\udcff\udcfe"


@pytest.mark.parametrize(
    "arguments",
    [("xx",), ("causes", "show", "xx"), ("facts", "--host", "xx"), ("facts", "--xx"), ("capture", "-o", "xx.zip"),
     ("schema", "xx"), ("facts", "--project", "xx"), ("plan", "--python", "xx")],
)  # fmt: skip
def test_arguments_that_are_no_text(arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*(word.replace("xx", NOT_TEXT) for word in arguments), "--json"]) == 2
    out, err = capsys.readouterr()
    assert json.loads(out)["exit_code"] == 2
    assert "Traceback" not in err


@pytest.mark.parametrize("verb", ["facts", "doctor", "plan", "lock", "sync", "verify", "up"])
def test_a_project_that_is_no_folder_is_wrong_usage(
    verb: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    for name in ("file", "missing", "file/x"):
        assert main([verb, "--project", str(tmp_path / name)]) == 2
    assert main([verb, "--project", ""]) == 2
    assert "there is no such folder" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize("verb", ["facts", "doctor", "plan", "lock", "sync", "verify", "up"])
@pytest.mark.parametrize("where", [(), ("--project", ".")])
def test_a_working_folder_that_is_gone(verb: str, where: tuple[str, ...], tmp_path: Path) -> None:
    done = in_shell(f'mkdir "{tmp_path}/gone" && cd "{tmp_path}/gone" && rmdir "{tmp_path}/gone" && "$@"', verb, *where)
    assert done.returncode == 2
    assert b"the working folder is not there any more" in done.stderr


def test_a_recorded_machine_needs_no_working_folder(tmp_path: Path) -> None:
    (tmp_path / "tree" / "gone").mkdir(parents=True)
    away = f'cd "{tmp_path}/tree/gone" && rmdir "{tmp_path}/tree/gone" && "$@"'
    assert in_shell(away, "facts", "--host", str(tmp_path / "tree")).returncode == 0


def test_the_language_follows_the_locale() -> None:
    assert "用法".encode() in run("--help", LANG="zh_CN.UTF-8", PYTHONIOENCODING="utf-8").stdout
    assert b"Usage" in run("--help", LANG="C").stdout


def test_help_and_version_import_little() -> None:
    for arguments in (["--help"], ["--version"]):
        program = f"import sys; from firstlight.cli.main import main; main({arguments}); print(*sys.modules)"
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
        loaded = set(done.stdout.split())
        unwanted = {"rich", "argparse", "subprocess", "tomllib", "firstlight.verbs.doctor", "firstlight.facts"}
        if sys.version_info < (3, 11):
            unwanted -= {"subprocess"}  # msgspec's uuid brings it there, by way of platform
        assert not loaded & unwanted


def test_schema_of_an_answer(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema", "doctor"]) == 0
    assert json.loads(capsys.readouterr().out)["schema"] == "firstlight.schema/1"
    assert main(["schema"]) == 0
    assert "doctor\n" in capsys.readouterr().out


def test_causes(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["causes", "--json"]) == 0
    known = json.loads(capsys.readouterr().out)["causes"]
    ids = [cause["id"] for cause in known]
    assert "no-gpu" in ids
    assert ids == sorted(ids)
    assert main(["causes", "show", "no-gpu"]) == 0
    assert "no-gpu" in capsys.readouterr().out
    assert main(["causes", "show", "no-gpuu"]) == 2
    assert "did you mean `no-gpu`" in capsys.readouterr().err
    assert main(["causes", "no-gpu"]) == 2


def test_facts_of_a_tree(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "proc").mkdir()
    (tmp_path / "proc" / "cmdline").write_text("quiet nomodeset\n")
    assert main(["facts", "--host", str(tmp_path), "--json"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["kernel"]["cmdline"][1] == {"name": "nomodeset", "value": None}
    assert err == ""
    assert main(["facts", "--host", str(tmp_path), "--lang", "zh"]) == 0
    assert "未录制" in capsys.readouterr().out


def test_doctor_finds_nothing_in_an_empty_tree_and_says_that_it_cannot_tell(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["doctor", "--host", str(tmp_path), "--json"]) == 3
    findings = json.loads(capsys.readouterr().out)["findings"]
    assert [one["id"] for one in findings if one["verdict"] == "found"] == []


def test_doctor_exits_with_1_where_something_blocks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from firstlight.verbs import doctor

    from ..text.findings import NO_PERMISSION

    def found(*_: object) -> tuple[Finding, ...]:
        return (NO_PERMISSION,)

    monkeypatch.setattr(doctor, "diagnose", found)
    assert main(["doctor", "--host", str(tmp_path)]) == 1
    assert "sudo usermod" in capsys.readouterr().out


def test_a_host_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["facts", "--host", "/nowhere", "--json"]) == 2
    assert json.loads(capsys.readouterr().out)["schema"] == "firstlight.error/1"


def test_capture_says_where_to_write_and_overwrites_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["capture"]) == 2
    there = tmp_path / "m.tar.zst"
    there.touch()
    assert main(["capture", "-o", str(there)]) == 1
    assert there.stat().st_size == 0
    assert "is there already" in " ".join(capsys.readouterr().err.split())


def test_verify_without_an_environment_cannot_tell(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "--project", str(tmp_path)]) == 3
    assert "firstlight up" in capsys.readouterr().err


def test_sync_without_a_lock_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sync", "--project", str(tmp_path)]) == 2
    assert "firstlight lock" in capsys.readouterr().err


def test_explain(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "log"
    log.write_text("step 1\nRuntimeError: HIP error: invalid device function\n")
    assert main(["explain", str(log), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [cause["id"] for cause in told["causes"]] == ["gpu-arch-not-in-rocm-build"]
    assert told["causes"][0]["evidence"][0]["line"] == 2
    assert main(["explain", str(log), "--report"]) == 0
    assert "### `gpu-arch-not-in-rocm-build`" in capsys.readouterr().out
    log.write_text("all is well\n")
    assert main(["explain", str(log)]) == 1
    assert main(["explain", str(tmp_path / "absent")]) == 2
    log.write_text("")
    assert main(["explain", str(log)]) == 3


def test_the_catalogue_is_exported(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["causes", "--export"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["schema"] == "firstlight.catalogue/1"
    assert main(["causes", "--export", "patterns"]) == 0
    assert capsys.readouterr().out.splitlines() == document["patterns"]
    assert main(["causes", "show", "no-gpu", "--export"]) == 2
