"""On the board: VMs of an import that nobody measured are said, and can be assumed in one step."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QWidget

from app.language import tr, trn
from app.session import Session, View
from app.widgets.assume_form import AssumeForm
from app.widgets.parts import in_column, wrapped
from app.windows.notice import NoticeBar
from models.intake.assumed import groups_of, lacking, with_assumed
from models.scenario.inputs import origin_of
from models.scenario.origin import Origin
from models.scenario.scenario import Scenario, Vm

SIZE = QSize(560, 260)


class AssumeBar(NoticeBar):
    """Counts them in a strip above the window's content; whoever leaves it is not told again of
    this scenario."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__("triangle-alert", parent)
        self._session = session
        self._left: set[str] = set()
        self._vms: tuple[Vm, ...] | None = None
        self.open_form = self.add(tr("Assume…"), self.open)
        self.add(tr("Not now"), self._leave)
        session.view_changed.connect(self._view_changed)
        self._view_changed(session.view)

    def open(self) -> None:
        """The form, for the scenario in view."""
        self._session.commit_typed()
        AssumeDialog(self._session, self.window()).open()

    def _leave(self) -> None:
        self._left.add(self._session.project.active)
        self.hide()

    def _view_changed(self, view: View) -> None:
        if view.is_preview or view.scenario.vms is self._vms:
            return
        self._vms = view.scenario.vms
        count = 0 if self._session.project.active in self._left else _to_tell(view.scenario)
        if not count:
            self.hide()
            return
        self.say(
            trn(
                "{count} VM without CPU or I/O: what it takes is not known.",
                "{count} VMs without CPU or I/O: what they take is not known.",
                count,
            )
        )

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self._leave()
        else:
            super().keyPressEvent(event)


def _to_tell(scenario: Scenario) -> int:
    """How many VMs lack figures, where they come from files: who drags one onto the board is about
    to say what it does."""
    found = lacking(scenario)
    is_imported = any(origin_of(vm, "vcpus") is Origin.IMPORTED for vm in scenario.vms)
    return found.either if is_imported else 0


class AssumeDialog(QDialog):
    """One rule for the VMs without figures, as one edit."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Assume CPU and I/O"))
        self._session = session
        self.form = AssumeForm(self)
        self.form.offer(groups_of(session.scenario, {}))
        self.state = wrapped("", self)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        self.take = self.buttons.addButton(tr("Assume"), QDialogButtonBox.ButtonRole.ActionRole)
        self.take.setProperty("role", "primary")
        in_column(self, around=None).put(self.state, self.form, self.buttons)
        self.take.clicked.connect(self._take)
        self.buttons.rejected.connect(self.reject)
        self.resize(SIZE)
        self._show_left()

    def _show_left(self) -> bool:
        found = lacking(self._session.scenario)
        words = trn(
            "{count} VM without CPU or I/O.", "{count} VMs without CPU or I/O.", found.either
        )
        self.state.setText(words if found.either else tr("Every VM that runs has its figures."))
        return found.either > 0

    def _take(self) -> None:
        """What it is for is assumed; the form stays while some are left."""
        rule = self.form.read()
        if rule is None:
            return
        session = self._session
        before = session.scenario
        after = with_assumed(before, [rule], session.known_catalog.servers)
        if after is before:
            self.state.setText(
                tr(
                    "No VM is left that this is for; per cent need a host whose clock is known, "
                    "IOPS a GiB the space of the VM."
                )
            )
            return
        session.edit(after, tr("Assume CPU and I/O"), origin=Origin.ASSUMED)
        self.form.clear()
        if not self._show_left():
            self.accept()
