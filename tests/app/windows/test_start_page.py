"""The page that people meet first, by mouse alone and by keyboard alone."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from app.look import LOOK
from app.settings import Settings
from app.theme import DARK, LIGHT
from app.windows.dialogs import Answer
from app.windows.main import opened_window
from app.windows.start.cards import ExampleCard
from app.windows.start.page import StartPage
from app.windows.start.totals import TotalsForm
from app.windows.window import MainWindow
from db.codec import scenario_to_json
from models.predict.prediction import Verdict
from models.scenario.wording import GERMAN, Style
from resources.example_files import load_examples
from tests.app import samples
from tests.app.clipping import clipped
from tests.app.gestures import LEFT, at_rest
from tests.app.windows.whole import Answers, at_start, complete, settle, trigger
from tests.sweeps import some

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", "outside target window")
SHIFT = Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def window(qtbot: QtBot, settings: Settings, answers: Answers) -> MainWindow:
    """A window at the start page, complete."""
    window = at_start(qtbot, settings, answers)
    complete(qtbot, window)
    return window


def page_of(window: MainWindow) -> StartPage:
    assert window.start.page is not None
    return window.start.page


def form_of(window: MainWindow) -> TotalsForm:
    return page_of(window).totals


def type_number(window: MainWindow, name: str, text: str) -> None:
    field = form_of(window).numbers[name]
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, text)


def place(form: TotalsForm, field: QWidget) -> tuple[int, int]:
    """Line and place in it, as one reads; fields of one line need not be of one height."""
    at = field.mapTo(form, field.rect().center())
    return round(at.y() / 20), at.x()


def press_tab(window: MainWindow) -> QWidget:
    before = QApplication.focusWidget()
    assert before is not None
    QTest.keyClick(before, Qt.Key.Key_Tab)
    now = QApplication.focusWidget()
    assert now is not None
    return now


class TestOpening:
    def test_it_is_shown_when_no_file_is_given(self, qtbot: QtBot, settings: Settings) -> None:
        window = opened_window(settings=settings)
        qtbot.addWidget(window)
        with qtbot.waitSignals([window.furnished, window.completed]):
            window.show()
        assert window.start.is_open
        window.activateWindow()
        qtbot.waitUntil(page_of(window).cards[0].hasFocus)

    @pytest.mark.parametrize("is_demo", [True, False])
    def test_it_is_not_when_there_is_something_to_open(
        self, qtbot: QtBot, settings: Settings, tmp_path: Path, is_demo: bool
    ) -> None:
        path = tmp_path / "estate.json"
        path.write_bytes(scenario_to_json(samples.scenario()))
        window = opened_window(() if is_demo else [path], demo=is_demo, settings=settings)
        qtbot.addWidget(window)
        with qtbot.waitSignal(window.completed):
            window.show()
        assert not window.start.is_open
        assert window.session.scenario.hosts

    def test_the_menu_brings_it_and_escape_leaves_it(self, window: MainWindow) -> None:
        window.files.open_example("building-block")
        assert not window.start.is_open
        trigger(window, "start.open")
        assert window.start.is_open
        QTest.keyClick(page_of(window).cards[0], Qt.Key.Key_Escape)
        assert not window.start.is_open
        assert window.board.hasFocus()

    def test_there_is_no_way_back_to_nothing(self, window: MainWindow) -> None:
        assert page_of(window).back.isHidden()
        QTest.keyClick(page_of(window).cards[0], Qt.Key.Key_Escape)
        assert window.start.is_open

    def test_an_act_on_the_project_brings_the_project(self, window: MainWindow) -> None:
        trigger(window, "view.dark")
        assert window.start.is_open
        trigger(window, "journey.board")
        assert not window.start.is_open
        trigger(window, "start.open")
        trigger(window, "editing.add_cluster")
        assert not window.start.is_open


class TestExamples:
    def test_each_has_a_sentence_and_a_picture(self, qtbot: QtBot, window: MainWindow) -> None:
        cards = page_of(window).cards
        assert [card.text() for card in cards] == [each.title for each in load_examples()]
        qtbot.waitUntil(lambda: all(card.has_picture for card in cards))
        for card in cards:
            assert card.accessibleDescription().endswith(".")
            assert card.accessibleDescription().count(". ") == 0

    def test_its_numbers_have_the_marks_of_the_locale(
        self, qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        styles: list[Style] = []

        def noted(*_shown: object, style: Style, **_: object) -> QImage:
            styles.append(style)
            return QImage(8, 8, QImage.Format.Format_ARGB32)

        cards = page_of(window).cards
        qtbot.waitUntil(lambda: all(card.has_picture for card in cards))
        monkeypatch.setattr("app.windows.start.cards.board_picture", noted)
        monkeypatch.setattr("app.windows.start.cards.locale_style", lambda: GERMAN)
        LOOK.use(DARK)
        assert styles == [GERMAN] * len(cards)

    def test_a_click_opens_one(self, qtbot: QtBot, window: MainWindow) -> None:
        QTest.mouseClick(page_of(window).cards[1], LEFT)
        settle(qtbot, window)
        assert not window.start.is_open
        assert window.session.scenario.name == "Building block on three hosts"
        assert not window.isWindowModified()

    def test_the_keyboard_opens_one(self, qtbot: QtBot, window: MainWindow) -> None:
        assert isinstance(press_tab(window), ExampleCard)
        QTest.keyClick(page_of(window).cards[1], Qt.Key.Key_Return)
        settle(qtbot, window)
        assert window.session.scenario.name == "Building block on three hosts"


class TestTotals:
    def test_the_answer_follows_the_fields(self, qtbot: QtBot, window: MainWindow) -> None:
        form = form_of(window)
        qtbot.waitUntil(lambda: form.design is not None)
        assert form.design is not None, form.answer.text()
        laid_out = form.design.scenario
        assert form.answer.text().startswith(f"{len(laid_out.vms)} VMs with up to ")
        assert f" users each, on {len(laid_out.hosts)} hosts with " in form.answer.text()
        assert form.answer.text().endswith("Fits; any one host may fail.")
        with qtbot.waitSignal(form.refreshed):
            type_number(window, "users", "30000")
        assert sum(vm.workload.active_users for vm in form.design.scenario.vms) == 30_000

    def test_one_user_is_one_user(self, qtbot: QtBot, window: MainWindow) -> None:
        form = form_of(window)
        type_number(window, "users", "1")
        qtbot.waitUntil(lambda: form.answer.text().startswith("1 VM with 1 active user, on "))

    def test_a_design_becomes_the_project(self, qtbot: QtBot, window: MainWindow) -> None:
        form = form_of(window)
        with qtbot.waitSignal(form.refreshed):
            type_number(window, "growth_pct", "20")
        QTest.mouseClick(form.accept, LEFT)
        settle(qtbot, window)
        assert not window.start.is_open
        assert window.session.view.prediction.verdict is Verdict.FITS
        assert window.session.scenario.growth.users_pct == 20.0
        assert window.session.scenario.growth.years == 3.0
        assert window.isWindowModified()  # it is work, and closing asks about it
        assert window.windowTitle().startswith("First design")

    def test_a_design_of_other_numbers_is_not_laid_out(
        self, qtbot: QtBot, window: MainWindow
    ) -> None:
        form = form_of(window)
        qtbot.waitUntil(lambda: form.design is not None)
        type_number(window, "users", "40000")
        QTest.mouseClick(form.accept, LEFT)
        assert window.start.is_open
        assert form.design is None
        qtbot.waitUntil(lambda: form.design is not None)
        QTest.mouseClick(form.accept, LEFT)
        settle(qtbot, window)
        assert sum(v.workload.active_users for v in window.session.scenario.vms) == 40_000

    def test_leaving_a_field_changes_no_number(self, qtbot: QtBot, window: MainWindow) -> None:
        form = form_of(window)
        with qtbot.waitSignal(form.refreshed):
            type_number(window, "users", "30000")
        design = form.design
        press_tab(window)
        assert form.numbers["users"].text() == "30,000"
        assert form.design is design
        assert form.accept.isEnabled()

    def test_by_keyboard_alone(self, qtbot: QtBot, window: MainWindow) -> None:
        trigger(window, "start.open_totals")
        form = form_of(window)
        assert form.numbers["users"].hasFocus()
        with qtbot.waitSignal(form.refreshed):
            QTest.keyClicks(form.numbers["users"], "4000")
        for _ in range(20):
            if press_tab(window) is form.accept:
                break
        QTest.keyClick(form.accept, Qt.Key.Key_Return)
        settle(qtbot, window)
        assert sum(v.workload.active_users for v in window.session.scenario.vms) == 4000

    def test_an_answer_to_other_numbers_does_not_stay(
        self, qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        form = form_of(window)
        qtbot.waitUntil(lambda: form.design is not None)
        monkeypatch.setattr(form._work, "start", lambda *_: None)  # it is never worked out
        type_number(window, "users", "5000000")
        assert not form.accept.isEnabled()
        qtbot.waitUntil(lambda: form.answer.text() == "calculating …")
        monkeypatch.undo()
        type_number(window, "users", "9000")
        qtbot.waitUntil(form.accept.isEnabled)
        assert form.answer.text().endswith("Fits; any one host may fail.")

    def test_the_keyboard_goes_through_the_fields_as_one_reads_them(
        self, qtbot: QtBot, window: MainWindow
    ) -> None:
        trigger(window, "start.open_totals")
        form = form_of(window)
        qtbot.waitUntil(form.accept.isEnabled)
        fields: list[QWidget] = [*form.numbers.values(), *form.choices.values()]
        by_place = sorted(fields, key=partial(place, form))
        assert by_place[0] is form.numbers["users"]
        assert [press_tab(window) for _ in by_place] == [*by_place[1:], form.accept]

    @pytest.mark.parametrize(
        ("name", "text", "said"),
        some(
            [
                ("users", "0", "Users: must be ≥ 1."),
                ("users", "", "Users: a number is needed here."),
                ("active_pct", "many", "Active at the same time: “many” is not a number."),
                ("vms", "1", "No design fits"),
            ],
            every=3,
        ),
    )
    def test_what_can_not_be_is_said_and_not_laid_out(
        self, qtbot: QtBot, window: MainWindow, name: str, text: str, said: str
    ) -> None:
        form = form_of(window)
        with qtbot.waitSignal(form.refreshed):
            type_number(window, name, text or "x")
            if not text:
                QTest.keyClick(form.numbers[name], Qt.Key.Key_Backspace)
        assert said in form.answer.text()
        assert form.design is None
        assert not form.accept.isEnabled()

    def test_what_is_left_empty_is_chosen_and_what_is_chosen_stays(
        self, qtbot: QtBot, window: MainWindow
    ) -> None:
        form = form_of(window)
        qtbot.waitUntil(lambda: form.design is not None)
        for name, value in (
            ("release", "14.0"),
            ("hypervisor", "vsphere-8.0"),
            ("disk", "nvme"),
            ("host_failures", 2),
        ):
            form.choices[name].committed.emit(value)
        with qtbot.waitSignal(form.refreshed):
            type_number(window, "vms", "12")
        assert form.design is not None, form.answer.text()
        scenario = form.design.scenario
        assert len(scenario.vms) == 12
        assert {vm.workload.release for vm in scenario.vms} == {"14.0"}
        assert {host.hypervisor for host in scenario.hosts} == {"vsphere-8.0"}
        assert {pool.disk for pool in scenario.pools} == {"nvme"}
        assert scenario.clusters[0].admission.host_failures == 2
        assert form.answer.text().endswith("Fits; any 2 hosts may fail.")

    def test_an_empty_board_offers_it(self, qtbot: QtBot, window: MainWindow) -> None:
        QTest.mouseClick(page_of(window).new, LEFT)
        assert not window.start.is_open
        button = next(
            b for b in window.empty.findChildren(QPushButton) if b.text() == "Start from totals…"
        )
        QTest.mouseClick(button, LEFT)
        assert window.start.is_open
        assert form_of(window).numbers["users"].hasFocus()


class TestFiles:
    def test_projects_are_listed_and_open(
        self, qtbot: QtBot, window: MainWindow, answers: Answers, tmp_path: Path
    ) -> None:
        panel = page_of(window).projects
        assert not panel.model.all
        window.files.open_example("building-block")
        for name in ("estate", "other"):
            answers.path = tmp_path / f"{name}.headroom"
            trigger(window, "files.save_as")
        trigger(window, "files.new")
        trigger(window, "start.open")
        qtbot.waitUntil(lambda: len(panel.model.pictures) == 2)
        assert [each.name for each in panel.model.all] == ["other", "estate"]
        assert panel.model.all[0].verdict is Verdict.AT_RISK
        QTest.keyClicks(panel.search, "esta")
        assert panel.model.rowCount() == 1
        at = panel.list.visualRect(panel.model.index(0)).center()
        QTest.mouseClick(panel.list.viewport(), LEFT, pos=at)
        assert window.session.scenario.name == "Building block on three hosts"
        assert not window.start.is_open

    def test_projects_can_be_forgotten(
        self, qtbot: QtBot, window: MainWindow, answers: Answers, settings: Settings, tmp_path: Path
    ) -> None:
        panel = page_of(window).projects
        answers.path = tmp_path / "estate.headroom"
        trigger(window, "files.save_as")
        trigger(window, "start.open")
        qtbot.waitUntil(settings.projects.exists)
        panel.remembers.click()
        assert (panel.model.all, settings.known) == ((), ())
        assert not settings.projects.exists()
        assert answers.path.exists()
        trigger(window, "files.save")
        trigger(window, "start.open")
        assert not panel.model.all

    def test_unsaved_work_is_asked_about(
        self, qtbot: QtBot, window: MainWindow, answers: Answers
    ) -> None:
        trigger(window, "editing.add_cluster")
        trigger(window, "start.open")
        QTest.mouseClick(page_of(window).cards[0], LEFT)
        assert len(answers.asked) == 1
        assert window.start.is_open
        answers.answer = Answer.DISCARD
        QTest.mouseClick(page_of(window).cards[0], LEFT)
        assert not window.start.is_open


@pytest.mark.parametrize("size", some([QSize(1366, 768), QSize(1920, 1080)]))
def test_everything_is_seen_without_scrolling(
    qtbot: QtBot, window: MainWindow, size: QSize
) -> None:
    window.resize(size)
    at_rest(qtbot, window)
    page = page_of(window)
    inner = page.widget()
    assert inner is not None
    assert inner.height() <= page.viewport().height()
    assert inner.width() <= page.viewport().width()


def test_nothing_is_beyond_the_edge_of_a_narrow_window(qtbot: QtBot, window: MainWindow) -> None:
    """As at 150 % on 1366 × 768; the files go below, and beside the rest again with more room."""
    page = page_of(window)
    inner = page.widget()
    assert inner is not None
    files = page.open.mapTo(inner, QPoint(0, 0)).y()
    window.resize(910, 512)
    at_rest(qtbot, window)
    assert inner.width() <= page.viewport().width()
    assert page.open.mapTo(inner, QPoint(0, 0)).y() > page.totals.geometry().bottom()
    window.resize(1366, 768)
    at_rest(qtbot, window)
    assert page.open.mapTo(inner, QPoint(0, 0)).y() == files


@pytest.mark.parametrize(("size", "columns"), some([(QSize(683, 384), 3), (QSize(480, 600), 2)]))
def test_fewer_stand_in_a_row_where_the_window_is_too_narrow_for_all(
    qtbot: QtBot, window: MainWindow, size: QSize, columns: int
) -> None:
    """As at 200 % on 1366 × 768, and in the smallest window; the board asks for more room."""
    page = page_of(window)
    window.resize(size)
    at_rest(qtbot, window)
    inner = page.widget()
    assert inner is not None
    assert inner.width() <= page.viewport().width() <= size.width()
    assert clipped(page) == []
    for row in (page.cards, [page.totals.numbers[name] for name in ("users", "active_pct")]):
        lefts = {each.mapTo(inner, QPoint(0, 0)).x() for each in row}
        assert len(lefts) == min(columns, len(row))


def test_where_totals_are_asked_for_their_heading_is_seen(qtbot: QtBot, window: MainWindow) -> None:
    window.resize(683, 384)
    at_rest(qtbot, window)
    window.start.open_totals()
    page = page_of(window)
    heading, port = page.totals_heading, page.viewport()
    assert port.rect().contains(heading.mapTo(port, heading.rect().center()))


def test_a_title_of_three_lines_is_whole(qtbot: QtBot) -> None:
    """As that of the first example in German where the window is 1,000 px wide."""

    def rows_of_ink(title: str) -> int:
        card = ExampleCard("id", title, "")
        qtbot.addWidget(card)
        card.resize(212, 250)
        picture = card.grab().toImage()
        ink, columns = QColor(LIGHT.text).rgb(), range(picture.width())
        return sum(ink in {picture.pixel(x, y) for x in columns} for y in range(picture.height()))

    line = "HHHHHHHHHHHHHHHHHH"
    assert rows_of_ink(" ".join(3 * [line])) == 3 * rows_of_ink(line)
