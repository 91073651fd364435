"""Admission control on screen: its arithmetic, its policy edited in place, and demand beside it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from app.look import LOOK
from app.selection import Selection
from app.session import Session
from app.theme import DARK
from app.widgets.failure.admission import NO_CLUSTER, AdmissionPanel
from app.widgets.fields.number import NumberField
from app.work import InlineWorker
from models.resilience.availability_study import study_availability
from models.scenario.scenario import Cluster, Host, Scenario
from models.tell.availability import admission_sections, demand_section
from tests.app.sessions import Place, two_hosts


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


def said(panel: AdmissionPanel) -> str:
    return "\n".join(each.text() for each in panel.view.findChildren(QLabel))


def test_every_step_of_the_models_arithmetic_is_shown(
    panel: AdmissionPanel, mail_session: Session
) -> None:
    session = mail_session
    study = study_availability(session.scenario, session.knowledge)
    demand = demand_section(session.scenario, session.view.prediction, "c1")
    assert panel.view.sections == (*admission_sections(study.admission, session.scenario), demand)
    words = "Power-on allowed" if study.admission[0].admitted else "Power-on refused"
    assert words in said(panel)
    assert "Worst failure of a single host" in said(panel)


def test_the_policy_is_edited_in_place_and_undone(
    qtbot: QtBot, panel: AdmissionPanel, mail_session: Session
) -> None:
    row = panel.fields.row("admission.host_failures")
    before = said(panel)
    editor = row.editor
    assert isinstance(editor, NumberField)
    editor.setFocus()
    editor.selectAll()
    QTest.keyClicks(editor, "2")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    assert mail_session.scenario.clusters[0].admission.host_failures == 2
    mail_session.flush()
    qtbot.waitUntil(lambda: "Power-on refused" in said(panel))
    assert "2 configured" in said(panel)
    mail_session.stack.undo()
    mail_session.flush()
    qtbot.waitUntil(lambda: said(panel) == before)


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


def test_without_a_cluster_it_says_so(
    qtbot: QtBot, panel: AdmissionPanel, mail_session: Session
) -> None:
    alone = mail_session.scenario
    hosts: tuple[Host, ...] = tuple(replace(host, cluster=None) for host in alone.hosts)
    mail_session.edit(replace(alone, hosts=hosts, clusters=()), "Dissolve the cluster")
    mail_session.flush()
    assert not panel.chooser.isVisible()
    qtbot.waitUntil(lambda: panel.empty.isVisible() and panel.empty.text == NO_CLUSTER)
