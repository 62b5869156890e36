"""Reports made by hand: of wheels, packages and files as they are published."""

from __future__ import annotations

from firstlight.binaries.model import Code, Fault, Kind, Needs, Piece, Report, Vendor

MIB = 1 << 20


def codes(*targets: str, generic_version: int | None = None) -> tuple[Code, ...]:
    """One code object for each target."""
    return tuple(code(target, generic_version) for target in targets)


def code(target: str, generic_version: int | None = None) -> Code:
    vendor: Vendor = "amd" if target.startswith("gfx") else "nvidia"
    if vendor == "amd":
        generic = generic_version if "-generic" in target else None
        return Code(vendor=vendor, target=target, form="code-object", code_object_version=5, generic_version=generic)
    return Code(vendor=vendor, target=target, form="ptx" if target.startswith("compute") else "cubin")


def elf(
    path: str,
    *targets: str,
    libraries: tuple[str, ...] = ("libc.so.6",),
    glibc: str | None = "2.28",
    glibcxx: str | None = "3.4.22",
    machine: str = "x86_64",
    soname: str | None = None,
    reference: str | None = None,
) -> Piece:
    needs = Needs(machine=machine, libraries=libraries, glibc=glibc, glibcxx=glibcxx, soname=soname)
    return Piece(path=path, kind="elf", size=90 * MIB, code=codes(*targets), needs=needs, reference=reference)


def piece(path: str, kind: Kind, *targets: str, form: str = "library") -> Piece:
    found = tuple(Code(vendor="amd", target=target, form=form) for target in targets)  # type: ignore[arg-type]
    return Piece(path=path, kind=kind, size=MIB, code=found)


CUDA_TARGETS = ("sm_75", "sm_80", "sm_86", "sm_90", "sm_100", "sm_120")
TORCH_CUDA = Report(
    path="torch-2.14.1+cu130-cp311-cp311-manylinux_2_28_x86_64.whl",
    kind="wheel",
    distribution="torch 2.14.1+cu130",
    python=("cp311-cp311-manylinux_2_28_x86_64",),
    others=11000,
    pieces=(
        elf(
            "torch/lib/libtorch_cuda.so",
            *CUDA_TARGETS,
            "sm_90a",
            libraries=("libcublas.so.13", "libcudart.so.13", "libcuda.so.1", "libc10.so", "libc.so.6", "libgomp.so.1"),
        ),
        elf("torch/lib/libtorch_cuda_linalg.so", "sm_75", "sm_80", "compute_90", libraries=("libtorch_cuda.so",)),
        elf("torch/lib/libc10.so", libraries=("libc.so.6",)),
        elf("torch/lib/libtorch_nvshmem.so", "sm_90", libraries=("libnvshmem_host.so.3",)),
        elf("torch/lib/libflash.so", "sm_90a"),
    ),
)
CUBLAS = Report(
    path="nvidia_cublas-13.1.0.3-py3-none-manylinux_2_27_x86_64.whl",
    kind="wheel",
    distribution="nvidia-cublas 13.1.0.3",
    python=("py3-none-manylinux_2_27_x86_64",),
    pieces=(
        elf("nvidia/cu13/lib/libcublas.so.13", *CUDA_TARGETS, "compute_120", soname="libcublas.so.13"),
        elf("nvidia/cu13/lib/libcublasLt.so.13", *CUDA_TARGETS, "sm_100a", soname="libcublasLt.so.13"),
    ),
)
ROCM_TARGETS = ("gfx900", "gfx906", "gfx908", "gfx90a", "gfx942", "gfx1030", "gfx1100", "gfx1101", "gfx1102", "gfx1151")
TORCH_ROCM = Report(
    path="torch-2.13.0+rocm7.2-cp312-cp312-manylinux_2_28_x86_64.whl",
    kind="wheel",
    distribution="torch 2.13.0+rocm7.2",
    python=("cp312-cp312-manylinux_2_28_x86_64",),
    pieces=(
        elf("torch/lib/libtorch_hip.so", *ROCM_TARGETS, "gfx1103", libraries=("libamdhip64.so", "librocblas.so")),
        elf("torch/lib/librocblas.so", *ROCM_TARGETS, "gfx1103"),
        elf("torch/lib/libamdhip64.so"),
        *(
            piece(f"torch/lib/rocblas/library/TensileLibrary_Type_HH_{target}.co", "tensile", target)
            for target in ROCM_TARGETS
        ),
        *(
            piece(f"torch/lib/hipblaslt/library/{target}/Kernels.co", "tensile", target)
            for target in ("gfx90a", "gfx942", "gfx1151")
        ),
        piece("torch/share/miopen/db/gfx90a68.kdb", "miopen", "gfx90a", form="database"),
        piece("torch/lib/aotriton.images/amd-gfx942/flash/a.aks2", "other", "gfx942"),
        piece("torch/lib/aotriton.images/amd-gfx90a/flash/a.aks2", "other", "gfx90a"),
    ),
)
TORCH_AMD = Report(
    path="torch-2.14.0+rocm10.1.0-cp312-cp312-linux_x86_64.whl",
    kind="wheel",
    distribution="torch 2.14.0+rocm10.1.0",
    python=("cp312-cp312-linux_x86_64",),
    pieces=(elf("torch/lib/libtorch_hip.so", reference="torch/.kpack/torch_@GFXARCH@.kpack"),),
)
TORCH_DEVICE = Report(
    path="amd_torch_device_gfx1151-2.14.0+rocm10.1.0-py3-none-linux_x86_64.whl",
    kind="wheel",
    distribution="amd-torch-device-gfx1151 2.14.0+rocm10.1.0",
    python=("py3-none-linux_x86_64",),
    pieces=(piece("torch/.kpack/torch_gfx1151.kpack", "kpack", "gfx1151", form="code-object"),),
)
DEB = Report(
    path="librocblas0_5.5.1+dfsg-7_amd64.deb",
    kind="deb",
    distribution="librocblas0 5.5.1+dfsg-7",
    pieces=(
        elf(
            "usr/lib/x86_64-linux-gnu/librocblas.so.0.1",
            "gfx1030",
            "gfx1100",
            libraries=("libamdhip64.so.5", "libc.so.6"),
            glibc="2.38",
            soname="librocblas.so.0",
        ),
        piece("usr/lib/x86_64-linux-gnu/rocblas/2.47.0/library/Kernels.so-000-gfx1030.hsaco", "tensile", "gfx1030"),
        piece("usr/lib/x86_64-linux-gnu/rocblas/2.47.0/library/Kernels.so-000-gfx1100.hsaco", "tensile", "gfx1100"),
    ),
)
CPU = Report(
    path="torch-2.14.1+cpu-cp311-cp311-manylinux_2_28_x86_64.whl",
    kind="wheel",
    distribution="torch 2.14.1+cpu",
    python=("cp311-cp311-manylinux_2_28_x86_64",),
    pieces=(elf("torch/lib/libtorch_cpu.so"),),
)
DAMAGED = Report(
    path="cut.so",
    kind="file",
    pieces=(
        Piece(
            path="cut.so",
            kind="elf",
            size=4096,
            faults=(Fault(kind="damaged", where=".hip_fatbin", detail="ends after 4096 bytes"),),
        ),
    ),
)
