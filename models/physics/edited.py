"""Arrays of a scenario that was edited, from those before the edit: most columns stay as they are.

What an edit touches is found by comparing, not by being told: items are frozen, so the very same
object is the same item.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields, replace
from operator import attrgetter, is_, is_not
from typing import Any

import numpy as np

from models.catalog import Catalog
from models.errors import ModelError
from models.physics.arrays import Arrays, VmArrays
from models.physics.columns import some, with_rows
from models.physics.machines import HostArrays, HostOfVm, PoolArrays
from models.physics.reading import hosts_of, pools_of, read_vms, replica_columns, tolerated
from models.physics.restart_rules import restart_rules
from models.quantities import BoolArray, FloatArray, IntArray
from models.record import record
from models.scenario import Item, Scenario, Vm

MOST_ROWS = 0.25
"""Share of the VMs that an edit may touch before it is quicker to start afresh."""

FEW = 1_000
"""VMs below which it is quicker to work out all of them than those with other figures alone: the
number of operations is the same, and each has its price however few rows it has."""


@record
class Edit:
    """Arrays after an edit, and what it touched.

    Attributes:
        moved: rows of VMs that stand on another host than before.
        touched: rows of VMs whose own figures changed, or those of their machine or pool.
        same_hosts, same_pools: hosts and pools are the very ones of before.
        places_alone: nothing is another but on which hosts like theirs VMs stand.
    """

    arrays: Arrays
    moved: IntArray
    touched: IntArray
    same_hosts: bool
    same_pools: bool
    places_alone: bool


def arrays_after(last: Arrays, before: Scenario, after: Scenario, catalog: Catalog) -> Edit | None:
    """The arrays of `after`, where `last` are those of `before`; None when too much is new."""
    if any(len(these) != len(those) for these, those in _items(before, after)):
        return None
    changed = _rows_that_differ(before.vms, after.vms)
    if len(changed) > MOST_ROWS * len(after.vms) or not _same_ids(before.vms, after.vms, changed):
        return None
    same_hosts = after.hosts is before.hosts and after.clusters is before.clusters
    same_pools = after.pools is before.pools
    try:
        hosts = last.hosts if same_hosts else hosts_of(after, catalog)
        pools = last.pools if same_pools else pools_of(after, catalog)
        own = _rows_with_other_figures(before.vms, after.vms, changed)
        if len(own) and len(after.vms) < FEW:
            return None
        if last.vms.some_clustered and _copies_differ(last.hosts, hosts):
            return None
        production = after.policy.derating.production
        vms = _vms(last, after.vms, own, changed, hosts, pools, production)
    except (ModelError, KeyError):
        return None  # What is wrong is said by a fresh evaluation.
    ids = hosts.ids == last.hosts.ids and pools.ids == last.pools.ids
    if not ids or hosts.machines != last.hosts.machines:
        return None
    touched = np.zeros(len(vms), dtype=np.bool_)
    touched[own] = True
    if vms.at is not last.vms.at:
        touched |= differ(vms.at.figures, last.vms.at.figures)
    if vms.replicas is not None or last.vms.replicas is not None:
        touched |= vms.received_users != last.vms.received_users
        touched |= vms.replicating != last.vms.replicating
    if not same_pools:
        touched |= np.isin(vms.pool, _rows_that_differ(before.pools, after.pools))
    rules = last.rules
    if len(own) or after.clusters is not before.clusters or after.affinity is not before.affinity:
        rules = restart_rules(after, vms.ids, hosts.ids, mhz=vms.reserved_mhz, gib=vms.reserved_gib)
    return Edit(
        Arrays(
            vms,
            hosts,
            pools,
            tuple([cluster.id for cluster in after.clusters]),
            rules,
            tolerated(after.clusters),
        ),
        changed[last.vms.host[changed] != vms.host[changed]],
        touched.nonzero()[0],
        same_hosts,
        same_pools,
        vms.at is last.vms.at and not len(own) and all(map(is_, _REST(before), _REST(after))),
    )


def _copies_differ(last: HostArrays, hosts: HostArrays) -> bool:
    """Whether how many copies a server keeps may change with the host it stands on."""
    every_one = np.concatenate([last.copies, hosts.copies])
    return len(np.unique(every_one)) > 1


def _items(before: Scenario, after: Scenario) -> Iterator[tuple[Sequence[Item], Sequence[Item]]]:
    yield before.clusters, after.clusters
    yield before.hosts, after.hosts
    yield before.pools, after.pools
    yield before.vms, after.vms


def _rows_that_differ(before: Sequence[Any], after: Sequence[Any]) -> IntArray:
    """Rows whose items are other objects."""
    others = np.fromiter(map(is_not, before, after), dtype=np.bool_, count=len(after))
    return others.nonzero()[0]


def _same_ids(before: Sequence[Item], after: Sequence[Item], rows: IntArray) -> bool:
    return all(before[row].id == after[row].id for row in rows.tolist())


_REST = attrgetter(*(f.name for f in fields(Scenario) if f.name != "vms"))
_ALL_BUT_HOST = attrgetter(*(f.name for f in fields(Vm) if f.name != "host"))


def _rows_with_other_figures(before: Sequence[Vm], after: Sequence[Vm], rows: IntArray) -> IntArray:
    """Those of `rows` that differ in more than where they stand."""
    own = [row for row in rows.tolist() if _ALL_BUT_HOST(before[row]) != _ALL_BUT_HOST(after[row])]
    return np.array(own, dtype=np.int64)


def _vms(
    last: Arrays,
    items: Sequence[Vm],
    own: IntArray,
    changed: IntArray,
    hosts: HostArrays,
    pools: PoolArrays,
    production: bool,
) -> VmArrays:
    """The VMs after those of the rows `changed` were, some of which (`own`) not in place alone.

    Raises:
        KeyError: a release or a host that wasn't there before.
    """
    vms = last.vms
    host = vms.host.copy()
    host[changed] = [hosts.row_of[items[row].host] for row in changed.tolist()]
    if hosts is last.hosts and not len(own):
        figures = hosts.of_vms(host[changed]).figures
        if not some(differ(figures, vms.at.figures.take(changed, axis=1))):
            return vms.moved(host)
    columns: dict[str, Any] = {"host": host, "ranks": vms.id_rank}
    if len(own):
        edited = [items[row] for row in own.tolist()]
        part = read_vms(edited, hosts, pools, production=production)
        code = {release: number for number, release in enumerate(vms.releases)}
        release = np.array([code[part.releases[each]] for each in part.release.tolist()])
        part = replace(part, release=release)
        for name in _OWN_COLUMNS:
            columns[name] = with_rows(getattr(vms, name), own, getattr(part, name))
        columns |= replica_columns(items, host, hosts)
    if hosts is not last.hosts:
        columns["at"] = hosts.of_vms(host)
    elif len(changed):
        figures = hosts.of_vms(host[changed]).figures
        if some(differ(figures, vms.at.figures.take(changed, axis=1))):
            columns["at"] = HostOfVm.of(with_rows(vms.at.figures, changed, figures))
    return replace(vms, **columns)


_NOT_ITS_OWN = (
    "ids",
    "host",
    "at",
    "releases",
    "ranks",
    "replicas",
    "received",
    "pushing",
    "further_copies",
    "received_copies",
)
_OWN_COLUMNS = tuple(f.name for f in fields(VmArrays) if f.name not in _NOT_ITS_OWN)


def differ(these: FloatArray, those: FloatArray) -> BoolArray:
    """Columns in which any row differs; NaN is like NaN."""
    both_blank = np.isnan(these) & np.isnan(those)
    return np.asarray(np.logical_or.reduce((these != those) & ~both_blank))
