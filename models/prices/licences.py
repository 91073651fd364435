"""Licences that a design needs, counted by the makers' public rules of the catalog; no prices."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from math import ceil

from models.base.texts import Text, joined, say, say_many
from models.catalog.catalog import Catalog, Hypervisor, Licence, Metric, Product, Server
from models.catalog.published import CHECKED, release_of
from models.judgement.rulebook import cited
from models.scenario.owners import mail_owners
from models.scenario.scenario import NO_HYPERVISOR, Host, LoadBasis, Scenario, Vm
from models.scenario.wording import number


@dataclass(frozen=True, slots=True, kw_only=True)
class LicenceCount:
    """Licences of one kind.

    Attributes:
        id: of the hypervisor release that they are for; empty for other products.
        count: by the rule, without the least of an order; None: not known, `note` says why.
        new: of them those of hosts that are to be bought.
        least: of an order.
        physical: cores that the hosts have, where cores are counted.
        saved: how many fewer there were with one core less in each processor.
    """

    metric: Metric
    what: Text | str
    id: str = ""
    count: int | None
    new: int | None = None
    least: int = 0
    physical: int = 0
    saved: int = 0
    note: Text | str = ""
    source: str = ""

    @property
    def ordered(self) -> int | None:
        """With the least of an order."""
        return None if self.count is None else max(self.count, self.least)


def licence_counts(scenario: Scenario, catalog: Catalog) -> tuple[LicenceCount, ...]:
    """Cores, users and units to license, of hypervisors, guest systems and Domino.

    Which guest systems run is not in a design: those of Windows are as many as there were if all
    VMs ran it, and so say their notes.
    """
    rules = {each.metric: each for each in catalog.licences.values()}
    return (
        *_hypervisors(scenario, catalog, rules.get(Metric.HYPERVISOR_CORE)),
        *_windows(scenario, catalog, rules),
        *_domino(scenario, catalog, rules),
    )


def hypervisor_cores(scenario: Scenario, catalog: Catalog) -> int | None:
    """Cores of hypervisors to license in all, without the least of an order, so that those of
    parts of a design add up; None where no rule is known of one of them."""
    found = 0
    for host in scenario.hosts:
        if host.hypervisor != NO_HYPERVISOR:
            least = catalog.hypervisors[host.hypervisor].licensed_cores
            if least is None:
                return None
            found += licensed_cores(catalog.servers[host.server], least)
    return found


def licensed_cores(server: Server, least: int) -> int:
    """Cores of a server that count, with so many of each processor at least.

    >>> from resources.catalog_files import load_catalog
    >>> server = load_catalog().servers["intel-clovertown-whitebox"]
    >>> server.sockets, server.cores, licensed_cores(server, 16)
    (2, 8, 32)
    """
    return max(server.cores, least * server.sockets)


def _hypervisors(
    scenario: Scenario, catalog: Catalog, rule: Licence | None
) -> Iterator[LicenceCount]:
    by_release: dict[str, list[Host]] = {}
    for host in scenario.hosts:
        if host.hypervisor != NO_HYPERVISOR:
            by_release.setdefault(host.hypervisor, []).append(host)
    for id, hosts in by_release.items():
        hypervisor = catalog.hypervisors[id]
        least = hypervisor.licensed_cores
        if least is None:
            yield LicenceCount(
                metric=Metric.HYPERVISOR_CORE,
                what=hypervisor.name,
                id=id,
                count=None,
                note=say("no rule by which its licences count is in the catalog"),
            )
            continue
        yield _cores(hypervisor, least, hosts, catalog, rule)


def _cores(
    hypervisor: Hypervisor,
    least: int,
    hosts: Sequence[Host],
    catalog: Catalog,
    rule: Licence | None,
) -> LicenceCount:
    servers = [catalog.servers[host.server] for host in hosts]
    counts = [licensed_cores(server, least) for server in servers]
    order = (rule.minimum_order if rule is not None else None) or 0
    count = sum(counts)
    physical = sum(server.cores for server in servers)
    notes = [say("at least {least} a processor", least=number(least))]
    if count > physical:
        notes.append(say("{count} more than there are", count=number(count - physical)))
    if order > count:
        notes.append(say("an order is {least} at least", least=number(order)))
    return LicenceCount(
        metric=Metric.HYPERVISOR_CORE,
        what=hypervisor.name,
        id=hypervisor.id,
        count=count,
        new=sum(c for c, host in zip(counts, hosts, strict=True) if not host.imported_from),
        least=order,
        physical=physical,
        saved=sum(s.sockets for s in servers if s.cores > least * s.sockets),
        note=joined("; ", notes),
        source=cited(hypervisor, "licensed_cores"),
    )


def _windows(
    scenario: Scenario, catalog: Catalog, rules: dict[Metric, Licence]
) -> Iterator[LicenceCount]:
    """Two-core packs, as if Windows Server ran in every VM."""
    on_hosts: dict[str, int] = {}
    for vm in scenario.vms:
        if vm.host is not None:
            on_hosts[vm.host] = on_hosts.get(vm.host, 0) + 1
    hosts = [
        host for host in scenario.hosts if host.id in on_hosts or _shares(host, on_hosts, scenario)
    ]
    for metric in (Metric.WINDOWS_DATACENTER, Metric.WINDOWS_STANDARD):
        rule = rules.get(metric)
        if rule is None or not hosts:
            continue
        packs = [_packs(catalog.servers[h.server], rule, on_hosts.get(h.id, 0)) for h in hosts]
        yield LicenceCount(
            metric=metric,
            what=rule.name,
            count=sum(packs),
            new=sum(p for p, host in zip(packs, hosts, strict=True) if not host.imported_from),
            note=say(
                "packs of {pack} cores, if all VMs run Windows: which systems they run is not "
                "in the design",
                pack=number(rule.pack or 1),
            ),
            source=rule.provenance.source,
        )


def _shares(host: Host, on_hosts: dict[str, int], scenario: Scenario) -> bool:
    """Whether VMs of its cluster may come to an empty host."""
    if host.cluster is None:
        return False
    return any(each.cluster == host.cluster and each.id in on_hosts for each in scenario.hosts)


def _packs(server: Server, rule: Licence, vms: int) -> int:
    """Packs for a server with so many VMs: all of its cores, once for every few VMs.

    max(16, cores, 8·sockets) cores, ⌈VMs/2⌉ times of the edition with two VMs each.
    """
    cores = max(licensed_cores(server, rule.least_per_processor or 0), rule.least_per_server or 0)
    times = 1 if rule.vms_each is None else max(ceil(vms / rule.vms_each), 1)
    return ceil(cores / (rule.pack or 1)) * times


def _domino(
    scenario: Scenario, catalog: Catalog, rules: dict[Metric, Licence]
) -> Iterator[LicenceCount]:
    servers = [vm for vm in scenario.vms if vm.workload.kind.is_domino]
    if not servers:
        return
    by_user, by_unit = rules.get(Metric.DOMINO_USER), rules.get(Metric.DOMINO_PVU)
    if by_user is not None:
        production = scenario.policy.load_basis is LoadBasis.PRODUCTION
        owners = sum(mail_owners(vm.workload, production=production) for vm in servers)
        count = ceil(round(owners, 6))
        assumed = sum(vm.workload.registered_users is None for vm in servers)
        note = say("registered users of mail")
        if assumed:
            note = say_many(
                "registered users of mail, worked out from active ones on {count} server",
                "registered users of mail, worked out from active ones on {count} servers",
                assumed,
            )
        yield LicenceCount(
            metric=Metric.DOMINO_USER,
            what=by_user.name,
            count=count,
            new=count,
            note=note,
            source=by_user.provenance.source,
        )
    if by_unit is not None:
        units = _units(scenario, servers, catalog, by_unit)
        yield LicenceCount(
            metric=Metric.DOMINO_PVU,
            what=by_unit.name,
            count=units,
            new=units,
            note=say("units of the cores that its VMs can use")
            if units is not None
            else say("not every server of Domino has a host"),
            source=by_unit.provenance.source,
        )


def _units(
    scenario: Scenario, servers: Sequence[Vm], catalog: Catalog, rule: Licence
) -> int | None:
    """Processor value units, Σ min(vCPUs, cores)·units of a core over hosts; None where a server
    stands on none."""
    vcpus: dict[str, int] = {}
    for vm in servers:
        if vm.host is None:
            return None
        vcpus[vm.host] = vcpus.get(vm.host, 0) + vm.vcpus
    units = 0
    for id, count in vcpus.items():
        server = catalog.servers[scenario.host(id).server]
        of_core = (
            rule.units_two_sockets
            if server.sockets <= 2
            else rule.units_four_sockets
            if server.sockets <= 4
            else rule.units_more_sockets
        )
        if of_core is None:
            return None
        units += min(count, server.cores) * of_core
    return units


def saving(counts: Iterable[LicenceCount]) -> Text | None:
    """What fewer cores in each processor save, in a sentence; None where cores don't count."""
    cores = [each for each in counts if each.metric is Metric.HYPERVISOR_CORE and each.count]
    if not cores:
        return None
    saved, idle = (
        sum(each.saved for each in cores),
        sum(max((c.count or 0) - c.physical, 0) for c in cores),
    )
    if saved:
        return say_many(
            "One core less in each processor saves {count} licence of the hypervisor.",
            "One core less in each processor saves {count} licences of the hypervisor.",
            saved,
        )
    if idle:
        return say_many(
            "Fewer cores save no licence of the hypervisor: {count} more is paid than there are "
            "cores, so that processors with more cores cost none more.",
            "Fewer cores save no licence of the hypervisor: {count} more are paid than there are "
            "cores, so that processors with more cores cost none more.",
            idle,
        )
    return say("Fewer cores save no licence of the hypervisor: a processor counts as it is.")


