"""Places: sites, clusters, and which hosts see the disks of a VM. One rule for all who move VMs.

A VM stands, restarts and fails over only where all of its pools are seen; it leaves its cluster or
its site only where somebody asks for it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from models.base.fields import Word, with_value
from models.base.texts import say
from models.scenario.scenario import Cluster, DataCenter, Host, Pool, Scenario, Vm


class Across(Word):
    """How far VMs may be moved by somebody who looks for a better place."""

    NOTHING = "nothing", say("within the cluster")
    CLUSTERS = "clusters", say("across clusters")
    SITES = "sites", say("across sites")


def site_of(scenario: Scenario, host: Host) -> str | None:
    """Id of the site where a host stands: that of its cluster, else its own; None: not said."""
    if host.cluster is None:
        return host.site
    return next(each.site for each in scenario.clusters if each.id == host.cluster)


def site_names(scenario: Scenario) -> dict[str, str]:
    """Names of sites by id, of those that are only named by clusters and hosts too."""
    found = {site.id: site.name for site in scenario.sites}
    named = [each.site for each in scenario.clusters] + [each.site for each in scenario.hosts]
    for id in filter(None, named):
        found.setdefault(id, id)
    return found


def with_site(scenario: Scenario, item: Cluster | Host, name: str | None) -> Scenario:
    """The scenario with a cluster or host in the site of that name or id; a new one where there is
    none; None: not said."""
    found = name
    for id, called in site_names(scenario).items():
        if name is not None and name.casefold() in (id.casefold(), called.casefold()):
            found = id
            break
    known = {site.id for site in scenario.sites}
    if found is not None and known and found not in known:
        new = DataCenter(id=found, name=found)
        scenario = replace(scenario, sites=(*scenario.sites, new))
    return scenario.with_item(with_value(item, "site", found))


def pool_sites(scenario: Scenario) -> dict[str, str | None]:
    """Where each pool stands, by its id: where the hosts stand that see it, else those whose VMs
    use it; None where that is several places, or none is said."""
    at = {host.id: site_of(scenario, host) for host in scenario.hosts}
    found: dict[str, set[str | None]] = {
        pool.id: {at[id] for id in pool.hosts} for pool in scenario.pools
    }
    unsaid = {pool.id for pool in scenario.pools if not pool.hosts}
    for vm in scenario.vms:
        for id in (vm.pool, vm.log_pool):
            if id in unsaid and vm.host is not None:
                found[id].add(at[vm.host])
    return {id: next(iter(sites)) if len(sites) == 1 else None for id, sites in found.items()}


def away(scenario: Scenario) -> frozenset[str]:
    """Ids of the hosts that are in maintenance."""
    return frozenset(host.id for host in scenario.hosts if host.in_maintenance)


def as_it_runs(scenario: Scenario) -> Scenario:
    """The scenario in which no VM that is on stands on a host in maintenance."""
    gone = away(scenario)
    lost = {vm.id for vm in scenario.vms if gone and vm.powered_on and vm.host in gone}
    if not lost:
        return scenario
    vms = (replace(vm, host=None) if vm.id in lost else vm for vm in scenario.vms)
    return replace(scenario, vms=tuple(vms))


def all_back(scenario: Scenario) -> Scenario:
    """The scenario in which no host is in maintenance any more."""
    if not away(scenario):
        return scenario
    hosts = (replace(host, in_maintenance=False) for host in scenario.hosts)
    return replace(scenario, hosts=tuple(hosts))


@dataclass(frozen=True, slots=True, eq=False)
class Places:
    """Where the VMs of one scenario may stand.

    Attributes:
        seen_by: hosts that see a pool, by its id; a pool that is not among them is seen by all.
        area: cluster and site of each host, by its id: two hosts outside clusters share no area.
    """

    scenario: Scenario
    pools: dict[str, Pool] = field(default_factory=dict)
    seen_by: dict[str, frozenset[str]] = field(default_factory=dict)
    area: dict[str, tuple[str, str | None]] = field(default_factory=dict)

    @classmethod
    def of(cls, scenario: Scenario) -> Places:
        sites = {each.id: each.site for each in scenario.clusters}
        return cls(
            scenario,
            {pool.id: pool for pool in scenario.pools},
            {pool.id: frozenset(pool.hosts) for pool in scenario.pools if pool.hosts},
            {
                host.id: (f"host {host.id}", host.site)
                if host.cluster is None
                else (host.cluster, sites.get(host.cluster))
                for host in scenario.hosts
            },
        )

    def unseen(self, vm: Vm, host: str) -> Pool | None:
        """A pool of the VM that this host doesn't see; None where it sees all."""
        for id in (vm.pool, vm.log_pool):
            if id is not None and host not in self.seen_by.get(id, (host,)):
                return self.pools[id]
        return None

    def reach(self, vm: Vm) -> frozenset[str] | None:
        """Hosts that see all pools of the VM; None: every host does."""
        found: frozenset[str] | None = None
        for id in (vm.pool, vm.log_pool):
            if id in self.seen_by:
                here = self.seen_by[id]
                found = here if found is None else found & here
        return found

    def may_go(self, vm: Vm, host: str, across: Across) -> bool:
        """Whether somebody who looks for places may send a VM to a host: it sees the disks, and is
        as near as was asked for. A VM without a host may go wherever its disks are seen."""
        if self.unseen(vm, host) is not None:
            return False
        if vm.host is None or vm.host == host or across is Across.SITES:
            return True
        here, there = self.area[vm.host], self.area[host]
        return here[1] == there[1] if across is Across.CLUSTERS else here == there
