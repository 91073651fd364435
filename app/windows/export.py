"""The export page: what a proposal is to hold and look like, beside its pages as they will be."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import (
    QByteArray,
    QModelIndex,
    QPointF,
    QRectF,
    QSignalBlocker,
    QSizeF,
    Qt,
    Signal,
)
from PySide6.QtGui import QKeyEvent, QPageSize, QPainter, QPixmap, QResizeEvent, QShowEvent
from PySide6.QtPrintSupport import QPrintDialog, QPrinter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QFileDialog,
    QFormLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QScrollArea,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from app import language
from app.language import local, tr, trn
from app.report.paper import Paper
from app.session import Session
from app.settings import Settings
from app.widgets.fields.choice import Dropdown, TickDelegate
from app.widgets.parts import STRETCH, clearable, in_column, in_row, styled, wrapped
from app.windows.pages import Page
from app.work import Context, OneTask, Worker, pause, raise_own, reason
from db.errors import StoreError
from db.signed import all_signed
from models.base.dates import date_text
from models.base.texts import say
from models.catalog.catalog import Catalog
from models.evaluate import evaluate
from models.evidence.knowledge import Knowledge
from models.predict.prediction import Prediction
from models.project.catalog_use import catalog_for
from models.project.project import Entry
from models.proposal import BY_DEFAULT, COSTS, SECTIONS
from models.scenario.scenario import Scenario
from models.signing.signed import Signed

REST_MS = 350
PREVIEW_DPI, PRINT_DPI = 90.0, 200.0
MARGIN_PX = 28
MOST_SIDES = 4
ENDINGS = {
    ".pdf": tr("PDF, to be signed"),
    ".docx": tr("Word document, to be edited"),
    ".xlsx": tr("Workbook with all figures"),
    ".html": tr("Page for a browser, with sliders"),
    ".zip": tr("Charts as SVG and CSV"),
}
_SHEETS = {
    Paper.A4: QPageSize(QPageSize.PageSizeId.A4),
    Paper.LETTER: QPageSize(QPageSize.PageSizeId.Letter),
}
PAPERS = {Paper.A4: tr("A4"), Paper.LETTER: tr("Letter")}


@dataclass(frozen=True, slots=True, kw_only=True)
class Export:
    """What somebody chose: scenarios by id of their entries in the order wanted, and the look.

    Attributes:
        code: of the language; `sections`: ids, none for all of them.
        template: of a partner's look; None: the program's own.
        customer, author: what the cover shall say; empty: nothing.
        signed: when that was exported which is to be made once more, in place of all else but the
            form; empty: nothing was.
    """

    path: Path
    entries: tuple[str, ...] = ()
    code: str = ""
    paper: Paper = Paper.A4
    sections: tuple[str, ...] = ()
    template: Path | None = None
    customer: str = ""
    author: str = ""
    signed: str = ""

    def named(self, entry: Entry) -> Entry:
        """An entry whose scenario has this customer and author."""
        scenario = entry.scenario
        customer, author = self.customer or scenario.customer, self.author or scenario.author
        return replace(entry, scenario=replace(scenario, customer=customer, author=author))

    def spoken(self) -> language.Language:
        """Its language; that of the window has the marks of the window's numbers."""
        own = not self.code or self.code == language.code()
        return language.spoken() if own else language.language_of(self.code)


def _ids(session: Session, export: Export) -> tuple[str, ...]:
    """Of the entries that are exported, the one in view where none is chosen."""
    return export.entries or (session.project.active,)


def _how(session: Session, export: Export, entries: Sequence[Entry], file: str) -> Any:
    """The export as the report's own order.

    Raises:
        StoreError: the template can't be used, or costs are asked for and there are no prices.
    """
    from app.report.build import Print
    from app.report.template import load_template
    from app.signed import with_kept_beside
    from app.since import last_kept

    project, is_priced = session.project, COSTS in export.sections
    if is_priced and session.prices is None:
        raise StoreError(say("need a price book: File, Add price book"), local(SECTIONS[COSTS][0]))
    how = Print(
        now=datetime.now().astimezone(),
        language=export.spoken(),
        file=file,
        paper=export.paper,
        sections=export.sections,
        template=None if export.template is None else load_template(export.template),
        book=session.prices if is_priced else None,
    )
    return with_kept_beside(how, entries, last_kept(project, [each.id for each in entries]))


