"""How long each rung may take."""

from __future__ import annotations

import msgspec

from ..project.model import Backend

SEARCHING = ("convolution", "training-step", "checkpoint")
ON_EACH = ("device-visible", "first-kernel", "matmul", "training-step", "memory", "collectives")


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """Seconds for each rung; a rung that takes longer is stopped and has failed.

    Generous: the first use of a kernel may compile it (MIOpen's first convolution takes minutes).
    """

    import_: float = 120
    device_visible: float = 60
    code_for_chip: float = 60
    first_kernel: float = 60
    matmul: float = 180
    convolution: float = 300
    attention: float = 300
    training_step: float = 300
    checkpoint: float = 120
    memory: float = 180
    collectives: float = 120
    own_command: float = 3600

    search: float = 600
    """More for ROCm's convolutions: MIOpen searches and compiles at the first use of each shape, for minutes in all
    (MIOpen documentation, "Find database" and "Kernel cache"). Not measured on hardware."""
    device: float = 20
    """More for each further device, where a rung tries all."""

    def of(self, rung: str, backend: Backend = "cpu", devices: int = 1) -> float:
        """Seconds for one rung that a process runs."""
        name = "import_" if rung == "import" else rung.replace("-", "_")
        limit = getattr(self, name)
        assert isinstance(limit, (int, float))  # noqa: S101  all fields are
        search = self.search if backend == "rocm" and rung in SEARCHING else 0.0
        return limit + search + (self.device * (devices - 1) if rung in ON_EACH else 0.0)
