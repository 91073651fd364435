"""Menus of many choices, searched by typing; nothing of the model, as the frame has menus too."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication, QLineEdit, QMenu, QWidgetAction

from app.language import tr

SEARCHED_FROM = 30
"""Entries from which on a list is searched."""


def add_search(menu: QMenu) -> None:
    """Gives a menu of many choices a line that leaves those which have what is typed there; Enter
    takes the first of them."""
    choices = menu.actions()
    if len(choices) < SEARCHED_FROM:
        return
    line = QLineEdit(menu)
    line.setPlaceholderText(tr("Search"))
    line.setAccessibleName(tr("Search"))

    def leave(typed: str) -> None:
        wanted = typed.strip().casefold()
        for each in choices:
            each.setVisible(wanted in each.text().replace("&&", "&").casefold())

    def take() -> None:
        found = next((each for each in choices if each.isVisible() and each.isEnabled()), None)
        while found is not None and (popup := QApplication.activePopupWidget()) is not None:
            popup.close()
        if found is not None:
            found.trigger()

    line.textChanged.connect(leave)
    line.returnPressed.connect(take)
    action = QWidgetAction(menu)
    action.setDefaultWidget(line)
    menu.insertAction(choices[0], action)
