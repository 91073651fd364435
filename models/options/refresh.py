"""A hardware refresh: what stands in sites or clusters is replaced, each by a design of its own.

VMs stay in their site, unless somebody merges sites on purpose; what is not chosen stays as it is.
Each site is a requirement of its VMs alone, so that no design reaches over two of them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from models.base.errors import ModelError
from models.base.texts import joined, say, say_many
from models.catalog.catalog import Catalog
from models.evaluate import evaluate
from models.evidence.knowledge import Knowledge
from models.options.age import Aged, older_than
from models.options.option import LEAST_COST, LEAST_UNITS, Option, Options
from models.options.requirement import MOST_HOSTS, Requirement
from models.options.search import Check, Progress, find_options
from models.predict.prediction import Prediction, Verdict
from models.prices.licences import hypervisor_cores
from models.prices.ranking import MoneyRank
from models.scenario.inputs import origin_of
from models.scenario.origin import Origin
from models.scenario.places import away, site_names, site_of
from models.scenario.scenario import AdmissionPolicy, Affinity, Host, Pool, Scenario, Vm
from models.scenario.wording import number
from models.studies.runway import MONTHS_OF_A_YEAR, first_crossing

KEPT = 3
"""Options of a site that are looked for, besides those that are best at something."""

MOST_POOLS = 8
"""Arrays of a site that are looked at where one alone doesn't carry it."""

LOOK_AHEAD = 5.0
"""Years beyond the planned ones in which something may run out."""

DOWN = (Verdict.AT_RISK, Verdict.DOES_NOT_FIT)
"""Nothing is left of years with these."""

Made = Callable[["Refreshed"], None]


