"""The slider below the board: the whole window in the years ahead, and nothing stored of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from threading import Event

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.background import Background, Study
from app.session import Session
from app.studies import STUDIES, chance_of, years_ahead
from app.widgets.why.drawer import WhyDrawer
from app.widgets.years_ahead import YearsAhead
from app.windows.export import Export, order_of
from app.work import Context, InlineWorker
from models.evaluate import evaluate
from models.predict.predicted import NumberRef
from models.project.project import Project
from models.scenario.growth import grown
from models.scenario.scenario import Growth, Scenario
from models.uncertainty.chance import Chance
from tests.app import samples
from tests.models.worlds import KNOWLEDGE

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")

PLAN = Growth(years=3.0, users_pct=10.0)


def growing(plan: Growth = PLAN) -> Scenario:
    return replace(samples.scenario(), growth=plan)


@pytest.fixture
def session(qtbot: QtBot) -> Session:
    return Session(Project.of(growing()), KNOWLEDGE)


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
    expected = evaluate(there, KNOWLEDGE)
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
    session = Session(Project.of(growing(plan)), KNOWLEDGE)
    widget = YearsAhead(session)
    qtbot.addWidget(widget)
    assert widget.slider.maximum() == most


def test_what_is_studied_is_in_the_years_ahead_whatever_is_held(
    session: Session, ahead: YearsAhead
) -> None:
    ahead.slider.setValue(12)
    session.flush()
    there = session.view
    assert session.studied_view is there
    session.preview(session.scenario.place(["m1"], "h2"), lost="h1")
    session.flush()
    assert session.studied_view.scenario is session.studied
    found, before = session.studied_view.prediction, there.prediction
    assert (found.verdict, found.why, found.binding) == (
        before.verdict,
        before.why,
        before.binding,
    )
    assert session.studied_view.years == 1.0


def test_growth_is_studied_from_today_and_all_else_from_the_year_in_view(
    session: Session, ahead: YearsAhead
) -> None:
    """The years ahead of a year ahead would count its growth twice."""
    ahead.slider.setValue(24)
    session.flush()
    worker = InlineWorker(session)
    for of_today in (True, False):
        background = Background(session, worker, _itself, session, of_today=of_today)
        background.want(True)
        background.want(False)
        studied = session.scenario if of_today else grown(session.scenario, 2.0)
        assert background.value == studied


def test_every_study_applies_growth_once(session: Session, ahead: YearsAhead) -> None:
    """Under the slider each says of year 5 what it says of that design asked without a slider; the
    runway and a proposal say the same wherever it stands."""
    studies: dict[str, Study] = {row.title: row.study for row in STUDIES} | {"chance": chance_of}
    there = Session(Project.of(grown(session.scenario, 5.0)), KNOWLEDGE)
    today = worked_out(session, years_ahead, of_today=True)
    paper = proposed(session)
    ahead.slider.setValue(60)
    session.flush()
    assert worked_out(session, years_ahead, of_today=True) == today
    assert proposed(session) == paper
    for title, study in studies.items():
        found, expected = worked_out(session, study), worked_out(there, study)
        assert said_of(found) == said_of(expected), title


def worked_out(session: Session, study: Study, *, of_today: bool = False) -> object:
    """What a panel would show of it."""
    background = Background(session, InlineWorker(session), study, session, of_today=of_today)
    background.want(True)
    background.want(False)
    assert background.value is not None
    return background.value


def said_of(found: object) -> object:
    return found.verdicts if isinstance(found, Chance) else found


def proposed(session: Session) -> object:
    """The scenarios, and what is predicted of them, as an export takes them."""
    order = order_of(session, Export(path=Path("a.pdf")), "")
    ready = order(Context(Event(), lambda _share: None))
    return [(scenario, prediction.shown) for scenario, prediction in ready.pairs]


def test_why_explains_the_number_that_is_shown(
    qtbot: QtBot, session: Session, ahead: YearsAhead
) -> None:
    room = QWidget()
    qtbot.addWidget(room)
    drawer = WhyDrawer(session, room)
    for months, said in ((36, "In 3 years: "), (0, "")):
        ahead.slider.setValue(months)
        session.flush()
        drawer.ask(NumberRef("vms", "m1", "response_ms"))
        assert drawer.derivation is not None
        shown = session.view.prediction.vms.quantity("m1", "response_ms")
        assert drawer.derivation.quantity == shown
        assert drawer.accessibleName().startswith(f"Why: {said}")
    ahead.slider.setValue(36)
    session.flush()
    qtbot.waitUntil(lambda: drawer.is_settled)
    derivation = drawer.derivation
    assert derivation is not None
    assert derivation.quantity == session.view.prediction.vms.quantity("m1", "response_ms")


def _itself(scenario: Scenario, *_rest: object) -> Scenario:
    return scenario


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
