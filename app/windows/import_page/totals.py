"""Totals of a site of which there is no list: a short form, whose answer is read like a file."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QGridLayout, QLabel, QWidget

from app.language import local, tr
from app.widgets.fields.number import NumberField
from app.widgets.parts import in_column, wrapped
from models.base.errors import ModelError
from models.base.limits import MOST_ITEMS, Limit
from models.intake.stated_totals import NEEDED, totals_of

HIDDEN = tr(
    "They become as many equal VMs. What totals hide, the largest VM, the peak of one and what "
    "waits for processors, is in no number: whatever fits does so on assumptions. Leave empty what "
    "nobody knows."
)


@dataclass(frozen=True, slots=True)
class Ask:
    """A total that is asked for, by its name in `StatedTotals`."""

    name: str
    label: str
    unit: str = ""
    is_whole: bool = False


ASKED = (
    Ask("vms", tr("VMs that run"), is_whole=True),
    Ask("vcpus", tr("vCPUs"), is_whole=True),
    Ask("ram_gib", tr("RAM, GiB"), "GiB"),
    Ask("disk_gib", tr("Space, GiB"), "GiB"),
    Ask("iops", tr("IOPS")),
    Ask("cpu_mhz", tr("CPU in use, MHz"), "MHz"),
)


class TotalsDialog(QDialog):
    """The form.

    Signals:
        stated: the totals as a text that `totals_of` reads.
    """

    stated = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Totals alone"))
        grid = QGridLayout()
        grid.setColumnStretch(1, 1)
        limit = Limit(gt=0.0, le=1e12)
        self.fields: dict[str, NumberField] = {}
        for row, ask in enumerate(ASKED):
            most = Limit(ge=1, le=MOST_ITEMS) if ask.name == "vms" else limit
            empty = "" if ask.name in NEEDED else tr("not known")
            field = NumberField(
                limit=most,
                whole=ask.is_whole,
                optional=True,
                empty=empty,
                unit=ask.unit,
                parent=self,
            )
            field.setAccessibleName(ask.label)
            label = QLabel(ask.label, self)
            label.setBuddy(field)
            grid.addWidget(label, row, 0)
            grid.addWidget(field, row, 1)
            self.fields[ask.name] = field
        self.complaint = wrapped("", self, role="refusal")
        self.complaint.hide()
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel, self)
        self.take = self.buttons.addButton(tr("Take these"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.take.setProperty("role", "primary")
        in_column(self, around=None).put(
            wrapped(HIDDEN, self, role="muted"), grid, self.complaint, self.buttons
        )
        self.take.clicked.connect(self.state)
        self.buttons.rejected.connect(self.reject)

    def state(self) -> None:
        """What is typed, where it can be."""
        try:
            given = {name: field.read() for name, field in self.fields.items()}
            known = {name: value for name, value in given.items() if value is not None}
            text = "\n".join(f"{name}={value!r}" for name, value in known.items())
            totals_of(text)
        except ModelError as error:
            labels = {ask.name: ask.label for ask in ASKED}
            where = labels.get(error.field or "", "")
            reason = local(error.reason)
            self.complaint.setText(f"{where}: {reason}." if where else f"{reason}.")
            self.complaint.show()
            return
        self.stated.emit(text)
        self.accept()
