"""What an empty board offers is all in sight, on small boards too."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from app.theme import LIGHT
from app.widgets.board.empty import EmptyBoard
from resources.example_files import load_examples
from tests.app.widgets.conftest import Place


@pytest.mark.parametrize(("width", "height"), [(780, 280), (1300, 700), (420, 330)])
def test_everything_is_in_sight(qtbot: QtBot, place: Place, width: int, height: int) -> None:
    empty = EmptyBoard([(example.id, example.title) for example in load_examples()])
    empty.set_theme(LIGHT)
    place(empty, width, height)
    buttons = empty.findChildren(QPushButton)
    qtbot.waitUntil(lambda: all(button.height() >= 16 for button in buttons))
    boxes = [button.geometry() for button in buttons]
    assert [box for box in boxes if not empty.rect().contains(box)] == []
    assert not any(a.intersects(b) for a in boxes for b in boxes if a is not b)
