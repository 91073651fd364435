"""How panels are put together: rows and columns of parts, and the parts that many of them have."""

from __future__ import annotations

from typing import Literal, Self, TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QLabel,
    QLayout,
    QLineEdit,
    QProgressBar,
    QScrollArea,
    QToolButton,
    QWidget,
)

from app.icons import icon
from app.language import tr

Piece = QWidget | QLayout | int | Literal["stretch"]
Part = Piece | tuple[Piece, int] | tuple[Piece, int, Qt.AlignmentFlag] | None
"""What stands in a line: a widget or a layout, room [px], or `STRETCH`; with its share of the room
that is left, and where it stands in that. None: nothing."""

STRETCH: Literal["stretch"] = "stretch"
W = TypeVar("W", bound=QWidget)
Around = tuple[int, int, int, int]
NOTHING: Around = (0, 0, 0, 0)


class Line(QBoxLayout):
    """Parts beside or below each other."""

    def put(self, *parts: Part) -> Self:
        """Adds parts at its end."""
        for part in parts:
            what, how = (part[0], part[1:]) if isinstance(part, tuple) else (part, ())
            if isinstance(what, QWidget):
                self.addWidget(what, *how)
            elif isinstance(what, QLayout):
                self.addLayout(what, *how)
            elif what == STRETCH:
                self.addStretch(*how)
            elif what is not None:
                self.addSpacing(what)
        return self


def in_row(
    within: QWidget | None = None, *, gap: int | None = None, around: Around | None = NOTHING
) -> Line:
    """A line from left to right.

    Args:
        within: the widget that it fills; None: it is a part itself.
        gap: between two parts [px]; None: as Qt has it.
        around: left, above, right and below of all [px]; None: as Qt has it.
    """
    return _line(QBoxLayout.Direction.LeftToRight, within, gap, around)


def in_column(
    within: QWidget | None = None, *, gap: int | None = None, around: Around | None = NOTHING
) -> Line:
    """A line from top to bottom, else as `in_row`."""
    return _line(QBoxLayout.Direction.TopToBottom, within, gap, around)


def _line(
    way: QBoxLayout.Direction, within: QWidget | None, gap: int | None, around: Around | None
) -> Line:
    line = Line(way, within)
    if around is not None:
        line.setContentsMargins(*around)
    if gap is not None:
        line.setSpacing(gap)
    return line


class Scroller(QScrollArea):
    """Holds what may be higher than its room, on the ground that it stands on."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def hold(self, content: QWidget) -> None:
        """Shows this, without a ground of its own."""
        self.setWidget(content)
        if not self.accessibleName():
            self.setAccessibleName(content.accessibleName() or tr("Area that scrolls"))
        content.setAutoFillBackground(False)
        self.viewport().setAutoFillBackground(False)


def clearable(line: QLineEdit) -> None:
    """Gives a line the button that empties it, which Qt leaves without a name."""
    line.setClearButtonEnabled(True)
    for button in line.findChildren(QToolButton):
        button.setAccessibleName(tr("Clear"))


class ProgressLine(QProgressBar):
    """How far a calculation is, as a thin line."""

    STEPS = 1000

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setRange(0, self.STEPS)
        self.setTextVisible(False)
        self.setFixedHeight(6)
        self.setAccessibleName(tr("Calculating"))

    def show_share(self, share: float) -> None:
        self.setValue(round(share * self.STEPS))


def styled(widget: W, role: str) -> W:
    """The same widget, in a role of the style sheet."""
    widget.setProperty("role", role)
    return widget


def wrapped(text: str = "", parent: QWidget | None = None, *, role: str = "") -> QLabel:
    """A label of as many lines as its words need."""
    label = QLabel(text, parent)
    label.setWordWrap(True)
    return styled(label, role) if role else label


def tool_button(
    parent: QWidget, sign: str = "", text: str = "", *, tip: str = "", name: str = ""
) -> QToolButton:
    """A button with a sign or a text; one without text is called by its tip."""
    button = QToolButton(parent)
    button.setText(text)
    button.setToolTip(tip)
    button.setAccessibleName(name or ("" if text else tip))
    if sign:
        button.setIcon(icon(sign))
    return button


def switch(
    parent: QWidget, text: str, *, tip: str = "", name: str = "", role: str = ""
) -> QToolButton:
    """A button with a text that stays pressed."""
    button = styled(tool_button(parent, text=text, tip=tip, name=name), role)
    button.setCheckable(True)
    return button
