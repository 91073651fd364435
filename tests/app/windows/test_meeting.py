"""The screen for a meeting: large, private, held and blanked at will, there and gone at once."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QPoint, QSize, Qt
from PySide6.QtGui import QPainter, QScreen
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.outlook import OutlookRun
from app.selection import Selection
from app.settings import Settings
from app.synthetic import synthetic_scenario
from app.windows.meeting.board import MeetingBoard
from app.windows.meeting.commands import other_screen
from app.windows.meeting.window import PREVIEW_MS, MeetingWindow
from app.windows.window import MainWindow
from app.work import InlineWorker
from models.project import Project
from models.scenario import Scenario
from resources.example_files import load_examples
from tests.app import samples
from tests.app.gestures import at, drag_to, press, release
from tests.app.pictures import picture_of
from tests.app.widgets.board.conftest import session_of
from tests.app.widgets.conftest import two_hosts
from tests.app.windows.test_window import (
    Answers,
    forget_changes,
    made,
    settle,
    trigger,
    wait_for_charts,
)

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")
POINTS_18 = 24  # pixels at 96 dots an inch
HD = QSize(1920, 1080)


def opened(qtbot: QtBot, tmp_path: Path, scenario: Scenario) -> MainWindow:
    settings = Settings(tmp_path / "settings.ini")
    window = made(Project.of(scenario), settings, Answers())
    qtbot.addWidget(window, before_close_func=forget_changes)
    with qtbot.waitExposed(window):
        window.show()
    wait_for_charts(qtbot, window)
    return window


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> MainWindow:
    return opened(qtbot, tmp_path, samples.scenario())


def meeting(window: MainWindow, size: QSize = HD) -> MeetingWindow:
    """The window for the meeting, in this size."""
    trigger(window, "meeting.toggle")
    shown = window.meeting.opened
    assert shown is not None
    shown.setWindowState(Qt.WindowState.WindowNoState)
    shown.resize(size)
    QApplication.processEvents()
    return shown


def as_svg(widget: QWidget) -> str:
    """What a widget paints, as text and shapes."""
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    generator = QSvgGenerator()
    generator.setOutputDevice(buffer)
    generator.setSize(widget.size())
    painter = QPainter(generator)
    widget.render(painter, QPoint(0, 0))
    painter.end()
    return bytes(data.data()).decode()


def type_sizes(svg: str) -> list[float]:
    """Sizes of all type in a drawing, in its own units."""
    found = []
    for tag in re.findall(r"<text [^>]*>", svg.replace("\n", " ")):
        size = re.search(r'font-size="([\d.]+)"', tag)
        assert size is not None
        found.append(float(size[1]))
    return found


def texts(svg: str) -> str:
    return " ".join(re.findall(r">([^<]+)</text>", svg))


class TestType:
    @pytest.mark.parametrize("id", [example.id for example in load_examples()])
    def test_all_of_it_is_at_least_18_points(self, window: MainWindow, id: str) -> None:
        window.files.open_example(id)
        window.session.flush()
        sizes = type_sizes(as_svg(meeting(window)))
        assert len(sizes) > 20
        assert min(sizes) >= POINTS_18

    def test_on_a_crowded_board_too(self, qtbot: QtBot, tmp_path: Path) -> None:
        window = opened(qtbot, tmp_path, synthetic_scenario(20, 200))
        assert min(type_sizes(as_svg(meeting(window)))) >= POINTS_18

    def test_it_grows_with_the_screen(self, window: MainWindow) -> None:
        assert min(type_sizes(as_svg(meeting(window, QSize(3840, 2160))))) >= 2 * POINTS_18

    def test_three_hosts_stand_side_by_side(self, window: MainWindow) -> None:
        layout = meeting(window).board.layout_shown
        assert layout is not None
        assert len({box.y for box in layout.hosts.values()}) == 1


class TestPrivacy:
    def test_no_file_name_notes_or_other_scenarios(
        self, qtbot: QtBot, window: MainWindow, tmp_path: Path
    ) -> None:
        secret = replace(window.session.scenario, notes="Secret-note", customer="Secret-customer")
        project = Project.of(secret).added(replace(secret, name="Secret-other")).show("s1")
        window.session.edit_project(project, "Secret-step")
        window.files.save_to(tmp_path / "Secret-file.headroom")
        settle(qtbot, window)
        shown = meeting(window)
        said = texts(as_svg(shown))
        assert "esx1" in said
        assert "Secret" not in said
        assert "Secret" not in shown.windowTitle()
        assert shown.statusTip() == shown.toolTip() == ""


class TestFollowing:
    def test_edits_and_previews_are_seen(self, qtbot: QtBot, window: MainWindow) -> None:
        shown = meeting(window)
        before = shown.verdict.sentence
        press(window.board, "m1")
        drag_to(window.board, at(window.board, "h2"))
        qtbot.waitUntil(lambda: shown.verdict.word.startswith("Preview: "))
        release(window.board, at(window.board, "h2"))
        qtbot.waitUntil(lambda: not shown.verdict.word.startswith("Preview: "))
        window.session.change(lambda s: s.without(["h1", "h2"]), "Remove hosts")
        qtbot.waitUntil(lambda: shown.verdict.sentence != before)

    def test_what_is_selected_comes_into_view(self, qtbot: QtBot, tmp_path: Path) -> None:
        window = opened(qtbot, tmp_path, synthetic_scenario(8, 40))
        shown = meeting(window)
        last = window.session.scenario.hosts[-1].id
        window.selection.select(last)
        board = shown.board

        def is_seen() -> bool:
            assert board.layout_shown is not None
            box = board.layout_shown.hosts[last]
            top = board.verticalScrollBar().value()
            return top <= box.y < top + board.viewport().height()

        qtbot.waitUntil(is_seen)

    def test_a_large_estate_is_folded_rather_than_endless(
        self, qtbot: QtBot, tmp_path: Path
    ) -> None:
        window = opened(qtbot, tmp_path, synthetic_scenario(100, 1000))
        board = meeting(window).board
        assert board.layout_shown is not None
        assert board.layout_shown.height <= 6 * board.viewport().height()
        assert set(board.layout_shown.clusters) - {""} <= board.layout_shown.folded

    def test_an_empty_project_is_no_fault(self, qtbot: QtBot, tmp_path: Path) -> None:
        window = opened(qtbot, tmp_path, Scenario(name="Empty"))
        shown = meeting(window)
        assert shown.verdict.word == "Nothing to judge"
        shown.grab()


class TestFreezing:
    def test_the_picture_is_held_while_the_project_changes(
        self, qtbot: QtBot, window: MainWindow
    ) -> None:
        shown = meeting(window)
        window.board.setFocus()
        before = picture_of(shown)
        trigger(window, "meeting.freeze")
        window.session.change(lambda s: s.without(["h1"]), "Remove a host")
        window.selection.select("m2")
        settle(qtbot, window)
        assert (picture_of(shown) == before).all()
        assert "frozen" in window.meeting._says.text()
        trigger(window, "meeting.freeze")
        assert not (picture_of(shown) == before).all()

    def test_what_was_about_to_be_shown_is_not(self, qtbot: QtBot, window: MainWindow) -> None:
        shown = meeting(window)
        before = picture_of(shown)
        window.session.change(lambda s: s.without(["h1"]), "Remove a host")
        window.session.flush()
        shown.freeze(True)
        QApplication.processEvents()
        qtbot.wait(2 * PREVIEW_MS)
        assert (picture_of(shown) == before).all()

    def test_its_own_key_freezes_it(self, window: MainWindow) -> None:
        shown = meeting(window)
        QTest.keyClick(shown.board, Qt.Key.Key_F)
        assert shown.is_frozen
        assert window.actions_by_id["meeting.freeze"].isChecked()

    def test_blank_shows_nothing(self, window: MainWindow) -> None:
        shown = meeting(window)
        QTest.keyClick(shown.board, Qt.Key.Key_B)
        picture = picture_of(shown)
        assert (picture == picture[0, 0]).all()
        assert "blank" in window.meeting._says.text()
        trigger(window, "meeting.blank")
        assert not shown.is_blank

    def test_they_can_not_be_used_without_it(self, window: MainWindow) -> None:
        for id in ("meeting.freeze", "meeting.blank"):
            assert not window.actions_by_id[id].isEnabled()
        meeting(window)
        for id in ("meeting.freeze", "meeting.blank"):
            assert window.actions_by_id[id].isEnabled()


class TestComingAndGoing:
    def test_at_once(self, window: MainWindow) -> None:
        trigger(window, "meeting.toggle")
        shown = window.meeting.opened
        assert shown is not None
        assert shown.isVisible()
        assert not shown.grab().isNull()
        QTest.keyClick(shown.board, Qt.Key.Key_Escape)
        assert window.meeting.opened is None
        assert not window.actions_by_id["meeting.toggle"].isChecked()

    def test_it_goes_with_the_main_window(self, window: MainWindow) -> None:
        shown = meeting(window)
        window.close()
        assert not shown.isVisible()

    def test_the_other_screen_is_taken_if_there_is_one(self, window: MainWindow) -> None:
        own = window.screen()

        class Projector(QScreen):
            def __init__(self) -> None: ...

        projector = Projector.__new__(Projector)
        assert other_screen(own, [own]) is own
        assert other_screen(own, [own, projector]) is projector

    def test_it_opens_again(self, window: MainWindow) -> None:
        first = meeting(window)
        first.close()
        second = meeting(window)
        assert second is not first
        assert isinstance(second.board, MeetingBoard)


TWO_SCREENS = """
import sys
from pathlib import Path
from app.outlook import OutlookRun
from app.selection import Selection
from app.settings import Settings
from app.windows.main import application, main_window

