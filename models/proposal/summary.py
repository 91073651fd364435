"""The first page, for the one who signs: what is recommended, three numbers, what happens when a
host dies, how long it lasts, how sure that is, and what is asked of the customer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from models.base.quantities import Basis, Quantity
from models.base.texts import filled, joined, opening, say, say_many
from models.judgement.binding import amounts_text, bound_words, nearest
from models.judgement.gauges import NOTHING_RUNS
from models.predict.prediction import Down, Finding, Severity, Verdict, worst_first
from models.proposal.grounds import basis_counts
from models.proposal.inputs import shares
from models.proposal.requests import Turn, request_of
from models.proposal.verdict import can_be_recommended, headline_of, reference_remark, shown
from models.scenario.data_coverage import coverage_text, data_coverage
from models.scenario.scenario import NO_HYPERVISOR, Vm, active_users
from models.scenario.wording import (
    NO_DATA_TEXT,
    NONE_TEXT,
    counted,
    exact_text,
    input_text,
    number,
    range_text,
    users_text,
    value_text,
    with_unit,
)
from models.tell.blocks import Block, Column, Definitions, Table
from models.tell.failures import failure_rows
from models.tell.growth import RESOURCES, month_text, outlook_text
from models.tell.subject import Subject

MOST_REQUESTS = 5
"""More than these nobody reads on a first page; the findings have all."""

ELSEWHERE = frozenset({Basis.EXTRAPOLATED, Basis.TRANSFERRED})
FOR_A_NAME, FOR_A_DATE = 28 * ".", 20 * "."
"""Where somebody writes by hand: letters that every typeface has."""


def summary(subject: Subject) -> tuple[Block, ...]:
    """What stands below the verdict, in a manager's words; its numbers are those of the sections
    behind it."""
    rows = (
        (_title(subject), _recommendation(subject)),
        *when_a_host_dies(subject),
        (say("How long it lasts"), _lasts(subject)),
        (say("How sure"), _sure(subject)),
    )
    return (
        Definitions(rows[:1]),
        _figures(subject),
        Definitions(rows[1:]),
        *_requests_table(subject),
    )


def _title(subject: Subject) -> str:
    """It is recommended only where it fits, can be bought and is no option of several."""
    if subject.is_option or not can_be_recommended(subject):
        return say("This design")
    return say("Recommended")


def _recommendation(subject: Subject) -> str:
    """What it is, and where it is not recommended, why."""
    what, verdict = opening(designed(subject)), shown(subject).verdict
    if verdict is None:
        return joined("", (what, "."))
    if (remark := reference_remark(subject)) and verdict <= Verdict.AT_RISK:
        return joined("", (what, ". ", remark))
    why = {
        Verdict.AT_RISK: say("We recommend it only once the point above is settled."),
        Verdict.NOT_KNOWN: say("We can’t recommend it before what is missing is known."),
        Verdict.DOES_NOT_FIT: say("We don’t recommend it: it would not do the work asked for."),
    }.get(verdict, "")
    return joined(" ", filter(None, (joined("", (what, ".")), why)))


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


# --- three numbers ----------------------------------------------------------------------------


def _figures(subject: Subject) -> Table:
    """Users, the slowest answer and what is nearest its limit, each with what it is of."""
    busiest = _nearest(subject)
    columns = (
        Column(say("Users at work at once"), wide=True),
        Column(say("Answer of the slowest server"), wide=True),
        Column(say("Nearest its limit"), wide=True, weight=2),
    )
    return Table(columns, ((_users(subject), _answer(subject), busiest),))


def _users(subject: Subject) -> str:
    vms = subject.scenario.vms
    people = active_users(vms)
    on = counted(Vm, len(vms))
    lines = [number(people.first)] if people.mail or people.chat else [NONE_TEXT]
    lines.append(say("on {vms}", vms=on))
    if people.are_mixed:
        lines.append(say("mail; chat: {users}", users=number(people.chat)))
    homeless = sum(vm.host is None and vm.powered_on for vm in vms)
    if homeless:
        lines.append(say_many("{count} VM has no host", "{count} VMs have no host", homeless))
    return joined("\n", lines)


def _answer(subject: Subject) -> str:
    """The slowest response with its range and limit; a dash where nobody waits for one."""
    vms = subject.prediction.vms
    asked = [id for row, id in enumerate(vms.ids) if vms.has_response(row)]
    found = [vms.quantity(id, "response_ms") for id in asked]
    known = [each for each in found if each.value is not None]
    if not known:
        return NO_DATA_TEXT if asked else NONE_TEXT
    slowest = max(known, key=lambda each: each.value or 0.0)
    limit = with_unit(exact_text(subject.scenario.policy.response_limit_ms), "ms")
    lines = (_ranged(slowest), say("of at most {limit}", limit=limit))
    return joined("\n", (value_text(slowest, "ms"), *filter(None, lines)))


def _ranged(quantity: Quantity) -> str:
    return "" if quantity.is_exact else range_text(quantity, "ms")


def _nearest(subject: Subject) -> str:
    """Of the numbers nearest their limits the first that the answer beside it isn't."""
    found = [each for _, each in nearest(subject.prediction)]
    others = [each for each in found if each.resource != "response_ms"]
    first = next(iter((*others, *found)), None)
    if subject.prediction.idle:
        return NOTHING_RUNS
    if first is None:
        return NO_DATA_TEXT
    what = opening(bound_words(first, subject.name_of), subject.names.values())
    if first.rule:
        return what
    amounts = number(first.stranded) if first.stranded else amounts_text(first)
    return joined("\n", (amounts, what))


