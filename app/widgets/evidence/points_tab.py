"""Measured against predicted: the chart, the table of its points, and the source of each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QSplitter, QStackedLayout, QWidget

from app.language import tr
from app.qtmodels.accuracy import (
    POINT_COLUMNS,
    PlotPoint,
    PointFilter,
    plot_points,
    point_rows,
)
from app.qtmodels.cells import CellRow, CellTable
from app.qtmodels.evidence import family_text, quantity_text
from app.widgets.evidence.cell_view import CellView
from app.widgets.evidence.choice import Filter
from app.widgets.evidence.run import Held
from app.widgets.evidence.source import SourceCard
from app.widgets.evidence.words import points_words
from app.widgets.labels import Empty, OneLine
from app.widgets.legend import Legend
from app.widgets.parts import STRETCH, in_column, in_row
from app.wording import locale_style
from models.evidence.rows import EvidenceRow
from models.fitting.validation import BEYOND, INSIDE, SERIES_SPLIT, Accuracy, Validation
from models.scenario.wording import THIN
from models.tell.accuracy import ALONE

if TYPE_CHECKING:
    from app.widgets.plots.accuracy import AccuracyChart

LEGEND = (
    ("circle", tr("physical")),
    ("square", "RDM"),
    ("triangle", "VMFS"),
    ("bar", tr("90 % range")),
    ("miss", tr("range missed")),
    ("open", tr("doubted")),
)
HINT = tr("Choose a point of the chart or a row of the table to see where its figure stands.")
EACH_ALONE = "alone"
SPLITS = (
    (tr("Each figure held out alone"), EACH_ALONE),
    (tr("… inside its series only"), INSIDE),
    (tr("… last of its series only"), BEYOND),
    (tr("Whole series held out"), SERIES_SPLIT),
)
UNPRINTED_REMARK = (
    "Extrapolated: about {} ({}). The run was made, as its CPU was printed, but no response; that "
    "is no failure, and past the last response nothing says that the knee is a limit."
)
ALL_SERIES = tr("All series")
SERIES = 0


class PointsTab(QWidget):
    """The held-out points of one quantity."""

    def __init__(self, evidence: Mapping[str, EvidenceRow], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._evidence = evidence
        self._points: tuple[PlotPoint, ...] = ()
        self._reasons: dict[str, str] = {}
        self.chart: AccuracyChart | None = None
        """The chart; None until the tab was first shown."""
        self.family = Filter(tr("Family"), 25, self)
        self.quantity = Filter(tr("Quantity"), 12, self)
        self.split = Filter(tr("What was held out"), 22, self)
        self.series = Filter(tr("Series"), 20, self)
        self.reading = OneLine("", self)
        self.legend = Legend(LEGEND, self)
        self.empty = Empty("circle-dashed", "", self)
        self.view = CellView(
            CellTable(POINT_COLUMNS, self), tr("Points"), stretch=SERIES, parent=self
        )
        self.card = SourceCard(HINT, is_linked=True, parent=self)
        self._summary = ""
        self._lay_out()
        self.split.fill(SPLITS)
        for choice in self._filters():
            choice.picked.connect(self._filter)
        self.view.chosen.connect(self._chosen)

    def _filters(self) -> tuple[Filter, ...]:
        return (self.family, self.quantity, self.split, self.series)

    @property
    def shown(self) -> tuple[PlotPoint, ...]:
        """The points that the filters let through."""
        split = str(self.split.value)
        wanted = PointFilter(
            family=str(self.family.value),
            quantity=str(self.quantity.value),
            splits=ALONE if split == EACH_ALONE else frozenset({split}),
            series=str(self.series.value or ""),
        )
        return tuple(each for each in self._points if wanted.holds(each))

    def show_held(self, held: Held) -> None:
        """Shows these points, the doubted ones among them."""
        validation = held.validation
        points = (*validation.points, *held.doubted, *held.unprinted)
        self._points = plot_points(points, self._evidence)
        self._offer(validation)
        self._filter()

    def show_split(self, accuracy: Accuracy) -> None:
        """Shows the points behind one row of the accuracy table."""
        self.family.choose(accuracy.family)
        self.quantity.choose(accuracy.quantity)
        self.split.choose(accuracy.split)
        self.series.choose("")

    def choose(self, id: str) -> None:
        """Chooses the point with this evidence id, if it is shown."""
        each = next((point for point in self.shown if point.id == id), None)
        if each is not None:
            self.view.choose((each.point.split, each.id))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self.chart is None:
            self._load()

    def _load(self) -> None:
        """The chart brings pyqtgraph with it: it waits until someone looks."""
        from app.widgets.plots.accuracy import AccuracyChart

        self.chart = AccuracyChart(self)
        self.chart.picked.connect(self.choose)
        self.chart.read.connect(self._read)
        self._place.addWidget(self.chart)
        self._filter()

    # ------------------------------------------------------------------ filters

    def _offer(self, validation: Validation) -> None:
        self._reasons = {row.family: row.reason for row in validation.unchecked}
        families = dict.fromkeys(
            [*(row.family for row in validation.accuracy), *sorted(self._reasons)]
        )
        self.family.fill([(family_text(family), family) for family in families])
        quantities = dict.fromkeys(row.quantity for row in validation.accuracy)
        self.quantity.fill([(quantity_text(each), each) for each in quantities])
        series = {each.series: each.label for each in self._points}
        self.series.fill([(ALL_SERIES, ""), *((label, key) for key, label in series.items())])

    def _filter(self, _value: object = None) -> None:
        points, style = self.shown, locale_style()
        before = self.view.current
        self.view.table.set_rows(point_rows(points, style))
        self.view.fit_columns({})
        self._summary = points_words(points, style)
        self.reading.setText(self._summary)
        self.legend.setVisible(bool(points))
        if before is None or self.view.table.row_of(before.key) < 0:
            self._keep_or_clear(before)
        self._show_chart(points)

    def _keep_or_clear(self, before: CellRow | None) -> None:
        """The same figure with other things held out stays chosen."""
        self.view.setCurrentIndex(self.view.rootIndex())
        self._chosen(None)
        if before is not None:
            self.choose(before.value.id)

    def _show_chart(self, points: tuple[PlotPoint, ...]) -> None:
        points = tuple(each for each in points if not each.is_unprinted)
        if not points:
            self.empty.say(self._why_empty())
            self._place.setCurrentWidget(self.empty)
        elif self.chart is not None:
            self.chart.show_points(points)
            self._place.setCurrentWidget(self.chart)

    def _why_empty(self) -> str:
        if not self._points:
            return tr("Calculating …")
        reason = self._reasons.get(str(self.family.value))
        if reason is not None:
            return tr(
                "Family {value} has no held-out points. {reason}.",
                value=self.family.value,
                reason=reason,
            )
        return tr("No point was held out in this way: choose another series.")

    # ------------------------------------------------------------------ one point

    def _chosen(self, row: CellRow | None) -> None:
        each: PlotPoint | None = row.value if row is not None else None
        if self.chart is not None:
            self.chart.choose(each.id if each is not None else "")
        source = self._evidence.get(each.id) if each is not None else None
        self.card.show_row(source, self._remark(row) if row is not None else "")

    def _remark(self, row: CellRow) -> str:
        _, _, _, predicted, spread, error, _ = row.cells
        if row.value.is_unprinted:
            return UNPRINTED_REMARK.format(predicted, spread)
        if error == f"0{THIN}%":
            return tr(
                "Predicted about {predicted} ({spread}), as measured.",
                predicted=predicted,
                spread=spread,
            )
        return tr(
            "Predicted about {predicted} ({spread}), {error} off.",
            predicted=predicted,
            spread=spread,
            error=error,
        )

    def _read(self, words: str) -> None:
        self.reading.setText(words or self._summary)

    # ------------------------------------------------------------------ layout

    def _lay_out(self) -> None:
        filters = in_row(gap=6).put(*self._filters(), (STRETCH, 1))
        self._place = QStackedLayout()
        self._place.addWidget(self.empty)
        left = QWidget(self)
        in_column(left, gap=4).put(self.reading, (self._place, 1), self.legend)
        right = QSplitter(Qt.Orientation.Vertical, self)
        right.addWidget(self.view)
        right.addWidget(self.card)
        right.setSizes([300, 240])
        both = QSplitter(Qt.Orientation.Horizontal, self)
        both.addWidget(left)
        both.addWidget(right)
        both.setSizes([570, 730])
        for splitter in (right, both):
            splitter.setChildrenCollapsible(False)
            splitter.setHandleWidth(10)
        in_column(self, gap=8, around=(8, 8, 8, 8)).put(filters, (both, 1))
