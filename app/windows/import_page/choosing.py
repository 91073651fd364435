"""What can be chosen of an import: what is left out, which space, which percentile, which names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QLabel,
    QPushButton,
    QScrollArea,
    QWidget,
)

from app.language import local, tr
from app.widgets.fields.choice import Dropdown, TickBox
from app.widgets.parts import Line, in_column
from app.windows.import_page.groups import GroupPanel
from app.windows.import_page.powers import PowerPanel
from app.windows.import_page.ticks import WholesPanel
from models.base.fields import Word
from models.intake.fills import Fill
from models.intake.options import PERCENTILES, REASON_WORDS, DiskBasis, MemoryBasis, Options, Reason
from models.intake.result import ImportResult
from models.intake.right_size import RightSize, Sizes, chosen, saved
from models.scenario.wording import number
from models.tell.imports import fill_pct

GIB_PER_MIB = 1.0 / 1024.0
SHORT, LETTERS = QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon, 18
"""A closed list is as wide as the column, whatever it offers."""


class Choosing(QScrollArea):
    """The choices, each with what it comes to.

    Signals:
        changed: something else was chosen.
    """

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(tr("Left out unless ticked"))
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.reasons = {
            reason: TickBox(local(words).capitalize())
            for reason, words in REASON_WORDS.items()
            if reason is not Reason.NOT_CHOSEN
        }
        self.powers = PowerPanel()
        self.wholes, self.groups = WholesPanel(), GroupPanel()
        self.disk, self.memory = Dropdown(), Dropdown()
        for choice, meanings in self._meanings:
            for basis in meanings:
                choice.addItem(local(basis.label), basis.value)
        self._said: dict[QObject, bool] = dict.fromkeys((self.disk, self.memory), False)
        self.sizes, self.percentile = Dropdown(), Dropdown()
        for sizes in Sizes:
            self.sizes.addItem(local(sizes.label), sizes.value)
        for each in PERCENTILES:
            words = {0: tr("mean"), 100: tr("peak")}.get(each, tr("{each} %", each=each))
            self.percentile.addItem(words, each)
        self.percentile.setCurrentIndex(PERCENTILES.index(Options().percentile))
        for closed in (self.disk, self.memory, self.sizes, self.percentile):
            closed.setSizeAdjustPolicy(SHORT)
            closed.setMinimumContentsLength(LETTERS)
        self.pseudonyms = TickBox(tr("Invented names instead of real ones"))
        self.pseudonyms.setToolTip(
            tr("The real names go to a file of their own, which is asked for when you take over.")
        )
        self.guesses, self.assume = QPushButton(), QPushButton()
        self._lay_out()
        for box in (*self.reasons.values(), self.pseudonyms):
            box.toggled.connect(self._tell)
        self.powers.changed.connect(self._tell)
        self.wholes.changed.connect(self._tell)
        self.groups.changed.connect(self._tell)
        for free in (self.percentile, self.sizes):
            free.currentIndexChanged.connect(self._tell)
        for choice in (self.disk, self.memory):
            choice.currentIndexChanged.connect(self._say_meaning)

    def _lay_out(self) -> None:
        inside = QWidget()
        column = in_column(inside, gap=5, around=(0, 0, 8, 0)).put(
            self._heading(tr("Left out unless ticked"))
        )
        for box in self.reasons.values():
            column.addWidget(box)
        column.addWidget(self.powers)
        column.addWidget(self.wholes)
        column.addWidget(self.groups)
        self._add(column, tr("Space of a VM"), self.disk)
        self.memory_heading = self._add(column, tr("Memory of a VM"), self.memory)
        self.sizes_heading = self._add(column, tr("Sizes of VMs"), self.sizes)
        self.percentile_heading = self._add(
            column, tr("Of what was measured over time"), self.percentile
        )
        column.addWidget(self._heading(tr("Names")))
        column.addWidget(self.pseudonyms)
        self.guesses_heading = self._heading(tr("Servers"))
        column.addWidget(self.guesses_heading)
        column.addWidget(self.guesses)
        self.assume_heading = self._heading(tr("CPU and I/O"))
        column.addWidget(self.assume_heading)
        column.addWidget(self.assume)
        column.addStretch(0)
        self.setWidget(inside)
        self.viewport().setAutoFillBackground(False)
        inside.setAutoFillBackground(False)

    def _add(self, column: Line, title: str, widget: QWidget) -> QLabel:
        heading = self._heading(title)
        heading.setBuddy(widget)
        widget.setAccessibleName(title)
        column.addWidget(heading)
        column.addWidget(widget)
        return heading

    def _heading(self, text: str) -> QLabel:
        label = QLabel(text)
        label.setProperty("role", "heading")
        label.setWordWrap(True)
        return label

    @property
    def _meanings(self) -> tuple[tuple[Dropdown, tuple[DiskBasis | MemoryBasis, ...]], ...]:
        return (self.disk, tuple(DiskBasis)), (self.memory, tuple(MemoryBasis))

    def _say_meaning(self, _at: int) -> None:
        """Somebody says what is meant; until then it is what doesn't refuse a site that runs."""
        box = self.sender()
        if box is not None:
            self._said[box] = True
        self._tell()

    def _show_meaning(self, box: Dropdown, basis: Word | None) -> None:
        """What is meant, where nobody said it."""
        if basis is not None and not self._said[box]:
            box.blockSignals(True)
            box.setCurrentIndex(box.findData(basis.value))
            box.blockSignals(False)

    def _tell(self, *_what: object) -> None:
        self.changed.emit()

    def options(self) -> Options:
        """What is chosen."""
        return Options(
            taken=frozenset(each for each, box in self.reasons.items() if box.isChecked()),
            disk=DiskBasis(self.disk.currentData()) if self._said[self.disk] else None,
            memory=MemoryBasis(self.memory.currentData()) if self._said[self.memory] else None,
            sizes=Sizes(self.sizes.currentData()),
            percentile=int(self.percentile.currentData()),
            has_pseudonyms=self.pseudonyms.isChecked(),
            power=self.powers.said,
            chosen=replace(self.groups.chosen, without=self.wholes.without),
        )

    def show_result(self, result: ImportResult | None) -> None:
        """What each choice comes to; None: nothing was read."""
        left_out = {} if result is None else result.left_out
        self.powers.show_result(result)
        self.wholes.show_result(result)
        self.groups.show_result(result)
        for reason, box in self.reasons.items():
            words, count = local(REASON_WORDS[reason]).capitalize(), left_out.get(reason, 0)
            text = tr("{reason}: {count} left out", reason=words, count=local(number(count)))
            box.setText(text if count else words)
        for choice, meanings in self._meanings:
            for place, basis in enumerate(meanings):
                fill = None if result is None else result.fills.of(basis)
                choice.setItemText(place, _filled(basis, fill))
        if result is not None:
            self._show_meaning(self.disk, result.options.disk)
            self._show_meaning(self.memory, result.options.memory)
        could_be = () if result is None else result.right_sizes
        for place, sizes in enumerate(Sizes):
            self.sizes.setItemText(place, _sizes_words(sizes, chosen(could_be, sizes)))
        for widget in (self.sizes_heading, self.sizes):
            widget.setVisible(bool(could_be))
        has_several = result is not None and len(result.fills.memory) > 1
        for widget in (self.memory_heading, self.memory):
            widget.setVisible(has_several)
        for widget in (self.percentile_heading, self.percentile):
            widget.setVisible(result is not None and bool(result.series))

    def show_guesses(self, words: str) -> None:
        """How many VMs may be Domino or Sametime; empty: none."""
        self.guesses.setText(words)
        for widget in (self.guesses_heading, self.guesses):
            widget.setVisible(bool(words))

    def show_assumed(self, words: str) -> None:
        """How many VMs nobody measured; empty: none, and nothing is assumed."""
        self.assume.setText(words)
        for widget in (self.assume_heading, self.assume):
            widget.setVisible(bool(words))


def _sizes_words(sizes: Sizes, found: Sequence[RightSize]) -> str:
    """A choice of sizes with what it saves."""
    if not found:
        return local(sizes.label)
    vcpus, gib = (local(number(each)) for each in saved(found))
    return tr(
        "{sizes}: {vcpus} vCPUs, {gib} GiB less", sizes=local(sizes.label), vcpus=vcpus, gib=gib
    )


def _filled(basis: DiskBasis | MemoryBasis, fill: Fill | None) -> str:
    """A meaning with what it comes to, and how full that makes data stores or hosts."""
    words = local(basis.label)
    if fill is None:
        return words
    told = tr("{basis}: {gib} GiB", basis=words, gib=local(number(fill.mib * GIB_PER_MIB)))
    return told if fill.pct is None else f"{told}, {local(fill_pct(fill.pct))}"
