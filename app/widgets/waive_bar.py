"""What can be done about a finding: answer for it, with a reason, or take that back."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QToolButton, QWidget

from app.language import tr
from app.qtmodels.findings import FindingRow
from app.widgets.fields.line import LineEditor
from app.widgets.parts import STRETCH, in_column, in_row, tool_button
from models.predict.prediction import Finding

WAIVE, TAKE_BACK, CHANGE = tr("Waive…"), tr("Take back"), tr("Change reason…")


class ReasonLine(LineEditor):
    """The reason; Return says it, Escape leaves.

    Signals:
        said: the reason, without blanks around it.
        left: nothing is to be done.
    """

    said = Signal(str)
    left = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if self.text().strip():
                self.said.emit(self.text().strip())
        else:
            super().keyPressEvent(event)


class WaiveBar(QWidget):
    """Buttons for the current finding, and the line for the reason while it is written.

    Signals:
        decided: findings, and the reason for which they are accepted; none: no longer.
        left: nothing was decided.
    """

    decided = Signal(object, str)
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._findings: tuple[Finding, ...] = ()
        self._is_waived = False
        self.waive = self._button("flag", WAIVE, tr("Accept the finding with a reason (W)"))
        self.take_back = self._button(
            "undo-2", TAKE_BACK, tr("The finding is accepted no longer (W)")
        )
        self.reason = ReasonLine(self)
        self.reason.setPlaceholderText(tr("Why it is accepted, then Enter"))
        self.reason.setAccessibleName(tr("Reason to waive the finding"))
        self.reason.hide()
        self.waive.clicked.connect(self.ask)
        self.take_back.clicked.connect(self._take_back)
        self.reason.said.connect(self._decide)
        self.reason.left.connect(self._leave)
        self._lay_out()
        self.offer(None, ())

    @property
    def is_asking(self) -> bool:
        """The reason is being written."""
        return not self.reason.isHidden()

    def offer(self, row: FindingRow | None, findings: tuple[Finding, ...]) -> None:
        """Offers what can be done about this row."""
        if findings != self._findings:
            self.reason.hide()
        self._findings = findings
        self._is_waived = row is not None and row.is_waived
        self.waive.setText(CHANGE if self._is_waived else WAIVE)
        self.waive.setVisible(bool(findings) and not self.is_asking)
        self.take_back.setVisible(self._is_waived and not self.is_asking)

    def forget(self) -> None:
        """Drops the reason that is being written: other findings are shown now."""
        self.reason.hide()

    def act(self) -> None:
        """What `W` means for the current finding."""
        if self._is_waived:
            self._take_back()
        elif self._findings:
            self.ask()

    def ask(self) -> None:
        """Asks for the reason."""
        if not self._findings:
            return
        self.reason.setText(self._findings[0].waived)
        self.reason.show()
        self.waive.hide()
        self.take_back.hide()
        self.reason.setFocus()

    def _take_back(self) -> None:
        self.decided.emit(self._findings, "")

    def _decide(self, reason: str) -> None:
        self.reason.hide()
        self.decided.emit(self._findings, reason)

    def _leave(self) -> None:
        self.reason.hide()
        self.waive.show()
        self.take_back.setVisible(self._is_waived)
        self.left.emit()

    def _button(self, sign: str, text: str, tip: str) -> QToolButton:
        button = tool_button(self, sign, text, tip=tip)
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        return button

    def _lay_out(self) -> None:
        line = in_row(gap=4).put(self.waive, self.take_back, STRETCH)
        in_column(self, gap=0, around=(4, 0, 4, 0)).put(line, self.reason)
