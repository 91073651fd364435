"""Which VM may be a Domino or Sametime server: offered for a person to confirm, taken never."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from models.base.quantities import NO_DATA, Quantity
from models.base.texts import say
from models.intake.confirmed import AS_MEASURED
from models.intake.hardware import line
from models.intake.records import DominoRecord, Note, SeriesRecord, VmRecord
from models.intake.result import Guess
from models.scenario.names import plain, short_name
from models.scenario.scenario import Vm
from models.scenario.transactions import PER_ACTIVE, PER_CONNECTED
from models.scenario.wording import number, range_text
from models.scenario.workloads import WorkloadKind

_TELLING = re.compile(
    r"domino|lotus|inotes|sametime|travell?er|verse|(?<![a-z])(?:notes|dom|mail|hub|smtp|chat)(?![a-z]{3})",
    re.IGNORECASE,
)


_PROCESSES = re.compile(r"\b(?:nserver|nrouter|nhttp|nupdate|stcommunity|domino)\b", re.IGNORECASE)


_KINDS = (
    (re.compile(r"\A(?=.*sametime)(?=.*mux)", re.IGNORECASE), WorkloadKind.SAMETIME_MUX),
    (re.compile(r"sametime|stcommunity|chat", re.IGNORECASE), WorkloadKind.SAMETIME_COMMUNITY),
    (re.compile(r"inotes|verse", re.IGNORECASE), WorkloadKind.DOMINO_INOTES),
    (re.compile(r"travell?er", re.IGNORECASE), WorkloadKind.DOMINO_TRAVELER),
    (re.compile(r"hub|smtp|app|gateway", re.IGNORECASE), WorkloadKind.DOMINO_OTHER),
)
"""Kinds by a part of a name; all others are mail."""


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
    servers = {name: each for each in domino if not each.is_apart for name in names_of(each)}
    running = {
        plain(each.name) for each in series if not each.is_apart and _PROCESSES.search(each.counter)
    }
    found = []
    for vm, record in zip(vms, records, strict=True):
        statistics = servers.get(plain(record.name))
        why = _why(record, running, has_statistics=statistics is not None)
        if why:
            found.append(_guess(vm, record, statistics, why))
    return tuple(found)


def _why(record: VmRecord, running: Collection[str], *, has_statistics: bool) -> str:
    if has_statistics:
        return say("its statistics are among the files")
    if plain(record.name) in running:
        return say("a process of Domino runs on it")
    if (told := _TELLING.search(record.name)) is not None:
        return say("its name has “{part}”", part=told[0])
    if (told := _TELLING.search(record.folder)) is not None:
        return say("its folder is called “{part}”", part=told[0])
    return ""


def _guess(vm: Vm, record: VmRecord, statistics: DominoRecord | None, why: str) -> Guess:
    kind = _kind_of(f"{record.name} {record.folder}")
    people = "traveler_users" if kind.people == "traveler_users" else "active_15min"
    users = None if statistics is None else getattr(statistics, people)
    if vm.workload.cpu_mhz is not None:
        kind = AS_MEASURED.get(kind, kind)
    return Guess(
        vm=vm.id,
        name=vm.name,
        why=why,
        kind=kind,
        users=users or None,
        users_at=None if statistics is None else statistics.places.get(people),
        devices=None if statistics is None else statistics.devices_per_user,
        release="" if statistics is None else line(statistics.release),
    )


def _kind_of(called: str) -> WorkloadKind:
    return next((kind for part, kind in _KINDS if part.search(called)), WorkloadKind.DOMINO_NRPC)


def expected_transactions(record: DominoRecord) -> Quantity:
    """Transactions a minute that so many users make on a mail server; no data for servers of
    another kind by their name, and without users.

    >>> record = DominoRecord(server="Mail01/Acme", active_15min=92.0)
    >>> round(expected_transactions(record).value or 0.0)
    750
    """
    if _kind_of(f"{record.server} {record.machine}") is not WorkloadKind.DOMINO_NRPC:
        return NO_DATA
    if record.active_15min:
        return PER_ACTIVE.of(record.active_15min)
    return PER_CONNECTED.of(record.users) if record.users else NO_DATA


def transaction_notes(domino: Iterable[DominoRecord]) -> Iterator[Note]:
    """Servers whose consoles count other than their users would make."""
    for each in domino:
        expected, counted = expected_transactions(each), each.trans_per_minute
        if counted is None or expected.low is None or expected.high is None:
            continue
        if expected.low <= counted <= expected.high:
            continue
        text = say(
            "{server} counts {counted} transactions a minute; users of mail, as many as it has, "
            "make {expected}: other work runs there, or the count is of no usual minute, and a "
            "prediction from its users says little.",
            server=each.server,
            counted=number(counted),
            expected=range_text(expected),
        )
        yield Note("transactions-unlike", text)


def names_of(record: DominoRecord) -> tuple[str, ...]:
    """What its VM may be called: Mail01 of CN=Mail01/O=Acme, its computer, and all of its name.

    >>> names_of(DominoRecord(server="Mail01/Acme", machine="srv7.acme.example"))
    ('mail01', 'srv7.acme.example', 'srv7', 'mail01/acme')
    """
    server, machine = plain(record.server), plain(record.machine)
    names = (server.partition("/")[0].strip(), machine, short_name(machine), server)
    return tuple(dict.fromkeys(filter(None, names)))
