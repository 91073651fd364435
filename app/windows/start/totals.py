"""Start from totals: a few numbers about an estate, and the smallest design that carries it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any, TypeVar

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QPushButton, QWidget

from app.language import local, tr, trn
from app.session import Session
from app.widgets.fields.choice import Choice, ChoiceField
from app.widgets.fields.number import NumberField
from app.widgets.labels import Sign, tint
from app.widgets.parts import Line, in_column, in_row, styled, wrapped
from app.widgets.users_asked import LINK, UsersAsked
from app.wording import locale_style
from app.work import Context, OneTask, Worker, pause
from models.base.errors import ModelError
from models.base.texts import joined
from models.catalog.catalog import Array, Catalog, Role, Server
from models.evidence.constants import USERS_PER_VM
from models.evidence.knowledge import Knowledge
from models.options.option import Option
from models.options.totals import LIMITS_OF, MAIL_KINDS, Totals, first_design
from models.scenario.scenario import NO_HYPERVISOR, AdmissionPolicy, Scenario
from models.scenario.wording import exact_text, number
from models.scenario.workloads import WORKLOADS

PAUSE_MS = 200
"""After the last key before a design is worked out."""

PATIENCE_MS = 800
"""So long the answer to other numbers stays, in grey: most come sooner."""

COLUMNS = 3
ICON = 16
Entry = TypeVar("Entry", Server, Array)


@dataclass(frozen=True, slots=True)
class Ask:
    """One number that is asked for: the field of `Totals`, its label, step and first value."""

    total: str
    label: str
    step: float
    value: float | None = None
    whole: bool = False


ALL_ACTIVE = 100
USERS = Ask("users", tr("&Users"), 500, 10_000, whole=True)
NUMBERS = (
    USERS,
    Ask("active_pct", tr("Active at the same time, %"), 5, ALL_ACTIVE),
    Ask("growth_pct", tr("Growth of users a year, %"), 5, 0),
    Ask("years", tr("Planned years"), 1, 3),
    Ask("mail_file_mb", tr("Mail file, MB"), 50, 150),
    Ask("vms", tr("Number of VMs"), 1, whole=True),
    Ask("vm_ram_gib", tr("RAM of a VM, GiB"), 2),
    Ask("host_ram_gib", tr("RAM of a host, GiB"), 32),
)
"""What begins empty is chosen by the program while it stays so."""

ORDER = (
    *("users", "active_pct", "growth_pct"),
    *("years", "mail_file_mb", "kind"),
    *("release", "vms", "vm_ram_gib"),
    *("server", "host_ram_gib", "hypervisor"),
    *("array", "disk", "host_failures"),
)
CHOICES = {
    "kind": tr("&Workload"),
    "release": tr("Release"),
    "server": tr("&Host you like"),
    "hypervisor": tr("Hypervisor"),
    "array": tr("&Array"),
    "disk": tr("Drives"),
    "host_failures": tr("Hosts that may fail"),
}
SEARCHED = frozenset({"server", "array"})
RELEASES = ("14.0", "14.5", "12.0.2", "11.0.1", "10.0.1", "9.0.1", "8.5.3", "8.5.1", "7.0.2")
ANY = ""
"""Left to the program."""

FAILURES = {1: "N+1", 2: "N+2", 0: "N+0"}


class TotalsForm(QWidget):
    """Asks for totals and says what they come to, while they are typed.

    Signals:
        accepted: the scenario that was laid out.
        users_asked: users that are to be worked out, as `UsersAsked`.
        refreshed: the answer is there.
    """

    accepted = Signal(object)
    users_asked = Signal(object)
    refreshed = Signal()

    def __init__(self, session: Session, worker: Worker, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._work = OneTask(worker)
        self._totals: Totals | None = None
        self._design: Option | None = None
        self._pause = pause(self, PAUSE_MS, self.work_out)
        self._is_pending = False
        self._patience = pause(self, PATIENCE_MS, self._say_pending)
        self.numbers = {ask.total: self._number_field(ask) for ask in NUMBERS}
        self.choices = {
            name: ChoiceField(is_searched=name in SEARCHED, parent=self) for name in CHOICES
        }
        for choice in self.choices.values():
            choice.committed.connect(choice.show_value)
            choice.committed.connect(self._changed)
        self._lay_out()
        self._offer(session.known_catalog)
        session.catalog_changed.connect(self._catalog_changed)
        self.setFocusProxy(self.numbers["users"])

    @property
    def design(self) -> Option | None:
        """What the fields come to; None while that is not known or there is nothing that fits."""
        return self._design

    # ------------------------------------------------------------------ parts

    def _number_field(self, ask: Ask) -> NumberField:
        field = NumberField(
            limit=LIMITS_OF[ask.total],
            step=ask.step,
            whole=ask.whole,
            optional=ask.value is None,
            empty=tr("as needed") if ask.value is None else "",
            parent=self,
        )
        field.show_value(ask.value)
        field.committed.connect(field.show_value)
        field.textChanged.connect(self._changed)
        return field

    def _lay_out(self) -> None:
        labels = CHOICES | {ask.total: ask.label for ask in NUMBERS}
        fields: dict[str, QWidget] = {**self.numbers, **self.choices}
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(18)
        self._grid.setVerticalSpacing(8)
        self._asked = [self._labelled(labels[name], fields[name]) for name in ORDER]
        self.set_columns(COLUMNS)
        in_column(self, gap=12, around=(16, 14, 16, 14)).put(self._grid, self._footer())
        for before, after in pairwise([*(fields[name] for name in ORDER), self.accept]):
            self.setTabOrder(before, after)

    def set_columns(self, columns: int) -> None:
        """So many fields stand beside each other, at most three."""
        for place, asked in enumerate(self._asked):
            self._grid.removeWidget(asked)
            self._grid.addWidget(asked, *divmod(place, columns))
        for column in range(COLUMNS):
            self._grid.setColumnStretch(column, int(column < columns))

    def _labelled(self, text: str, field: QWidget) -> QWidget:
        asked = QWidget(self)
        label = styled(QLabel(text, asked), "muted")
        label.setBuddy(field)
        field.setAccessibleName(text.replace("&", ""))
        column = in_column(asked, gap=3)
        head = in_row().put(label)
        if field is self.numbers[USERS.total]:
            head.addStretch()
            head.addWidget(self._link(asked))
        column.addLayout(head)
        column.addWidget(field)
        return asked

    def _link(self, parent: QWidget) -> QPushButton:
        self.link = styled(QPushButton(LINK, parent), "link")
        self.link.setAutoDefault(False)
        self.link.setCursor(Qt.CursorShape.PointingHandCursor)
        self.link.clicked.connect(self._ask_users)
        return self.link

    def _ask_users(self) -> None:
        """Asks for user arithmetic with what is entered; that all are active is no count."""
        from models.advise.users import UserCounts  # once somebody asks

        users, share = (self._known_number(name) for name in ("users", "active_pct"))
        counts = UserCounts(
            registered_users=users or USERS.value,
            active_share_pct=None if share == ALL_ACTIVE else share,
        )
        name, numbers = USERS.label.replace("&", ""), ("registered_users", "active_share_pct")
        self.users_asked.emit(UsersAsked(name, counts, numbers, self._put_users))

    def _known_number(self, total: str) -> float | None:
        try:
            return self.numbers[total].read()
        except ModelError:
            return None

    def _put_users(self, users: float, share: float) -> None:
        """Fills the fields as if it were typed: Ctrl+Z in a field takes it back."""
        for total, value in (("users", round(users)), ("active_pct", round(share, 1))):
            field = self.numbers[total]
            field.selectAll()
            field.insert(exact_text(value, style=locale_style()))
            field.setModified(True)
        self.numbers["users"].setFocus()

    def _footer(self) -> Line:
        self._sign = Sign(parent=self, side=ICON)
        self.answer = wrapped("", self)
        self.answer.setMinimumHeight(2 * self.fontMetrics().lineSpacing())
        self.accept = styled(QPushButton(tr("Lay it out"), self), "primary")
        self.accept.setAutoDefault(True)
        self.accept.setEnabled(False)
        self.accept.clicked.connect(self._accept)
        return in_row(gap=10).put(self._sign, (self.answer, 1), self.accept)

    # ------------------------------------------------------------------ choices

    def _catalog_changed(self, _catalog: object) -> None:
        self._forget()
        self._offer(self._session.known_catalog)

    def _offer(self, catalog: Catalog) -> None:
        """Everything that can be bought, the newest first."""
        entries = {
            "kind": [Choice(kind, local(WORKLOADS[kind].name)) for kind in MAIL_KINDS],
            "release": [Choice(release, release) for release in RELEASES],
            "hypervisor": [
                Choice(ANY, tr("the newest in support")),
                *(
                    Choice(each.id, each.name)
                    for each in reversed(list(catalog.hypervisors.values()))
                    if each.id != NO_HYPERVISOR
                ),
            ],
            "disk": [
                Choice(ANY, tr("those of fewest units")),
                *(Choice(each.id, each.name) for each in catalog.disks.values()),
            ],
            "host_failures": [Choice(count, words) for count, words in FAILURES.items()],
            "server": [Choice(each.id, each.name) for each in _newest(catalog.servers.values())],
            "array": [Choice(each.id, each.name) for each in _newest(catalog.arrays.values())],
        }
        for name, offered in entries.items():
            choice = self.choices[name]
            choice.offer(offered)
            if choice.value is None and offered:
                choice.show_value(offered[0].value)
        self._changed()

    # ------------------------------------------------------------------ the answer

    def _changed(self, _what: object = None) -> None:
        """What was laid out of other numbers can't be taken any more."""
        if self._totals is not None and self._totals == self._known():
            return  # the same number, written as such numbers are
        self._forget()
        self._pause.start()

    def _forget(self) -> None:
        self._work.cancel()
        self._totals = self._design = None
        self.accept.setEnabled(False)
        self._is_pending = True
        self._patience.start()
        self._show_sign()

    def _say_pending(self) -> None:
        """It takes long: what was said of other numbers gives way."""
        self.answer.setText(tr("calculating …"))
        self._show_sign()

    def _known(self) -> Totals | None:
        """The fields as totals; None where they can't be."""
        try:
            return self._read()
        except ModelError:
            return None

    def work_out(self) -> None:
        """Starts working out what the fields come to."""
        self._pause.stop()
        self._work.cancel()
        try:
            totals = self._read()
        except ModelError as error:
            self._show(None, local(error))
            return
        session, self._totals = self._session, totals
        task = partial(_designed, totals, Knowledge(session.known_catalog, session.calibration))
        self._work.start(task, self._done, self._failed)

    def _read(self) -> Totals:
        """The fields as totals.

        Raises:
            ModelError: one of them is no number, or nothing is chosen; says which.
        """
        chosen: dict[str, Any] = {name: choice.value for name, choice in self.choices.items()}
        if None in chosen.values():
            raise ModelError(tr("choose a workload, a host and an array"))
        given: dict[str, Any] = {ask.total: self._number(ask) for ask in NUMBERS}
        chosen = {name: None if value == ANY else value for name, value in chosen.items()}
        return Totals(**chosen, **given)

    def _number(self, ask: Ask) -> float | None:
        try:
            value = self.numbers[ask.total].read()
        except ModelError as error:
            label = ask.label.replace("&", "").split(",")[0]
            raise ModelError(joined(": ", (label, error.reason))) from None
        return int(value) if ask.whole and value is not None else value

    def _done(self, design: Option) -> None:
        self._show(design, _answer(design, self._session.known_catalog))

    def _failed(self, error: Exception) -> None:
        if not isinstance(error, ModelError):
            raise error
        self._show(None, local(error.reason))

    def _show(self, design: Option | None, text: str) -> None:
        self._design, self._is_pending = design, False
        self._patience.stop()
        self.answer.setText(f"{text[:1].upper()}{text[1:].rstrip('.')}.")
        self.accept.setEnabled(design is not None)
        self._show_sign()
        self.refreshed.emit()

    def _show_sign(self) -> None:
        if self._is_pending:
            name, sign, words = "circle-dashed", "muted", "muted"
        elif self._design is not None:
            name, sign, words = "circle-check", "ok", "text"
        else:
            name, sign, words = "triangle-alert", "bad", "bad"
        if self.answer.text():
            self._sign.show_sign(name, sign)
        tint(self.answer, words)

    def _accept(self) -> None:
        if self._design is not None:
            self.accepted.emit(self._design.scenario)


