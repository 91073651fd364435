"""The dialog for a server that the catalog does not have."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Mapping
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, QStringListModel, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListView,
    QVBoxLayout,
    QWidget,
)

from app.widgets.fields import NumberField
from app.windows.dialogs import without_icons
from app.wording import locale_style
from models.catalog import Processor, Server
from models.custom_server import (
    NIC_GBPS,
    NICS,
    RAM_GIB,
    SOCKETS,
    YEAR,
    custom_server,
    measured_nearest,
)
from models.errors import ModelError
from models.wording import NO_DATA_TEXT, number

UNKNOWN = "not known"
LIST_HEIGHT = 150
LIST_KEYS = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)


@dataclass(frozen=True, slots=True)
class CustomServer:
    """What was entered, and whether it is to be kept beyond this project."""

    server: Server
    keep: bool


class CustomServerDialog(QDialog):
    """Name, processor and size; what follows from them is shown while they are entered."""

    def __init__(
        self,
        processors: Mapping[str, Processor],
        taken: Container[str],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("Custom server")
        self._taken = taken
        self._processors: dict[str, list[Processor]] = defaultdict(list)
        for processor in processors.values():
            self._processors[processor.name].append(processor)
        self._names = sorted(self._processors, key=str.casefold)
        self._entered: CustomServer | None = None
        self._make_fields()
        self._lay_out()
        self._connect()
        self._search("")

    @classmethod
    def ask(cls, taken: Container[str], parent: QWidget | None = None) -> CustomServer | None:
        """Asks for a server whose id is none of `taken`; None when the user thought better."""
        from resources.catalog_files import load_processors

        dialog = cls(load_processors(), taken, parent)
        try:
            dialog.exec()
            return dialog.entered
        finally:
            dialog.deleteLater()

    @property
    def entered(self) -> CustomServer | None:
        """What was confirmed."""
        return self._entered

    # ------------------------------------------------------------------ parts

    def _make_fields(self) -> None:
        self.name = QLineEdit(self)
        self.name.setPlaceholderText("Such as PowerEdge R999")
        self.search = QLineEdit(self)
        self.search.setPlaceholderText(f"Search {len(self._names)} processors")
        self.search.setClearButtonEnabled(True)
        self.search.installEventFilter(self)
        self._shown = QStringListModel(self)
        self.list = QListView(self)
        self.list.setModel(self._shown)
        self.list.setUniformItemSizes(True)
        self.list.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.list.setFixedHeight(LIST_HEIGHT)
        self.list.setAccessibleName("Processors")
        self.sockets = NumberField(limit=SOCKETS, whole=True, parent=self)
        self.sockets.show_value(2.0)
        self.ram = NumberField(limit=RAM_GIB, step=16, optional=True, empty=UNKNOWN, parent=self)
        self.nics = NumberField(limit=NICS, whole=True, optional=True, empty=UNKNOWN, parent=self)
        self.gbps = NumberField(limit=NIC_GBPS, optional=True, empty=UNKNOWN, parent=self)
        self.year = NumberField(limit=YEAR, whole=True, optional=True, empty=UNKNOWN, parent=self)
        self.facts = QLabel(self)
        self.facts.setWordWrap(True)
        self.facts.setProperty("role", "muted")
        self.facts.setMinimumHeight(4 * self.fontMetrics().lineSpacing())
        self.facts.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.keep = QCheckBox("&Keep in my library", self)
        self.keep.setToolTip("Offer it in other projects too.")
        self.keep.setChecked(True)

    def _lay_out(self) -> None:
        form = QFormLayout()
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.setSpacing(8)
        form.addRow("&Name", self.name)
        processor = QVBoxLayout()
        processor.setContentsMargins(0, 0, 0, 8)
        processor.addWidget(self.search)
        processor.addWidget(self.list)
        form.addRow(self._label("&Processor", self.search), processor)
        form.addRow("&Sockets", self.sockets)
        form.addRow("Most &RAM, GiB", self.ram)
        ports = QHBoxLayout()
        ports.addWidget(self.nics)
        ports.addWidget(QLabel("at Gb/s", self))
        ports.addWidget(self.gbps)
        form.addRow(self._label("Network p&orts", self.nics), ports)
        form.addRow("&Year", self.year)
        form.addRow("It has", self.facts)
        form.addRow("", self.keep)
        self.gbps.setAccessibleName("Gb/s of a network port")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 18, 20, 14)
        layout.setSpacing(14)
        layout.addLayout(form)
        layout.addWidget(self._buttons())
        self.setMinimumWidth(460)

    def _label(self, text: str, field: QWidget) -> QLabel:
        """The label of a field that does not stand alone in its row."""
        label = QLabel(text, self)
        label.setBuddy(field)
        return label

    def _buttons(self) -> QDialogButtonBox:
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel, self)
        self.add = buttons.addButton("Add to the catalog", QDialogButtonBox.ButtonRole.AcceptRole)
        self.add.setDefault(True)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        without_icons(self)
        return buttons

    def _connect(self) -> None:
        self.search.textChanged.connect(self._search)
        self.list.selectionModel().currentChanged.connect(self._renew)
        self.name.textChanged.connect(self._renew)
        self.year.committed.connect(self._show_year)
        for field in (self.sockets, self.ram, self.nics, self.gbps):
            field.committed.connect(field.show_value)
        for field in self._numbers():
            field.textChanged.connect(self._renew)

    def _numbers(self) -> tuple[NumberField, ...]:
        return (self.sockets, self.ram, self.nics, self.gbps, self.year)

    def _show_year(self, year: float | None) -> None:
        """A year has no mark between its digits."""
        self.year.show_text("" if year is None else f"{year:.0f}")

    # ------------------------------------------------------------------ what is chosen

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keys that go up and down move in the list while the search is typed."""
        is_key = isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress
        if is_key and event.key() in LIST_KEYS:  # type: ignore[attr-defined]
            QApplication.sendEvent(self.list, event)
            return True
        return super().eventFilter(watched, event)

    def _search(self, text: str) -> None:
        """Lists the processors with all the words; the chosen one stays where it is among them."""
        before, words = self._chosen_name(), text.casefold().split()
        names = [n for n in self._names if all(word in n.casefold() for word in words)]
        self._shown.setStringList(names)
        if before in names:
            self.list.setCurrentIndex(self._shown.index(names.index(before)))
        elif words and names:
            self.list.setCurrentIndex(self._shown.index(0))
        self._renew()

    def _chosen_name(self) -> str:
        index = self.list.currentIndex()
        return str(index.data()) if index.isValid() else ""

    def _processor(self, sockets: int) -> Processor:
        results = self._processors.get(self._chosen_name())
        if not results:
            raise ModelError("choose a processor", field="processor")
        return measured_nearest(results, sockets)

    def server(self) -> Server:
        """What the fields say now.

        Raises:
            ModelError: `field` says which one can't be.
        """
        sockets = int(self._read("sockets", self.sockets) or 0)
        processor = self._processor(sockets)
        nics, year = self._read("nics", self.nics), self._read("year", self.year)
        return custom_server(
            name=self.name.text(),
            processor=processor,
            sockets=sockets,
            max_ram_gib=self._read("max_ram_gib", self.ram),
            nics=None if nics is None else int(nics),
            nic_gbps=self._read("nic_gbps", self.gbps),
            year=None if year is None else int(year),
            taken=self._taken,
        )

    @staticmethod
    def _read(name: str, field: NumberField) -> float | None:
        try:
            return field.read()
        except ModelError as error:
            raise ModelError(error.reason, field=name) from None

    def _renew(self, *_change: object) -> None:
        try:
            server = self.server()
        except ModelError as error:
            self.add.setEnabled(False)
            self.facts.setText(_sentence(error))
        else:
            self.add.setEnabled(True)
            self.facts.setText(facts_text(server))

    def accept(self) -> None:
        try:
            server = self.server()
        except ModelError as error:
            self.facts.setText(_sentence(error))
            return
        self._entered = CustomServer(server, self.keep.isChecked())
        super().accept()


