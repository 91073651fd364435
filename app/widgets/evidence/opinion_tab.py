"""*Second opinion*: the scenario as a network of queues, beside the responses that are shown."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont, QHideEvent, QShowEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.background import Background
from app.language import local, tr, trn
from app.opinion import asked
from app.qtmodels.cells import CellRow, CellTable, Column
from app.session import Session
from app.widgets.evidence.cell_view import CellView
from app.widgets.marks import scaled_font
from app.wording import locale_style
from app.work import Worker
from models.lettering import set_apart
from models.second_opinion.opinion import Agreement, Beside, Opinion, Parts
from models.second_opinion.words import (
    AGREEMENTS,
    headline,
    how_solved,
    milliseconds,
    notes,
    reason,
)
from models.wording import Style, number, range_text, value_text

STEPS = 1000
WORD = 5
COLUMNS = (
    Column(tr("Server")),
    Column(tr("Shown"), tr("Response time by the closed forms of the model"), is_number=True),
    Column(tr("90 % range"), is_number=True),
    Column(tr("Network of queues"), tr("Response time of the network of queues"), is_number=True),
    Column(tr("Ratio"), tr("The network’s response over the one that is shown"), is_number=True),
    Column(tr("Agreement")),
)
MARKS = {Agreement.OPEN: "outside", Agreement.EXPLAINED: "doubted"}


class OpinionTab(QWidget):
    """The network's response of every server, and why it is another one.

    Signals:
        settled: what is shown is the stored scenario's, or that there is nothing to show.
    """

    settled = Signal()

    def __init__(self, session: Session, worker: Worker, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._background = Background(session, worker, asked, self)
        self.headline, self.below, self.words = (QLabel(self) for _ in range(3))
        self.progress = QProgressBar(self)
        self.stop = QPushButton(tr("Stop"), self)
        self.view = CellView(
            CellTable(COLUMNS, self), tr("Second opinion"), stretch=WORD, parent=self
        )
        self._lay_out()
        self.view.chosen.connect(self._chosen)
        self.stop.clicked.connect(self._pressed)
        self._background.changed.connect(self._show_state)
        self._background.progressed.connect(self._progressed)
        session.view_changed.connect(self._show_state)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._background.want(True)
        self._show_state()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._background.want(False)

    def _pressed(self) -> None:
        self._background.want(not self._background.is_calculating)
        self._show_state()

    def _progressed(self, share: float) -> None:
        self.progress.setValue(round(share * STEPS))

    def _show_state(self, _view: object = None) -> None:
        background, style = self._background, locale_style()
        is_running = background.is_calculating
        opinion: Opinion | None = background.value
        self.progress.setVisible(is_running)
        self.stop.setText(tr("Stop") if is_running else tr("Try again"))
        self.stop.setVisible(is_running or opinion is None)
        if opinion is not None:
            more = [how_solved(opinion, style), *notes(opinion, self._session.scenario, style)]
            self._say(local(headline(opinion)), " ".join(local(each) for each in more if each))
        elif is_running:
            self._say(tr("Solving the network of queues …"), "")
        elif background.is_true and background.problem:
            self._say(tr("The network could not be solved."), f"{background.problem}.")
        else:
            self._say(tr("The network of this scenario has not been solved."), "")
        self._fill(opinion)
        if not is_running:
            self.settled.emit()

    def _fill(self, opinion: Opinion | None) -> None:
        chosen = self.view.current
        names = {vm.id: set_apart(vm.name) for vm in self._session.scenario.vms}
        servers = () if opinion is None else opinion.servers
        self.view.table.set_rows([opinion_row(each, names, locale_style()) for each in servers])
        self.view.fit_columns({0: 44})
        if not (chosen is not None and self.view.choose(chosen.key)) and servers:
            self.view.choose(servers[0].vm)
        self._chosen(self.view.current)

    def _chosen(self, row: CellRow | None) -> None:
        self.words.setText("" if row is None else details(row.value, locale_style()))

    def _say(self, sentence: str, more: str) -> None:
        self.headline.setText(sentence)
        self.below.setText(more)
        self.below.setVisible(bool(more))

    def _lay_out(self) -> None:
        self.headline.setFont(scaled_font(self.font(), 1.1, QFont.Weight.DemiBold))
        self.below.setProperty("role", "muted")
        for label in (self.headline, self.below, self.words):
            label.setWordWrap(True)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.progress.setRange(0, STEPS)
        self.progress.setTextVisible(False)
        self.progress.setFixedHeight(6)
        self.progress.setAccessibleName(tr("Calculating"))
        head = QHBoxLayout()
        head.addWidget(self.headline, 1)
        head.addWidget(self.stop, 0, Qt.AlignmentFlag.AlignTop)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 8, 8, 8)
        column.setSpacing(6)
        column.addLayout(head)
        column.addWidget(self.below)
        column.addWidget(self.progress)
        column.addWidget(self.view, 1)
        column.addWidget(self.words)


def opinion_row(server: Beside, names: dict[str, str], style: Style) -> CellRow:
    """A server, or several that are like each other; the row stands for its `Beside`."""
    name = names.get(server.vm, server.vm)
    if server.like:
        count = len(server.like)
        name = trn("{name} and {count} more", "{name} and {count} more", count, name=name)
    word = local(AGREEMENTS[server.agreement])
    mark = MARKS.get(server.agreement, "")
    shown = server.shown
    cells = (
        name,
        local(value_text(shown, "ms", style=style)),
        range_text(shown, style=style),
        local(milliseconds(server.network_ms, style)),
        number(server.ratio, 2, style=style),
        word,
    )
    return CellRow(
        key=server.vm,
        cells=cells,
        sorts=(name, shown.value or 0.0, shown.high or 0.0, server.network_ms, server.ratio, word),
        marks=((WORD, mark),) if mark else (),
        value=server,
    )


def details(server: Beside, style: Style) -> str:
    """Why, and both responses as sums."""

    def summed(parts: Parts) -> str:
        return tr(
            "{idle} idle + {own} its own waiting + {drives} drives + {cores} cores",
            idle=local(milliseconds(parts.idle, style)),
            own=local(milliseconds(parts.own, style)),
            drives=local(milliseconds(parts.drives, style)),
            cores=local(milliseconds(parts.cores, style)),
        )

    shown = tr("Shown: {sum}.", sum=summed(server.closed))
    network = tr("Network: {sum}.", sum=summed(server.solved))
    return f"{local(reason(server, style))}\n{shown}\n{network}"
