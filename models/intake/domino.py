"""Which VM may be a Domino or Sametime server: offered for a person to confirm, taken never."""

from __future__ import annotations

import re
from collections.abc import Sequence

from models.intake.records import DominoRecord, SeriesRecord, VmRecord
from models.intake.result import Guess
from models.scenario import Vm
from models.texts import say

_TELLING = re.compile(
    r"domino|lotus|inotes|sametime|traveler|verse|(?<![a-z])(?:notes|dom|mail|hub|smtp)(?![a-z]{3})",
    re.IGNORECASE,
)


_PROCESSES = re.compile(r"\b(?:nserver|nrouter|nhttp|nupdate|stcommunity|domino)\b", re.IGNORECASE)


def guessed(
    vms: Sequence[Vm],
    records: Sequence[VmRecord],
    domino: Sequence[DominoRecord],
    series: Sequence[SeriesRecord],
) -> tuple[Guess, ...]:
    """Candidates in the order of the VMs, with what says so.

    Args:
        vms: of the scenario; `records` they come from, in the same order.
        series: what was measured, processes among it.
    """
    servers = {name for each in domino for name in names_of(each)}
    running = {each.name.casefold() for each in series if _PROCESSES.search(each.counter)}
    found = []
    for vm, record in zip(vms, records, strict=True):
        told = _TELLING.search(record.name)
        if record.name.casefold() in servers:
            found.append(Guess(vm.id, vm.name, say("its statistics are among the files")))
        elif record.name.casefold() in running:
            found.append(Guess(vm.id, vm.name, say("a process of Domino runs on it")))
        elif told is not None:
            found.append(Guess(vm.id, vm.name, say("its name has “{part}”", part=told[0])))
        elif (in_folder := _TELLING.search(record.folder)) is not None:
            text = say("its folder is called “{part}”", part=in_folder[0])
            found.append(Guess(vm.id, vm.name, text))
    return tuple(found)


def names_of(record: DominoRecord) -> tuple[str, ...]:
    """What its VM may be called: Mail01 of CN=Mail01/O=Acme, and its computer.

    >>> names_of(DominoRecord(server="CN=Mail01/O=Acme", machine="srv7.acme.example"))
    ('mail01', 'srv7.acme.example', 'srv7')
    """
    common = record.server.partition("/")[0].removeprefix("CN=").strip().casefold()
    machine = record.machine.casefold()
    return tuple(dict.fromkeys(filter(None, (common, machine, machine.partition(".")[0]))))
