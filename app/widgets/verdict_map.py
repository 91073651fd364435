"""The map of two inputs, with the inputs to choose."""

from __future__ import annotations

from functools import partial
from typing import Any

from PySide6.QtWidgets import QLabel

from app.language import local, tr
from app.session import View
from app.studies import map_told
from app.widgets.fields.choice import Choice, ChoiceField
from app.widgets.sections.view import SectionsPanel
from models.base.texts import joined, opening
from models.scenario.scenario import Scenario
from models.uncertainty.sensitivity import Swing
from models.uncertainty.verdict_map import default_pair, map_inputs

LETTERS, LEAST_PX = 22, 96
"""Width of a field, and how narrow it may get [px]: a name is then cut in its middle."""


class MapPanel(SectionsPanel):
    """Two fields above the map; a pair that a scenario lacks gives way to the usual one."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.pair: tuple[str, str] | None = None
        """The inputs across and upwards; None where there are fewer than two."""
        self._offered: Scenario | None = None
        self.fields = (ChoiceField(parent=self), ChoiceField(parent=self))
        self._words = (QLabel(tr("Across"), self), QLabel(tr("Upwards"), self))
        for place, (field, label) in enumerate(zip(self.fields, self._words, strict=True)):
            field.setMinimumContentsLength(LETTERS)
            field.setMinimumWidth(LEAST_PX)
            field.setAccessibleName((tr("Input across"), tr("Input upwards"))[place])
            label.setProperty("role", "muted")
            label.setBuddy(field)
            label.setIndent(4)
            self.head.insertWidget(2 * place, label)
            self.head.insertWidget(2 * place + 1, field)

        self.fields[0].committed.connect(self._take_across)
        self.fields[1].committed.connect(self._take_upwards)

    def show_view(self, view: View) -> None:
        scenario = self._session.studied
        if scenario is not self._offered:
            self._offer(scenario)
        for part in (*self.fields, *self._words):
            part.setVisible(bool(scenario.vms) and self.pair is not None)
        super().show_view(view)

    def _offer(self, scenario: Scenario) -> None:
        self._offered = scenario
        inputs = map_inputs(scenario)
        if self.pair is None or not set(self.pair) <= set(inputs):
            self.pair = default_pair(scenario)
        choices = tuple(Choice(key, _words(each)) for key, each in inputs.items())
        for field, key in zip(self.fields, self.pair or ("", ""), strict=True):
            field.offer(choices)
            field.show_value(key)

    def _take_across(self, key: str) -> None:
        self._take(0, key)

    def _take_upwards(self, key: str) -> None:
        self._take(1, key)

    def _take(self, place: int, key: str) -> None:
        """The input that the other field has goes over to this one's place."""
        if self.pair is None:
            return
        pair = list(self.pair)
        if key == pair[1 - place]:
            pair[1 - place] = pair[place]
        pair[place] = key
        self.pair = (pair[0], pair[1])
        for field, each in zip(self.fields, self.pair, strict=True):
            field.show_value(each)
        self._background.study(partial(map_told, pair=self.pair))


def _words(swing: Swing) -> str:
    return local(joined("", (opening(swing.label),)))
