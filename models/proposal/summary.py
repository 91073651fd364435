"""One page for the one who signs: what is recommended, what it carries, what is to be settled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from models.base.quantities import Basis, Quantity
from models.base.texts import joined, say, say_many
from models.predict.prediction import Severity, Verdict, worst_first
from models.proposal.design import reference_remark, verdict
from models.proposal.grounds import basis_counts
from models.scenario.data_coverage import coverage_text, data_coverage
from models.scenario.scenario import NO_HYPERVISOR, active_users
from models.scenario.wording import input_text, number, range_text, users_text, with_unit
from models.tell.blocks import Block, Bullets, Definitions, Section
from models.tell.growth import outlook_text
from models.tell.subject import Subject

MOST_NEEDS = 5
"""What is to be settled: more than these nobody reads on a first page."""

ASSUMED = frozenset({Basis.EXTRAPOLATED, Basis.TRANSFERRED})


def summary(subject: Subject) -> Section:
    """The page, in plain words; its numbers are those of the sections behind it."""
    rows = [
        (_recommendation(subject), designed(subject)),
        (say("It carries"), _carries(subject)),
        *_later(subject),
        *_failure(subject),
        (say("How sure"), _sure(subject)),
    ]
    blocks: list[Block] = [verdict(subject), Definitions(tuple(rows))]
    needs = tuple(_needs(subject))
    if needs:
        blocks += [
            Definitions(((say("To be settled"), say("by both before this is built:")),)),
            Bullets(needs),
        ]
    return Section(say("In short"), tuple(blocks))


def _recommendation(subject: Subject) -> str:
    """It is recommended only where it fits, can be bought and is no option of several."""
    is_one = not subject.is_option and subject.prediction.verdict is Verdict.FITS
    return say("Recommended") if is_one and not reference_remark(subject) else say("This design")


def designed(subject: Subject) -> str:
    """Servers with their count and RAM, arrays with their drives, and hypervisors, in a line."""
    scenario, catalog = subject.scenario, subject.catalog
    servers = Counter((host.server, host.ram_gib) for host in scenario.hosts)
    pools = Counter((pool.array, pool.disk) for pool in scenario.pools)
    drives = dict.fromkeys(pools, 0)
    for pool in scenario.pools:
        drives[pool.array, pool.disk] += pool.spindles
    hypervisors = {host.hypervisor for host in scenario.hosts} - {NO_HYPERVISOR}
    parts: list[str] = [
        say(
            "{count} × {server} with {ram}",
            count=number(count),
            server=catalog.servers[id].name,
            ram=with_unit(input_text(ram_gib), "GiB"),
        )
        for (id, ram_gib), count in servers.items()
    ]
    parts += [
        say(
            "{array} with {count} × {disk}",
            array=catalog.arrays[array].name,
            count=number(drives[array, disk]),
            disk=catalog.disks[disk].name,
        )
        for array, disk in pools
    ]
    parts += [catalog.hypervisors[id].name for id in sorted(hypervisors)]
    return joined("; ", parts) if parts else say("nothing stands in this design yet")


def _carries(subject: Subject) -> str:
    """Users and VMs today, and the number nearest to its limit."""
    scenario = subject.scenario
    vms = say_many("{count} VM", "{count} VMs", len(scenario.vms))
    users = active_users(scenario.vms)
    text = (
        say("{users} on {vms} today", users=users_text(users, active=True), vms=vms)
        if users.mail or users.chat
        else say("{vms} today", vms=vms)
    )
    homeless = sum(vm.host is None and vm.powered_on for vm in scenario.vms)
    if homeless:
        without = say_many("{count} of them has no host", "{count} of them have no host", homeless)
        text = joined("; ", (text, without))
    slowest = _slowest(subject)
    if slowest is None:
        return text
    return say(
        "{carried}; the slowest answers in {response} ({range})",
        carried=text,
        response=with_unit(number(slowest.value or 0.0), "ms"),
        range=range_text(slowest, "ms"),
    )


def _slowest(subject: Subject) -> Quantity | None:
    vms = subject.prediction.vms
    asked = [id for row, id in enumerate(vms.ids) if vms.has_response(row)]
    found = [vms.quantity(id, "response_ms") for id in asked]
    known = [each for each in found if each.value is not None]
    return max(known, key=lambda each: each.value or 0.0) if known else None


def _later(subject: Subject) -> Iterator[tuple[str, str]]:
    """What the planned growth does; nothing where none is planned."""
    if subject.runway is not None:
        yield say("In the years ahead"), outlook_text(subject.runway, subject.names.get)


def _failure(subject: Subject) -> Iterator[tuple[str, str]]:
    """What the loss of the host does that is worst to lose."""
    modes = [each for each in subject.prediction.failures if each.shown is not None]
    if not modes:
        return
    worst = worst_first(modes)[0]
    shown = worst.shown
    assert shown is not None
    host = subject.name_of(worst.host)
    left = len(worst.not_restarted)
    outcome: str
    if worst.verdict is Verdict.NOT_KNOWN:
        yield say("When a host dies"), say("what the loss of a host does is not known")
        return
    if left:
        outcome = say_many("{count} VM finds no room", "{count} VMs find no room", left)
    elif worst.verdict is Verdict.FITS:
        outcome = say("all VMs restart on the other hosts, and limits are kept")
    else:
        outcome = shown.words
    text = (
        say(
            "the worst to lose is {host}: {outcome}; users of its VMs wait for the restart",
            host=host,
            outcome=outcome,
        )
        if worst.down is None
        else say("the worst to lose is {host}: {outcome}", host=host, outcome=outcome)
    )
    yield say("When a host dies"), text


def _sure(subject: Subject) -> str:
    """Where the numbers come from, and how well the customer is known: two statements."""
    counts = basis_counts(subject)
    total = sum(counts.values())
    if not total:
        return say("nothing is predicted yet")
    measured = _share(counts[Basis.MEASURED] + counts[Basis.INTERPOLATED], total)
    carried = _share(sum(counts[each] for each in ASSUMED), total)
    ruled, unknown = _share(counts[Basis.RULE], total), _share(counts[Basis.NO_DATA], total)
    shares = (
        (measured, say("{share} were measured or lie between measurements", share=measured)),
        (
            carried,
            say(
                "{share} are carried from other machines or beyond what was measured",
                share=carried,
            ),
        ),
        (ruled, say("{share} are arithmetic on inputs and published rules", share=ruled)),
        (unknown, say("{share} have no data", share=unknown)),
    )
    parts = [words for share, words in shares if share]
    text = say("of the predicted numbers {shares}", shares=joined(", ", parts))
    return joined(". ", (text, coverage_text(data_coverage(subject.scenario))))


def _share(count: int, total: int) -> str:
    """In per cent; empty for none."""
    return with_unit(number(100.0 * count / total), "%") if count else ""


def _needs(subject: Subject) -> Iterator[str]:
    """Findings with what they ask for, errors first; each kind of finding once."""
    found = sorted(
        (each for each in subject.prediction.findings if not each.waived),
        key=lambda each: list(Severity).index(each.severity),
    )
    seen = {each.fix: joined(" ", (each.text, each.fix)) for each in reversed(found) if each.fix}
    yield from list(seen.values())[: -MOST_NEEDS - 1 : -1]
