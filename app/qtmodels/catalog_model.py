"""The catalog as a list to look through and to drag from."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QMimeData,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
)

from app.language import local, tr, trn
from app.mime import CATALOG_TYPE, CatalogItem, CatalogKind, mime_of_catalog
from app.wording import locale_style, tip_text
from models.base.lettering import set_apart
from models.catalog.catalog import Array, Catalog, Hypervisor, Profile, Role, Server
from models.catalog.field_values import entry_name
from models.evidence.citation import in_short
from models.scenario.wording import number
from models.scenario.workloads import WORKLOADS, WorkloadKind

Index = QModelIndex | QPersistentModelIndex
ROW_ROLE = Qt.ItemDataRole.UserRole + 1
_TIERS = re.compile(r"^\d+ × |\b(?:Bronze|Silver|Gold|Platinum|EPYC|Xeon) ")


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogRow:
    """One row: what it is, what it says, and what a search looks through.

    Attributes:
        short: the name without its maker, for narrow lists.
        mark: what tells it from others of the same name: its processor.
        is_own: the user made it.
    """

    item: CatalogItem
    name: str
    detail: str
    is_reference: bool
    source: str = ""
    short: str = ""
    mark: str = ""
    is_own: bool = False

    @property
    def badge(self) -> str:
        """One word that sets it apart from the shipped entries for purchase."""
        if self.is_own:
            return tr("own")
        return tr("reference") if self.is_reference else ""

    @property
    def spoken(self) -> str:
        """All of it, for those who can't see it."""
        badge = tr(", reference system") if self.is_reference else ""
        return f"{self.label}, {self.detail}{tr(', own entry') if self.is_own else badge}"

    @property
    def label(self) -> str:
        """Name and mark."""
        return f"{self.name} · {self.mark}" if self.mark else self.name

    def matches(self, words: Sequence[str]) -> bool:
        text = f"{self.name} {self.detail}".casefold()
        return all(word in text for word in words)


def catalog_rows(catalog: Catalog, own: Catalog | None = None) -> tuple[CatalogRow, ...]:
    """All rows in the order of the sections; newest first where years are known.

    Entries that `own` has too are marked and come before all others.
    """
    rows = _section_rows(catalog)
    if own is None:
        return rows
    mine = {CatalogItem(kind, id) for kind, ids in _ids(own).items() for id in ids}
    marked = [replace(row, is_own=row.item in mine) for row in rows]
    return tuple(sorted(marked, key=lambda row: not row.is_own))


def _ids(own: Catalog) -> dict[CatalogKind, Iterable[str]]:
    return {
        CatalogKind.SERVER: own.servers,
        CatalogKind.ARRAY: own.arrays,
        CatalogKind.WORKLOAD: own.profiles,
        CatalogKind.HYPERVISOR: own.hypervisors,
    }


def _section_rows(catalog: Catalog) -> tuple[CatalogRow, ...]:
    servers = tuple(map(_server_row, _newest_first(catalog.servers.values())))
    counts = Counter(row.name for row in servers)
    return (
        *(row if counts[row.name] > 1 else replace(row, mark="") for row in servers),
        *map(_array_row, _newest_first(catalog.arrays.values())),
        *map(_profile_row, catalog.profiles.values()),
        *map(_workload_row, WorkloadKind),
        *map(_hypervisor_row, _by_version(catalog.hypervisors.values())),
    )


def _newest_first(entries: Iterable[Server] | Iterable[Array]) -> Iterator[Any]:
    """For purchase before reference systems, newest before older ones."""
    return iter(sorted(entries, key=lambda e: (e.role is Role.REFERENCE, -(e.year or 0), e.name)))


def _by_version(entries: Iterable[Hypervisor]) -> list[Hypervisor]:
    return sorted(entries, key=lambda each: each.version, reverse=True)


def _number(value: float, decimals: int = 0) -> str:
    return number(value, decimals, style=locale_style())


def _server_row(server: Server) -> CatalogRow:
    """The machine on the first line; processors, cores and year on the second.

    The mark is the processor's own number, without how many there are and its tier.
    """
    machine, _, processors = server.name.partition(", ")
    parts = [
        processors,
        tr("{cores} cores", cores=server.cores),
        "" if server.year is None else str(server.year),
        f"{_number(server.base_mhz / 1000, 2)} GHz" if server.base_mhz else "",
        ""
        if server.max_ram_gib is None
        else tr("up to {max_ram_gib} GiB", max_ram_gib=_number(server.max_ram_gib)),
    ]
    return CatalogRow(
        item=CatalogItem(CatalogKind.SERVER, server.id),
        name=_full_name(server.vendor, machine),
        short=machine.removeprefix(f"{server.vendor} "),
        mark=_TIERS.sub("", processors),
        detail=", ".join(part for part in parts if part),
        is_reference=server.role is Role.REFERENCE,
        source=server.provenance.source,
    )


