"""Who gave a value, as icon and word, and whether it is pinned: a button that asks for both."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QColor, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QMenu, QSizePolicy, QWidget

from app.icons import draw_icon, icon
from app.language import local, tr
from app.look import LOOK
from app.widgets.marks import scaled_font
from models.scenario.origin import Origin

ORIGIN_ICONS = {
    Origin.MEASURED: "own-measured",
    Origin.IMPORTED: "file-down",
    Origin.CALIBRATED: "own-compare",
    Origin.CUSTOMER: "message-square",
    Origin.BENCHMARK: "book-open",
    Origin.DEFAULT: "circle-dashed",
    Origin.AUTO: "own-auto",
    Origin.ASSUMED: "own-unknown",
    Origin.MANUAL: "pencil",
}
ORIGIN_TIPS = {
    Origin.MEASURED: tr("Somebody measured it at this customer."),
    Origin.IMPORTED: tr("It came with an imported file."),
    Origin.CALIBRATED: tr("It follows from measured servers of this customer."),
    Origin.CUSTOMER: tr("The customer said so."),
    Origin.BENCHMARK: tr("A published benchmark ran with it."),
    Origin.DEFAULT: tr("The program or the catalog gave it; nobody has looked at it yet."),
    Origin.AUTO: tr("An automatic feature chose it."),
    Origin.ASSUMED: tr("The import assumed it, as no file said it."),
    Origin.MANUAL: tr("It was entered by hand."),
}
PIN_ICON = "own-pin"
SEVERAL = "several"
SEVERAL_ICON = "layers"


class OriginBadge(QAbstractButton):
    """Shows origin and pin of one input; its menu sets them.

    Signals:
        origin_asked: another `Origin`.
        pin_asked: whether the value is to be pinned.
    """

    origin_asked = Signal(object)
    pin_asked = Signal(bool)

    def __init__(self, subject: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._subject = subject
        self.origin: Origin | None = None
        """The origin shown; None for several."""
        self.is_pinned = False
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        # The field beside it is the stop of the Tab key; an action of the window opens the menu.
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.clicked.connect(self.open_menu)
        self.show_origin(Origin.DEFAULT, is_pinned=False)

    def show_origin(self, origin: Origin | None, *, is_pinned: bool) -> None:
        """Shows an origin, None for several of them."""
        if self.text() and (origin, is_pinned) == (self.origin, self.is_pinned):
            return
        self.origin, self.is_pinned = origin, is_pinned
        word = SEVERAL if origin is None else local(origin.label)
        self.setText(word)
        pinned = tr(", pinned") if is_pinned else ""
        self.setAccessibleName(
            tr(
                "Origin of {subject}: {word}{pinned}",
                subject=self._subject,
                word=word,
                pinned=pinned,
            )
        )
        tip = tr("These items have it from several.") if origin is None else ORIGIN_TIPS[origin]
        more = tr("\nPinned: automatic changes leave it alone.") if is_pinned else ""
        self.setToolTip(f"{tip}{more}")
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return self._size(self.text(), is_pinned=self.is_pinned)

    @property
    def widest(self) -> int:
        """Room for every origin there is, so that fields stay where they are."""
        return max(self._size(local(origin.label), is_pinned=False).width() for origin in Origin)

    def _size(self, text: str, *, is_pinned: bool) -> QSize:
        metrics = QFontMetricsF(scaled_font(self.font(), 0.84))
        side = metrics.height()
        width = side + 4 + metrics.horizontalAdvance(text) + side * is_pinned
        return QSize(round(width), round(side))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        theme, box = LOOK.theme, QRectF(self.rect())
        is_near = self.underMouse() or self.hasFocus()
        side = box.height() - 3
        sign = QRectF(box.left(), box.top() + 1.5, side, side)
        name = SEVERAL_ICON if self.origin is None else ORIGIN_ICONS[self.origin]
        colour = theme.accent if is_near else theme.muted
        draw_icon(painter, sign, name, colour)
        painter.setFont(scaled_font(self.font(), 0.84))
        painter.setPen(QColor(colour))
        words = box.adjusted(side + 4, 0, 0, 0)
        painter.drawText(words, Qt.AlignmentFlag.AlignVCenter, self.text())
        if self.is_pinned:
            pin = QRectF(box.right() - side, box.top() + 1.5, side, side)
            draw_icon(painter, pin, PIN_ICON, theme.accent)
        if self.hasFocus():
            painter.setPen(QPen(QColor(theme.accent), 1))
            painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3)
        painter.end()

    def open_menu(self) -> None:
        """The origins to choose from, and the pin, below the badge."""
        menu = self.menu()
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(self.mapToGlobal(QPoint(0, self.height())))

    def menu(self) -> QMenu:
        """A fresh menu with the present state checked."""
        menu = QMenu(self)
        menu.setToolTipsVisible(True)
        group = QActionGroup(menu)
        for origin in Origin:
            entry = QAction(icon(ORIGIN_ICONS[origin]), local(origin.label).capitalize(), menu)
            entry.setData(origin)
            entry.setCheckable(True)
            entry.setChecked(origin is self.origin)
            entry.setToolTip(ORIGIN_TIPS[origin])
            group.addAction(entry)
            menu.addAction(entry)
        menu.addSeparator()
        pin = QAction(tr("Pinned against automatic changes"), menu)
        pin.setCheckable(True)
        pin.setChecked(self.is_pinned)
        menu.addAction(pin)
        group.triggered.connect(self._chosen)
        pin.triggered.connect(self.pin_asked)
        return menu

    def _chosen(self, entry: QAction) -> None:
        self.origin_asked.emit(Origin(entry.data()))