@dataclass(frozen=True, slots=True)
class Place:
    """A site with its hosts, or a cluster where none is said.

    Attributes:
        id: of either, empty for hosts in neither; `site`: its id, empty where none is said.
    """

    id: str
    site: str
    name: str
    hosts: tuple[Host, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """What is replaced together: the hosts of a site, or of a cluster where none is said.

    Attributes:
        site: its id, empty where none is said; `now`: these hosts and their VMs alone.
        replaced: ids of the pools that nothing else uses: their drives go with the hosts.
    """

    site: str
    name: str
    now: Scenario
    replaced: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Figures:
    """What stands there, and for how long it will do.

    Attributes:
        in_maintenance: of the hosts.
        drives: None where an import assumed how many there are, as of data stores.
        rack_units: of the hosts; None where the catalog doesn't say.
        licensed_cores: of their hypervisors, by the makers' rules; None where there is none.
        is_assumed: loads are assumed, not measured.
        years_left: until something passes its limit; None: not within `years_seen`, which is 0
            where no growth is planned.
    """

    hosts: int
    cores: int
    ram_gib: float
    drives: int | None
    rack_units: int | None
    verdict: Verdict | None = None
    is_assumed: bool = False
    years_left: float | None = None
    years_seen: float = 0.0
    in_maintenance: int = 0
    licensed_cores: int | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Choice:
    """An option that is best at something, and what stands there with it."""

    option: Option
    figures: Figures


@dataclass(frozen=True, slots=True, eq=False)
class Refreshed:
    """A part with what was found for it.

    Attributes:
        choices: options that are best at something, the one of the least units first; none where
            nothing fits. `taken`: the place of the one that is its design.
    """

    part: Part
    found: Options
    before: Figures
    choices: tuple[Choice, ...] = ()
    taken: int = 0

    @property
    def option(self) -> Option | None:
        return self.choices[self.taken].option if self.choices else None

    @property
    def after(self) -> Figures | None:
        return self.choices[self.taken].figures if self.choices else None


@dataclass(frozen=True, slots=True, eq=False)
class Refresh:
    """All parts, and the scenario with the new designs in place of what they replace.

    Attributes:
        stays: hosts that are not replaced; `unplaced`: VMs that stand nowhere, and stay there.
        aged: where hosts of an age are replaced, which those are; None: it is not asked for.
    """

    parts: tuple[Refreshed, ...]
    scenario: Scenario
    stays: int
    unplaced: int
    aged: Aged | None = None

    @property
    def before(self) -> Figures:
        """Of all that is replaced."""
        return total([each.before for each in self._done])

    @property
    def after(self) -> Figures:
        return total([each.after for each in self._done if each.after is not None])

    @property
    def _done(self) -> list[Refreshed]:
        return [each for each in self.parts if each.after is not None]


def refreshed(
    scenario: Scenario,
    knowledge: Knowledge,
    *,
    sites: Sequence[str] = (),
    clusters: Sequence[str] = (),
    into: str | None = None,
    aged: Aged | None = None,
    settled: Requirement | None = None,
    check: Check = lambda: None,
    progress: Progress = lambda share: None,
    made: Made = lambda one: None,
    rank: MoneyRank | None = None,
) -> Refresh:
    """A design of the least units, or of the least cost, for each site.

    Args:
        sites, clusters: ids or names of what is replaced; none of either: everything.
        aged: hosts of an age, as `hosts_of_age` tells them: of the chosen ones only these are
            replaced; None: of any age.
        into: id or name of the one among them whose design gets the VMs of all; None: they stay.
        settled: servers, arrays and so on that designs are chosen from; None: the catalog.
        check: called between steps; what it raises ends the search. `progress`: the share done.
        made: hears of each part as it is found.
        rank: a price book, and whether it ranks.

    Raises:
        ModelError: there is no such site or cluster, or nothing to replace.
    """
    parts = parts_of(scenario, sites, clusters, into, None if aged is None else aged.ids)
    done = list[Refreshed]()

    def of_part(share: float) -> None:
        progress((len(done) + share) / len(parts))

    for part in parts:
        done.append(_refreshed(part, settled or Requirement(), knowledge, check, of_part, rank))
        made(done[-1])
        of_part(0.0)
    return together(scenario, done, aged)


def hosts_of_age(
    scenario: Scenario,
    catalog: Catalog,
    years: float,
    year: int,
    sites: Sequence[str] = (),
    clusters: Sequence[str] = (),
) -> Aged:
    """Which hosts of the sites and clusters chosen are older than so many years in a `year`.

    Raises:
        ModelError: as `places_of`; or none is known to be older, and what would help.
    """
    places = places_of(scenario, sites, clusters)
    found = older_than([host for each in places for host in each.hosts], catalog, years, year)
    if found.older:
        return found
    none = say("no host there is known to be older than {years} years", years=number(years))
    if found.unknown:
        unsaid = say_many(
            "of {count} host nobody says how old it is: enter the year in which it was bought",
            "of {count} hosts nobody says how old they are: enter the years in which they were "
            "bought",
            len(found.unknown),
        )
        none = joined("; ", (none, unsaid))
    raise ModelError(none, field="hosts")


def together(scenario: Scenario, parts: Sequence[Refreshed], aged: Aged | None = None) -> Refresh:
    """What comes of the designs that are taken."""
    done = [each for each in parts if each.choices]
    gone = {host.id for each in done for host in each.part.now.hosts}
    held = {vm.id for each in done for vm in each.part.now.vms}
    return Refresh(
        tuple(parts),
        _in_place(scenario, done),
        len(scenario.hosts) - len(gone),
        sum(vm.host is None and vm.id not in held for vm in scenario.vms),
        aged,
    )


def places_of(
    scenario: Scenario,
    sites: Sequence[str] = (),
    clusters: Sequence[str] = (),
    hosts: Collection[str] | None = None,
) -> tuple[Place, ...]:
    """Hosts by site, else by cluster, of the sites and clusters chosen: ids or names; where there
    is no host at all, as of stated totals, one place without any for all VMs.

    Args:
        hosts: ids of those that count; None: all.

    Raises:
        ModelError: there is no such site or cluster, or no host in them.
    """
    names = site_names(scenario)
    of_sites = {_id_of(each, names, "site") for each in sites}
    called = {each.id: each.name for each in scenario.clusters}
    of_clusters = {_id_of(each, called, "cluster") for each in clusters}
    groups: dict[tuple[str, str], list[Host]] = {}
    for host in scenario.hosts:
        site, cluster = site_of(scenario, host) or "", host.cluster or ""
        is_chosen = (not of_sites or site in of_sites) and (
            not of_clusters or cluster in of_clusters
        )
        is_chosen &= hosts is None or host.id in hosts
        if is_chosen:
            groups.setdefault((site, "" if site else cluster), []).append(host)
    if not scenario.hosts and scenario.vms and not (of_sites or of_clusters):
        return (Place("", "", scenario.name, ()),)
    if not groups:
        raise ModelError(say("there is no host to replace"), field="hosts")
    return tuple(
        Place(
            site or cluster,
            site,
            names.get(site) or called.get(cluster) or say("Hosts without a cluster"),
            tuple(hosts),
        )
        for (site, cluster), hosts in groups.items()
    )


def parts_of(
    scenario: Scenario,
    sites: Sequence[str] = (),
    clusters: Sequence[str] = (),
    into: str | None = None,
    only: Collection[str] | None = None,
) -> tuple[Part, ...]:
    """What is replaced together, as `refreshed` has it.

    Raises:
        ModelError: as `places_of`.
    """
    places = places_of(scenario, sites, clusters, only)
    hosts = tuple(host for place in places for host in place.hosts)
    if into is not None:
        id = _id_of(into, {each.id: each.name for each in places}, "into")
        places = tuple(replace(each, hosts=hosts) for each in places if each.id == id)
    chosen = {host.id for host in hosts}
    counted = {id for vm in scenario.vms if vm.host not in chosen for id in _pools(vm)}
    parts = []
    for place in places:
        now = _alone(scenario, place.hosts)
        own = tuple(pool.id for pool in now.pools if pool.id not in counted)
        counted |= set(own)
        parts.append(Part(place.site, place.name, now, own))
    return tuple(parts)


def _id_of(wanted: str, names: dict[str, str], kind: str) -> str:
    for id, name in names.items():
        if wanted == id or wanted.casefold() == name.casefold():
            return id
    raise ModelError(say("there is no {name}", name=wanted), field=kind)


def _pools(vm: Vm) -> Iterator[str]:
    yield from (id for id in (vm.pool, vm.log_pool) if id is not None)


def _alone(scenario: Scenario, hosts: Sequence[Host]) -> Scenario:
    """These hosts, their VMs and pools, and the rules that are among them."""
    ids = {host.id for host in hosts}
    vms = [vm for vm in scenario.vms if vm.host in ids or not scenario.hosts]
    own, used = {vm.id for vm in vms}, {id for vm in vms for id in _pools(vm)}
    clusters = {host.cluster for host in hosts}
    return replace(
        scenario,
        clusters=tuple(each for each in scenario.clusters if each.id in clusters),
        hosts=tuple(hosts),
        pools=tuple(_seen(each, ids) for each in scenario.pools if each.id in used),
        vms=tuple(
            replace(vm, cluster_partners=tuple(id for id in vm.cluster_partners if id in own))
            for vm in vms
        ),
        affinity=tuple(_rules(scenario.affinity, own, ids)),
        waivers=(),
    )


def _seen(pool: Pool, hosts: set[str]) -> Pool:
    return replace(pool, hosts=tuple(id for id in pool.hosts if id in hosts))


def _rules(rules: Sequence[Affinity], vms: set[str], hosts: set[str]) -> Iterator[Affinity]:
    """Rules over VMs that are there, with the hosts that are; none that lost all of either."""
    for each in rules:
        there = tuple(id for id in each.vms if id in vms)
        on = tuple(id for id in each.hosts if id in hosts)
        if there and (on or not each.hosts) and (each.hosts or len(there) > 1):
            yield replace(each, vms=there, hosts=on)


def _refreshed(
    part: Part,
    settled: Requirement,
    knowledge: Knowledge,
    check: Check,
    progress: Progress,
    rank: MoneyRank | None,
) -> Refreshed:
    wanted = requirement_of(part, settled)
    here = _At(knowledge, check)
    before = here.figures(part.now, set(part.replaced))
    if not wanted.vms:
        return Refreshed(part, Options(wanted, 0, (), ()), before)
    look = partial(find_options, knowledge=knowledge, keep=KEPT, check=check, rank=rank)
    found = look(wanted, progress=progress)
    if not found.options and not found.requirement.silent:
        several = replace(wanted, max_pools=MOST_POOLS)
        found = look(several)
    named = [each for each in found.options if each.names]
    named.sort(key=lambda each: not {LEAST_UNITS, LEAST_COST} & set(each.names))
    return Refreshed(part, found, before, tuple(Choice(each, here.of(each)) for each in named))


def requirement_of(part: Part, settled: Requirement) -> Requirement:
    """What the VMs of a part require; hosts that may fail are as its clusters have it."""
    now = part.now
    counted = (AdmissionPolicy.HOST_FAILURES, AdmissionPolicy.PERCENTAGE)
    failures = [
        each.admission.host_failures
        for each in now.clusters
        if each.admission.policy in counted and each.admission.reserves
    ]
    return replace(
        settled,
        name=part.name,
        vms=now.vms,
        board=now,
        policy=now.policy,
        growth=now.growth,
        host_failures=max(failures, default=settled.host_failures),
        max_hosts=min(max(settled.max_hosts, 2 * len(now.hosts)), MOST_HOSTS),
    )


@dataclass(frozen=True, slots=True)
class _At:
    """What figures are worked out with."""

    knowledge: Knowledge
    check: Check

    def of(self, option: Option) -> Figures:
        """Of a design, whose years the search has looked at already."""
        scenario = option.scenario
        pools = {pool.id for pool in scenario.pools}
        if not scenario.growth.years:
            return self.figures(scenario, pools)
        month = None if option.runs_out is None else option.runs_out[1]
        return self._counted(scenario, pools, option.today, month)

    def figures(self, scenario: Scenario, pools: set[str]) -> Figures:
        """Args: pools: ids of those whose drives count."""
        self.check()
        prediction = evaluate(scenario, self.knowledge)
        month = None
        if prediction.verdict in DOWN:
            month = 0.0
        elif scenario.vms and _grows(scenario):
            years = scenario.growth.years + LOOK_AHEAD
            first = first_crossing(scenario, self.knowledge, years=years, every=6, check=self.check)
            month = None if first is None else first.month
        return self._counted(scenario, pools, prediction, month)

    def _counted(
        self, scenario: Scenario, pools: set[str], prediction: Prediction, month: float | None
    ) -> Figures:
        verdict = prediction.verdict
        servers = [self.knowledge.catalog.servers[host.server] for host in scenario.hosts]
        heights = [server.rack_units for server in servers]
        own = [pool for pool in scenario.pools if pool.id in pools]
        is_ahead = verdict not in DOWN and bool(scenario.vms) and _grows(scenario)
        return Figures(
            hosts=len(scenario.hosts),
            cores=sum(server.cores for server in servers),
            ram_gib=sum(host.ram_gib for host in scenario.hosts),
            drives=None if any(map(_is_assumed, own)) else sum(pool.spindles for pool in own),
            rack_units=None if None in heights else sum(each or 0 for each in heights),
            verdict=verdict,
            is_assumed=prediction.rests_on_assumptions,
            years_left=None if month is None else month / MONTHS_OF_A_YEAR,
            years_seen=scenario.growth.years + LOOK_AHEAD if is_ahead else 0.0,
            in_maintenance=len(away(scenario)),
            licensed_cores=hypervisor_cores(scenario, self.knowledge.catalog),
        )


def _is_assumed(pool: Pool) -> bool:
    """Whether nobody said how many drives it has."""
    return origin_of(pool, "spindles") is Origin.ASSUMED


def _grows(scenario: Scenario) -> bool:
    growth = scenario.growth
    return any((growth.users_pct, growth.mail_pct, growth.load_pct))


def total(figures: Sequence[Figures]) -> Figures:
    """Of several parts: sums, the worst verdict, and what runs out first."""
    drives = [each.drives for each in figures]
    heights = [each.rack_units for each in figures]
    cores = [each.licensed_cores for each in figures]
    left = [each.years_left for each in figures if each.years_left is not None]
    verdicts = [each.verdict for each in figures if each.verdict is not None]
    return Figures(
        hosts=sum(each.hosts for each in figures),
        cores=sum(each.cores for each in figures),
        ram_gib=sum(each.ram_gib for each in figures),
        drives=None if None in drives else sum(each or 0 for each in drives),
        rack_units=None if None in heights else sum(each or 0 for each in heights),
        verdict=max(verdicts, default=None),
        is_assumed=any(each.is_assumed for each in figures),
        years_left=min(left, default=None),
        years_seen=min((each.years_seen for each in figures), default=0.0),
        in_maintenance=sum(each.in_maintenance for each in figures),
        licensed_cores=None if None in cores else sum(each or 0 for each in cores),
    )


# --- in place -------------------------------------------------------------------------------------


def _in_place(scenario: Scenario, done: Sequence[Refreshed]) -> Scenario:
    """The scenario with each new design instead of the hosts and pools that it replaces; a pool
    that stays is seen by the hosts that come in place of those that saw it."""
    gone = {host.id for each in done for host in each.part.now.hosts}
    pools = {id for each in done for id in each.part.replaced}
    hosts = tuple(host for host in scenario.hosts if host.id not in gone)
    left = {host.id for host in hosts}
    still = {host.cluster for host in hosts}
    emptied = {host.cluster for each in done for host in each.part.now.hosts} - still
    new = [_renamed(each, place) for place, each in enumerate(done, 1)]
    moved = {vm.id: vm for each in new for vm in each.vms}
    partners = {vm.id: vm.cluster_partners for vm in scenario.vms}
    instead = {
        host.id: [each.id for each in design.hosts]
        for design, one in zip(new, done, strict=True)
        for host in one.part.now.hosts
    }
    return replace(
        scenario,
        clusters=(
            *(each for each in scenario.clusters if each.id not in emptied),
            *(cluster for each in new for cluster in each.clusters),
        ),
        hosts=(*hosts, *(host for each in new for host in each.hosts)),
        pools=(
            *(_seen_now(each, instead) for each in scenario.pools if each.id not in pools),
            *(pool for each in new for pool in each.pools),
        ),
        vms=tuple(
            replace(moved[vm.id], cluster_partners=partners[vm.id]) if vm.id in moved else vm
            for vm in scenario.vms
        ),
        affinity=tuple(_rules(scenario.affinity, set(partners), left)),
        waivers=tuple(each for each in scenario.waivers if not moved),
    )


def _seen_now(pool: Pool, instead: dict[str, list[str]]) -> Pool:
    hosts = dict.fromkeys(new for id in pool.hosts for new in instead.get(id, [id]))
    return replace(pool, hosts=tuple(hosts))


def _renamed(done: Refreshed, place: int) -> Scenario:
    """The design of a part with ids and names of its own."""
    assert done.option is not None
    there, name, mark = done.option.scenario, done.part.name, f"new{place}-"
    return replace(
        there,
        clusters=tuple(
            replace(each, id=mark + each.id, name=name, site=done.part.site or None)
            for each in there.clusters
        ),
        hosts=tuple(
            replace(each, id=mark + each.id, name=f"{name} {each.name}", cluster=mark + "c1")
            for each in there.hosts
        ),
        pools=tuple(
            replace(
                each,
                id=mark + each.id,
                name=f"{name} {each.name}",
                hosts=tuple(mark + host.id for host in there.hosts),
            )
            for each in there.pools
        ),
        vms=tuple(
            replace(vm, host=f"{mark}{vm.host}", pool=f"{mark}{vm.pool}") for vm in there.vms
        ),
    )
