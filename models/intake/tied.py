"""Measurements that stand under another name than the VM that they are of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from models.intake.domino import names_of
from models.intake.records import DominoRecord, Records, SeriesRecord, VmRecord


def tied(sources: Sequence[Records], same: Mapping[str, str]) -> Sequence[Records]:
    """Copies of the records in which series and statistics are called as somebody says.

    Args:
        same: names of VMs by the names in what was measured, whatever their case.
    """
    if not same:
        return sources
    vms = {name.casefold(): vm for name, vm in same.items()}

    def series(each: SeriesRecord) -> SeriesRecord:
        vm = vms.get(each.name.casefold())
        return each if vm is None else replace(each, name=vm, id="")

    def domino(each: DominoRecord) -> DominoRecord:
        vm = next((vms[name] for name in names_of(each) if name in vms), None)
        return each if vm is None else replace(each, machine=vm)

    return [
        replace(
            each,
            series=[series(one) for one in each.series],
            domino=[domino(one) for one in each.domino],
        )
        for each in sources
    ]


def strangers(domino: Sequence[DominoRecord], vms: Sequence[VmRecord]) -> list[str]:
    """Domino servers whose statistics none of these VMs is known by."""
    there = {vm.name.casefold() for vm in vms}
    return [each.server for each in domino if there.isdisjoint(names_of(each))]
