"""What the machine is called by its maker."""

from __future__ import annotations

from ..host.model import Host
from .reading import string
from .value import Fact, Unknown

DMI = "/sys/class/dmi/id/product_name"
TREE = "/proc/device-tree/model"


def product(host: Host) -> Fact[str]:
    """DMI's product name; of machines without DMI, the device tree's model."""
    found = string(host, DMI)
    if not isinstance(found, Unknown):
        return found or Unknown("malformed", DMI, "empty")
    model = string(host, TREE)
    return found if isinstance(model, Unknown) or not model else model
