"""A fault of our own while the window runs: logged without names, told to the user, work kept."""

from __future__ import annotations

import sys
from pathlib import Path
from types import TracebackType

from PySide6.QtWidgets import QMessageBox, QWidget

from app.crash import log_path, write_log
from app.language import tr


class FaultHook:
    """Takes the place of `sys.excepthook` while the window runs."""

    def __init__(self, window: QWidget, path: Path) -> None:
        self._window = window
        self._path = path
        self._is_telling = False

    def __call__(
        self, kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        if issubclass(kind, KeyboardInterrupt):
            self._window.close()
            return
        written = write_log(error, trace, self._path)
        if self._is_telling:
            return
        self._is_telling = True
        self.tell(written)
        self._is_telling = False

    def tell(self, written: Path | None) -> None:
        where = (
            tr(" What happened is noted, without names, in {written}.", written=written)
            if written
            else ""
        )
        QMessageBox.critical(
            self._window,
            "Headroom",
            tr(
                "Something went wrong inside Headroom. "
                "Your work is still here: save it now.{where}",
                where=where,
            ),
        )


def install_hook(window: QWidget, path: Path | None = None) -> FaultHook:
    """Sends faults to the log and to the user from now on."""
    hook = FaultHook(window, path or log_path())
    sys.excepthook = hook
    return hook
