"""Small boards look like what stands on them, and are drawn once."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QImage, QPixmap
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.session import Session
from app.theme import DARK, LIGHT, THEMES, Theme
from app.widgets.scenarios import ScenarioList
from app.widgets.thumbnails import MOST_KEPT, Thumbnails
from models.scenario import Scenario
from tests.app import samples
from tests.app.widgets.conftest import Place

SIZE = QSize(120, 90)


def image(scenario: Scenario, theme: Theme = LIGHT, *, known: bool = True) -> QImage:
    prediction = samples.prediction(scenario) if known else None
    return Thumbnails().picture(scenario, prediction, SIZE, theme).toImage()


def colours(picture: QImage) -> Counter[str]:
    return Counter(
        picture.pixelColor(x, y).name()
        for x in range(picture.width())
        for y in range(picture.height())
    )


@pytest.mark.parametrize("theme", THEMES.values(), ids=lambda theme: theme.name)
def test_more_vms_are_more_colour(qtbot: QtBot, theme: Theme) -> None:
    few, many = (image(samples.scenario(2, vms), theme) for vms in (1, 5))
    assert colours(many)[theme.nrpc] > colours(few)[theme.nrpc] > 0


def test_verdicts_show_once_they_are_known(qtbot: QtBot) -> None:
    scenario = samples.scenario(3, 3)
    fills = (LIGHT.ok_fill, LIGHT.warn_fill, LIGHT.bad_fill)
    known, unknown = colours(image(scenario)), colours(image(scenario, known=False))
    assert all(known[fill] for fill in fills)
    assert not any(unknown[fill] for fill in fills)


def test_an_empty_scenario_has_a_picture_too(qtbot: QtBot) -> None:
    assert image(Scenario(name="Empty")).size() == SIZE


def test_a_picture_is_drawn_once_and_few_are_kept(qtbot: QtBot) -> None:
    scenario = samples.scenario()
    prediction = samples.prediction(scenario)
    thumbnails = Thumbnails()
    first = thumbnails.picture(scenario, prediction, SIZE, LIGHT)
    assert thumbnails.picture(scenario, prediction, SIZE, LIGHT) is first
    assert thumbnails.picture(scenario, prediction, SIZE, DARK) is not first
    for number in range(MOST_KEPT + 3):
        other = replace(scenario, name=f"Other {number}")
        thumbnails.picture(other, prediction, SIZE, LIGHT)
    assert len(thumbnails) == MOST_KEPT


def test_the_list_shows_the_board_as_it_is(
    qtbot: QtBot, place: Place, mail_session: Session
) -> None:
    panel = ScenarioList(mail_session)
    place(panel, 254, 220)
    before = panel.view.viewport().grab().toImage()
    crowd = tuple(replace(mail_session.scenario.vms[0], id=f"x{n}", name=f"X{n}") for n in range(9))
    grown = replace(mail_session.scenario, vms=(*mail_session.scenario.vms, *crowd))
    mail_session.edit(grown, "Crowd")
    mail_session.flush()
    grown = mail_session.scenario
    panel.view.viewport().grab()
    qtbot.waitUntil(
        lambda: panel._made[mail_session.project.active].scenario is grown, timeout=15_000
    )
    assert panel.view.viewport().grab().toImage() != before


def test_an_edit_does_not_wait_for_pictures(
    qtbot: QtBot, place: Place, mail_session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    panel = ScenarioList(mail_session)
    place(panel, 254, 220)
    panel.view.viewport().grab()
    drawn: list[Scenario] = []
    draw = panel._thumbnails.picture

    def noted(scenario: Scenario, *rest: Any) -> QPixmap:
        drawn.append(scenario)
        return draw(scenario, *rest)

    monkeypatch.setattr(panel._thumbnails, "picture", noted)
    for host in ("h2", "h1", "h2"):
        mail_session.edit(mail_session.scenario.place(["m1"], host), f"Move to {host}")
        mail_session.flush()
        panel.view.viewport().grab()
    assert drawn == [], "the pictures come when the hand rests"
    last = mail_session.scenario
    qtbot.waitUntil(lambda: last in drawn, timeout=15_000)
    assert all(each is last for each in drawn), "and of the last design alone"


def test_where_nothing_moves_only_verdicts_are_drawn_anew(qtbot: QtBot) -> None:
    scenario = samples.scenario()
    thumbnails = Thumbnails()
    first = thumbnails.picture(scenario, None, SIZE, LIGHT).toImage()
    more = scenario.with_item(replace(scenario.hosts[0], ram_gib=512.0))
    second = thumbnails.picture(more, samples.prediction(more), SIZE, LIGHT).toImage()
    assert second != first
    assert thumbnails.grounds == 1
    thumbnails.picture(scenario.place(["m1"], "h2"), None, SIZE, LIGHT)
    assert thumbnails.grounds == 2


def test_while_the_mouse_is_down_the_picture_stays(
    qtbot: QtBot, place: Place, mail_session: Session
) -> None:
    panel = ScenarioList(mail_session)
    place(panel, 254, 220)
    panel.view.viewport().grab()
    kept = dict(panel._made)
    QTest.mousePress(panel, Qt.MouseButton.LeftButton)
    mail_session.edit(mail_session.scenario.place(["m1"], "h2"), "Move")
    mail_session.flush()
    panel.view.viewport().grab()
    assert panel._made == kept
    QTest.mouseRelease(panel, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: panel._made != kept, timeout=15_000)
