"""What a rule is: something to look for in a `Context`, with a title that people read.

Most rules are a row of the table in `models/judgement/thresholds.py`: what of an item is beyond
which limit, and the sentence about it. One that has more to say is a generator:

    @rule("hot-spares", say("No hot spare"))
    def hot_spares(context: Context) -> Iterator[Found]:
        for pool in context.scenario.pools:
            if not pool.hot_spares:
                clause = say("{pool} has no hot spare", pool=pool.name)
                yield advice(pool, clause, say("Set one drive aside."), POLICY)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from heapq import nsmallest
from typing import Any, NamedTuple, TypeVar

import numpy as np

from models.base.lazily import lazy
from models.base.quantities import BoolArray, IntArray
from models.base.record import record
from models.base.texts import Text, filled, joined, say, say_many
from models.catalog.catalog import (
    Array,
    Disk,
    Hypervisor,
    Product,
    RaidLevel,
    Release,
    Server,
    Support,
)
from models.catalog.published import release_of
from models.judgement.against_limits import Judged
from models.judgement.failure_modes import FailureModes
from models.judgement.judging_inputs import Evaluated
from models.judgement.resources import Resources
from models.physics.arrays import COMMUNITY, GIVEN, MUX, Arrays
from models.physics.columns import looked_up, some
from models.physics.inputs_of_formulas import Inputs
from models.predict.prediction import HostPrediction, PoolPrediction, Severity, VmPrediction
from models.scenario import wording
from models.scenario.scenario import Cluster, Host, Item, Policy, Pool, Scenario, Vm
from models.scenario.wording import judged_quantity, value_text

T = TypeVar("T", bound=Item)

MEND_FIRST = say("Mend that first: no failure brings it about.")
"""What helps where limits are passed in normal operation already."""

RULES_KEEP_DOWN = say(
    "Let rules allow another host, reserve less, or add a host where no rule bars it."
)
"""What helps VMs that rules, reservations or limits keep down, not memory."""

FIND_OUT = say("Measure what has no data, or keep room for all its vCPUs.")
"""What helps where nothing is known of a load that could pass a limit."""

JUDGED = "the number that it speaks of is judged"
UNLIMITED = "the policy has no limit of it; the response that it lengthens is judged"
COUNTED = "it is counted in the numbers, or in the intervals around them"
SURVIVED = "the loss that it speaks of is judged where it is to be survived"
SUPPORT = "what makers sell and support is no load"
PRACTICE = "a practice that no number depends on"
"""Why rules weigh nothing (`Rule.unweighed`)."""

WV21 = "VMworld 2007 WV21"
WV21_LESSONS = f"{WV21}, “Lesson Learned from Lotus Domino Benchmark and Support Incidents”"
WV21_PRODUCTION = f"{WV21}, “Lotus Domino and Lotus Sametime on VMware ESX in Production”"
WV21_OUTAGES = (
    f"{WV21}, “Lotus Domino and Lotus Sametime Software on VMware ESX in Production Environments”"
)
WV21_GOAL = f"{WV21}, “IBM Lotus Domino Benchmark goal”"
WV21_SAMETIME = f"{WV21}, “IBM Lotus Sametime Benchmark goal”"
VSPHERE4 = "Virtualizing IBM Lotus Domino 8.5.1 on VMware vSphere 4"
R5_CLUSTERS = (
    "Iris Today 1999: Optimizing server performance, Domino clusters, part 2, “Sizing a cluster”"
)
READY_SOURCE = (
    "Computer Tech Blog: Understanding historical CPU ready statistics <https://www."
    "computertechblog.com/understanding-historical-cpu-ready-statistics-in-vmware-vcenter-server/>"
)
FT_GUIDE = "VMware, vSphere Availability, Fault Tolerance requirements, limits and licensing"
POLICY = say("The scenario’s policy")
OWN = "Headroom, description of the model"
"""Where no other document says it: docs/model.md, followed by its section."""


@record(slots=False, kw_only=True)
class Context:
    """What rules look at: the scenario, its arrays, every number, and how it was judged."""

    scenario: Scenario
    numbers: Evaluated
    judged: Resources
    modes: FailureModes

    @lazy
    def inputs(self) -> Inputs:
        return self.numbers.inputs

    @property
    def arrays(self) -> Arrays:
        return self.numbers.inputs.arrays

    @property
    def policy(self) -> Policy:
        return self.scenario.policy

    def home(self, vm: int) -> Host:
        """The host that a VM stands on; there is one."""
        return self.scenario.hosts[int(self.arrays.vms.host[vm])]

    @property
    def vms(self) -> VmPrediction:
        return self.numbers.vms

    @property
    def hosts(self) -> HostPrediction:
        return self.numbers.hosts

    @property
    def pools(self) -> PoolPrediction:
        return self.numbers.pools

    def vms_where(self, which: BoolArray) -> Iterator[tuple[int, Vm]]:
        """Rows and VMs of a mask."""
        return self._where(which, self.scenario.vms)

    def called(self, which: BoolArray) -> str:
        """The VMs of a mask in words, the first by id; quick where they are many."""
        by_id, vms = self.inputs.arrays.vms.by_id, self.scenario.vms
        places = which.take(by_id).nonzero()[0]
        called = [vms[row].name for row in by_id.take(places[:MOST_NAMED]).tolist()]
        more = len(places) - MOST_NAMED
        return _and_more(sorted(called), more) if more > 0 else names(called)

    def vm_names(self, which: BoolArray) -> list[str]:
        """Names of the VMs of a mask."""
        return [vm.name for _, vm in self.vms_where(which)]

    def hosts_where(self, which: BoolArray) -> Iterator[tuple[int, Host]]:
        """Rows and hosts of a mask."""
        return self._where(which, self.scenario.hosts)

    def pools_where(self, which: BoolArray) -> Iterator[tuple[int, Pool]]:
        """Rows and pools of a mask."""
        return self._where(which, self.scenario.pools)

    @staticmethod
    def _where(which: BoolArray, items: Sequence[T]) -> Iterator[tuple[int, T]]:
        if not some(which):
            return iter(())
        rows: list[int] = which.nonzero()[0].tolist()
        return zip(rows, map(items.__getitem__, rows), strict=True)

    @lazy
    def clusters_of_vms(self) -> IntArray:
        """Position of each VM's cluster, −1 for none, (n,)."""
        arrays = self.inputs.arrays
        return looked_up(arrays.hosts.cluster, arrays.vms.host, -1)

    @lazy
    def named_releases(self) -> tuple[tuple[Product, str, BoolArray], ...]:
        """Product, release as it is written, and the VMs of it, on or off, (n,)."""
        vms = self.inputs.arrays.vms
        found = []
        for product in Product:
            domino = product is Product.DOMINO
            of_product = vms.domino if domino else (vms.law == COMMUNITY) | (vms.law == MUX)
            for code, text in enumerate(vms.releases if some(of_product) else ()):
                rows = of_product & (vms.release == code)
                if some(rows):
                    found.append((product, text, rows))
        return tuple(found)

    @lazy
    def releases(self) -> tuple[tuple[Release, BoolArray], ...]:
        """Known releases with the VMs of them, once each, (n,)."""
        found: dict[str, tuple[Release, BoolArray]] = {}
        for product, text, rows in self.named_releases:
            line = release_of(self.inputs.catalog, product, text)
            if line is not None:
                before = found.get(line.id)
                found[line.id] = line, rows if before is None else rows | before[1]
        return tuple(found.values())

    def array(self, pool: int) -> Array:
        """Catalog entry of a pool's array."""
        pools = self.inputs.arrays.pools
        return pools.arrays[int(pools.array[pool])]

    def disk(self, pool: int) -> Disk:
        """Catalog entry of a pool's drives."""
        pools = self.inputs.arrays.pools
        return pools.disks[int(pools.disk[pool])]

    def server(self, host: int | np.integer[Any]) -> Server:
        """Catalog entry of a host's server."""
        hosts = self.inputs.arrays.hosts
        return hosts.servers[int(hosts.server[host])]

    def hypervisor(self, host: int | np.integer[Any]) -> Hypervisor:
        """Catalog entry of a host's hypervisor."""
        hosts = self.inputs.arrays.hosts
        return hosts.hypervisors[int(hosts.hypervisor[host])]


