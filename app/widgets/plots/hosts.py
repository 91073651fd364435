"""CPU and RAM of every host with their limits, and where they would stand if another failed."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QBrush, QPainterPath
from PySide6.QtWidgets import QWidget

from app.language import local, tr
from app.look import LOOK
from app.widgets.chart_data import HostLoad
from app.widgets.plots.canvas import DASHED, Chart
from app.wording import locale_style
from models.base.lettering import set_apart
from models.base.quantities import Quantity
from models.base.spreadsheets import table_text
from models.scenario.wording import about_text, number, value_text

MOST_NAMED_HOSTS = 24
MOST_LABELLED_HOSTS = 10
BAR = 0.34


class LoadBars(Chart):
    """CPU and RAM of every host with their limits, and where they would stand if another failed.

    CPU bars are full, RAM bars hatched; the outline is the load in the worst failure.

    Signals:
        picked: id of the host that was clicked.
        asked: id of a host and the field of its bar that was double-clicked.
    """

    picked = Signal(str)
    asked = Signal(str, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.loads: tuple[HostLoad, ...] = ()
        self.setAccessibleName(tr("Load by host"))

    def show_loads(self, loads: tuple[HostLoad, ...]) -> None:
        if loads != self.loads:
            self.loads = loads
            self.setAccessibleDescription("; ".join(map(load_words, loads[:MOST_NAMED_HOSTS])))
            self.redraw()

    def data_text(self) -> str:
        heads = (
            tr("host"),
            "CPU %",
            "RAM %",
            tr("CPU % with another gone"),
            tr("RAM % with another gone"),
        )
        rows = (
            (
                load.name,
                load.cpu.quantity.value,
                load.ram.quantity.value,
                load.failure_cpu,
                load.failure_ram,
            )
            for load in self.loads
        )
        return table_text(heads, rows)

    def _draw(self) -> None:
        loads = self.loads
        if not loads:
            return
        self._label("left", tr("per cent"))
        named = len(loads) <= MOST_NAMED_HOSTS
        self._axes["bottom"].names = [set_apart(load.name) if named else "" for load in loads]
        self._fit(loads)
        cpu = self._brush(LOOK.theme.nrpc)
        ram = self._brush(LOOK.theme.inotes, Qt.BrushStyle.BDiagPattern)
        self._draw_bars(-BAR / 2 - 0.02, [load.cpu.quantity for load in loads], cpu)
        self._draw_bars(BAR / 2 + 0.02, [load.ram.quantity for load in loads], ram)
        self._draw_outlines(-BAR / 2 - 0.02, [load.failure_cpu for load in loads])
        self._draw_outlines(BAR / 2 + 0.02, [load.failure_ram for load in loads])
        self._draw_limits(loads)
        if len(loads) <= MOST_LABELLED_HOSTS:
            for i, load in enumerate(loads):
                self._name_bar(i - BAR / 2 - 0.02, load.cpu.quantity)
                self._name_bar(i + BAR / 2 + 0.02, load.ram.quantity)

    def _name_bar(self, x: float, quantity: Quantity) -> None:
        """The bar's number at its foot, where nothing else is drawn."""
        text = local(value_text(quantity, "%", style=locale_style()))
        self._put_words(text, LOOK.theme.text, (0.5, 1), x, 0)

    def _fit(self, loads: tuple[HostLoad, ...]) -> None:
        seen = [100.0]
        for load in loads:
            seen += [v for v in (load.failure_cpu, load.failure_ram) if v is not None]
            for gauge in (load.cpu, load.ram):
                seen += [v for v in (gauge.quantity.value, gauge.limit) if v is not None]
        self._show_range((-0.6, len(loads) - 0.4), (0, min(max(seen), 250.0) * 1.12))

    def _draw_bars(self, offset: float, quantities: list[Quantity], brush: QBrush) -> None:
        x = [i + offset for i, q in enumerate(quantities) if q.value is not None]
        heights = [q.value for q in quantities if q.value is not None]
        if x:
            pen = self._pen(brush.color().name(), 1.2)
            self._bars(x, heights, width=BAR, pen=pen, brush=brush)

    def _draw_outlines(self, offset: float, values: list[float | None]) -> None:
        x = [i + offset for i, value in enumerate(values) if value is not None]
        heights = [value for value in values if value is not None]
        if x:
            pen = self._pen(LOOK.theme.muted, 1.4, DASHED)
            self._bars(x, heights, width=BAR, pen=pen, brush=None)

    def _draw_limits(self, loads: tuple[HostLoad, ...]) -> None:
        """A short strong line over each bar, at its own limit."""
        path = QPainterPath()
        for i, load in enumerate(loads):
            for offset, gauge in ((-BAR / 2 - 0.02, load.cpu), (BAR / 2 + 0.02, load.ram)):
                if gauge.limit is not None:
                    path.moveTo(i + offset - BAR * 0.54, gauge.limit)
                    path.lineTo(i + offset + BAR * 0.54, gauge.limit)
        self._path(path, self._pen(LOOK.theme.text, 2.2))

    def _at(self, at: QPointF) -> HostLoad | None:
        if not self._inside(at):
            return None
        index = round(self._x_at(at))
        return self.loads[index] if 0 <= index < len(self.loads) else None

    def _hovered(self, at: QPointF) -> None:
        load = self._at(at)
        self.read.emit(load_words(load) if load is not None else "")

    def _clicked(self, event: Any) -> None:
        load = self._at(event.scenePos())
        if load is None:
            return
        self.picked.emit(load.id)
        if event.double():
            place = self._x_at(event.scenePos())
            self.asked.emit(load.id, "cpu_pct" if place < round(place) else "ram_pct")


def load_words(load: HostLoad) -> str:
    """``esx1: CPU 21 % of 70 %, RAM 48.6 % of 100 %; 32 % and 72 % if another host fails``."""
    style = locale_style()
    parts = []
    for word, gauge in (("CPU", load.cpu), ("RAM", load.ram)):
        limit = (
            ""
            if gauge.limit is None
            else tr(" of {limit}\u202f%", limit=number(gauge.limit, style=style))
        )
        parts.append(f"{word} {local(about_text(gauge.quantity, '%', style=style))}{limit}")
    words = f"{set_apart(load.name)}: {', '.join(parts)}"
    if load.failure_cpu is None or load.failure_ram is None:
        return words
    cpu, ram = (number(v, style=style) for v in (load.failure_cpu, load.failure_ram))
    return tr(
        "{words}; CPU {cpu}\u202f% and RAM {ram}\u202f% if another host fails",
        words=words,
        cpu=cpu,
        ram=ram,
    )
