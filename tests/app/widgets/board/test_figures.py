"""A click on a number of a card asks for the evidence of this very number."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.session import Session
from app.widgets.board.cards import Response, parts
from app.widgets.board.face_meters import vcpu_meter
from app.widgets.board.figures import HOST_FIELDS, POOL_FIELDS, number_at
from app.widgets.board.view import BoardView
from app.widgets.meters import Meter
from models.explain.derivation import explain
from models.predict.predicted import NumberRef
from models.scenario.scenario import Policy
from models.scenario.wording import ENGLISH
from tests.app.gestures import LEFT, PLAIN, at, press, release

LABELS = {
    "cpu_pct": "CPU",
    "ram_pct": "RAM",
    "vcpus_per_core": "vCPUs/core",
    "network_pct": "Network",
    "iops": "IOPS",
    "utilisation_pct": "Disks busy",
    "capacity_pct": "Space",
    "latency_ms": "Disk latency",
}


def place_of(board: BoardView, id: str, label: str) -> QPoint:
    """The middle of a meter's track, or of the response time, in the viewport."""
    box = board.board_layout.box(id)
    assert box is not None
    face = board.scene.faces.face(id)
    for part in parts(face, QRectF(*box), board.board_layout.scale):
        is_meter = isinstance(part.value, Meter) and part.value.label == label
        if is_meter or (label == "response" and isinstance(part.value, Response)):
            middle = QPointF(part.rect.center().x(), part.rect.bottom() - 3)
            return (middle - board.camera.offset).toPoint()
    raise AssertionError(f"{id} shows no {label}")


def asked(qtbot: QtBot, board: BoardView, id: str, label: str) -> list[object]:
    board.reveal(id)
    with qtbot.waitSignal(board.why_requested) as signal:
        QTest.mouseClick(board.viewport(), LEFT, PLAIN, place_of(board, id, label))
    return list(signal.args or [])


@pytest.mark.parametrize("field", HOST_FIELDS)
def test_each_meter_of_a_host(qtbot: QtBot, board: BoardView, field: str) -> None:
    assert asked(qtbot, board, "h1", LABELS[field]) == ["h1", field]


@pytest.mark.parametrize("field", POOL_FIELDS)
def test_each_meter_of_a_pool(qtbot: QtBot, board: BoardView, field: str) -> None:
    pool = board.scene.scenario.pools[0].id
    assert asked(qtbot, board, pool, LABELS[field]) == [pool, field]


@pytest.mark.parametrize(("label", "field"), [("CPU", "cpu_pct"), ("response", "response_ms")])
def test_the_numbers_of_a_vm(qtbot: QtBot, board: BoardView, label: str, field: str) -> None:
    assert asked(qtbot, board, "m1", label) == ["m1", field]


def test_the_number_behind_the_mark_is_that_of_the_failure(board: BoardView) -> None:
    face, scale = board.scene.faces.face("h1"), board.board_layout.scale
    box = board.board_layout.box("h1")
    assert box is not None
    card = QRectF(*box)
    row = next(part.rect for part in parts(face, card, scale) if isinstance(part.value, Meter))
    beside = row.left() + 0.6 * row.width()
    assert number_at(face, card, scale, beside, row.top() + 8) == "failure_cpu_pct"
    assert number_at(face, card, scale, beside, row.top() + 22) == "cpu_pct"


def test_every_number_on_the_board_has_evidence(board: BoardView, session: Session) -> None:
    scenario, prediction = session.scenario, session.view.prediction
    asked = [NumberRef("vms", scenario.vms[0].id, field) for field in ("cpu_pct", "response_ms")]
    asked += [NumberRef("hosts", "h1", field) for field in (*HOST_FIELDS, "failure_cpu_pct")]
    asked += [NumberRef("pools", scenario.pools[0].id, field) for field in POOL_FIELDS]
    for each in asked:
        found = explain(each, scenario, session.knowledge, prediction)
        assert found.root is not None or found.reason


def test_a_name_asks_nothing_and_selects(qtbot: QtBot, board: BoardView) -> None:
    with qtbot.assertNotEmitted(board.why_requested):
        QTest.mouseClick(board.viewport(), LEFT, PLAIN, at(board, "h1"))


def test_what_was_dragged_or_added_was_not_asked_about(qtbot: QtBot, board: BoardView) -> None:
    spot = place_of(board, "m1", "response")
    with qtbot.assertNotEmitted(board.why_requested):
        QTest.mouseClick(board.viewport(), LEFT, Qt.KeyboardModifier.ControlModifier, spot)
        press(board, "m2")
        for step in (QPoint(30, 30), QPoint(0, 0)):
            QTest.mouseMove(board.viewport(), spot + step)
        release(board, spot)


def test_the_pointer_says_that_a_number_can_be_asked(board: BoardView) -> None:
    QTest.mouseMove(board.viewport(), place_of(board, "h1", "RAM"))
    assert board.viewport().cursor().shape() is Qt.CursorShape.PointingHandCursor
    QTest.mouseMove(board.viewport(), at(board, "h1"))
    assert board.viewport().cursor().shape() is Qt.CursorShape.ArrowCursor


def test_a_vm_that_stands_nowhere_has_no_number(board: BoardView, session: Session) -> None:
    scenario = session.scenario
    session.edit(scenario.with_item(replace(scenario.vm("m1"), host=None)), "Take it off")
    session.flush()
    face, box = board.scene.faces.face("m1"), board.board_layout.box("m1")
    assert box is not None
    found = {
        number_at(face, QRectF(*box), board.board_layout.scale, box.x + dx, box.y + dy)
        for dx in range(0, round(box.w), 5)
        for dy in range(0, round(box.h), 5)
    }
    assert found == {None}


def test_few_vcpus_on_many_cores_are_not_none() -> None:
    assert vcpu_meter(2 / 64, Policy(), ENGLISH).text == "0.03"
    assert vcpu_meter(0.25, Policy(), ENGLISH).text == "0.25"
    assert vcpu_meter(0.5, Policy(), ENGLISH).text == "0.5"
    assert vcpu_meter(0.0, Policy(), ENGLISH).text == "0.0"
