"""Invented names for what people named: the same one for the same name, wherever it stands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any

from models.intake.records import DatastoreRecord, Key, Place, Preview, Records, Subject, VmRecord

_KINDS = {
    "datacenter": "datacenter",
    "cluster": "cluster",
    "host": "host",
    "datastore": "datastore",
    "vcenter": "vcenter",
    "folder": "folder",
}
_OWN = {
    "vms": "vm",
    "hosts": "host",
    "clusters": "cluster",
    "datastores": "datastore",
    "domino": "domino",
}
_OF_SUBJECT = {
    Subject.VM: "vm",
    Subject.HOST: "host",
    Subject.DATASTORE: "datastore",
    Subject.DEVICE: "device",
    Subject.MACHINE: "vm",
}


class _Names:
    """Invented names by kind and real name, numbered in the order in which they come."""

    def __init__(self) -> None:
        self.made: dict[str, dict[str, str]] = {}

    def __call__(self, kind: str, name: str) -> str:
        if not name:
            return name
        known = self.made.setdefault(kind, {})
        return known.setdefault(name, f"{kind}-{len(known) + 1:04d}")


def pseudonymised(
    sources: Sequence[Records],
) -> tuple[list[Records], Mapping[str, Mapping[str, str]]]:
    """Copies of the records without names of the customer, and the invented names by the real.

    Ids stay, for they join files and name nobody; first rows of tables are left out.
    """
    names = _Names()
    return [_records(each, names) for each in sources], names.made


def _records(records: Records, names: _Names) -> Records:
    changed: dict[str, Any] = {"file": names("file", records.file), "named": (), "notes": []}
    changed["vcenters"] = {}
    changed["not_read"] = [
        replace(each, file=names("file", each.file), name="") for each in records.not_read
    ]
    changed["previews"] = [Preview(each.table, each.head, ()) for each in records.previews]
    for group, kind in _OWN.items():
        changed[group] = [_record(each, kind, names) for each in getattr(records, group)]
    changed["disks"] = [
        replace(
            each,
            vm=Key(_id(each.vm.id, names), names("vcenter", each.vm.vcenter)),
            vm_name=names("vm", each.vm_name),
            datastore=names("datastore", each.datastore),
            place=_place(each.place, names),
        )
        for each in records.disks
    ]
    changed["series"] = [
        replace(
            each,
            name=names(_OF_SUBJECT[each.subject], each.name),
            on=names("host", each.on),
            place=_place(each.place, names),
        )
        for each in records.series
    ]
    return replace(records, **changed)


def _id(key: str, names: _Names) -> str:
    """An id; where there is none, what stands in its place: name, data center and host."""
    name, *place = key.split("\t")
    if not place:
        return key
    kinds = ("datacenter", "host")
    parts = (names(kind, part) for kind, part in zip(kinds, place, strict=False))
    return "\t".join((names("vm", name), *parts))


def _record(record: Any, kind: str, names: _Names) -> Any:
    if not is_dataclass(record) or isinstance(record, type):
        return record
    changed: dict[str, Any] = {
        each.name: names(_KINDS[each.name], getattr(record, each.name))
        for each in fields(record)
        if each.name in _KINDS
    }
    if kind == "domino":
        changed |= {"server": names(kind, getattr(record, "server", ""))}
        changed |= {"machine": names("vm", getattr(record, "machine", ""))}
    else:
        changed["name"] = names(kind, getattr(record, "name", ""))
    if isinstance(record, VmRecord):
        changed["tags"] = tuple(names("tag", each) for each in record.tags)
    if isinstance(record, DatastoreRecord):
        changed["host_names"] = tuple(names("host", each) for each in record.host_names)
    places: dict[str, Place] = getattr(record, "places", {})
    changed["places"] = {name: _place(place, names) for name, place in places.items()}
    return replace(record, **changed)


def _place(place: Place, names: _Names) -> Place:
    return place._replace(file=names("file", place.file))
