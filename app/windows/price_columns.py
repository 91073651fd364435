"""What the columns of a price list are: guessed, confirmed by a person, kept for the next one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtWidgets import QDialog, QDialogButtonBox, QWidget

from app.language import tr
from app.widgets.parts import in_column
from app.windows.import_page.columns import ColumnsPanel
from db.importers.profile import Profile
from db.importers.saved_profiles import TableFound, kept_profiles
from db.importers.tables import keyed
from db.price_book import COLUMN_WORDS

FOLDER = "prices"
WIDE_PX, HIGH_PX = 900, 520


class PriceColumns(QDialog):
    """Asks what the columns of a price list are."""

    def __init__(self, name: str, tables: Sequence[TableFound], parent: QWidget | None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Columns of the price list"))
        self.resize(WIDE_PX, HIGH_PX)
        self.panel = ColumnsPanel(self, COLUMN_WORDS, _asked)
        self.panel.leave_out_what_vms_have()
        self.panel.show_tables(name, tables, None)
        self.panel.applied.connect(self.accept)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel, self)
        buttons.rejected.connect(self.reject)
        in_column(self, around=(12, 12, 12, 12)).put((self.panel, 1), buttons)

    @classmethod
    def ask(cls, name: str, tables: Sequence[TableFound], parent: QWidget | None) -> Profile | None:
        """What somebody says of them; None where it is called off."""
        dialog = cls(name, tables, parent)
        try:
            return dialog.panel.profile() if dialog.exec() else None
        finally:
            dialog.deleteLater()


def _asked(name: str) -> str:
    return tr(
        "{name}: say what each column is; the item and a price will do. It is kept for lists with "
        "the same headings.",
        name=name,
    )


def kept_for(tables: Sequence[TableFound], profiles: Path) -> Profile | None:
    """What was said of a list with the same headings; None where nobody has to, or nobody did."""
    heads = [{keyed(heading) for heading in each.head} for each in tables]
    for profile in kept_profiles(profiles / FOLDER, tuple(COLUMN_WORDS)):
        if any(
            {keyed(each.heading) for each in profile.columns.values()} <= head for head in heads
        ):
            return profile
    return None
