"""The page of the years ahead: one slider with the board’s, bands, why, and what stands behind."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.windows.window import MainWindow
from app.windows.years_page import YearsPage
from models.predict.prediction import Verdict
from models.scenario.scenario import Growth
from tests.app.windows.whole import settle, trigger, wait_for_charts

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


def opened(qtbot: QtBot, window: MainWindow, plan: Growth) -> YearsPage:
    """The page of a design that grows so."""
    session = window.session
    wait_for_charts(qtbot, window)
    session.edit(replace(session.scenario, growth=plan), "Growth")
    settle(qtbot, window)
    trigger(window, "journey.years")
    page = window.years.opened
    assert page is not None
    qtbot.waitUntil(lambda: page.is_settled)
    return page


def test_the_page_and_the_board_have_one_slider(qtbot: QtBot, window: MainWindow) -> None:
    page = opened(qtbot, window, Growth(years=3.0, users_pct=10.0))
    page.ahead.slider.setValue(24)
    settle(qtbot, window)
    assert window.ahead.months == 24
    assert page.bands.months == 24
    assert window.session.view.years == 2.0
    qtbot.waitUntil(lambda: page.is_settled)
    assert "in 2 years" in page.chance.text()
    window.ahead.slider.setValue(0)
    settle(qtbot, window)
    assert page.ahead.months == 0
    qtbot.waitUntil(lambda: page.is_settled)
    assert "today" in page.chance.text()
    assert "Planned for 3 years" in page.sentence.text()


def test_a_band_explains_its_number_in_the_year_shown(qtbot: QtBot, window: MainWindow) -> None:
    page = opened(qtbot, window, Growth(years=3.0, users_pct=10.0))
    page.ahead.slider.setValue(36)
    settle(qtbot, window)
    qtbot.waitUntil(lambda: page.is_settled)
    place = next(n for n, band in enumerate(page.bands.bands) if band.name.startswith("CPU"))
    row = page.bands.row(place).center().toPoint()
    QTest.mouseClick(page.bands, Qt.MouseButton.LeftButton, pos=row)
    drawer = window.why.drawer
    assert drawer is not None
    assert drawer.isVisible()
    assert drawer.asked == page.bands.bands[place].asked
    assert drawer.accessibleName().startswith("Why: In 3 years: ")
    value = page.bands.values[place]
    assert value in drawer.accessibleName()
    drawer.put_away()


def test_figures_stand_behind_the_picture(qtbot: QtBot, window: MainWindow) -> None:
    page = opened(qtbot, window, Growth(years=3.0, users_pct=10.0))
    assert page.bands.isVisible()
    assert not page.figures.isVisible()
    page.table.click()
    assert page.figures.isVisible()
    assert not page.bands.isVisible()
    assert "CPU" in page.figures.text


def test_without_a_plan_the_page_leads_to_the_rates(qtbot: QtBot, window: MainWindow) -> None:
    page = opened(qtbot, window, Growth())
    assert page.empty.isVisible()
    assert not page.legend.isVisible()
    page.rates.click()
    assert window.board.isVisible()
    assert not page.isVisible()


def test_bands_end_where_one_can_look_and_mark_the_plan(qtbot: QtBot, window: MainWindow) -> None:
    page = opened(qtbot, window, Growth(years=2.0, users_pct=60.0))
    for band in page.bands.bands:
        assert band.stretches[0].start == 0.0
        assert band.stretches[-1].end == 60.0
    worst = page.bands.bands[0]
    assert worst.month is not None
    over = next(each for each in worst.stretches if each.verdict is Verdict.DOES_NOT_FIT)
    assert over.start == pytest.approx(worst.month)
