"""The years ahead as a page: when each number passes its limit, the slider, and how likely it is
to last."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QPoint, QRectF, QTimer, Signal
from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QPushButton, QStackedLayout, QStyle, QStyleOptionSlider, QWidget

from app.background import Background
from app.language import local, tr
from app.session import Session, View
from app.studies import YearsAhead, chance_of, years_ahead
from app.widgets.labels import Empty, OneLine
from app.widgets.parts import STRETCH, in_column, in_row, styled, wrapped
from app.widgets.runway_bands import BandsLegend, RunwayBands
from app.widgets.sections.view import CALCULATING, SectionsView
from app.widgets.years_ahead import YearsAhead as YearsSlider
from app.windows.pages import Page
from app.work import Worker
from models.studies.runway import MONTHS_OF_A_YEAR
from models.tell.blocks import Section
from models.tell.chance import chance_text
from models.tell.growth import growth_sections, told_text
from models.tell.runway import bands

NOTHING = tr(
    "State how users, mail files or load grow, a seasonal peak, or what runs in the maintenance "
    "window, to see what runs out when."
)

LABEL_LINES = 21
"""Width of the words behind the slider, in lines: above them stands when a number passes."""


class YearsPage(Page):
    """Bands over the slider that the whole window follows, the table behind them.

    Signals:
        why_requested: the number that is to be explained, as `NumberRef`, in the year shown.
        plan_requested: the fields in which growth is stated.
    """

    why_requested = Signal(object)
    plan_requested = Signal()

    def __init__(self, session: Session, worker: Worker, parent: QWidget | None = None) -> None:
        super().__init__(tr("The years ahead"), parent)
        self._session = session
        self._runway = Background(session, worker, years_ahead, self, of_today=True)
        self._chance = Background(session, worker, chance_of, self)
        self._shown: YearsAhead | None = None
        self.sentence, self.chance = wrapped("", self), styled(OneLine("", self), "muted")
        self.bands, self.legend = RunwayBands(self), BandsLegend(self)
        self.ahead = YearsSlider(session, self)
        self.figures = SectionsView(tr("The years ahead, in figures"), self)
        self.table = QPushButton(tr("Figures"), self)
        self.table.setCheckable(True)
        self.table.setToolTip(tr("The same as tables"))
        self.rates = QPushButton(tr("Growth…"), self)
        self.rates.setToolTip(tr("The rates and years that are planned"))
        self.empty = Empty("own-flip", NOTHING, self)
        self._lay_out()
        self.table.toggled.connect(self._turn)
        self.rates.clicked.connect(self.plan_requested)
        self.bands.asked.connect(self.why_requested)
        for background in (self._runway, self._chance):
            background.changed.connect(self.refresh)
        session.view_changed.connect(self._view_changed)
        self.ahead.slider.installEventFilter(self)

    @property
    def is_settled(self) -> bool:
        """What it shows is worked out."""
        return not (self._runway.is_calculating or self._chance.is_calculating)

    def refresh(self) -> None:
        """Shows what is known of the scenario in view and of the year that is shown."""
        if not self.isVisible():
            return
        found: YearsAhead | None = self._runway.value
        is_known = found is not None or self._runway.is_true
        if found is not None and found is not self._shown:
            self._show(found)
        has_bands = bool(self.bands.bands) and (found is not None or not is_known)
        problem = self._runway.problem
        self.empty.say(NOTHING if is_known and not problem else problem or CALCULATING)
        self._pages.setCurrentIndex(int(self.table.isChecked()) if has_bands else 2)
        self.bands.setEnabled(found is not None)
        self.figures.setEnabled(found is not None)
        for part in (self.sentence, self.chance, self.legend, self.table):
            part.setVisible(has_bands)
        self._show_year(self._session.studied_view)

    def _show(self, found: YearsAhead) -> None:
        """Another runway: that of the plan in words and figures, all that can be seen as bands."""
        scenario, self._shown = self._session.scenario, found
        self.sentence.setText(local(told_text(found.planned, scenario)))
        self.bands.show_bands(
            bands(found.whole, scenario),
            last=float(found.whole.steps[-1].month),
            planned=float(found.planned.steps[-1].month),
        )
        self.figures.show_sections(_figures(growth_sections(found.planned, scenario)))

    def _show_year(self, view: View) -> None:
        """The line across the bands, each number there, and the chance."""
        self.bands.show_year(round(view.years * MONTHS_OF_A_YEAR), view.prediction)
        chance = self._chance.value
        if chance is not None:
            self.chance.setText(local(chance_text(chance, view.years)))
        else:
            self.chance.setText(CALCULATING if self._chance.is_calculating else "")

    def _turn(self, _is_table: bool) -> None:
        self.refresh()

    def _view_changed(self, _view: View) -> None:
        self.refresh()

    # ------------------------------------------------------------------ place and events

    def _lay_out(self) -> None:
        self.ahead.label.setMaximumWidth(self.fontMetrics().height() * LABEL_LINES)
        self._pages = QStackedLayout()
        for page in (self.bands, self.figures, self.empty):
            self._pages.addWidget(page)
        foot = in_row(around=(10, 0, 6, 0)).put(self.legend, STRETCH, self.rates, self.table)
        head = in_row(around=(10, 4, 10, 0)).put((self.sentence, 1))
        below = in_row(around=(10, 0, 10, 0)).put((self.chance, 1))
        in_column(self, gap=4, around=(0, 4, 0, 4)).put(
            head, below, (self._pages, 1), self.ahead, foot
        )

    def _align(self) -> None:
        """The months of the bands stand above those of the slider."""
        slider = self.ahead.slider
        option = QStyleOptionSlider()
        slider.initStyleOption(option)
        handle = slider.style().pixelMetric(QStyle.PixelMetric.PM_SliderLength, option, slider)
        room = QRectF(slider.rect()).adjusted(handle / 2, 0, -handle / 2, 0)
        left = self.bands.mapFromGlobal(slider.mapToGlobal(QPoint(0, 0))).x()
        self.ahead.words.setMinimumWidth(self.bands.names_px)
        self.bands.set_axis(left + room.left(), left + room.right())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Move):
            QTimer.singleShot(0, self, self._align)
        return super().eventFilter(watched, event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._align()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.ahead.show_view(self._session.view)
        for background in (self._runway, self._chance):
            background.want(True)
        self.refresh()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.give_up()

    def give_up(self) -> None:
        for background in (self._runway, self._chance):
            background.want(False)


def _figures(told: Sequence[Section]) -> tuple[Section, ...]:
    """Without the first paragraph, which stands above."""
    return tuple([Section("", section.blocks[1:]) for section in told])
