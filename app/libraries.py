"""Libraries of the system that Qt needs for a window and does not bring: on Linux they may lack.

Without them Qt ends the program with words that name no remedy.
"""

from __future__ import annotations

import ctypes
import json
import os
import shutil
import sys
from collections.abc import Callable, Mapping
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path

Loads = Callable[[str], bool]
Which = Callable[[str], str | None]

_INSTALLERS = {
    "apt-get": "apt-get install -y --no-install-recommends",
    "dnf": "dnf install -y",
    "zypper": "zypper install -y",
}


def loads(library: str) -> bool:
    """Whether a shared library and those it needs can be opened."""
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def missing(
    environ: Mapping[str, str] = os.environ, platform: str = sys.platform, opens: Loads = loads
) -> dict[str, str]:
    """Debian's package by the library that is missing for a window here; empty elsewhere.

    >>> without_cursor = lambda name: "cursor" not in name and "qxcb" not in name
    >>> missing({"DISPLAY": ":0"}, "linux", without_cursor)
    {'libxcb-cursor.so.0': 'libxcb-cursor0'}
    >>> missing({"WAYLAND_DISPLAY": "wayland-0"}, "linux", without_cursor)
    {}
    """
    if not platform.startswith("linux"):
        return {}
    packages = json.loads((files("resources") / "system_libraries.json").read_text())
    wanted = packages["any"] | (packages["x"] if _is_on_x(environ) else {})
    lacking = {library: package for package, library in wanted.items() if not opens(library)}
    # What Qt can do without, or has brought along, is not missing.
    return {} if lacking and opens(_plugin(environ)) else lacking


def remedy(lacking: Mapping[str, str], which: Which = shutil.which) -> str:
    """The sentence that says what is missing and which command installs it.

    >>> print(remedy({"libxcb-cursor.so.0": "libxcb-cursor0"}, {"apt-get": "a"}.get))
    a window needs libraries that this system lacks (libxcb-cursor.so.0); this command installs \
them: apt-get install -y --no-install-recommends libxcb-cursor0
    """
    names = ", ".join(lacking)
    head = f"a window needs libraries that this system lacks ({names})"
    found = next((name for name in _INSTALLERS if which(name)), None)
    if found is None:
        packages = " ".join(lacking.values())
        return f"{head}; by their Debian names these packages have them: {packages}"
    # RPM packages are found by the library that they provide.
    provided = lacking.values() if found == "apt-get" else [f"'{n}()(64bit)'" for n in lacking]
    root = "sudo " if which("sudo") else ""
    command = f"{root}{_INSTALLERS[found]} {' '.join(provided)}"
    return f"{head}; this command installs them: {command}"


def _is_on_x(environ: Mapping[str, str]) -> bool:
    """Whether Qt will ask for a window of X: as chosen, else where there is no Wayland."""
    chosen = environ.get("QT_QPA_PLATFORM", "")
    if chosen:
        return chosen.split(":")[0] == "xcb"
    return bool(environ.get("DISPLAY")) and not environ.get("WAYLAND_DISPLAY")


def _plugin(environ: Mapping[str, str]) -> str:
    """Qt's own library for the window, or for any drawing; it opens where nothing is missing."""
    spec = find_spec("PySide6")
    folder = Path(spec.origin or "").parent / "Qt" if spec is not None else Path()
    name = "plugins/platforms/libqxcb.so" if _is_on_x(environ) else "lib/libQt6Gui.so.6"
    return str(folder / name)
