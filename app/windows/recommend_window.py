"""What to buy, and what else would do: a requirement beside the options that carry it."""

from __future__ import annotations

from functools import partial
from typing import Any

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QFormLayout, QPushButton, QScrollArea, QSplitter, QWidget

from app.language import local, tr
from app.look import LOOK
from app.session import Session
from app.settings import Settings
from app.widgets.fields.choice import Choice, ChoiceField, Dropdown
from app.widgets.fields.number import NumberField
from app.widgets.parts import STRETCH, in_column, in_row, styled
from app.widgets.plots.options import OptionsChart
from app.widgets.sections.view import SectionsView
from app.windows.one_page import WorkingWindow
from app.work import Context
from models.calibration import Calibration
from models.catalog import Catalog
from models.limits import Limit
from models.options.option import Option, Options
from models.options.purchasable import is_sold
from models.options.requirement import Load, Requirement, Units
from models.options.search import find_options
from models.scenario import NO_HYPERVISOR, PRODUCTION, Growth, Workload
from models.tell.options import option_name, option_sections, requirement_of
from models.workloads import WORKLOADS, WorkloadKind

KEEP = 30
ASKED_PX, FOUND_PX, FIELD_PX = 340, 940, 150
"""Widths of both sides at first, and of a field at least: the table needs all it can get."""
BOARD = "board"


