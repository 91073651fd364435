"""Small boards look like what stands on them, and are drawn once."""

from __future__ import annotations

import gc
from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.session import Session
from app.theme import DARK, LIGHT, THEMES, Theme
from app.widgets import scenarios
from app.widgets.board.layout import BoardLayout
from app.widgets.scenarios import ScenarioList
from app.widgets.thumbnails import Look, Thumbnail, thumbnail
from models.predict.prediction import Prediction
from models.scenario.scenario import Scenario
from tests.app import samples
from tests.app.sessions import Place

SIZE = QSize(120, 90)


def image(scenario: Scenario, theme: Theme = LIGHT, *, known: bool = True) -> QImage:
    prediction = samples.prediction(scenario) if known else None
    return thumbnail(scenario, prediction, Look(SIZE, theme)).picture.toImage()


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
    qtbot.waitUntil(lambda: panel._made[mail_session.project.active].scenario is grown)
    assert panel.view.viewport().grab().toImage() != before


def test_an_edit_does_not_wait_for_pictures(
    qtbot: QtBot, place: Place, mail_session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    panel = ScenarioList(mail_session)
    place(panel, 254, 220)
    panel.view.viewport().grab()
    drawn: list[Scenario] = []

    def noted(scenario: Scenario, *rest: Any) -> Thumbnail:
        drawn.append(scenario)
        return thumbnail(scenario, *rest)

    monkeypatch.setattr(scenarios, "thumbnail", noted)
    for host in ("h2", "h1", "h2"):
        mail_session.edit(mail_session.scenario.place(["m1"], host), f"Move to {host}")
        mail_session.flush()
        panel.view.viewport().grab()
    assert drawn == [], "the pictures come when the hand rests"
    last = mail_session.scenario
    qtbot.waitUntil(lambda: last in drawn)
    assert all(each is last for each in drawn), "and of the last design alone"


def test_where_nothing_moves_only_verdicts_are_drawn_anew(qtbot: QtBot) -> None:
    scenario = samples.scenario()
    look = Look(SIZE, LIGHT)
    first = thumbnail(scenario, None, look)
    more = scenario.with_item(replace(scenario.hosts[0], ram_gib=512.0))
    second = thumbnail(more, samples.prediction(more), look, first)
    assert second.picture.toImage() != first.picture.toImage()
    assert second.ground is first.ground
    moved = scenario.place(["m1"], "h2")
    assert thumbnail(moved, None, look, first).ground is not first.ground
    assert thumbnail(scenario, None, Look(SIZE, DARK), first).ground is not first.ground


def test_what_is_kept_does_not_grow_with_the_edits(
    qtbot: QtBot, place: Place, mail_session: Session
) -> None:
    panel = ScenarioList(mail_session)
    place(panel, 254, 220)
    counts = [moved_and_drawn(qtbot, panel, mail_session, turn) for turn in range(6)]
    assert counts[-1] == counts[1]


def moved_and_drawn(qtbot: QtBot, panel: ScenarioList, session: Session, turn: int) -> Counter[str]:
    """How many designs and predictions live once a VM was moved, and the list shows it."""
    session.edit(session.scenario.place(["m1"], f"h{2 - turn % 2}"), "Move")
    session.flush()
    panel.view.viewport().grab()
    made = panel._made
    qtbot.waitUntil(lambda: made[session.project.active].scenario is session.scenario)
    panel.view.viewport().grab()
    session.stack.clear()
    gc.collect()
    large = (Scenario, Prediction, BoardLayout)
    return Counter(type(each).__name__ for each in gc.get_objects() if type(each) in large)


def test_a_scenario_that_is_gone_leaves_no_picture(
    qtbot: QtBot, place: Place, mail_session: Session
) -> None:
    panel = ScenarioList(mail_session)
    place(panel, 254, 220)
    panel.duplicate()
    mail_session.flush()
    panel.view.viewport().grab()
    assert panel._made.keys() == {entry.id for entry in mail_session.project.entries}
    panel.delete()
    assert len(mail_session.project.entries) == 1
    assert panel._made.keys() == {mail_session.project.active}


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
    qtbot.waitUntil(lambda: panel._made != kept)


def test_what_fits_on_assumptions_is_not_green(qtbot: QtBot) -> None:
    scenario = samples.scenario(3, 3)
    plain = samples.prediction(scenario)
    of_hosts, of_pools = (
        np.ones(len(table.ids), dtype=np.bool_) for table in (plain.hosts, plain.pools)
    )
    on_assumptions = replace(
        plain,
        hosts=replace(plain.hosts, assumed=of_hosts),
        pools=replace(plain.pools, assumed=of_pools),
    )
    shown = colours(thumbnail(scenario, on_assumptions, Look(SIZE, LIGHT)).picture.toImage())
    assert shown[LIGHT.accent]
    assert shown[LIGHT.bad_fill]
    assert not shown[LIGHT.ok_fill]
