"""The charts below the board, and the failure table beside them."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QStackedWidget, QTabWidget, QToolButton, QWidget

from app.language import tr
from app.selection import Selection
from app.session import Session
from app.widgets.chart_pages.bars import LoadPage, UtilisationPage
from app.widgets.chart_pages.curve import CurvePage
from app.widgets.chart_pages.page import ChartPage
from app.widgets.chart_pages.whatif import WhatIfPage
from app.widgets.failure.admission import AdmissionPanel
from app.widgets.failure.storm import StormPage
from app.widgets.failures import FailureTable
from app.widgets.parts import in_row
from app.widgets.studies import StudiesPanel
from app.work import Worker

LEGEND_RIGHT_PX = 6


class ChartsPanel(QTabWidget):
    """Response, loads, failures and what guards against them, as tabs; the shown one is up to date.

    Signals:
        why_requested: the number that is to be explained, as `NumberRef`; told: derivations of
            numbers that a page has worked out itself, that of the one asked about first.
        room_wanted: a page was chosen while its tabs alone are shown.
    """

    room_wanted = Signal()
    why_requested = Signal(object)
    told = Signal(object)

    def __init__(
        self,
        session: Session,
        selection: Selection | None = None,
        worker: Worker | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._is_flat = False
        self._selection = selection or Selection(self)
        worker = worker or Worker(parent=self)
        self.curve = CurvePage(session, self._selection, worker, self)
        self.load = LoadPage(session, self)
        self.utilisation = UtilisationPage(session, self)
        self.whatif = WhatIfPage(session, self._selection, worker, self)
        self.failures = FailureTable(session, self._selection, worker, self)
        self.admission = AdmissionPanel(session, self._selection, worker, self)
        self.storm = StormPage(session, worker, self)
        self.studies = StudiesPanel(session, self._selection, worker, self)
        self._add_tabs()
        for picking in (self.load, self.utilisation):
            picking.picked.connect(self._selection.select)
        for asking in (self.curve, self.load, self.utilisation, self.whatif):
            asking.asked.connect(self.why_requested)
        self.failures.why_requested.connect(self.why_requested)
        self.storm.told.connect(self.told)
        self._corner = QWidget(self)
        self._words = in_row(self._corner)
        self._over = QToolButton(self._corner)
        self._over.hide()
        for page in self.pages:
            self._words.addWidget(page.legend)
            page.furnished.connect(self._show_legend)
        self._words.addWidget(self._over)
        self.setCornerWidget(self._corner)
        self.currentChanged.connect(self._show_legend)
        self.tabBarClicked.connect(self.want_room)
        self.setAccessibleName(tr("Charts"))

    def _add_tabs(self) -> None:
        self.setDocumentMode(True)
        self.addTab(self.curve, tr("Response"))
        self.addTab(self.load, tr("Hosts"))
        self.addTab(self.utilisation, tr("Bottleneck"))
        self.addTab(self.whatif, tr("What if"))
        self.addTab(self.failures, tr("Failures"))
        self.addTab(self.admission, tr("Admission"))
        self.addTab(self.storm, tr("Storm"))
        self.addTab(self.studies, tr("Studies"))

    @property
    def pages(self) -> tuple[ChartPage, ...]:
        """The pages with a chart."""
        return (self.curve, self.load, self.utilisation, self.whatif, self.storm)

    def offer(self, act: QAction) -> None:
        """Puts a button for an act beside the tabs."""
        self._over.setDefaultAction(act)
        self._over.setAutoRaise(True)
        self._over.show()
        self._show_legend()

    def set_flat(self, is_flat: bool) -> None:
        """Shows the tabs alone, or the page below them again."""
        self._is_flat = is_flat
        pages = self.findChild(QStackedWidget, options=Qt.FindChildOption.FindDirectChildrenOnly)
        assert pages is not None
        pages.setHidden(is_flat)
        self._show_legend()
        self.updateGeometry()

    def want_room(self, _place: int = 0) -> None:
        """Room for the page that is chosen, where its tabs alone are shown."""
        if self._is_flat:
            self.room_wanted.emit()

    def forget(self) -> None:
        """Another project is open: ids that it shares with the one before mean something else."""
        self.whatif.forget()
        self.failures.forget()

    def minimumSizeHint(self) -> QSize:
        """That of the pages: the legend takes what room there is and asks for none."""
        if self._is_flat:
            return QSize(0, self.tabBar().sizeHint().height())
        pages = [page for n in range(self.count()) if (page := self.widget(n)) is not None]
        widest = max((page.minimumSizeHint().width() for page in pages), default=0)
        return QSize(widest + 4, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_legend()

    def _show_legend(self) -> None:
        """The legend of the chart on screen, as much of it as the tabs leave room for."""
        tabs = self.tabBar().sizeHint()
        button = 0 if self._over.isHidden() else self._over.sizeHint().width() + 6
        room = self.width() - tabs.width() - 24 - button
        for page in self.pages:
            fits = page.legend.fit(room)
            page.legend.setVisible(page is self.currentWidget() and page.has_chart and fits)
        spare = tabs.height() - self.curve.legend.sizeHint().height()
        # Qt puts a corner at the foot of the tabs.
        self._words.setContentsMargins(0, 0, LEGEND_RIGHT_PX, max(spare, 0) // 2)
