"""Sections in the window: any of them in one view, and a tab that shows those of a study."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont, QGuiApplication, QResizeEvent
from PySide6.QtWidgets import (
    QGridLayout,
    QLabel,
    QPushButton,
    QWidget,
)

from app.background import Study, StudyPanel
from app.language import local, tr
from app.selection import Selection
from app.session import Session, View
from app.widgets.gauge_text import BETWEEN
from app.widgets.labels import Empty, OneLine, Sign, tint
from app.widgets.marks import SEVERITY_ICONS, scaled_font, verdict_icon, verdict_ink
from app.widgets.parts import (
    STRETCH,
    ProgressLine,
    Scroller,
    in_column,
    in_row,
    styled,
    tool_button,
)
from app.widgets.sections.bars import BarsWidget
from app.widgets.sections.block import BlockWidget, words
from app.widgets.sections.table import ColumnStore, TableView
from app.widgets.sections.verdict_grid import VerdictGridWidget
from app.wording import ahead_words, kept_together
from app.work import Worker
from models.base.texts import opening
from models.evidence.citation import in_short
from models.predict.prediction import Severity
from models.tell.blocks import (
    Bars,
    Block,
    Bullets,
    Definitions,
    Drawing,
    FindingBlock,
    Paragraph,
    ResponsePlot,
    Section,
    Signature,
    Table,
    TimePlot,
    VerdictBox,
    VerdictGrid,
)

CALCULATING = tr("calculating …")
PLOT_LINES, BAR_LINES, TITLE_PX = 13, 1.7, 10
NAME_LETTERS = 40
"""A longer name of a definition takes several lines."""
LEAST_HEIGHT = 26
"""In a low window the rest is scrolled to [px]."""

SEVERITY_INKS = {Severity.ERROR: "bad", Severity.WARNING: "warn", Severity.ADVICE: "accent"}


def write(label: QLabel, text: str) -> None:
    """Writes a text of the model in a label, which is not seen without one."""
    label.setText(kept_together(local(text)))
    label.setVisible(bool(text))


def in_one_line(facts: Iterable[tuple[str, str]]) -> str:
    """Names and what there is to say of each one after the other, where there is little room."""
    pairs = ((local(name), local(value)) for name, value in facts)
    return BETWEEN.join(f"{name}: {value}" if name else value for name, value in pairs)


class ParagraphWidget(BlockWidget):
    """Words, with a button for those that are pasted elsewhere; of a drawing, which the board is,
    those that describe it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.label = words(parent=self)
        self.copy = tool_button(self, "copy", tip=tr("Copy this line"))
        self.copy.hide()
        self.copy.clicked.connect(self._copy)
        top = (self.copy, 0, Qt.AlignmentFlag.AlignTop)
        self.column.addLayout(in_row(gap=6).put(top, (self.label, 1)))
        self._line = ""

    def show_block(self, block: Paragraph | Drawing) -> None:
        write(self.label, block.text if isinstance(block, Paragraph) else block.alt)
        is_copied = isinstance(block, Paragraph) and block.is_copied
        self._line = local(block.text) if isinstance(block, Paragraph) else ""
        self.copy.setVisible(is_copied)
        centre, top = Qt.AlignmentFlag.AlignVCenter, Qt.AlignmentFlag.AlignTop
        self.label.setAlignment(centre if is_copied else top)
        self.copy.setAccessibleName(tr("Copy {line}", line=self._line) if is_copied else "")

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self._line)


