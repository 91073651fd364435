"""What is written or drawn can be told from its ground, in every theme."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from importlib.resources import files
from itertools import product

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QObject, QRect, Qt
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QApplication, QLabel, QListWidget, QListWidgetItem, QWidget
from pytestqt.qtbot import QtBot

from app.stylesheet import apply_theme, palette, style_sheet
from app.theme import DARK, HIGH_CONTRAST, LIGHT, THEMES, Theme
from app.widgets.fields.choice import TickBox, TickDelegate
from models.scenario.workloads import WORKLOADS
from tests.app.contrast import contrast
from tests.app.pictures import luminance, picture_of

READABLE, VISIBLE = 4.5, 3.0
GROUNDS = ("ground", "panel", "raised", "accent_soft")
"""Behind panels, panels and cards, cards on panels and inputs, what is selected."""

WORDS = ("text", "muted", "accent", "ghost", "ok", "unknown", "warn", "bad")
"""Colours in which words are written: the last four are verdicts, on cards and in lists."""

SHAPES = ("nrpc", "inotes", "sametime", "mux", "generic", "line_strong")
"""Icons, chart lines and points, limit lines, borders that carry meaning."""

FILLS = ("ok_fill", "unknown_fill", "warn_fill", "bad_fill")
"""Of meters and gauges, on their track."""

FAINT = {"line", "track"}
"""Hairlines and empty tracks say nothing of their own."""


def pairs() -> Iterator[tuple[str, str, float]]:
    """Everything that stands on something, with the contrast it needs."""
    for word, ground in product(WORDS, GROUNDS):
        yield word, ground, READABLE
    for word in ("text", "muted"):
        yield word, "track", READABLE
    for ground in ("accent", "bad"):
        yield "on_accent", ground, READABLE
    for shape, ground in product((*SHAPES, *FILLS), (*GROUNDS, "track")):
        if shape in FILLS and ground == "accent_soft":
            continue  # a selected card keeps its panel under its meters
        yield shape, ground, VISIBLE


def too_faint(theme: Theme, least_of_words: float = READABLE) -> list[str]:
    """What can't be told from its ground, with the contrast it has."""
    found = []
    for above, below, least in pairs():
        wanted = least if least < READABLE else least_of_words
        has = contrast(getattr(theme, above), getattr(theme, below))
        if has < wanted:
            found.append(f"{above} on {below}: {has:.2f} instead of {wanted}")
    return found


@pytest.mark.parametrize("theme", THEMES.values(), ids=list(THEMES))
def test_everything_can_be_told_from_its_ground(theme: Theme) -> None:
    assert too_faint(theme) == []


def test_high_contrast_is_high() -> None:
    assert too_faint(HIGH_CONTRAST, least_of_words=7.0) == []


def test_no_colour_of_the_theme_is_left_out() -> None:
    colours = {f.name for f in dataclasses.fields(Theme)} - {"name", "is_dark"}
    tested = {name for above, below, _ in pairs() for name in (above, below)}
    assert colours - tested == FAINT - tested


@pytest.mark.parametrize("theme", THEMES.values(), ids=list(THEMES))
def test_the_palette_of_native_parts_is_readable(theme: Theme) -> None:
    role = QPalette.ColorRole
    made = palette(theme)
    for words, ground in (
        (role.WindowText, role.Window),
        (role.Text, role.Base),
        (role.Text, role.AlternateBase),
        (role.ButtonText, role.Button),
        (role.HighlightedText, role.Highlight),
        (role.ToolTipText, role.ToolTipBase),
        (role.PlaceholderText, role.Base),
        (role.Link, role.Base),
    ):
        assert contrast(made.color(words).name(), made.color(ground).name()) >= READABLE


@pytest.mark.parametrize("theme", THEMES.values(), ids=list(THEMES))
@pytest.mark.parametrize("is_checked", [False, True])
def test_a_tick_box_can_be_told_from_its_ground(
    qtbot: QtBot, theme: Theme, is_checked: bool
) -> None:
    box = TickBox("Keep it")
    qtbot.addWidget(box)
    box.setPalette(palette(theme))
    box.setChecked(is_checked)
    box.resize(120, 24)
    picture = luminance(picture_of(box, QRect(0, 0, 20, 24)))
    ground = luminance(picture_of(box, QRect(110, 0, 10, 24))).mean()
    lighter, darker = np.maximum(picture, ground), np.minimum(picture, ground)
    assert np.count_nonzero((lighter + 0.05) / (darker + 0.05) >= VISIBLE) > 20


@pytest.mark.parametrize("theme", THEMES.values(), ids=list(THEMES))
def test_a_tick_box_in_a_list_can_be_told_from_its_ground(
    qtbot: QtBot, qapp: QApplication, theme: Theme
) -> None:
    boxes = QListWidget()
    qtbot.addWidget(boxes)
    sheet = qapp.styleSheet()
    qapp.setStyleSheet("")
    boxes.setPalette(palette(theme))
    boxes.setItemDelegate(TickDelegate(boxes))
    QListWidgetItem("", boxes).setCheckState(Qt.CheckState.Unchecked)
    boxes.resize(120, 60)
    picture = luminance(picture_of(boxes, QRect(2, 2, 24, 20)))
    ground = luminance(picture_of(boxes, QRect(100, 40, 10, 10))).mean()
    qapp.setStyleSheet(sheet)
    lighter, darker = np.maximum(picture, ground), np.minimum(picture, ground)
    assert np.count_nonzero((lighter + 0.05) / (darker + 0.05) >= VISIBLE) > 20


@pytest.mark.parametrize("theme", THEMES.values(), ids=list(THEMES))
def test_the_style_sheet_is_complete(theme: Theme) -> None:
    text = style_sheet(theme)
    assert "$" not in text
    assert theme.accent in text


def test_the_palette_follows_the_theme() -> None:
    assert palette(DARK).window().color().name() == DARK.ground
    assert palette(LIGHT).text().color().name() == LIGHT.text


def test_another_theme_comes_to_each_widget_once(qtbot: QtBot, qapp: QApplication) -> None:
    """However deep it stands: it is asked for its size and painted anew each time."""
    apply_theme(qapp, LIGHT)
    outer = widget = QWidget()
    qtbot.addWidget(outer)
    for _ in range(DEEP):
        widget = QWidget(widget)
    label = QLabel("deep", widget)
    outer.show()
    told = Told()
    label.installEventFilter(told)
    apply_theme(qapp, DARK)
    assert told.times <= 2
    assert label.palette().windowText().color().name() == DARK.text


DEEP = 12


class Told(QObject):
    """Counts how often a widget is told of another style."""

    times = 0

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.times += event.type() is QEvent.Type.StyleChange
        return False


def test_every_kind_of_workload_has_a_colour_and_an_icon() -> None:
    for work in WORKLOADS.values():
        assert work.colour in SHAPES
        assert (files("resources") / "icons" / f"{work.icon}.svg").is_file()
