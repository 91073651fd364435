"""Which clusters of an inventory are taken: all, unless some are unticked."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QListWidget, QListWidgetItem, QWidget

from app.language import tr
from app.widgets.fields.choice import TickDelegate
from app.widgets.parts import in_column
from models.intake.chosen import Chosen
from models.intake.result import ImportResult
from models.scenario.names import plain

NAME = Qt.ItemDataRole.UserRole
MOST_ROWS = 6
"""Rows that are seen at once; more are scrolled."""


class ClusterPanel(QWidget):
    """A tick for each cluster, with its data center; hidden where there is one or none.

    Signals:
        changed: another one is ticked.
    """

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        heading = QLabel(tr("Only ticked clusters are taken"))
        heading.setProperty("role", "heading")
        heading.setWordWrap(True)
        self.list = QListWidget()
        self.list.setAccessibleName(tr("Clusters"))
        self.list.setItemDelegate(TickDelegate(self.list))
        self.list.itemChanged.connect(self._tell)
        heading.setBuddy(self.list)
        in_column(self, gap=5, around=(0, 0, 0, 0)).put(heading, self.list)
        self.hide()

    @property
    def chosen(self) -> Chosen:
        """What is ticked; where all or none is, everything."""
        items = [self.list.item(row) for row in range(self.list.count())]
        ticked = [each for each in items if each.checkState() is Qt.CheckState.Checked]
        is_all = len(ticked) in (0, len(items))
        names = () if is_all else (str(each.data(NAME)) for each in ticked)
        return Chosen(clusters=frozenset(names))

    def forget(self) -> None:
        """Other files are read: all of them is taken."""
        self.list.clear()
        self.hide()

    def show_result(self, result: ImportResult | None) -> None:
        """The clusters of all files; what was unticked stays so."""
        found: dict[str, tuple[str, str]] = {}
        real = {}
        if result is not None:
            real = {new: name for name, new in result.aliases.get("cluster", {}).items()}
            for source in result.sources:
                named = [(each.cluster, each.datacenter) for each in source.hosts]
                named += [(each.cluster, each.datacenter) for each in source.vms]
                for cluster, site in named:
                    if cluster:
                        found.setdefault(plain(cluster), (cluster, site))
        before = {
            str(item.data(NAME)): item.checkState()
            for item in (self.list.item(row) for row in range(self.list.count()))
        }
        self.list.blockSignals(True)
        self.list.clear()
        for cluster, site in sorted(found.values(), key=lambda each: (each[1], each[0])):
            item = QListWidgetItem(tr("{cluster}, {site}", cluster=cluster, site=site))
            if not site:
                item.setText(cluster)
            name = real.get(cluster, cluster)
            item.setData(NAME, name)
            item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsUserCheckable)
            item.setToolTip(item.text())
            item.setCheckState(before.get(name, Qt.CheckState.Checked))
            self.list.addItem(item)
        self.list.blockSignals(False)
        row = self.list.sizeHintForRow(0) if found else 0
        self.list.setFixedHeight(row * min(len(found), MOST_ROWS) + 2 * self.list.frameWidth())
        self.setVisible(len(found) > 1)

    def _tell(self, _item: QListWidgetItem) -> None:
        self.changed.emit()
