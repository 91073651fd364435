"""A storm over time: who waits, and how long the worst server takes."""

from __future__ import annotations

from typing import Any

import numpy as np
from PySide6.QtCore import QPointF, Signal
from PySide6.QtWidgets import QBoxLayout, QWidget

from app.language import tr
from app.look import LOOK
from app.qtmodels.storm import StormView
from app.widgets.plots.canvas import DASHED, Chart
from app.wording import locale_style, with_unit
from models.quantities import FloatArray
from models.spreadsheets import table_text
from models.wording import exact_text, number


class TimeChart(Chart):
    """One or two lines over time.

    Signals:
        at: the time under the pointer; None when it left.
    """

    at = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lines: tuple[FloatArray, ...] = ()
        self._time: FloatArray = np.zeros(0)
        self._name, self._unit = "", ""
        self._level_at: float | None = None
        self._level_words = ""
        self._time_name = self._axis_name()
        self.grid.addItem(self._time_name, 1, 0)

    def show_lines(
        self,
        name: str,
        time: FloatArray,
        unit: str,
        *lines: FloatArray,
        level: float | None = None,
        level_words: str = "",
    ) -> None:
        """Shows lines over time: the first solid, the second dashed; `level` is the limit."""
        self._name, self._time, self._unit = name, time, unit
        self._lines, self._level_at, self._level_words = lines, level, level_words
        self.redraw()

    def _draw(self) -> None:
        if not len(self._time):
            return
        theme = LOOK.theme
        self._label("left", self._name)
        self._name_time()
        top = max([float(line.max(initial=0.0)) for line in self._lines] + [1.0])
        self._show_range((0.0, float(self._time[-1])), (0.0, 1.08 * top))
        for line, pen in zip(
            self._lines,
            (self._pen(theme.accent, 2.4), self._pen(theme.accent, 2.0, DASHED)),
            strict=False,
        ):
            self._line(self._time, line, pen)
        level = self._level_at
        if level is not None and level < 1.05 * top:
            self._level(level, self._pen(theme.bad, 1.8))
            words = tr("limit {limit}", limit=self._level_words)
            end = float(self._time[-1])
            peak = float(self._time[self._lines[0].argmax()])
            # Below the highest point the line leaves the words most room.
            self._put_below(self._put_words(words, theme.bad, (peak / end, 1), peak, level))

    def _name_time(self) -> None:
        """The unit stands before the numbers of the axis: a line of its own would cost height."""
        size = f"{round(max(self.font().pixelSize(), 13) * 0.92)}px"
        self._time_name.setText(self._unit, color=LOOK.theme.muted, size=size)

    def _hovered(self, at: QPointF) -> None:
        self.at.emit(self._x_at(at) if self._inside(at) else None)

    def leaveEvent(self, event: Any) -> None:
        self.at.emit(None)


class StormChart(TimeChart):
    """Users that wait on the left, the response of the worst server on the right.

    Signals:
        read: what stands under the pointer, in words.
    """

    read = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._view: StormView | None = None
        self.response = TimeChart(self)
        layout = self.layout()
        assert isinstance(layout, QBoxLayout)
        layout.setDirection(QBoxLayout.Direction.LeftToRight)
        layout.addWidget(self.response)
        for each in (self, self.response):
            each.at.connect(self._say)
        self.setAccessibleName(tr("Users waiting and response over time"))

    @property
    def storm(self) -> StormView | None:
        return self._view

    def show_storm(self, view: StormView, words: str) -> None:
        """Shows a storm; `words` say the same."""
        self._view = view
        self.setAccessibleDescription(words)
        self.show_lines(tr("users"), view.time, view.unit, view.waiting, view.offline)
        unit = view.response_unit
        name = f"{view.server}, {tr('{unit} more', unit=unit) if view.adds else unit}"
        limit = with_unit(exact_text(view.limit, style=locale_style()), unit)
        self.response.show_lines(
            name, view.time, view.unit, view.response, level=view.limit, level_words=limit
        )

    def data_text(self) -> str:
        view = self._view
        if view is None:
            return ""
        heads = (
            tr("time {unit}", unit=view.unit),
            tr("users waiting"),
            tr("not logged in"),
            f"{view.server} {view.response_unit}",
        )
        rows = np.column_stack((view.time, view.waiting, view.offline, view.response))
        return table_text(heads, ([f"{value:.6g}" for value in row] for row in rows))

    def _say(self, at: float | None) -> None:
        view = self._view
        if at is None or view is None or not 0 <= at <= view.time[-1]:
            self.read.emit("")
            return
        style = locale_style()

        def value(line: FloatArray, decimals: int = 0) -> str:
            return number(float(np.interp(at, view.time, line)), decimals, style=style)

        self.read.emit(
            tr(
                "After {at}\u202f{unit}: {waiting} users wait, {offline} are not logged in, "
                "{server} {response}\u202f{response_unit}",
                at=number(at, 0 if view.unit == "s" else 1, style=style),
                unit=view.unit,
                waiting=value(view.waiting),
                offline=value(view.offline),
                server=view.server,
                response=value(view.response, 0 if view.response_unit == "ms" else 1),
                response_unit=view.response_unit,
            )
        )
