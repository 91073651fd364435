"""What is told of the model in sections: its accuracy, and a network of queues beside it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.language import tr
from app.opinion import asked
from app.session import Session, View
from app.widgets.labels import OneLine
from app.widgets.parts import in_column, styled
from app.widgets.sections.view import SectionsPanel, SectionsView
from app.work import Worker
from models.fitting.validation import Accuracy, Validation
from models.second_opinion.opinion import Opinion
from models.tell.accuracy import accuracy_sections
from models.tell.blocks import Section
from models.tell.second_opinion import opinion_sections


class AccuracyTab(QWidget):
    """How far off the model is, quantity by quantity.

    Signals:
        points_requested: the `Accuracy` whose points are to be shown.
    """

    points_requested = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows: tuple[Accuracy, ...] = ()
        self.view = SectionsView(tr("Accuracy"), self)
        words = tr("Return or a double click on a row shows its points.")
        hint = styled(OneLine(words, self), "muted")
        hint.setContentsMargins(10, 4, 8, 0)
        in_column(self).put(hint, (self.view, 1))
        self.view.asked.connect(self._asked)

    def show_validation(self, validation: Validation) -> None:
        self._rows = validation.accuracy
        self.view.show_sections(accuracy_sections(validation))

    def _asked(self, block: int, row: int, _column: int) -> None:
        if block == 0 and row < len(self._rows):
            self.points_requested.emit(self._rows[row])


class OpinionTab(SectionsPanel):
    """The network's response of every server, and why it is another one."""

    def __init__(self, session: Session, worker: Worker, parent: QWidget | None = None) -> None:
        super().__init__(
            session,
            worker,
            asked,
            name=tr("Second opinion"),
            icon="circle-dashed",
            nothing=tr("The network of this scenario has not been solved."),
            is_long=True,
            parent=parent,
        )

    def tell(self, value: Opinion, view: View) -> Sequence[Section]:
        return opinion_sections(value, view.scenario)