class Found(NamedTuple):
    """What a rule found; whose finding it is, the rulebook knows."""

    severity: Severity
    subject: str
    clause: str
    fix: str
    source: str


Check = Callable[[Context], Iterator[Found]]
Gate = Callable[[Context], bool]


@record
class Rule:
    """A rule with its id, which projects keep waivers of, and its title.

    Attributes:
        when: what there has to be for it to find anything; many rules wait behind the same one.
        of_pools: its findings speak of pools, whatever stands on them.
        unweighed: why its findings weigh nothing, of a rule that isn't in `refusals.WEIGHTS`.
    """

    id: str
    title: Text
    check: Check
    when: Gate | None = None
    of_pools: bool = False
    unweighed: str = ""


RULES: dict[str, Rule] = {}
"""All rules by id."""


def rule(
    id: str, title: Text, *, when: Gate | None = None, unweighed: str = ""
) -> Callable[[Check], Check]:
    """Enter a rule that a generator looks for, as `Rule` has it."""

    def enter(check: Check) -> Check:
        RULES[id] = Rule(id, title, check, when, unweighed=unweighed)
        return check

    return enter


Of = Callable[[Context, BoolArray], Iterator[tuple[int, T]]]
"""Items of a mask with their rows: `Context.vms_where` and its like."""

