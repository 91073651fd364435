"""What travels by drag and by clipboard, as values to and from `QMimeData`."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from enum import StrEnum

from PySide6.QtCore import QByteArray, QMimeData

CATALOG_TYPE = "application/x-headroom-catalog"
VMS_TYPE = "application/x-headroom-vms"


class CatalogKind(StrEnum):
    """What a catalog row can become on the board."""

    SERVER = "server"
    ARRAY = "array"
    WORKLOAD = "workload"
    HYPERVISOR = "hypervisor"


@dataclass(frozen=True, slots=True)
class CatalogItem:
    """A catalog row being dragged: `id` of a catalog entry, or the word of a workload kind."""

    kind: CatalogKind
    id: str


@dataclass(frozen=True, slots=True)
class VmClip:
    """VMs on the clipboard; cut ones move when they are pasted, others are duplicated.

    `place` is where they were taken, as `Session.place` has it: elsewhere their ids mean others.
    """

    ids: tuple[str, ...]
    is_cut: bool
    place: tuple[str, str]


def mime_of_catalog(item: CatalogItem) -> QMimeData:
    return _mime(CATALOG_TYPE, asdict(item))


def catalog_item(data: QMimeData) -> CatalogItem | None:
    """The catalog row in `data`; None when it holds something else."""
    try:
        fields = json.loads(bytes(data.data(CATALOG_TYPE).data()))
        return CatalogItem(CatalogKind(fields["kind"]), str(fields["id"]))
    except (ValueError, KeyError, TypeError):
        return None


def mime_of_vms(clip: VmClip, names: str) -> QMimeData:
    """The clip, with the names as text for other programs."""
    data = _mime(VMS_TYPE, asdict(clip))
    data.setText(names)
    return data


def vm_clip(data: QMimeData | None) -> VmClip | None:
    """The VMs in `data`; None when it holds something else, or nothing."""
    if data is None:
        return None
    try:
        fields = json.loads(bytes(data.data(VMS_TYPE).data()))
        token, scenario = fields["place"]
        ids = tuple(str(id) for id in fields["ids"])
        return VmClip(ids, bool(fields["is_cut"]), (str(token), str(scenario)))
    except (ValueError, KeyError, TypeError):
        return None


def _mime(kind: str, fields: dict[str, object]) -> QMimeData:
    data = QMimeData()
    data.setData(kind, QByteArray(json.dumps(fields).encode()))
    return data