class SignedWidget(BlockWidget):
    """A sign beside lines of which the first is in its colour."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.sign = Sign(parent=self, lines=1.4)
        self.head = words(parent=self)
        self.head.setFont(scaled_font(self.font(), 1.0, QFont.Weight.DemiBold))
        self.lines = [words(parent=self), words(parent=self), words("muted", self)]
        lines = in_column(gap=2).put(self.head, *self.lines)
        sign = (self.sign, 0, Qt.AlignmentFlag.AlignTop)
        self.column.addLayout(in_row(gap=8).put(sign, (lines, 1)))

    def say(self, icon: str, ink: str, head: str, *lines: str) -> None:
        self.sign.show_sign(icon, ink)
        tint(self.head, ink)
        write(self.head, head)
        for label, line in zip(self.lines, lines, strict=True):
            write(label, line)


class VerdictWidget(SignedWidget):
    def show_block(self, block: VerdictBox) -> None:
        verdict = block.verdict
        word = opening(block.verdict.words)
        self.say(verdict_icon(verdict), verdict_ink(verdict), word, block.text, "", block.remark)


class FindingWidget(SignedWidget):
    def show_block(self, block: FindingBlock) -> None:
        icon, ink = SEVERITY_ICONS[block.severity], SEVERITY_INKS[block.severity]
        if block.waived:
            icon, ink = "flag", "muted"
        below = block.waived or block.fix
        self.say(icon, ink, opening(block.word), block.text, below, in_short(block.source))


class TableWidget(BlockWidget):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.view = TableView("", self)
        self.note = words("muted", self)
        self.column.addWidget(self.view)
        self.column.addWidget(self.note)
        self.view.chosen.connect(self.chosen)
        self.view.asked.connect(self._ask)

    def show_block(self, block: Table) -> None:
        self.view.show_table(block)
        self.view.setVisible(bool(block.rows))
        write(self.note, block.note)

    def fit(self, width: int, height: int) -> None:
        self.view.fit(width, height)

    def name(self, title: str) -> None:
        self.view.setAccessibleName(title)

    def _ask(self, row: int, column: int) -> None:
        self.asked.emit(self.place, row, column)


class DefinitionsWidget(BlockWidget):
    """Names and what there is to say of each, below each other."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.grid = QGridLayout()
        self.grid.setHorizontalSpacing(16)
        self.grid.setVerticalSpacing(3)
        self.grid.setColumnStretch(1, 1)
        self.column.addLayout(self.grid)
        self.pairs: list[tuple[QLabel, QLabel]] = []

    def show_block(self, block: Definitions) -> None:
        while len(self.pairs) < len(block.rows):
            name, value = QLabel(self), words(parent=self)
            name.setProperty("role", "muted")
            name.setWordWrap(True)
            name.setMaximumWidth(NAME_LETTERS * name.fontMetrics().averageCharWidth())
            self.grid.addWidget(name, len(self.pairs), 0, Qt.AlignmentFlag.AlignTop)
            self.grid.addWidget(value, len(self.pairs), 1)
            self.pairs.append((name, value))
        said = [*block.rows, *[("", "")] * (len(self.pairs) - len(block.rows))]
        for pair, texts in zip(self.pairs, said, strict=True):
            for label, text in zip(pair, texts, strict=True):
                write(label, text)
            name = pair[0]
            width = name.fontMetrics().horizontalAdvance(name.text()) + 1
            name.setMinimumWidth(min(width, name.maximumWidth()))


class ListWidget(BlockWidget):
    """Bullets, or the parties that sign."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.label = words(parent=self)
        self.column.addWidget(self.label)

    def show_block(self, block: Bullets | Signature) -> None:
        items = block.items if isinstance(block, Bullets) else block.parties
        self.label.setText("\n".join(f"• {kept_together(local(item))}" for item in items))


class PlotWidget(BlockWidget):
    """A chart over its legend; pyqtgraph is imported with the first one."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        from app.widgets.plots.blocks import BlockChart, CurveLegend

        self.chart = BlockChart(self)
        self.chart.setFixedHeight(self.fontMetrics().height() * PLOT_LINES)
        self.legend = CurveLegend(self)
        self.reading = styled(OneLine("", self), "muted")
        self.column.put(self.chart, in_row(gap=16).put(self.legend, (self.reading, 1)))
        self.chart.read.connect(self.reading.setText)

    def show_block(self, block: TimePlot | ResponsePlot) -> None:
        self.chart.show_plot(block)
        self.legend.show_curves(self.chart.curves)


class SectionsView(Scroller):
    """Sections below each other, in the window's language and look.

    What has the same shape as before is filled anew in its place: tables keep their selection, and
    the view does not jump.

    Signals:
        chosen: id of the item whose row was clicked.
        asked: which block it is among all, row and column of the cell that is asked about.
    """

    chosen = Signal(str)
    asked = Signal(int, int, int)

    KINDS: ClassVar[dict[type[Block], type[BlockWidget]]] = {
        Paragraph: ParagraphWidget,
        VerdictBox: VerdictWidget,
        FindingBlock: FindingWidget,
        Table: TableWidget,
        Definitions: DefinitionsWidget,
        Bullets: ListWidget,
        Signature: ListWidget,
        Bars: BarsWidget,
        VerdictGrid: VerdictGridWidget,
        TimePlot: PlotWidget,
        ResponsePlot: PlotWidget,
        Drawing: ParagraphWidget,
    }

    def __init__(
        self,
        name: str,
        parent: QWidget | None = None,
        *,
        columns: ColumnStore | None = None,
        list_name: str = "",
    ) -> None:
        """`columns`: remembers those of its list under `list_name`."""
        super().__init__(parent)
        self._columns, self._list_name = columns, list_name
        self.sections: tuple[Section, ...] = ()
        self.blocks: list[BlockWidget] = []
        self._titles: list[QLabel] = []
        self.setProperty("role", "reading")
        self.setAccessibleName(name)

    def show_sections(self, sections: Sequence[Section]) -> None:
        """Shows these; a section without a title has none."""
        is_same = _shape(sections) == _shape(self.sections)
        self.sections = tuple(sections)
        if not is_same:
            self._build()
        for label, section in zip(self._titles, self.sections, strict=True):
            write(label, section.title)
        blocks = [(each, block) for each in self.sections for block in each.blocks]
        for widget, (section, block) in zip(self.blocks, blocks, strict=True):
            widget.name(local(section.title) or self.accessibleName())
            widget.show_block(block)
        self._fit()

    def mark(self, subject: str) -> None:
        """The row of a subject is the current one of each list that has it."""
        for widget in self.blocks:
            if isinstance(widget, TableWidget) and widget.view.is_list:
                widget.view.mark(subject)

    @property
    def text(self) -> str:
        """All its tables, for a spreadsheet."""
        tables = (each.view.table.text for each in self.blocks if isinstance(each, TableWidget))
        return "\n".join(tables)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _build(self) -> None:
        content = QWidget()
        column = in_column(content, gap=8, around=(10, 6, 10, 8))
        self.blocks, self._titles = [], []
        for section in self.sections:
            title = words("heading", content)
            title.setContentsMargins(0, TITLE_PX if self._titles else 0, 0, 0)
            self._titles.append(title)
            column.addWidget(title)
            for block in section.blocks:
                widget = self.KINDS[type(block)](content)
                widget.chosen.connect(self.chosen)
                widget.asked.connect(self.asked)
                if isinstance(widget, TableWidget) and self._columns is not None:
                    widget.view.keep_columns(self._columns, self._list_name)
                widget.place = len(self.blocks)
                self.blocks.append(widget)
                column.addWidget(widget)
        column.addStretch(1)
        self.hold(content)

    def _fit(self) -> None:
        """A table is no higher than the view: its head stays in sight, and its rows scroll."""
        room = self.viewport().size()
        for widget in self.blocks:
            widget.fit(room.width() - 20, room.height() - 24)