class RecommendWindow(WorkingWindow):
    """A requirement at the left; at the right the options, as points and as a table."""

    def __init__(self, session: Session, settings: Settings, parent: QWidget | None = None) -> None:
        title = tr("Recommend \N{EN DASH} Headroom")
        super().__init__(title, "recommend", tr("Stop"), settings, parent)
        self._session = session
        self._found: Options | None = None
        self._current = ""
        self._make_fields()
        self._lay_out()
        self._hear()
        self._start_from()
        self.take_place(QSize(1280, 760))

    # ---------------------------------------------------------------- widgets

    def _make_fields(self) -> None:
        catalog = self._session.catalog
        self.of = Dropdown()
        self.of.addItem(tr("users, stated here"), "")
        self.of.addItem(tr("the VMs on the board"), BOARD)
        self.kind = Dropdown()
        for kind in WorkloadKind:
            if kind.is_domino:
                self.kind.addItem(local(WORKLOADS[kind].name), kind)
        self.release = Dropdown()
        self.release.setEditable(True)
        self.release.addItems(["12.0.2", "14.0", "11.0.1", "10.0.1", "9.0.1", "8.5.3", "7.0.2"])
        self.hypervisor = Dropdown()
        self.hypervisor.addItem(tr("the newest in support"), None)
        for id, each in reversed(list(catalog.hypervisors.items())):
            if id != NO_HYPERVISOR:
                self.hypervisor.addItem(each.name, id)
        self.server = _entries(catalog, "servers")
        self.array = _entries(catalog, "arrays")
        self.numbers = {
            "users": _field(1, 1e7, 12_000, 500),
            "registered": _field(0, 1e8, 30_000, 500),
            "mail_mb": _field(1, 1e6, 500, 50),
            "failures": _field(0, 8, 1),
            "max_hosts": _field(1, 64, 16),
            "years": _field(0, 20, 3),
            "users_pct": _field(-50, 500, 5),
            "mail_pct": _field(-50, 500, 20),
            "host": _field(0, 1e6, 10, 1),
            "core": _field(0, 1e6, 0.2, 0.1),
            "gib": _field(0, 1e6, 0.01, 0.01),
            "drive": _field(0, 1e6, 0.5, 0.1),
        }
        self.partners = Dropdown()
        self.partners.addItem(tr("HA of the hypervisor"), False)
        self.partners.addItem(tr("Domino clusters, in pairs"), True)
        self.go = styled(QPushButton(tr("Find options")), "primary")
        self.front = OptionsChart(self)
        self.view = SectionsView(tr("Options"), self)
        self.take = QPushButton(tr("Make it a scenario"))
        self.take.setEnabled(False)

    def _rows(self) -> tuple[tuple[str, QWidget], ...]:
        """What is asked, with its labels."""
        return (
            (tr("For"), self.of),
            (tr("Workload"), self.kind),
            (tr("Release"), self.release),
            (tr("Active users"), self.numbers["users"]),
            (tr("Registered users"), self.numbers["registered"]),
            (tr("Mail file, MB"), self.numbers["mail_mb"]),
            (tr("Years"), self.numbers["years"]),
            (tr("Users, % a year"), self.numbers["users_pct"]),
            (tr("Mail files, % a year"), self.numbers["mail_pct"]),
            (tr("Hosts that may fail"), self.numbers["failures"]),
            (tr("Guarded by"), self.partners),
            (tr("Most hosts"), self.numbers["max_hosts"]),
            (tr("Hypervisor"), self.hypervisor),
            (tr("Server"), self.server),
            (tr("Storage array"), self.array),
            (tr("Units of a host"), self.numbers["host"]),
            (tr("Units of a core"), self.numbers["core"]),
            (tr("Units of a GiB"), self.numbers["gib"]),
            (tr("Units of a drive"), self.numbers["drive"]),
        )

    def _lay_out(self) -> None:
        self._form = form = QFormLayout()
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        for label, field in self._rows():
            field.setAccessibleName(label)
            field.setMinimumWidth(FIELD_PX)
            form.addRow(label, field)
        left = QWidget()
        in_column(left, around=None).put(form, (STRETCH, 1))
        asked = QScrollArea()
        asked.setWidgetResizable(True)
        asked.setWidget(left)
        asked.setMinimumWidth(330)
        beside = QWidget()
        row = in_row().put(self.go, (self.progress, 1), self.stop, (STRETCH, 1), self.take)
        in_column(beside, around=None).put(row, self.state, self.front, (self.view, 1))
        splitter = QSplitter()
        splitter.addWidget(asked)
        splitter.addWidget(beside)
        splitter.setStretchFactor(1, 1)
        splitter.setSizes([ASKED_PX, FOUND_PX])
        in_column(self, around=None).put(splitter)
        self.front.setVisible(False)
        self.state.setText(
            tr("What carries this load, by units and by headroom, is found when you ask for it.")
        )
        self.show_work()

    def _hear(self) -> None:
        self.go.clicked.connect(self.look)
        self.take.clicked.connect(self.adopt)
        self.view.chosen.connect(self.choose)
        self.front.chosen.connect(self.choose)
        self.of.currentIndexChanged.connect(self._show_asked)
        LOOK.changed.connect(self.front.update)

    def _start_from(self) -> None:
        """With VMs on the board they are what is asked for."""
        scenario = self._session.scenario
        if scenario.vms:
            self.of.setCurrentIndex(1)
        for name, value in (
            ("years", scenario.growth.years or 3.0),
            ("users_pct", scenario.growth.users_pct or 5.0),
            ("mail_pct", scenario.growth.mail_pct or 20.0),
        ):
            self.numbers[name].show_value(value)
        self._show_asked()

    def _show_asked(self) -> None:
        is_board = self.of.currentData() == BOARD
        for widget in (
            self.kind,
            self.release,
            *(self.numbers[name] for name in ("users", "registered", "mail_mb")),
        ):
            self._form.setRowVisible(widget, not is_board)

    # ---------------------------------------------------------------- what is asked

    def requirement(self) -> Requirement:
        """What stands in the fields."""
        value = {name: field.value or 0.0 for name, field in self.numbers.items()}
        scenario = self._session.scenario
        growth = Growth(
            years=value["years"], users_pct=value["users_pct"], mail_pct=value["mail_pct"]
        )
        units = Units(
            host=value["host"], core=value["core"], gib=value["gib"], drive=value["drive"]
        )
        settled: dict[str, Any] = {
            "servers": _named(self.server),
            "arrays": _named(self.array),
            "hypervisor": self.hypervisor.currentData(),
            "max_hosts": int(value["max_hosts"]),
            "host_failures": int(value["failures"]),
            "cluster_partners": bool(self.partners.currentData()),
            "growth": growth,
            "units": units,
        }
        if self.of.currentData() == BOARD:
            plain = requirement_of(scenario, tr("Recommended"))
            return Requirement(
                name=plain.name, vms=plain.vms, board=scenario, policy=plain.policy, **settled
            )
        work = Workload(
            kind=WorkloadKind(self.kind.currentData()),
            release=self.release.currentText().strip(),
            active_users=value["users"],
            registered_users=value["registered"] or None,
            mail_file_mb=value["mail_mb"],
        )
        return Requirement(
            name=tr("Recommended"), loads=(Load(work=work),), policy=PRODUCTION, **settled
        )

    def look(self) -> None:
        """Looks for options in the background."""
        session = self._session
        task = partial(_options, self.requirement(), session.catalog, session.calibration)
        self.progress.setValue(0)
        self.work.start(task, self._done, self.failed, self._progressed)

    def _progressed(self, share: float) -> None:
        self.progress.setValue(round(share * 100))

    def _done(self, found: Options) -> None:
        self._found, self._current = found, ""
        self.front.setVisible(bool(found.options))
        self.view.show_sections(option_sections(found, self._session.catalog))
        self.choose("1" if found.options else "")

    def show_work(self) -> None:
        super().show_work()
        self.go.setEnabled(not self.work.is_running)

    # ---------------------------------------------------------------- what is taken

    @property
    def option(self) -> Option | None:
        """The one that is chosen."""
        if self._found is None or not self._current:
            return None
        return self._found.options[int(self._current) - 1]

    def choose(self, number: str) -> None:
        """Makes an option the one that a scenario would be made of."""
        known = 0 if self._found is None else len(self._found.options)
        self._current = number if number.isdecimal() and 0 < int(number) <= known else ""
        option = self.option
        self.take.setEnabled(option is not None)
        self.state.setText(
            ""
            if option is None
            else tr("Chosen: {option}", option=local(option_name(option, self._session.catalog)))
        )
        self.front.show_options(self._found, self._current)

    def adopt(self) -> None:
        """The option becomes a scenario of the project, and what others are compared with."""
        option = self.option
        if option is None:
            return
        session = self._session
        session.commit_typed()
        project = session.project.added(option.scenario)
        lone = len(session.project.entries) == 1 and not session.scenario.items()
        if lone:
            project = project.removed(session.project.active)
        session.take_recommended(project.with_baseline(project.active), tr("Take a recommendation"))
        session.message.emit(tr("A scenario was made of option {number}.", number=self._current))


def _options(
    requirement: Requirement, catalog: Catalog, calibration: Calibration, context: Context
) -> Options:
    """Runs in the background."""
    return find_options(
        requirement,
        catalog,
        calibration,
        keep=KEEP,
        check=context.check,
        progress=context.report,
    )


def _field(low: float, high: float, value: float, step: float = 1.0) -> NumberField:
    field = NumberField(limit=Limit(ge=low, le=high), step=step)
    field.committed.connect(field.show_value)
    field.show_value(value)
    return field


def _entries(catalog: Catalog, kind: str) -> ChoiceField:
    """All that can be bought, or one entry, which is found by typing any part of its name."""
    sold = {id: each.name for id, each in getattr(catalog, kind).items() if is_sold(each)}
    field = ChoiceField(is_searched=True)
    field.offer(
        [
            Choice(None, tr("all that can be bought today")),
            *(Choice(id, name) for id, name in sold.items()),
        ]
    )
    field.show_value(None)
    field.committed.connect(field.show_value)
    return field


def _named(field: ChoiceField) -> tuple[str, ...] | None:
    return None if field.value is None else (str(field.value),)