Values = dict[str, object]
_PLACES: dict[object, str] = {
    Context.vms_where: "vm",
    Context.hosts_where: "host",
    Context.pools_where: "pool",
}


def threshold(
    id: str,
    title: Text,
    of: Of[T],
    beyond: Callable[[Context], BoolArray],
    clause: Text | Callable[[Context, int, T], Text],
    values: Callable[[Context, int, T], Values] = lambda *_: {},
    *,
    fix: Text | Callable[[Context, int, T], Text],
    source: str | Callable[[Context, int, T], str],
    severity: Severity | Callable[[Context, int], Severity] = Severity.WARNING,
    when: Gate | None = None,
    unweighed: str = "",
) -> Rule:
    """A rule with a finding for each item that is beyond something.

    Args:
        of: which items `beyond` is a mask of.
        clause: what is wrong with one of them. Its name stands at {vm}, {host} or {pool}, and
            `values` at the other places, of `fix` too.
    """

    def check(context: Context) -> Iterator[Found]:
        for row, item in of(context, beyond(context)):
            told = {_PLACES[of]: item.name, **values(context, row, item)}
            yield Found(
                severity(context, row) if callable(severity) else severity,
                item.id,
                clause(context, row, item) if callable(clause) else filled(clause, told),
                fix(context, row, item) if callable(fix) else filled(fix, told),
                source(context, row, item) if callable(source) else source,
            )

    of_pools = of is Context.pools_where
    return Rule(id, title, check, when, of_pools=of_pools, unweighed=unweighed)


def together(
    id: str,
    title: Text,
    which: Callable[[Context], BoolArray],
    clause: Text,
    values: Callable[[Context], Values] = lambda _: {},
    *,
    fix: Text,
    source: str,
    severity: Severity = Severity.ADVICE,
    when: Gate | None = None,
    unweighed: str = "",
) -> Rule:
    """A rule with one finding for all VMs of a mask.

    Args:
        clause: what is to be said of them; they stand at {names}, `values` at the other places.
    """

    def check(context: Context) -> Iterator[Found]:
        if some(rows := which(context)):
            said = filled(clause, {"names": context.called(rows), **values(context)})
            yield Found(severity, "", said, fix, source)

    return Rule(id, title, check, when, unweighed=unweighed)


def some_clustered(context: Context) -> bool:
    """There is a Domino cluster."""
    return context.inputs.arrays.vms.some_clustered


def some_protected(context: Context) -> bool:
    """There are VMs with Fault Tolerance."""
    return context.inputs.arrays.vms.some_protected


def some_affinity(context: Context) -> bool:
    """There are affinity rules."""
    return bool(context.scenario.affinity)


def some_sametime(context: Context) -> bool:
    """There is a Sametime server."""
    return context.inputs.arrays.vms.has(COMMUNITY, MUX)


