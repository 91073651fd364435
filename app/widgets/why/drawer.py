"""A drawer at the right edge of the window: one number, its formula, and what it rests on."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, Qt, QUrl, Signal
from PySide6.QtGui import QFont, QKeyEvent
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QLabel,
    QSizePolicy,
    QTextBrowser,
    QWidget,
)
from shiboken6 import isValid

from app.calibrated import shipped_evidence
from app.language import local, tr
from app.look import LOOK
from app.session import Session, View
from app.widgets.labels import OneLine
from app.widgets.marks import scaled_font
from app.widgets.parts import STRETCH, Scroller, in_column, in_row, tool_button
from app.widgets.why.text import ALL, EVIDENCE, INPUT, derivation_html
from app.widgets.why.tree import TermsTree
from app.wording import ahead_words, locale_style
from app.work import pause
from models.base.errors import ModelError
from models.evidence.rows import by_id
from models.explain.derivation import Derivation, explain, numbers_beside
from models.explain.words import source_words
from models.formulas.terms import Predicted, Source
from models.predict.predicted import NumberRef
from models.scenario.wording import about_text, decimals_of, full_text

WIDTH_PX, LEAST_PX, EDGE_PX = 460, 320, 6
MOST_BACK = 50


class WhyDrawer(QFrame):
    """Shows the derivation of one number, follows edits, and remembers where it came from.

    It lies over the right side of its parent, below a widget that is to stay in sight, and takes
    no room from anything else.

    Signals:
        evidence_requested: id of a row of evidence; input_requested: id of an item, and the path
            of the field.
        closed: it was put away.
    """

    evidence_requested = Signal(str)
    input_requested = Signal(str, str)
    closed = Signal()

    def __init__(
        self,
        session: Session,
        parent: QWidget,
        *,
        below: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._room = parent
        self._below = below
        self.asked: NumberRef | None = None
        """The number that is shown; None while it is put away."""
        self._before: list[NumberRef] = []
        self._given: dict[NumberRef, Derivation] = {}
        self.derivation: Derivation | None = None
        self._came_from: QWidget | None = None
        self._title = OneLine("", self)
        self._value = QLabel(self)
        self._reason = QLabel(self)
        self._reason.setTextFormat(Qt.TextFormat.PlainText)
        self.tree = TermsTree(self)
        self.text = QTextBrowser(self)
        self.back_button = tool_button(
            self, "undo-2", tip=f"{tr('Back')} ({tr('Backspace')})", name=tr("Back")
        )
        self.close_button = tool_button(self, "x", tip=f"{tr('Close')} (Esc)", name=tr("Close"))
        self._later = pause(self, 0, self._refresh)
        self._lay_out()
        self._connect()
        LOOK.changed.connect(self._write)
        parent.installEventFilter(self)
        self.hide()

    @property
    def is_settled(self) -> bool:
        return not self._later.isActive()

    def ask(self, asked: NumberRef) -> None:
        """Shows why a number is what it is; the one before it is a step back."""
        try:
            self._show(asked)
        except ModelError as error:
            self._session.message.emit(
                f"{local(error.reason)[:1].upper()}{local(error.reason)[1:]}."
            )
            return
        self._before.clear()
        self._show_back()
        self._open()

    def tell(self, derivations: Sequence[Derivation]) -> None:
        """Shows the first of several numbers that were worked out elsewhere.

        They hold for the scenario as it stands: an edit puts them away.
        """
        self._given = {each.asked: each for each in derivations}
        self.ask(derivations[0].asked)

    def follow(self, source: Predicted) -> None:
        """On to a number that the formula uses."""
        here = self.asked
        self._show(NumberRef(source.table, source.subject, source.field))
        if here is not None:
            self._before = [*self._before[-MOST_BACK:], here]
        self._show_back()

    def back(self) -> None:
        """To the number before this one."""
        if self._before:
            self._show(self._before.pop())
            self._show_back()

    def next_number(self) -> None:
        """To the next number of the same item, after the last one the first."""
        here = self.asked
        if here is None:
            return
        beside = tuple(self._given) if here in self._given else numbers_beside(here)
        after = (beside.index(here) + 1) % len(beside) if here in beside else 0
        self.ask(beside[after])

    def put_away(self) -> None:
        if self.isVisible():
            self._give_focus_back()
            self.hide()
            self.asked = self.derivation = None
            self.closed.emit()

    # ------------------------------------------------------------------ what is shown

    def _show(self, asked: NumberRef) -> None:
        session = self._session
        view = session.studied_view
        found, when = self._given.get(asked), ahead_words(view.years)
        if found is None:
            at = session.knowledge, view.prediction
            found = explain(asked, view.scenario, *at)
        self.asked, self.derivation = asked, found
        style = locale_style()
        title = local(found.title)
        title = tr("{when}: {what}", when=when, what=title) if when else title
        self._title.setText(title)
        self._value.setText(local(full_text(found.quantity, found.unit, style=style)))
        self.setAccessibleName(
            tr(
                "Why: {title}, {quantity}",
                title=title,
                quantity=about_text(found.quantity, found.unit, style=style),
            )
        )
        self._reason.setText(local(found.reason))
        self._reason.setVisible(bool(found.reason))
        self.tree.setVisible(found.root is not None)
        self.tree.terms.show_term(found.root, self._said, style, decimals_of(found.quantity))
        self.tree.open_first()
        self._fit_tree()
        self._write()

    def _said(self, source: Source | None) -> str:
        return source_words(source, self._session.studied, self._session.catalog)

    def _write(self) -> None:
        if self.derivation is None:
            return
        rows = by_id(shipped_evidence())
        html = derivation_html(
            self.derivation, self._session.studied, rows, LOOK.theme, locale_style()
        )
        self.text.setHtml(html)
        self._fit_text()

    def _refresh(self) -> None:
        """The same number after an edit; put away where it is gone."""
        if self.asked is None:
            return
        try:
            self._show(self.asked)
        except ModelError:
            self.put_away()

    def _view_changed(self, view: View) -> None:
        if self.asked is not None and not view.is_dragged:
            self._before = [each for each in self._before if each not in self._given]
            self._given = {}
            self._later.start()

    def _show_back(self) -> None:
        self.back_button.setVisible(bool(self._before))

    # ------------------------------------------------------------------ place and events

    def _open(self) -> None:
        now = QApplication.focusWidget()
        if now is None or not self.isAncestorOf(now):
            self._came_from = now
        self._place()
        self.show()
        self.raise_()
        (self.text if self.tree.isHidden() else self.tree).setFocus()

    def _give_focus_back(self) -> None:
        """The keys act again where they acted before, if they act here and that is still there."""
        now, before = QApplication.focusWidget(), self._came_from
        self._came_from = None
        is_here = now is not None and self.isAncestorOf(now)
        if is_here and before is not None and isValid(before) and before.isVisible():
            before.setFocus()

    def _place(self) -> None:
        """Along the right edge, over whatever stands there."""
        room = self._room.rect()
        width = max(min(WIDTH_PX, room.width() - 40), min(LEAST_PX, room.width()))
        top = room.top() + EDGE_PX
        if self._below is not None and self._below.isVisible():
            top = self._below.mapTo(self._room, self._below.rect().bottomLeft()).y() + EDGE_PX
        height = room.bottom() - top - EDGE_PX
        self.setGeometry(room.right() - width - EDGE_PX, top, width, height)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Resize and self.isVisible():
            if watched is self._room:
                self._place()
            else:
                self._fit_text()
        return super().eventFilter(watched, event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.put_away()
        elif event.key() == Qt.Key.Key_Backspace:
            self.back()
        elif event.key() == Qt.Key.Key_E and not event.modifiers():
            self.next_number()
        else:
            super().keyPressEvent(event)

    def _link(self, url: QUrl) -> None:
        target = url.toString()
        if target.startswith(INPUT):
            subject, _, path = target.removeprefix(INPUT).partition("/")
            self.input_requested.emit(subject, path)
        for head in (EVIDENCE, ALL):
            if target.startswith(head):
                self.evidence_requested.emit(target.removeprefix(head))

    # ------------------------------------------------------------------ layout

    def _connect(self) -> None:
        self._session.view_changed.connect(self._view_changed)
        self.back_button.clicked.connect(self.back)
        self.close_button.clicked.connect(self.put_away)
        self.tree.followed.connect(self.follow)
        self.tree.expanded.connect(self._fit_tree)
        self.tree.collapsed.connect(self._fit_tree)
        self.text.anchorClicked.connect(self._link)

    def _fit_tree(self, _index: object = None) -> None:
        """As high as its open rows: one scroll bar serves formula and text."""
        self.tree.setFixedHeight(self.tree.content_height())

    def _fit_text(self) -> None:
        document = self.text.document()
        document.setTextWidth(self.text.viewport().width())
        self.text.setFixedHeight(round(document.size().height()) + 6)

    def _lay_out(self) -> None:
        self._title.setFont(scaled_font(self.font(), 1.2, QFont.Weight.DemiBold))
        self._value.setFont(scaled_font(self.font(), 1.05, QFont.Weight.Medium))
        self._value.setWordWrap(True)
        self._reason.setWordWrap(True)
        head = in_row().put(self.back_button, (self._title, 1), self.close_button)
        in_column(self, gap=4, around=(12, 8, 8, 8)).put(
            head, self._value, self._reason, (self._scrolled(), 1)
        )

    def _scrolled(self) -> Scroller:
        """Formula and text below each other, with one scroll bar for both."""
        content = QWidget(self)
        in_column(content, gap=0, around=(0, 2, 2, 2)).put(self.tree, self.text, STRETCH)
        self.text.setOpenLinks(False)
        self.text.setStyleSheet("background: transparent; border: none; padding: 0;")
        self.text.setFrameShape(QFrame.Shape.NoFrame)
        self.text.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.text.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.text.setAccessibleName(tr("What it rests on"))
        self.text.viewport().installEventFilter(self)
        area = Scroller(self)
        area.hold(content)
        return area
