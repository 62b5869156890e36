"""The training of the rung `training-step`, as a plain script: run by the Python that has torch."""

from __future__ import annotations

import os
import sys
from importlib import import_module

CHECKS = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "src", "firstlight", "checks")
sys.path.insert(0, CHECKS)

learning = import_module("worker.learning")

images, labels = learning.batch()
model = learning.network()
losses = learning.train(model, learning.optimiser(model), images.float(), labels, learning.STEPS)
if not losses[-1] < losses[0]:
    sys.exit(f"the loss did not fall: {losses}")
