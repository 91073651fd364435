"""What an empty board offers: an example, a file, or the catalog."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

from app.icons import icon_pixmap
from app.theme import Theme

WIDTH = 430
ICON = 44


class EmptyBoard(QWidget):
    """Stands on the board while there is nothing on it.

    Signals:
        example_chosen: id of a worked example.
        import_requested: the user wants to bring a scenario file.
        catalog_requested: the user wants to begin with a host from the catalog.
    """

    example_chosen = Signal(str)
    import_requested = Signal()
    catalog_requested = Signal()

    def __init__(self, examples: Sequence[tuple[str, str]], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("empty_board")
        self.setAccessibleName("Nothing on the board yet")
        self._sign = QLabel(self)
        self._sign.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self._buttons: dict[QPushButton, str] = {}
        layout = QVBoxLayout(self)
        layout.setSpacing(8)
        layout.addStretch(1)
        layout.addWidget(self._sign)
        layout.addWidget(self._line("Nothing on the board yet", "title"))
        layout.addWidget(
            self._line("Drag a server from the catalog onto the board, then a workload onto it.")
        )
        layout.addSpacing(6)
        host = self._button("Find a server in the catalog")
        host.setProperty("role", "primary")
        host.clicked.connect(self._ask_catalog)
        layout.addWidget(host, 0, Qt.AlignmentFlag.AlignHCenter)
        bring = self._button("Import a scenario…")
        bring.clicked.connect(self._ask_import)
        layout.addWidget(bring, 0, Qt.AlignmentFlag.AlignHCenter)
        layout.addSpacing(10)
        layout.addWidget(self._line("or open a worked example"))
        for id, title in examples:
            button = self._button(title)
            button.clicked.connect(self._choose)
            self._buttons[button] = id
            layout.addWidget(button, 0, Qt.AlignmentFlag.AlignHCenter)
        layout.addStretch(2)

    def set_theme(self, theme: Theme) -> None:
        pixmap: QPixmap = icon_pixmap("server", theme.line_strong, ICON, self.devicePixelRatioF())
        self._sign.setPixmap(pixmap)

    def _line(self, text: str, role: str = "muted") -> QLabel:
        label = QLabel(text, self)
        label.setProperty("role", role)
        label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        label.setWordWrap(role == "muted")
        return label

    def _button(self, text: str) -> QPushButton:
        button = QPushButton(text, self)
        button.setFixedWidth(WIDTH)
        button.setAutoDefault(True)
        return button

    def _ask_catalog(self) -> None:
        self.catalog_requested.emit()

    def _ask_import(self) -> None:
        self.import_requested.emit()

    def _choose(self) -> None:
        button = self.sender()
        if isinstance(button, QPushButton):
            self.example_chosen.emit(self._buttons[button])
