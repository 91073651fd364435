"""The slider below the board: the whole window in the years ahead, and nothing stored of it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.session import Session
from app.widgets.years_ahead import YearsAhead
from models.evaluate import evaluate
from models.growth import grown
from models.project import Project
from models.scenario import Growth, Scenario
from tests.app import samples
from tests.models.worlds import CALIBRATION, CATALOG

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")

PLAN = Growth(years=3.0, users_pct=10.0)


def growing(plan: Growth = PLAN) -> Scenario:
    return replace(samples.scenario(), growth=plan)


@pytest.fixture
def session(qtbot: QtBot) -> Session:
    return Session(Project.of(growing()), CATALOG, CALIBRATION)


@pytest.fixture
def ahead(qtbot: QtBot, session: Session) -> YearsAhead:
    widget = YearsAhead(session)
    qtbot.addWidget(widget)
    widget.show()
    return widget


def test_the_window_shows_the_grown_design_and_the_history_is_untouched(
    session: Session, ahead: YearsAhead
) -> None:
    ahead.slider.setValue(27)
    session.flush()
    there = grown(session.scenario, 2.25)
    assert session.view.scenario == there
    expected = evaluate(there, CATALOG, CALIBRATION)
    assert session.view.prediction.shown == expected.shown
    assert session.view.is_preview
    assert not session.view.is_dragged
    assert not session.is_modified
    assert session.stack.count() == 0
    assert ahead.label.text().startswith("in 2 years and 3 months: ")
    ahead.today.click()
    session.flush()
    assert not session.view.is_preview
    assert ahead.label.text().startswith("today: ")


def test_edits_are_of_today_while_the_years_stay(session: Session, ahead: YearsAhead) -> None:
    ahead.slider.setValue(12)
    session.change(lambda s: s.place(["m1"], "h2"), "Move")
    session.flush()
    assert session.view.today is session.scenario
    assert session.view.scenario == grown(session.scenario, 1.0)
    assert session.scenario.vm("m1").workload == growing().vm("m1").workload


def test_what_is_tried_is_tried_in_the_years_ahead(session: Session, ahead: YearsAhead) -> None:
    ahead.slider.setValue(12)
    tried = session.scenario.place(["m1"], "h2")
    session.preview(tried)
    session.flush()
    assert session.view.is_dragged
    assert session.view.today is tried
    assert session.view.scenario == grown(tried, 1.0)
    session.preview(tried, lost="h1")
    session.flush()
    assert session.view.scenario is tried
    assert not session.view.years
    session.clear_preview()
    session.flush()
    assert session.view.years == 1.0


def test_keys_go_by_months_and_years(session: Session, ahead: YearsAhead) -> None:
    QTest.keyClick(ahead.slider, Qt.Key.Key_Right)
    QTest.keyClick(ahead.slider, Qt.Key.Key_PageUp)
    assert session.years == 13 / 12


@pytest.mark.parametrize(("plan", "most"), [(PLAN, 60), (replace(PLAN, years=8.0), 96)])
def test_five_years_or_what_is_planned(qtbot: QtBot, plan: Growth, most: int) -> None:
    session = Session(Project.of(growing(plan)), CATALOG, CALIBRATION)
    widget = YearsAhead(session)
    qtbot.addWidget(widget)
    assert widget.slider.maximum() == most


def test_without_a_plan_there_is_today_alone(session: Session, ahead: YearsAhead) -> None:
    ahead.slider.setValue(12)
    session.change(lambda s: replace(s, growth=Growth()), "No growth")
    session.flush()
    session.flush()
    assert ahead.isHidden()
    assert not session.view.is_preview


def test_another_project_begins_today(session: Session, ahead: YearsAhead) -> None:
    ahead.slider.setValue(12)
    session.open(Project.of(growing()), None)
    session.flush()
    assert ahead.months == 0
    assert not session.view.is_preview
