"""The inspector: what is predicted for the selection, and every field of it."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from app.icons import draw_icon
from app.selection import Selection
from app.session import Session, View
from app.theme import LIGHT, Theme
from app.widgets.fields import TextField
from app.widgets.inspector.facts import Fact, facts, summary, verdict_of
from app.widgets.inspector.numbers import Numbers
from app.widgets.inspector.page import KIND_WORDS, FieldPage, refusal
from app.widgets.inspector.rows import Remark
from app.widgets.inspector.specs import Subject
from app.widgets.inspector.tables import SECTIONS
from app.widgets.labels import OneLine
from app.widgets.marks import VERDICT_ICONS, chip_size, draw_chip, scaled_font, verdict_colour
from app.wording import locale_style
from models.errors import ModelError
from models.prediction import Verdict
from models.scenario import Cluster, Host, Pool, Scenario, Vm
from models.wording import WORKLOADS

KIND_ICONS: dict[type, str] = {
    Vm: "box",
    Host: "server",
    Pool: "database",
    Cluster: "boxes",
    Scenario: "file-text",
}

_HEADING = """
QLineEdit {{ background: transparent; border-color: transparent; padding: 3px 2px; }}
QLineEdit:hover {{ border-color: {line}; }}
QLineEdit:focus {{ border-color: {accent}; }}
QLineEdit:read-only {{ border-color: transparent; }}
"""


class VerdictChip(QWidget):
    """A verdict as icon and word; takes no room without one."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = LIGHT
        self._verdict: Verdict | None = None
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def show_verdict(self, verdict: Verdict | None) -> None:
        if verdict is not self._verdict:
            self._verdict = verdict
            self.setAccessibleName(verdict.label if verdict is not None else "")
            self.updateGeometry()
            self.update()
        self.setVisible(verdict is not None)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.update()

    def _font(self) -> QFont:
        return scaled_font(self.font(), 0.92, QFont.Weight.Medium)

    def sizeHint(self) -> QSize:
        text = self._verdict.label if self._verdict is not None else ""
        return chip_size(self._font(), text).toSize()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._verdict is None:
            return
        painter = QPainter(self)
        painter.setFont(self._font())
        colour = verdict_colour(self._verdict, self._theme)
        box = QRectF(self.rect())
        draw_chip(painter, box, VERDICT_ICONS[self._verdict], self._verdict.label, colour)
        painter.end()


