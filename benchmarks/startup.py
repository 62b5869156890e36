"""How fast `firstlight doctor` is beside the peer that users run today, in one run."""

from __future__ import annotations

import argparse
import json
import os
import sys

from benchmarks.cost import cost

FIRSTLIGHT = os.path.join(os.path.dirname(sys.executable), "firstlight")


def main() -> None:
    """Print the ratio of medians."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--torch-python", required=True, help="a Python that has torch")
    parser.add_argument("--runs", type=int, default=7)
    options = parser.parse_args()
    peer = cost([options.torch_python, "-m", "torch.utils.collect_env"], runs=options.runs)
    doctor = cost([FIRSTLIGHT, "doctor", "--json"], runs=options.runs)
    help_ = cost([FIRSTLIGHT, "--help"], runs=options.runs)
    document = {
        "collect_env_s": round(peer.wall, 4),
        "doctor_s": round(doctor.wall, 4),
        "times_faster": round(peer.wall / doctor.wall, 1),
        "help_cpu_s": round(help_.cpu, 4),
    }
    print(json.dumps(document, indent=1))


if __name__ == "__main__":
    main()
