"""One row of evidence in full: where it stands, what was measured, how it is printed."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import (
    QLabel,
    QPushButton,
    QStackedLayout,
    QWidget,
)

from app.language import local, tr
from app.qtmodels.evidence import (
    BLANK,
    DOUBTED,
    family_text,
    kind_of,
    kind_text,
    printed_text,
    quantity_text,
    ram_text,
    storage_text,
)
from app.widgets.evidence.cell_view import SIGN_PX, SIGNS, sign_ink
from app.widgets.labels import Empty, Sign, tint
from app.widgets.marks import scaled_font
from app.widgets.parts import STRETCH, Scroller, in_column, in_row, styled
from app.widgets.sections.view import DefinitionsWidget
from app.wording import locale_style
from models.evidence.rows import EvidenceRow
from models.scenario.wording import Style, number
from models.tell.blocks import Definitions

ABOUT_KINDS = {
    DOUBTED: tr("Its authors doubt this figure: it is kept out of every fit and every error."),
    BLANK: tr("The cell is blank in the source: there is no figure."),
}


def source_fields(row: EvidenceRow, style: Style) -> list[tuple[str, str]]:
    """Names and values of a row, in reading order; what the source does not give is left out."""
    users = "" if row.users is None else number(row.users, style=style)
    fields = (
        (tr("Document"), row.document),
        (tr("Table"), row.table),
        (tr("Platform"), row.platform),
        (tr("Hypervisor"), row.hypervisor),
        (tr("Storage mode"), storage_text(row)),
        ("RAM", ram_text(row) if row.ram_gb else ""),
        ("CPU", row.cpu),
        (tr("Workload"), row.workload),
        (tr("Users"), users),
        (tr("As printed"), row.printed or tr("nothing")),
        (tr("Kind"), kind_text(row)),
        (tr("Family"), family_text(row.family)),
        (tr("Note"), local(row.note)),
        ("Id", row.id),
    )
    return [(name, value) for name, value in fields if value]


class SourceCard(QWidget):
    """The source of one figure; a hint while none is chosen.

    Signals:
        all_requested: evidence id that is to be shown among all others.
    """

    all_requested = Signal(str)

    def __init__(self, hint: str, *, is_linked: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.row: EvidenceRow | None = None
        self._value = QLabel(self)
        self._remark = QLabel(self)
        self._about = QLabel(self)
        self._sign = Sign(parent=self, side=SIGN_PX + 2)
        self._facts = DefinitionsWidget(self)
        self._empty = Empty("file-text", hint, self)
        self.link = QPushButton(tr("Show among all evidence"), self)
        self.link.setVisible(is_linked)
        self.link.clicked.connect(self._ask_for_all)
        self._lay_out()
        self.setAccessibleName(tr("Source row"))
        self.show_row(None)

    @property
    def shown(self) -> dict[str, str]:
        """What stands on the card, by name."""
        pairs = self._facts.pairs
        return {name.text(): value.text() for name, value in pairs if not name.isHidden()}

    def show_row(self, row: EvidenceRow | None, remark: str = "") -> None:
        """Shows a row, and under its figure what there is to say about it."""
        self.row = row
        self._place.setCurrentWidget(self._empty if row is None else self._area)
        if row is None:
            self.setAccessibleDescription("")
            return
        fields = source_fields(row, locale_style())
        self._value.setText(f"{quantity_text(row.metric)}: {printed_text(row)}")
        self._remark.setText(remark)
        self._remark.setVisible(bool(remark))
        kind = kind_of(row)
        self._about.setText(ABOUT_KINDS.get(kind, ""))
        self._about.setVisible(kind in ABOUT_KINDS)
        tint(self._about, sign_ink(kind))
        self._sign.setVisible(kind in SIGNS)
        self._sign.show_sign(SIGNS.get(kind, ""), sign_ink(kind))
        self._facts.show_block(Definitions(tuple(fields)))
        self.setAccessibleDescription("; ".join(f"{name}: {value}" for name, value in fields))
        self._area.verticalScrollBar().setValue(0)

    def _ask_for_all(self) -> None:
        if self.row is not None:
            self.all_requested.emit(self.row.id)

    def _lay_out(self) -> None:
        self._value.setFont(scaled_font(self.font(), 1.25, QFont.Weight.DemiBold))
        for label in (self._value, self._remark, self._about):
            label.setWordWrap(True)
            label.setTextFormat(Qt.TextFormat.PlainText)
        head = in_row(gap=6).put((self._sign, 0, Qt.AlignmentFlag.AlignTop), (self._about, 1))
        self._content = QWidget(self)
        link = (self.link, 0, Qt.AlignmentFlag.AlignLeft)
        in_column(self._content, gap=6, around=(12, 8, 12, 10)).put(
            self._value, self._remark, head, self._facts, link, STRETCH
        )
        self._facts.grid.setHorizontalSpacing(12)
        self._facts.grid.setVerticalSpacing(4)
        self._area = styled(Scroller(self), "reading")
        self._area.hold(self._content)
        self._area.setAccessibleName(tr("Source row"))
        self._place = QStackedLayout(self)
        self._place.addWidget(self._empty)
        self._place.addWidget(self._area)
