"""The inspector: what is predicted for the selection, and every field of it."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QWidget

from app.language import local, tr
from app.selection import Selection
from app.session import Session, View
from app.widgets.fields.line import commit_typed
from app.widgets.inspector.facts import Fact, facts
from app.widgets.inspector.head import Head, is_gone
from app.widgets.inspector.numbers import Numbers
from app.widgets.inspector.page import FieldPage, ids_of, refusal, stored
from app.widgets.inspector.rules import RulesBox
from app.widgets.inspector.specs import Subject
from app.widgets.inspector.tables import SECTIONS
from app.widgets.inspector.waivers import WaiversBox
from app.widgets.parts import STRETCH, Scroller, in_column, styled
from models.base.errors import ModelError
from models.scenario.scenario import Cluster, Scenario


class Inspector(QWidget):
    """Numbers and fields of the selected items; of the scenario when nothing is selected.

    Signals:
        why_requested: id of an item and the name of its number whose evidence is wanted.
        users_asked: users that are to be worked out, as `UsersAsked`.
    """

    why_requested = Signal(str, str)
    users_asked = Signal(object)

    def __init__(
        self,
        session: Session,
        selection: Selection,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._selection = selection
        self._pages: dict[type, FieldPage] = {}
        self.page: FieldPage | None = None
        """The fields on screen; None for a selection of several kinds."""
        self._looked_at = selection.ids
        self._items_shown: tuple[Subject, ...] = (session.scenario,)
        self._place = session.place
        self._scroll = Scroller(self)
        self.head = Head(session, self)
        self.numbers = Numbers(self)
        self.lists = (RulesBox(session, self), WaiversBox(session, self))
        """What the scenario has beside its fields."""
        mixed = tr("Select items of one kind to edit them together.")
        self._mixed = styled(QLabel(mixed, self), "muted")
        self._lay_out()
        self.head.name.committed.connect(self._rename)
        self.numbers.asked.connect(self._ask_why)
        session.view_changed.connect(self.show_view)
        selection.changed.connect(self._selected)
        self.setAccessibleName(tr("Inspector"))
        self.show_view(session.view)

    @property
    def title(self) -> str:
        return self.head.name.text()

    def show_view(self, view: View) -> None:
        stored = self._session.scenario if view.lost else view.today
        items = self._items(stored)
        kinds = {type(item) for item in items}
        self._show_head(items, view)
        self._show_numbers(items, view)
        page = self._page(kinds.pop()) if len(kinds) == 1 else None
        if page is not None:
            page.show_items(items, stored)
        self._turn_to(page)
        for box in self.lists:
            box.setVisible(isinstance(items[0], Scenario))
            if box.isVisibleTo(self):
                box.show_scenario(stored)

    def _show_head(self, items: tuple[Subject, ...], view: View) -> None:
        """Names and numbers; a name that was typed for something else is dropped."""
        place = self._session.place
        if place != self._place or ids_of(items) != ids_of(self._items_shown):
            self.head.forget()
        self._items_shown, self._place = items, place
        self.head.show_items(items, view)

    def _turn_to(self, page: FieldPage | None) -> None:
        self._mixed.setVisible(page is None)
        for each in self._pages.values():
            each.setVisible(each is page)
        self.page = page

    def _selected(self) -> None:
        """Other items begin at the top: their name is what says that they are others."""
        commit_typed(self)
        self._session.end_gesture()
        self.show_view(self._session.view)
        if self._selection.ids != self._looked_at:
            self._looked_at = self._selection.ids
            self._scroll.verticalScrollBar().setValue(0)

    def _items(self, scenario: Scenario) -> tuple[Subject, ...]:
        ids = set(self._selection.ids)
        items: tuple[Subject, ...] = tuple(item for item in scenario.items() if item.id in ids)
        return items or (scenario,)

    def _page(self, kind: type) -> FieldPage:
        if kind not in self._pages:
            page = FieldPage(SECTIONS[kind], self._session, self)
            page.users_asked.connect(self.users_asked)
            self._pages[kind] = page
            self._body.insertWidget(0, page)
        return self._pages[kind]

    def _show_numbers(self, items: tuple[Subject, ...], view: View) -> None:
        now: tuple[Fact, ...] = ()
        before: tuple[Fact, ...] = ()
        item = items[0]
        if view.lost and isinstance(item, Cluster):
            view = self._session.stored_view
        if len(items) == 1 and not isinstance(item, Scenario) and not is_gone(item, view):
            now = facts(view.scenario, view.prediction, item, self._session.catalog)
            if view.is_preview:
                before = facts(self._session.scenario, view.committed, item, self._session.catalog)
        self.numbers.show_facts(now, before)

    def show_field(self, path: str) -> None:
        """Brings the field of an input, by its path in the item, into sight and focus."""
        page = self.page
        row = next((each for each in page.rows if each.spec.at == path), None) if page else None
        if row is None:
            return
        box = row.parentWidget()
        while isinstance(box, QWidget) and box is not self:
            box.setVisible(True)
            box = box.parentWidget()
        self._scroll.ensureWidgetVisible(row)
        row.editor.setFocus()

    def _ask_why(self, field: str) -> None:
        item = self._items(self._session.view.scenario)[0]
        if not isinstance(item, Scenario):
            self.why_requested.emit(item.id, field)

    def _rename(self, name: str) -> None:
        items = stored(self._items_shown, self._session.scenario)
        if self._session.place != self._place or not items:
            self.head.forget()
            return
        reason = rename(self._session, items[0], name)
        if reason is not None:
            self.head.name.refuse(reason)

    def _lay_out(self) -> None:
        self._mixed.setWordWrap(True)
        self._mixed.setAlignment(Qt.AlignmentFlag.AlignTop)
        content = QWidget(self)
        self._body = in_column().put(self._mixed)
        in_column(content, gap=6, around=(12, 10, 12, 12)).put(
            self.head, self.numbers, self._body, *self.lists, STRETCH
        )
        self._scroll.hold(content)
        in_column(self).put(self._scroll)
        self.setFocusProxy(self.head.name)


def rename(session: Session, item: Subject, name: str) -> str | None:
    """Gives an item another name as one step; returns why not where it can't be."""
    if isinstance(item, Scenario):
        project = session.project
        try:
            renamed = project.renamed(project.active, name)
            session.edit_project(renamed, tr("Rename to “{name}”", name=renamed.scenario.name))
        except ModelError as error:
            return local(error.reason)
        return None
    after = session.scenario.with_item(replace(item, name=name))
    reason = tr("a name is needed") if not name else refusal(session.scenario, after, session)
    if reason is None:
        session.edit(after, tr("Rename {item} to {name}", item=item.name, name=name))
    return reason
