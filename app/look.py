"""The theme that everything is painted in."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from app.theme import LIGHT, Theme


class Look(QObject):
    """Read when something is painted, and not kept: the next painting may have another theme.

    Signals:
        changed: the theme is another one; for whoever keeps what was made in its colours.
    """

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._theme = LIGHT

    @property
    def theme(self) -> Theme:
        return self._theme

    def use(self, theme: Theme) -> None:
        if theme is not self._theme:
            self._theme = theme
            self.changed.emit()


LOOK = Look()
"""The look of this process's windows; `app.stylesheet.apply_theme` sets it."""
