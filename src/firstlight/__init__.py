"""firstlight: from first boot to a running, verified training script on an AI machine."""

__version__ = "0.1.0"
