"""Who opens the evidence drawer, from wherever a number stands; it is made when first asked for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QMainWindow, QWidget

from app.language import tr
from app.selection import Selection
from app.session import Session
from models.predict.predicted import NumberRef

if TYPE_CHECKING:
    from app.widgets.why.drawer import WhyDrawer
    from models.explain.derivation import Derivation

MAIN_FIELDS = {"vms": "response_ms", "hosts": "cpu_pct", "pools": "utilisation_pct"}
"""The number of an item that is meant where none is named."""


class WhyCommands(QObject):
    """Owner of the drawer.

    Signals:
        evidence_requested: id of a row of evidence; input_requested: id of an item, and the path
            of the field.
    """

    evidence_requested = Signal(str)
    input_requested = Signal(str, str)

    def __init__(
        self, session: Session, selection: Selection, window: QMainWindow, below: QWidget
    ) -> None:
        super().__init__(window)
        self._below = below
        self._session = session
        self._selection = selection
        self._window = window
        self._drawer: WhyDrawer | None = None

    @property
    def drawer(self) -> WhyDrawer | None:
        """The drawer; None before it was first asked for."""
        return self._drawer

    def open(self) -> None:
        """Why the main number of what is selected is what it is; else what decides the verdict."""
        current = self._selection.current
        table = self._table_of(current)
        if current is not None and table:
            self.ask(NumberRef(table, current, MAIN_FIELDS[table]))
            return
        binding = self._session.studied_view.prediction.binding
        if binding is None:
            self._session.message.emit(tr("Nothing is predicted yet."))
            return
        from app.widgets.verdict import asked_of

        self.ask(asked_of(binding, self._session.scenario))

    def ask(self, asked: NumberRef) -> None:
        self._made().ask(asked)

    def tell(self, derivations: Sequence[Derivation]) -> None:
        """Numbers that were worked out elsewhere; the first of them is asked about."""
        self._made().tell(derivations)

    def ask_of(self, scenario: str, subject: str, field: str) -> None:
        """A number of an item, of the scenario with this id."""
        if scenario and scenario != self._session.project.active:
            self._session.show(scenario)
            self._session.flush()
        table = self._table_of(subject)
        if table:
            self.ask(NumberRef(table, subject, field))
        else:
            self._ask_of_cluster(subject, field.removeprefix("failure_"))

    def _ask_of_cluster(self, cluster: str, field: str) -> None:
        """A number of a cluster is that of its worst failure."""
        hosts = {host.id for host in self._session.scenario.hosts if host.cluster == cluster}
        failures = self._session.studied_view.prediction.failures
        modes = [each for each in failures if each.host in hosts]
        known = [each for each in modes if getattr(each, field).value is not None]
        if known:
            worst = max(known, key=lambda each: getattr(each, field).value)
            self.ask(NumberRef("failures", worst.host, field))

    def ask_item(self, subject: str, field: str) -> None:
        """A number of an item of the scenario in view."""
        self.ask_of("", subject, field)

    def close(self) -> None:
        if self._drawer is not None:
            self._drawer.put_away()

    def _table_of(self, id: str | None) -> str:
        scenario = self._session.scenario
        for table in MAIN_FIELDS:
            if any(item.id == id for item in getattr(scenario, table)):
                return table
        return ""

    def _made(self) -> WhyDrawer:
        from app.widgets.why.drawer import WhyDrawer

        if self._drawer is None:
            centre = self._window.centralWidget()
            assert centre is not None
            self._drawer = WhyDrawer(self._session, centre, below=self._below)
            self._drawer.evidence_requested.connect(self.evidence_requested)
            self._drawer.input_requested.connect(self.input_requested)
        return self._drawer
