"""Numbers by hand: arrows that are held or dragged, sliders, and units that are typed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent, QLocale, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.widgets.fields.number import NumberField
from app.widgets.fields.slider import NumberSlider
from app.widgets.fields.stepper import DRAG_PX, NEXT_MS, Stepper
from models.base.limits import Limit
from models.scenario.wording import THIN


@pytest.fixture(params=["en_US", "de_DE"])
def locale(request: pytest.FixtureRequest) -> Iterator[str]:
    before = QLocale()
    QLocale.setDefault(QLocale(request.param))
    yield request.param
    QLocale.setDefault(before)


def ram_field(qtbot: QtBot) -> NumberField:
    field = NumberField(limit=Limit(gt=0, le=1000), step=0.5, unit="GiB")
    field.committed.connect(field.show_value)
    field.show_value(8.0)
    field.resize(130, 28)
    qtbot.addWidget(field)
    with qtbot.waitExposed(field):
        field.show()
    return field


def stepper_of(field: NumberField) -> Stepper:
    found = field.findChild(Stepper)
    assert isinstance(found, Stepper)
    return found


def mouse(widget: QWidget, kind: QEvent.Type, y: float) -> None:
    at = QPointF(widget.width() / 2, y)
    held = kind is not QEvent.Type.MouseButtonRelease
    buttons = Qt.MouseButton.LeftButton if held else Qt.MouseButton.NoButton
    button = Qt.MouseButton.NoButton if kind is QEvent.Type.MouseMove else Qt.MouseButton.LeftButton
    modifiers = Qt.KeyboardModifier.NoModifier
    event = QMouseEvent(kind, at, widget.mapToGlobal(at), button, buttons, modifiers)
    QApplication.sendEvent(widget, event)


def test_a_click_is_a_step_and_ends_the_gesture(qtbot: QtBot) -> None:
    field = ram_field(qtbot)
    stepper = stepper_of(field)
    with qtbot.waitSignals([field.committed, field.finished]):
        QTest.mouseClick(stepper, Qt.MouseButton.LeftButton, pos=stepper.rect().topLeft())
    assert field.value == 8.5
    QTest.mouseClick(stepper, Qt.MouseButton.LeftButton, pos=stepper.rect().bottomLeft())
    assert field.value == 8.0


def test_the_click_that_enters_marks_all_of_it_and_the_next_one_a_digit(qtbot: QtBot) -> None:
    field = ram_field(qtbot)
    field.show_value(400.0)
    field.activateWindow()
    qtbot.waitUntil(field.isActiveWindow)
    field.clearFocus()
    at = QPoint(12, field.height() // 2)
    field.setFocus(Qt.FocusReason.MouseFocusReason)
    QTest.mouseClick(field, Qt.MouseButton.LeftButton, pos=at)
    assert field.selectedText() == field.text() != ""
    QTest.keyClicks(field, "16")
    assert field.text() == "16"
    QTest.qWait(QApplication.doubleClickInterval())
    QTest.mouseClick(field, Qt.MouseButton.LeftButton, pos=at)
    assert field.selectedText() == ""


def test_holding_goes_on(qtbot: QtBot) -> None:
    field = ram_field(qtbot)
    stepper = stepper_of(field)
    mouse(stepper, QEvent.Type.MouseButtonPress, 2)
    qtbot.waitUntil(lambda: (field.value or 0) >= 9.5)
    with qtbot.waitSignal(field.finished):
        mouse(stepper, QEvent.Type.MouseButtonRelease, 2)
    stopped = field.value
    assert not stepper._again.isActive()
    assert field.value == stopped


@pytest.mark.parametrize("end", ["hidden", "disabled", "ungrabbed"])
def test_holding_ends_with_what_it_is_held_on(qtbot: QtBot, end: str) -> None:
    field = ram_field(qtbot)
    stepper = stepper_of(field)
    mouse(stepper, QEvent.Type.MouseButtonPress, 2)
    qtbot.waitUntil(lambda: (field.value or 0) >= 9.5)
    with qtbot.waitSignal(field.finished):
        if end == "hidden":
            field.hide()
        elif end == "disabled":
            field.setEnabled(False)
        else:
            QApplication.sendEvent(stepper, QEvent(QEvent.Type.UngrabMouse))
    reached = field.value
    with qtbot.assertNotEmitted(field.committed, wait=5 * NEXT_MS):
        pass
    assert field.value == reached


def test_dragging_steps_with_the_way_of_the_pointer(qtbot: QtBot) -> None:
    field = ram_field(qtbot)
    stepper = stepper_of(field)
    finished: list[int] = []
    field.finished.connect(lambda: finished.append(1))
    mouse(stepper, QEvent.Type.MouseButtonPress, 2)
    for way in range(1, 5):
        mouse(stepper, QEvent.Type.MouseMove, 2 - way * DRAG_PX)
    assert field.value == 8.5 + 4 * 0.5
    mouse(stepper, QEvent.Type.MouseMove, 2 + 2 * DRAG_PX)
    assert field.value == 8.5 - 2 * 0.5
    assert not finished
    mouse(stepper, QEvent.Type.MouseButtonRelease, 2)
    assert finished == [1]


def test_an_empty_field_keeps_its_words_until_it_is_turned_to(qtbot: QtBot) -> None:
    field = ram_field(qtbot)
    field.clearFocus()
    field.show_value(None)
    assert not stepper_of(field).isVisible()
    field.show_value(3.0)
    assert stepper_of(field).isVisible()


@pytest.mark.parametrize("typed", ["1,5", "1.5", "1.5 GiB", "1,5gib", "1536 MiB"])
def test_a_number_is_understood_with_either_mark_and_with_its_unit(
    qtbot: QtBot, locale: str, typed: str
) -> None:
    field = ram_field(qtbot)
    field.selectAll()
    QTest.keyClicks(field, typed)
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert field.value == 1.5
    assert field.text() == ("1,5" if locale == "de_DE" else "1.5")


def test_the_echo_says_what_was_understood_with_its_unit(qtbot: QtBot) -> None:
    field = ram_field(qtbot)
    said: list[str] = []
    field.said.connect(lambda text, _refusal: said.append(text))
    field.selectAll()
    QTest.keyClicks(field, "16 GB")
    qtbot.waitUntil(lambda: said[-1] == f"16{THIN}GB are 14.901{THIN}GiB")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert field.value == 14.901


@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        ("16 g", "“g” could be GB or GiB"),
        ("16 GHz", "“GHz” is no unit here; type the number alone or in GiB"),
    ],
)
def test_a_unit_that_is_none_of_the_fields_is_refused(
    qtbot: QtBot, typed: str, reason: str
) -> None:
    field = ram_field(qtbot)
    field.selectAll()
    QTest.keyClicks(field, typed)
    with qtbot.assertNotEmitted(field.committed), qtbot.waitSignal(field.said) as said:
        QTest.keyClick(field, Qt.Key.Key_Return)
    assert said.args == [reason, True]


# --- sliders ----------------------------------------------------------------------------------


def slider(qtbot: QtBot, **more: object) -> NumberSlider:
    made = NumberSlider(**more)  # type: ignore[arg-type]
    qtbot.addWidget(made)
    return made


def test_a_slider_of_half_gibibytes(qtbot: QtBot) -> None:
    made = slider(qtbot, limit=Limit(gt=0, le=1e6), step=0.5, grain=0.5, least_top=16.0)
    made.show_value(7.25)
    assert (made.minimum() * 0.5, made.maximum() * 0.5) == (0.5, 16.0)
    moved: list[float] = []
    made.moved_to.connect(moved.append)
    made.setValue(15)
    assert moved == [7.5]


def test_a_slider_never_leaves_the_bounds(qtbot: QtBot) -> None:
    made = slider(qtbot, limit=Limit(ge=1, le=12), step=1.0, least_top=8.0)
    made.show_value(12.0)
    moved: list[float] = []
    made.moved_to.connect(moved.append)
    made.setValue(made.maximum())
    made.setValue(made.minimum())
    assert made.maximum() == 12
    assert moved[-1] == 1.0


@pytest.mark.parametrize("least", [{"gt": 0.0}, {"ge": 0.001}])
def test_a_step_down_never_ends_at_next_to_nothing(qtbot: QtBot, least: dict[str, float]) -> None:
    field = NumberField(limit=Limit(**least, le=1000), step=1.0, unit="GiB")
    field.committed.connect(field.show_value)
    field.show_value(1.0)
    qtbot.addWidget(field)
    QTest.keyClick(field, Qt.Key.Key_Down)
    assert field.value == 1.0
    field.show_value(2.0)
    QTest.keyClick(field, Qt.Key.Key_Down)
    assert field.value == 1.0
    field.show_value(5.0)
    QTest.keyClick(field, Qt.Key.Key_PageDown)
    assert field.value == 1.0


@pytest.mark.parametrize("least", [{"gt": 0.0}, {"ge": 0.001}, {"ge": 0.5}])
def test_a_step_down_from_a_typed_number_never_goes_up(
    qtbot: QtBot, least: dict[str, float]
) -> None:
    field = NumberField(limit=Limit(**least, le=1000), step=1.0, unit="GiB")
    field.committed.connect(field.show_value)
    field.show_value(20.0)
    qtbot.addWidget(field)
    QTest.keyClick(field, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClicks(field, "0.5")
    QTest.keyClick(field, Qt.Key.Key_Down)
    assert field.value == 0.5


def test_a_number_typed_at_a_bound_counts_when_it_can_go_no_further(qtbot: QtBot) -> None:
    field = NumberField(limit=Limit(ge=0.0, le=1000))
    field.committed.connect(field.show_value)
    field.show_value(20.0)
    qtbot.addWidget(field)
    for typed, key in (("0", Qt.Key.Key_Down), ("1000", Qt.Key.Key_Up)):
        QTest.keyClick(field, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
        QTest.keyClicks(field, typed)
        QTest.keyClick(field, key)
        assert field.value == float(typed)


def test_a_bound_that_is_a_step_or_nothing_is_stepped_down_to(qtbot: QtBot) -> None:
    for least in (0.0, 1.0):
        field = NumberField(limit=Limit(ge=least, le=1000), step=1.0, unit="GiB")
        field.committed.connect(field.show_value)
        field.show_value(least + 0.5)
        qtbot.addWidget(field)
        QTest.keyClick(field, Qt.Key.Key_Down)
        assert field.value == least
