"""The inspector's head, the way from a number to its evidence, and many items at once."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.selection import Selection
from app.session import Session
from app.widgets.fields.line import MIXED
from app.widgets.fields.number import NumberField
from app.widgets.inspector.inspector import Inspector
from models.scenario.inputs import with_origin
from models.scenario.origin import Origin
from models.scenario.scenario import Vm
from models.scenario.wording import THIN
from tests.app.sessions import Place, session_of, two_hosts

LONG = "Regional mail servers of the northern division after the move, second variant"


@pytest.fixture
def inspector(place: Place, mail_session: Session, selection: Selection) -> Inspector:
    inspector = Inspector(mail_session, selection)
    place(inspector, 300, 700)
    return inspector


def test_a_long_name_ends_in_an_ellipsis_and_is_whole_as_the_tool_tip(
    qtbot: QtBot, inspector: Inspector, mail_session: Session
) -> None:
    name = inspector.head.name
    short = name.grab().toImage()
    mail_session.edit(replace(mail_session.scenario, name=LONG), "Rename")
    mail_session.flush()
    inspector.page.setFocus()  # type: ignore[union-attr]
    name.clearFocus()
    assert name.text() == name.toolTip() == LONG
    at_rest = name.grab().toImage()
    assert at_rest != short
    name.setFocus()
    qtbot.waitUntil(name.hasFocus)
    assert name.grab().toImage() != at_rest


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_the_scenario_says_how_much_of_its_load_is_known(
    inspector: Inspector, mail_session: Session, selection: Selection
) -> None:
    line = inspector.head.coverage
    assert line.isVisibleTo(inspector)
    assert line.text == "No load figure is from the customer yet"
    said = mail_session.scenario
    for id in ("m1", "m2", "m3"):
        said = said.edit(
            Vm,
            id,
            lambda vm: with_origin(
                vm, Origin.CUSTOMER, "workload.active_users", "workload.release"
            ),
        )
    mail_session.edit(said, "Say so")
    mail_session.flush()
    assert "6 of 17 inputs" in line.accessibleName()
    assert line.text == "6 of 17 load figures are from the customer"
    QApplication.sendEvent(line, QHelpEvent(QEvent.Type.ToolTip, QPoint(2, 2), QPoint(2, 2)))
    assert "6 customer said" in line.toolTip()
    assert "how wrong the model is, is another matter" in line.toolTip()
    selection.select("m1")
    assert not line.isVisibleTo(inspector)


@pytest.mark.parametrize("key", [Qt.Key.Key_E, Qt.Key.Key_Return, Qt.Key.Key_Space])
def test_a_number_asks_for_its_evidence_by_ids(
    qtbot: QtBot, inspector: Inspector, selection: Selection, key: Qt.Key
) -> None:
    selection.select("h1")
    row = inspector.numbers.rows[0]
    with qtbot.waitSignal(inspector.why_requested) as asked:
        QTest.keyClick(row, key)
    assert asked.args == ["h1", "cpu_pct"]


@pytest.mark.parametrize("id", ["m1", "h1", "p1", "c1"])
def test_every_number_has_a_basis_and_a_name(
    inspector: Inspector, selection: Selection, id: str
) -> None:
    selection.select(id)
    facts = [row.fact for row in inspector.numbers.rows if row.fact is not None]
    assert facts
    assert len({fact.field for fact in facts}) == len(facts)
    assert all(fact.quantity.basis.label for fact in facts)


def test_twenty_vms_at_once(place: Place, qtbot: QtBot, selection: Selection) -> None:
    session = session_of(two_hosts(vms=20))
    inspector = Inspector(session, selection)
    place(inspector, 300, 700)
    scenario = session.scenario.edit(Vm, "m7", lambda vm: replace(vm, ram_gib=3.5))
    session.edit(scenario, "prepare")
    session.flush()
    selection.set(vm.id for vm in scenario.vms)
    assert inspector.title == "20 VMs"
    assert inspector.page is not None
    field = inspector.page.row("ram_gib").editor
    assert isinstance(field, NumberField)
    assert (field.text(), field.placeholderText()) == ("", MIXED)
    field.setFocus()
    QTest.keyClicks(field, "4")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert {vm.ram_gib for vm in session.scenario.vms} == {4.0}
    assert session.stack.undoText() == f"Set 20 VMs RAM to 4{THIN}GiB"
    session.flush()
    assert field.text() == "4"
    session.stack.undo()
    session.flush()
    assert {vm.ram_gib for vm in session.scenario.vms} == {7.25, 3.5}
    session.deleteLater()
