"""Where to save: the ending is the file's, and nothing is overwritten unasked."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QFileDialog,
    QLineEdit,
    QMessageBox,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.windows.dialogs import SAVE_FILTER, Dialogs, Instead

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")

Ask = Callable[..., Path | None]


def press_soon(button: str) -> None:
    """Presses this button of the question that is about to be asked."""

    def press() -> None:
        box = QApplication.activeModalWidget()
        if not isinstance(box, QMessageBox) or not box.isVisible():
            QTimer.singleShot(20, press)
            return
        next(each for each in box.buttons() if each.text() == button).click()

    QTimer.singleShot(0, press)


def test_a_page_that_asks_stays_in_front(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    window, page = QWidget(), QDialog()
    for each in (window, page):
        qtbot.addWidget(each)
        each.show()
    over: list[QWidget | None] = []

    def answer(parent: QWidget | None, *_rest: object) -> tuple[str, str]:
        over.append(parent)
        return "", ""

    monkeypatch.setattr(QFileDialog, "getOpenFileName", answer)
    page.activateWindow()
    qtbot.waitUntil(page.isActiveWindow)
    dialogs = Dialogs(window)
    dialogs.open_file("Open", Path(), "")
    page.close()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    dialogs.open_file("Open", Path(), "")
    assert over == [page, window]


@pytest.fixture
def ask(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Ask:
    """Asks where to save; the user types these names, and presses this button in between."""

    def ask(*names: str, button: str = "", ending: str = ".headroom") -> Path | None:
        typed = iter([*(str(tmp_path / name) for name in names), ""])
        monkeypatch.setattr(
            QFileDialog, "getSaveFileName", staticmethod(lambda *_: (next(typed), ""))
        )

        if button:
            press_soon(button)
        return Dialogs().save_file("Save as", tmp_path, SAVE_FILTER, ending)

    return ask


@pytest.mark.parametrize(
    ("typed", "saved"),
    [
        ("Acme", "Acme.headroom"),
        ("Acme v2.1", "Acme v2.1.headroom"),
        ("Acme.headroom", "Acme.headroom"),
        ("Acme.HEADROOM", "Acme.HEADROOM"),
    ],
)
def test_the_ending_is_the_files(ask: Ask, tmp_path: Path, typed: str, saved: str) -> None:
    assert ask(typed) == tmp_path / saved


def test_a_name_is_seen_whole_while_it_is_changed(qtbot: QtBot) -> None:
    name, seen = "Building block on three hosts", list[bool]()

    def look() -> None:
        box = QApplication.activeModalWidget()
        assert box is not None
        field = box.findChild(QLineEdit)
        assert field is not None
        seen.append(field.width() > field.fontMetrics().horizontalAdvance(name) + 20)
        box.close()

    QTimer.singleShot(0, look)
    assert Dialogs().ask_text("Rename scenario", "Name", name) is None
    assert seen == [True]


def test_nothing_is_chosen(ask: Ask) -> None:
    assert ask() is None


@pytest.mark.parametrize("ending", [".headroom", ".json", ".pdf"])
def test_a_name_without_ending_may_be_taken_already(ask: Ask, tmp_path: Path, ending: str) -> None:
    (tmp_path / f"plan{ending}").write_text("precious")
    assert ask("plan", button="Replace", ending=ending) == tmp_path / f"plan{ending}"
    other = ask("plan", "other", button="Cancel", ending=ending)
    assert other == tmp_path / f"other{ending}"


@pytest.mark.parametrize(
    ("button", "answer"),
    [("Save as…", Instead.SAVE_AS), ("Replace", Instead.REPLACE), ("Cancel", Instead.CANCEL)],
)
def test_what_cannot_be_written_may_be_saved_elsewhere(
    qtbot: QtBot, button: str, answer: Instead
) -> None:
    press_soon(button)
    assert Dialogs().ask_instead("It was changed.", may_replace=True) is answer


@pytest.mark.parametrize("name", ["ask_to_delete", "ask_to_replace"])
def test_return_alone_keeps_what_could_not_be_brought_back(qtbot: QtBot, name: str) -> None:
    def press() -> None:
        box = QApplication.activeModalWidget()
        assert box is not None
        QTest.keyClick(box, Qt.Key.Key_Return)

    QTimer.singleShot(0, press)
    assert getattr(Dialogs(), name)("All of it?", "It can't be brought back.") is False
