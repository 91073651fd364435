"""Figures of files that can't be, and words for power that somebody explains."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from models.base.fields import bounds_of
from models.base.texts import Text, say
from models.intake.hardware import line
from models.intake.records import NotRead, Part, Power, Records, VmRecord
from models.scenario.scenario import Vm

LEAST_RAM_MIB = 32.0
"""Below no system that runs in a VM starts; a column in GB that was taken for MB says less."""


def possible(kind: type, path: str, value: float | None) -> float | None:
    """A figure of a file; None where no item can have it.

    >>> possible(Vm, "ram_gib", 4.0), possible(Vm, "ram_gib", 0.0), possible(Vm, "ram_gib", 1e12)
    (4.0, None, None)
    """
    is_out = value is None or bounds_of(kind, path).broken(value) is not None
    return None if is_out else value


def with_powers(sources: Sequence[Records], power: Mapping[str, Power]) -> Sequence[Records]:
    """Copies of the records in which VMs run or not as somebody says of the words of their file.

    Args:
        power: by the word without case; an empty one is an empty cell.
    """
    if not power:
        return sources

    def told(vm: VmRecord) -> VmRecord:
        word = None if vm.power_word is None else vm.power_word.casefold()
        return vm if word is None or word not in power else replace(vm, power=power[word])

    return [replace(each, vms=[told(vm) for vm in each.vms]) for each in sources]


def possible_figures(sources: Sequence[Records]) -> Sequence[Records]:
    """The same without sizes that no VM can have, each named as not read."""
    return [_possible(each) for each in sources]


def _possible(records: Records) -> Records:
    vms: list[VmRecord] = []
    odd: list[NotRead] = []
    for vm in records.vms:
        wrong = dict(_impossible(vm))
        vcpus = None if "vcpus" in wrong else vm.vcpus
        ram = None if "ram_mib" in wrong else vm.ram_mib
        vms.append(replace(vm, vcpus=vcpus, ram_mib=ram) if wrong else vm)
        names = (f"{line(vm.name)}: {said}" for said in wrong.values())
        odd += (NotRead(records.file, Part.ROW, name, IMPOSSIBLE) for name in names)
    return replace(records, vms=vms, not_read=[*records.not_read, *odd]) if odd else records


IMPOSSIBLE = say("a size that no VM can have")


def _impossible(vm: VmRecord) -> Iterator[tuple[str, Text]]:
    """Fields of a VM whose figures can't be, and what these say."""
    vcpus, ram = vm.vcpus, vm.ram_mib
    if vcpus and (vcpus % 1.0 or possible(Vm, "vcpus", vcpus) is None):
        yield "vcpus", say("{count} vCPUs", count=f"{vcpus:,.10g}")
    if ram and (ram < LEAST_RAM_MIB or possible(Vm, "ram_gib", ram / 1024.0) is None):
        yield "ram_mib", say("{count} MiB of memory", count=f"{ram:,.10g}")
