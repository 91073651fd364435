"""HA alone, a Domino cluster, or both: the model's rows on screen, as long as they are true."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.qtmodels.designs import DECIDES, design_rows
from app.selection import Selection
from app.session import Session
from app.widgets.failure.designs import CALCULATING, NOTHING, TOO_MANY, DesignsPanel
from app.work import InlineWorker, Job, Worker
from models.resilience.design_words import pairing_text
from models.resilience.designs import MOST_HOSTS, compare_designs
from models.wording import THIN
from tests.app.widgets.conftest import Place, two_hosts
from tests.models.worlds import a_cluster_of


@pytest.fixture
def panel(place: Place, mail_session: Session, selection: Selection) -> DesignsPanel:
    mail_session.edit(two_hosts(), "Two hosts")
    mail_session.flush()
    panel = DesignsPanel(mail_session, selection, worker=InlineWorker())
    place(panel, 820, 300)
    return panel


def test_the_rows_are_the_models(panel: DesignsPanel, mail_session: Session) -> None:
    session = mail_session
    found = compare_designs(session.scenario, session.catalog, session.calibration)
    cells = [row.cells for row in panel.model.rows]
    assert [row[0] for row in cells] == ["HA alone", "Domino cluster", "Both"]
    assert [row[1:5] for row in cells] == [
        (
            row.normal.shown.words,
            row.worst.shown.words,
            row.downtime.label,
            row.patching.label,
        )
        for row in found
    ]
    assert panel.reading.text() == pairing_text(found, session.scenario)
    assert panel.view.isEnabled()


def test_fewer_pairs_are_named_where_there_is_no_room(
    qtbot: QtBot, panel: DesignsPanel, mail_session: Session
) -> None:
    session, scenario = mail_session, two_hosts()
    first = scenario.vms[0]
    names = [(n, host) for n in range(1, 4) for host in ("h1", "h2")]
    vms = (replace(first, id=f"{host}{n}", name=f"mail-{host}-{n}", host=host) for n, host in names)
    session.edit(replace(scenario, vms=tuple(vms)), "Three pairs")
    session.flush()
    qtbot.waitUntil(lambda: panel.reading.text().endswith(", mail-h1-3 + mail-h2-3"))
    assert panel.reading.shown == panel.reading.text()
    panel.resize(panel.reading.fontMetrics().horizontalAdvance(panel.reading.text()), 300)
    assert panel.reading.shown.endswith(", mail-h1-2 + mail-h2-2 and 1 more")


def test_what_only_may_pass_its_limit_says_how_far_it_reaches(mail_session: Session) -> None:
    session, pair = mail_session, a_cluster_of(2, vms=2, users=1800.0, vcpus=1)
    rows = design_rows(compare_designs(pair, session.catalog, session.calibration), pair)
    texts = [row.cells[DECIDES].replace(THIN, " ") for row in rows]
    assert texts[0] == "H1 gone: CPU about 26 %, limit 70 %"
    assert texts[1] == "H1 gone: CPU may reach 71 %, limit 70 %"


def test_partners_made_up_and_servers_without_one_are_named(mail_session: Session) -> None:
    session, scenario = mail_session, two_hosts()
    first = scenario.vms[0]
    pair = replace(
        scenario,
        vms=(
            replace(first, id="a", name="A", host="h1"),
            replace(first, id="b", name="B", host="h2"),
        ),
    )
    found = compare_designs(pair, session.catalog, session.calibration)
    assert "assumed: A + B" in pairing_text(found, pair)
    alone = replace(pair, vms=pair.vms[:1])
    found = compare_designs(alone, session.catalog, session.calibration)
    assert "no partner on another host for A" in pairing_text(found, alone)


def test_a_click_selects_the_host_whose_loss_is_worst(
    panel: DesignsPanel, selection: Selection
) -> None:
    row = panel.model.rows[0].value
    at = panel.view.visualRect(panel.model.index(0, 0)).center()
    QTest.mouseClick(panel.view.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert selection.current == row.worst_host


def test_without_domino_or_with_too_many_hosts_it_says_so(
    panel: DesignsPanel, mail_session: Session, qtbot: QtBot
) -> None:
    scenario = mail_session.scenario
    mail_session.edit(replace(scenario, vms=()), "Empty")
    mail_session.flush()
    qtbot.waitUntil(lambda: not panel.model.rows, timeout=15_000)
    assert panel._empty.text == NOTHING
    first = scenario.hosts[0]
    many = tuple(replace(first, id=f"x{n}", name=f"x{n}") for n in range(MOST_HOSTS))
    mail_session.edit(replace(scenario, hosts=(*scenario.hosts, *many)), "Many")
    mail_session.flush()
    qtbot.waitUntil(lambda: panel._empty.text == TOO_MANY, timeout=15_000)


class Held:
    """Never runs a job."""

    def start(self, job: Job, /) -> None:
        pass


def test_until_it_is_worked_out_it_says_so(
    place: Place, mail_session: Session, selection: Selection
) -> None:
    panel = DesignsPanel(mail_session, selection, worker=Worker(Held()))
    place(panel, 820, 300)
    assert panel.is_calculating
    assert panel._empty.text == CALCULATING