def some_traveler(context: Context) -> bool:
    """There is a Traveler server of which somebody said the users."""
    return some(context.inputs.arrays.vms.syncing)


def some_generic(context: Context) -> bool:
    """There is a workload of no kind that was measured."""
    return context.inputs.arrays.vms.has(GIVEN)


def in_production(context: Context) -> bool:
    """Users do what people do in production."""
    return context.inputs.derating.production


READY_WATCH_PCT, READY_LIMIT_PCT = 5.0, 10.0
"""Ready time from which it is worth watching, and from which users notice."""


Subject = Item | Cluster | None


def error(subject: Subject, clause: str, fix: str, source: str) -> Found:
    """The platform or physics refuses it: at risk at least."""
    return Found(Severity.ERROR, _id(subject), clause, fix, source)


def warning(subject: Subject, clause: str, fix: str, source: str) -> Found:
    """It works, but not well, or not within the policy."""
    return Found(Severity.WARNING, _id(subject), clause, fix, source)


def advice(subject: Subject, clause: str, fix: str, source: str) -> Found:
    """Worth knowing before a customer signs."""
    return Found(Severity.ADVICE, _id(subject), clause, fix, source)


def _id(subject: Subject) -> str:
    return "" if subject is None else subject.id


_OF_FIELDS = re.compile(r"(?P<source>.*) \((?P<fields>[a-z0-9_]+(?:, [a-z0-9_]+)*)\)")


def cited(entry: Array | Hypervisor | RaidLevel | Release | Support, *fields: str) -> str:
    """What the catalog names as source of these fields of an entry; where it tells no field apart,
    or not these, all that isn't of others.

    >>> from models.evidence.citation import in_short
    >>> from resources.catalog_files import load_catalog
    >>> in_short(cited(load_catalog().hypervisors["vsphere-4.0"], "max_vms_per_host"))
    'InformIT: Configuration maximum differences from VI3 (informit.com)'
    >>> cited(load_catalog().hypervisors["vsphere-4.0"], "max_vcpus_per_core")
    'VMware, product documentation of vSphere 4.0, not checked'
    """
    whole = entry.provenance.source
    parts = [_OF_FIELDS.fullmatch(part) for part in whole.split("; ")]
    found = [
        part["source"] for part in parts if part and set(part["fields"].split(", ")) & {*fields}
    ]
    of_all = [part for part, match in zip(whole.split("; "), parts, strict=True) if match is None]
    return "; ".join(found or of_all) or whole


def amount(judged: Judged, row: int) -> str:
    """What an item comes to, in the digits that it has wherever it stands."""
    value, high = float(judged.value[row]), float(judged.high[row])
    quantity = judged_quantity(value, judged.low_of(row), high)
    return value_text(quantity, limit=judged.limit_of(row))


def number(
    value: float | np.floating[Any], decimals: int = 0, *, limit: float | None = None
) -> str:
    """A number in a sentence, so that it is seen to pass its `limit`; NumPy's own numbers are slow
    to round."""
    if limit is not None:
        decimals = wording.decimals_past(float(value), limit, decimals)
    return wording.number(float(value), decimals)


def more_vcpus(vms: Sequence[str]) -> Text:
    """What helps VMs that ask too much of their own vCPUs where they restart.

    Args:
        vms: their names, at least one.
    """
    if len(vms) == 1:
        return say("Give it more vCPUs.")
    return say("Give more vCPUs to {names}.", names=names(vms))


MOST_NAMED = 3


def names(items: Sequence[str], most: int = MOST_NAMED) -> str:
    """A few names in words, in order of the alphabet: ``Mail-01, Mail-02 and 4 more``.

    >>> names(["b", "a"]), names(list("fedcba"))
    ('a and b', 'a, b, c and 3 more')
    """
    first = nsmallest(most, items)
    if len(items) > most:
        return _and_more(first, len(items) - most)
    if len(first) < 2:
        return joined("", first)
    return say("{first} and {last}", first=joined(", ", first[:-1]), last=first[-1])


def _and_more(first: Sequence[str], more: int) -> Text:
    return say_many(
        "{first} and {count} more", "{first} and {count} more", more, first=joined(", ", first)
    )
