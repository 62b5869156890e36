"""MIOpen cannot use its user database."""

from __future__ import annotations

from ..words import Words
from .messages import Message
from .model import Cause

# messages
MESSAGES = (
    Message(r"MIOpen.{0,200}(?:disk I/O error|attempt to write a readonly database|database is locked|unable to open database file|database disk image is malformed)", 0.95),
    Message(r"Internal error while accessing SQLite database: (?P<error>.{3,60})", 0.95, told=Words("SQLite says: {error}.", "SQLite 报告：{error}。")),
    Message(r"\[SQLiteBase\].{0,100}(?:read-?only|locked|I/O|unable to open|Permission)", 0.93),
    Message(r"MIOpen.{0,120}(?:Unable to (?:write|lock|create)|Cannot (?:create|open|write)|Permission denied).{0,100}(?:miopen|udb|ufdb|ukdb|\.lock|cache)", 0.88),
    Message(r"(?:\.config|\.cache)/miopen\S{0,80}.{0,40}(?:Permission denied|Read-only file system|No locks available|Disk quota|Input/output)", 0.92),
    Message(r"(?:Read-only file system|Permission denied|No locks available).{0,60}/miopen", 0.88),
    Message(r"File .{0,4}\S{3,120}\.(?:udb|ufdb|ukdb)(?:\.txt)?.{0,40}(?:unreadable|corrupt|locked|cannot)", 0.85),
)  # fmt: skip

CAUSE = Cause(
    id="miopen-user-db-unusable",
    family="library",
    vendor="amd",
    severity="degrading",
    title=Words(
        "MIOpen cannot use its database in the home folder",
        "MIOpen 无法使用主目录中的数据库",
    ),
    means=Words(
        "MIOpen's user database or kernel cache cannot be read or written.",
        "MIOpen 的用户数据库或核函数缓存无法读写。",
    ),
    effect=Words(
        "Convolutions fail, or are compiled again in every run.",
        "卷积失败，或每次运行都重新编译。",
    ),
    fix=Words(
        "Point MIOPEN_USER_DB_PATH and MIOPEN_CUSTOM_CACHE_DIR to a local folder that can be written (one for each rank), or delete the damaged files in ~/.config/miopen and ~/.cache/miopen.",
        "将 MIOPEN_USER_DB_PATH 和 MIOPEN_CUSTOM_CACHE_DIR 指向可写的本地文件夹（每个 rank 一个），或删除 ~/.config/miopen 和 ~/.cache/miopen 中损坏的文件。",
    ),
    follows=("disk-full",),
    messages=MESSAGES,
)
