"""The form of a stated assumption: for which VMs, what CPU and what I/O, each from low to high."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtWidgets import QComboBox, QGridLayout, QLabel, QLineEdit, QWidget

from app.language import local, tr
from app.widgets.fields.choice import Dropdown
from app.widgets.fields.number import NumberField
from app.widgets.parts import in_column, in_row, wrapped
from models.base.errors import ModelError
from models.base.fields import Word
from models.base.limits import Limit
from models.base.texts import opening
from models.intake.assumed import Assumed, CpuUnit, Group, GroupBy, IoUnit, Range

FIGURE_PX = 90
MOST_CHOICES = 200
"""More groups than these nobody looks through: their names are typed."""
HINT = tr(
    "From low to high, as you can answer for it; one number alone is taken from half to twice. A "
    "week of measuring takes the range away."
)
PATTERN_TIP = tr("* stands for anything, ? for one letter")


class RangeFields(QWidget):
    """A low and a high end with their unit."""

    def __init__(self, what: str, units: Sequence[Word], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.what = what
        limit = Limit(gt=0.0, le=1e6)
        self.low = NumberField(limit=limit, optional=True, empty=tr("low"), parent=self)
        self.high = NumberField(limit=limit, optional=True, empty=tr("high"), parent=self)
        self.unit = Dropdown(self)
        for unit in units:
            self.unit.addItem(local(unit.label), unit.value)
        for field, end in ((self.low, tr("low")), (self.high, tr("high"))):
            field.setFixedWidth(FIGURE_PX)
            field.setAccessibleName(f"{what}, {end}")
        self.unit.setAccessibleName(tr("{what}, unit", what=what))
        in_row(self, gap=6).put(self.low, QLabel("–"), self.high, (self.unit, 1))

    def read(self, most: float) -> Range | None:
        """What is typed; None for nothing.

        Raises:
            ModelError: it is no number, or none that can be.
        """
        low, high = self.low.read(), self.high.read()
        known = [each for each in (low, high) if each is not None]
        if not known:
            return None
        if max(known) > most:
            raise ModelError(tr("{what}: at most {most}", what=self.what, most=f"{most:g}"))
        if low is None or high is None:
            return Range.around(known[0], most)
        if low > high:
            raise ModelError(tr("{what}: the low end is above the high one", what=self.what))
        return Range(low, high)

    def clear(self) -> None:
        for field in (self.low, self.high):
            field.show_value(None)
            field.clear()


class AssumeForm(QWidget):
    """One rule, as it is typed."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._names: Mapping[GroupBy, Sequence[str]] = {}
        self.by, self.pattern = Dropdown(self), Dropdown(self)
        self.pattern.setEditable(True)
        self.pattern.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.pattern.setToolTip(PATTERN_TIP)
        self.pattern.setAccessibleName(tr("Which ones"))
        self.pattern.setMinimumContentsLength(14)
        self.by.setAccessibleName(tr("For"))
        self.cpu = RangeFields(tr("CPU"), tuple(CpuUnit), self)
        self.io = RangeFields(tr("I/O"), tuple(IoUnit), self)
        self.complaint = wrapped("", self, role="refusal")
        self._lay_out()
        self.by.currentIndexChanged.connect(self._show_names)
        self.offer({})

    def _lay_out(self) -> None:
        grid = QGridLayout()
        grid.setColumnStretch(1, 1)
        whose = QWidget(self)
        in_row(whose, gap=6).put((self.by, 1), (self.pattern, 2))
        for row, (title, part, first) in enumerate(
            (
                (tr("For"), whose, self.by),
                (self.cpu.what, self.cpu, self.cpu.low),
                (self.io.what, self.io, self.io.low),
            )
        ):
            label = QLabel(title, self)
            label.setBuddy(first)
            grid.addWidget(label, row, 0)
            grid.addWidget(part, row, 1)
        column = in_column(self, gap=6).put(grid, wrapped(HINT, self, role="muted"))
        column.addWidget(self.complaint)
        self.complaint.hide()

    def offer(self, names: Mapping[GroupBy, Sequence[str]]) -> None:
        """The groups that there are: names of each kind, of which all may be told by a pattern."""
        self._names = names
        chosen = self.by.currentData()
        self.by.blockSignals(True)
        self.by.clear()
        for by in GroupBy:
            if by in (GroupBy.ALL, GroupBy.NAME) or names.get(by):
                self.by.addItem(local(opening(by.label)), by.value)
        self.by.setCurrentIndex(max(self.by.findData(chosen), 0))
        self.by.blockSignals(False)
        self._show_names()

    def _show_names(self, _at: int = 0) -> None:
        by = GroupBy(self.by.currentData())
        typed = self.pattern.currentText()
        self.pattern.clear()
        self.pattern.addItems(list(self._names.get(by, ()))[:MOST_CHOICES])
        self.pattern.setEditText(typed if by is GroupBy.NAME else self.pattern.itemText(0))
        line = self.pattern.lineEdit()
        if isinstance(line, QLineEdit):
            line.setPlaceholderText(tr("such as db-*"))
        self.pattern.setVisible(by is not GroupBy.ALL)

    def read(self) -> Assumed | None:
        """The rule; None where it can't be, which is said."""
        try:
            rule = self._read()
        except ModelError as error:
            self._complain(local(error))
            return None
        self._complain("")
        return rule

    def _read(self) -> Assumed:
        unit, by = CpuUnit(self.cpu.unit.currentData()), GroupBy(self.by.currentData())
        cpu = self.cpu.read(100.0 if unit is CpuUnit.PCT else 100_000.0)
        io = self.io.read(1e6)
        if cpu is None and io is None:
            raise ModelError(tr("Say CPU or I/O."))
        pattern = self.pattern.currentText().strip()
        if by is not GroupBy.ALL and not pattern:
            raise ModelError(tr("Say which VMs it is for."))
        group = Group() if by is GroupBy.ALL else Group(by, pattern)
        io_unit = IoUnit(self.io.unit.currentData())
        return Assumed(cpu=cpu, cpu_unit=unit, io=io, io_unit=io_unit, group=group)

    def _complain(self, words: str) -> None:
        self.complaint.setText(words)
        self.complaint.setVisible(bool(words))

    def clear(self) -> None:
        """For the next rule."""
        self.cpu.clear()
        self.io.clear()
        self._complain("")
