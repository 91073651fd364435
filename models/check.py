"""Whether a scenario can exist: bounds, ids, references and settings that exclude each other.

What can exist but ought not to be built is a finding (`models.judgement`), never an error here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from models.base.errors import ModelError, kind_words
from models.base.fields import NOUNS, SCENARIO_LISTS, check_fields, references_of, value_at
from models.base.lettering import is_seen
from models.base.limits import (
    MOST_HOSTS,
    MOST_ITEMS,
    MOST_PAIRS,
    MOST_SCENARIOS,
    UNSEEN_TEXT,
    check_line,
    shortened,
)
from models.base.texts import Numeral, Text, say
from models.catalog.catalog import Catalog, find
from models.catalog.catalog_check import check_catalog
from models.project.project import Project
from models.scenario.inputs import Subject, unknown_mark
from models.scenario.scenario import (
    Affinity,
    AffinityKind,
    Cluster,
    DataCenter,
    Host,
    Pool,
    Scenario,
    Vm,
    Waiver,
)

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
    if len(project.entries) > MOST_SCENARIOS:
        raise ModelError(_at_most(MOST_SCENARIOS), field="scenarios")
    _check_names(project)
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


def _check_names(project: Project) -> None:
    """A name says which scenario is meant."""
    names: set[str] = set()
    for entry in project.entries:
        name = entry.scenario.name
        if name in names:
            reason = say("two are called “{name}”", name=shortened(name))
            raise ModelError(reason, field="scenarios")
        names.add(name)


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
    known = {ids: frozenset(item.id for item in getattr(scenario, ids)) for ids in SCENARIO_LISTS}
    for name in (*SCENARIO_LISTS, "affinity"):
        _each(name, getattr(scenario, name), lambda each: _check_references(each, known))
    _each("clusters", scenario.clusters, _check_failover_hosts)
    _each("vms", scenario.vms, _check_partners)
    _each("waivers", scenario.waivers, lambda each: _check_subject(each, scenario))
    _check_clusters(scenario)
    _check_apart(scenario)
    _check_physical_servers(scenario)


def check_catalog_ids(scenario: Scenario, catalog: Catalog) -> None:
    """Refuse servers, hypervisors, arrays, disks and RAID levels that the catalog doesn't have.

    Raises:
        ModelError: with the path of the first offending field.
    """
    for collection in SCENARIO_LISTS:
        _each(collection, getattr(scenario, collection), lambda each: _check_entries(each, catalog))


def check_values(scenario: Scenario) -> None:
    """Hold every single value to its bounds, without looking at ids or the catalog.

    Raises:
        ModelError: with the path of the first offending field.
    """
    check_fields(scenario)
    _check_marks(scenario)
    for name in (*SCENARIO_LISTS, "affinity", "waivers", "import_notes", "sites"):
        most = MOST_HOSTS if name == "hosts" else MOST_ITEMS
        if len(getattr(scenario, name)) > most:
            raise ModelError(_at_most(most), field=name)
    _each("clusters", scenario.clusters, _check_item)
    _each("hosts", scenario.hosts, _check_item)
    _each("pools", scenario.pools, _check_pool)
    _each("vms", scenario.vms, _check_vm)
    _each("affinity", scenario.affinity, _check_rule)
    _each("waivers", scenario.waivers, _check_waiver)
    _each("import_notes", scenario.import_notes, check_fields)
    _each("sites", scenario.sites, check_fields)


def _at_most(most: int) -> Text:
    return say("must not be more than {most}", most=Numeral(f"{most:,}"))


def _each(collection: str, items: Iterable[T], check: Callable[[T], None]) -> None:
    for index, item in enumerate(items):
        try:
            check(item)
        except ModelError as error:
            path = f"{collection}[{index}].{error.field}"
            raise ModelError(error.reason, field=path) from None


# --- values -----------------------------------------------------------------------------------


def _check_item(item: Cluster | Host | Pool | Vm) -> None:
    check_fields(item)
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


def _check_pool(pool: Pool) -> None:
    _check_item(pool)
    if pool.hot_spares >= pool.spindles:
        reason = say("must be less than spindles ({spindles})", spindles=pool.spindles)
        raise ModelError(reason, field="hot_spares")


def _check_vm(vm: Vm) -> None:
    _check_item(vm)
    _check_reservation(vm)


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


def _check_rule(rule: Affinity) -> None:
    check_fields(rule)
    if not rule.vms:
        raise ModelError(say("must name at least one VM"), field="vms")
    if rule.kind in _HOST_RULES and not rule.hosts:
        raise ModelError(
            say("must name at least one host for {kind}", kind=rule.kind), field="hosts"
        )
    if rule.kind not in _HOST_RULES and rule.hosts:
        raise ModelError(say("must be empty for {kind}", kind=rule.kind), field="hosts")


def _check_waiver(waiver: Waiver) -> None:
    check_fields(waiver)
    if not waiver.reason.strip():
        raise ModelError(say("must not be empty"), field="reason")
    if not is_seen(waiver.reason):
        raise ModelError(UNSEEN_TEXT, field="reason")


# --- ids and references -----------------------------------------------------------------------


def _check_ids(scenario: Scenario) -> None:
    """Clusters, hosts, pools and VMs share one space of ids; rules have their own."""
    seen: dict[str, str] = {}
    for collection in SCENARIO_LISTS:
        _note_ids(seen, collection, getattr(scenario, collection))
    _note_ids({}, "affinity", scenario.affinity)
    _note_ids({}, "sites", scenario.sites)
    _check_sites(scenario)
    _check_doubled_waivers(scenario.waivers)


def _check_doubled_waivers(waivers: Iterable[Waiver]) -> None:
    seen: dict[tuple[str, str], int] = {}
    for index, waiver in enumerate(waivers):
        first = seen.setdefault((waiver.rule, waiver.subject), index)
        if first != index:
            reason = say("waives what waivers[{first}] does", first=first)
            raise ModelError(reason, field=f"waivers[{index}].rule")


def _check_sites(scenario: Scenario) -> None:
    """Where sites are listed, hosts and clusters name one of them."""
    known = {site.id for site in scenario.sites}
    for collection in ("clusters", "hosts") if known else ():
        for index, item in enumerate(getattr(scenario, collection)):
            if item.site is not None and item.site not in known:
                reason = say("there is no site “{id}” in the scenario", id=shortened(item.site))
                raise ModelError(reason, field=f"{collection}[{index}].site")


def _note_ids(
    seen: dict[str, str],
    collection: str,
    items: Iterable[Cluster | Host | Pool | Vm | Affinity | DataCenter],
) -> None:
    for index, item in enumerate(items):
        path = f"{collection}[{index}]"
        if item.id in seen:
            reason = say("“{id}” is the id of {other} too", id=item.id, other=seen[item.id])
            raise ModelError(reason, field=f"{path}.id")
        seen[item.id] = path


def _check_references(item: Any, known: Mapping[str, Container[str]]) -> None:
    """Hold the fields that name items of the scenario to the ids that are there, by its lists."""
    for path, field in references_of(type(item)).items():
        if field.ids not in SCENARIO_LISTS:
            continue
        value = value_at(item, path)
        seen: set[str] = set()
        for index, id in enumerate(value if field.is_list else (value,)):
            place = f"{path}[{index}]" if field.is_list else path
            if id is not None and id not in known[field.ids]:
                kind, named = kind_words(NOUNS[field.ids]), shortened(id)
                reason = say("there is no {kind} “{id}” in the scenario", kind=kind, id=named)
                raise ModelError(reason, field=place)
            if id in seen:
                raise ModelError(say("“{id}” is named twice", id=id), field=place)
            seen.add(id)


def _check_entries(item: Any, catalog: Catalog) -> None:
    """Hold the fields that name entries of the catalog to those that are there."""
    for path, field in references_of(type(item)).items():
        id = value_at(item, path) if field.ids not in SCENARIO_LISTS else None
        if id is not None:
            find(getattr(catalog, field.ids), id, field=path, kind=NOUNS[field.ids])


def _check_failover_hosts(cluster: Cluster) -> None:
    first, more = cluster.admission.failover_host, cluster.admission.more_failover_hosts
    if more and (first is None or first in more):
        reason = say("must name hosts beside failover_host")
        raise ModelError(reason, field="admission.more_failover_hosts")


def _check_clusters(scenario: Scenario) -> None:
    """Every host of a cluster is looked at in the failure of every other."""
    sizes = Counter(host.cluster for host in scenario.hosts if host.cluster is not None)
    if not sizes:
        return
    largest = max(sizes, key=sizes.__getitem__)
    if sizes.total() * sizes[largest] > MOST_PAIRS:
        at = [cluster.id for cluster in scenario.clusters].index(largest)
        count = Numeral(f"{sizes[largest]:,}")
        reason = say("has {count} hosts, more than any cluster: divide it", count=count)
        raise ModelError(reason, field=f"clusters[{at}]")


def _check_apart(scenario: Scenario) -> None:
    """Every VM of such a rule is kept from every other."""
    rules = {
        at: len(rule.vms)
        for at, rule in enumerate(scenario.affinity)
        if rule.kind is AffinityKind.APART
    }
    if sum(rules.values()) * max(rules.values(), default=0) > MOST_PAIRS:
        largest = max(rules, key=rules.__getitem__)
        count = Numeral(f"{rules[largest]:,}")
        reason = say("keeps {count} VMs apart, more than there can be: divide it", count=count)
        raise ModelError(reason, field=f"affinity[{largest}].vms")


def _check_partners(vm: Vm) -> None:
    if vm.id in vm.cluster_partners:
        raise ModelError(say("must not name the VM itself"), field="cluster_partners")


def _check_subject(waiver: Waiver, scenario: Scenario) -> None:
    subject = waiver.subject
    if subject and all(item.id != subject for item in scenario.items()):
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
        if not _is_rule(waiver.rule):
            reason = say("there is no rule “{rule}”", rule=shortened(waiver.rule))
            raise ModelError(reason, field=f"waivers[{index}].rule")


def without_unknown_rules(scenario: Scenario) -> Scenario:
    """The scenario without such waivers."""
    kept = tuple(waiver for waiver in scenario.waivers if _is_rule(waiver.rule))
    return replace(scenario, waivers=kept)


def _is_rule(id: str) -> bool:
    """Asked where there are waivers: rules look at all there is, and take as long to import."""
    from models.judgement.rules import is_rule

    return is_rule(id)


def _check_physical_servers(scenario: Scenario) -> None:
    """A server without hypervisor runs one operating system: the one VM it carries."""
    physical = {host.id for host in scenario.hosts if host.hypervisor == PHYSICAL}
    occupied: set[str] = set()
    for index, vm in enumerate(scenario.vms):
        if vm.host is None or vm.host not in physical:
            continue
        if vm.host in occupied:
            reason = say(
                "“{host}” is a physical server and carries its one operating system already; enter "
                "each partition of a server as a host of its own",
                host=vm.host,
            )
            raise ModelError(reason, field=f"vms[{index}].host")
        occupied.add(vm.host)
