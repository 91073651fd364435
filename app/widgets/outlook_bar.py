"""Beside the verdict: how far it holds, what decides, and the cheapest change that mends it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize
from PySide6.QtGui import QFontMetricsF, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QPushButton, QSizePolicy, QWidget

from app.icons import icon
from app.language import local, tr
from app.outlook import OutlookRun
from app.session import Session, View
from app.widgets.labels import ShorterLine, in_lines, tint
from app.widgets.marks import scaled_font
from app.widgets.parts import STRETCH, in_column, styled
from app.wording import tip_text
from models.predict.prediction import Verdict
from models.tell.outlook import (
    CALCULATING,
    Causes,
    distance_text,
    fix_text,
    fixes_tip,
    flips_text,
    flips_tip,
    lost_text,
    nothing_text,
)

if TYPE_CHECKING:
    from models.single_changes.fixes import Fix


class OutlookLines(QWidget):
    """Two lines: what decides and comes next, and where the verdict flips; one beside the other
    where they have a row of their own."""

    def __init__(
        self,
        session: Session,
        run: OutlookRun,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._run = run
        self._distance = styled(ShorterLine(self), "muted")
        self._flips = ShorterLine(self)
        tint(self._flips, "text")
        self._both = in_column(gap=0).put((self._flips, 1), (self._distance, 1))
        in_column(self, gap=0, around=(10, 0, 4, 0)).put(STRETCH, self._both, STRETCH)
        self._distance.setFont(scaled_font(self.font(), 0.92))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.setAccessibleName(tr("How far the verdict holds"))
        self._is_of_hand = False
        run.changed.connect(self.refresh)
        session.view_changed.connect(self._view_changed)
        self.refresh()

    @property
    def flips(self) -> str:
        return self._flips.text()

    @property
    def distance(self) -> str:
        return self._distance.text()

    def set_direction(self, direction: QBoxLayout.Direction) -> None:
        """One below the other, or beside it."""
        self._both.setDirection(direction)
        self._both.setSpacing(12 if direction is QBoxLayout.Direction.LeftToRight else 0)

    def refresh(self) -> None:
        """Shows what is known; says so while it is calculated, and while VMs are being dragged."""
        view = self._session.view
        self._is_of_hand = view.is_dragged
        if view.lost:
            self._say_lost(view)
            return
        scenario = view.scenario
        told = view.prediction
        self._distance.say(
            local(distance_text(told, scenario)),
            local(distance_text(told, scenario, brief=True)),
            local(distance_text(replace(told, runner_up=None), scenario, brief=True)),
        )
        found = None if view.is_dragged else self._run.outlook
        if found is not None:
            self._flips.say(
                *(
                    local(flips_text(found.flips, scenario, causes=causes, brief=causes.brief))
                    for causes in Causes
                )
            )
            tip = flips_tip(found.flips, scenario, nearest=told.binding)
            self._flips.setToolTip(tip_text(local(tip)))
        else:
            is_coming = view.is_dragged or self._run.is_calculating
            self._flips.say(local(CALCULATING) if is_coming and scenario.vms else "", "")
        self.setAccessibleDescription(f"{self.flips}; {self.distance}")

    def _say_lost(self, view: View) -> None:
        """With a host held down: what is nearest to its limit then, and what comes next."""
        scenario, told = view.scenario, view.prediction
        first, second = map(local, lost_text(scenario, told, view.lost))
        briefly, then = map(local, lost_text(scenario, told, view.lost, brief=True))
        self._flips.say(first, briefly)
        self._flips.setToolTip(tip_text(first))
        self._distance.say(second, then)
        self.setAccessibleDescription(f"{first}; {second}")

    def _view_changed(self, view: View) -> None:
        """Only what is not stored: of the rest the run tells."""
        if view.is_dragged or self._is_of_hand:
            self.refresh()


class FixButton(QPushButton):
    """The cheapest single change; a click makes it, as one step."""

    AROUND = 48
    """What icon and padding take of the width [px]."""

    ABOVE, CLOSE = 14, 8
    """What is above and below one line of words, and several of them [px]."""

    def __init__(
        self,
        session: Session,
        run: OutlookRun,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._run = run
        self.fix: Fix | None = None
        self.words = self._brief = ""
        """All of it, also where there is room for a part only."""
        self.setIcon(icon("own-fix"))
        self.setProperty("role", "fix")
        self.setFont(scaled_font(self.font(), 0.95))
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.setMinimumWidth(60)
        self.clicked.connect(self.make)
        run.changed.connect(self.refresh)
        session.view_changed.connect(self.refresh)
        self.refresh()

    def refresh(self, _view: object = None) -> None:
        """Shows the fix of the scenario in view; nothing where no number is wrong, or none is known
        yet."""
        found, view = self._run.outlook, self._session.view
        is_wrong = view.committed.verdict > Verdict.NOT_KNOWN
        self.fix = found.fixes.best if found is not None and is_wrong else None
        self.setVisible(found is not None and is_wrong and not view.is_preview)
        if found is None or not is_wrong:
            return
        self.words, self._brief = (
            local(
                nothing_text(view.committed, brief=brief)
                if self.fix is None
                else fix_text(self.fix, brief=brief)
            )
            for brief in (False, True)
        )
        self.setToolTip(tip_text(f"{self.words}\n{local(fixes_tip(found.fixes))}"))
        self.setEnabled(self.fix is not None)
        self.setAccessibleName(tr("Cheapest fix: {words}", words=self.words))
        self._fit()
        self.updateGeometry()

    def make(self) -> None:
        """Makes the change."""
        found, fix = self._run.outlook, self.fix
        if fix is not None and found is not None and found.scenario is self._session.scenario:
            self._session.edit(fix.change.scenario, local(fix.change.text))

    def sizeHint(self) -> QSize:
        words = self.fontMetrics().horizontalAdvance(self.words)
        return QSize(words + self.AROUND + 2, self._height())

    def minimumSizeHint(self) -> QSize:
        return QSize(60, self._height())

    def _height(self) -> int:
        """Two lines stand closer to the edge than one: the verdict's sentence needs the room."""
        lines, line = self.text().count("\n") + 1, self.fontMetrics().height()
        return line + self.ABOVE if lines == 1 else lines * line + self.CLOSE

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """In full, in fewer words, or in two lines; what has no room there ends in an ellipsis."""
        metrics, room = QFontMetricsF(self.fontMetrics()), self.width() - self.AROUND
        fitting = (
            words for words in (self.words, self._brief) if metrics.horizontalAdvance(words) <= room
        )
        whole = next(fitting, None)
        lines = in_lines(self._brief, metrics, room, 2) if whole is None else (whole,)
        shown = "\n".join(lines).replace("&", "&&")
        if shown != self.text():
            self.setText(shown)
            self.updateGeometry()
