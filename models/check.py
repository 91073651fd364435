"""Whether a scenario can exist: bounds, ids, references and settings that exclude each other.

What can exist but ought not to be built is a finding (`models.judgement`), never an error here.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

from models.catalog import Catalog, find
from models.catalog_check import check_catalog
from models.errors import ModelError, kind_words
from models.inputs import Subject, unknown_mark
from models.judgement.titles import TITLES
from models.lettering import is_seen
from models.limits import (
    GUEST_BITS,
    LIMITS,
    MOST_ITEMS,
    UNSEEN_TEXT,
    check_line,
    check_text,
    shortened,
)
from models.project import Project
from models.scenario import (
    Affinity,
    AffinityKind,
    Cluster,
    Host,
    Pool,
    Scenario,
    Vm,
    Waiver,
    Workload,
)
from models.texts import Numeral, say

T = TypeVar("T")

PHYSICAL = "none"
_HOST_RULES = (AffinityKind.MUST_RUN_ON, AffinityKind.SHOULD_RUN_ON)


def check_scenario(scenario: Scenario, catalog: Catalog) -> None:
    """Refuse a scenario that cannot exist.

    Raises:
        ModelError: with the path of the first offending field, such as ``vms[3].vcpus``.
    """
    check_structure(scenario)
    check_catalog_ids(scenario, catalog)


def check_project(project: Project) -> None:
    """Refuse a project whose entries or whose family of scenarios cannot exist.

    The scenarios themselves are `check_structure`'s business.

    Raises:
        ModelError: with the path of the first offending field.
    """
    check_catalog(project.own_catalog)
    check_catalog(project.used_catalog)
    parents = {entry.id: entry.parent for entry in project.entries}
    for id, parent in parents.items():
        check_line(id, field="id", required=True)
        if parent is not None and parent not in parents:
            raise ModelError(
                say("there is no scenario “{id}” in the project", id=shortened(parent))
            )
    _check_descent(parents)
    project.entry(project.active)
    if project.baseline is not None:
        project.entry(project.baseline)


def _check_descent(parents: Mapping[str, str | None]) -> None:
    """Each scenario comes from one before it, and in the end from none."""
    settled: set[str] = set()
    for id in parents:
        line: dict[str, None] = {}
        at: str | None = id
        while at is not None and at not in settled:
            if at in line:
                raise ModelError(say("scenarios are duplicates of each other in a circle"))
            line[at] = None
            at = parents[at]
        settled.update(line)


def check_structure(scenario: Scenario) -> None:
    """Refuse what is wrong whatever the catalog holds: values, ids, references, placement.

    Raises:
        ModelError: with the path of the first offending field.
    """
    check_values(scenario)
    _check_ids(scenario)
    _check_references(scenario)
    _check_physical_servers(scenario)


def check_catalog_ids(scenario: Scenario, catalog: Catalog) -> None:
    """Refuse servers, hypervisors, arrays, disks and RAID levels that the catalog doesn't have.

    Raises:
        ModelError: with the path of the first offending field.
    """
    _each("hosts", scenario.hosts, lambda host: _check_host_models(host, catalog))
    _each("pools", scenario.pools, lambda pool: _check_pool_models(pool, catalog))


def check_values(scenario: Scenario) -> None:
    """Hold every single value to its bounds, without looking at ids or the catalog.

    Raises:
        ModelError: with the path of the first offending field.
    """
    check_line(scenario.name, field="name", required=True)
    check_line(scenario.customer, field="customer")
    check_line(scenario.author, field="author")
    check_text(scenario.notes, field="notes")
    _check_marks(scenario)
    for collection in ("clusters", "hosts", "pools", "vms", "affinity", "waivers"):
        if len(getattr(scenario, collection)) > MOST_ITEMS:
            reason = say("must not be more than {most}", most=Numeral(f"{MOST_ITEMS:,}"))
            raise ModelError(reason, field=collection)
    _within("policy", _check_numbers, scenario.policy)
    _within("assumptions", _check_numbers, scenario.assumptions)
    _each("clusters", scenario.clusters, _check_cluster)
    _each("hosts", scenario.hosts, _check_host)
    _each("pools", scenario.pools, _check_pool)
    _each("vms", scenario.vms, _check_vm)
    _each("affinity", scenario.affinity, _check_rule)
    _each("waivers", scenario.waivers, _check_waiver)


def _each(collection: str, items: Iterable[T], check: Callable[[T], None]) -> None:
    for index, item in enumerate(items):
        try:
            check(item)
        except ModelError as error:
            path = f"{collection}[{index}].{error.field}"
            raise ModelError(error.reason, field=path) from None


def _within(prefix: str, check: Callable[[T], None], value: T) -> None:
    try:
        check(value)
    except ModelError as error:
        raise ModelError(error.reason, field=f"{prefix}.{error.field}") from None


# --- values -----------------------------------------------------------------------------------


def _check_numbers(item: object) -> None:
    for name, limit in LIMITS[type(item)].items():
        value = getattr(item, name)
        if value is not None and (reason := limit.broken(value)) is not None:
            raise ModelError(reason, field=name)


def _check_names(item: Cluster | Host | Pool | Vm) -> None:
    check_line(item.id, field="id", required=True)
    check_line(item.name, field="name", required=True)
    _check_marks(item)


def _check_marks(item: Subject) -> None:
    if not (item.origins or item.pins):
        return
    unknown = unknown_mark(item)
    if unknown is not None:
        field, path = unknown
        reason = say("“{path}” is not an input of this item", path=shortened(path))
        raise ModelError(reason, field=field)
    if len(set(item.pins)) < len(item.pins):
        raise ModelError(say("must not name an input twice"), field="pins")


def _check_cluster(cluster: Cluster) -> None:
    _check_names(cluster)
    _within("admission", _check_numbers, cluster.admission)


def _check_host(host: Host) -> None:
    _check_names(host)
    _check_numbers(host)
    check_line(host.server, field="server")
    check_line(host.hypervisor, field="hypervisor")
    check_line(host.failure_group or "", field="failure_group")


def _check_pool(pool: Pool) -> None:
    _check_names(pool)
    _check_numbers(pool)
    check_line(pool.array, field="array")
    check_line(pool.disk, field="disk")
    check_line(pool.raid, field="raid")
    if pool.hot_spares >= pool.spindles:
        reason = say("must be less than spindles ({spindles})", spindles=pool.spindles)
        raise ModelError(reason, field="hot_spares")


def _check_vm(vm: Vm) -> None:
    _check_names(vm)
    _check_numbers(vm)
    check_line(vm.lun or "", field="lun")
    for index, group in enumerate(vm.groups):
        check_line(group, field=f"groups[{index}]", required=True)
    if vm.guest_bits is not None and vm.guest_bits not in GUEST_BITS:
        raise ModelError(say("must be 32 or 64"), field="guest_bits")
    _check_reservation(vm)
    _within("workload", _check_workload, vm.workload)


def _check_reservation(vm: Vm) -> None:
    reserved = vm.memory_reservation_gib
    if reserved is None:
        return
    if reserved > vm.ram_gib:
        reason = say("must not be more than ram_gib ({ram})", ram=Numeral(f"{vm.ram_gib:g}"))
        raise ModelError(reason, field="memory_reservation_gib")
    if vm.memory_limit_gib is not None and reserved > vm.memory_limit_gib:
        limit = Numeral(f"{vm.memory_limit_gib:g}")
        reason = say("must not be more than memory_limit_gib ({limit})", limit=limit)
        raise ModelError(reason, field="memory_reservation_gib")


def _check_workload(workload: Workload) -> None:
    _check_numbers(workload)
    check_line(workload.release, field="release")


def _check_rule(rule: Affinity) -> None:
    check_line(rule.id, field="id", required=True)
    if not rule.vms:
        raise ModelError(say("must name at least one VM"), field="vms")
    if rule.kind in _HOST_RULES and not rule.hosts:
        raise ModelError(
            say("must name at least one host for {kind}", kind=rule.kind), field="hosts"
        )
    if rule.kind not in _HOST_RULES and rule.hosts:
        raise ModelError(say("must be empty for {kind}", kind=rule.kind), field="hosts")


def _check_waiver(waiver: Waiver) -> None:
    check_line(waiver.rule, field="rule", required=True)
    check_line(waiver.subject, field="subject")
    check_text(waiver.reason, field="reason")
    if not waiver.reason.strip():
        raise ModelError(say("must not be empty"), field="reason")
    if not is_seen(waiver.reason):
        raise ModelError(UNSEEN_TEXT, field="reason")


# --- ids and references -----------------------------------------------------------------------


def _check_ids(scenario: Scenario) -> None:
    """Clusters, hosts, pools and VMs share one space of ids; rules have their own."""
    seen: dict[str, str] = {}
    for collection in ("clusters", "hosts", "pools", "vms"):
        _note_ids(seen, collection, getattr(scenario, collection))
    _note_ids({}, "affinity", scenario.affinity)
    _check_doubled_waivers(scenario.waivers)


def _check_doubled_waivers(waivers: Iterable[Waiver]) -> None:
    seen: dict[tuple[str, str], int] = {}
    for index, waiver in enumerate(waivers):
        first = seen.setdefault((waiver.rule, waiver.subject), index)
        if first != index:
            reason = say("waives what waivers[{first}] does", first=first)
            raise ModelError(reason, field=f"waivers[{index}].rule")


def _note_ids(
    seen: dict[str, str], collection: str, items: Iterable[Cluster | Host | Pool | Vm | Affinity]
) -> None:
    for index, item in enumerate(items):
        path = f"{collection}[{index}]"
        if item.id in seen:
            reason = say("“{id}” is the id of {other} too", id=item.id, other=seen[item.id])
            raise ModelError(reason, field=f"{path}.id")
        seen[item.id] = path


@dataclass(frozen=True, slots=True)
class _References:
    """The ids a scenario's fields may name."""

    clusters: frozenset[str]
    hosts: frozenset[str]
    pools: frozenset[str]
    vms: frozenset[str]

    def check_cluster(self, cluster: Cluster) -> None:
        admission = cluster.admission
        first = admission.failover_host
        _check_known(first, self.hosts, field="admission.failover_host", kind="host")
        more, field = admission.more_failover_hosts, "admission.more_failover_hosts"
        _check_list(more, self.hosts, field=field, kind="host")
        if more and (first is None or first in more):
            raise ModelError(say("must name hosts beside failover_host"), field=field)

    def check_host(self, host: Host) -> None:
        _check_known(host.cluster, self.clusters, field="cluster", kind="cluster")

    def check_vm(self, vm: Vm) -> None:
        _check_known(vm.host, self.hosts, field="host", kind="host")
        _check_known(vm.pool, self.pools, field="pool", kind="pool")
        _check_known(vm.log_pool, self.pools, field="log_pool", kind="pool")
        if vm.cluster_partners:
            _check_list(vm.cluster_partners, self.vms, field="cluster_partners", kind="VM")
            if vm.id in vm.cluster_partners:
                raise ModelError(say("must not name the VM itself"), field="cluster_partners")

    def check_rule(self, rule: Affinity) -> None:
        _check_list(rule.vms, self.vms, field="vms", kind="VM")
        _check_list(rule.hosts, self.hosts, field="hosts", kind="host")

    def check_waiver(self, waiver: Waiver) -> None:
        items = self.clusters | self.hosts | self.pools | self.vms | {""}
        if waiver.subject not in items:
            subject = waiver.subject
            reason = say("there is nothing called “{subject}” in the scenario", subject=subject)
            raise ModelError(reason, field="subject")


