"""SELinux denies the device nodes."""

from __future__ import annotations

from ..words import Words
from .messages import Message
from .model import Cause

# messages
MESSAGES = (
    Message(r"avc: {1,2}denied .{0,300}tcontext=\S{1,60}:(?P<kind>dri_device_t|hsa_device_t|xserver_misc_device_t|nvidia_device_t|device_t|container_file_t)\S{0,60} tclass=chr_file permissive=0", 0.96, told=Words("SELinux denies access to {kind}.", "SELinux 拒绝访问 {kind}。")),
    Message(r"avc: {1,2}denied .{0,200}(?:kfd|renderD\d{3}|nvidia\w{0,6}|card\d)", 0.92),
    Message(r"SELinux is preventing (?P<program>\S{1,100}) from .{0,60}(?:chr_file|kfd|render|nvidia|dri)", 0.95, told=Words("SELinux stops {program}.", "SELinux 阻止 {program}。")),
    Message(r"container_use_devices", 0.85),
    Message(r"scontext=\S{1,60}:container_t\S{0,60} tcontext=\S{1,60}(?:dri_device|hsa_device|xserver_misc_device)", 0.94),
)  # fmt: skip

CAUSE = Cause(
    id="selinux-blocks-gpu-device",
    family="permissions",
    vendor="both",
    severity="blocking",
    title=Words(
        "SELinux forbids the use of the GPU's device nodes",
        "SELinux 禁止使用 GPU 设备节点",
    ),
    means=Words(
        "SELinux forbids a confined container or service to use the GPU's device nodes.",
        "SELinux 禁止受限的容器或服务使用 GPU 设备节点。",
    ),
    effect=Words(
        "Opening the node is denied although modes and groups are right.",
        "尽管权限和组都正确，打开节点仍被拒绝。",
    ),
    fix=Words(
        "setsebool -P container_use_devices on, or update container-selinux, or run with --security-opt label=disable.",
        "setsebool -P container_use_devices on，或更新 container-selinux，或用 --security-opt label=disable 运行。",
    ),
    messages=MESSAGES,
)
