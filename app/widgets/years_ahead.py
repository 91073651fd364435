"""Below the board: a slider over the years of growth that the whole window follows."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, QSize, Qt
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QLabel, QSizePolicy, QSlider, QWidget

from app.language import local, tr
from app.session import Session, View
from app.studies import YEARS
from app.widgets.labels import ShorterLine
from app.widgets.parts import in_row, styled, tool_button
from models.scenario.scenario import Growth, active_users
from models.scenario.wording import users_text
from models.studies.runway import MONTHS_OF_A_YEAR
from models.tell.growth import ahead_text

WIDEST_LINES = 30.0
"""Width of the label, in lines."""


class YearsAhead(QWidget):
    """Shows the scenario in view so many months from now, in all of the window; 0 is today.

    It is there where the scenario grows, or is to last for years. What it shows is never stored:
    edits are of today's scenario.
    """

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.slider = _Months(self)
        self.label = ShorterLine(self)
        self.today = tool_button(self, "own-restore", tip=tr("Back to today"))
        self._lay_out()
        self.slider.valueChanged.connect(self._moved)
        self.today.clicked.connect(self._back)
        session.view_changed.connect(self.show_view)
        self.show_view(session.view)

    @property
    def months(self) -> int:
        return self.slider.value()

    def show_view(self, view: View) -> None:
        """Follows the plan of the scenario in view, and says when it is shown and for whom."""
        plan = view.today.growth
        is_known = grows(plan)
        self.setVisible(is_known)
        years = max(plan.years, YEARS) if is_known else 0
        with QSignalBlocker(self.slider):
            self.slider.setRange(0, round(years * MONTHS_OF_A_YEAR))
            self.slider.setValue(round(self._session.years * MONTHS_OF_A_YEAR))
        if self._session.years != self.months / MONTHS_OF_A_YEAR:
            self._session.look_ahead(self.months / MONTHS_OF_A_YEAR)
        when = local(ahead_text(view.years))
        users = users_text(active_users(view.scenario.vms), active=True)
        self.label.say(tr("{when}: {users}", when=when, users=users), when)
        self.slider.setAccessibleDescription(self.label.text())
        self.today.setEnabled(bool(self.months))

    def _moved(self, months: int) -> None:
        self._session.look_ahead(months / MONTHS_OF_A_YEAR)

    def _back(self) -> None:
        self.slider.setValue(0)

    def _lay_out(self) -> None:
        line = QFontMetricsF(self.font()).height()
        self.words = styled(QLabel(tr("Years ahead"), self), "muted")
        self.words.setBuddy(self.slider)
        self.setToolTip(
            tr("The design as it grows by its rates; edits are of today, and nothing is stored.")
        )
        self.slider.setAccessibleName(tr("Years ahead"))
        self.today.setIconSize(QSize(14, 14))
        self.label.setMaximumWidth(round(line * WIDEST_LINES))
        self.label.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        in_row(self, gap=8, around=(10, 1, 6, 1)).put(
            self.words, (self.slider, 1), (self.label, 1), self.today
        )


class _Months(QSlider):
    """A position a month, a page a year."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setSingleStep(1)
        self.setPageStep(MONTHS_OF_A_YEAR)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumWidth(80)


def grows(plan: Growth) -> bool:
    """Whether anything is planned for the years ahead."""
    return bool(plan.years or plan.users_pct or plan.mail_pct or plan.load_pct)
