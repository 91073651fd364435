"""Starts the window: `run` is what the command line calls."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtWidgets import QApplication

from app import __version__
from app.calibrated import shipped_calibration
from app.icons import app_icon
from app.session import Session
from app.settings import Settings
from app.stylesheet import apply_theme, theme_named
from app.windows.crash import install_hook
from app.windows.files import empty_project, example_project
from app.windows.window import MainWindow
from resources.catalog_files import load_catalog
from resources.example_files import load_examples


def application() -> QApplication:
    """The one application object, with its names and icon."""
    app = QApplication.instance()
    if not isinstance(app, QApplication):
        app = QApplication(sys.argv[:1])
    app.setApplicationName("Headroom")
    app.setApplicationDisplayName("Headroom")
    app.setApplicationVersion(__version__)
    app.setDesktopFileName("headroom")
    app.setWindowIcon(app_icon())
    return app


def main_window(
    paths: Sequence[Path] = (), *, demo: bool = False, settings: Settings | None = None
) -> MainWindow:
    """The window with the first of `paths`, an example, or an empty project in it."""
    settings = settings or Settings()
    project = example_project(load_examples()[0]) if demo else empty_project()
    window = MainWindow(Session(project, load_catalog(), shipped_calibration()), settings)
    if paths:
        window.files.open_path(paths[0])
    return window


def run(paths: Sequence[Path], *, demo: bool = False) -> int:
    """Shows the window and returns when it is closed."""
    app = application()
    settings = Settings()
    apply_theme(app, theme_named(settings.appearance))
    window = main_window(paths, demo=demo, settings=settings)
    install_hook(window)
    window.show()
    return app.exec()


def open_window(path: str | None) -> int:
    """Shows the window with the file in it that the command line names."""
    return run([Path(path)] if path else [])
