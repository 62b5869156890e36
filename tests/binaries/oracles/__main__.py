"""`python -m tests.binaries.oracles FOLDER`: ours beside what the vendors' tools say, and the totals."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from .comparing import Line, compare
from .tools import missing

NEEDED = ("clang-offload-bundler", "llvm-readelf", "cuobjdump", "nvdisasm")


def main() -> int:
    """0 if every file agrees."""
    parser = argparse.ArgumentParser(prog="python -m tests.binaries.oracles", description=__doc__)
    parser.add_argument("folder", type=Path, nargs="+", help="a folder, or files")
    parser.add_argument("--keep", type=Path, help="where the tools' answers are kept between runs")
    parser.add_argument("--all", action="store_true", help="print the files that agree as well")
    told = parser.parse_args()
    if missing(*NEEDED):
        sys.stderr.write(f"not installed: {', '.join(missing(*NEEDED))}\n")
        return 3
    return _totals([line for path in _files(told.folder) for line in _shown(path, told.keep, everything=told.all)])


def _files(folders: list[Path]) -> list[Path]:
    every = [
        one for folder in folders for one in ([folder] if folder.is_file() else folder.rglob("*")) if one.is_file()
    ]
    return sorted((one for one in every if one.suffix != ".json"), key=lambda one: one.stat().st_size)


def _shown(path: Path, earlier: Path | None, *, everything: bool) -> list[Line]:
    lines = list(compare(path, earlier))
    for line in lines:
        if everything or line.faults or (line.theirs is not None and not line.counts_same):
            sys.stdout.write(f"{_text(line)}\n")
            sys.stdout.flush()
    return lines


def _text(line: Line) -> str:
    verdict = "no tool" if line.theirs is None else "tool failed" if line.failed else _verdict(line)
    body = f"{verdict:12} {line.argument} {line.member}\n    ours   {_targets(line.ours)}"
    if line.theirs is not None:
        body += f"\n    theirs {line.failed or _targets(line.theirs)}"
    return "\n".join([body, *(f"    fault  {fault}" for fault in line.faults[:5])])


def _verdict(line: Line) -> str:
    return "same" if line.counts_same else "counts" if line.same else "DIFFERENT"


def _targets(found: dict[str, int]) -> str:
    return " ".join(f"{name}*{count}" if count > 1 else name for name, count in sorted(found.items())) or "nothing"


def _totals(lines: list[Line]) -> int:
    judged = [line for line in lines if line.theirs is not None and not line.failed]
    same = sum(line.same for line in judged)
    counts = sum(line.counts_same for line in judged)
    silent, failed = (
        sum(found) for found in ((line.theirs is None for line in lines), (bool(line.failed) for line in lines))
    )
    sys.stdout.write(
        f"{len({line.argument for line in lines})} arguments, {len(lines)} files with GPU code or faults\n"
        f"targets equal in {same} of {len(judged)}, their numbers too in {counts}\n"
        f"no tool for {silent}, the tool failed on {failed}\n"
    )
    return 0 if same == len(judged) else 1


if __name__ == "__main__":
    sys.exit(main())
