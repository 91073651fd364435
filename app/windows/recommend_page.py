"""What to buy, and what else would do: a requirement beside the options that carry it, and what
stands in sites beside what replaces it."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from PySide6.QtWidgets import (
    QFormLayout,
    QPushButton,
    QScrollArea,
    QSplitter,
    QStackedLayout,
    QWidget,
)

from app.language import local, tr
from app.session import Session
from app.widgets.fields.choice import Choice, ChoiceField, Dropdown
from app.widgets.fields.number import NumberField
from app.widgets.labels import Empty
from app.widgets.options_picture import OptionsPicture
from app.widgets.parts import STRETCH, in_column, in_row, styled
from app.widgets.sections.table import ColumnStore
from app.widgets.sections.view import SectionsView
from app.windows.pages import WorkingPage
from app.windows.refresh_asked import RefreshAsked
from app.work import Context
from models.base.errors import ModelError
from models.base.limits import Limit
from models.catalog.catalog import Catalog
from models.evidence.knowledge import Knowledge
from models.options.age import Aged
from models.options.option import Option, Options
from models.options.purchasable import is_sold
from models.options.refresh import Refresh, Refreshed, refreshed, together
from models.options.requirement import Load, Requirement, Units
from models.options.search import find_options
from models.prices.ranking import MoneyRank
from models.scenario.places import site_of
from models.scenario.scenario import NO_HYPERVISOR, PRODUCTION, Growth, Scenario, Workload
from models.scenario.workloads import WORKLOADS, WorkloadKind
from models.tell.options import (
    fitting_text,
    listed_sections,
    measure_of,
    option_name,
    requirement_of,
    unanswered,
)
from models.tell.refresh import choice_of, refresh_sections, subject_of

KEEP = 30
FOUND_PX, FIELD_PX = 1004, 150
"""Width of what was found at first, and of a field at least: the table needs all it can get."""
USERS, BOARD, REFRESH = "", "board", "refresh"
UNITS, COST = "units", "cost"
"""What options are ranked by."""
"""What is asked for."""
GROWTH = "years", "users_pct", "mail_pct", "load_pct"


class RecommendPage(WorkingPage):
    """A requirement at the left; at the right the options, as points, cards and a list.

    Args:
        columns: remembers which columns of the list are shown.
    """

    def __init__(
        self,
        session: Session,
        parent: QWidget | None = None,
        *,
        columns: ColumnStore | None = None,
    ) -> None:
        super().__init__(tr("Recommend"), tr("Stop"), parent)
        self._session = session
        self._columns = columns
        self._found: Options | None = None
        self._is_taken = False
        self._current = ""
        self._of: Scenario | None = None
        self._base: Scenario | None = None
        self._refresh: Refresh | None = None
        self._made = list[Refreshed]()
        self._aged: Aged | None = None
        self._part = 0
        """Of a refresh, the site whose options are the picture."""
        self._make_fields()
        self._lay_out()
        self._hear()
        self._start_from()

    # ---------------------------------------------------------------- widgets

    def _make_fields(self) -> None:
        catalog = self._session.catalog
        self.of = Dropdown()
        self.of.addItem(tr("users, stated here"), USERS)
        self.of.addItem(tr("the VMs on the board"), BOARD)
        self.of.addItem(tr("a refresh of its sites"), REFRESH)
        self.asked = RefreshAsked()
        self.rank = Dropdown()
        self.rank.addItem(tr("units"), UNITS)
        self.rank.addItem(tr("what they cost"), COST)
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
            "load_pct": _field(-50, 500, 0),
            "host": _field(0, 1e6, 10, 1),
            "core": _field(0, 1e6, 0.2, 0.1),
            "gib": _field(0, 1e6, 0.01, 0.01),
            "drive": _field(0, 1e6, 0.5, 0.1),
        }
        self.partners = Dropdown()
        self.partners.addItem(tr("HA of the hypervisor"), False)
        self.partners.addItem(tr("Domino clusters, in pairs"), True)
        self.go = styled(QPushButton(tr("Find options")), "primary")
        self.picture = OptionsPicture(self)
        self.view = SectionsView(tr("Options"), self, columns=self._columns, list_name="options")
        self.empty = Empty("search", "", self)
        self.assume = QPushButton(tr("Assume…"))
        self.take = QPushButton(tr("Make it a scenario"))
        self.take.setEnabled(False)

    def _rows(self) -> tuple[tuple[str, QWidget], ...]:
        """What is asked, with its labels."""
        return (
            (tr("For"), self.of),
            *self.asked.rows(),
            (tr("Workload"), self.kind),
            (tr("Release"), self.release),
            (tr("Active users"), self.numbers["users"]),
            (tr("Registered users"), self.numbers["registered"]),
            (tr("Mail file, MB"), self.numbers["mail_mb"]),
            (tr("Years"), self.numbers["years"]),
            (tr("Users, % a year"), self.numbers["users_pct"]),
            (tr("Mail files, % a year"), self.numbers["mail_pct"]),
            (tr("Load, % a year"), self.numbers["load_pct"]),
            (tr("Hosts that may fail"), self.numbers["failures"]),
            (tr("Guarded by"), self.partners),
            (tr("Most hosts"), self.numbers["max_hosts"]),
            (tr("Hypervisor"), self.hypervisor),
            (tr("Server"), self.server),
            (tr("Storage array"), self.array),
            (tr("Ranked by"), self.rank),
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
            if isinstance(field, Dropdown):
                field.hold_whole()
            form.addRow(label, field)
        left = QWidget()
        in_column(left, around=None).put(form, (STRETCH, 1))
        asked = QScrollArea()
        asked.setAccessibleName(tr("What is asked"))
        asked.setWidgetResizable(True)
        asked.setWidget(left)
        bar = asked.verticalScrollBar().sizeHint().width()
        wide = left.minimumSizeHint().width() + bar + 2 * asked.frameWidth()
        asked.setMinimumWidth(wide)
        beside = QWidget()
        row = in_row().put(
            self.go, self.progress, self.stop, (self.state, 1), self.assume, self.take
        )
        there = QWidget(beside)
        in_column(there).put(self.picture, (self.view, 1))
        self._place = QStackedLayout()
        self._place.addWidget(self.empty)
        self._place.addWidget(there)
        in_column(beside, around=None).put(row, (self._place, 1))
        splitter = QSplitter()
        splitter.addWidget(asked)
        splitter.addWidget(beside)
        splitter.setStretchFactor(1, 1)
        splitter.setSizes([wide, FOUND_PX])
        in_column(self, around=None).put(splitter)
        self.show_work()

    def _hear(self) -> None:
        self.go.clicked.connect(self.look)
        self.take.clicked.connect(self.adopt)
        self.assume.clicked.connect(self._assume)
        self._session.prices_changed.connect(self._offer_costs)
        self._offer_costs()
        self.view.chosen.connect(self.choose)
        self.picture.chosen.connect(self._choose_in_picture)
        self.picture.taken.connect(self._take)
        self.of.currentIndexChanged.connect(self._show_asked)
        for field in (self.asked.sites, self.asked.clusters, self.asked.older):
            field.committed.connect(self._show_asked)
        self._session.project_changed.connect(self._edited)

    def _start_from(self) -> None:
        """What stands on the board is what is asked for: replaced, where it stands in several
        places."""
        scenario = self._session.scenario
        growth = scenario.growth
        self.asked.offer(scenario)
        if scenario.vms:
            places = {host.cluster or site_of(scenario, host) for host in scenario.hosts}
            self.of.setCurrentIndex(self.of.findData(REFRESH if len(places) > 1 else BOARD))
        has_users = any(vm.workload.active_users for vm in scenario.vms)
        for name, value in (
            ("years", growth.years or 3.0),
            ("users_pct", growth.users_pct or 5.0),
            ("mail_pct", growth.mail_pct or 20.0),
            ("load_pct", growth.load_pct or (0.0 if has_users or not scenario.vms else 5.0)),
        ):
            self.numbers[name].show_value(value)
        self._show_asked()

    def _show_asked(self) -> None:
        """The fields that are asked, and at once whether there can be an answer."""
        asked = self.of.currentData()
        numbers = self.numbers
        of_users = (
            self.kind,
            self.release,
            *(numbers[x] for x in ("users", "registered", "mail_mb")),
        )
        for widget in of_users:
            self._form.setRowVisible(widget, asked == USERS)
        self._form.setRowVisible(numbers["load_pct"], asked != USERS)
        self._form.setRowVisible(numbers["max_hosts"], asked != REFRESH)
        for _, widget in self.asked.rows():
            self._form.setRowVisible(widget, asked == REFRESH)
        self._form.setRowVisible(self.asked.sites, asked == REFRESH and bool(self.asked.site_ids))
        self.state.setText(self._before())

    def _before(self) -> str:
        """What is said before anything was looked for: why nothing can be found, at once."""
        try:
            silent = self._silent()
        except ModelError as problem:
            self.assume.setVisible(False)
            return local(problem.reason)
        self.assume.setVisible(silent is not None)
        if silent is not None:
            return local(unanswered(silent))
        count = len(self.asked.site_ids)
        if self.of.currentData() == BOARD and count > 1:
            return tr(
                "The VMs of all {count} sites would come into one cluster: a refresh keeps them "
                "apart.",
                count=count,
            )
        if self.of.currentData() == REFRESH:
            return tr(
                "Each site gets a design of its own that carries its VMs; what stands there and "
                "what replaces it are shown side by side."
            )
        return tr("What carries this load, by units and by headroom, is found when you ask for it.")

    def _assume(self) -> None:
        """What nobody measured, for the scenario in view."""
        from app.windows.assume import AssumeDialog

        AssumeDialog(self._session, self).open()

    def _offer_costs(self) -> None:
        """Money ranks once there is a price book, unless units are asked for."""
        has_prices = self._session.prices is not None
        self.rank.setEnabled(has_prices)
        self.rank.setToolTip("" if has_prices else tr("Add a price book first (File menu)."))
        self.rank.setCurrentIndex(self.rank.findData(COST if has_prices else UNITS))

    def _by_money(self) -> MoneyRank | None:
        """The price book, and whether it ranks; None without one."""
        book, catalog = self._session.prices, self._session.catalog
        by_cost = self.rank.currentData() == COST
        return None if book is None else MoneyRank(book=book, catalog=catalog, by_cost=by_cost)

    def _silent(self) -> Requirement | None:
        if self.of.currentData() == REFRESH:
            catalog = self._session.catalog
            return self.asked.silent(catalog) if self._session.scenario.hosts else None
        requirement = self.requirement()
        return requirement if requirement.silent else None

    def _edited(self, _project: object) -> None:
        """What stands there has changed, and what was found for it is of no use."""
        self.asked.offer(self._session.scenario)
        if self._of is None and self._found is None:
            self._show_asked()
        if self._of is not None and self._session.scenario is not self._of:
            self.work.cancel()
            self._of = self._base = self._refresh = self._found = None
            self._current = ""
            self.show_work()
            self.state.setText(tr("The scenario has changed: look again."))

    # ---------------------------------------------------------------- what is asked

    def requirement(self) -> Requirement:
        """What stands in the fields."""
        value = {name: field.value or 0.0 for name, field in self.numbers.items()}
        scenario = self._session.scenario
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
            "growth": self._growth(),
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

    def _growth(self) -> Growth:
        value = {name: self.numbers[name].value or 0.0 for name in GROWTH}
        if self.of.currentData() == USERS:
            return Growth(**{**value, "load_pct": 0.0})
        return replace(self._session.scenario.growth, **value)

    def look(self) -> None:
        """Looks for options in the background."""
        session = self._session
        session.commit_typed()
        self._found, self._refresh, self._current = None, None, ""
        self._is_taken = False
        self._of = self._base = None
        self.state.setText("")
        self._made = []
        self.progress.setValue(0)
        if self.of.currentData() != REFRESH:
            self._of = session.scenario if self.of.currentData() == BOARD else None
            task = partial(
                _options,
                self.requirement(),
                session.knowledge,
                self._by_money(),
            )
            self.work.start(task, self._done, self.failed, self._progressed)
            return
        self._of = session.scenario
        self._base = scenario = replace(session.scenario, growth=self._growth())
        settled = replace(self.requirement(), loads=(), vms=(), board=None)
        try:
            self._aged = self.asked.aged(session.catalog)
        except ModelError as problem:
            self.state.setText(local(problem.reason))
            return
        asked = self.asked.asked, self._aged
        given = session.knowledge, *asked, settled, self._made, self._by_money()
        again = partial(_refreshed, scenario, *given)
        self.work.start(again, self._replaced, self.failed, self._progressed)

    def _progressed(self, share: float) -> None:
        """How far it is; of a refresh also the sites that have their answer."""
        self.progress.setValue(round(share * 100))
        made, base = tuple(self._made), self._base
        known = 0 if self._refresh is None else len(self._refresh.parts)
        if base is not None and len(made) > known:
            self._show_refresh(together(base, made, self._aged))

    def _done(self, found: Options) -> None:
        self._found, self._current = found, ""
        self.picture.setVisible(bool(found.options))
        self.view.show_sections(listed_sections(found, self._session.catalog))
        self.choose("1" if found.options else "")

    def _replaced(self, found: Refresh) -> None:
        self._show_refresh(found)
        self.state.setText(
            tr("A click on a row takes another design for its site.") if self._can_take else ""
        )
        self.show_work()

    def _show_refresh(self, found: Refresh) -> None:
        self._refresh = found
        self.view.show_sections(refresh_sections(found, self._session.catalog))
        self._show_part()
        self.show_work()

    def _show_part(self) -> None:
        """The options of one site as a picture: of the one whose row was clicked last."""
        found = self._refresh
        parts = () if found is None else found.parts
        if not (self._part < len(parts) and parts[self._part].choices):
            self._part = next((at for at, each in enumerate(parts) if each.choices), 0)
        has_some = bool(parts) and bool(parts[self._part].choices)
        self.picture.setVisible(has_some)
        if has_some:
            part = parts[self._part]
            options = tuple(each.option for each in part.choices)
            self.picture.show_options(
                options,
                str(part.taken + 1),
                self._session.catalog,
                site=part.part.name,
                measure=measure_of(part.found),
            )

    def show_work(self) -> None:
        super().show_work()
        self.go.setEnabled(not self.work.is_running)
        self.take.setEnabled(not self.work.is_running and self._can_take)
        is_there = self._found is not None or self._refresh is not None
        self._place.setCurrentIndex(int(is_there))
        self.empty.say(self._instead())

    def _instead(self) -> str:
        """What is said where nothing was found yet."""
        if self.work.is_running:
            return tr("Looking for what carries it …")
        return tr("Options stand here, as a picture and as a list, once they are found.")

    # ---------------------------------------------------------------- what is taken

    @property
    def _can_take(self) -> bool:
        """Something is chosen; of a refresh that was stopped, the sites that were found."""
        if self._refresh is not None:
            return any(each.choices for each in self._refresh.parts)
        return self.option is not None

    @property
    def option(self) -> Option | None:
        """The one that is chosen."""
        if self._found is None or not self._current:
            return None
        return self._found.options[int(self._current) - 1]

    def choose(self, number: str) -> None:
        """Makes an option the one that a scenario would be made of; of a refresh that of a site."""
        if self._refresh is not None:
            self._take_for_site(number)
            return
        known = 0 if self._found is None else len(self._found.options)
        self._current = number if number.isdecimal() and 0 < int(number) <= known else ""
        option, found, catalog = self.option, self._found, self._session.catalog
        self.show_work()
        said = "" if found is None else local(fitting_text(found))
        if option is not None:
            chosen = tr("Chosen: {option}", option=local(option_name(option, catalog)))
            said = f"{said} {chosen}"
        self.state.setText(said if option is not None else "")
        if found is not None:
            self.picture.show_options(
                found.options, self._current, catalog, measure=measure_of(found)
            )
            self.view.mark(self._current)

    def _choose_in_picture(self, number: str) -> None:
        """An option of the picture: of a refresh, one of the site that it shows."""
        is_refresh = self._refresh is not None
        self.choose(subject_of(self._part, int(number) - 1) if is_refresh else number)

    def _take(self, number: str) -> None:
        """The button of a card: an option becomes a scenario, or the design of its site."""
        self._choose_in_picture(number)
        if self._refresh is None:
            self.adopt()

    def _take_for_site(self, subject: str) -> None:
        place, found = choice_of(subject), self._refresh
        if place is None or found is None or self._base is None or self.work.is_running:
            return
        part, choice = place
        self._part = part
        parts = list(found.parts)
        parts[part] = replace(parts[part], taken=choice)
        self._show_refresh(together(self._base, parts, self._aged))

    def holds_work(self) -> str:
        is_there = self._refresh is not None or self.option is not None
        if not is_there or self._is_taken:
            return ""
        return tr("“Recommend” has a design that isn’t made a scenario.")

    def adopt(self) -> None:
        """What is chosen becomes a scenario of the project: an option is what others are compared
        with, a refresh is compared with what stands there."""
        if self._refresh is not None:
            self._adopt_refresh(self._refresh)
            return
        option = self.option
        if option is None:
            return
        session = self._session
        session.commit_typed()
        project, number = session.project.added(option.scenario), self._current
        lone = len(session.project.entries) == 1 and not session.scenario.items()
        if lone:
            project = project.removed(session.project.active)
        session.take_recommended(project.with_baseline(project.active), tr("Take a recommendation"))
        self._is_taken = True
        session.message.emit(tr("A scenario was made of option {number}.", number=number))
        self.leave()

    def _adopt_refresh(self, found: Refresh) -> None:
        session = self._session
        session.commit_typed()
        before = session.project.active
        name = tr("{name}, refreshed", name=session.scenario.name)
        self._of = self._base = self._refresh = None
        project = session.project.added(replace(found.scenario, name=name))
        session.take_recommended(project.with_baseline(before), tr("Refresh"))
        session.message.emit(tr("The refresh is a scenario beside what stands there."))
        self.leave()


def _options(
    requirement: Requirement, knowledge: Knowledge, rank: MoneyRank | None, context: Context
) -> Options:
    """Runs in the background."""
    return find_options(
        requirement,
        knowledge,
        keep=KEEP,
        rank=rank,
        check=context.check,
        progress=context.report,
    )


def _refreshed(
    scenario: Scenario,
    knowledge: Knowledge,
    asked: tuple[tuple[str, ...], tuple[str, ...], str | None],
    aged: Aged | None,
    settled: Requirement,
    made: list[Refreshed],
    rank: MoneyRank | None,
    context: Context,
) -> Refresh:
    """Runs in the background; `made` gets each site as it is found."""
    sites, clusters, into = asked
    return refreshed(
        scenario,
        knowledge,
        sites=sites,
        clusters=clusters,
        into=into,
        aged=aged,
        settled=settled,
        check=context.check,
        progress=context.report,
        made=made.append,
        rank=rank,
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