class KindSign(QWidget):
    """The icon of a kind of item."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = LIGHT
        self._kind: type = Scenario
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def show_kind(self, kind: type, theme: Theme) -> None:
        self._kind, self._theme = kind, theme
        self.update()

    def sizeHint(self) -> QSize:
        side = round(QFontMetricsF(self.font()).height() * 1.4)
        return QSize(side, side)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        draw_icon(painter, QRectF(self.rect()), KIND_ICONS[self._kind], self._theme.muted)
        painter.end()


class Inspector(QWidget):
    """Numbers and fields of the selected items; of the scenario when nothing is selected.

    Signals:
        evidence_requested: id of the evidence row that was followed from a number.
    """

    evidence_requested = Signal(str)

    def __init__(
        self,
        session: Session,
        selection: Selection,
        theme: Theme = LIGHT,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._selection = selection
        self._theme = theme
        self._pages: dict[type, FieldPage] = {}
        self._shown_page: FieldPage | None = None
        self._looked_at = selection.ids
        self._scroll = QScrollArea(self)
        self._sign = KindSign(self)
        self._name = TextField(parent=self)
        self._chip = VerdictChip(self)
        self._subtitle = OneLine("", self)
        self._remark = Remark(self)
        self._numbers = Numbers(self)
        self._mixed = QLabel("Select items of one kind to edit them together.", self)
        self._lay_out()
        self._name.committed.connect(self._rename)
        self._name.said.connect(self._remark.say)
        self._numbers.opened.connect(self.evidence_requested)
        session.view_changed.connect(self.show_view)
        selection.changed.connect(self._selected)
        self.setAccessibleName("Inspector")
        self.set_theme(theme)

    @property
    def name_field(self) -> QLineEdit:
        return self._name

    @property
    def numbers(self) -> Numbers:
        return self._numbers

    @property
    def page(self) -> FieldPage | None:
        """The fields on screen; None for a selection of several kinds."""
        return self._shown_page

    @property
    def title(self) -> str:
        return self._name.text()

    @property
    def subtitle(self) -> str:
        return self._subtitle.text()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._chip.set_theme(theme)
        self._name.setStyleSheet(_HEADING.format(line=theme.line, accent=theme.accent))
        self._remark.set_theme(theme)
        self._numbers.set_theme(theme)
        for page in self._pages.values():
            page.set_theme(theme)
        self.show_view(self._session.view)

    def show_view(self, view: View) -> None:
        items = self._items(view.scenario)
        kinds = {type(item) for item in items}
        self._show_head(items, kinds, view)
        self._show_numbers(items, view)
        page = self._page(kinds.pop()) if len(kinds) == 1 else None
        if page is not None:
            page.show_items(items, view.scenario)
        self._turn_to(page)

    def _turn_to(self, page: FieldPage | None) -> None:
        self._mixed.setVisible(page is None)
        for each in self._pages.values():
            each.setVisible(each is page)
        self._shown_page = page

    def _selected(self) -> None:
        """Other items begin at the top: their name is what says that they are others."""
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
            page.set_theme(self._theme)
            self._pages[kind] = page
            self._body.insertWidget(0, page)
        return self._pages[kind]

    def _show_head(self, items: tuple[Subject, ...], kinds: set[type], view: View) -> None:
        single = items[0] if len(items) == 1 else None
        self._sign.show_kind(type(items[-1]), self._theme)
        self._name.setReadOnly(single is None)
        self._name.show_value(items[0].name if single else _count_text(items))
        self._name.setAccessibleName("Name")
        self._subtitle.setText(subtitle_text(items, view, self._session))
        verdict = view.prediction.shown.verdict if isinstance(single, Scenario) else None
        if single is not None and verdict is None:
            verdict = verdict_of(view.prediction, single)
        self._chip.show_verdict(verdict)

    def _show_numbers(self, items: tuple[Subject, ...], view: View) -> None:
        now: tuple[Fact, ...] = ()
        before: tuple[Fact, ...] = ()
        item = items[0]
        if len(items) == 1 and not isinstance(item, Scenario):
            now = facts(view.scenario, view.prediction, item)
            if view.is_preview:
                before = facts(self._session.scenario, view.committed, item)
        self._numbers.show_facts(now, before)

    def _rename(self, name: str) -> None:
        item = self._items(self._session.scenario)[0]
        reason = rename(self._session, item, name)
        if reason is not None:
            self._name.refuse(reason)

    def _lay_out(self) -> None:
        self._name.setFont(scaled_font(self.font(), 1.3, QFont.Weight.DemiBold))
        self._subtitle.setProperty("role", "muted")
        self._mixed.setProperty("role", "muted")
        self._mixed.setWordWrap(True)
        self._mixed.setAlignment(Qt.AlignmentFlag.AlignTop)
        head = QHBoxLayout()
        head.setSpacing(6)
        head.addWidget(self._sign)
        head.addWidget(self._name, 1)
        head.addWidget(self._chip)
        content = QWidget(self)
        column = QVBoxLayout(content)
        column.setContentsMargins(12, 10, 12, 12)
        column.setSpacing(6)
        column.addLayout(head)
        column.addWidget(self._remark)
        column.addWidget(self._subtitle)
        column.addWidget(self._numbers)
        self._body = QVBoxLayout()
        self._body.addWidget(self._mixed)
        column.addLayout(self._body)
        column.addStretch()
        scroll = self._scroll
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidget(content)
        content.setAutoFillBackground(False)
        scroll.viewport().setAutoFillBackground(False)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(scroll)
        self.setFocusProxy(self._name)


def rename(session: Session, item: Subject, name: str) -> str | None:
    """Gives an item another name as one step; returns why not where it can't be."""
    if isinstance(item, Scenario):
        project = session.project
        try:
            renamed = project.renamed(project.active, name)
            session.edit_project(renamed, f"Rename to “{renamed.scenario.name}”")
        except ModelError as error:
            return error.reason
        return None
    after = session.scenario.with_item(replace(item, name=name))
    reason = "a name is needed" if not name else refusal(session.scenario, after, session)
    if reason is None:
        session.edit(after, f"Rename {item.name} to {name}")
    return reason


def subtitle_text(items: tuple[Subject, ...], view: View, session: Session) -> str:
    """Under the name: what the item is and where it stands."""
    if len(items) > 1:
        return summary(items, session.catalog, locale_style())
    item, scenario = items[0], view.scenario
    if isinstance(item, Vm):
        host = scenario.host(item.host).name if item.host else "not placed"
        return f"{WORKLOADS[item.workload.kind]} · {host}"
    if isinstance(item, Host):
        server = session.catalog.servers.get(item.server)
        where = scenario.cluster(item.cluster).name if item.cluster else "no cluster"
        cores = f" · {server.cores} cores" if server else ""
        return f"{where}{cores} · {_plural(len(scenario.vms_on(item.id)), 'VM')}"
    if isinstance(item, Pool):
        vms = sum(item.id in (vm.pool, vm.log_pool) for vm in scenario.vms)
        return f"{_plural(item.spindles, 'drive')} · {_plural(vms, 'VM')}"
    if isinstance(item, Cluster):
        hosts = [host.id for host in scenario.hosts if host.cluster == item.id]
        vms = sum(vm.host in hosts for vm in scenario.vms)
        return f"{_plural(len(hosts), 'host')} · {_plural(vms, 'VM')}"
    return f"{_plural(len(item.hosts), 'host')} · {_plural(len(item.vms), 'VM')}"


def _plural(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _count_text(items: tuple[Subject, ...]) -> str:
    """``2 hosts, 3 VMs``."""
    counts: dict[str, int] = {}
    for item in items:
        kind = type(item).__name__
        counts[kind] = counts.get(kind, 0) + 1
    return ", ".join(f"{n} {KIND_WORDS[kind][n > 1]}" for kind, n in counts.items())
