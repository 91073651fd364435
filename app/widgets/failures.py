"""The failure table: where the survivors stand when something is gone."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import (
    QModelIndex,
    QPersistentModelIndex,
    QRectF,
    QSortFilterProxyModel,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFont,
    QFontMetricsF,
    QKeyEvent,
    QPainter,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QHeaderView,
    QStyleOptionViewItem,
    QTableView,
    QToolButton,
    QWidget,
)

from app.background import StudyPanel
from app.icons import draw_icon
from app.language import local, tr, trn
from app.look import LOOK
from app.qtmodels.cells import ROW_ROLE, SORT_ROLE
from app.qtmodels.failures import (
    GAUGE_ROLE,
    HEADS,
    VERDICT_ROLE,
    WORST_ROLE,
    FailuresModel,
)
from app.selection import Selection
from app.session import Session, View
from app.widgets.dials import draw_bar
from app.widgets.gauge_text import reading
from app.widgets.labels import Empty, OneLine, in_lines
from app.widgets.marks import chip_size, scaled_font, verdict_colour
from app.widgets.parts import in_column, in_row, switch
from app.widgets.plain_table import PaintedDelegate, draw_verdict_cell, make_plain, mark_current
from app.work import Context, Worker
from models.evidence.knowledge import Knowledge
from models.failure.mode import ModeKind
from models.judgement.gauges import Gauge
from models.predict.predicted import NumberRef
from models.predict.prediction import Verdict
from models.resilience.modes import USUAL
from models.resilience.study import FailureStudy, study_failures
from models.scenario.scenario import Scenario
from models.tell.failures import (
    CPU,
    IOPS,
    MISSING,
    MODE,
    MOST_ROWS,
    RAM,
    READY,
    RESPONSE,
    VERDICT,
    FailureRow,
    failure_rows,
)

Index = QModelIndex | QPersistentModelIndex

FIELDS = {CPU: "cpu_pct", RAM: "ram_pct", RESPONSE: "response_ms"}
NOW = {
    CPU: ("hosts", "cpu_pct"),
    RAM: ("hosts", "ram_pct"),
    IOPS: ("pools", "iops"),
    RESPONSE: ("vms", "response_ms"),
    READY: ("vms", "ready_pct"),
}
"""Where the numbers of normal operation stand in the prediction."""

HEAD_PADDING, NUMBER_PADDING = 16, 20
FLAG_LINES = 0.76
"""Side of the flag beside the worst, in lines of text."""
WORDS_LEFT, WORDS_RIGHT = 6, 4
ROW_LINES, MOST_LINES = 2.1, 5
NUMBER_LINES = {CPU: 4.9, RAM: 4.9, IOPS: 4.2, RESPONSE: 5.2, READY: 5.0}
"""Width of each column of numbers, in lines of text."""

MISSING_LINES = 10.0
"""Width for what is missing, in lines of text; without it the ready time gives way."""

ON_DEMAND = (
    (
        ModeKind.TWO_HOSTS,
        tr("Two hosts"),
        tr("Also any two hosts that fail together"),
    ),
    (
        ModeKind.MAINTENANCE,
        tr("Maintenance"),
        tr("Also a host in maintenance while another one of its cluster fails"),
    ),
)


class FailureDelegate(PaintedDelegate):
    """Numbers with their bar, verdicts as icon and word."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        verdict: Verdict | None = index.data(VERDICT_ROLE)
        gauge: Gauge | None = index.data(GAUGE_ROLE)
        is_words = index.column() in (MODE, MISSING)
        if gauge is None and verdict is None and not is_words:
            super().paint(painter, option, index)
            return
        self.draw_ground(painter, option, index)
        painter.save()
        if gauge is not None:
            self._paint_number(painter, option, index, gauge)
        elif is_words:
            self._paint_words(painter, option, index)
        elif verdict is not None:
            font = _chip_font(option.font)
            draw_verdict_cell(painter, QRectF(option.rect), verdict, index.data(), font)
        painter.restore()

    def _paint_words(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """What a column has no room for goes on in the row's other lines, then in an ellipsis."""
        box = QRectF(option.rect).adjusted(WORDS_LEFT, 0, -WORDS_RIGHT, 0)
        metrics = QFontMetricsF(option.font)
        most = max(2, int(box.height() / metrics.lineSpacing()))
        lines = in_lines(index.data() or "", metrics, box.width(), most)
        painter.setFont(option.font)
        painter.setPen(QColor(LOOK.theme.text))
        top = box.center().y() - metrics.lineSpacing() * len(lines) / 2
        for place, line in enumerate(lines):
            at = QRectF(
                box.left(), top + place * metrics.lineSpacing(), box.width(), metrics.height()
            )
            painter.drawText(at, int(Qt.AlignmentFlag.AlignVCenter), line)

    def _paint_number(
        self, painter: QPainter, option: QStyleOptionViewItem, index: Index, gauge: Gauge
    ) -> None:
        """The number over its bar, or on two lines that there is none; a flag beside the worst of
        all single hosts."""
        row = QRectF(option.rect)
        spare = max(0.0, row.height() - QFontMetricsF(option.font).height() * ROW_LINES) / 2
        box = row.adjusted(8, 3 + spare, -8, -5 - spare)
        is_worst = bool(index.data(WORST_ROLE))
        weight = QFont.Weight.Bold if is_worst else QFont.Weight.Medium
        font = scaled_font(option.font, 1.0, weight)
        verdict: Verdict | None = index.data(VERDICT_ROLE)
        known = gauge.quantity.value is not None
        colour = verdict_colour(verdict, LOOK.theme) if known else LOOK.theme.muted
        line = QFontMetricsF(font).height()
        painter.setFont(font)
        painter.setPen(QColor(colour))
        words = QRectF(box.left(), box.top(), box.width(), line)
        if gauge.load is None:
            words = row.adjusted(8, 0, -8, 0)
        flags = int(index.data(Qt.ItemDataRole.TextAlignmentRole)) | Qt.TextFlag.TextWordWrap
        painter.drawText(words, flags, index.data())
        if is_worst:
            side = line * FLAG_LINES
            flag = QRectF(box.left(), box.top() + (line - side) / 2, side, side)
            draw_icon(painter, flag, "flag", LOOK.theme.text)
        if gauge.load is not None:
            bar = QRectF(box.left(), box.bottom() - 9, box.width(), 9)
            draw_bar(painter, bar, replace(reading(gauge), verdict=verdict), LOOK.theme)


def _chip_font(font: QFont) -> QFont:
    return scaled_font(font, 0.92, QFont.Weight.Medium)


class FailureView(QTableView):
    """The table; `E` or a double click asks why a number is as it is.

    Signals:
        asked: the cell that is asked about. resized: there is other room for the columns.
    """

    asked = Signal(QModelIndex)
    resized = Signal()

    def set_heights(self) -> None:
        """Rows are as high as their words need where all of them have room, else of one height."""
        metrics, model = QFontMetricsF(self.font()), self.model()
        usual, count = round(self.fontMetrics().height() * ROW_LINES), model.rowCount()
        heights = [usual] * count
        if usual * count <= self.viewport().height():
            needed = [max(usual, self._needed(row, metrics)) for row in range(count)]
            if sum(needed) <= self.viewport().height():
                heights = needed
        for row, height in enumerate(heights):
            if self.rowHeight(row) != height:
                self.setRowHeight(row, height)

    def _needed(self, row: int, metrics: QFontMetricsF) -> int:
        lines = 0
        for column in (MODE, MISSING):
            room = self.columnWidth(column) - WORDS_LEFT - WORDS_RIGHT
            words = self.model().index(row, column).data() or ""
            lines = max(lines, len(in_lines(words, metrics, room, MOST_LINES)))
        return round((lines + ROW_LINES - 2) * metrics.lineSpacing())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.resized.emit()
        self.set_heights()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        mark_current(self, event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_E:
            self.asked.emit(self.currentIndex())
        else:
            super().keyPressEvent(event)


class FailureTable(StudyPanel):
    """Every failure mode beside normal operation; a click selects what fails.

    Single hosts are there at once, from the prediction; groups, controllers, partners and FT
    secondaries follow from the failure study, two hosts at a time and maintenance on demand.

    Signals:
        why_requested: the number that is to be explained, as `NumberRef`.
    """

    why_requested = Signal(object)

    def __init__(
        self,
        session: Session,
        selection: Selection,
        worker: Worker | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(session, worker, Studying(USUAL), parent)
        self._selection = selection
        self._pointed = ""
        self.model = FailuresModel(self)
        self.sorted = QSortFilterProxyModel(self)
        self.view = FailureView(self)
        self._delegate = FailureDelegate(self.view)
        self._empty = Empty("server", tr("No host, no failure: add hosts and VMs first."), self)
        self.reading = OneLine("", self)
        self.buttons = {kind: self._button(text, tip) for kind, text, tip in ON_DEMAND}
        self._set_up_view()
        self._lay_out()

    def show_view(self, view: View) -> None:
        lost = view.lost
        if lost:
            view = self._session.studied_view
        study: FailureStudy | None = None if view.is_dragged else self._background.value
        rows = failure_rows(
            view.scenario,
            view.prediction,
            study=study,
            before=self.model.rows,
        )
        self.model.set_rows(rows)
        self._set_widths()
        self.view.set_heights()
        self.view.setVisible(bool(rows))
        self._empty.setVisible(not rows)
        for button in self.buttons.values():
            button.setVisible(len(view.scenario.hosts) > 1)
        self._point_at(lost)
        self._read()

    def forget(self) -> None:
        """Another project is open: none of its failures was chosen."""
        self.view.setCurrentIndex(QModelIndex())
        self.view.clearSelection()

    def _point_at(self, lost: str) -> None:
        """The row of a host that is held down is the current one as long as it is."""
        if not (lost or self._pointed):
            return
        rows = self.model.rows
        place = next((at for at, row in enumerate(rows) if row.is_of_host(lost)), None)
        index = QModelIndex() if place is None else self.model.index(place, MODE)
        self._pointed = lost
        self.view.setCurrentIndex(self.sorted.mapFromSource(index))
        self.view.scrollTo(self.view.currentIndex())

    def _refresh(self) -> None:
        view = self._session.view
        if self.isVisible() and (view.lost or not view.is_dragged):
            self.show_view(view)

    def _turn(self, _is_on: bool) -> None:
        wanted = tuple(kind for kind, button in self.buttons.items() if button.isChecked())
        self._background.study(Studying((*USUAL, *wanted)))
        self._refresh()

    def _read(self) -> None:
        """What the row in hand means; without one, how many modes there are and which is worst."""
        row: FailureRow | None = self.view.currentIndex().data(ROW_ROLE)
        if row is not None and row.details:
            self.reading.setText(f"{local(row.label)}: {' · '.join(map(local, row.details))}")
        else:
            self.reading.setText(self._summary())

    def _summary(self) -> str:
        if self._background.problem:
            return tr("The failure study stopped: {problem}", problem=self._background.problem)
        view = self._session.view
        if self._background.is_calculating or (view.is_dragged and not view.lost):
            return tr("Single hosts are up to date; calculating the other modes …")
        study: FailureStudy | None = self._background.value
        if study is None or len(study) < 2:
            return ""
        count = len(study) - 1
        text = trn(
            "Normal operation and {count} failure mode",
            "Normal operation and {count} failure modes",
            count,
        )
        if count > MOST_ROWS:
            text += tr(", the {most_rows} worst shown", most_rows=MOST_ROWS)
        flagged = any(row.worst for row in self.model.rows)
        return tr("{text}, worst first", text=text) + (
            tr("; flag: worst single host") if flagged else ""
        )

    def _set_widths(self) -> None:
        """Set from the words: letting Qt measure every cell costs a hundred times as much."""
        metrics = QFontMetricsF(self.view.font())
        names = max((len(local(row.label)) for row in self.model.rows), default=0)
        mode = min(names * metrics.averageCharWidth() + 24, self._mode_room())
        words = {local(row.shown.words) for row in self.model.rows if row.shown is not None}
        font = _chip_font(self.view.font())
        chip = max(
            chip_size(font, each).width() for each in (local(Verdict.DOES_NOT_FIT.label), *words)
        )
        widths = {
            column: metrics.horizontalAdvance(HEADS[column].title) + HEAD_PADDING
            for column in NUMBER_LINES
        }
        widths = {
            column: max(width, metrics.height() * NUMBER_LINES[column], self._widest(column))
            for column, width in widths.items()
        }
        widths |= {MODE: mode, VERDICT: chip + 10}
        for column, width in widths.items():
            self._set_width(column, width)
        left = self.view.viewport().width() - sum(widths.values())
        self.view.setColumnHidden(READY, left < metrics.height() * MISSING_LINES)

    def _widest(self, column: int) -> float:
        """What the numbers of a column need: the largest has most digits, the least decimals."""
        rows = self.model.rows
        values = {
            at: abs(value)
            for at, row in enumerate(rows)
            if (value := row.numbers[column - CPU].quantity.value)
        }
        if not values:
            return 0.0
        texts = (
            self.model.index(of(values, key=values.__getitem__), column).data() for of in (max, min)
        )
        metrics = QFontMetricsF(scaled_font(self.view.font(), 1.0, QFont.Weight.Bold))
        is_flagged = any(column in row.worst for row in rows)
        flag = FLAG_LINES * metrics.height() if is_flagged else 0.0
        return max(map(metrics.horizontalAdvance, texts)) + NUMBER_PADDING + flag

    def _mode_room(self) -> float:
        """Beside all numbers there is room for what is missing; in a wide table also for names."""
        line = QFontMetricsF(self.view.font()).height()
        spare = self.view.viewport().width() - line * (sum(NUMBER_LINES.values()) + 6.5)
        return min(max(spare * 0.5, line * 8), line * 18)

    def _set_width(self, column: int, width: float) -> None:
        if self.view.columnWidth(column) != round(width):
            self.view.setColumnWidth(column, round(width))

    def _set_up_view(self) -> None:
        view = self.view
        self.sorted.setSourceModel(self.model)
        self.sorted.setSortRole(SORT_ROLE)
        view.setModel(self.sorted)
        view.setItemDelegate(self._delegate)
        view.setSortingEnabled(True)
        view.sortByColumn(-1, Qt.SortOrder.AscendingOrder)
        make_plain(view, tr("Failure modes"), lines=ROW_LINES)
        header = view.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header.setSectionResizeMode(MISSING, QHeaderView.ResizeMode.Stretch)
        view.clicked.connect(self._activated)
        view.activated.connect(self._activated)
        view.doubleClicked.connect(self._asked)
        view.asked.connect(self._asked)
        view.resized.connect(self._set_widths)
        view.selectionModel().currentRowChanged.connect(self._read)

    def _button(self, text: str, tip: str) -> QToolButton:
        button = switch(self, text, tip=tip, name=tip, role="switch")
        button.toggled.connect(self._turn)
        return button

    def _lay_out(self) -> None:
        head = in_row(gap=4, around=(10, 4, 6, 0)).put((self.reading, 1), *self.buttons.values())
        in_column(self, gap=2).put(head, (self.view, 1), (self._empty, 1))

    def _activated(self, index: QModelIndex) -> None:
        row: FailureRow | None = index.data(ROW_ROLE)
        known = {item.id for item in self._session.view.scenario.items()}
        subjects = tuple(id for id in row.subjects if id in known) if row is not None else ()
        if subjects:
            self._selection.set(subjects, subjects[0])

    def _asked(self, index: QModelIndex) -> None:
        """A number's own derivation; of words that of the mode's CPU."""
        row: FailureRow | None = index.data(ROW_ROLE) if index.isValid() else None
        if row is None:
            return
        if row.kind not in (ModeKind.NORMAL, ModeKind.HOST):
            self._session.message.emit(
                tr("{label}: derivations are shown of single hosts.", label=local(row.label))
            )
            return
        if row.kind is ModeKind.HOST:
            field = FIELDS.get(index.column(), "cpu_pct")
            self.why_requested.emit(NumberRef("failures", row.subject, field))
        else:
            self.why_requested.emit(asked_now(row, index.column()))


def asked_now(row: FailureRow, column: int) -> NumberRef:
    """The number of normal operation in a column, of the item that it is the worst of."""
    column = column if column in NOW else CPU
    table, field = NOW[column]
    subject = row.numbers[column - CPU].subject
    return NumberRef(table, subject, field) if subject else NumberRef("dials", "", "cpu_pct")


class Studying:
    """The failure study of these kinds of modes; the rows that are shown are made in its thread."""

    def __init__(self, kinds: tuple[ModeKind, ...]) -> None:
        self._kinds = kinds

    def __call__(self, scenario: Scenario, knowledge: Knowledge, context: Context) -> FailureStudy:
        study = study_failures(scenario, knowledge, which=self._kinds, check=context.check)
        for row in study.ranked()[:MOST_ROWS]:
            context.check()
            study[row]
        return study
