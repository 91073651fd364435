"""Text that is cut: a walk over every label, button and tab of a window.

Run as a script it prints, as JSON, what is cut on each page at the scale of its environment.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QCheckBox,
    QLabel,
    QPushButton,
    QRadioButton,
    QScrollArea,
    QTabBar,
    QToolButton,
    QWidget,
)

from app.widgets.labels import OneLine

OWN_SIZE = ("evidence",)
LAYOUT = ", layout"
"""Behind the name of a page: what of its layout doesn't hold."""
SLACK = 1  # a pixel of rounding at fractional scales


def clipped(window: QWidget) -> list[str]:
    """What of the window's text is cut, in words."""
    return [f"{type(widget).__name__} “{_text(widget)}”: {how}" for widget, how in _found(window)]


def sideways(window: QWidget) -> list[str]:
    """Areas that have to be scrolled sideways to be read; tables and boards apart."""
    areas = [area for area in window.findChildren(QScrollArea) if area.isVisibleTo(window)]
    names = [area.accessibleName() or area.objectName() or type(area).__name__ for area in areas]
    over = [area.horizontalScrollBar().maximum() for area in areas]
    return [f"{name}: {by} to scroll" for name, by in zip(names, over, strict=True) if by > SLACK]


def _found(window: QWidget) -> Iterator[tuple[QWidget, str]]:
    for widget in window.findChildren(QWidget):
        if not widget.isVisibleTo(window) or widget.window() is not window or not _text(widget):
            continue
        how = _too_small(widget) or _cut_off(widget, window)
        if how:
            yield widget, how


def _text(widget: QWidget) -> str:
    if isinstance(widget, QLabel | QPushButton | QToolButton | QCheckBox | QRadioButton):
        is_sign = isinstance(widget, QToolButton) and not widget.icon().isNull()
        return "" if is_sign else widget.text()
    if isinstance(widget, QTabBar):
        return ", ".join(widget.tabText(place) for place in range(widget.count()))
    return ""


def _too_small(widget: QWidget) -> str:
    if isinstance(widget, OneLine):
        return _lower(widget)  # a text without room ends in an ellipsis
    if isinstance(widget, QTabBar):
        needed = sum(widget.tabRect(place).width() for place in range(widget.count()))
        return f"needs {needed}, has {widget.width()}" if needed > widget.width() + SLACK else ""
    if isinstance(widget, QLabel) and widget.wordWrap():
        needed = widget.heightForWidth(widget.width())
        return f"needs {needed} high, has {widget.height()}" if needed > widget.height() else ""
    needed = _plain_hint(widget)
    if needed > widget.width() + SLACK:
        return f"needs {needed}, has {widget.width()}"
    return _lower(widget)


def _plain_hint(widget: QWidget) -> int:
    """Width that Qt itself wants for the text as it is shown, which may be an abridged one."""
    if isinstance(widget, QLabel):
        return QLabel.sizeHint(widget).width()
    if isinstance(widget, QPushButton):
        return QPushButton.sizeHint(widget).width()
    return widget.sizeHint().width()


def _lower(widget: QWidget) -> str:
    needed, has = widget.fontMetrics().height(), widget.height()
    return f"needs {needed} high, has {has}" if needed > has + SLACK else ""


def _cut_off(widget: QWidget, window: QWidget) -> str:
    """Whether an ancestor cuts it; areas that scroll are there for that."""
    area = QRect(QPoint(0, 0), widget.size())
    ancestor = widget
    while ancestor is not window:
        parent = ancestor.parentWidget()
        if parent is None or isinstance(parent.parentWidget(), QAbstractScrollArea):
            return ""
        area.translate(ancestor.pos())
        if not parent.rect().adjusted(-SLACK, -SLACK, SLACK, SLACK).contains(area):
            return f"stands outside its {type(parent).__name__}"
        ancestor = parent
    return ""


def main(arguments: list[str]) -> None:
    """`clipping.py THEME WIDTH HEIGHT [PAGE]…`."""
    sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "packaging"))
    import pages

    from app.settings import Settings
    from app.speech import begin

    with tempfile.TemporaryDirectory() as place:
        begin(Settings(Path(place) / "settings.ini"))
    from tests.app.layout import faults

    theme, width, height, *names = arguments
    found: dict[str, list[str]] = {}

    def look(name: str, widget: QWidget) -> None:
        found[name] = clipped(widget) + sideways(widget)
        found[f"{name}{LAYOUT}"] = faults(widget)
        if not name.startswith(OWN_SIZE) and widget.width() > int(width):
            found[name].append(f"the window is {widget.width()} wide")

    with pages.stage(theme, int(width), int(height)) as stage:
        for page in pages.named(names):
            stage.show(page, look)
    sys.stdout.write(json.dumps(found))


if __name__ == "__main__":
    main(sys.argv[1:])
