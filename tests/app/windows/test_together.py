"""The parts of the window together: what one shows or does, the others follow."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from app.settings import Settings
from app.widgets.failures import FailureTable
from app.widgets.fields.number import NumberField
from app.widgets.inspector.rows import FieldRow
from app.widgets.plots.hosts import LoadBars
from app.windows.help import AboutDialog
from app.windows.palette import CommandPalette
from app.windows.window import MainWindow
from app.work import InlineWorker
from resources.example_files import load_examples
from tests.app.gestures import LEFT, PLAIN, at, at_rest, drag_to, press, release
from tests.app.sessions import session_of, two_hosts
from tests.app.windows.whole import (
    WITH_CHARTS,
    Answers,
    forget_changes,
    settle,
    trigger,
    wait_for_charts,
)
from tests.sweeps import some

# Qt's offscreen platform says so when a window with a least size or a popup is shown.
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", "outside target window")
CTRL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path, answers: Answers) -> MainWindow:
    settings = Settings(tmp_path / "settings.ini")
    window = MainWindow(settings, worker=InlineWorker(), dialogs=answers)
    window.setWindowState(Qt.WindowState.WindowNoState)
    session = session_of(two_hosts())
    session.setParent(window)
    window.furnish(session)
    window.worker.setParent(window)
    qtbot.addWidget(window, before_close_func=forget_changes)
    window.resize(*WITH_CHARTS)
    with qtbot.waitExposed(window):
        window.show()
    wait_for_charts(qtbot, window)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    return window


def row(window: MainWindow, name: str) -> FieldRow:
    assert window.inspector.page is not None
    return window.inspector.page.row(name)


def number_field(qtbot: QtBot, window: MainWindow, name: str) -> NumberField:
    """A field of the inspector, with the focus in it."""
    editor = row(window, name).editor
    assert isinstance(editor, NumberField)
    editor.setFocus()
    qtbot.waitUntil(editor.hasFocus)
    return editor


def users(window: MainWindow, vm: str) -> float:
    return window.session.scenario.vm(vm).workload.active_users


def type_users(qtbot: QtBot, window: MainWindow, text: str) -> NumberField:
    window.selection.select("m1")
    editor = number_field(qtbot, window, "workload.active_users")
    editor.selectAll()
    QTest.keyClicks(editor, text)
    QTest.keyClick(editor, Qt.Key.Key_Return)
    return editor


class TestHistory:
    def test_undo_in_a_committed_field_takes_the_act_back(
        self, qtbot: QtBot, window: MainWindow
    ) -> None:
        editor = type_users(qtbot, window, "5600")
        assert users(window, "m1") == 5600
        settle(qtbot, window)
        QTest.keyClick(editor, Qt.Key.Key_Z, CTRL)
        assert users(window, "m1") == 2000
        settle(qtbot, window)
        assert editor.text() == "2,000"
        QTest.keyClick(editor, Qt.Key.Key_Y, CTRL)
        settle(qtbot, window)
        assert (users(window, "m1"), editor.text()) == (5600, "5,600")
        QTest.keyClick(editor, Qt.Key.Key_Z, CTRL)
        settle(qtbot, window)
        window.board.setFocus()
        assert (users(window, "m1"), window.session.stack.index()) == (2000, 0)

    def test_undo_at_once_after_the_commit(self, qtbot: QtBot, window: MainWindow) -> None:
        editor = type_users(qtbot, window, "5600")
        QTest.keyClick(editor, Qt.Key.Key_Z, CTRL)
        window.board.setFocus()
        settle(qtbot, window)
        assert (users(window, "m1"), editor.text()) == (2000, "2,000")

    def test_undo_while_typing_is_the_fields(self, qtbot: QtBot, window: MainWindow) -> None:
        editor = type_users(qtbot, window, "5600")
        settle(qtbot, window)
        QTest.keyClicks(editor, "1")
        QTest.keyClick(editor, Qt.Key.Key_Z, CTRL)
        assert (editor.text(), users(window, "m1")) == ("5,600", 5600)
        QTest.keyClick(editor, Qt.Key.Key_Z, CTRL)
        assert users(window, "m1") == 2000

    def test_with_nothing_to_undo_the_field_stays(self, qtbot: QtBot, window: MainWindow) -> None:
        editor = type_users(qtbot, window, "5600")
        settle(qtbot, window)
        for _ in range(3):
            QTest.keyClick(editor, Qt.Key.Key_Z, CTRL)
            settle(qtbot, window)
        window.board.setFocus()
        assert (editor.text(), window.session.stack.index()) == ("2,000", 0)


class TestSelection:
    @pytest.mark.parametrize(("id", "name"), some([("m2", "Mail-02"), ("m3", "Mail-03")]))
    def test_the_chart_speaks_of_the_selected_vm(
        self, qtbot: QtBot, window: MainWindow, id: str, name: str
    ) -> None:
        QTest.mouseClick(window.board.viewport(), LEFT, PLAIN, at(window.board, id))
        reading = window.charts.curve.reading
        qtbot.waitUntil(lambda: reading.text().startswith(name))

    def test_a_bar_selects_its_host(self, qtbot: QtBot, window: MainWindow) -> None:
        window.charts.setCurrentWidget(window.charts.load)
        qtbot.waitUntil(lambda: window.charts.load.has_chart)
        bars = window.charts.load.chart
        assert isinstance(bars, LoadBars)
        qtbot.waitUntil(lambda: bars.box.viewRect().width() < 4)
        canvas = bars.canvas
        qtbot.waitUntil(lambda: canvas.viewport().height() > 60)
        at_rest(qtbot, window)
        spot = canvas.mapFromScene(bars.box.mapViewToScene(QPointF(1.0, 5.0)))
        QTest.mouseMove(canvas.viewport(), spot)
        QTest.mouseClick(canvas.viewport(), LEFT, PLAIN, spot)
        assert window.selection.ids == ("h2",)
        assert window.board.state.current == "h2"

    def test_a_failure_selects_the_host_that_fails(self, window: MainWindow) -> None:
        window.charts.setCurrentWidget(window.charts.failures)
        table = window.charts.failures
        assert isinstance(table, FailureTable)
        rows = range(table.sorted.rowCount())
        labels = [table.sorted.index(row, 0).data() for row in rows]
        index = table.sorted.index(next(i for i, s in enumerate(labels) if "esx2" in s), 0)
        QTest.mouseClick(table.view.viewport(), LEFT, PLAIN, table.view.visualRect(index).center())
        assert window.board.state.current == "h2"

    def test_a_dial_selects_what_it_is_the_worst_of(self, window: MainWindow) -> None:
        dial = window.verdict.dials[3]
        QTest.mouseClick(dial, LEFT)
        assert dial.text.subject
        assert window.board.state.current == dial.text.subject


def wheel(window: MainWindow, widget: QWidget, notches: int) -> None:
    """Turns the wheel over a widget, as it comes from the system."""
    at = QPointF(widget.mapTo(window, widget.rect().center()))
    QTest.wheelEvent(window.windowHandle(), at, QPoint(0, 120 * notches))


class TestInspector:
    def test_the_wheel_scrolls_over_fields(self, qtbot: QtBot, window: MainWindow) -> None:
        window.selection.select("m1")
        editor = number_field(qtbot, window, "workload.active_users")
        area = window.inspector.findChild(QScrollArea)
        assert area is not None
        bar = area.verticalScrollBar()
        slider = row(window, "workload.active_users").slider
        assert slider is not None
        for widget in (editor, slider):
            at_rest(qtbot, window)
            assert bar.maximum() > 50
            area.ensureWidgetVisible(widget)
            bar.setValue(min(bar.value() + 1, bar.maximum() - 1))
            before = bar.value()
            wheel(window, widget, -1)
            assert bar.value() > before, widget
        assert window.session.stack.count() == 0

    def test_other_items_begin_at_the_top(self, qtbot: QtBot, window: MainWindow) -> None:
        window.selection.select("m1")
        area = window.inspector.findChild(QScrollArea)
        assert area is not None
        bar = area.verticalScrollBar()
        at_rest(qtbot, window)
        assert bar.maximum() > 50
        bar.setValue(bar.maximum())
        QTest.mouseClick(window.board.viewport(), LEFT, PLAIN, at(window.board, "m2"))
        assert bar.value() == 0

    def test_on_a_low_screen_findings_stand_behind_a_tab(
        self, qtbot: QtBot, window: MainWindow
    ) -> None:
        window.resize(1366, 768)
        qtbot.waitUntil(lambda: window.right.is_tabbed)
        findings, inspector = window.place("findings"), window.place("inspector")
        assert (inspector.isVisible(), findings.isVisible()) == (True, False)
        tabs = window.right.tabs
        QTest.mouseClick(tabs, LEFT, PLAIN, tabs.tabRect(1).center())
        assert (inspector.isVisible(), findings.isVisible()) == (False, True)
        window.board.setFocus()
        window.selection.select("m1")
        QTest.keyClick(window.board, Qt.Key.Key_Return)
        assert inspector.isVisible()
        assert window.inspector.head.name.hasFocus()


def test_on_a_high_screen_findings_stand_below(qtbot: QtBot, window: MainWindow) -> None:
    window.resize(1400, 1060)
    qtbot.waitUntil(lambda: not window.right.is_tabbed)
    assert window.place("findings").isVisible()
    assert window.place("inspector").isVisible()


class TestCatalog:
    def test_escape_ends_a_search(self, window: MainWindow) -> None:
        catalog = window.catalog
        catalog.search.setFocus()
        QTest.keyClicks(catalog.search, "x5570")
        assert checked(window) == []
        assert "all sections" in catalog.hint.text()
        QTest.keyClick(catalog.search, Qt.Key.Key_Escape)
        assert catalog.search.text() == ""
        assert checked(window) == ["Servers"]

    def test_a_section_ends_a_search(self, window: MainWindow) -> None:
        QTest.keyClicks(window.catalog.search, "x5570")
        button = next(b for b in window.catalog.sections if b.text() == "Arrays")
        QTest.mouseClick(button, LEFT)
        assert (window.catalog.search.text(), checked(window)) == ("", ["Arrays"])

    def test_another_project_begins_without_a_search(self, window: MainWindow) -> None:
        for begin in (
            window.files.new,
            lambda: window.files.open_example(load_examples()[0].id),
        ):
            QTest.keyClicks(window.catalog.search, "x5570")
            begin()
            assert window.catalog.search.text() == ""


def checked(window: MainWindow) -> list[str]:
    return [button.text() for button in window.catalog.sections if button.isChecked()]


class TestBeginning:
    def test_the_focus_is_on_the_board(self, window: MainWindow) -> None:
        assert window.board.hasFocus()
        window.files.new()
        focused = window.focusWidget()
        assert focused is not None
        assert window.empty.isAncestorOf(focused)

    def test_stale_words_go_with_the_project(self, window: MainWindow) -> None:
        window.session.message.emit("Not moved: no such host.")
        assert window.statusBar().currentMessage()
        window.files.new()
        assert window.statusBar().currentMessage() == ""

    def test_an_example_lends_its_title(self, window: MainWindow, answers: Answers) -> None:
        example = load_examples()[0]
        window.files.open_example(example.id)
        assert example.title in window.windowTitle()
        assert window.session.path is None
        window.files.new()
        assert "Untitled" in window.windowTitle()


class TestPools:
    def test_a_card_dropped_on_a_pool_moves_its_data(
        self, qtbot: QtBot, window: MainWindow
    ) -> None:
        session = window.session
        second = replace(session.scenario.pools[0], id="p2", name="New array")
        session.edit(session.scenario.with_item(second), "Add a pool")
        settle(qtbot, window)
        board = window.board
        board.reveal("p2")
        board.verticalScrollBar().setValue(round(board.board_layout.pools["p2"].y) - 200)
        window.board.set_zoom(0.5)
        press(board, "m2")
        drag_to(board, at(board, "p2"))
        settle(qtbot, window)
        assert session.view.is_preview
        assert session.view.scenario.vm("m2").pool == "p2"
        carry = board.state.carry
        assert carry is not None
        assert carry.words == "Put Mail-02's data on New array"
        release(board, at(board, "p2"))
        vm = session.scenario.vm("m2")
        assert (vm.pool, vm.host) == ("p2", "h2")
        assert session.stack.undoText() == "Put Mail-02's data on New array"
        trigger(window, "stack.undo")
        assert session.scenario.vm("m2").pool == "p1"


class TestScenarios:
    def test_what_comes_and_goes_is_said(self, window: MainWindow) -> None:
        def said() -> str:
            return window.statusBar().currentMessage()

        trigger(window, "scenarios.duplicate")
        name = window.session.scenario.name
        assert said() == f"Added scenario “{name}”."
        trigger(window, "scenarios.delete")
        assert said() == f"Removed scenario “{name}”."
        trigger(window, "stack.undo")
        assert said() == f"Restored scenario “{name}”."

    def test_the_palette_says_what_an_act_is_about(self, window: MainWindow) -> None:
        trigger(window, "view.palette")
        palette = window.findChild(CommandPalette)
        assert palette is not None
        QTest.keyClicks(palette.field, "duplicate scenario")
        QTest.keyClick(palette.field, Qt.Key.Key_Return)
        assert len(window.session.project.entries) == 2


class TestDialogs:
    def test_buttons_carry_no_pictures(self, window: MainWindow) -> None:
        trigger(window, "view.about")
        about = window.findChild(AboutDialog)
        assert about is not None
        buttons = about.findChildren(QPushButton)
        assert buttons
        assert all(button.icon().isNull() for button in buttons)
        about.close()

    def test_saving_proposes_the_name_of_the_example(
        self, window: MainWindow, answers: Answers, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        proposed: list[Path] = []

        def save_file(_title: str, path: Path, _filter: str, _ending: str) -> None:
            proposed.append(path)

        monkeypatch.setattr(answers, "save_file", save_file)
        window.files.open_example("wv21-migration")
        trigger(window, "files.save")
        window.files.new()
        trigger(window, "files.save")
        assert [path.name for path in proposed] == [
            "WV21 migration 7000 mail users on their way to ESX.headroom",
            "Domino sizing.headroom",
        ]


class TestScenariosSideBySide:
    def test_f4_flips_between_two_in_place(self, qtbot: QtBot, window: MainWindow) -> None:
        trigger(window, "scenarios.duplicate")
        window.session.change(lambda scenario: scenario.place(["m1"], "h2"), "Move")
        settle(qtbot, window)
        steps, at_first = window.session.stack.count(), window.board.camera.zoom
        for active in ("s1", "s2", "s1"):
            QTest.keyClick(window, Qt.Key.Key_F4)
            settle(qtbot, window)
            assert window.session.project.active == active
            host = "h1" if active == "s1" else "h2"
            assert window.session.view.scenario.vm("m1").host == host
        assert (window.session.stack.count(), window.board.camera.zoom) == (steps, at_first)

    def test_one_alone_cannot_flip(self, window: MainWindow) -> None:
        assert not window.actions_by_id["scenarios.flip"].isEnabled()
        window.scenario_commands.flip()
        assert "There is one scenario" in window.statusBar().currentMessage()

    def test_the_comparison_opens_with_what_is_worth_comparing(
        self, qtbot: QtBot, window: MainWindow
    ) -> None:
        trigger(window, "scenarios.duplicate")
        window.session.change(lambda scenario: scenario.place(["m1"], "h2"), "Move")
        settle(qtbot, window)
        QTest.keyClick(window, Qt.Key.Key_C, CTRL | Qt.KeyboardModifier.ShiftModifier)
        opened = window.compare.opened
        assert opened is not None
        assert opened.panel.chosen == ("s1", "s2")
        assert "Mail-01: host\t" in opened.panel.view.text
        opened.panel.shown_requested.emit("s1")
        settle(qtbot, window)
        assert window.session.project.active == "s1"
        QTest.keyClick(opened, Qt.Key.Key_Escape)
        assert window.stack.name == "board"
        QTest.keyClick(window, Qt.Key.Key_4, CTRL)
        assert opened.isVisible()


class TestWhy:
    def test_a_click_on_a_dial_opens_the_drawer(self, qtbot: QtBot, window: MainWindow) -> None:
        QTest.mouseClick(window.verdict.dials[1], LEFT)
        drawer = window.why.drawer
        assert drawer is not None
        assert drawer.isVisible()
        assert drawer.asked is not None
        assert drawer.derivation is not None
        subject = window.verdict.dials[1].text.subject
        assert drawer.asked.subject == drawer.derivation.asked.subject == subject
        assert drawer.geometry().top() >= window.verdict.geometry().bottom()
        QTest.keyClick(drawer.tree, Qt.Key.Key_Escape)
        assert not drawer.isVisible()

    def test_the_verdict_names_what_decides_it(self, window: MainWindow) -> None:
        binding = window.session.view.prediction.binding
        assert binding is not None
        QTest.mouseClick(window.verdict.sentence, LEFT)
        drawer = window.why.drawer
        assert drawer is not None
        assert drawer.asked is not None
        assert (drawer.asked.subject, drawer.asked.field) == (binding.subject, binding.resource)

    def test_e_on_the_board_asks_about_what_is_selected(
        self, qtbot: QtBot, window: MainWindow
    ) -> None:
        window.selection.select("m2")
        window.board.setFocus()
        qtbot.waitUntil(window.board.hasFocus)
        QTest.keyClick(window.board, Qt.Key.Key_E)
        drawer = window.why.drawer
        assert drawer is not None
        assert drawer.asked is not None
        assert (drawer.asked.subject, drawer.asked.field) == ("m2", "response_ms")

    def test_a_number_of_the_inspector_and_an_input_of_its_formula(
        self, qtbot: QtBot, window: MainWindow
    ) -> None:
        window.selection.select("m1")
        settle(qtbot, window)
        window.inspector.numbers.rows[1].ask()
        drawer = window.why.drawer
        assert drawer is not None
        assert drawer.asked is not None
        assert (drawer.asked.subject, drawer.asked.field) == ("m1", "cpu_pct")
        window.selection.clear()
        drawer.input_requested.emit("m1", "workload.active_users")
        assert window.selection.ids == ("m1",)
        qtbot.waitUntil(row(window, "workload.active_users").editor.hasFocus)

    def test_a_cell_of_the_failure_table(self, qtbot: QtBot, window: MainWindow) -> None:
        window.charts.setCurrentWidget(window.charts.failures)
        view = window.charts.failures.view
        labels = [view.model().index(n, 0).data() for n in range(view.model().rowCount())]
        view.setCurrentIndex(view.model().index(labels.index("esx1 fails"), 2))
        view.setFocus()
        qtbot.waitUntil(view.hasFocus)
        QTest.keyClick(view, Qt.Key.Key_E)
        drawer = window.why.drawer
        assert drawer is not None
        assert drawer.asked is not None
        assert (drawer.asked.table, drawer.asked.subject) == ("failures", "h1")
        assert drawer.asked.field == "ram_pct"

    def test_another_project_puts_it_away(self, qtbot: QtBot, window: MainWindow) -> None:
        trigger(window, "why.open")
        drawer = window.why.drawer
        assert drawer is not None
        assert drawer.isVisible()
        window.files.open_example(load_examples()[0].id)
        settle(qtbot, window)
        assert not drawer.isVisible()
