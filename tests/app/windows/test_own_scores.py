"""Own servers and a registry of scores in the window: shown first, taken over as one step."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from app.session import Session
from app.windows.dialogs import Dialogs
from app.windows.own_scores import OwnServersPanel, RegistryPanel
from app.windows.site_page import SitePage
from models.scenario.origin import Origin
from models.scenario.scenario import LoadBasis
from tests.app import samples
from tests.app.sessions import session_of

TABLE = """name,kind,active_users,registered_users,mail_file_mb,release,host,server,hypervisor,\
host_ram_gib,vcpus,ram_gib,measured_cpu_pct,wing
Mail-01,domino-nrpc,300,900,250,12.0.2,esx-1,r740-6148,7.0,256,4,32,60,west
Mail-02,domino-nrpc,200,700,250,12.0.2,esx-1,r740-6148,7.0,256,4,32,45,east
"""

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


class Places(Dialogs):
    """Answers with a path, and keeps what is shown as a problem."""

    def __init__(self, path: Path) -> None:
        super().__init__(None)
        self.path, self.problems = path, list[str]()

    def open_file(self, title: str, folder: Path, filter: str) -> Path | None:
        return self.path

    def save_file(self, title: str, proposed: Path, filter: str, ending: str) -> Path | None:
        return self.path

    def show_problem(self, text: str, *_more: object) -> None:
        self.problems.append(text)


@pytest.fixture
def session() -> Session:
    scenario = samples.scenario()
    policy = replace(scenario.policy, load_basis=LoadBasis.PRODUCTION)
    return session_of(replace(scenario, policy=policy))


@pytest.fixture
def page(qtbot: QtBot, session: Session, tmp_path: Path) -> Iterator[SitePage]:
    window = SitePage(session, Places(tmp_path / "file"))
    qtbot.addWidget(window)
    window.show()
    yield window
    window.give_up()


def words(panel: OwnServersPanel | RegistryPanel) -> str:
    """What the sections of a panel say."""
    said = " ".join(label.text() for label in panel.view.findChildren(QLabel))
    return " ".join(said.split())


@pytest.fixture
def predicted(page: SitePage, tmp_path: Path, qtbot: QtBot) -> SitePage:
    """With a table of two servers that take more CPU than they are said to."""
    (tmp_path / "servers.csv").write_text(TABLE, encoding="utf-8")
    page.own_servers.read(tmp_path / "servers.csv")
    qtbot.waitUntil(lambda: "2 servers of 1 project" in words(page.own_servers))
    return page


def test_own_servers_show_errors_and_what_they_would_change(predicted: SitePage) -> None:
    told = words(predicted.own_servers)
    assert "the model never saw what was measured of it" in told
    assert "wing" in told
    assert "What it would change, in production" in told
    assert predicted.own_servers.take.isEnabled()


def test_they_are_taken_over_as_one_step_and_given_back(
    predicted: SitePage, session: Session
) -> None:
    panel = predicted.own_servers
    panel.take.click()
    site = session.scenario.policy.site
    assert site is not None
    assert (site.cpu_factor or 0.0) > 1.0
    assert dict(session.scenario.origins)["policy.site.cpu_factor"] is Origin.MANUAL
    assert not panel.take.isEnabled()
    assert panel.why_not.text()
    session.stack.undo()
    assert session.scenario.policy.site is None
    assert panel.take.isEnabled()
    assert not panel.why_not.text()


def test_servers_of_another_basis_change_nothing_here(predicted: SitePage, qtbot: QtBot) -> None:
    panel = predicted.own_servers
    panel.basis.setCurrentIndex(panel.basis.findData(LoadBasis.BENCHMARK.value))
    qtbot.waitUntil(lambda: "benchmark users times" in words(panel))
    assert not panel.take.isEnabled()
    assert "same basis" in panel.why_not.text()


def test_a_table_that_is_none_is_refused(page: SitePage, tmp_path: Path, qtbot: QtBot) -> None:
    (tmp_path / "x.csv").write_text("a,b\n1,2\n", encoding="utf-8")
    page.own_servers.read(tmp_path / "x.csv")
    qtbot.waitUntil(lambda: "x.csv" in page.state.text())
    assert not page.own_servers.take.isEnabled()


def test_the_template_is_a_table_that_is_read(page: SitePage, tmp_path: Path, qtbot: QtBot) -> None:
    page.own_servers.template.click()
    page.own_servers.read(tmp_path / "file")
    qtbot.waitUntil(lambda: "the model never saw" in words(page.own_servers))


def test_a_score_is_added_kept_without_names_and_read_again(
    page: SitePage, session: Session, tmp_path: Path, qtbot: QtBot
) -> None:
    panel = page.registry
    assert not panel.add.isEnabled()
    assert not panel.save.isEnabled()
    servers = [{"id": vm.id, "cpu_pct": 60.0} for vm in session.scenario.vms]
    content = {"format": "headroom-measured", "version": 1, "servers": servers}
    (tmp_path / "measured.json").write_text(json.dumps(content), encoding="utf-8")
    page.read(tmp_path / "measured.json")
    qtbot.waitUntil(lambda: bool(page.measured))
    panel.add.click()
    panel.add.click()
    assert len(panel.projects) == 1
    assert "1 project scored." in words(panel)
    assert panel.take.isEnabled()
    panel.save.click()
    kept = (tmp_path / "file").read_text(encoding="utf-8")
    assert session.scenario.vms[0].name not in kept
    panel.projects = ()
    panel.open.click()
    assert len(panel.projects) == 1
    panel.take.click()
    assert session.scenario.policy.site is not None


def test_what_is_no_registry_is_said_and_nothing_is_lost(page: SitePage, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("[]", encoding="utf-8")
    page.registry.open.click()
    dialogs = page._dialogs
    assert isinstance(dialogs, Places)
    assert dialogs.problems
    assert not page.registry.projects