@dataclass(frozen=True, slots=True)
class SupportEnd:
    """Until when a release is supported.

    Attributes:
        part: what it is a release of.
        last: last day of support under the usual contract; None: no public statement.
        in_plan: whether it ends within the planned years, counted from the day of the newest
            statement in the catalog; None: not known.
    """

    part: Text | str
    what: str
    last: date | None
    in_plan: bool | None


def support_ends(scenario: Scenario, catalog: Catalog) -> tuple[SupportEnd, ...]:
    """Of each release of hypervisor, Domino and Sametime that runs in a design. The guest systems
    are not in it."""
    found: dict[tuple[str, str], SupportEnd] = {}
    planned = CHECKED + timedelta(days=round(scenario.growth.years * DAYS_OF_A_YEAR))

    def enter(part: Text | str, what: str, last: date | None) -> None:
        found[str(part), what] = SupportEnd(
            part, what, last, None if last is None else last < planned
        )

    for id in dict.fromkeys(host.hypervisor for host in scenario.hosts):
        if id != NO_HYPERVISOR:
            enter(
                say("hypervisor"),
                catalog.hypervisors[id].name,
                catalog.hypervisors[id].end_of_support,
            )
    for vm in scenario.vms:
        product = _product_of(vm)
        if product is not None and vm.workload.release:
            release = release_of(catalog, product, vm.workload.release)
            name = vm.workload.release if release is None else release.name
            enter(
                product.value.capitalize(),
                name,
                None if release is None else release.end_of_support,
            )
    return tuple(found.values())


DAYS_OF_A_YEAR = 365.25


def _product_of(vm: Vm) -> Product | None:
    """Whose releases it has; None where it is none of the makers' products."""
    return next((each for each in Product if vm.workload.kind.value.startswith(each.value)), None)
