"""What holds for every test of a whole window."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from app import outlook
from app.calibrated import shipped_calibration
from app.settings import Settings
from app.windows.window import MainWindow
from models.calibration import Calibration
from models.catalog import Catalog
from models.options import totals as options
from models.options.option import Option
from models.options.totals import Totals
from models.project import Project
from resources.catalog_files import load_catalog
from tests.app import samples
from tests.app.windows.whole import NEVER_MS, Answers, forget_changes, made, wait_for_charts


@pytest.fixture(autouse=True)
def no_outlook(monkeypatch: pytest.MonkeyPatch) -> None:
    """How far the verdict holds is not worked out by itself.

    An InlineWorker would stop the window for it in the midst of a test, once the window rests;
    and it takes longer than most of these tests. `test_outlook.py` has it to itself.
    """
    monkeypatch.setattr(outlook, "REST_MS", NEVER_MS)


@cache
def first_design(totals: Totals) -> Option:
    """The search's answer to these totals, once for all windows that ask."""
    return options.first_design(totals, load_catalog(), shipped_calibration())


@pytest.fixture(autouse=True)
def designs(monkeypatch: pytest.MonkeyPatch) -> None:
    """The start page's question is searched for once, of the shipped catalog: all pages ask it.

    `tests/models/test_totals.py` has the search to itself.
    """

    def kept(
        totals: Totals,
        catalog: Catalog,
        calibration: Calibration,
        *,
        check: Callable[[], None],
    ) -> Option:
        shipped = load_catalog()
        if any(getattr(catalog, kind) != getattr(shipped, kind) for kind in catalog.__slots__):
            return options.first_design(totals, catalog, calibration, check=check)
        return first_design(totals)

    monkeypatch.setattr("app.windows.start.totals.first_design", kept)


@pytest.fixture
def answers() -> Answers:
    return Answers()


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(tmp_path / "settings.ini")


@pytest.fixture
def window(qtbot: QtBot, settings: Settings, answers: Answers) -> Iterator[MainWindow]:
    window = made(Project.of(samples.scenario()), settings, answers)
    qtbot.addWidget(window, before_close_func=forget_changes)
    window.resize(1366, 768)
    with qtbot.waitExposed(window):
        window.show()
    wait_for_charts(qtbot, window)
    yield window
    QGuiApplication.clipboard().clear()
