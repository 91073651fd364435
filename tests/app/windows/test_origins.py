"""Origin and pin of the value being edited, without a mouse."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from app.windows.origins import NO_FIELD
from app.windows.window import MainWindow
from models.scenario.inputs import origin_of
from models.scenario.origin import Origin
from tests.app.windows.whole import trigger

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


def test_the_field_with_the_focus_is_marked_and_pinned(qtbot: QtBot, window: MainWindow) -> None:
    qtbot.waitUntil(lambda: hasattr(window, "inspector"))
    window.selection.select("m1")
    assert window.inspector.page is not None
    row = window.inspector.page.row("ram_gib")
    window.activateWindow()
    qtbot.waitUntil(row.editor.isVisible)
    row.editor.setFocus()
    qtbot.waitUntil(row.editor.hasFocus)
    trigger(window, "origins.choose")
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    QTest.keyClick(menu, Qt.Key.Key_Down)
    QTest.keyClick(menu, Qt.Key.Key_Return)
    vm = window.session.scenario.vm("m1")
    assert origin_of(vm, "ram_gib") is Origin.MEASURED
    trigger(window, "origins.toggle_pin")
    assert window.session.scenario.vm("m1").pins == ("ram_gib",)


def test_without_a_field_it_says_where_to_go(qtbot: QtBot, window: MainWindow) -> None:
    window.board.setFocus()
    trigger(window, "origins.toggle_pin")
    assert window.statusBar().currentMessage() == NO_FIELD
