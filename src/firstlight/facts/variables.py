"""Environment variables that steer GPUs."""

from __future__ import annotations

from ..host.model import Host, Unread
from .model import Variable
from .repositories import without_secrets
from .value import Fact, unknown

PREFIXES = (
    "HSA_", "HIP_", "ROCR_", "ROCM_", "ROC_", "HIPBLAS", "ROCBLAS_", "MIOPEN_", "RCCL_", "HSAKMT_", "HCC_", "AMD_",
    "AMDGPU_", "GPU_", "CUDA_", "CUDNN_", "CUBLAS_", "NVIDIA_", "NCCL_", "NV_", "PYTORCH_", "TORCH_", "TORCHINDUCTOR_",
    "TRITON_", "FLASH_ATTENTION_", "JAX_", "XLA_", "UV_TORCH_", "UV_AMD_", "UV_CUDA_", "ZE_", "ONEAPI_",
)  # fmt: skip
NAMES = ("LD_LIBRARY_PATH", "LD_PRELOAD")
ENDINGS = ("_VISIBLE_DEVICES",)
SECRET_PARTS = ("TOKEN", "SECRET", "PASSW", "CREDENTIAL", "API_KEY", "APIKEY", "ACCESS_KEY", "PRIVATE", "AUTH")
VALUE_AT_MOST = 32_768
"""Characters; no variable of these kinds is sensibly longer, and a LD_LIBRARY_PATH can be long."""


def variables(host: Host) -> Fact[list[Variable]]:
    """Those of GPU software, sorted by name; what looks like a secret is left out, user and password in an address
    are replaced."""
    environment = host.environment()
    if isinstance(environment, Unread):
        return unknown(environment)
    return [
        Variable(name=name, value=without_secrets(environment[name][:VALUE_AT_MOST]))
        for name in sorted(environment)
        if _steers_gpus(name) and not any(part in name.upper() for part in SECRET_PARTS)
    ]


def _steers_gpus(name: str) -> bool:
    return name in NAMES or name.startswith(PREFIXES) or name.endswith(ENDINGS)