@dataclass(frozen=True, slots=True)
class Ready:
    """All that a proposal is written of; `signed`: what is to be kept of it, None: nothing."""

    pairs: list[tuple[Scenario, Prediction]]
    catalog: Catalog
    how: Any
    signed: Signed | None = None


def order_of(session: Session, export: Export, file: str) -> Callable[[Context], Ready]:
    """What an export comes to; the function works it out wherever there is time.

    Raises:
        StoreError: the template can't be used; of the function: what was exported can't be made.
    """
    shipped, knowledge = session.known_catalog, session.knowledge
    if export.signed:
        kept = next(each for each in all_signed(session.project) if each.at == export.signed)
        return partial(_once_more, kept, catalog_for(session.project, shipped))
    entries = [export.named(session.project.entry(id)) for id in _ids(session, export)]
    return partial(_ready, entries, knowledge, _how(session, export, entries, file))


def _once_more(signed: Signed, catalog: Catalog, context: Context) -> Ready:
    from app.signed import remade

    context.check()
    found = remade(signed, catalog)
    return Ready(list(found.scenarios), found.catalog, found.how)


def _ready(entries: Sequence[Entry], knowledge: Knowledge, how: Any, context: Context) -> Ready:
    from app.signed import kept

    pairs = []
    for each in entries:
        context.check()
        pairs.append((each.scenario, evaluate(each.scenario, knowledge)))
    context.check()
    return Ready(pairs, knowledge.catalog, how, kept(entries, pairs, knowledge.catalog, how))


