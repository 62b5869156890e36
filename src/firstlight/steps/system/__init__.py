"""System changes as steps with check, do and undo, under a journal that survives `kill -9`: packages, repositories,
groups, module options, kernel parameters, initramfs, firmware."""

from .apply import apply_system
from .ground import Ground
from .model import Applied, Preview, RolledBack, SystemChange
from .preview import preview
from .rollback import rollback_system

__all__ = ["Applied", "Ground", "Preview", "RolledBack", "SystemChange", "apply_system", "preview", "rollback_system"]
