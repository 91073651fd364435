"""The form of a stated assumption: for which VMs, what CPU and what I/O, each from low to high."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from app.language import local, tr
from app.widgets.fields.choice import Dropdown
from app.widgets.fields.number import NumberField
from app.widgets.group_fields import GroupFields
from app.widgets.parts import in_column, in_row, wrapped
from models.base.errors import ModelError
from models.base.fields import Word
from models.base.limits import Limit
from models.intake.assumed import Assumed, CpuUnit, GroupBy, IoUnit, Range

FIGURE_PX = 90
HINT = tr(
    "From low to high, as you can answer for it; one number alone is taken from half to twice. A "
    "week of measuring takes the range away."
)


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
        self.whose = GroupFields(parent=self)
        self.cpu = RangeFields(tr("CPU"), tuple(CpuUnit), self)
        self.io = RangeFields(tr("I/O"), tuple(IoUnit), self)
        self.complaint = wrapped("", self, role="refusal")
        self._lay_out()

    def _lay_out(self) -> None:
        grid = QGridLayout()
        grid.setColumnStretch(1, 1)
        for row, (title, part, first) in enumerate(
            (
                (tr("For"), self.whose, self.whose.by),
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
        """The groups that there are."""
        self.whose.offer(names)

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
        unit = CpuUnit(self.cpu.unit.currentData())
        cpu = self.cpu.read(100.0 if unit is CpuUnit.PCT else 100_000.0)
        io = self.io.read(1e6)
        if cpu is None and io is None:
            raise ModelError(tr("Say CPU or I/O."))
        group, io_unit = self.whose.read(), IoUnit(self.io.unit.currentData())
        return Assumed(cpu=cpu, cpu_unit=unit, io=io, io_unit=io_unit, group=group)

    def _complain(self, words: str) -> None:
        self.complaint.setText(words)
        self.complaint.setVisible(bool(words))

    def clear(self) -> None:
        """For the next rule."""
        self.cpu.clear()
        self.io.clear()
        self._complain("")
