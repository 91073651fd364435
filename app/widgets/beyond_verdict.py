"""What is worse than the verdict says: a line below its sentence, once it is known."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QWidget

from app.language import local, tr
from app.outlook import OutlookRun
from app.session import Session
from app.widgets.labels import AskLabel, OneLine, Sign, tint
from app.widgets.marks import scaled_font, verdict_icon, verdict_ink
from app.widgets.parts import in_row
from models.base.lettering import set_apart
from models.predict.prediction import Verdict
from models.resilience.mode_words import beyond_verdict_text

CALCULATING = tr("Besides hosts: calculating …")


class BesidesLine(QWidget):
    """Names the failure of another kind than hosts that is worse than all the verdict speaks of.

    Signals:
        changed: `verdict` may be another one.
    """

    changed = Signal()

    def __init__(
        self, session: Session, outlook: OutlookRun, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._outlook = outlook
        self.verdict: Verdict | None = None
        self._warned: tuple[str, str] | None = None
        self._sign = Sign(parent=self)
        self.words = OneLine("", self)
        self.words.setFont(scaled_font(self.font(), 1.0, QFont.Weight.Medium))
        in_row(self, gap=5, around=(AskLabel.AROUND, 0, 0, 0)).put(self._sign, (self.words, 1))
        self.hide()
        outlook.changed.connect(self._refresh)
        session.view_changed.connect(self._refresh)
        self._refresh()

    def _refresh(self, _view: object = None) -> None:
        """What a design was warned of isn't known of its next state until it is worked out; of
        another design nothing is said before that.

        While a host is held down the verdict is that failure's.
        """
        found = self._outlook.outlook
        view = self._session.view
        if view.lost:
            self.verdict = None
            self.hide()
        elif found is None or view.is_dragged:
            self.verdict = None
            self.words.setText(CALCULATING)
            self.setVisible(self._warned == self._session.place)
        else:
            worse = found.besides
            self._warned = None if worse is None else self._session.place
            self.setVisible(worse is not None)
            shown = None if worse is None else worse.shown
            self.verdict = None if shown is None else shown.verdict
            if worse is not None:
                names = {item.id: set_apart(item.name) for item in found.scenario.items()}
                self.words.setText(local(beyond_verdict_text(worse, names)))
        self._sign.show_sign(verdict_icon(self.verdict), verdict_ink(self.verdict))
        tint(self.words, verdict_ink(self.verdict))
        self.changed.emit()