def check_waived_rules(scenario: Scenario) -> None:
    """Refuses a waiver of a rule that there isn't: it would answer for nothing, and nobody is told.

    Of text that somebody writes. A project may have one of a rule of an older version, and must
    open all the same: there it is as one of a rule that finds nothing.

    Raises:
        ModelError: with the path of the waiver's rule.
    """
    for index, waiver in enumerate(scenario.waivers):
        if waiver.rule not in TITLES:
            reason = say("there is no rule “{rule}”", rule=shortened(waiver.rule))
            raise ModelError(reason, field=f"waivers[{index}].rule")


def without_unknown_rules(scenario: Scenario) -> Scenario:
    """The scenario without such waivers."""
    kept = tuple(waiver for waiver in scenario.waivers if waiver.rule in TITLES)
    return replace(scenario, waivers=kept)


def _check_known(id: str | None, known: Container[str], *, field: str, kind: str) -> None:
    if id is not None and id not in known:
        named = shortened(id)
        reason = say("there is no {kind} “{id}” in the scenario", kind=kind_words(kind), id=named)
        raise ModelError(reason, field=field)


def _check_list(ids: tuple[str, ...], known: Container[str], *, field: str, kind: str) -> None:
    seen: set[str] = set()
    for index, id in enumerate(ids):
        path = f"{field}[{index}]"
        _check_known(id, known, field=path, kind=kind)
        if id in seen:
            raise ModelError(say("“{id}” is named twice", id=id), field=path)
        seen.add(id)


