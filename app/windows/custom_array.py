"""The dialog for a storage array that the catalog does not have."""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import ClassVar

from PySide6.QtWidgets import QWidget

from app.language import tr
from app.widgets.fields import Choice, SeveralField, TickBox
from app.windows.entry_dialog import Entered, EntryDialog, asked
from app.wording import locale_style, with_unit
from models.catalog import Array, RaidLevel
from models.custom_array import custom_array
from models.errors import ModelError
from models.wording import NO_DATA_TEXT, exact_text


class CustomArrayDialog(EntryDialog[Array]):
    """Name, what the controllers carry, and what can be built into it."""

    TITLE: ClassVar[str] = tr("Custom array")
    EXAMPLE: ClassVar[str] = tr("Such as FAS3240 HA pair")
    KIND: ClassVar[type] = Array

    def __init__(
        self,
        raid_levels: Mapping[str, RaidLevel],
        taken: Container[str],
        parent: QWidget | None = None,
        *,
        edited: Array | None = None,
        keep: bool = True,
    ) -> None:
        super().__init__(taken, parent, edited=edited, keep=keep)
        self._levels = raid_levels
        self.ceiling = self._number("ceiling_iops", step=1000)
        self.flash = TickBox(tr("All &flash"), self)
        self.latency = self._number("latency_ms", step=0.1, optional=False)
        self.drives = self._number("max_drives")
        self.cache = self._number("cache_gib")
        self.hits = self._number("read_cache_hit", step=5)
        self.year = self._number("year", grouped=False)
        self.raid = SeveralField(empty=tr("any"), parent=self)
        self.raid.offer(tuple(Choice(level.id, level.name) for level in raid_levels.values()))
        self.raid.setAccessibleName(tr("RAID levels"))
        self._lay_out()
        self._finish()

    @classmethod
    def ask(
        cls,
        raid_levels: Mapping[str, RaidLevel],
        taken: Container[str],
        parent: QWidget | None = None,
        *,
        edited: Array | None = None,
        keep: bool = True,
    ) -> Entered[Array] | None:
        """Asks for an array whose id is none of `taken`; None when the user thought better."""
        return asked(cls(raid_levels, taken, parent, edited=edited, keep=keep))

    def _lay_out(self) -> None:
        self.form.addRow(tr("&Name"), self.name)
        self._row("ceiling_iops")
        self.form.addRow("", self.flash)
        self._row("latency_ms")
        self._row("max_drives")
        self.form.addRow(tr("&RAID levels"), self.raid)
        self._row("cache_gib")
        self._row("read_cache_hit")
        self._row("year")
        self.latency.show_value(0.5)
        self.form.setRowVisible(self.latency, False)
        self.flash.toggled.connect(self._turn)
        self.raid.committed.connect(self._choose_raid)

    def _turn(self, is_flash: bool) -> None:
        self.form.setRowVisible(self.latency, is_flash)
        self.renew()

    def _choose_raid(self, levels: tuple[str, ...]) -> None:
        self.raid.show_value(levels)
        self.renew()

    def _show_entry(self, entry: Array) -> None:
        self.name.setText(entry.name)
        self.ceiling.show_value(entry.ceiling_iops)
        self.flash.setChecked(entry.latency_ms is not None)
        if entry.latency_ms is not None:
            self.latency.show_value(entry.latency_ms)
        self.drives.show_value(entry.max_drives)
        self.cache.show_value(entry.cache_gib)
        self.hits.show_value(entry.read_cache_hit)
        self.year.show_value(entry.year)
        self.raid.show_value(entry.raid_levels)

    def _made(self) -> Array:
        is_flash = self.flash.isChecked()
        latency_ms = self._read(self.latency) if is_flash else None
        if is_flash and latency_ms is None:
            raise ModelError(tr("a number is needed here"), field="latency_ms")
        return custom_array(
            name=self.name.text(),
            raid_levels=[str(level) for level in self.raid.value],
            ceiling_iops=self._read(self.ceiling),
            latency_ms=latency_ms,
            max_drives=self._whole(self.drives),
            cache_gib=self._read(self.cache),
            read_cache_hit=self._read(self.hits),
            year=self._whole(self.year),
            taken=self._taken,
        )

    def _facts(self, entry: Array) -> str:
        style = locale_style()
        ceiling = entry.ceiling_iops
        carried = (
            tr(
                "its controllers’ limit is {no_data_text}: it is not checked",
                no_data_text=NO_DATA_TEXT,
            )
            if ceiling is None
            else tr(
                "controllers for {ceiling}",
                ceiling=with_unit(exact_text(ceiling, style=style), "IOPS"),
            )
        )
        levels = ", ".join(self._levels[id].name for id in entry.raid_levels if id in self._levels)
        return "\n".join((carried, levels or tr("any RAID level")))
