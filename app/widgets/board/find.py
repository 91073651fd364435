"""What is looked for on the board by words, and what its cards are coloured by."""

from __future__ import annotations

from app.language import local, tr
from app.session import Session
from app.widgets.board.bar import BoardBar
from app.widgets.board.tints import ColourBy, Tint, key, tints
from models.catalog.catalog import Catalog
from models.predict.prediction import Prediction
from models.scenario.places import pool_sites, site_names
from models.scenario.scenario import Scenario, Vm
from models.scenario.workloads import WORKLOADS


def matching(
    scenario: Scenario, prediction: Prediction, catalog: Catalog, text: str
) -> frozenset[str] | None:
    """Ids of the hosts, VMs and pools that all words of `text` are said of; None for no words."""
    words = text.casefold().split()
    if not words:
        return None
    said = {**_hosts(scenario, prediction, catalog), **_vms(scenario, prediction)}
    said.update(_pools(scenario, prediction, catalog))
    return frozenset(id for id, words_of in said.items() if all(word in words_of for word in words))


def _hosts(scenario: Scenario, prediction: Prediction, catalog: Catalog) -> dict[str, str]:
    clusters = {cluster.id: cluster.name for cluster in scenario.clusters}
    names, at = site_names(scenario), {each.id: each.site for each in scenario.clusters}
    rows = prediction.hosts
    found = {}
    for host in scenario.hosts:
        server = catalog.servers.get(host.server)
        platform = catalog.hypervisors.get(host.hypervisor)
        verdict = local(rows.shown(rows.index(host.id)).words) if host.id in rows else ""
        found[host.id] = _joined(
            tr("host"),
            host.name,
            server.name if server else host.server,
            platform.name if platform else host.hypervisor,
            clusters.get(host.cluster or "", tr("stand-alone")),
            tr("in maintenance") if host.in_maintenance else "",
            names.get(at.get(host.cluster or "", host.site) or "", ""),
            verdict,
        )
    return found


def _vms(scenario: Scenario, prediction: Prediction) -> dict[str, str]:
    hosts = {host.id: host.name for host in scenario.hosts}
    pools = {pool.id: pool.name for pool in scenario.pools}
    return {
        vm.id: _joined(
            "vm",
            vm.name,
            local(WORKLOADS[vm.workload.kind].name),
            vm.workload.release,
            hosts.get(vm.host or "", tr("not placed")),
            pools.get(vm.pool or "", ""),
            tr("fault tolerance ft") if vm.fault_tolerance else "",
            "" if vm.powered_on else tr("powered off"),
            _verdict(vm, prediction),
        )
        for vm in scenario.vms
    }


def _verdict(vm: Vm, prediction: Prediction) -> str:
    rows = prediction.vms
    if vm.id not in rows or not vm.powered_on:
        return ""
    return local(rows.shown(rows.index(vm.id)).words)


def _pools(scenario: Scenario, prediction: Prediction, catalog: Catalog) -> dict[str, str]:
    rows, names, at = prediction.pools, site_names(scenario), pool_sites(scenario)
    found = {}
    for pool in scenario.pools:
        array, disk = catalog.arrays.get(pool.array), catalog.disks.get(pool.disk)
        verdict = local(rows.shown(rows.index(pool.id)).words) if pool.id in rows else ""
        found[pool.id] = _joined(
            tr("pool"),
            pool.name,
            array.name if array else pool.array,
            disk.name if disk else pool.disk,
            names.get(at[pool.id] or "", ""),
            verdict,
        )
    return found


def _joined(*words: str) -> str:
    return " ".join(words).casefold()


class Highlight:
    """Search and colours of one board; its bar shows what came of them.

    Attributes:
        matches: ids of what the search finds; None while nothing is searched for.
        tints: the colour of each VM's card by id; none while that is its kind of work.
    """

    def __init__(self, session: Session, bar: BoardBar) -> None:
        self._session = session
        self._bar = bar
        self._text = ""
        self._by = ColourBy.WORKLOAD
        self.matches: frozenset[str] | None = None
        self.tints: dict[str, Tint] = {}

    def search(self, text: str, scenario: Scenario) -> None:
        self._text = text
        self._find(scenario)

    def colour_by(self, by: ColourBy, scenario: Scenario) -> None:
        self._by = by
        self._bar.show_colour(by)
        self._tint(scenario)

    def look(self, scenario: Scenario) -> None:
        """Looks again: scenario or numbers are others."""
        self._find(scenario)
        self._tint(scenario)

    def _find(self, scenario: Scenario) -> None:
        session = self._session
        prediction = session.view.committed
        self.matches = matching(scenario, prediction, session.catalog, self._text)
        self._bar.show_count(
            "" if self.matches is None else tr("{count} found", count=len(self.matches))
        )

    def _tint(self, scenario: Scenario) -> None:
        self.tints = tints(scenario, self._session.view.committed, self._by)
        self._bar.show_key(scenario, key(self.tints.values()), self._by)
