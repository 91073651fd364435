"""The map of two inputs on screen: its cells, its inputs, pointer and keys."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.session import Session
from app.studies import map_told
from app.widgets.sections.verdict_grid import GridWidget
from app.widgets.verdict_map import MapPanel
from app.work import InlineWorker
from models.tell.blocks import Section, VerdictGrid
from models.uncertainty import verdict_map
from tests.app.pictures import picture_of
from tests.app.sessions import Place

DERATING = "policy.benchmark_derating"


@pytest.fixture(scope="module")
def told_once() -> Callable[..., tuple[Section, ...]]:
    """A map of the one scenario of these tests takes seconds: one a pair of inputs."""
    known: dict[tuple[str, str] | None, tuple[Section, ...]] = {}

    def told(*about: Any, pair: tuple[str, str] | None = None) -> tuple[Section, ...]:
        if pair not in known:
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(verdict_map, "STEPS", verdict_map.FEWER_STEPS)
                known[pair] = map_told(*about, pair=pair)
        return known[pair]

    return told


@pytest.fixture
def panel(
    place: Place,
    mail_session: Session,
    told_once: Callable[..., tuple[Section, ...]],
    monkeypatch: pytest.MonkeyPatch,
) -> MapPanel:
    monkeypatch.setattr("app.widgets.verdict_map.map_told", told_once)
    panel = MapPanel(
        mail_session,
        InlineWorker(),
        told_once,
        name="Map",
        icon="own-data",
        nothing="",
        is_long=True,
    )
    place(panel, 900, 420)
    return panel


def cells(panel: MapPanel) -> GridWidget:
    return panel.view.findChildren(GridWidget)[0]


def grid(panel: MapPanel) -> VerdictGrid:
    found = cells(panel).grid
    assert found is not None
    return found


def test_inputs_are_chosen_and_change_places(panel: MapPanel) -> None:
    assert panel.pair == ("active_users", "mail_file_mb")
    panel.fields[1].committed.emit(DERATING)
    assert "Benchmark users" in grid(panel).y_label
    panel.fields[0].committed.emit(DERATING)
    assert panel.pair == (DERATING, "active_users")
    assert "Benchmark users" in grid(panel).x_label


def test_a_cell_is_read_under_the_pointer_and_by_keys(qtbot: QtBot, panel: MapPanel) -> None:
    map = cells(panel)
    QTest.mouseMove(map, map.cell(3, 2).center().toPoint())
    assert map.at == (3, 2)
    assert map.spoken_value == grid(panel).texts[2][3] == map.toolTip()
    map.leaveEvent(None)  # type: ignore[arg-type]
    here = tuple(
        map_place for map_place in (round(grid(panel).here[0]), round(grid(panel).here[1]))
    )
    QTest.keyClick(map, Qt.Key.Key_Right)
    assert map.at == here
    QTest.keyClick(map, Qt.Key.Key_Right)
    assert map.at == (here[0] + 1, here[1])


def test_verdicts_differ_in_the_picture(panel: MapPanel) -> None:
    panel.fields[1].committed.emit(DERATING)
    map, told = cells(panel), grid(panel)
    places = {
        verdict: (column, row)
        for row, line in enumerate(told.verdicts)
        for column, verdict in enumerate(line)
    }
    assert len(places) > 1
    means = {
        verdict: picture_of(map, map.cell(*at).toAlignedRect()).mean()
        for verdict, at in places.items()
    }
    assert len({round(float(each), 1) for each in means.values()}) == len(places)
