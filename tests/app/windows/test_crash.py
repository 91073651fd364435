"""A fault of our own: noted without what a customer said, told once, and the window stays."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.windows.crash import FaultHook, install_hook


class Told(FaultHook):
    """Notes what would be shown; a second fault arises while the first is told."""

    def __init__(self, window: QWidget, path: Path) -> None:
        super().__init__(window, path)
        self.told: list[Path | None] = []

    def tell(self, written: Path | None) -> None:
        self.told.append(written)
        fault(self)


CUSTOMER = "Contoso"


def fault(hook: FaultHook) -> None:
    try:
        raise KeyError(CUSTOMER)
    except KeyError as error:
        hook(type(error), error, error.__traceback__)


def test_a_fault_is_noted_without_names_and_told_once(qtbot: QtBot, tmp_path: Path) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    hook = Told(window, tmp_path / "log" / "headroom.log")
    fault(hook)
    assert hook.told == [tmp_path / "log" / "headroom.log"]
    text = (tmp_path / "log" / "headroom.log").read_text()
    assert text.count("KeyError\n") == 2
    assert "in fault" in text
    assert CUSTOMER not in text


def test_the_hook_takes_its_place(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    window = QWidget()
    qtbot.addWidget(window)
    hook = install_hook(window, tmp_path / "log")
    assert sys.excepthook is hook
