"""Work that a program left behind when it died: offered once, then kept in the File menu."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QDateTime, QLocale, QObject
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from app.language import code, local, tr, trn
from app.session import Session
from app.windows.dialogs import Dialogs
from app.windows.files import FileCommands
from app.windows.frame import UNTITLED
from app.windows.menus import add_choice, hear_choice
from app.windows.notice import NoticeBar
from app.work import Worker
from db.errors import StoreError

if TYPE_CHECKING:
    from app.autosave import Autosave
    from app.recovery import Slot, Slots
    from db.recovery import Origin

CLEAR = "clear"
MOST_OF_A_NAME = 60


class RecoveryCommands(QObject):
    """Keeps copies of this window's work, and offers those that others left behind.

    What reads and writes copies is imported by `begin`, once the window stands.
    """

    def __init__(
        self,
        session: Session,
        files: FileCommands,
        worker: Worker,
        dialogs: Dialogs,
        folder: Path,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._files = files
        self._worker = worker
        self._dialogs = dialogs
        self._folder = folder
        self._slots: Slots | None = None
        self._autosave: Autosave | None = None
        self._offered: list[Slot] = []
        self.bar = NoticeBar("own-rescue", parent)
        self.bar.add(tr("Recover"), self.recover)
        self.bar.add(tr("Not now"), self.decline)

    # ------------------------------------------------------------------ begin and end

    def begin(self) -> None:
        """Starts keeping copies, and offers what was found."""
        from app.autosave import Autosave
        from app.recovery import Slots

        self._slots = Slots(self._folder)
        self._autosave = Autosave(self._session, self._slots, self._worker, self.origin, self)
        self._offered = self._slots.abandoned()
        if self._offered:
            self.bar.say(_offer(self._offered))

    def origin(self) -> Origin:
        """Where the project belongs; its name is empty when it has none."""
        from db.recovery import Origin

        name = "" if self._files.title == UNTITLED else self._files.title
        path = self._session.path
        if path is None:
            return Origin(name=name)
        return Origin(name=name, path=str(path), content=self._files.content)

    def close(self) -> None:
        """An orderly end: what was offered and not answered is kept like what was declined."""
        if self._autosave is not None:
            self._autosave.close()
        self._settle()

    # ------------------------------------------------------------------ the offer

    def recover(self) -> None:
        """Opens the newest of the copies; it stays until the work in it is saved."""
        if self._offered and self._opened(self._offered[0]):
            del self._offered[0]
            self._settle()
            self.bar.hide()

    def decline(self) -> None:
        """Not now, and not at the next start either: from here on the File menu has it."""
        self._settle()
        self.bar.hide()
        self._session.message.emit(tr("Kept under File ▸ Recover unsaved work."))

    def _settle(self) -> None:
        for slot in self._offered:
            self._put_back(slot)
        self._offered = []

    def _put_back(self, slot: Slot) -> None:
        from db.recovery import settle

        try:
            settle(slot.path)
        except StoreError as error:
            self._session.message.emit(f"{local(error)}.")
        slot.release()

    def _opened(self, slot: Slot) -> bool:
        """Opens a copy, and goes on in its place."""
        from db.recovery import read_copy, read_origin

        assert self._autosave is not None
        try:
            project = read_copy(slot.path)
        except StoreError as error:
            self._dialogs.show_problem(
                tr("The unsaved work can’t be recovered: {error}.", error=error)
            )
            return False
        if not self._files.may_close():
            return False
        origin = read_origin(slot.path)
        path = Path(origin.path) if origin.path and origin.is_current else None
        if not self._files.resume(project, path, origin.name, origin.content):
            return False
        self._autosave.adopt(slot)
        changed = (
            tr("; {origin} has changed since, save under a new name", origin=origin.name)
            if origin.path
            else ""
        )
        said = "" if path else changed
        self._session.message.emit(tr("Recovered, not saved yet{said}.", said=said))
        return True

    # ------------------------------------------------------------------ the menu

    def fill_kept(self, menu: QMenu) -> None:
        """What was declined before, as long as nobody has it open."""
        kept = self._slots.kept() if self._slots is not None else []
        for path in kept:
            add_choice(menu, _words(path), str(path))
        if kept:
            menu.addSeparator()
        add_choice(
            menu,
            tr("Delete them all…") if kept else tr("Nothing is kept"),
            CLEAR,
            enabled=bool(kept),
        )
        hear_choice(menu, self._chosen)

    def _chosen(self, action: QAction) -> None:
        if action.data() == CLEAR:
            self._ask_to_delete()
            return
        self._with_slot(Path(action.data()), self._recover_kept)

    def _recover_kept(self, slot: Slot) -> None:
        if not self._opened(slot):
            slot.release()

    def _ask_to_delete(self) -> None:
        if self._slots is not None and self._dialogs.ask_to_delete(
            tr("Delete all kept copies of unsaved work?"), tr("They can’t be brought back.")
        ):
            for path in self._slots.kept():
                self._with_slot(path, self._delete)

    def _delete(self, slot: Slot) -> None:
        try:
            slot.clear()
        except StoreError as error:
            self._session.message.emit(f"{local(error)}.")
        slot.release()

    def _with_slot(self, path: Path, act: Callable[[Slot], None]) -> None:
        from app.recovery import Slot

        slot = Slot.taken(path)
        if slot is None:
            self._session.message.emit(tr("Another window has this copy open."))
        else:
            act(slot)


def _offer(slots: list[Slot]) -> str:
    others = len(slots) - 1
    more = (
        tr(" {others} more can be found under File ▸ Recover unsaved work.", others=others)
        if others
        else ""
    )
    return tr(
        "Headroom ended before this was saved: {words}.{more}",
        words=_words(slots[0].path),
        more=more,
    )


def _words(path: Path) -> str:
    """What a copy is called, what is in it, and when it was made."""
    from db.recovery import kept_at, read_origin

    origin, when = read_origin(path), kept_at(path)
    called, others = origin.name or origin.scenario or UNTITLED, origin.scenarios - 1
    parts = [_short(called)]
    if origin.scenario not in ("", called):
        parts.append(tr("scenario “{name}”", name=_short(origin.scenario)))
    if others > 0:
        parts.append(trn("{count} more scenario", "{count} more scenarios", others))
    if origin.scenario:
        vms = trn("{count} VM", "{count} VMs", origin.vms)
        hosts = trn("{count} host", "{count} hosts", origin.hosts)
        parts += [vms, hosts]
    if when is not None:
        parts.append(_time(when))
    return ", ".join(parts)


def _short(name: str) -> str:
    """A name of any length, so that what follows it has room."""
    return name if len(name) <= MOST_OF_A_NAME else f"{name[: MOST_OF_A_NAME - 1]}…"


def _time(when: datetime) -> str:
    """With the month in words, in the language of the sentence it stands in."""
    moment = QDateTime.fromSecsSinceEpoch(int(when.timestamp()))
    locale = QLocale()
    if locale.name().split("_")[0] != code():
        locale = QLocale(code())
    date = locale.toString(moment.date(), QLocale.FormatType.LongFormat)
    return f"{date}, {locale.toString(moment.time(), QLocale.FormatType.ShortFormat)}"
