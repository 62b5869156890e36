"""Which environment variables go into a recording."""

from __future__ import annotations

import re

_NAMES = frozenset(
    (
        "APPTAINER_NAME", "CONDA_DEFAULT_ENV", "CONDA_PREFIX", "CURL_CA_BUNDLE", "DEBIAN_FRONTEND", "DRI_PRIME", "HOME",
        "KUBERNETES_SERVICE_HOST", "LANG", "LANGUAGE", "LD_LIBRARY_PATH", "LD_PRELOAD", "PATH", "PWD", "PYTHONHOME",
        "PYTHONPATH", "REQUESTS_CA_BUNDLE", "SINGULARITY_NAME", "SSL_CERT_DIR", "SSL_CERT_FILE", "TMPDIR",
        "VIRTUAL_ENV", "WSLENV", "WSL_DISTRO_NAME", "WSL_INTEROP", "XDG_CACHE_HOME", "XDG_CONFIG_HOME",
        "XDG_DATA_HOME", "XDG_STATE_HOME", "container",
    )
)  # fmt: skip
_PREFIXES = (
    "AMDGPU_", "AMD_", "CUBLAS", "CUDA", "CUDNN_", "FIRSTLIGHT_", "FLASH_ATTENTION_", "GGML_", "GPU_", "HCC_", "HF_",
    "HIP", "HSA_", "JAX_", "LC_", "MIOPEN_", "MKL_", "NCCL_", "NVIDIA_", "NVCC_", "OCL_", "OLLAMA_", "OMP_",
    "OPENBLAS_", "PIP_", "PYTORCH_", "RCCL_", "ROCBLAS_", "ROCM_", "ROCR_", "SLURM_", "TENSILE_", "TF_", "TORCH",
    "TRITON_", "UV_", "VLLM_", "XLA_", "ZE_",
)  # fmt: skip
_SUFFIXES = ("_VISIBLE_DEVICES", "_proxy", "_PROXY")
_SECRET = re.compile(r"TOKEN|KEY(?!RING)|SECRET|PASSW(?:OR)?D|PASSPHRASE|CREDENTIAL|AUTH|COOKIE|NETRC", re.IGNORECASE)


def is_relevant(name: str) -> bool:
    """Whether a variable can matter for a GPU, a Python environment or the network."""
    return name in _NAMES or name.startswith(_PREFIXES) or name.endswith(_SUFFIXES)


def is_secret(name: str) -> bool:
    """Whether its name says that its value must not be shown."""
    return bool(_SECRET.search(name))
