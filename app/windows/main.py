"""Starts the window: `run` is what the command line calls.

The frame of the window is painted before anything but Qt is imported; model, catalog and panels
follow in steps. All imports of this module but Qt's are therefore where they are needed.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QApplication

from app import __version__
from app.language import tr
from app.settings import Settings
from app.speech import install
from app.stylesheet import apply_theme, theme_named
from app.windows.documents import Application, Documents
from app.windows.steps import Steps
from app.windows.window import MainWindow

if TYPE_CHECKING:
    from app.session import Session

# What `MainWindow.furnish` needs, in portions of some 10 ms.
PORTIONS = (
    "numpy",
    "models.physics.arrays",
    "models.physics.demand",
    "models.failure.degraded",
    "models.evaluate",
    "app.session",
    "app.icons",
    "app.calibrated",
    "resources.catalog_files",
    "app.widgets.board.view",
    "app.widgets.catalog_panel",
    "app.widgets.verdict",
    "app.windows.files",
    "app.windows.editing",
)

# What pages need that nobody has looked at yet, in portions of some 20 ms.
AHEAD = (
    "models.tell.subject",
    "models.options.refresh",
    "app.windows.recommend_page",
    "app.windows.compare_page",
    "app.windows.arrange_page",
    "models.intake.mapping",
    "app.windows.import_page",
    "models.proposal",
    "models.advise.availability",
    "models.advise.topics",
    "app.windows.export",
    "app.windows.site_page",
    "app.windows.evidence_page",
    "app.windows.advisors_page",
)


def application() -> QApplication:
    """The one application object, with its names."""
    app = QApplication.instance()
    if not isinstance(app, QApplication):
        app = Application(sys.argv[:1])
    app.setApplicationName("Headroom")
    app.setApplicationDisplayName("Headroom")
    app.setApplicationVersion(__version__)
    app.setDesktopFileName("headroom")
    install(app)
    return app


def main_window(*, demo: bool = False, settings: Settings | None = None) -> MainWindow:
    """The window with an example or an empty project in it, at once and not in steps."""
    window = MainWindow(settings or Settings())
    window.furnish(first_session(demo=demo))
    return window


def first_session(*, demo: bool = False) -> Session:
    """A session on the first worked example, or on nothing."""
    from app.calibrated import shipped_knowledge
    from app.session import Session
    from app.windows.files import empty_project, example_project
    from resources.example_files import load_examples

    project = example_project(load_examples()[0]) if demo else empty_project()
    return Session(project, shipped_knowledge())


def opened_window(
    paths: Sequence[Path] = (), *, demo: bool = False, settings: Settings | None = None
) -> MainWindow:
    """The window that fills itself once it has been painted."""
    settings = settings or Settings()
    apply_theme(application(), theme_named(settings.appearance))
    window = MainWindow(settings)
    if paths:
        window.show_name(paths[0].name)
    window.say_opening(
        paths[0].name if paths else tr("an example") if demo else tr("the start page")
    )
    steps = Steps(_opening(window, paths, demo=demo), window)
    window.painted.connect(steps.start)
    window.completed.connect(Steps(_ahead(), window).start)
    return window


def _opening(window: MainWindow, paths: Sequence[Path], *, demo: bool) -> Iterator[None]:
    """What stands between the empty frame and the project in it."""
    try:
        reading = ("db.codec",) if demo or paths else ()
        for name in (*PORTIONS, *reading):
            import_module(name)
            yield
        session = first_session(demo=demo)
        yield
        if not window.isVisible():
            return  # it was closed in the meantime
        window.furnish(session, at_start=not demo and not paths)
        if paths:
            window.own.read_library()  # the file may name its entries
            window.files.open_path(paths[0])
    finally:
        # `app.__main__` switched the collector off. What is alive now stays alive: frozen, it
        # is not looked through again and again.
        gc.freeze()
        gc.enable()


def _ahead() -> Iterator[None]:
    """Imports what the pages are made of while the window, complete by now, waits for somebody."""
    for name in AHEAD:
        import_module(name)
        yield


def run(paths: Sequence[Path], *, demo: bool = False) -> int:
    """Shows the window and returns when it is closed."""
    from app.windows.crash import install_hook

    app = application()
    window = opened_window(paths, demo=demo)
    install_hook(window)
    if isinstance(app, Application):
        Documents(app, window)
    window.show()
    return app.exec()
