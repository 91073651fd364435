"""The dialog for a kind of VM that the program does not offer."""

from __future__ import annotations

from collections.abc import Container
from typing import Any, ClassVar

from PySide6.QtWidgets import QLineEdit, QWidget

from app.language import local, tr
from app.widgets.fields import Choice, ChoiceField
from app.windows.entry_dialog import Entered, EntryDialog, asked
from models.catalog import Profile
from models.custom_profile import custom_profile
from models.inputs import workload_applies
from models.scenario import Workload
from models.wording import NO_DATA_TEXT
from models.workloads import WORKLOADS, WorkloadKind

_FIGURES = {
    "cpu_mhz": 100.0,
    "iops": 10.0,
    "memory_gib": 1.0,
    "disk_gib": 10.0,
    "network_mbps": 1.0,
}
"""The figures of a workload of its own kind, and the step of each."""


class CustomProfileDialog(EntryDialog[Profile]):
    """Name, workload and size of VMs of this kind."""

    TITLE: ClassVar[str] = tr("Custom workload")
    EXAMPLE: ClassVar[str] = tr("Such as Print server")
    KIND: ClassVar[type] = Profile
    FACT_LINES: ClassVar[int] = 2

    def __init__(
        self,
        taken: Container[str],
        parent: QWidget | None = None,
        *,
        edited: Profile | None = None,
        keep: bool = True,
    ) -> None:
        super().__init__(taken, parent, edited=edited, keep=keep)
        self.kind = ChoiceField(parent=self)
        self.kind.offer(tuple(Choice(kind, local(work.name)) for kind, work in WORKLOADS.items()))
        self.kind.setAccessibleName(tr("Workload"))
        self.release = QLineEdit(self)
        self.release.setPlaceholderText(tr("not said"))
        self.users = self._number("active_users", of=Workload, step=100)
        self.mail = self._number("mail_file_mb", of=Workload, step=10)
        self.vcpus = self._number("vcpus")
        self.ram = self._number("ram_gib")
        self.figures = {
            name: self._number(name, of=Workload, step=step) for name, step in _FIGURES.items()
        }
        self._begin()
        self._lay_out()
        self._finish()

    @classmethod
    def ask(
        cls,
        taken: Container[str],
        parent: QWidget | None = None,
        *,
        edited: Profile | None = None,
        keep: bool = True,
    ) -> Entered[Profile] | None:
        """Asks for a profile whose id is none of `taken`; None when the user thought better."""
        return asked(cls(taken, parent, edited=edited, keep=keep))

    def _begin(self) -> None:
        for field, value in (
            (self.users, 0.0),
            (self.mail, 0.0),
            (self.vcpus, 2.0),
            (self.ram, 8.0),
        ):
            field.show_value(value)
        self.kind.show_value(WorkloadKind.GENERIC)

    def _lay_out(self) -> None:
        form = self.form
        form.addRow(tr("&Name"), self.name)
        form.addRow(tr("&Workload"), self.kind)
        form.addRow(tr("&Release"), self.release)
        for name in ("active_users", "mail_file_mb", *_FIGURES, "vcpus", "ram_gib"):
            self._row(name)
        self.kind.committed.connect(self._turn)
        self._turn(WorkloadKind.GENERIC)

    def _turn(self, kind: object) -> None:
        """Shows the fields that this kind of workload has."""
        chosen = WorkloadKind(str(kind))
        self.kind.show_value(chosen)
        fields = {"release": self.release, "active_users": self.users, "mail_file_mb": self.mail}
        for name, field in {**fields, **self.figures}.items():
            self.form.setRowVisible(field, workload_applies(chosen, f"workload.{name}"))
        if hasattr(self, "add"):
            self.renew()

    def _show_entry(self, entry: Profile) -> None:
        workload = entry.workload
        self.name.setText(entry.name)
        self._turn(workload.kind)
        self.release.setText(workload.release)
        self.users.show_value(workload.active_users)
        self.mail.show_value(workload.mail_file_mb)
        self.vcpus.show_value(entry.vcpus)
        self.ram.show_value(entry.ram_gib)
        for name, field in self.figures.items():
            field.show_value(getattr(workload, name))

    def _made(self) -> Profile:
        kind = WorkloadKind(str(self.kind.value))
        entered = {
            "release": self.release.text().strip(),
            "active_users": self._read(self.users) or 0.0,
            "mail_file_mb": self._read(self.mail) or 0.0,
            **{name: self._read(field) for name, field in self.figures.items()},
        }
        its: dict[str, Any] = {
            name: each for name, each in entered.items() if workload_applies(kind, name)
        }
        workload = Workload(kind=kind, **its)
        return custom_profile(
            name=self.name.text(),
            workload=workload,
            vcpus=self._whole(self.vcpus) or 0,
            ram_gib=self._read(self.ram) or 0.0,
            taken=self._taken,
        )

    def _facts(self, entry: Profile) -> str:
        workload = entry.workload
        if workload.kind.has_users:
            return f"{local(WORKLOADS[workload.kind].name)} {workload.release}".strip()
        missing = [self._words[n] for n in self.figures if getattr(workload, n) is None]
        if not missing:
            return tr("all its figures are known")
        return f"{local(NO_DATA_TEXT)}: {', '.join(missing)}"
