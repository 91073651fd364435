"""What an empty board offers: an example, totals, a file, or the catalog."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QLabel, QPushButton, QWidget

from app.language import tr
from app.widgets.labels import Sign
from app.widgets.parts import STRETCH, in_column, styled

WIDTH = 270
LOW = 320
ICON = 44


class EmptyBoard(QWidget):
    """Stands on the board while there is nothing on it.

    Signals:
        example_chosen: id of a worked example.
        import_requested: the user wants to bring a scenario file.
        catalog_requested: the user wants to begin with a host from the catalog.
        totals_requested: the user wants a first design from totals.
    """

    example_chosen = Signal(str)
    import_requested = Signal()
    catalog_requested = Signal()
    totals_requested = Signal()

    def __init__(self, examples: Sequence[tuple[str, str]], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("empty_board")
        self.setAccessibleName(tr("Nothing on the board yet"))
        self._sign = Sign("server", "line_strong", self, side=ICON)
        self._buttons: dict[QPushButton, str] = {}
        self._hint = self._line(
            tr("Drag a server from the catalog onto the board, then a workload onto it.")
        )
        host = styled(self._button(tr("Find a server in the catalog")), "primary")
        host.clicked.connect(self.catalog_requested)
        bring = self._button(tr("Import a customer’s files…"))
        bring.clicked.connect(self.import_requested)
        totals = self._button(tr("Start from totals…"))
        totals.clicked.connect(self.totals_requested)
        self._rows = [_Rows([host, totals, bring])]
        self._or = self._line(tr("or open a worked example"))
        for id, title in examples:
            button = self._button(title)
            button.clicked.connect(self._choose)
            self._buttons[button] = id
        self._rows.append(_Rows(list(self._buttons)))
        in_column(self, gap=8, around=None).put(
            (STRETCH, 1),
            (self._sign, 0, Qt.AlignmentFlag.AlignHCenter),
            self._line(tr("Nothing on the board yet"), "title"),
            self._hint,
            4,
            self._rows[0],
            6,
            self._or,
            self._rows[1],
            (STRETCH, 2),
        )
        self.setFocusProxy(host)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        is_wide = event.size().width() >= 2 * max(map(_width, self.findChildren(QPushButton))) + 40
        for rows in self._rows:
            rows.arrange(2 if is_wide else 1)
        self._make_room(event.size())

    def _make_room(self, size: QSize) -> None:
        """The sign is the first to go where there is little height, then the examples."""
        layout = self.layout()
        assert layout is not None
        groups: tuple[list[QWidget], ...] = ([self._sign], [self._or, *self._buttons], [self._hint])
        for group in groups:
            for widget in group:
                widget.show()
        self._sign.setVisible(size.height() >= LOW)
        for group in groups:
            layout.activate()
            if layout.totalHeightForWidth(size.width()) <= size.height():
                break
            for widget in group:
                widget.hide()

    def _line(self, text: str, role: str = "muted") -> QLabel:
        label = styled(QLabel(text, self), role)
        label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        label.setWordWrap(role == "muted")
        return label

    def _button(self, text: str) -> QPushButton:
        button = QPushButton(text, self)
        button.setMinimumWidth(WIDTH)
        button.setToolTip(text)
        button.setAutoDefault(True)
        return button

    def _choose(self) -> None:
        button = self.sender()
        if isinstance(button, QPushButton):
            self.example_chosen.emit(self._buttons[button])


class _Rows(QGridLayout):
    """Buttons equally wide in the middle: two a row, one where the board is narrow."""

    def __init__(self, buttons: Sequence[QPushButton]) -> None:
        super().__init__()
        self._buttons = buttons
        self._columns = 0
        self.setHorizontalSpacing(8)
        self.setVerticalSpacing(6)
        self.setColumnStretch(0, 1)
        self.setColumnStretch(3, 1)
        self.arrange(2)

    def arrange(self, columns: int) -> None:
        if columns == self._columns:
            return
        self._columns = columns
        for button in self._buttons:
            self.removeWidget(button)
        for position, button in enumerate(self._buttons):
            row, column = divmod(position, columns)
            is_alone = column == 0 and (columns == 1 or position == len(self._buttons) - 1)
            self.addWidget(button, row, 1 + column, 1, 2 if is_alone else 1)


def _width(button: QPushButton) -> int:
    return max(button.sizeHint().width(), button.minimumWidth())