# --- what happens, and how long ---------------------------------------------------------------


def when_a_host_dies(subject: Subject) -> Iterator[tuple[str, str]]:
    """What the loss of the host does that is worst to lose."""
    modes = [each for each in subject.prediction.failures if each.shown is not None]
    if not modes:
        return
    worst = worst_first(modes)[0]
    assert worst.shown is not None
    host, left = subject.name_of(worst.host), len(worst.not_restarted)
    if worst.down is not None:
        text = say(
            "worst would be {host}, whose servers stay down until it is repaired: {users}",
            host=host,
            users=_down(worst.down),
        )
    elif worst.verdict is Verdict.NOT_KNOWN:
        text = say("what the loss of {host} does is not known", host=host)
    elif left:
        text = say_many(
            "worst would be {host}: {count} server finds no room elsewhere and stays down",
            "worst would be {host}: {count} servers find no room elsewhere and stay down",
            left,
            host=host,
        )
    elif worst.verdict is Verdict.FITS:
        text = say(
            "all its servers restart on the other hosts, within all limits; their users wait until "
            "then"
        )
    else:
        rows = failure_rows(subject.scenario, subject.prediction, study=subject.study)
        reason = next((row.reason for row in rows if row.is_of_host(worst.host)), "")
        text = say("worst would be {host}: {verdict}", host=host, verdict=worst.shown.words)
        if reason:
            text = say("{loss}, {reason}", loss=text, reason=reason)
        text = joined("; ", (text, say("users of its servers wait until these have restarted")))
    yield say("When a host dies"), joined("", (opening(text, subject.names.values()), "."))


def _down(down: Down) -> str:
    people = down.people
    return users_text(people) if people.mail or people.chat else counted(Vm, down.vms)


def _lasts(subject: Subject) -> str:
    """What the planned growth does; where none is planned, that nothing is said of later."""
    found = subject.runway
    if found is None:
        return say("No growth is planned: all of this is said of today’s load.")
    if found.holds_until is not None or found.first is not None or found.steps[0].verdict:
        return opening(outlook_text(found, subject.names.get), subject.names.values())
    time = month_text(found.steps[-1].month)
    lasts = say("It lasts the {time} that are planned.", time=time)
    if found.doubtful is None:
        return lasts
    what = RESOURCES[found.doubtful.resource]
    doubt = say("If all goes worse than expected, {what} could become short in them.", what=what)
    return joined(" ", (lasts, doubt))


def _sure(subject: Subject) -> str:
    """Where the numbers come from, how well the customer is known, and what would make it surer."""
    counts = basis_counts(subject)
    total = sum(counts.values())
    if not total:
        return say("Nothing is predicted yet.")
    pct = shares(counts)
    told = (
        ((Basis.MEASURED, Basis.INTERPOLATED), _MEASURED),
        (tuple(ELSEWHERE), _ELSEWHERE),
        ((Basis.RULE,), _WORKED_OUT),
        ((Basis.NO_DATA,), _UNKNOWN),
    )
    parts = [
        filled(words, {"share": with_unit(number(sum(pct.get(each, 0) for each in kinds)), "%")})
        for kinds, words in told
        if any(pct.get(each) for each in kinds)
    ]
    text = say("Of the predicted numbers {shares}.", shares=joined(", ", parts))
    known = data_coverage(subject.scenario)
    surer = _SURER if known.share is not None and known.share < 1 else ""
    return joined(" ", filter(None, (text, coverage_text(known), surer)))


_MEASURED = say("{share} were measured or lie between measurements")
_ELSEWHERE = say("{share} come from other machines, or lie beyond what was measured")
_WORKED_OUT = say("{share} are arithmetic on inputs and published rules")
_UNKNOWN = say("{share} have no data")
_SURER = say("A week of measuring your own servers would narrow the ranges most.")


# --- what is asked ----------------------------------------------------------------------------


def _requests_table(subject: Subject) -> Iterator[Table]:
    """What is to be settled, what decides first, with room for who does it by when."""
    asked = tuple(requests(subject))
    if not asked:
        return
    columns = (
        Column(say("To be settled before this is built"), wide=True),
        Column(say("By whom")),
        Column(say("Until when")),
    )
    rows = tuple((each, FOR_A_NAME, FOR_A_DATE) for each in asked[:MOST_REQUESTS])
    more = len(asked) - MOST_REQUESTS
    note = (
        say_many(
            "{count} more point stands among the findings.",
            "{count} more points stand among the findings.",
            more,
        )
        if more > 0
        else ""
    )
    yield Table(columns, rows, note)


def requests(subject: Subject) -> Iterator[str]:
    """What the reader is asked, each once: what decides the verdict, then what he decides or
    tells, then what is settled without him."""
    yield from dict.fromkeys(_asked(subject))


def _asked(subject: Subject) -> Iterator[str]:
    if action := headline_of(subject).action:
        yield action
    found = (each for each in subject.prediction.findings if not each.waived)
    yield from (request_of(each).words for each in sorted(found, key=_rank))


def _rank(finding: Finding) -> tuple[bool, int, int]:
    turn = request_of(finding).turn
    return (
        finding.severity is not Severity.ERROR,
        list(Turn).index(turn),
        list(Severity).index(finding.severity),
    )
