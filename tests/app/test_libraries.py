"""A system without the libraries of a window is told what installs them, before Qt gives up."""

from __future__ import annotations

import io
from collections.abc import Callable

import pytest

from app import __main__ as start
from app import cli, libraries

X = {"DISPLAY": ":0"}


def without(*names: str) -> Callable[[str], bool]:
    return lambda library: not any(name in library for name in names)


@pytest.mark.parametrize(
    ("environ", "platform", "found"),
    [
        (X, "linux", {"libxcb-cursor.so.0", "libEGL.so.1"}),
        ({**X, "QT_QPA_PLATFORM": "xcb"}, "linux", {"libxcb-cursor.so.0", "libEGL.so.1"}),
        ({**X, "WAYLAND_DISPLAY": "wayland-0"}, "linux", {"libEGL.so.1"}),
        ({**X, "QT_QPA_PLATFORM": "offscreen"}, "linux", {"libEGL.so.1"}),
        (X, "win32", set()),
        (X, "darwin", set()),
    ],
)
def test_what_is_missing_is_what_the_window_needs_here(
    environ: dict[str, str], platform: str, found: set[str]
) -> None:
    opens = without("libxcb-cursor", "libEGL", "libqxcb", "libQt6Gui")
    assert set(libraries.missing(environ, platform, opens)) == found


def test_what_qt_opens_without_is_not_missing() -> None:
    """A list may be out of date; Qt's own library knows what it needs."""
    assert libraries.missing(X, "linux", without("libxcb-cursor")) == {}
    assert libraries.missing(X, "linux", without()) == {}


@pytest.mark.parametrize(
    ("tools", "command"),
    [
        ("apt-get sudo", "sudo apt-get install -y --no-install-recommends libxcb-cursor0 libegl1"),
        ("apt-get", ": apt-get install -y --no-install-recommends libxcb-cursor0 libegl1"),
        ("dnf sudo", "sudo dnf install -y 'libxcb-cursor.so.0()(64bit)' 'libEGL.so.1()(64bit)'"),
        ("zypper", "zypper install -y 'libxcb-cursor.so.0()(64bit)' 'libEGL.so.1()(64bit)'"),
        ("", "these packages have them: libxcb-cursor0 libegl1"),
    ],
)
def test_the_remedy_is_a_command(tools: str, command: str) -> None:
    lacking = {"libxcb-cursor.so.0": "libxcb-cursor0", "libEGL.so.1": "libegl1"}
    there = {tool: tool for tool in tools.split()}
    assert libraries.remedy(lacking, there.get).endswith(command)


def test_a_start_without_them_ends_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(start, "has_display", lambda: True)
    monkeypatch.setattr(libraries, "missing", lambda: {"libxcb-cursor.so.0": "libxcb-cursor0"})
    monkeypatch.setattr(start, "speak", lambda: pytest.fail("went on"))
    for argv in ([], ["--demo"]):
        err = io.StringIO()
        assert cli.main(argv, io.StringIO(), err, start.Windows()) == cli.REFUSED
        assert "libxcb-cursor" in err.getvalue()
        assert "installs them" in err.getvalue() or "these packages" in err.getvalue()
        assert err.getvalue().count("\n") == 1
