"""The second opinion in the window: worked out when it is looked at, given up when nobody does."""

from __future__ import annotations

from dataclasses import replace

import pytest
from pytestqt.qtbot import QtBot

from app.selection import Selection
from app.session import Session
from app.widgets.charts_panel import ChartsPanel
from app.widgets.evidence.opinion_tab import OpinionTab, details, opinion_row
from app.work import Cancelled, Context, InlineWorker, Job, Worker
from models.marks import ENGLISH, GERMAN
from models.scenario import Vm
from models.second_opinion.opinion import second_opinion
from tests.app.widgets.conftest import Place


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


def test_every_server_has_its_row_and_the_chosen_one_its_reason(
    tab: OpinionTab, mail_session: Session
) -> None:
    rows = tab.view.table.rows
    assert [row.cells[0] for row in rows] == [vm.name for vm in mail_session.scenario.vms]
    assert tab.headline.text()
    assert "3 classes of users" in tab.below.text()
    assert "Shown:" in tab.words.text()
    assert not tab.progress.isVisible()
    assert not tab.stop.isVisible()
    tab.view.choose("m3")
    assert tab.words.text() == details(rows[2].value, ENGLISH)


def test_it_follows_the_scenario(qtbot: QtBot, tab: OpinionTab, mail_session: Session) -> None:
    before = [row.value.network_ms for row in tab.view.table.rows]

    def busier(vm: Vm) -> Vm:
        return replace(vm, workload=replace(vm.workload, active_users=4000.0))

    scenario = mail_session.scenario.edit(Vm, "m1", busier)
    mail_session.edit(scenario, "Users")
    rows = tab.view.table
    qtbot.waitUntil(lambda: bool(rows.rows) and rows.rows[0].value.network_ms > before[0])
    assert not tab.progress.isVisible()


def test_it_can_be_stopped_and_begun_again(place: Place, mail_session: Session) -> None:
    shelf = Shelf()
    tab = OpinionTab(mail_session, Worker(shelf, mail_session))
    place(tab, 900, 400)
    assert tab.progress.isVisible()
    assert tab.stop.text() == "Stop"
    tab.stop.click()
    assert tab.stop.text() == "Try again"
    assert "has not been solved" in tab.headline.text()
    shelf.jobs.pop().run()
    assert not tab.view.table.rows
    tab.stop.click()
    shelf.jobs.pop().run()
    assert len(tab.view.table.rows) == 3


def test_nobody_looks_nothing_is_solved(place: Place, mail_session: Session) -> None:
    shelf = Shelf()
    tab = OpinionTab(mail_session, Worker(shelf, mail_session))
    place(tab, 900, 400)
    tab.hide()
    shelf.jobs.pop().run()
    assert not tab.view.table.rows


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
        asked(session.scenario, session.catalog, session.calibration, context)
    assert len(told) == 1


def test_rows_are_said_with_the_marks_of_a_language(mail_session: Session) -> None:
    session = mail_session
    opinion = second_opinion(session.scenario, session.catalog, session.calibration)
    row = opinion_row(opinion.servers[0], {"m1": "Mail-01"}, GERMAN)
    assert "," in row.cells[4]
    assert "," in row.cells[3]


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
