"""The board as a screen reader finds it: items with role, name, value, state and place."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest
import shiboken6
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.session import Session
from app.widgets.board.access import ItemAccess, children_of
from app.widgets.board.arrange import layout_board
from app.widgets.board.faces import HostFace, VmFace
from app.widgets.board.view import BoardView
from app.widgets.roles import IS_AT_SPI
from tests.app import samples
from tests.app.gestures import LEFT, at
from tests.app.sessions import session_of
from tests.app.widgets.board.boards import focus, settle, show

NAME, VALUE = QAccessible.Text.Name, QAccessible.Text.Value
DESCRIPTION = QAccessible.Text.Description


def tree(board: BoardView) -> QAccessibleInterface:
    found = QAccessible.queryAccessibleInterface(board)
    assert found is not None
    return found


def below(item: QAccessibleInterface) -> list[QAccessibleInterface]:
    return [item.child(index) for index in range(item.childCount())]


def everything(item: QAccessibleInterface) -> Iterator[QAccessibleInterface]:
    for child in below(item):
        yield child
        yield from everything(child)


def items(board: BoardView) -> list[ItemAccess]:
    """All items of the board, as one reads them."""
    return [item for item in everything(tree(board)) if isinstance(item, ItemAccess)]


def named(board: BoardView, name: str) -> QAccessibleInterface:
    return next(item for item in items(board) if item.text(NAME) == name)


def test_the_tree_holds_everything_once(board: BoardView) -> None:
    names = [item.text(NAME) for item in items(board)]
    assert names[:3] == ["Cluster Mail", "Host esx1", "VM Mail-01"]
    assert {"Host esx3", "VM Chat-08", "Pool Data 2"} <= set(names)
    assert len(names) == len(set(names)) == len(board.scene.scenario.items())


def test_roles_and_parents(board: BoardView) -> None:
    root = tree(board)
    assert root.role() == QAccessible.Role.Tree
    for item in items(board):
        assert item.role() == QAccessible.Role.TreeItem
        assert item.isValid()
        for index, child in enumerate(below(item)):
            assert child.parent() is item
            assert item.indexOfChild(child) == index
    assert [child.parent() for child in below(root)] == [root] * root.childCount()


def test_the_bar_is_the_first_child(board: BoardView) -> None:
    root = tree(board)
    bar = root.child(0)
    assert bar.object() is board.bar
    assert root.indexOfChild(bar) == 0
    assert [child.object() for child in below(bar)][:1] == [board.bar.field]
    place = board.bar.mapToGlobal(board.bar.rect().center())
    hit = root.childAt(place.x(), place.y())
    assert hit is not None
    assert hit.object() is board.bar


def test_a_host_says_its_meters_and_a_vm_its_response(board: BoardView) -> None:
    host, vm = named(board, "Host esx1"), named(board, "VM Mail-01")
    face, card = board.scene.faces.face("h1"), board.scene.faces.face("m1")
    assert isinstance(face, HostFace)
    assert isinstance(card, VmFace)
    assert f"CPU {face.meters[0].text}" in host.text(VALUE)
    assert "with the worst host lost" in host.text(VALUE)
    assert card.response in vm.text(VALUE)
    assert vm.text(DESCRIPTION).startswith("on esx1, 1,500 users")
    assert not IS_AT_SPI or card.response in vm.text(DESCRIPTION)


def test_states_follow_selection_focus_and_folding(qtbot: QtBot, board: BoardView) -> None:
    focus(qtbot, board)
    QTest.mouseClick(board.viewport(), LEFT, pos=at(board, "m1"))
    vm, host = named(board, "VM Mail-01").state(), named(board, "Host esx1").state()
    assert (bool(vm.selected), bool(vm.focused), bool(vm.expandable)) == (True, True, False)
    assert (bool(host.selected), bool(host.expandable), bool(host.expanded)) == (False, True, True)
    board.toggle_fold("h1")
    host = named(board, "Host esx1").state()
    assert (bool(host.expanded), bool(host.collapsed)) == (False, True)
    assert named(board, "Host esx1").childCount() == 0


def test_the_focus_is_where_the_keys_are(qtbot: QtBot, board: BoardView) -> None:
    focus(qtbot, board)
    QTest.mouseClick(board.viewport(), LEFT, pos=at(board, "m1"))
    QTest.keyClick(board, Qt.Key.Key_Right, Qt.KeyboardModifier.ControlModifier)
    child = tree(board).focusChild()
    assert child is not None
    assert child.text(NAME) == "VM Mail-02"


def test_places_on_the_screen(board: BoardView) -> None:
    for id in ("h1", "m1", "p1"):
        corner = board.viewport().mapToGlobal(at(board, id))
        item = next(item for item in items(board) if item.id == id)
        assert item.rect().contains(corner)
        hit = tree(board).childAt(corner.x(), corner.y())
        assert isinstance(hit, ItemAccess)
        assert hit.id == id
    far = board.viewport().mapToGlobal(QPoint(-500, -500))
    assert tree(board).childAt(far.x(), far.y()) is None


def test_what_is_folded_away_is_not_in_the_tree() -> None:
    scenario = samples.scenario()
    folded = children_of(layout_board(scenario, 900.0, folded=frozenset({"h1", "c1"})))
    assert folded["c1"] == ()
    assert folded[""] == ("c1", "m8", "p1", "p2")


def test_a_changed_scenario_changes_the_tree(
    qtbot: QtBot, board: BoardView, session: Session
) -> None:
    assert named(board, "VM Mail-01").isValid()
    session.edit(session.scenario.without(["m1"]), "Delete Mail-01")
    settle(qtbot, session)
    assert "VM Mail-01" not in [item.text(NAME) for item in items(board)]


@pytest.fixture
def active(qapp: QApplication) -> Iterator[None]:
    """As if a screen reader were listening."""
    was_active = QAccessible.isActive()
    QAccessible.setActive(True)
    yield
    QAccessible.setActive(was_active)


@pytest.mark.usefixtures("active")
def test_gestures_with_a_listener(qtbot: QtBot, board: BoardView, session: Session) -> None:
    """Events go out for focus, values, announcements; nothing of them may fail."""
    focus(qtbot, board)
    QTest.mouseClick(board.viewport(), LEFT, pos=at(board, "m1"))
    for key in (Qt.Key.Key_Right, Qt.Key.Key_M, Qt.Key.Key_Right, Qt.Key.Key_Return):
        QTest.keyClick(board, key)
        settle(qtbot, session)
    QTest.keyPress(board, Qt.Key.Key_K)
    QTest.keyRelease(board, Qt.Key.Key_K)
    assert session.stack.count() == 1


@pytest.mark.usefixtures("active")
def test_the_items_go_with_the_board(qtbot: QtBot) -> None:
    for _ in range(5):
        session = session_of(samples.scenario())
        board = show(qtbot, session)
        kept = [weakref.ref(item) for item in items(board)]
        board.close()
        board.deleteLater()
        session.deleteLater()
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        assert not shiboken6.isValid(board)
        del board, session
        gc.collect()
        assert [ref() for ref in kept] == [None] * len(kept)