def _newest(entries: Iterable[Entry]) -> list[Entry]:
    """What can be bought, the newest first and otherwise as in the catalog."""
    return sorted((each for each in entries if each.role is Role.PURCHASE), key=_age)


def _age(entry: Server | Array) -> int:
    return -(entry.year or 0)


def _designed(totals: Totals, knowledge: Knowledge, context: Context) -> Option:
    """Runs in the background."""
    return first_design(totals, knowledge, check=context.check)


def _answer(design: Option, catalog: Catalog) -> str:
    """What was found, in one sentence."""
    scenario, style = design.scenario, locale_style()
    host, pool = scenario.hosts[0], scenario.pools[0]
    pools = (
        trn(" in {count} pool", " in {count} pools", len(scenario.pools))
        if scenario.pools[1:]
        else ""
    )
    most = max(vm.workload.active_users for vm in scenario.vms)
    users = trn(
        "{users} active user",
        "{users} active users",
        1 if most == 1 else 2,
        users=exact_text(most, style=style),
    )
    hypervisor, disk = catalog.hypervisors[host.hypervisor].name, catalog.disks[pool.disk].name
    years = scenario.growth.years if scenario.growth.users_pct else 0.0
    raid, words = catalog.raid_levels[pool.raid].name, local(design.end.shown.words)
    return tr(
        "{vms}, on {hosts} with {hypervisor} and "
        "{drives} × {disk} in {raid}{pools}; no VM has more than {measured} benchmark users, the "
        "building block that was measured. {words}{when}; {failures}",
        vms=trn(
            "{count} VM with {users}",
            "{count} VMs with up to {users} each",
            len(scenario.vms),
            users=users,
        ),
        hosts=trn("{count} host", "{count} hosts", len(scenario.hosts)),
        hypervisor=hypervisor,
        drives=number(design.drives, style=style),
        disk=disk,
        raid=raid,
        pools=pools,
        words=local(words).capitalize(),
        when=tr(" for all {years} years", years=exact_text(years, style=style)) if years else "",
        failures=_failures_text(scenario),
        measured=number(USERS_PER_VM, style=style),
    )


def _failures_text(scenario: Scenario) -> str:
    """What of hosts may fail."""
    count = scenario.clusters[0].admission.host_failures
    if scenario.clusters[0].admission.policy is AdmissionPolicy.NONE:
        return tr("no host is kept in reserve")
    return (
        tr("any one host may fail") if count == 1 else tr("any {count} hosts may fail", count=count)
    )