def _check_host_models(host: Host, catalog: Catalog) -> None:
    find(catalog.servers, host.server, field="server", kind="server")
    find(catalog.hypervisors, host.hypervisor, field="hypervisor", kind="hypervisor")


def _check_pool_models(pool: Pool, catalog: Catalog) -> None:
    find(catalog.arrays, pool.array, field="array", kind="array")
    find(catalog.disks, pool.disk, field="disk", kind="disk")
    find(catalog.raid_levels, pool.raid, field="raid", kind="RAID level")


def _check_references(scenario: Scenario) -> None:
    references = _References(
        clusters=frozenset(cluster.id for cluster in scenario.clusters),
        hosts=frozenset(host.id for host in scenario.hosts),
        pools=frozenset(pool.id for pool in scenario.pools),
        vms=frozenset(vm.id for vm in scenario.vms),
    )
    _each("clusters", scenario.clusters, references.check_cluster)
    _each("hosts", scenario.hosts, references.check_host)
    _each("vms", scenario.vms, references.check_vm)
    _each("affinity", scenario.affinity, references.check_rule)
    _each("waivers", scenario.waivers, references.check_waiver)


def _check_physical_servers(scenario: Scenario) -> None:
    """A server without hypervisor runs one operating system: the one VM it carries."""
    physical = {host.id for host in scenario.hosts if host.hypervisor == PHYSICAL}
    occupied: set[str] = set()
    for index, vm in enumerate(scenario.vms):
        if vm.host is None or vm.host not in physical:
            continue
        if vm.host in occupied:
            reason = say(
                "“{host}” is a physical server and carries its one operating system already",
                host=vm.host,
            )
            raise ModelError(reason, field=f"vms[{index}].host")
        occupied.add(vm.host)
