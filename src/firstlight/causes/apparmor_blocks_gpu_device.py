"""AppArmor denies the device nodes."""

from __future__ import annotations

from ..words import Words
from .messages import Message
from .model import Cause

# messages
MESSAGES = (
    Message(r"apparmor=\"DENIED\" .{0,160}name=\"(?P<name>/dev/(?:kfd|dri|nvidia|accel)\S{0,40})\"", 0.97, told=Words("AppArmor denies {name}.", "AppArmor 拒绝 {name}。")),
    Message(r"apparmor=\"DENIED\" .{0,40}operation=\"(?P<operation>ptrace|userns_create|open|mount|capable)\".{0,200}(?:rocm|kfd|dri/|nvidia|ollama|python|snap\.|docker|podman|lxc|amdgpu|hip)", 0.85, told=Words("AppArmor denies {operation}.", "AppArmor 拒绝 {operation}。")),
    Message(r"/sys/(?:class/kfd|devices/virtual/kfd|class/drm).{0,80}apparmor", 0.6),
    Message(r"apparmor=\"DENIED\" .{0,300}/sys/(?:class|devices).{0,60}(?:kfd|drm)", 0.9),
)  # fmt: skip

CAUSE = Cause(
    id="apparmor-blocks-gpu-device",
    family="permissions",
    vendor="both",
    severity="blocking",
    title=Words(
        "AppArmor forbids the use of the GPU",
        "AppArmor 禁止使用 GPU",
    ),
    means=Words(
        "An AppArmor profile forbids the program or container to open GPU device nodes or needed system calls.",
        "AppArmor 配置禁止程序或容器打开 GPU 设备节点或进行所需的系统调用。",
    ),
    effect=Words(
        "Opening the node is denied although modes and groups are right.",
        "尽管权限和组都正确，打开节点仍被拒绝。",
    ),
    fix=Words(
        "Allow the devices in the profile (or apparmor=unconfined for that container); for snaps connect the interface; reload with apparmor_parser -r.",
        "在配置中允许这些设备（或对该容器用 apparmor=unconfined）；snap 则连接相应接口；用 apparmor_parser -r 重新加载。",
    ),
    messages=MESSAGES,
)
