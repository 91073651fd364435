"""Whether there is a screen to show a window on."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping


def has_display(environ: Mapping[str, str] = os.environ, platform: str = sys.platform) -> bool:
    """False on Unix without X and Wayland; other systems always have one.

    >>> has_display({"DISPLAY": ":0"}, "linux"), has_display({}, "linux"), has_display({}, "win32")
    (True, False, True)
    """
    if platform in {"win32", "darwin"}:
        return True
    return bool(environ.get("DISPLAY") or environ.get("WAYLAND_DISPLAY") or _chosen(environ))


def _chosen(environ: Mapping[str, str]) -> bool:
    """Whether somebody chose a Qt platform, such as ``offscreen`` in tests."""
    return bool(environ.get("QT_QPA_PLATFORM"))
