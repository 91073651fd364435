"""What is told of the accuracy of the model, in sections."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.language import tr
from app.widgets.labels import OneLine
from app.widgets.parts import in_column, styled
from app.widgets.sections.view import SectionsView
from models.fitting.validation import Accuracy, Validation
from models.tell.accuracy import accuracy_sections


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
