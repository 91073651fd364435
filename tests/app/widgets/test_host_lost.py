"""While a host is held down every panel shows what is left, or stays with what is stored."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.selection import Selection
from app.session import Session
from app.widgets.board.outage import Outage
from app.widgets.failures import FailureTable
from app.widgets.findings import FindingsPanel
from app.widgets.inspector.facts import Fact
from app.widgets.inspector.inspector import Inspector
from app.widgets.verdict import VerdictBar
from app.work import InlineWorker
from models.scenario.wording import value_text
from tests.app.sessions import Place


@pytest.fixture
def outage(qtbot: QtBot, mail_session: Session) -> Outage:
    outage = Outage(mail_session, mail_session)
    outage.is_moving_allowed = False
    return outage


def lose(outage: Outage, session: Session, host: str = "h1") -> None:
    outage.begin(host)
    session.flush()


def restore(outage: Outage, session: Session) -> None:
    outage.end()
    session.flush()


def facts(inspector: Inspector) -> list[Fact]:
    return [row.fact for row in inspector.numbers.rows if row.fact is not None]


class TestInspector:
    @pytest.fixture
    def inspector(self, place: Place, mail_session: Session, selection: Selection) -> Inspector:
        inspector = Inspector(mail_session, selection)
        place(inspector, 320, 700)
        return inspector

    def test_the_host_is_lost(
        self, inspector: Inspector, outage: Outage, mail_session: Session, selection: Selection
    ) -> None:
        selection.select("h1")
        before = inspector.head.subtitle
        lose(outage, mail_session)
        assert inspector.head.chip.word == "lost"
        assert inspector.numbers.rows == ()
        assert inspector.head.subtitle == "Mail · 8 cores · 2 VMs to restart"
        restore(outage, mail_session)
        assert inspector.head.subtitle == before
        assert inspector.head.chip.word != "lost"
        assert inspector.numbers.rows

    def test_a_survivor_takes_over(
        self, inspector: Inspector, outage: Outage, mail_session: Session, selection: Selection
    ) -> None:
        selection.select("h2")
        lose(outage, mail_session)
        assert inspector.head.subtitle == "Mail · 8 cores · 3 VMs, 2 taken over"
        ram = next(fact for fact in facts(inspector) if fact.field == "ram_pct")
        hosts = mail_session.view.prediction.hosts
        assert ram.quantity == hosts.ram_pct[hosts.index("h2")]

    def test_a_vm_says_where_it_goes_on(
        self, inspector: Inspector, outage: Outage, mail_session: Session, selection: Selection
    ) -> None:
        selection.select("m1")
        lose(outage, mail_session)
        assert inspector.head.subtitle.endswith("esx1 → esx2")
        now = mail_session.view.prediction.vms.quantity("m1", "response_ms")
        fact = next(fact for fact in facts(inspector) if fact.field == "response_ms")
        assert fact.quantity == now


def test_the_verdict_bar_speaks_of_what_is_left(
    place: Place, outage: Outage, mail_session: Session, selection: Selection
) -> None:
    window = QWidget()
    bar = VerdictBar(mail_session, parent=window, selection=selection, worker=InlineWorker(window))
    place(bar, 1350, 150)
    bar.outlook.begin()
    holds = (bar.lines.flips, bar.lines.distance)
    knobs = [nudger.accessibleName() for nudger in bar.nudges.nudgers.values()]
    lose(outage, mail_session)
    assert bar.word.text().startswith("Without esx1: ")
    assert bar.lines.flips.startswith("Without esx1: ")
    assert (bar.lines.flips, bar.lines.distance) != holds
    assert [nudger.accessibleName() for nudger in bar.nudges.nudgers.values()] == knobs
    selection.select("h1")
    restore(outage, mail_session)
    assert (bar.lines.flips, bar.lines.distance) == holds
    assert mail_session.stack.count() == 0


def test_the_failure_table_stays_and_points_at_the_host(
    place: Place, outage: Outage, mail_session: Session, selection: Selection
) -> None:
    table = FailureTable(mail_session, selection, worker=InlineWorker())
    place(table, 900, 260)
    labels = [row.label for row in table.model.rows]
    normal = table.model.rows[0].numbers
    lose(outage, mail_session)
    assert [row.label for row in table.model.rows] == labels
    assert table.model.rows[0].numbers == normal
    assert table.view.currentIndex().data() == "esx1 fails"
    restore(outage, mail_session)
    assert not table.view.currentIndex().isValid()


def test_findings_are_those_of_the_design(
    place: Place, outage: Outage, mail_session: Session, selection: Selection
) -> None:
    panel = FindingsPanel(mail_session, selection)
    place(panel, 320, 500)
    before = panel.counts.text()
    lose(outage, mail_session)
    assert panel.counts.text() == before


def test_the_words_of_a_lost_host_have_the_numbers_of_what_is_left(
    outage: Outage, mail_session: Session
) -> None:
    lose(outage, mail_session)
    lost = outage.lost
    assert lost is not None
    hosts = mail_session.view.prediction.hosts
    assert value_text(hosts.ram_pct[hosts.index("h2")], "%") in lost.words
