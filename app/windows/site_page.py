"""The customer's measurements: calibration to the site, what to ask next, predicted or right."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QCheckBox, QPushButton, QTabWidget, QWidget

from app.language import Language, local, spoken, tr, trn
from app.render.terminal import sections_text
from app.session import Session
from app.widgets.parts import STRETCH, in_column, in_row, styled
from app.widgets.sections.view import SectionsView
from app.windows.dialogs import Dialogs
from app.windows.import_page.ties import TiePanel
from app.windows.own_scores import OwnServersPanel, RegistryPanel
from app.windows.pages import WorkingPage
from app.work import Cancelled, Context
from db.importers.watch import Cancelled as GivenUp
from db.importers.watch import Watch
from db.measured import read_measured
from models.base.errors import ModelError
from models.base.texts import SpokenError, joined, opening, said, say
from models.customer.measured import MeasuredServer
from models.customer.score import Score, score_of, with_observed
from models.customer.site import SiteCalibration, calibrated_to_site, with_site
from models.customer.value_of_information import Question, questions
from models.evaluate import evaluate
from models.evidence.knowledge import Knowledge
from models.scenario.origin import Origin
from models.scenario.scenario import Scenario
from models.tell.blocks import Paragraph, Section
from models.tell.site import (
    ask_sections,
    kept_sections,
    request_sections,
    score_sections,
    site_sections,
)

Subjects = tuple[Scenario, Knowledge]


class SitePage(WorkingPage):
    """A file of what was measured at the top; below, what it means for this scenario."""

    def __init__(self, session: Session, dialogs: Dialogs, parent: QWidget | None = None) -> None:
        super().__init__(tr("Customer’s measurements"), tr("Cancel"), parent)
        self._session, self._dialogs = session, dialogs
        self.measured: Sequence[MeasuredServer] = ()
        self.found: SiteCalibration | None = None
        self.asked: tuple[Question, ...] | None = None
        self.scored: Score | None = None
        self._make()
        self._lay_out()
        self._is_stale = False
        session.project_changed.connect(self._edited)
        self._tell()

    def _make(self) -> None:
        self.choose = styled(QPushButton(tr("Open a file of measurements…"), self), "primary")
        self.choose.clicked.connect(self._choose)
        self.progress.setRange(0, 0)
        self.state.setText(
            tr(
                "Statistics of Domino servers, esxtop, perfmon, sar, nmon or RVTools files, or "
                "JSON with measured servers."
            )
        )
        self.calibration = SectionsView(tr("Calibration to the site"), self)
        self.ask = SectionsView(tr("What to ask next"), self)
        self.score = SectionsView(tr("Predicted and measured"), self)
        self.ties = TiePanel(self)
        self.ties.changed.connect(self._tell)
        self.take_over = _button(self, tr("Calibrate this scenario"), self.calibrate)
        self.is_used = QCheckBox(tr("In use"), self)
        self.is_used.clicked.connect(self._use)
        self.take_away = _button(self, tr("Remove the calibration"), self.remove)
        self.request = _button(self, tr("Save a request for data…"), self._save_request)
        self.keep = _button(self, tr("Keep in the project"), self.keep_observed)
        self.own_servers = OwnServersPanel(
            self._session, self._dialogs, self.work, self.failed, self
        )
        self.registry = RegistryPanel(self._session, self._dialogs, lambda: self.scored, self)

    def _lay_out(self) -> None:
        self.tabs = QTabWidget(self)
        self.tabs.setAccessibleName(tr("Measurements"))
        pages: tuple[tuple[str, SectionsView, tuple[QWidget, ...]], ...] = (
            (
                tr("Calibration to the site"),
                self.calibration,
                (self.take_over, self.is_used, self.take_away),
            ),
            (tr("What to ask next"), self.ask, (self.request,)),
            (tr("Predicted and measured"), self.score, (self.keep,)),
        )
        for title, view, acts in pages:
            page = QWidget(self.tabs)
            in_column(page, around=None).put((view, 1), in_row().put(*acts, (STRETCH, 1)))
            self.tabs.addTab(page, title)
        self.tabs.addTab(self.own_servers, tr("Own servers"))
        self.tabs.addTab(self.registry, tr("Registry"))
        self.tabs.addTab(self.ties, tr("Names"))
        self.tabs.currentChanged.connect(self._ask_if_seen)
        top = in_row().put(self.choose, self.progress, self.stop, (STRETCH, 1))
        in_column(self, around=None).put(top, self.state, (self.tabs, 1))

    # ------------------------------------------------------------------ what was measured

    def _choose(self) -> None:
        path = self._dialogs.open_file(
            tr("Open a file of measurements"), Path.home(), tr("All files (*)")
        )
        if path is not None:
            self.read(path)

    def read(self, path: Path) -> None:
        """Reads a file in the background and compares it with the scenario."""
        self.work.start(partial(_read, path), self.take_measured, self.failed)

    def take_measured(self, measured: Sequence[MeasuredServer]) -> None:
        """Shows what these servers mean for the scenario."""
        self.measured = measured
        self._tell()

    # ------------------------------------------------------------------ telling

    def _edited(self, _project: object) -> None:
        """Told anew when somebody looks: what follows is evaluated for it."""
        self.asked = None
        self.work.cancel()
        self._is_stale = not self.isVisible()
        if not self._is_stale:
            self._tell()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._is_stale:
            self._is_stale = False
            self._tell()

    def _tell(self) -> None:
        """Shows what follows from the scenario and what was measured."""
        self.found = None
        self.ties.show_servers(self._session.scenario, self.measured)
        self.tabs.setTabVisible(self.tabs.indexOf(self.ties), self.ties.is_filled)
        self.calibration.show_sections(self._calibration_told())
        self.score.show_sections(self._score_told())
        site = self._session.scenario.policy.site
        self.take_over.setEnabled(self.found is not None and self.found.site != site)
        self.is_used.setEnabled(site is not None)
        self.is_used.setChecked(site is not None and site.is_used)
        self.take_away.setEnabled(site is not None)
        for panel in (self.own_servers, self.registry):
            panel.scenario_changed()
        self._ask_if_seen()

    def _subjects(self) -> Subjects:
        session = self._session
        return session.scenario, session.knowledge

    def _calibration_told(self) -> tuple[Section, ...]:
        scenario, knowledge = self._subjects()
        if not self.measured:
            return kept_sections(scenario)
        try:
            self.found = calibrated_to_site(scenario, self.measured, knowledge, self.ties.same)
        except ModelError as error:
            told = [tr("The file {reason}.", reason=local(error.reason))]
            if self.ties.is_filled:
                told.append(tr("Say under “Names” which VM each server is."))
            self.state.setText(" ".join(told))
            return kept_sections(scenario)
        self.state.setText("")
        return site_sections(self.found)

    def _score_told(self) -> tuple[Section, ...]:
        scenario, knowledge = self._subjects()
        observed, servers = with_observed(scenario, self.measured, self.ties.same)
        self.keep.setEnabled(observed != scenario)
        try:
            score = score_of(observed, evaluate(observed, knowledge), servers)
        except ModelError as error:
            self.scored = None
            note = opening(joined("", (error.reason, ".")))
            return (Section(say("Predicted and measured"), (Paragraph(note),)),)
        self.scored = score
        return score_sections(score)

    def _ask_if_seen(self) -> None:
        """Questions take an evaluation or two each: they are worked out for who looks."""
        self.request.setEnabled(bool(self.asked))
        if self.asked is None and self.tabs.currentIndex() == 1:
            task = partial(_asked, *self._subjects())
            self.work.start(task, self._were_asked, self.failed)
        else:
            self.show_work()

    def _were_asked(self, found: tuple[Question, ...]) -> None:
        self.asked = found
        self.ask.show_sections(ask_sections(self._session.scenario, found))
        self.request.setEnabled(bool(found))

    def holds_work(self) -> str:
        """What was read of a file and neither calibrates the scenario nor is kept in it."""
        is_open = self.take_over.isEnabled() or self.keep.isEnabled()
        if not self.measured or not is_open:
            return ""
        return trn(
            "“Customer’s measurements” has {count} measured server that isn’t used or kept.",
            "“Customer’s measurements” has {count} measured servers that aren’t used or kept.",
            len(self.measured),
        )

    # ------------------------------------------------------------------ acts

    def calibrate(self) -> None:
        """Demands of this scenario are shifted by what was measured, as one step."""
        if self.found is not None:
            self._session.edit(
                self.found.scenario, tr("Calibrate to the site"), origin=Origin.CALIBRATED
            )

    def _use(self, is_used: bool) -> None:
        scenario = self._session.scenario
        site = scenario.policy.site
        if site is not None:
            policy = replace(scenario.policy, site=replace(site, is_used=is_used))
            self._session.edit(
                replace(scenario, policy=policy), tr("Calibration in use"), origin=Origin.CALIBRATED
            )

    def remove(self) -> None:
        """Demands are those of the model again."""
        plain = with_site(self._session.scenario, None)
        self._session.edit(plain, tr("Remove the calibration"), origin=Origin.CALIBRATED)

    def keep_observed(self) -> None:
        """What was measured stays in the project, beside what is predicted."""
        scenario = self._session.scenario
        observed, _ = with_observed(scenario, self.measured, self.ties.same)
        self._session.edit(observed, tr("Keep what was measured"), origin=Origin.IMPORTED)

    def _save_request(self) -> None:
        path = self._dialogs.save_file(
            tr("Save a request for data"),
            Path.home() / "request.pdf",
            tr("PDF (*.pdf);;Text (*.txt)"),
            ".pdf",
        )
        if path is not None:
            self.save_request(path)

    def save_request(self, path: Path) -> None:
        """Writes what the customer is asked for, as PDF or text."""
        if not self.asked:
            return
        sections = request_sections(self._session.scenario, self.asked)
        try:
            content = request_bytes(sections, path, spoken())
        except SpokenError as error:
            self._dialogs.show_problem(local(error))
        else:
            self._dialogs.write(path, content)


def request_bytes(sections: tuple[Section, ...], path: Path, language: Language) -> bytes:
    """The request as the kind of file that the path ends in.

    Raises:
        ReportError: it could not be typeset.
    """
    if path.suffix.lower() == ".txt":
        return said(sections_text(sections), language).encode()
    from app.report.paper import Paper
    from app.report.request import request_pdf

    return request_pdf(sections, language, Paper.A4, datetime.now().astimezone())


def _read(path: Path, context: Context) -> list[MeasuredServer]:
    """Runs in the background."""

    def is_cancelled() -> bool:
        try:
            context.check()
        except Cancelled:
            return True
        return False

    try:
        return read_measured(path, Watch(is_cancelled=is_cancelled))
    except GivenUp:
        raise Cancelled from None


def _asked(scenario: Scenario, knowledge: Knowledge, context: Context) -> tuple[Question, ...]:
    """Runs in the background."""
    return questions(scenario, knowledge, check=context.check)


def _button(parent: QWidget, text: str, act: Callable[[], None]) -> QPushButton:
    button = QPushButton(text, parent)
    button.clicked.connect(act)
    return button
