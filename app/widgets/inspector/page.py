"""The fields of one kind of item, and the one way by which an edit becomes a step."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.language import local, tr
from app.moves import movable, move
from app.session import Session
from app.widgets.inspector.rows import USER_COUNTS, FieldRow, SectionBox
from app.widgets.inspector.specs import Section, Spec, Subject
from app.widgets.parts import in_column
from app.widgets.users_asked import UsersAsked
from app.wording import locale_style
from models.base.errors import ModelError
from models.base.lettering import set_apart
from models.catalog.placement import reason_against
from models.check import check_scenario
from models.scenario.inputs import origin_of, with_origin, with_pin
from models.scenario.origin import Origin
from models.scenario.scenario import LoadBasis, Scenario, Vm
from models.scenario.wording import counted


class FieldPage(QWidget):
    """Sections of fields; shows items of one kind and edits all of them at once.

    Signals:
        users_asked: users that are to be worked out, as `UsersAsked`.
    """

    users_asked = Signal(object)

    def __init__(
        self, sections: Sequence[Section], session: Session, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._items: tuple[Subject, ...] = ()
        self._place = session.place
        self._scenario = session.scenario
        self._rows: dict[str, FieldRow] = {}
        self._sections = tuple(SectionBox(section, self) for section in sections)
        in_column(self, gap=8).put(*self._sections)
        self._take([row for box in self._sections for row in box.rows])
        for box in self._sections:
            box.made.connect(self._take)

    def _take(self, rows: Sequence[FieldRow]) -> None:
        """Rows of a section, once they stand."""
        for row in rows:
            self._rows[row.spec.at] = row
            row.asked.connect(self._ask)
            row.origin_asked.connect(self._say_origin)
            row.pin_asked.connect(self._pin)
            row.users_asked.connect(self._ask_users)
            row.finished.connect(self._session.end_gesture)
            if self._items:
                row.show_items(self._items, self._scenario, self._session.catalog)
        self._line_up()

    def row(self, path: str) -> FieldRow:
        """The row of the field at this path in its item.

        Raises:
            KeyError: there is none.
        """
        for box in self._sections:
            if any(spec.at == path for spec in box.specs):
                box.make()
        return self._rows[path]

    @property
    def rows(self) -> tuple[FieldRow, ...]:
        """All rows in the order in which they stand, those of folded sections too."""
        for box in self._sections:
            box.make()
        return tuple(row for box in self._sections for row in box.rows)

    def show_items(self, items: Sequence[Subject], scenario: Scenario) -> None:
        """Shows these items; what was typed for others, or in another scenario, is dropped."""
        place = self._session.place
        if place != self._place or ids_of(items) != ids_of(self._items):
            for row in self._rows.values():
                row.forget()
        self._items, self._place, self._scenario = tuple(items), place, scenario
        for box in self._sections:
            box.show_items(items, scenario, self._session.catalog)
        self._line_up()

    def _line_up(self) -> None:
        """Labels and units of the rows that are there below one another."""
        rows = [row for row in self._rows.values() if not row.isHidden()]
        badge = max((row.badge.widest for row in rows if row.badge is not None), default=0)
        label = max((row.label_width for row in rows), default=0)
        unit = max((row.unit_width for row in rows), default=0)
        for row in rows:
            row.set_columns(max(badge, label), unit)

    def _ask(self, spec: Spec, value: Any) -> None:
        """Makes the edit, or says beside the field why it can't be."""
        row = self._rows[spec.at]
        if self._session.place != self._place:
            row.forget()
            return
        if spec.at == "host" and isinstance(self._items[0], Vm):
            reason = self._move(value)
        else:
            reason = self._put_into(spec, value, self._items, row)
        if reason is not None:
            row.refuse(reason)

    def _put_into(
        self, spec: Spec, value: Any, items: Sequence[Subject], row: FieldRow
    ) -> str | None:
        session = self._session
        before = session.scenario
        after = before
        for item in stored(items, before):
            after = spec.put_into(after, item, value)
        reason = refusal(before, after, session)
        if reason is None:
            choices = row.choices(before, session.catalog)
            text = spec.step_text(who(items), value, locale_style(), choices)
            key = f"{spec.at}:{','.join(ids_of(items))}"
            session.edit(after, text, merge_key=key)
        return reason

    def _ask_users(self, spec: Spec) -> None:
        """Asks for user arithmetic with what the first item knows, for all of them."""
        from models.advise.users import UserCounts  # once somebody asks

        items, policy = self._items, self._session.scenario.policy
        workload = items[0].workload if isinstance(items[0], Vm) else None
        if workload is None:
            return
        is_benchmark = policy.load_basis is LoadBasis.BENCHMARK
        counts = UserCounts(
            registered_users=workload.registered_users,
            active_users=workload.active_users,
            benchmark_derating=policy.benchmark_derating if is_benchmark else None,
        )
        name = f"{who(items)}, {spec.label}"
        put = partial(self._put_users, spec, items, self._session.place)
        self.users_asked.emit(UsersAsked(name, counts, (USER_COUNTS[spec.path],), put))

    def _put_users(
        self, spec: Spec, items: Sequence[Subject], place: tuple[str, str], users: float
    ) -> str | None:
        """Puts a number that was worked out into the items that asked, as a step of its own."""
        session = self._session
        if session.place != place or len(stored(items, session.scenario)) < len(items):
            return tr("The scenario in view is not the one that asked.")
        session.end_gesture()
        reason = self._put_into(spec, round(users), items, self._rows[spec.at])
        session.end_gesture()
        return reason

    def _say_origin(self, spec: Spec, origin: Origin) -> None:
        """Notes who gave the value; the value stays."""
        after = self._session.scenario
        for item in self._stored():
            if origin_of(item, spec.path) is not origin:
                after = _put(after, with_origin(item, origin, spec.path))
        subject = f"{who(self._items)} {spec.noun}".strip()
        self._session.edit(
            after,
            tr("Mark {subject} as {origin}", subject=subject, origin=origin.label),
        )

    def _pin(self, spec: Spec, is_pinned: bool) -> None:
        after = self._session.scenario
        for item in self._stored():
            after = _put(after, with_pin(item, spec.path, pinned=is_pinned))
        subject = f"{who(self._items)} {spec.noun}".strip()
        text = tr("Pin {subject}", subject=subject)
        if not is_pinned:
            text = tr("Unpin {subject}", subject=subject)
        self._session.edit(after, text)

    def _stored(self) -> tuple[Subject, ...]:
        return stored(self._items, self._session.scenario)

    def _move(self, host: str | None) -> str | None:
        """The same act, and the same words, as a drag."""
        session = self._session
        moving = movable(session.scenario, ids_of(self._items), host)
        reason = reason_against(session.scenario, session.catalog, moving, host)
        if reason is None:
            move(session, moving, host)
        return reason


