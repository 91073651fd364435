"""Which VM of an inventory a row of another table or file speaks of: by id first, by name last."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from models.intake.records import VmRecord


class VmFinder:
    """VMs by everything that may name them; what two of them share names neither.

    >>> found = VmFinder([VmRecord(name="a", id="vm-1"), VmRecord(name="A", id="vm-2")])
    >>> found(id="vm-2").name, found(name="a"), found(name="b")
    ('A', None, None)
    """

    def __init__(self, vms: Iterable[VmRecord]) -> None:
        self._by: dict[tuple[str, ...], list[VmRecord]] = defaultdict(list)
        for vm in vms:
            for key in _keys(vm.id, vm.vcenter, vm.uuid, vm.name, vm.datacenter, vm.host):
                self._by[key].append(vm)

    def __call__(
        self,
        *,
        id: str = "",
        vcenter: str = "",
        uuid: str = "",
        name: str = "",
        datacenter: str = "",
        host: str = "",
    ) -> VmRecord | None:
        """The VM that the first telling of these names; None where none does."""
        for key in _keys(id, vcenter, uuid, name, datacenter, host):
            found = self._by.get(key)
            if found is not None and len(found) == 1:
                return found[0]
            if found is not None and key[0] == "id":
                return found[0]  # Listed twice: the first one is the VM, the other a duplicate.
        return None


def _keys(
    id: str, vcenter: str, uuid: str, name: str, datacenter: str, host: str
) -> list[tuple[str, ...]]:
    """From the most telling one; the ids of two vCenters may be alike, and so may names."""
    keys: list[tuple[str, ...]] = []
    if id and vcenter:
        keys.append(("id", id, vcenter))
    if id:
        keys.append(("lone id", id))
    if uuid:
        keys.append(("uuid", uuid.casefold()))
    if name:
        name = name.casefold()
        keys.append(("place", name, datacenter.casefold(), host.casefold()))
        keys.append(("center", name, datacenter.casefold()))
        keys.append(("name", name))
    return keys
