"""The GPU slows down for heat or power."""

from __future__ import annotations

from ..words import Words
from .messages import Message
from .model import Cause

# messages
MESSAGES = (
    Message(r"(?:SW|HW) Thermal Slowdown {1,30}: Active", 0.93),
    Message(r"HW Power Brake Slowdown {1,30}: Active", 0.85),
    Message(r"HW Slowdown {1,30}: Active", 0.8),
    Message(r"clocks_event_reasons\.(?:hw|sw)_thermal_slowdown.{0,40}Active", 0.9),
    Message(r"(?i)(?:PROCHOT|SOCKET_THERMAL|VR_THERMAL|HBM_THERMAL|THERMAL)_VIOLATION_STATUS: ACTIVE", 0.9),
    Message(r"(?i)throttle_status:? {1,12}THROTTLED", 0.9),
    Message(r"(?i)\bthrottl(?:ed|ing).{0,60}(?:thermal|temperature|heat|hot)", 0.82),
    Message(r"(?i)(?:thermal|temperature|overheat\w{0,3}).{0,60}\bthrottl", 0.82),
    Message(r"ERROR: GPU over temperature range", 0.88),
    Message(r"GPU (?:HW )?(?:over ?temperature|hotspot).{0,40}(?:fault|limit|range|CTF)", 0.82),
    Message(r"amdgpu: .{0,40}thermal throttling (?:logging )?(?:event|enabled|active|detected)", 0.6, unless=("thermal-logging",)),
    Message(r"Hotspot.{0,20}(?P<c>1[01]\d)(?:\.\d)? ?\W{0,4}C\b", 0.7, told=Words("The hotspot is at {c} °C.", "热点温度 {c} °C。")),
    Message(r"Throttle Reasons?: ?.{0,60}(?:thermal|THERMAL|HwThermal)", 0.88),
    Message(r"(?:hotspot|junction)\S{0,3}[):]{1,3} {0,12}(?P<c>1[01]\d)(?:\.\d)?", 0.78, told=Words("The hotspot is at {c} °C.", "热点温度 {c} °C。")),
)  # fmt: skip

CAUSE = Cause(
    id="thermal-throttling",
    family="hardware",
    vendor="both",
    severity="degrading",
    title=Words(
        "The GPU lowers its clocks because of heat or power",
        "GPU 因温度或功率而降频",
    ),
    means=Words(
        "The GPU lowers its clocks because of heat or its power limit.",
        "GPU 因温度或功率上限而降低频率。",
    ),
    effect=Words(
        "Speed falls after minutes of load.",
        "负载几分钟后速度下降。",
    ),
    fix=Words(
        "Mend cooling and airflow, set a fan curve or a lower power cap, check PSU and cables; then measure again.",
        "改善散热和风道，设置风扇曲线或更低的功率上限，检查电源和线缆；然后重新测量。",
    ),
    messages=MESSAGES,
)
