"""pyqtgraph without OpenGL, which it imports for drawings that Headroom doesn't make.

Qt's module for it is the largest of all after Qt itself (9 MB), and takes time to load.
"""

from __future__ import annotations

import sys
from types import ModuleType


class NoOpenGLWidget:
    """Stands where pyqtgraph derives its widgets of OpenGL from; never made."""


def leave_out_opengl() -> None:
    """Put empty modules in the place of Qt's for OpenGL; before pyqtgraph is imported."""
    for name in ("QtOpenGL", "QtOpenGLWidgets"):
        stand_in = ModuleType(f"PySide6.{name}")
        vars(stand_in)["QOpenGLWidget"] = NoOpenGLWidget
        sys.modules.setdefault(stand_in.__name__, stand_in)
