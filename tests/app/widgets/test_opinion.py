"""The second opinion in the window: worked out when it is looked at, given up when nobody does."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from app.selection import Selection
from app.session import Session
from app.widgets.charts_panel import ChartsPanel
from app.widgets.evidence.opinion_tab import OpinionTab
from app.widgets.sections.table import SectionTable, TableView
from app.work import Cancelled, Context, InlineWorker, Job, Worker
from models.scenario.scenario import Vm
from models.second_opinion.opinion import second_opinion
from models.tell.second_opinion import opinion_sections
from tests.app.sessions import Place


class Shelf:
    """A pool that keeps jobs until they are run by hand."""

    def __init__(self) -> None:
        self.jobs: list[Job] = []

    def start(self, job: Job, /) -> None:
        self.jobs.append(job)


@pytest.fixture
def tab(place: Place, mail_session: Session) -> OpinionTab:
    tab = OpinionTab(mail_session, InlineWorker(mail_session))
    place(tab, 900, 400)
    return tab


def tables(tab: OpinionTab) -> list[SectionTable]:
    return [view.table for view in tab.view.findChildren(TableView)]


def test_every_server_has_its_row_and_its_reason(tab: OpinionTab, mail_session: Session) -> None:
    session = mail_session
    opinion = second_opinion(session.scenario, session.knowledge)
    assert tab.view.sections == opinion_sections(opinion, session.scenario)
    responses, parts = tables(tab)
    assert [row.words[0] for row in responses.rows] == [vm.name for vm in session.scenario.vms]
    assert len(parts.rows) == 2 * len(responses.rows)
    said = "\n".join(label.text() for label in tab.view.findChildren(QLabel))
    assert "3 classes of users" in said
    assert not tab.progress.isVisible()
    assert not tab.stop.isVisible()


def test_it_follows_the_scenario(qtbot: QtBot, tab: OpinionTab, mail_session: Session) -> None:
    before = tables(tab)[0].rows[0].words

    def busier(vm: Vm) -> Vm:
        return replace(vm, workload=replace(vm.workload, active_users=2300.0))

    scenario = mail_session.scenario.edit(Vm, "m1", busier)
    mail_session.edit(scenario, "Users")
    qtbot.waitUntil(lambda: tables(tab)[0].rows[0].words != before)
    assert not tab.progress.isVisible()


def test_it_can_be_stopped_and_begun_again(place: Place, mail_session: Session) -> None:
    shelf = Shelf()
    tab = OpinionTab(mail_session, Worker(shelf, mail_session))
    place(tab, 900, 400)
    assert tab.progress.isVisible()
    assert tab.stop.text() == "Stop"
    tab.stop.click()
    assert tab.stop.text() == "Try again"
    assert "has not been solved" in tab.empty.text
    shelf.jobs.pop().run()
    assert not tab.view.sections
    tab.stop.click()
    shelf.jobs.pop().run()
    assert len(tables(tab)[0].rows) == 3


def test_nobody_looks_nothing_is_solved(place: Place, mail_session: Session) -> None:
    shelf = Shelf()
    tab = OpinionTab(mail_session, Worker(shelf, mail_session))
    place(tab, 900, 400)
    tab.hide()
    shelf.jobs.pop().run()
    assert not tab.view.sections


def test_the_work_stops_at_its_next_step(mail_session: Session) -> None:
    import threading

    from app.opinion import asked

    cancel, told = threading.Event(), list[float]()

    def report(share: float) -> None:
        told.append(share)
        cancel.set()

    context = Context(cancel, report)
    session = mail_session
    with pytest.raises(Cancelled):
        asked(session.scenario, session.knowledge, context)
    assert len(told) == 1


def test_the_chart_says_it_beside_the_line_when_asked(
    qtbot: QtBot, place: Place, mail_session: Session, selection: Selection
) -> None:
    panel = ChartsPanel(mail_session, selection, worker=InlineWorker(mail_session))
    place(panel, 900, 260)
    page = panel.curve
    qtbot.waitUntil(lambda: page.chart is not None)
    assert not page.opinion.isVisible()
    page.opinion_button.click()
    assert page.opinion.isVisible()
    assert page.opinion.text().startswith("network of queues: ")
    assert page.opinion.toolTip()
    selection.select("h1")
    page.opinion_button.click()
    assert not page.opinion.isVisible()
