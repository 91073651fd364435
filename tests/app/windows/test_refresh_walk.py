"""From a customer's export to a proposal of what replaces his hosts, in the window: each act is a
click or some keys."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.settings import Settings
from app.windows.recommend_page import RecommendPage
from app.windows.window import MainWindow
from models.evaluate import evaluate
from models.intake.assumed import CpuUnit
from models.intake.options import DiskBasis
from models.options.judging import fits, objection
from models.options.option import MOST_HEADROOM, Option
from models.options.refresh import Refresh
from models.options.shrink import RAM_SIZES
from models.predict.prediction import Verdict
from models.scenario.growth import grown
from models.scenario.places import site_of
from models.scenario.scenario import Scenario
from tests.app.windows.whole import Answers, at_start, complete, trigger
from tests.db.importers.centres import CENTRES, HOSTS, centres

MOST_ACTS = 15
VMS = 44
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


class Hand:
    """Counts what it does."""

    def __init__(self) -> None:
        self.acts = 0

    def click(self, widget: QWidget) -> None:
        self.acts += 1
        assert widget.isEnabled()
        QTest.mouseClick(widget, Qt.MouseButton.LeftButton)

    def type(self, widget: QWidget, text: str) -> None:
        self.acts += 1
        QTest.keyClicks(widget, text)

    def act(self, window: MainWindow, id: str) -> None:
        self.acts += 1
        trigger(window, id)


@pytest.fixture
def answers() -> Answers:
    return Answers()


@pytest.fixture
def window(qtbot: QtBot, answers: Answers, tmp_path: Path) -> Iterator[MainWindow]:
    window = at_start(qtbot, Settings(tmp_path / "settings.ini"), answers)
    complete(qtbot, window)
    yield window
    if window.recommend.opened is not None:
        window.recommend.opened.close()


def imported(qtbot: QtBot, window: MainWindow, hand: Hand, folder: Path) -> Scenario:
    """The export taken over, with a rule for what nobody measured."""
    file = centres(folder / "centres.xlsx", vms=VMS)
    hand.acts += 1  # the file is chosen, or dropped
    page = window.imports.shown()
    page.bring_in((file,), "")
    qtbot.waitUntil(lambda: not page.work.is_running)
    disk = page.choosing.disk
    if disk.currentData() != DiskBasis.USED:
        hand.acts += 1
        disk.setCurrentIndex(disk.findData(DiskBasis.USED))
        qtbot.waitUntil(lambda: not page.work.is_running)
    hand.click(page.choosing.assume)
    form = page.assume.form
    hand.acts += 1
    form.cpu.unit.setCurrentIndex(form.cpu.unit.findData(CpuUnit.MHZ.value))
    hand.type(form.cpu.low, "300")
    hand.type(form.io.low, "25")
    hand.click(page.assume.assume)
    hand.acts += 1
    page.take_over()
    window.session.flush()
    return window.session.scenario


def replaced(qtbot: QtBot, window: MainWindow, hand: Hand) -> Refresh:
    hand.act(window, "recommend.open")
    page = window.recommend.opened
    assert isinstance(page, RecommendPage)
    assert page.of.currentData() == "refresh"
    page.server.show_value("dl380g10p")  # so that the test is quick
    page.array.show_value("gen-afa-mid")
    hand.click(page.go)
    qtbot.waitUntil(lambda: page._refresh is not None and not page.work.is_running)
    found = page._refresh
    assert found is not None
    hand.click(page.take)
    window.session.flush()
    return found


def holds_with(option: Option, window: MainWindow, **less: float) -> bool:
    """Whether the design would do with less memory in each host, or fewer drives in each pool."""
    there = option.scenario
    if "ram_gib" in less:
        hosts = tuple(replace(host, ram_gib=less["ram_gib"]) for host in there.hosts)
        there = replace(there, hosts=hosts)
    if "drives" in less:
        pools = tuple(replace(pool, spindles=int(less["drives"])) for pool in there.pools)
        there = replace(there, pools=pools)
    end = grown(there, there.growth.years)
    session = window.session
    found = evaluate(end, session.knowledge)
    return objection(found) is None and fits(found)


def test_a_site_is_refreshed_and_proposed(
    qtbot: QtBot, window: MainWindow, answers: Answers, tmp_path: Path
) -> None:
    hand = Hand()
    before = imported(qtbot, window, hand, tmp_path)
    assert (len(before.vms), len(before.hosts), len(before.sites)) == (VMS, HOSTS, len(CENTRES))
    found = replaced(qtbot, window, hand)
    assert len(found.parts) == len(CENTRES)
    assert found.before.drives is None  # an export says how large a data store is, not of what
    _each_is_held(window, found)
    after = window.session.scenario
    assert window.session.view.committed.verdict is Verdict.FITS
    was = {vm.id: _site(before, vm.host) for vm in before.vms}
    assert was == {vm.id: _site(after, vm.host) for vm in after.vms}
    assert len(window.board.board_layout.in_site) == len(CENTRES)
    hand.act(window, "view.fold_sites")
    assert not window.board.board_layout.hosts
    answers.path = tmp_path / "proposal.pdf"
    hand.act(window, "files.export_proposal")
    page = window.proposal.opened
    assert page is not None
    hand.acts += 1
    page.take(answers.path)
    qtbot.waitUntil(lambda: answers.path is not None and answers.path.exists())
    assert hand.acts <= MOST_ACTS


def _each_is_held(window: MainWindow, found: Refresh) -> None:
    """Each named option fits; with less memory or fewer drives those that are to be small don't.

    Of one site: sites by chance have it to themselves.
    """
    session = window.session
    for part in found.parts[:1]:
        for choice in part.choices:
            option = choice.option
            own = evaluate(option.scenario, session.knowledge)
            assert own.verdict is Verdict.FITS
            if option.names == (MOST_HEADROOM,):
                continue
            less = [size for size in RAM_SIZES if size < option.stand.ram_gib]
            if less:
                assert not holds_with(option, window, ram_gib=less[-1])
            assert option.holds is not None
            if "fewest" not in option.holds.drives:
                assert not holds_with(option, window, drives=option.disks.each - 1)


def _site(scenario: Scenario, host: str | None) -> str | None:
    return None if host is None else site_of(scenario, scenario.host(host))