app = application()
window = main_window(demo=True, settings=Settings(Path(sys.argv[1])))
window.show()
window.meeting.toggle()
place = window.meeting.opened.geometry()
sys.stdout.write(f"{window.screen().name()} {place.x()} {place.width()} {place.height()}")
sys.stdout.flush()
import os
os._exit(0)
"""


def test_it_fills_the_second_screen(tmp_path: Path) -> None:
    laptop = {"name": "laptop", "x": 0, "y": 0, "width": 1366, "height": 768}
    projector = {"name": "projector", "x": 1366, "y": 0, "width": 1920, "height": 1080}
    both = [{**each, "logicalDpi": 96, "logicalBaseDpi": 96} for each in (laptop, projector)]
    file = tmp_path / "screens.json"
    file.write_text(json.dumps({"screens": both}))
    done = subprocess.run(
        [sys.executable, "-c", TWO_SCREENS, str(tmp_path / "settings.ini")],
        env={**os.environ, "QT_QPA_PLATFORM": f"offscreen:configfile={file}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == "laptop 1366 1920 1080", done.stderr


@pytest.mark.xvfb
def test_in_a_real_window_at_once(qtbot: QtBot, tmp_path: Path) -> None:
    window = opened(qtbot, tmp_path, synthetic_scenario(20, 200))
    trigger(window, "meeting.toggle")
    shown = window.meeting.opened
    assert shown is not None
    with qtbot.waitExposed(shown):
        pass
    qtbot.waitUntil(lambda: shown.size() == window.screen().size())
    trigger(window, "meeting.toggle")
    assert window.meeting.opened is None


def test_a_worse_failure_than_a_hosts_is_named_on_the_screen(qtbot: QtBot) -> None:
    """All hosts in one rack: nothing survives that, whatever one of them means."""
    scenario = two_hosts()
    hosts = tuple(replace(host, failure_group="Rack-1") for host in scenario.hosts)
    session = session_of(replace(scenario, hosts=hosts))
    outlook = OutlookRun(session, InlineWorker(session), session)
    shown = MeetingWindow(session, Selection(session), outlook=outlook)
    qtbot.addWidget(shown)
    assert "Rack-1" not in shown.verdict.accessibleName()
    outlook.begin()
    qtbot.waitUntil(lambda: "Group Rack-1 fails" in shown.verdict.accessibleName(), timeout=15_000)
