"""The binding that is installed is sound: PySide6 6.12.0 on Python 3.11 is not."""

from __future__ import annotations

import sys

from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

CALLS = 1_000
NOISE = CALLS // 10


def test_calls_that_return_nothing_keep_the_count_of_none(qtbot: QtBot) -> None:
    """The faulty binding loses one reference to None a call and aborts after some 5,000 calls.

    From Python 3.12 on None is immortal and its count a constant.
    """
    label = QLabel()
    qtbot.addWidget(label)
    before = sys.getrefcount(None)
    for _ in range(CALLS):
        label.setText("text")
    assert abs(sys.getrefcount(None) - before) < NOISE