_FIELD_WORDS = {
    "sockets": "Sockets",
    "max_ram_gib": "Most RAM",
    "nics": "Network ports",
    "nic_gbps": "Gb/s",
    "year": "Year",
}


def _sentence(error: ModelError) -> str:
    field = _FIELD_WORDS.get(error.field, "")
    text = f"{field}: {error.reason}" if field else error.reason[0].upper() + error.reason[1:]
    return f"{text}."


def facts_text(server: Server) -> str:
    """What follows from the processor, in lines; what is not known is "no data"."""
    style = locale_style()
    clock, rate = server.base_mhz, server.spec_rate
    ghz = NO_DATA_TEXT if clock is None else f"{number(clock / 1000, 2, style=style)} GHz"
    spec = NO_DATA_TEXT if rate is None else number(rate, 1, style=style)
    helps = (
        f"VT-x or AMD-V: {_known(server.hardware_virtualisation)}"
        f"{_mark(server, 'hardware_virtualisation')}, "
        f"EPT or RVI: {_known(server.nested_paging)}{_mark(server, 'nested_paging')}"
    )
    lines = (
        f"{server.cores} cores, {server.threads} threads, {ghz}",
        f"SPEC rate of the machine: {spec}{_mark(server, 'spec_rate')}",
        helps,
        server.provenance.note,
    )
    return "\n".join(line for line in lines if line)


def _mark(server: Server, field: str) -> str:
    return " (assumed)" if field in server.provenance.assumed else ""


def _known(has: bool | None) -> str:
    return NO_DATA_TEXT if has is None else "yes" if has else "no"