def _shape(sections: Sequence[Section]) -> list[tuple[type[Block], ...]]:
    return [tuple(map(type, section.blocks)) for section in sections]


class SectionsPanel(StudyPanel):
    """A tab with the sections of a study of the scenario in view, worked out in the background.

    While they are worked out, what stands there is of another scenario and dimmed; where there are
    none, or the study failed, a sentence says so. A click on a row selects its item.

    Args:
        study: the sections of a scenario, or with `tell` whatever that makes them of.
        nothing: what to say where there are none.
        is_long: a bar shows how far the study is, and it can be stopped.
        of_today: as `Background` has it.
    """

    def __init__(
        self,
        session: Session,
        worker: Worker | None,
        study: Study,
        *,
        name: str,
        icon: str,
        nothing: str,
        selection: Selection | None = None,
        is_long: bool = False,
        of_today: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(session, worker, study, parent, of_today=of_today)
        self._selection, self._nothing, self._is_long = selection, nothing, is_long
        self.setAccessibleName(name)
        self.state = styled(OneLine("", self), "muted")
        self.stop = QPushButton(tr("Stop"), self)
        self.progress = ProgressLine(self)
        self.view = SectionsView(name, self)
        self.view.setMinimumHeight(LEAST_HEIGHT)
        self.empty = Empty(icon, nothing, self)
        self._lay_out()
        self.view.chosen.connect(self._choose)
        self.stop.clicked.connect(self._pressed)
        self._background.progressed.connect(self.progress.show_share)

    def take(self, study: Study) -> None:
        """Tells of another study of the same scenario."""
        self._background.study(study)
        self._refresh()

    def give_up(self) -> None:
        """Nobody waits for it any more."""
        self._background.want(False)

    def tell(self, value: Any, view: View) -> Sequence[Section]:
        """The sections of what came of the study."""
        sections: Sequence[Section] = value
        return sections

    def show_view(self, view: View) -> None:
        if view.lost:
            view = self._session.studied_view
        background = self._background
        value = None if view.is_dragged else background.value
        is_running = background.is_calculating
        sections = self.view.sections if value is None else self.tell(value, view)
        if value is not None:
            self.view.show_sections(sections)
            self.state.setText("" if self._of_today else ahead_words(view.years))
        else:
            self.state.setText(self._waiting())
        self.empty.say(self._nothing if value is not None else self.state.text() or self._nothing)
        self.view.setEnabled(value is not None)
        self.view.setVisible(bool(sections))
        self.empty.setVisible(not sections)
        self.state.setVisible(bool(sections and self.state.text()))
        self.progress.setVisible(self._is_long and is_running)
        self.stop.setText(tr("Stop") if is_running else tr("Try again"))
        self.stop.setVisible(self._is_long and value is None)

    def _waiting(self) -> str:
        """Why there is nothing of this scenario yet."""
        if self._background.is_calculating or self._session.view.is_dragged:
            return CALCULATING
        return self._background.problem or ("" if self._is_long else CALCULATING)

    def _choose(self, id: str) -> None:
        known = {item.id for item in self._session.view.scenario.items()}
        if self._selection is not None and id in known:
            self._selection.set((id,), id)

    def _pressed(self) -> None:
        self._background.want(not self._background.is_calculating)
        self._refresh()

    def _lay_out(self) -> None:
        self.head = in_row(around=(10, 4, 10, 0)).put((self.state, 1), STRETCH, self.stop)
        column = in_column(gap=2).put(self.head, self.progress, (self.view, 1), (self.empty, 1))
        self.row = in_row(self).put((column, 1))