class ProposalPage(Page):
    """Choices at the left, pages at the right, which follow the project.

    Signals:
        wanted: what is to be written, as `Export`.

    Args:
        proposed: where it would be saved.
    """

    wanted = Signal(object)

    def __init__(
        self,
        session: Session,
        settings: Settings,
        proposed: Callable[[], Path],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(tr("Proposal"), parent)
        self._session = session
        self._work = OneTask(Worker(parent=self))
        self._settings = settings
        self._proposed = proposed
        self._pictures: list[QPixmap] = []
        self._is_stale = False
        self._rest = pause(self, REST_MS, self._begin)
        self._make_fields()
        self._state_of = _choice(tr("State"), {})
        self._list_states()
        self._make_lists()
        self._lay_out()
        self._hear()
        self._remembered()
        self._begin()

    # ---------------------------------------------------------------- widgets

    def _make_fields(self) -> None:
        own, names = language.code(), language.names()
        self._form = _choice(tr("Format"), ENDINGS)
        self._language = _choice(tr("Language"), {own: names[own], **names})
        self._paper = _choice(tr("Paper"), {each.code: name for each, name in PAPERS.items()})
        self._customer = QLineEdit()
        self._customer.setPlaceholderText(tr("who the proposal is for"))
        self._author = QLineEdit()
        self._author.setPlaceholderText(tr("who answers for it"))
        self._people = "", ""
        self._template = QLineEdit()
        self._template.setReadOnly(True)
        self._template.setAccessibleName(tr("Template"))
        self._template.setPlaceholderText(tr("Headroom’s own"))
        clearable(self._template)
        self._pick = QPushButton(tr("Choose…"))

    def _list_states(self) -> None:
        """What is written: what stands in the window, or what was exported once."""
        exported = {
            each.at: tr(
                "as exported {day}, model {model}",
                day=local(date_text(datetime.fromisoformat(each.at))),
                model=each.scenarios[0].stated.model,
            )
            for each in reversed(all_signed(self._session.project))
        }
        self._state_of.clear()
        for at, text in {"": tr("as it is now"), **exported}.items():
            self._state_of.addItem(text, at)

    def _make_lists(self) -> None:
        self._scenarios = _list(tr("Scenarios, two to four are compared"))
        self._list_scenarios((self._session.project.active,))
        self._name_people()
        self._sections = _list(tr("Sections, drag or Alt+↑↓ to reorder"))
        for id, (title, _) in SECTIONS.items():
            _add(self._sections, id, local(title), is_on=id in BY_DEFAULT)
        self._pages = QWidget()
        self._column = QVBoxLayout(self._pages)
        self._column.setAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
        self._state = wrapped(role="muted")

    def _name_people(self, _item: object = None) -> None:
        """Customer and author of the first scenario that is ticked, unless others were typed."""
        project, ticked = self._session.project, _checked(self._scenarios)
        chosen = [each.scenario for each in project.entries if each.id in ticked[:1]]
        scenario = chosen[0] if chosen else self._session.scenario
        people = scenario.customer, scenario.author or self._settings.author
        for field, before, now in zip(
            (self._customer, self._author), self._people, people, strict=True
        ):
            if field.text().strip() == before:
                field.setText(now)
        self._people = people

    def _list_scenarios(self, ticked: Sequence[str]) -> None:
        project = self._session.project
        there = {entry.id for entry in project.entries}
        self._scenarios.clear()
        for entry in project.entries:
            is_on = entry.id in ticked or (entry.id == project.active and not there & set(ticked))
            _add(self._scenarios, entry.id, entry.scenario.name, is_on)

    def _lay_out(self) -> None:
        self._form_of = form = QFormLayout()
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        template = in_row().put((self._template, 1), self._pick)
        for label, field in (
            (tr("Format"), self._form),
            (tr("Customer"), self._customer),
            (tr("Prepared by"), self._author),
            (tr("Language"), self._language),
            (tr("Paper"), self._paper),
        ):
            form.addRow(label, field)
        form.addRow(tr("Template"), template)
        form.insertRow(1, tr("State"), self._state_of)
        form.setRowVisible(self._state_of, self._state_of.count() > 1)
        self._save = styled(QPushButton(tr("Save as…")), "primary")
        self._print = QPushButton(tr("Print…"))
        left = QWidget()
        in_column(left, around=None).put(
            form,
            QLabel(tr("Scenarios, two to four are compared")),
            (self._scenarios, 1),
            QLabel(tr("Sections, drag or Alt+↑↓ to reorder")),
            (self._sections, 3),
            in_row().put(STRETCH, self._print, self._save),
        )
        self._room = room = QScrollArea()
        room.setWidgetResizable(True)
        # A bar that comes and goes would change the width that pages are fitted to.
        room.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        room.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        room.setWidget(self._pages)
        room.setAccessibleName(tr("Pages of the proposal"))
        right = QWidget()
        in_column(right, around=None).put(self._state, (room, 1))
        splitter = QSplitter()
        splitter.addWidget(left)
        splitter.addWidget(right)
        splitter.setStretchFactor(1, 1)
        splitter.setSizes([380, 720])
        in_column(self, around=None).put(splitter)

    def _hear(self) -> None:
        for box in (self._form, self._language, self._paper, self._state_of):
            box.currentIndexChanged.connect(self._changed)
        self._state_of.currentIndexChanged.connect(self._settle)
        for field in (self._customer, self._author, self._template):
            field.textChanged.connect(self._changed)
        for each in (self._scenarios, self._sections):
            each.itemChanged.connect(self._changed)
            each.model().rowsMoved.connect(self._changed)
        self._scenarios.itemChanged.connect(self._name_people)
        self._session.project_changed.connect(self._outdate)
        self._session.prices_changed.connect(self._outdate)
        self._pick.clicked.connect(self._pick_template)
        self._save.clicked.connect(self._take)
        self._print.clicked.connect(self._print_pages)

    def _remembered(self) -> None:
        """What was chosen last time, as far as it is there."""
        kept = self._settings.export
        for box, key in ((self._form, "form"), (self._paper, "paper")):
            place = box.findData(kept.get(key))
            if place >= 0:
                box.setCurrentIndex(place)
        template = kept.get("template", "")
        if template and Path(template).is_file():
            self._template.setText(template)

    # ---------------------------------------------------------------- choices

    def export(self, path: Path) -> Export:
        """What stands in the fields now."""
        sections = _checked(self._sections)
        return Export(
            path=path,
            entries=_checked(self._scenarios)[:MOST_SIDES],
            code=str(self._language.currentData()),
            paper=Paper.named(str(self._paper.currentData())),
            sections=() if sections == BY_DEFAULT else sections,
            template=Path(self._template.text()) if self._template.text() else None,
            customer=self._customer.text().strip(),
            author=self._author.text().strip(),
            signed=str(self._state_of.currentData()),
        )

    def _settle(self) -> None:
        """What was exported is settled but for its form."""
        is_open = not self._state_of.currentData()
        for widget in (self._customer, self._author, self._language, self._paper, self._template):
            widget.setEnabled(is_open)
        for each in (self._pick, self._scenarios, self._sections):
            each.setEnabled(is_open)

    def _changed(self, *_: object) -> None:
        self._rest.start()

    def _pick_template(self) -> None:
        name, _ = QFileDialog.getOpenFileName(
            self, tr("Template"), str(self._proposed().parent), tr("Templates (*.toml)")
        )
        if name:
            self._template.setText(name)

    def _take(self) -> None:
        ending = str(self._form.currentData())
        proposed = self._proposed().with_suffix(ending)
        name, _ = QFileDialog.getSaveFileName(
            self, tr("Export proposal"), str(proposed), f"{ENDINGS[ending]} (*{ending})"
        )
        if name:
            path = Path(name)
            path = path if path.suffix.lower() == ending else Path(f"{name}{ending}")
            self.take(path)

    def take(self, path: Path) -> None:
        """Has this file written with these choices, and remembers them."""
        chosen = self.export(path)
        self._settings.export = {
            "form": path.suffix,
            "paper": chosen.paper.code,
            "template": str(chosen.template or ""),
        }
        if not chosen.signed:
            self._settings.author = chosen.author
        self.wanted.emit(chosen)

    # ---------------------------------------------------------------- pages

    def _begin(self, dpi: float = PREVIEW_DPI) -> None:
        self._work.cancel()
        self._follow()
        export = self.export(self._proposed())
        if not (export.entries or export.signed):
            self._say(tr("Choose at least one scenario."))
            return
        try:
            file = self._session.path.name if self._session.path else ""
            order = order_of(self._session, export, file)
        except StoreError as error:
            self._say(f"{local(error)}.")
            return
        self._say(tr("Setting the pages…"))
        task = partial(_pages, order, dpi)
        show = self._show if dpi == PREVIEW_DPI else self._to_printer
        self._work.start(task, show, self._failed)

    def _failed(self, error: Exception) -> None:
        raise_own(error)
        self._say(f"{reason(error)}.")

    def _show(self, pages: Sequence[bytes]) -> None:
        while (item := self._column.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.deleteLater()
        self._pictures = [_picture(content) for content in pages]
        for number, _ in enumerate(self._pictures, start=1):
            page = QLabel()
            page.setAccessibleName(tr("Page {number}", number=number))
            page.setStyleSheet("border: 1px solid palette(mid);")
            self._column.addWidget(page)
        self._fit()
        chosen = len(_checked(self._scenarios))
        if chosen > MOST_SIDES and not self._state_of.currentData():
            self._say(
                tr(
                    "Of {count} scenarios the first {most} are taken.",
                    count=chosen,
                    most=MOST_SIDES,
                )
            )
            return
        self._say(
            trn("{count} page", "{count} pages", len(pages))
            if str(self._form.currentData()) in (".pdf", ".docx")
            else tr("What the file tells, as pages:")
        )

    def _fit(self) -> None:
        """Pages as wide as there is room."""
        width = max(self._room.viewport().width() - MARGIN_PX, MARGIN_PX)
        ratio = self.devicePixelRatioF()
        for place, picture in enumerate(self._pictures):
            item = self._column.itemAt(place)
            label = None if item is None else item.widget()
            if isinstance(label, QLabel):
                smooth = Qt.TransformationMode.SmoothTransformation
                scaled = picture.scaledToWidth(min(round(width * ratio), picture.width()), smooth)
                scaled.setDevicePixelRatio(ratio)
                label.setPixmap(scaled)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _say(self, sentence: str) -> None:
        self._state.setText(sentence)

    def _print_pages(self) -> None:
        self._begin(PRINT_DPI)

    def _to_printer(self, pages: Sequence[bytes]) -> None:
        printer = QPrinter(QPrinter.PrinterMode.HighResolution)
        printer.setPageSize(_SHEETS[self.export(self._proposed()).paper])
        if QPrintDialog(printer, self).exec() != QDialog.DialogCode.Accepted:
            return
        printer.setFullPage(True)
        painter = QPainter(printer)
        for number, content in enumerate(pages):
            if number:
                printer.newPage()
            picture = _picture(content)
            painter.drawPixmap(_within(painter, picture), picture, QRectF(picture.rect()))
        painter.end()
        self._say(tr("Sent to the printer."))

    def give_up(self) -> None:
        self._rest.stop()
        self._work.cancel()

    @property
    def is_set(self) -> bool:
        """The pages are there."""
        return bool(self._pictures) and not self._work.is_running

    # ---------------------------------------------------------------- the project

    def _outdate(self, *_: object) -> None:
        """The pages are of what stood there before; they are set again for who looks."""
        self._is_stale = True
        if self.isVisible():
            self._rest.start()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._is_stale:
            self._rest.start()

    def _follow(self) -> None:
        """Scenarios and what was exported are those of the project; ticks stay."""
        if not self._is_stale:
            return
        self._is_stale = False
        ticked, state = _checked(self._scenarios), self._state_of.currentData()
        with QSignalBlocker(self._scenarios), QSignalBlocker(self._state_of):
            self._list_scenarios(ticked)
            self._list_states()
            self._name_people()
            self._state_of.setCurrentIndex(max(self._state_of.findData(state), 0))
        self._form_of.setRowVisible(self._state_of, self._state_of.count() > 1)
        self._settle()


def _pages(order: Callable[[Context], Ready], dpi: float, context: Context) -> tuple[bytes, ...]:
    """Runs in the background: the pages as pictures."""
    from app.report.build import page_pictures

    ready = order(context)
    return page_pictures(ready.pairs, ready.catalog, ready.how, dpi)


def _within(painter: QPainter, picture: QPixmap) -> QRectF:
    """Where a page stands on the sheet, as large as it can be without being stretched."""
    room = QRectF(painter.viewport())
    size = QSizeF(picture.size()).scaled(room.size(), Qt.AspectRatioMode.KeepAspectRatio)
    place = QRectF(QPointF(), size)
    place.moveCenter(room.center())
    return place


def _picture(content: bytes) -> QPixmap:
    picture = QPixmap()
    picture.loadFromData(QByteArray(content), "PNG")
    return picture


def _choice(name: str, entries: Mapping[str, str]) -> Dropdown:
    box = Dropdown()
    box.setAccessibleName(name)
    for data, text in entries.items():
        box.addItem(text, data)
    return box


class _Ordered(QListWidget):
    """A list whose rows are put into order by the mouse, or by the arrows with Alt."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 2}
        step = steps.get(Qt.Key(event.key()), 0)
        row = self.currentRow()
        if not (step and event.modifiers() & Qt.KeyboardModifier.AltModifier):
            super().keyPressEvent(event)
        elif row >= 0 and 0 <= row + step <= self.count():
            top = QModelIndex()
            self.model().moveRow(top, row, top, row + step)


def _list(name: str) -> QListWidget:
    found = _Ordered()
    found.setItemDelegate(TickDelegate(found))
    found.setAccessibleName(name)
    found.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)
    found.setDefaultDropAction(Qt.DropAction.MoveAction)
    return found


def _add(to: QListWidget, id: str, text: str, is_on: bool) -> None:
    item = QListWidgetItem(text, to)
    item.setData(Qt.ItemDataRole.UserRole, id)
    item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
    item.setCheckState(Qt.CheckState.Checked if is_on else Qt.CheckState.Unchecked)


def _checked(of: QListWidget) -> tuple[str, ...]:
    items = [of.item(row) for row in range(of.count())]
    return tuple(
        str(item.data(Qt.ItemDataRole.UserRole))
        for item in items
        if item.checkState() is Qt.CheckState.Checked
    )
