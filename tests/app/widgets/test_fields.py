"""Fields understand people, refuse in words, and never change by being scrolled over."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QLocale, QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu, QWidget
from pytestqt.qtbot import QtBot

from app.widgets.fields.choice import (
    Choice,
    ChoiceField,
    Dropdown,
    FlagField,
)
from app.widgets.fields.line import MIXED, commit_typed, elided_name
from app.widgets.fields.number import NumberField
from app.widgets.fields.slider import NumberSlider, slider_top
from app.widgets.fields.text import NotesField, TextField
from app.widgets.searched_menu import SEARCHED_FROM, add_search
from models.base.limits import Limit

POSITIVE = Limit(gt=0, le=1000)


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    before = QLocale()
    QLocale.setDefault(QLocale("en_US"))
    yield
    QLocale.setDefault(before)


def shown(qtbot: QtBot, widget: QWidget) -> None:
    qtbot.addWidget(widget)
    with qtbot.waitExposed(widget):
        widget.show()
    widget.activateWindow()
    widget.setFocus()
    qtbot.waitUntil(widget.hasFocus)


def wheel(widget: QWidget, notches: int) -> QWheelEvent:
    at = QPointF(widget.rect().center())
    event = QWheelEvent(
        at,
        widget.mapToGlobal(at),
        QPoint(),
        QPoint(0, 120 * notches),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(widget, event)
    return event


@pytest.fixture
def number(qtbot: QtBot) -> NumberField:
    field = NumberField(limit=POSITIVE, step=0.5)
    field.show_value(14.5)
    shown(qtbot, field)
    return field


def type_text(field: NumberField | TextField, text: str) -> None:
    field.selectAll()
    QTest.keyClicks(field, text)


@pytest.mark.parametrize(("typed", "value"), [("16", 16.0), ("1,5", 1.5), ("7.25", 7.25)])
def test_return_commits_what_was_typed(
    qtbot: QtBot, number: NumberField, typed: str, value: float
) -> None:
    type_text(number, typed)
    with qtbot.waitSignal(number.committed) as committed:
        QTest.keyClick(number, Qt.Key.Key_Return)
    assert committed.args == [value]


@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        ("", "a number is needed here"),
        ("lots", "“lots” is not a number"),
        ("0", "must be > 0"),
        ("5000", "must be ≤ 1,000"),
    ],
)
def test_a_refusal_is_said_and_the_text_stays(
    qtbot: QtBot, number: NumberField, typed: str, reason: str
) -> None:
    number.selectAll()
    QTest.keyClick(number, Qt.Key.Key_Delete)
    QTest.keyClicks(number, typed)
    with qtbot.assertNotEmitted(number.committed), qtbot.waitSignal(number.said) as said:
        QTest.keyClick(number, Qt.Key.Key_Return)
    assert said.args == [reason, True]
    assert number.text() == typed


def test_a_whole_number_is_whole(qtbot: QtBot) -> None:
    field = NumberField(whole=True)
    field.show_value(4)
    shown(qtbot, field)
    type_text(field, "2.5")
    with qtbot.waitSignal(field.said) as said:
        QTest.keyClick(field, Qt.Key.Key_Return)
    assert said.args == ["must be a whole number", True]


def test_an_ambiguous_number_is_echoed_until_it_is_committed(
    qtbot: QtBot, number: NumberField
) -> None:
    said: list[tuple[str, bool]] = []
    number.said.connect(lambda *words: said.append(words))
    type_text(number, "1,5")
    qtbot.waitUntil(lambda: said[-1] == ("read as 1.5", False))
    QTest.keyClick(number, Qt.Key.Key_Return)
    assert said[-1] == ("", False)


def test_an_ambiguous_number_that_is_entered_at_once_is_echoed_afterwards(
    qtbot: QtBot, number: NumberField
) -> None:
    said: list[tuple[str, bool]] = []
    number.said.connect(lambda *words: said.append(words))
    type_text(number, "4.000")
    QTest.keyClick(number, Qt.Key.Key_Return)
    assert said[-1] == ("read as 4", False)
    type_text(number, "5")
    QTest.keyClick(number, Qt.Key.Key_Return)
    assert said[-1] == ("", False)


@pytest.mark.parametrize("key", [Qt.Key.Key_Up, Qt.Key.Key_PageDown])
def test_stepping_echoes_nothing(qtbot: QtBot, key: Qt.Key) -> None:
    field = NumberField(step=100)
    field.show_value(5600.0)
    shown(qtbot, field)
    said: list[str] = []
    field.said.connect(lambda text, _refusal: said.append(text))
    QTest.keyClick(field, key)
    assert set(said) <= {""}


def test_undo_is_the_windows_where_nothing_is_typed(qtbot: QtBot, number: NumberField) -> None:
    """The line's own undo must not bring back what was there before."""
    type_text(number, "16")
    QTest.keyClick(number, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert number.text() != "16"
    type_text(number, "16")
    QTest.keyClick(number, Qt.Key.Key_Return)
    number.show_value(16.0)
    QTest.keyClick(number, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert number.text() == "16"
    number.show_value(14.5)
    with qtbot.assertNotEmitted(number.committed):
        number.clearFocus()
    assert number.text() == "14.5"


def test_escape_takes_back(qtbot: QtBot, number: NumberField) -> None:
    type_text(number, "99")
    with qtbot.assertNotEmitted(number.committed):
        QTest.keyClick(number, Qt.Key.Key_Escape)
        QTest.keyClick(number, Qt.Key.Key_Return)
    assert number.text() == "14.5"


@pytest.mark.parametrize(
    ("key", "value"),
    [
        (Qt.Key.Key_Up, 15.0),
        (Qt.Key.Key_Down, 14.0),
        (Qt.Key.Key_PageUp, 19.5),
        (Qt.Key.Key_PageDown, 9.5),
    ],
)
def test_keys_step(qtbot: QtBot, number: NumberField, key: Qt.Key, value: float) -> None:
    with qtbot.waitSignal(number.committed) as committed:
        QTest.keyClick(number, key)
    assert committed.args == [value]


def test_steps_stay_within_the_bounds(qtbot: QtBot) -> None:
    field = NumberField(limit=Limit(ge=1, le=8), step=1, whole=True)
    field.show_value(2)
    shown(qtbot, field)
    with qtbot.waitSignal(field.committed) as committed:
        QTest.keyClick(field, Qt.Key.Key_PageDown)
    assert committed.args == [1]


def test_an_empty_optional_field_is_nothing(qtbot: QtBot) -> None:
    field = NumberField(optional=True, empty="as in the catalog")
    field.show_value(4.0)
    shown(qtbot, field)
    field.selectAll()
    QTest.keyClick(field, Qt.Key.Key_Delete)
    with qtbot.waitSignal(field.committed) as committed:
        QTest.keyClick(field, Qt.Key.Key_Return)
    assert committed.args == [None]
    assert field.placeholderText() == "as in the catalog"


def test_a_share_is_shown_in_per_cent_and_refused_in_per_cent(qtbot: QtBot) -> None:
    field = NumberField(scale=100, limit=Limit(ge=0, le=1))
    field.show_value(0.35)
    shown(qtbot, field)
    assert field.text() == "35"
    type_text(field, "40")
    with qtbot.waitSignal(field.committed) as committed:
        QTest.keyClick(field, Qt.Key.Key_Return)
    assert committed.args == [0.4]
    type_text(field, "140")
    with qtbot.waitSignal(field.said) as said:
        QTest.keyClick(field, Qt.Key.Key_Return)
    assert said.args == ["must be ≤ 100", True]


def test_what_is_being_typed_survives_a_refresh(number: NumberField) -> None:
    type_text(number, "16")
    number.show_value(12.0)
    assert number.text() == "16"
    QTest.keyClick(number, Qt.Key.Key_Escape)
    assert number.text() == "12"


def test_several_values_are_said_so(qtbot: QtBot, number: NumberField) -> None:
    number.show_value(3.0, mixed=True)
    assert (number.text(), number.placeholderText()) == ("", MIXED)
    with qtbot.assertNotEmitted(number.committed):
        QTest.keyClick(number, Qt.Key.Key_Return)


def test_scrolling_never_changes_a_number(qtbot: QtBot, number: NumberField) -> None:
    with qtbot.assertNotEmitted(number.committed):
        assert not wheel(number, 1).isAccepted()
        number.clearFocus()
        assert not wheel(number, -1).isAccepted()


def test_scrolling_never_moves_a_slider(qtbot: QtBot) -> None:
    slider = NumberSlider()
    shown(qtbot, slider)
    slider.show_value(400.0)
    with qtbot.assertNotEmitted(slider.moved_to):
        assert not wheel(slider, 1).isAccepted()


CHOICES = (Choice("a", "Array A"), Choice("b", "Array B"), Choice(None, "none"))


def test_a_choice_commits_its_value(qtbot: QtBot) -> None:
    field = ChoiceField()
    qtbot.addWidget(field)
    field.offer(CHOICES)
    field.show_value("a")
    with qtbot.waitSignal(field.committed) as committed:
        field.activated.emit(2)
    assert committed.args == [None]
    assert not wheel(field, -1).isAccepted()
    assert field.value == "a"


def test_several_choices_are_said_so(qtbot: QtBot) -> None:
    field = ChoiceField(empty="none")
    qtbot.addWidget(field)
    field.offer(CHOICES)
    field.show_value("a", mixed=True)
    assert (field.currentText(), field.placeholderText()) == ("", MIXED)
    field.show_value("a")
    assert (field.currentText(), field.placeholderText()) == ("Array A", "none")


def test_a_refused_choice_goes_back(qtbot: QtBot) -> None:
    field = ChoiceField()
    qtbot.addWidget(field)
    field.offer(CHOICES)
    field.show_value("a")
    field.setCurrentIndex(1)
    field.refuse("not there")
    assert field.currentText() == "Array A"


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_a_long_list_is_searched_by_any_part_of_a_name(qtbot: QtBot) -> None:
    field = ChoiceField()
    field.offer([Choice(n, f"Server {n:02d} Xeon") for n in range(40)])
    field.show_value(3)
    shown(qtbot, field)
    line = field.lineEdit()
    assert line is not None
    line.selectAll()
    QTest.keyClicks(line, "17 x")
    with qtbot.waitSignal(field.committed) as committed:
        QTest.keyClick(line, Qt.Key.Key_Return)
    assert committed.args == [17]


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_words_that_name_nothing_are_taken_back(qtbot: QtBot) -> None:
    field = ChoiceField()
    field.offer([Choice(n, f"Server {n:02d}") for n in range(40)])
    field.show_value(3)
    shown(qtbot, field)
    line = field.lineEdit()
    assert line is not None
    line.selectAll()
    with qtbot.assertNotEmitted(field.committed):
        QTest.keyClicks(line, "no such thing")
        QTest.keyClick(line, Qt.Key.Key_Return)
    assert field.currentText() == "Server 03"


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_what_is_searched_for_counts_when_the_window_is_left(qtbot: QtBot) -> None:
    field, elsewhere = ChoiceField(), QWidget()
    field.offer([Choice(n, f"Server {n:02d}") for n in range(40)])
    field.show_value(3)
    shown(qtbot, field)
    line = field.lineEdit()
    assert line is not None
    line.setText("17")
    with qtbot.waitSignal(field.committed) as committed:
        shown(qtbot, elsewhere)
    assert committed.args == [17]


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_what_is_typed_is_committed_in_its_own_window_alone(qtbot: QtBot) -> None:
    window, other = QWidget(), QWidget()
    field = NumberField(parent=window)
    field.show_value(14.5)
    shown(qtbot, window)
    field.setFocus()
    qtbot.waitUntil(field.hasFocus)
    type_text(field, "16")
    with qtbot.assertNotEmitted(field.committed):
        commit_typed(other)
    with qtbot.waitSignal(field.committed) as committed:
        commit_typed(window)
    assert committed.args == [16.0]
    qtbot.addWidget(other)


def test_a_flag_of_several_values_is_half(qtbot: QtBot) -> None:
    field = FlagField("Powered on")
    qtbot.addWidget(field)
    field.show_value(True, mixed=True)
    assert field.checkState() is Qt.CheckState.PartiallyChecked
    with qtbot.waitSignal(field.committed) as committed:
        field.click()
    assert committed.args == [True]


def test_notes_count_when_the_focus_leaves(qtbot: QtBot) -> None:
    field = NotesField()
    field.show_value("old")
    shown(qtbot, field)
    field.selectAll()
    QTest.keyClicks(field, "new")
    with qtbot.waitSignal(field.committed) as committed:
        field.clearFocus()
    assert committed.args == ["new"]


def test_text_is_trimmed_and_suggested(qtbot: QtBot) -> None:
    field = TextField()
    field.suggest(["7.0.2", "8.5.1"])
    field.show_value("7.0.2")
    shown(qtbot, field)
    type_text(field, " 8.0 ")
    with qtbot.waitSignal(field.committed) as committed:
        QTest.keyClick(field, Qt.Key.Key_Return)
    assert committed.args == ["8.0"]


def test_a_slider_comes_back_from_a_number_that_was_far_too_large(qtbot: QtBot) -> None:
    slider = NumberSlider()
    qtbot.addWidget(slider)
    slider.show_value(4000.0, "m1")
    usual = slider.maximum()
    slider.show_value(1e9, "m1")
    assert slider.maximum() > 1000 * usual
    slider.show_value(3000.0, "m1")
    assert slider.maximum() == usual
    slider.show_value(500.0, "m1")
    assert slider.maximum() == usual


def test_the_slider_moves_in_round_steps_and_not_by_itself(qtbot: QtBot) -> None:
    slider = NumberSlider()
    shown(qtbot, slider)
    with qtbot.assertNotEmitted(slider.moved_to):
        slider.show_value(4000.0)
    assert slider.maximum() == slider_top(4000.0) == 10_000
    with qtbot.waitSignal(slider.moved_to) as moved:
        slider.setValue(4533)
    assert moved.args == [4500.0]


def test_the_sliders_range_stays_with_the_same_items(qtbot: QtBot) -> None:
    slider = NumberSlider()
    qtbot.addWidget(slider)
    slider.show_value(400.0, "m1")
    slider.setSliderDown(True)
    slider.show_value(990.0, "m1")
    slider.setSliderDown(False)
    slider.show_value(990.0, "m1")
    assert slider.maximum() == 1000
    slider.show_value(1200.0, "m1")
    assert slider.maximum() == slider_top(1200.0)
    slider.show_value(400.0, "m1")
    assert slider.maximum() == slider_top(1200.0)
    slider.show_value(400.0, "m2")
    assert slider.maximum() == 1000


@pytest.mark.qt_log_ignore("This plugin does not support")
@pytest.mark.parametrize("count", [2, 5])
def test_an_open_list_shows_all_its_rows(qtbot: QtBot, count: int) -> None:
    field = ChoiceField()
    shown(qtbot, field)
    field.offer([Choice(row, f"row {row}") for row in range(count)])
    field.showPopup()
    view = field.view()
    qtbot.waitUntil(view.isVisible)
    qtbot.waitUntil(lambda: view.verticalScrollBar().maximum() == 0)
    last = field.model().index(count - 1, 0)
    assert view.visualRect(last).bottom() < view.viewport().height()
    field.hidePopup()


def test_names_without_room_keep_the_ends_that_tell_them_apart(qtbot: QtBot) -> None:
    field = ChoiceField()
    qtbot.addWidget(field)
    metrics = field.fontMetrics()
    names = [f"Mail server of the customer {number:02}" for number in (1, 2)]
    room = metrics.horizontalAdvance(names[0]) - 30
    shown = [elided_name(name, metrics, room) for name in names]
    assert [name[:4] for name in shown] == ["Mail", "Mail"]
    assert [name[-2:] for name in shown] == ["01", "02"]
    assert field.view().textElideMode() is Qt.TextElideMode.ElideMiddle


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_any_list_of_many_is_searched(qtbot: QtBot) -> None:
    few, many = Dropdown(), Dropdown()
    for field, count in ((few, SEARCHED_FROM - 1), (many, 47)):
        qtbot.addWidget(field)
        for n in range(count):
            field.addItem(f"Server {n:02d} Xeon", n)
    assert not few.isEditable()
    many.setCurrentIndex(3)
    shown(qtbot, many)
    line = many.lineEdit()
    assert line is not None
    assert line.text() == "Server 03 Xeon"
    line.selectAll()
    QTest.keyClicks(line, "17 x")
    with qtbot.waitSignal(many.activated):
        QTest.keyClick(line, Qt.Key.Key_Return)
    assert many.currentData() == 17
    line.selectAll()
    QTest.keyClicks(line, "no such thing")
    QTest.keyClick(line, Qt.Key.Key_Return)
    assert (many.currentData(), line.text()) == (17, "Server 17 Xeon")


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_a_menu_of_many_is_searched(qtbot: QtBot) -> None:
    menu, taken = QMenu(), list[str]()
    qtbot.addWidget(menu)
    for n in range(SEARCHED_FROM):
        menu.addAction(f"esx{n}")
    add_search(menu)
    menu.triggered.connect(lambda action: taken.append(action.text()))
    menu.popup(QPoint(0, 0))
    (line,) = menu.findChildren(QLineEdit)
    line.setFocus()
    QTest.keyClicks(line, "X17")
    seen = [each.text() for each in menu.actions()[1:] if each.isVisible()]
    assert seen == ["esx17"]
    QTest.keyClick(line, Qt.Key.Key_Return)
    assert taken == ["esx17"]
    assert not menu.isVisible()
