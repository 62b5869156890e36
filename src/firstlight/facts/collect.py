"""Everything that is known of a machine."""

from __future__ import annotations

from ..host.model import Host, Unread
from .access import access
from .amd_driver import amd_driver
from .apt import apt
from .arch import arch
from .clock import clock
from .container import container
from .disks import disks
from .firmware import firmware
from .gpus import gpus
from .kernel import kernel
from .loader import loader_folders
from .memory import memory
from .model import Driver, Facts
from .modules import modules
from .npus import npus
from .nvidia_driver import nvidia_driver
from .origin import origin
from .os_release import operating_system
from .packages import packages
from .processor import processor
from .product import product
from .python import python
from .repositories import repositories
from .rocm import system_rocm
from .variables import variables
from .virtual import virtual


def collect(host: Host, *, project: str | None = None) -> Facts:
    """Read all facts of `host`; nothing is run, nothing raises for what the machine is like. Cost is linear in what is
    read. `project`: the folder whose environment and disk matter; of the live machine the working folder unless
    told, of a recorded one the folder that it was recorded in."""
    project = project or _working_folder(host)
    running = kernel(host)
    loaded = modules(host, running)
    cpu = processor(host)
    machine = arch(host, cpu, running.release)
    installed = packages(host)
    contained = container(host)
    devices = gpus(host)
    return Facts(
        origin=origin(host),
        gpus=devices,
        npus=npus(host),
        driver=Driver(amd=amd_driver(host, loaded, running.release), nvidia=nvidia_driver(host, loaded, machine)),
        modules=loaded,
        kernel=running,
        firmware=firmware(host, installed),
        memory=memory(host),
        access=access(host, rootless=contained.rootless),
        container=contained,
        virtual=virtual(host, cpu),
        os=operating_system(host, installed, machine),
        arch=machine,
        product=product(host),
        cpu=cpu.model,
        repositories=repositories(host),
        apt=apt(host, installed),
        python=python(host, project, machine, chips=[one.target for one in devices if one.target]),
        rocm=system_rocm(host),
        environment=variables(host),
        ld_so_rocm=loader_folders(host),
        disks=disks(host, project),
        clock=clock(host, running.built),
    )


def _working_folder(host: Host) -> str | None:
    folder = host.resolve("/proc/self/cwd")
    if not isinstance(folder, Unread) and folder.startswith("/") and not folder.startswith("/proc/"):
        return folder
    environment = host.environment()
    told = "" if isinstance(environment, Unread) else environment.get("PWD", "")
    return told if told.startswith("/") else None