def _put(scenario: Scenario, item: Subject) -> Scenario:
    return item if isinstance(item, Scenario) else scenario.with_item(item)


def refusal(before: Scenario, after: Scenario, session: Session) -> str | None:
    """Why `after` cannot exist; None when it can, or when `before` was broken already."""
    try:
        check_scenario(after, session.catalog)
    except ModelError as error:
        try:
            check_scenario(before, session.catalog)
        except ModelError:
            return None
        return local(error.reason)
    return None


def who(items: Sequence[Subject]) -> str:
    """The items in the name of a step; the scenario itself goes without saying."""
    if isinstance(items[0], Scenario):
        return ""
    if len(items) == 1:
        return set_apart(items[0].name)
    return local(counted(type(items[0]), len(items)))


def ids_of(items: Sequence[Subject]) -> tuple[str, ...]:
    """Ids of the items; the scenario itself has none."""
    return tuple("" if isinstance(item, Scenario) else item.id for item in items)


def stored(items: Sequence[Subject], scenario: Scenario) -> tuple[Subject, ...]:
    """The items as they are stored now: what is on screen may be being dragged, or older."""
    if isinstance(items[0], Scenario):
        return (scenario,)
    ids = set(ids_of(items))
    return tuple(item for item in scenario.items() if item.id in ids)
