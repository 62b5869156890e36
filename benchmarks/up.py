"""`firstlight up` beside the same by hand: `uv venv`, `uv pip install` of the same torch, the same training script.

Both with a warm cache, each in a fresh folder, in one run. `--find-links` names where torch's CPU build lies (default:
pip's own setting).
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile

from benchmarks.cost import once, seconds

BIN = os.path.dirname(sys.executable)
FIRSTLIGHT, UV = os.path.join(BIN, "firstlight"), os.path.join(BIN, "uv")
TRAINING = ("import", "training-step")


def main() -> None:
    """Print medians and their ratio."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--find-links", default=find_links())
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        version = torch_version(up(os.path.join(folder, "warm"))[1])
        ours = [up(os.path.join(folder, f"up{run}")) for run in range(options.runs)]
        hands = [
            by_hand(os.path.join(folder, f"hand{run}"), version, options.find_links) for run in range(options.runs)
        ]
    whole = statistics.median(wall for wall, _ in ours)
    beyond = statistics.median(other_rungs(answer) for _, answer in ours)
    hand = statistics.median(hands)
    document = {
        "torch": version,
        "by_hand_s": round(hand, 2),
        "up_s": round(whole, 2),
        "install_and_training_s": round(whole - beyond, 2),
        "ratio": round((whole - beyond) / hand, 3),
        "other_rungs_s": round(beyond, 2),
    }
    print(json.dumps(document, indent=1))


def find_links() -> str:
    """What pip is configured with."""
    done = subprocess.run([sys.executable, "-m", "pip", "config", "get", "global.find-links"],
                          capture_output=True, text=True, check=False)  # fmt: skip
    return os.environ.get("PIP_FIND_LINKS") or done.stdout.strip()


def up(folder: str) -> tuple[float, dict[str, object]]:
    """Wall time and answer of `firstlight up` in a new project folder."""
    os.makedirs(folder)
    answer: dict[str, object] = {}

    def run() -> None:
        done = subprocess.run([FIRSTLIGHT, "up", "--json", "--quiet"], cwd=folder, capture_output=True, check=False)
        if done.returncode:
            raise SystemExit(f"firstlight up failed:\n{done.stderr.decode(errors='replace')}")
        answer.update(json.loads(done.stdout))

    return seconds(run), answer


def by_hand(folder: str, version: str, links: str) -> float:
    """Wall time of the same by hand."""
    env = os.path.join(folder, "env")
    python = os.path.join(env, "bin", "python")
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "train_by_hand.py")
    install = [UV, "pip", "install", "--quiet", "--python", python, f"torch=={version}"]
    if links:
        install += ["--find-links", links]
    steps = ([UV, "venv", "--quiet", "--python", sys.executable, env], install, [python, script])
    return sum(once(step, check=True).wall for step in steps)


def rungs(answer: dict[str, object]) -> list[dict[str, object]]:
    """The ladder of an answer."""
    verify = answer["verify"]
    assert isinstance(verify, dict)
    return list(verify["rungs"])


def other_rungs(answer: dict[str, object]) -> float:
    """Seconds in all rungs but the import and the training."""
    return sum(float(str(rung["ms"])) for rung in rungs(answer) if rung["id"] not in TRAINING) / 1000


def torch_version(answer: dict[str, object]) -> str:
    """The torch that `import` found."""
    evidence = next(rung["evidence"] for rung in rungs(answer) if rung["id"] == "import")
    assert isinstance(evidence, dict)
    return str(evidence["version"])


if __name__ == "__main__":
    main()
