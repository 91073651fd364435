"""What there is to say of an import: what doesn't add up, and what nobody measured."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from models.base.texts import Numeral, joined, say, say_many
from models.intake.aliases import Tied
from models.intake.cell_origins import own_name
from models.intake.hardware import line
from models.intake.listing import Listed, spaces, unlisted_on
from models.intake.options import DiskBasis, Reason
from models.intake.records import HostRecord, Note, NotRead, Part, Power, Records, VmRecord
from models.scenario.names import How
from models.scenario.scenario import ImportNote

GIB_PER_MIB = 1.0 / 1024.0
_MOST_NAMES = 5


def reconciled(
    rows: Sequence[Listed], taken: Sequence[VmRecord], hosts: Sequence[HostRecord]
) -> Iterator[Note]:
    """Where parts of an inventory disagree; nothing is changed for it."""
    yield from _against_hosts(rows, hosts)
    yield from _unlisted_hosts(taken, hosts)
    yield from _hosts_away(hosts)
    yield from _powers(rows)
    yield from _names(rows, taken)
    yield from _space(taken)
    yield from _threads(taken, hosts)


def called(names: Tied) -> Iterator[Note]:
    """Which names mean what is called otherwise without anybody's word, and which several things
    have."""
    for rule, ties, told in (
        ("hosts-matched", names.hosts, _hosts_matched),
        ("vms-matched", names.vms, _vms_matched),
    ):
        pairs = [
            say("{name} is {to} ({how})", name=tie.name, to=tie.to, how=tie.how.label)
            for tie in ties
            if tie.how is not How.HAND
        ]
        if pairs:
            yield Note(rule, told(len(pairs), named(pairs)))
    if names.doubled:
        text = say_many(
            "{count} name is used in several vCenters: the vCenter is added to it ({names}).",
            "{count} names are used in several vCenters: the vCenter is added to them ({names}).",
            len(names.doubled),
            names=named(names.doubled),
        )
        yield Note("several-vcenters", text)


def _hosts_matched(count: int, pairs: str) -> str:
    return say_many(
        "{count} host goes by another name in a file: {pairs}. --same =NAME says that it is none.",
        "{count} hosts go by other names in a file: {pairs}. --same =NAME says that one is none.",
        count,
        pairs=pairs,
    )


def _vms_matched(count: int, pairs: str) -> str:
    return say_many(
        "{count} VM was measured under another name: {pairs}. --same =NAME says that it was not.",
        "{count} VMs were measured under other names: {pairs}. --same =NAME says that one was not.",
        count,
        pairs=pairs,
    )


def _against_hosts(rows: Sequence[Listed], hosts: Sequence[HostRecord]) -> Iterator[Note]:
    has_all = any(host.vms_total is not None for host in hosts)
    counts = [host.vms_total if has_all else host.vms_on for host in hosts]
    if not hosts or all(each is None for each in counts):
        return
    reported = int(sum(each or 0.0 for each in counts))
    own = [row.vm for row in rows if row.has_hosts and row.reason is not Reason.DUPLICATE]
    if has_all:
        # Some tools count templates among a host's VMs, others don't: either sum agrees.
        most, least = len(own), sum(not vm.is_template for vm in own)
    else:
        # What runs counts, chosen or not; where nobody knows it, either sum agrees.
        running = [vm for vm in own if vm.power in (Power.ON, None) and not vm.is_template]
        most, least = len(running), sum(vm.power_word is None for vm in running)
    if most < reported:
        yield Note("filtered-export", _filtered(reported, most, rows, hosts))
    elif least > reported:
        text = say(
            "{shown} VMs are listed, hosts report {reported}: hosts are missing from the export.",
            reported=number(reported),
            shown=number(least),
        )
        yield Note("hosts-missing", text)


def _filtered(
    reported: int, shown: int, rows: Sequence[Listed], hosts: Sequence[HostRecord]
) -> str:
    if all(host.vms_total is not None and host.vms_on is not None for host in hosts):
        return say(
            "Hosts report {reported} VMs, templates and those that are off among them; {shown} are "
            "listed: the export was filtered, or its user may not see them all. Running and in no "
            "list: {running}. What is not listed is not sized.",
            reported=number(reported),
            shown=number(shown),
            running=number(sum(unlisted_on(rows, hosts).values())),
        )
    return say(
        "Hosts report {reported} VMs, {shown} are listed: the export was filtered, or its user "
        "may not see them all. What is not listed is not sized.",
        reported=number(reported),
        shown=number(shown),
    )


def _unlisted_hosts(taken: Sequence[VmRecord], hosts: Sequence[HostRecord]) -> Iterator[Note]:
    known = {host.name.casefold() for host in hosts}
    lost = Counter(vm.host for vm in taken if vm.host and vm.host.casefold() not in known)
    if taken and not hosts:
        text = say(
            "No file lists hosts, so no VM is placed: add one that does (vHost of RVTools), or "
            "drag servers onto the board."
        )
        yield Note("no-hosts", text)
    elif lost:
        text = say_many(
            "{count} VM stands on a host that isn’t listed ({hosts}); it is not placed.",
            "{count} VMs stand on hosts that aren’t listed ({hosts}); they are not placed.",
            lost.total(),
            hosts=named(lost),
        )
        yield Note("unlisted-host", text)


def _hosts_away(hosts: Sequence[HostRecord]) -> Iterator[Note]:
    elsewhere = sum(not host.is_chosen for host in hosts)
    if elsewhere:
        text = say_many(
            "{count} host of another site or cluster is left out.",
            "{count} hosts of other sites or clusters are left out.",
            elsewhere,
        )
        yield Note("hosts-not-chosen", text)
    away = [host.name for host in hosts if host.is_chosen and host.in_maintenance]
    if away:
        text = say_many(
            "{count} host is in maintenance and counts as away: nothing runs there, and nothing "
            "fails over to it ({names}).",
            "{count} hosts are in maintenance and count as away: nothing runs there, and nothing "
            "fails over to them ({names}).",
            len(away),
            names=named(away),
        )
        yield Note("in-maintenance", text)


def _powers(rows: Sequence[Listed]) -> Iterator[Note]:
    words = Counter(row.vm.power_word for row in rows if row.reason is Reason.UNKNOWN_POWER)
    if words:
        text = say_many(
            "Whether {count} VM runs is not known ({words}): say it on the import page, or by "
            "--power WORD=on or =off.",
            "Whether {count} VMs run is not known ({words}): say it on the import page, or by "
            "--power WORD=on or =off.",
            words.total(),
            words=named(word or say("an empty cell") for word in words),
        )
        yield Note("power-unknown", text)


def _names(rows: Sequence[Listed], taken: Sequence[VmRecord]) -> Iterator[Note]:
    twice = sum(1 for row in rows if row.reason is Reason.DUPLICATE)
    if twice:
        text = say_many(
            "{count} row repeats the id of another VM of its vCenter.",
            "{count} rows repeat the id of another VM of their vCenter.",
            twice,
        )
        yield Note("duplicate", text)
    alike = [name for name, count in Counter(vm.name for vm in taken).items() if count > 1]
    if alike:
        text = say_many(
            "{count} name is that of several VMs, which are all taken: {names}.",
            "{count} names are those of several VMs, which are all taken: {names}.",
            len(alike),
            names=named(alike),
        )
        yield Note("same-name", text)
    blank = sum(1 for vm in taken if not vm.cluster and not vm.is_share)
    if blank:
        text = say_many("{count} VM names no cluster.", "{count} VMs name no cluster.", blank)
        yield Note("blank-cluster", text)


def _space(taken: Sequence[VmRecord]) -> Iterator[Note]:
    both = [vm for vm in taken if vm.disks_mib is not None and vm.provisioned_mib is not None]
    sums = spaces(both)
    disks, provisioned = sums[DiskBasis.DISKS], sums[DiskBasis.PROVISIONED]
    if disks is None or provisioned is None or not provisioned:
        return
    if abs(disks - provisioned) > 0.1 * provisioned:
        text = say(
            "Disks add up to {disks} GiB, {provisioned} GiB are provisioned: swap, snapshots and "
            "copies of vSAN are in the one and not in the other.",
            disks=number(disks / 1024),
            provisioned=number(provisioned / 1024),
        )
        yield Note("disks-differ", text)


def _threads(taken: Sequence[VmRecord], hosts: Sequence[HostRecord]) -> Iterator[Note]:
    threads = {host.name.casefold(): host.threads or host.cores for host in hosts}
    over = [
        vm.name
        for vm in taken
        if (most := threads.get(vm.host.casefold())) and (vm.vcpus or 0.0) > most
    ]
    if over:
        text = say_many(
            "{count} VM has more vCPUs than its host has threads: {names}.",
            "{count} VMs have more vCPUs than their hosts have threads: {names}.",
            len(over),
            names=named(over),
        )
        yield Note("vcpus-over-threads", text)


PART_WORDS: Mapping[Part, Callable[[int], str]] = {
    Part.SHEET: lambda count: say_many("{count} sheet", "{count} sheets", count),
    Part.SECTION: lambda count: say_many("{count} section", "{count} sections", count),
    Part.COLUMN: lambda count: say_many("{count} column", "{count} columns", count),
    Part.COUNTER: lambda count: say_many("{count} counter", "{count} counters", count),
    Part.DEVICE: lambda count: say_many("{count} device", "{count} devices", count),
    Part.ROW: lambda count: say_many("{count} row", "{count} rows", count),
}


def unread_notes(not_read: Iterable[NotRead]) -> list[Note]:
    """What of the files nobody took, a sentence for each file, kind of part and reason."""
    groups: dict[tuple[str, Part, str], list[NotRead]] = {}
    for each in not_read:
        groups.setdefault((each.file, each.part, str(each.why)), []).append(each)
    found = []
    for (file, part, _), group in groups.items():
        names = dict.fromkeys(each.name for each in group if each.name)
        how_many = sum(each.count for each in group) if part is Part.ROW else len(group)
        said = {"file": file, "parts": PART_WORDS[part](how_many), "names": named(names)}
        why = group[0].why
        if part is Part.DEVICE:
            text = say("{file}: {parts} not added up ({names}): {why}.", **said, why=why)
        else:
            text = say("{file}: {parts} not read ({names}): {why}.", **said, why=why)
        found.append(Note("not-read", text))
    return found


LEFT_OUT, NOT_CHOSEN = "left-out", "not-chosen"
_LEFT_OUT = {
    Reason.OFF: lambda count: say_many(
        "{count} VM of the list is powered off and left out.",
        "{count} VMs of the list are powered off and left out.",
        count,
    ),
    Reason.TEMPLATE: lambda count: say_many(
        "{count} template of the list is left out.",
        "{count} templates of the list are left out.",
        count,
    ),
    Reason.PLACEHOLDER: lambda count: say_many(
        "{count} placeholder of the list is left out.",
        "{count} placeholders of the list are left out.",
        count,
    ),
    Reason.DUPLICATE: lambda count: say_many(
        "{count} duplicate of the list is left out.",
        "{count} duplicates of the list are left out.",
        count,
    ),
    Reason.NOT_CHOSEN: lambda count: say_many(
        "{count} VM of the list is not of what was chosen, and left out.",
        "{count} VMs of the list are not of what was chosen, and left out.",
        count,
    ),
    Reason.UNKNOWN_POWER: lambda count: say_many(
        "{count} VM of the list is left out: whether it runs is not known.",
        "{count} VMs of the list are left out: whether they run is not known.",
        count,
    ),
}
_SEEN_ANYWAY = frozenset(
    {
        "no-cpu",
        "moment-cpu",
        "no-iops",
        "no-vcpus",
        "no-ram_mib",
        "odd-vcpus",
        "odd-ram_mib",
        "hypervisor-unknown",
        "duplicate",
        "encoding-guessed",
        "in-maintenance",
    }
)
"""What a scenario says of itself as long as it is so: no data, an origin that is *assumed*, or
names that can be read."""


def nothing_taken(out: Mapping[Reason, int], notes: Iterable[Note]) -> str:
    """Why an import of no VM and no host is none, and what was seen instead.

    Args:
        out: how many rows each reason left out.
        notes: what there is to say of the import.
    """
    seen: list[str] = [_LEFT_OUT[reason](count) for reason, count in out.items() if count]
    seen += [note.text for note in notes]
    if not seen:
        return say("gives no VM and no host that could be taken")
    return say("gives no VM and no host that could be taken: {seen}", seen=joined(" ", seen))


def kept_notes(
    notes: Iterable[Note], out: Mapping[Reason, int], sources: Sequence[Records]
) -> tuple[ImportNote, ...]:
    """What a scenario keeps of an import, as nothing else in it tells.

    Args:
        out: how many rows each reason left out.
        sources: their files are kept without the folders of the machine.
    """
    own_names = {f"={each.file}": f"={own_name(each.file)}" for each in sources}
    said = [
        Note(NOT_CHOSEN if reason is Reason.NOT_CHOSEN else LEFT_OUT, _LEFT_OUT[reason](count))
        for reason, count in out.items()
        if count
    ]
    said += [note for note in notes if note.rule not in _SEEN_ANYWAY]
    lost = (part for each in sources for part in each.not_read if part.matters)
    said += unread_notes(lost)
    notes_kept = dict.fromkeys(ImportNote.of(note.rule, note.text) for note in said)

    def kept(value: str) -> str:
        key = value[max(value.find("="), 0) :]
        return line(value.removesuffix(key) + own_names.get(key, key))

    return tuple(replace(each, values=tuple(map(kept, each.values))) for each in notes_kept)


def number(value: float) -> Numeral:
    return Numeral(f"{value:,.0f}")


def named(names: Iterable[str]) -> str:
    """The first names of many, for a sentence."""
    names = list(names)
    return joined(", ", names[:_MOST_NAMES] + ["…"] * (len(names) > _MOST_NAMES))
