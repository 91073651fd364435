"""Names that people give stand in the window as what they are, and turn nothing around them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from app.calibrated import shipped_knowledge
from app.language import tr
from app.settings import Settings
from app.widgets.fields.text import HeadingField
from app.widgets.sections.view import SectionsView
from app.windows.window import MainWindow
from app.wording import with_short_words
from models.base.lettering import BREAK
from models.comparison.compare import Side, compare
from models.comparison.compare_text import Words
from models.evaluate import evaluate
from models.project.project import Project
from models.scenario.scenario import Scenario
from models.tell.comparison import comparison_sections
from resources.catalog_files import load_catalog
from tests.app.pictures import picture_of
from tests.app.sessions import two_hosts
from tests.app.windows.whole import (
    WITH_CHARTS,
    Answers,
    forget_changes,
    made,
    propose,
    trigger,
    wait_for_charts,
)

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


def called(name: str) -> Scenario:
    """Two hosts whose every name begins like this."""
    each = two_hosts()
    for place, item in enumerate(each.items()):
        each = each.with_item(replace(item, name=f"{name}{place}"))
    return replace(each, name=name)


@pytest.fixture
def answers(tmp_path: Path) -> Answers:
    return Answers(path=tmp_path / "out.pdf")


@pytest.fixture
def window(
    request: pytest.FixtureRequest, qtbot: QtBot, tmp_path: Path, answers: Answers
) -> MainWindow:
    project = Project.of(called(request.param))
    window = made(project, Settings(tmp_path / "settings.ini"), answers)
    qtbot.addWidget(window, before_close_func=forget_changes)
    window.resize(*WITH_CHARTS)
    with qtbot.waitExposed(window):
        window.show()
    return window


@pytest.mark.parametrize("window", ["مضيف "], indirect=True)
def test_sentences_run_from_left_to_right_whatever_begins_them(window: MainWindow) -> None:
    label = window.verdict.sentence
    label.setText(tr("{host}: 26–76 %", host=window.session.scenario.hosts[0].name))
    picture = picture_of(label)
    ink = np.flatnonzero((picture != picture[0, 0]).any(axis=(0, 2)))
    assert label.width() > 300
    assert ink.max() < label.width() / 2


@pytest.mark.parametrize("window", [66 * "ab_"], indirect=True)
def test_a_long_name_moves_no_pane(window: MainWindow) -> None:
    line = window.fontMetrics().lineSpacing()
    assert window.verdict.height() <= window.verdict.minimumHeight() + line
    assert window.minimumSizeHint().width() <= 600
    assert window.verdict.sentence.toolTip().replace(BREAK, "").count(66 * "ab_") >= 1


@pytest.mark.parametrize("window", ["=cmd|' /C calc'!A"], indirect=True)
def test_names_on_the_clipboard_are_no_formulas(window: MainWindow, qtbot: QtBot) -> None:
    window.selection.set([vm.id for vm in window.session.scenario.vms])
    trigger(window, "editing.copy")
    lines = QGuiApplication.clipboard().text().split("\n")
    assert lines
    assert all(line.startswith("'=cmd") for line in lines)
    wait_for_charts(qtbot, window)
    window.charts.setCurrentWidget(window.charts.load)
    chart = window.charts.load.chart
    assert chart is not None
    heads, *rows = chart.data_text().splitlines()
    assert heads.startswith("host\t")
    assert rows
    assert all(row.startswith("'=cmd") for row in rows)


@pytest.mark.parametrize("window", ["Host \U00012000 "], indirect=True)
def test_an_export_names_the_letters_without_a_typeface(
    window: MainWindow, qtbot: QtBot, answers: Answers
) -> None:
    propose(window, answers.path)
    qtbot.waitUntil(lambda: bool(answers.problems))
    assert "\U00012000" in answers.problems[0]
    assert answers.path is not None
    assert answers.path.exists()


def test_a_comparison_holds_no_formula(qtbot: QtBot) -> None:
    base = replace(two_hosts(), name="=1+1")
    side = Side("s1", base, evaluate(base, shipped_knowledge()))
    words = Words(compare([side, replace(side, id="s2")]), load_catalog())
    view = SectionsView("Differences")
    qtbot.addWidget(view)
    view.show_sections(comparison_sections(words))
    assert view.text.splitlines()[1].startswith("'=1+1\t")


def test_a_heading_writes_out_what_hides_until_it_is_edited(qtbot: QtBot) -> None:
    field = HeadingField()
    qtbot.addWidget(field)
    field.resize(400, 40)
    field.show_value("abc\u202egnp.exe")
    assert field.lines == ("abc⟨U+202E⟩gnp.exe",)
    assert field.text() == "abc\u202egnp.exe"
    assert "⟨U+202E⟩" in field.toolTip()


def test_of_a_name_without_a_break_a_sentence_keeps_the_ends() -> None:
    short = with_short_words(f"{200 * 'W'}’s disk is full")
    assert len(short) < 60
    assert short.endswith("W’s disk is full")
