"""Which whole parts of an inventory are taken: vCenters, data centers and clusters, all but those
that are unticked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QLineEdit, QListWidget, QListWidgetItem, QWidget

from app.language import tr
from app.widgets.fields.choice import TickDelegate
from app.widgets.parts import clearable, in_column
from models.intake.chosen import Whole, wholes_of
from models.intake.result import ImportResult
from models.scenario.names import plain

OFFER = Qt.ItemDataRole.UserRole
MOST_ROWS = 6
"""Rows that are seen at once; more are scrolled."""
SEARCHED_FROM = 30
"""More rows than these are searched."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A name to be ticked, the words that are shown for it, and its vCenter."""

    name: str
    words: str
    vcenter: str

    @property
    def names(self) -> frozenset[str]:
        """What it is called while another vCenter has the same name, and while none has."""
        mark = f" ({plain(self.vcenter)})"
        name = plain(self.name)
        return frozenset({name, name.removesuffix(mark), name.removesuffix(mark) + mark})


class TickList(QWidget):
    """A tick for each name; hidden where there is one or none. What is unticked stays so, even
    while no file has it.

    Signals:
        changed: another one is ticked.
    """

    changed = Signal()

    def __init__(self, heading: str, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._unticked: set[frozenset[str]] = set()
        label = QLabel(heading)
        label.setProperty("role", "heading")
        label.setWordWrap(True)
        self.search = QLineEdit()
        self.search.setPlaceholderText(tr("Search"))
        clearable(self.search)
        self.search.setAccessibleName(tr("Search in {list}", list=name))
        self.search.textChanged.connect(self._find)
        self.list = QListWidget()
        self.list.setAccessibleName(name)
        self.list.setItemDelegate(TickDelegate(self.list))
        self.list.itemChanged.connect(self._ticked)
        label.setBuddy(self.list)
        in_column(self, gap=5, around=(0, 0, 0, 0)).put(label, self.search, self.list)
        self.hide()

    @property
    def unticked(self) -> frozenset[str]:
        """Names that are not taken, as `Offer.names`."""
        return frozenset().union(*self._unticked)

    def offer(self, names: Sequence[Offer]) -> None:
        """What there is to be ticked."""
        self.list.blockSignals(True)
        self.list.clear()
        gone = self.unticked
        for each in names:
            item = QListWidgetItem(each.words)
            item.setData(OFFER, each)
            item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsUserCheckable)
            item.setToolTip(each.words)
            is_out = plain(each.name) in gone
            item.setCheckState(Qt.CheckState.Unchecked if is_out else Qt.CheckState.Checked)
            self.list.addItem(item)
        self.list.blockSignals(False)
        row = self.list.sizeHintForRow(0) if names else 0
        self.list.setFixedHeight(row * min(len(names), MOST_ROWS) + 2 * self.list.frameWidth())
        self.search.setVisible(len(names) > SEARCHED_FROM)
        self._find(self.search.text() if len(names) > SEARCHED_FROM else "")
        self.setVisible(len(names) > 1 or any(plain(each.name) in gone for each in names))

    def _find(self, text: str) -> None:
        for row in range(self.list.count()):
            item = self.list.item(row)
            item.setHidden(text.casefold() not in item.text().casefold())

    def _ticked(self, item: QListWidgetItem) -> None:
        offer: Offer = item.data(OFFER)
        if item.checkState() is Qt.CheckState.Checked:
            name = plain(offer.name)
            self._unticked = {names for names in self._unticked if name not in names}
        else:
            self._unticked.add(offer.names)
        self.changed.emit()


class WholesPanel(QWidget):
    """The lists of vCenters, data centers and clusters; a list has what stands in those ticked
    above it.

    Signals:
        changed: another one is ticked.
    """

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.lists: Mapping[Whole, TickList] = {
            Whole.VCENTER: TickList(tr("Only ticked vCenters are taken"), tr("vCenters")),
            Whole.SITE: TickList(tr("Only ticked data centers are taken"), tr("Data centers")),
            Whole.CLUSTER: TickList(tr("Only ticked clusters are taken"), tr("Clusters")),
        }
        in_column(self, gap=5, around=(0, 0, 0, 0)).put(*self.lists.values())
        for each in self.lists.values():
            each.changed.connect(self.changed)

    @property
    def without(self) -> Mapping[Whole, frozenset[str]]:
        """What is unticked."""
        return {whole: each.unticked for whole, each in self.lists.items()}

    def show_result(self, result: ImportResult | None) -> None:
        """What the files of a result have; what was unticked stays so."""
        found = () if result is None else wholes_of(result.sources)
        real = {} if result is None else _real(result)
        gone = self.without
        names: dict[Whole, dict[str, Offer]] = {whole: {} for whole in Whole}
        for place in found:
            above: list[str] = []
            for whole in Whole:
                shown = place[whole]
                name = real.get((whole, shown), shown)
                if name:
                    words = ", ".join((shown, *above[-1:]))
                    vcenter = place[Whole.VCENTER]
                    vcenter = real.get((Whole.VCENTER, vcenter), vcenter)
                    names[whole].setdefault(plain(name), Offer(name, words, vcenter))
                    above.append(shown)
                if plain(name) in gone[whole]:
                    break
        for whole, each in self.lists.items():
            each.offer(sorted(names[whole].values(), key=lambda offer: offer.words))


KINDS = {Whole.VCENTER: "vcenter", Whole.SITE: "datacenter", Whole.CLUSTER: "cluster"}
"""What invented names are of."""


def _real(result: ImportResult) -> Mapping[tuple[Whole, str], str]:
    """The real names behind invented ones."""
    return {
        (whole, alias): name
        for whole, kind in KINDS.items()
        for name, alias in result.aliases.get(kind, {}).items()
    }
