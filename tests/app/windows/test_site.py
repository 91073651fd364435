"""The customer's measurements: read from a file, taken over, put out of use, kept, asked for."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.session import Session
from app.windows.dialogs import Dialogs
from app.windows.site_page import SitePage
from models.scenario.origin import Origin
from tests.app import samples
from tests.app.sessions import session_of

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


@pytest.fixture
def session() -> Session:
    return session_of(samples.scenario())


@pytest.fixture
def page(qtbot: QtBot, session: Session, tmp_path: Path) -> Iterator[SitePage]:
    window = SitePage(session, Dialogs(None))
    qtbot.addWidget(window)
    window.show()
    yield window
    window.give_up()


@pytest.fixture
def measured(page: SitePage, session: Session, tmp_path: Path, qtbot: QtBot) -> SitePage:
    """With 60 % of CPU measured of each server."""
    servers = [{"id": vm.id, "cpu_pct": 60.0, "ram_gib": 3.0} for vm in session.scenario.vms]
    file = tmp_path / "measured.json"
    content = {"format": "headroom-measured", "version": 1, "servers": servers}
    file.write_text(json.dumps(content), encoding="utf-8")
    page.read(file)
    qtbot.waitUntil(lambda: bool(page.measured))
    return page


def test_demands_are_calibrated_put_out_of_use_and_given_back(
    measured: SitePage, session: Session
) -> None:
    assert session.scenario.policy.site is None
    measured.take_over.click()
    site = session.scenario.policy.site
    assert site is not None
    assert site.cpu_factor is not None
    assert dict(session.scenario.origins)["policy.site.cpu_factor"] is Origin.CALIBRATED
    assert not measured.take_over.isEnabled()
    measured.is_used.click()
    assert not session.scenario.policy.uses_site
    measured.take_away.click()
    assert session.scenario.policy.site is None
    for _ in range(3):
        session.stack.undo()
    assert session.scenario.policy.site is None
    assert measured.take_over.isEnabled()


def test_what_was_measured_is_kept_and_scored(measured: SitePage, session: Session) -> None:
    measured.keep.click()
    observed = session.scenario.vms[0].observed
    assert observed is not None
    assert observed.cpu_pct == 60.0
    assert not measured.keep.isEnabled()
    session.stack.undo()
    assert session.scenario.vms[0].observed is None


def test_questions_are_worked_out_for_who_looks(
    page: SitePage, qtbot: QtBot, tmp_path: Path
) -> None:
    assert page.asked is None
    page.tabs.setCurrentIndex(1)
    qtbot.waitUntil(lambda: page.asked is not None)
    assert page.asked
    page.save_request(tmp_path / "request.txt")
    assert page.asked[0].command in (tmp_path / "request.txt").read_text(encoding="utf-8")


def test_a_file_that_tells_nothing_says_so(page: SitePage, tmp_path: Path, qtbot: QtBot) -> None:
    file = tmp_path / "nothing.json"
    file.write_text("{}", encoding="utf-8")
    page.read(file)
    qtbot.waitUntil(lambda: str(file) in page.state.text())
    assert not page.take_over.isEnabled()
    assert not page.keep.isEnabled()


def test_a_server_of_another_name_is_tied_by_hand(
    page: SitePage, session: Session, tmp_path: Path, qtbot: QtBot
) -> None:
    file = tmp_path / "measured.json"
    file.write_text(json.dumps({"servers": [{"id": "old-notes", "cpu_pct": 60.0}]}))
    page.read(file)
    qtbot.waitUntil(lambda: bool(page.measured))
    assert page.tabs.isTabVisible(page.tabs.indexOf(page.ties))
    assert not page.take_over.isEnabled()
    cell = page.ties.table.item(0, 1)
    assert cell is not None
    cell.setData(Qt.ItemDataRole.UserRole, session.scenario.vms[0].name)
    assert page.take_over.isEnabled()
    page.keep.click()
    observed = session.scenario.vms[0].observed
    assert observed is not None
    assert observed.cpu_pct == 60.0
