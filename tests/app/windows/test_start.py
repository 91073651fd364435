"""The start of the window: the frame first, then what fills it, and nothing moves."""

from __future__ import annotations

import gc
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QRect, Qt
from pytestqt.qtbot import QtBot

from app.look import LOOK
from app.settings import Settings
from app.theme import DARK
from app.windows.dialogs import Dialogs
from app.windows.main import opened_window
from app.windows.window import MainWindow
from resources.example_files import load_examples
from tests.app.windows.whole import begin
from tests.sweeps import often

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")
PLACES = ("verdict", "catalog", "scenarios", "board", "charts", "inspector", "findings")


def places(window: MainWindow) -> dict[str, QRect]:
    return {name: window.place(name).geometry() for name in PLACES}


def test_the_frame_needs_neither_model_nor_files() -> None:
    model = "'numpy', 'models.scenario.scenario', 'msgspec'"
    heavy = f"{{{model}, 'db', 'resources.catalog_files', 'pyqtgraph'}}"
    script = f"import sys, app.windows.main; sys.exit(str({heavy} & set(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    assert done.stderr.strip() == "set()"


def test_what_stands_behind_tabs_and_dialogs_is_imported_when_it_is_opened() -> None:
    script = (
        "import sys; from app.paint_once import paint_once; paint_once('full', sys.stderr);"
        "print(*(name for name in sys.modules if name.startswith(("
        "'app.report', 'app.windows.export', 'models.proposal', 'models.fitting',"
        "'models.uncertainty.chance',"
        "'models.advise', 'models.tell.blocks', 'db.importers', 'docx', 'xlsxwriter', 'typst',"
        "'python_calamine', 'pyqtgraph'))))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    assert "painted" in done.stderr
    assert done.stdout.split() == []


@pytest.mark.parametrize("appearance", often(["Light", DARK.name], [DARK.name]))
def test_parts_fill_their_places_and_nothing_moves(
    qtbot: QtBot, tmp_path: Path, appearance: str
) -> None:
    settings = Settings(tmp_path / "settings.ini")
    settings.appearance = appearance
    window = opened_window(demo=True, settings=settings)
    window.setWindowState(Qt.WindowState.WindowNoState)
    window.resize(1366, 768)
    gc.disable()
    with qtbot.waitSignals([window.furnished, window.completed]):
        begin(qtbot, window)
        before = places(window)
        assert not hasattr(window, "session")
    assert places(window) == before
    assert window.session.scenario.hosts
    assert LOOK.theme.name == appearance
    assert gc.isenabled()


def test_the_file_of_the_command_line_is_opened(qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "estate.json"
    path.write_text(load_examples()[0].files[0].text, encoding="utf-8")
    window = opened_window([path], settings=Settings(tmp_path / "settings.ini"))
    assert window.windowTitle().startswith("estate.json")
    window.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
    with qtbot.waitSignal(window.completed):
        begin(qtbot, window)
    assert window.session.scenario.hosts
    focused = window.focusWidget()
    assert focused is window.board, "though the window may not be active yet"


def test_a_bad_file_is_said_and_the_window_stays(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    monkeypatch.setattr(Dialogs, "show_problem", lambda _self, sentence: said.append(sentence))
    path = tmp_path / "estate.json"
    path.write_text("{", encoding="utf-8")
    window = opened_window([path], settings=Settings(tmp_path / "settings.ini"))
    with qtbot.waitSignal(window.completed):
        begin(qtbot, window)
    assert len(said) == 1
    assert "estate.json" in said[0]
    assert window.windowTitle().startswith("Untitled")
    assert not window.session.scenario.items()


def test_it_can_be_closed_before_anything_is_in_it(qtbot: QtBot, tmp_path: Path) -> None:
    gc.disable()
    window = opened_window(settings=Settings(tmp_path / "settings.ini"))
    begin(qtbot, window)
    assert window.close()
    qtbot.waitUntil(gc.isenabled)
    assert not hasattr(window, "session")
