"""Admission control on screen: its arithmetic, its policy edited in place, and demand beside it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.look import LOOK
from app.qtmodels.admission import BY_DEMAND, BY_RESERVATION, COLUMNS
from app.selection import Selection
from app.session import Session
from app.theme import DARK
from app.widgets.failure.admission import CALCULATING, AdmissionPanel
from app.widgets.fields import NumberField
from app.work import InlineWorker, Job, Worker
from models.resilience.availability_study import study_availability
from models.scenario import Cluster, Host, Scenario
from tests.app.widgets.conftest import Place, two_hosts


def on_vsphere(scenario: Scenario) -> Scenario:
    hosts = tuple(replace(host, hypervisor="vsphere-4.1") for host in scenario.hosts)
    return replace(scenario, hosts=hosts)


@pytest.fixture
def panel(place: Place, mail_session: Session, selection: Selection) -> AdmissionPanel:
    mail_session.edit(on_vsphere(two_hosts()), "vSphere")
    mail_session.flush()
    panel = AdmissionPanel(mail_session, selection, worker=InlineWorker())
    place(panel, 820, 300)
    return panel


def cells(panel: AdmissionPanel) -> list[tuple[str, ...]]:
    return [row.cells for row in panel.model.rows]


def test_every_step_of_the_models_arithmetic_is_shown(
    panel: AdmissionPanel, mail_session: Session
) -> None:
    session = mail_session
    study = study_availability(session.scenario, session.catalog, session.calibration)
    check = study.admission[0].check
    assert check is not None
    assert cells(panel) == [(step.what, step.arithmetic, step.result) for step in check.steps]
    assert any("Slots of esx1" in row[0] for row in cells(panel))
    words = "allowed" if check.admitted else "refused"
    assert panel.verdict.text().startswith(f"Power-on {words}: ")
    assert BY_RESERVATION != BY_DEMAND
    assert "Worst single failure" in panel.demand_verdict.text()


@pytest.mark.parametrize("width", [640, 820, 1300])
def test_arithmetic_has_room_and_is_whole(qtbot: QtBot, panel: AdmissionPanel, width: int) -> None:
    view, rows = panel.view, range(len(panel.model.rows))

    def is_whole() -> bool:
        room, high = view.viewport().size(), [view.rowHeight(row) for row in rows]
        return (
            sum(view.columnWidth(column) for column in range(len(COLUMNS))) == room.width()
            and view.columnWidth(1) >= 0.4 * room.width() - 1
            and all(high[row] >= view.sizeHintForRow(row) for row in rows)
            and room.height() >= sum(high)
        )

    assert rows
    panel.resize(width, 300)
    qtbot.waitUntil(lambda: panel.width() == width and is_whole(), timeout=15_000)


def test_the_policy_is_edited_in_place_and_undone(
    qtbot: QtBot, panel: AdmissionPanel, mail_session: Session
) -> None:
    row = panel.fields.row("host_failures")
    before = panel.verdict.text()
    editor = row.editor
    assert isinstance(editor, NumberField)
    editor.setFocus()
    editor.selectAll()
    QTest.keyClicks(editor, "2")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    assert mail_session.scenario.clusters[0].admission.host_failures == 2
    mail_session.flush()
    qtbot.waitUntil(lambda: panel.verdict.text().startswith("Power-on refused: "))
    assert "2 configured" in panel.verdict.text()
    mail_session.stack.undo()
    mail_session.flush()
    qtbot.waitUntil(lambda: panel.verdict.text() == before)


def test_the_cluster_of_what_is_selected_is_shown(
    panel: AdmissionPanel, mail_session: Session, selection: Selection
) -> None:
    scenario = mail_session.scenario
    other = replace(scenario.hosts[0], id="h9", name="esx9", cluster="c2")
    scenario = scenario.with_item(Cluster(id="c2", name="Chat")).with_item(other)
    mail_session.edit(scenario, "Add a cluster")
    mail_session.flush()
    assert panel.cluster == "c1"
    selection.select("h9")
    assert panel.cluster == "c2"
    LOOK.use(DARK)


def test_without_a_cluster_it_says_so(panel: AdmissionPanel, mail_session: Session) -> None:
    alone = mail_session.scenario
    hosts: tuple[Host, ...] = tuple(replace(host, cluster=None) for host in alone.hosts)
    mail_session.edit(replace(alone, hosts=hosts, clusters=()), "Dissolve the cluster")
    mail_session.flush()
    assert not panel.view.isVisible()


class Held:
    """Never runs a job."""

    def start(self, job: Job, /) -> None:
        pass


def test_until_it_is_known_it_says_that_it_is_calculated(
    place: Place, mail_session: Session, selection: Selection
) -> None:
    panel = AdmissionPanel(mail_session, selection, worker=Worker(Held()))
    place(panel, 820, 300)
    assert panel.verdict.text() == CALCULATING
