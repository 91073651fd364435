"""What an empty board offers is all in sight, on small boards too."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from app.widgets.board.empty import EmptyBoard
from resources.example_files import load_examples
from tests.app.sessions import Place


def is_whole(button: QPushButton) -> bool:
    return button.isVisible() and button.height() >= button.sizeHint().height()


@pytest.mark.parametrize(("width", "height"), [(780, 400), (1300, 700), (420, 520)])
def test_everything_is_in_sight(qtbot: QtBot, place: Place, width: int, height: int) -> None:
    empty = EmptyBoard([(example.id, example.title) for example in load_examples()])
    place(empty, width, height)
    buttons = empty.findChildren(QPushButton)
    qtbot.waitUntil(lambda: all(is_whole(button) for button in buttons))
    boxes = [button.geometry() for button in buttons]
    assert [box for box in boxes if not empty.rect().contains(box)] == []
    assert not any(a.intersects(b) for a in boxes for b in boxes if a is not b)


def test_the_examples_go_before_any_text_is_cut(qtbot: QtBot, place: Place) -> None:
    """Too low for all, as at 150 % on 1366 × 768; with more room they are there again."""
    empty = EmptyBoard([(example.id, example.title) for example in load_examples()])
    place(empty, 420, 210)
    buttons = empty.findChildren(QPushButton)

    def whole() -> int:
        cut = [each for each in buttons if each.isVisible() and not is_whole(each)]
        return 0 if cut else sum(each.isVisible() for each in buttons)

    qtbot.waitUntil(lambda: whole() == len(buttons) - len(load_examples()))
    empty.resize(1300, 700)
    qtbot.waitUntil(lambda: whole() == len(buttons))