def _array_row(array: Array) -> CatalogRow:
    parts = [array.kind] if array.kind else []
    if array.ceiling_iops is not None:
        parts.append(tr("up to {ceiling_iops} IOPS", ceiling_iops=_number(array.ceiling_iops)))
    if array.year is not None:
        parts.append(str(array.year))
    return CatalogRow(
        item=CatalogItem(CatalogKind.ARRAY, array.id),
        name=_full_name(array.vendor, array.name),
        detail=", ".join(parts),
        is_reference=array.role is Role.REFERENCE,
        source=array.provenance.source,
    )


def _workload_row(kind: WorkloadKind) -> CatalogRow:
    return CatalogRow(
        item=CatalogItem(CatalogKind.WORKLOAD, kind.value),
        name=local(WORKLOADS[kind].name),
        detail=local(WORKLOADS[kind].detail),
        is_reference=False,
    )


def _profile_row(profile: Profile) -> CatalogRow:
    vcpus = (
        tr("1 vCPU") if profile.vcpus == 1 else tr("{vcpus} vCPUs", vcpus=_number(profile.vcpus))
    )
    size = f"{vcpus}, {_number(profile.ram_gib, 1)} GiB"
    return CatalogRow(
        item=CatalogItem(CatalogKind.WORKLOAD, profile.id),
        name=set_apart(profile.name),
        detail=f"{local(WORKLOADS[profile.workload.kind].name)}, {size}",
        is_reference=False,
        source=profile.provenance.source,
    )


def _hypervisor_row(hypervisor: Hypervisor) -> CatalogRow:
    parts = []
    if hypervisor.max_vcpus_per_vm is not None:
        parts.append(
            tr(
                "up to {max_vcpus_per_vm} vCPUs a VM",
                max_vcpus_per_vm=_number(hypervisor.max_vcpus_per_vm),
            )
        )
    if hypervisor.ft_max_vcpus:
        parts.append(trn("FT to {count} vCPU", "FT to {count} vCPUs", hypervisor.ft_max_vcpus))
    return CatalogRow(
        item=CatalogItem(CatalogKind.HYPERVISOR, hypervisor.id),
        name=local(entry_name(hypervisor)),
        detail=", ".join(parts) or tr("one operating system on the bare machine"),
        is_reference=False,
        source=hypervisor.provenance.source,
    )


def _full_name(vendor: str, name: str) -> str:
    full = name if name.startswith(vendor) or vendor == "Generic" else f"{vendor} {name}"
    return set_apart(full)


class CatalogModel(QAbstractListModel):
    """The rows of one section, or of all sections while a search is on."""

    def __init__(self, catalog: Catalog, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._all = catalog_rows(catalog)
        self._kind = CatalogKind.SERVER
        self._words: tuple[str, ...] = ()
        self._rows = self._chosen()

    def set_catalog(self, catalog: Catalog, own: Catalog | None = None) -> None:
        """Shows these entries; those that `own` has too are the user's."""
        self._all = catalog_rows(catalog, own)
        self._reset()

    def set_kind(self, kind: CatalogKind) -> None:
        self._kind = kind
        self._reset()

    def set_search(self, text: str) -> None:
        self._words = tuple(text.casefold().split())
        self._reset()

    @property
    def kind(self) -> CatalogKind:
        return self._kind

    def row(self, index: Index) -> CatalogRow:
        return self._rows[index.row()]

    def index_of(self, item: CatalogItem) -> QModelIndex:
        """Where a catalog row stands now; an invalid index when it isn't shown."""
        for position, row in enumerate(self._rows):
            if row.item == item:
                return self.index(position)
        return QModelIndex()

    def _chosen(self) -> list[CatalogRow]:
        if self._words:
            return [row for row in self._all if row.matches(self._words)]
        return [row for row in self._all if row.item.kind is self._kind]

    def _reset(self) -> None:
        self.beginResetModel()
        self._rows = self._chosen()
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row = self._rows[index.row()]
        if role == ROW_ROLE:
            return row
        if role == Qt.ItemDataRole.DisplayRole:
            return row.label
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return row.spoken
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip_text(_tip(row))
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        return flags | Qt.ItemFlag.ItemIsDragEnabled if index.isValid() else flags

    def mimeTypes(self) -> list[str]:
        return [CATALOG_TYPE]

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        return mime_of_catalog(self._rows[indexes[0].row()].item) if indexes else QMimeData()


def _tip(row: CatalogRow) -> str:
    lines = [row.label, row.detail]
    if row.is_own:
        lines.append(tr("Your own entry."))
    if row.is_reference:
        lines.append(tr("Reference system: it reproduces a measurement, it is not for purchase."))
    if row.source:
        lines.append(tr("Source: {source}", source=in_short(row.source)))
    return "\n".join(line for line in lines if line)
