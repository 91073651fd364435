"""The dialog for a server that the catalog does not have."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Mapping
from typing import ClassVar

from PySide6.QtCore import QEvent, QObject, QStringListModel, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListView,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from app.language import local, tr
from app.widgets.fields import Choice, ChoiceField, TickBox
from app.windows.entry_dialog import Entered, EntryDialog, asked
from app.wording import locale_style
from models.catalog import Processor, Server
from models.custom_server import (
    Suite,
    custom_server,
    measured_nearest,
    rated_server,
)
from models.errors import ModelError
from models.wording import NO_DATA_TEXT, number

LIST_HEIGHT = 130
LIST_KEYS = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)
HELPS = (
    Choice(None, tr("EPT or RVI: not known")),
    Choice(True, tr("with EPT or RVI")),
    Choice(False, tr("without EPT or RVI")),
)


class CustomServerDialog(EntryDialog[Server]):
    """Name, processor or SPEC rate, and size; what follows is shown while they are entered."""

    TITLE: ClassVar[str] = tr("Custom server")
    EXAMPLE: ClassVar[str] = tr("Such as PowerEdge R999")
    KIND: ClassVar[type] = Server
    FACT_LINES: ClassVar[int] = 4

    def __init__(
        self,
        processors: Mapping[str, Processor],
        taken: Container[str],
        parent: QWidget | None = None,
        *,
        edited: Server | None = None,
        keep: bool = True,
    ) -> None:
        super().__init__(taken, parent, edited=edited, keep=keep)
        self._processors: dict[str, list[Processor]] = defaultdict(list)
        for processor in processors.values():
            self._processors[processor.name].append(processor)
        self._names = sorted(self._processors, key=str.casefold)
        self._make_processor_fields()
        self._make_rate_fields()
        self._make_common_fields()
        self._lay_out()
        self._connect()
        self._search("")
        self._finish()

    @classmethod
    def ask(
        cls,
        taken: Container[str],
        parent: QWidget | None = None,
        *,
        edited: Server | None = None,
        keep: bool = True,
    ) -> Entered[Server] | None:
        """Asks for a server whose id is none of `taken`; None when the user thought better."""
        from resources.catalog_files import load_processors

        return asked(cls(load_processors(), taken, parent, edited=edited, keep=keep))

    # ------------------------------------------------------------------ parts

    def _make_processor_fields(self) -> None:
        self.by_processor = QRadioButton(tr("A &processor of the table"), self)
        self.by_processor.setChecked(True)
        self.by_rate = QRadioButton(tr("Its SPEC ra&te"), self)
        self.search = QLineEdit(self)
        self.search.setPlaceholderText(tr("Search {count} processors", count=len(self._names)))
        self.search.setAccessibleName(tr("Search the processors"))
        self.search.setClearButtonEnabled(True)
        self.search.installEventFilter(self)
        self._shown = QStringListModel(self)
        self.list = QListView(self)
        self.list.setModel(self._shown)
        self.list.setUniformItemSizes(True)
        self.list.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.list.setFixedHeight(LIST_HEIGHT)
        self.list.setAccessibleName(tr("Processors"))
        self.table = QWidget(self)
        column = QVBoxLayout(self.table)
        column.setContentsMargins(0, 0, 0, 8)
        column.addWidget(self.search)
        column.addWidget(self.list)

    def _make_rate_fields(self) -> None:
        self.cores = self._number("cores")
        self.cores.show_value(16.0)
        self.threads = TickBox(tr("2 threads a core"), self)
        self.clock = self._number("base_mhz", step=100)
        self.rate = self._number("spec_rate")
        self.suite = ChoiceField(parent=self)
        self.suite.offer(tuple(Choice(suite, suite.value) for suite in Suite))
        self.suite.show_value(Suite.CPU2017)
        self.suite.setAccessibleName(tr("Benchmark of the SPEC rate"))
        self.helps = ChoiceField(parent=self)
        self.helps.offer(HELPS)
        self.helps.show_value(None)
        self.helps.setAccessibleName(tr("Virtual memory"))

    def _make_common_fields(self) -> None:
        self.sockets = self._number("sockets")
        self.sockets.show_value(2.0)
        self.ram = self._number("max_ram_gib", step=16)
        self.nics = self._number("nics")
        self.gbps = self._number("nic_gbps")
        self.gbps.setAccessibleName(tr("Gb/s of a network port"))
        self.year = self._number("year", grouped=False)

    def _lay_out(self) -> None:
        form = self.form
        form.addRow(tr("&Name"), self.name)
        self._wide_row(tr("Known by"), self.by_processor, self.by_rate)
        form.addRow(self._label(tr("Pr&ocessor"), self.search), self.table)
        self._row("sockets")
        self._cores = QWidget(self)
        line = QHBoxLayout(self._cores)
        line.setContentsMargins(0, 0, 0, 0)
        for part in (self.cores, self.threads):
            line.addWidget(part)
        self._row("cores", self._cores)
        self._row("base_mhz")
        self._row("spec_rate")
        form.addRow(tr("Benchmar&k"), self.suite)
        form.addRow(tr("&Virtual memory"), self.helps)
        self._row("max_ram_gib")
        self._wide_row(self._words["nics"], self.nics, QLabel(tr("at Gb/s"), self), self.gbps)
        self._row("year")
        self._turn()

    def _connect(self) -> None:
        self.by_rate.toggled.connect(self._turn)
        self.search.textChanged.connect(self._search)
        self.list.selectionModel().currentChanged.connect(self.renew)
        self.threads.toggled.connect(self.renew)
        for field in (self.suite, self.helps):
            field.committed.connect(field.show_value)
            field.committed.connect(self.renew)

    def _turn(self, _by_rate: bool = False) -> None:
        """Shows the fields of the one way or of the other."""
        by_rate = self.by_rate.isChecked()
        self.form.setRowVisible(self.table, not by_rate)
        for field in (self._cores, self.clock, self.rate, self.suite, self.helps):
            self.form.setRowVisible(field, by_rate)
        if hasattr(self, "add"):
            self.renew()

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
            self._choose(before)
        elif words and names:
            self.list.setCurrentIndex(self._shown.index(0))
        if hasattr(self, "add"):
            self.renew()

    def _choose(self, name: str) -> None:
        self.list.setCurrentIndex(self._shown.index(self._shown.stringList().index(name)))

    def _chosen_name(self) -> str:
        index = self.list.currentIndex()
        return str(index.data()) if index.isValid() else ""

    def _processor(self, sockets: int) -> Processor:
        results = self._processors.get(self._chosen_name())
        if not results:
            raise ModelError(tr("choose a processor"), field="processor")
        return measured_nearest(results, sockets)

    def _show_entry(self, entry: Server) -> None:
        self.name.setText(entry.model)
        is_known = entry.processor in self._processors
        self.by_rate.setChecked(not is_known)
        if is_known:
            self._choose(entry.processor)
        self.sockets.show_value(entry.sockets)
        self.cores.show_value(entry.cores)
        self.threads.setChecked(entry.threads > entry.cores)
        self.clock.show_value(entry.base_mhz)
        self.rate.show_value(entry.spec_rate)
        self.helps.show_value(entry.nested_paging)
        self.ram.show_value(entry.max_ram_gib)
        self.nics.show_value(entry.nics)
        self.gbps.show_value(entry.nic_gbps)
        self.year.show_value(entry.year)

    def _made(self) -> Server:
        sockets = self._whole(self.sockets) or 0
        name, taken = self.name.text(), self._taken
        if self.by_processor.isChecked():
            return custom_server(
                name=name,
                processor=self._processor(sockets),
                sockets=sockets,
                max_ram_gib=self._read(self.ram),
                nics=self._whole(self.nics),
                nic_gbps=self._read(self.gbps),
                year=self._whole(self.year),
                taken=taken,
            )
        helps = self.helps.value
        return rated_server(
            name=name,
            sockets=sockets,
            cores=self._whole(self.cores) or 0,
            spec_rate=self._read(self.rate),
            suite=Suite(str(self.suite.value)),
            threads_per_core=2 if self.threads.isChecked() else 1,
            base_mhz=self._read(self.clock),
            nested_paging=None if helps is None else bool(helps),
            max_ram_gib=self._read(self.ram),
            nics=self._whole(self.nics),
            nic_gbps=self._read(self.gbps),
            year=self._whole(self.year),
            taken=taken,
        )

    def _facts(self, entry: Server) -> str:
        return facts_text(entry)


def facts_text(server: Server) -> str:
    """What follows from the processor, in lines; what is not known is "no data"."""
    style = locale_style()
    clock, rate = server.base_mhz, server.spec_rate
    ghz = local(NO_DATA_TEXT) if clock is None else f"{number(clock / 1000, 2, style=style)} GHz"
    spec = local(NO_DATA_TEXT) if rate is None else number(rate, 1, style=style)
    helps = tr(
        "VT-x or AMD-V: {known}{mark}, EPT or RVI: {nested}{nested_mark}",
        known=_known(server.hardware_virtualisation),
        mark=_mark(server, "hardware_virtualisation"),
        nested=_known(server.nested_paging),
        nested_mark=_mark(server, "nested_paging"),
    )
    lines = (
        tr(
            "{cores} cores, {threads} threads, {ghz}",
            cores=server.cores,
            threads=server.threads,
            ghz=ghz,
        ),
        tr("SPEC rate of the machine: {spec}{mark}", spec=spec, mark=_mark(server, "spec_rate")),
        helps,
        server.provenance.note,
    )
    return "\n".join(line for line in lines if line)


def _mark(server: Server, field: str) -> str:
    return tr(" (assumed)") if field in server.provenance.assumed else ""


def _known(has: bool | None) -> str:
    return local(NO_DATA_TEXT) if has is None else tr("yes") if has else tr("no")
