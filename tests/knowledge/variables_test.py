"""Which environment variables change what runs."""

from __future__ import annotations

import pytest

from firstlight.knowledge.variables import steers


@pytest.mark.parametrize(
    "name",
    [
        "HSA_OVERRIDE_GFX_VERSION", "HSA_OVERRIDE_GFX_VERSION_0", "HIP_VISIBLE_DEVICES", "PYTORCH_HIP_ALLOC_CONF",
        "ROCM_HOME", "ROCM_PATH", "CUBLAS_WORKSPACE_CONFIG", "MIOPEN_DEBUG_CONV_FFT", "MIOPEN_DEBUG_CONV_DIRECT",
        "MIOPEN_DEBUG_CONV_IMPLICIT_GEMM", "MIOPEN_DEBUG_DISABLE_SYSTEM_DB",
    ],
)  # fmt: skip
def test_what_the_table_knows_steers(name: str) -> None:
    assert steers(name)


@pytest.mark.parametrize("name", ["UV_TORCH_BACKEND", "ROCM_BOOTSTRAP_FORCE_GFX_ARCH", "PATH", "HIP_VISIBLE_DEVICES_0"])
def test_what_says_what_to_install_or_is_not_known_does_not(name: str) -> None:
    assert not steers(name)
