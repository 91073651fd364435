"""What holds for every test of a whole window."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtGui import QGuiApplication, QImage
from pytestqt.qtbot import QtBot

from app import outlook
from app.calibrated import shipped_validation
from app.settings import Settings
from app.theme import Theme
from app.widgets.board.picture import board_picture
from app.windows.window import MainWindow
from models.evaluate import evaluate
from models.evidence.knowledge import Knowledge
from models.options.totals import first_design
from models.predict.prediction import Prediction
from models.project.project import Project
from models.scenario.scenario import Scenario
from models.scenario.wording import Style
from models.studies.curves import response_curve
from tests.app import samples
from tests.app.kept import kept
from tests.app.windows.whole import (
    NEVER_MS,
    WITH_CHARTS,
    Answers,
    forget_changes,
    made,
    wait_for_charts,
)


@pytest.fixture(autouse=True)
def collected(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The start of a program keeps its window from being garbage ever: that of a test is, at its
    end."""
    monkeypatch.setattr(gc, "freeze", lambda: None)
    yield
    gc.enable()


@pytest.fixture(autouse=True)
def no_outlook(monkeypatch: pytest.MonkeyPatch) -> None:
    """How far the verdict holds is not worked out by itself.

    An InlineWorker would stop the window for it in the midst of a test, once the window rests;
    and it takes longer than most of these tests. `test_outlook.py` has it to itself.
    """
    monkeypatch.setattr(outlook, "REST_MS", NEVER_MS)


@pytest.fixture(autouse=True)
def accuracy(monkeypatch: pytest.MonkeyPatch) -> None:
    """The model is validated once in a process; `tests/models/fitting` has that to itself."""
    monkeypatch.setattr("app.widgets.evidence.run.validate", lambda *_: shipped_validation())


FIRST_DESIGN = kept(first_design)


@pytest.fixture(autouse=True)
def designs(monkeypatch: pytest.MonkeyPatch) -> None:
    """The start page's question is the same on every page: it is searched for once.

    `tests/models/test_totals.py` has the search to itself.
    """
    monkeypatch.setattr("app.windows.start.totals.first_design", FIRST_DESIGN)


PREDICTION = kept(evaluate)
CURVE = kept(response_curve, lambda vm, users: (vm, tuple(users)))


@pytest.fixture(autouse=True)
def sample_predicted(monkeypatch: pytest.MonkeyPatch) -> None:
    """The scenario of most windows and its line are worked out once; with other entries or
    constants, anew."""

    def asked(scenario: Scenario, knowledge: Knowledge) -> Prediction:
        predict = PREDICTION if scenario is samples.scenario() else evaluate
        prediction: Prediction = predict(scenario, knowledge)
        return prediction

    monkeypatch.setattr("app.session.evaluate", asked)
    monkeypatch.setattr("app.widgets.chart_pages.curve.response_curve", CURVE)


PICTURES: dict[tuple[object, ...], QImage] = {}


@pytest.fixture(autouse=True)
def drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """The boards of the examples are the same on every start page: each is drawn once."""

    def asked(
        scenario: Scenario, *rest: Any, theme: Theme, style: Style, ratio: float = 1.0
    ) -> QImage:
        known = scenario, rest[-1].toTuple(), theme.name, style, ratio
        if known not in PICTURES:
            PICTURES[known] = board_picture(scenario, *rest, theme=theme, style=style, ratio=ratio)
        return PICTURES[known]

    monkeypatch.setattr("app.windows.start.cards.board_picture", asked)


@pytest.fixture
def answers() -> Answers:
    return Answers()


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(tmp_path / "settings.ini")


@pytest.fixture
def window(qtbot: QtBot, settings: Settings, answers: Answers) -> Iterator[MainWindow]:
    window = made(Project.of(samples.scenario()), settings, answers)
    qtbot.addWidget(window, before_close_func=forget_changes)
    window.resize(*WITH_CHARTS)
    with qtbot.waitExposed(window):
        window.show()
    wait_for_charts(qtbot, window)
    yield window
    QGuiApplication.clipboard().clear()
