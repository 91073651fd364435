"""Pools as terms: I/O, utilisation, latency and space."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from models.base.texts import Numeral, joined, say, say_many
from models.explain.host_terms import without
from models.explain.rows import Row, row_of_vm
from models.explain.workings import Workings
from models.formulas.terms import (
    HUNDRED,
    Predicted,
    Stated,
    Term,
    difference,
    leaf,
    number,
    product,
    quotient,
    total,
)
from models.formulas.traced import entitled, term_of, traced
from models.physics import storage
from models.scenario.scenario import Pool, Vm


def iops(w: Workings, pool: Pool) -> Term:
    """Sum over the running VMs with their data there."""
    values, basis = w.normal.vm.io.value, w.normal.vm.io.known
    terms = [
        leaf(vm.name, float(values[row]), "IOPS", source=Predicted("vms", vm.id, "iops"))
        for row, vm in enumerate(w.scenario.vms)
        if vm.pool == pool.id and vm.powered_on and vm.host is not None and basis[row]
    ]
    return total(say("IOPS of {name}", name=pool.name), *terms, unit="IOPS", note=unknown(w, pool))


def unknown(w: Workings, pool: Pool) -> str:
    """Whose I/O has no data and is left out of the sum."""
    known = w.normal.vm.io.known
    there = [
        vm.name
        for row, vm in enumerate(w.scenario.vms)
        if vm.pool == pool.id and vm.powered_on and vm.host is not None and not known[row]
    ]
    return without(there)


def utilisation_pct(w: Workings, pool: Pool) -> Term:
    """Load over limit."""
    load = traced(_load(w, pool))
    row = row_of_pool(w, pool)
    limit = storage.limit_iops(row, storage.read_share(row))
    name = say("disk utilisation of {name}", name=pool.name)
    return entitled(name, storage.utilisation_pct(load, limit), "%")


def _load(w: Workings, pool: Pool) -> Term:
    value = float(w.normal.pool.iops.value[w.pool_rows[pool.id]])
    return leaf(say("IOPS of the pool"), value, "IOPS", source=Predicted("pools", pool.id, "iops"))


def row_of_pool(w: Workings, pool: Pool) -> Any:
    """The pool as `PoolArrays` has it, with where its figures come from."""
    array, row, columns = (
        w.knowledge.catalog.arrays[pool.array],
        w.pool_rows[pool.id],
        w.arrays.pools,
    )

    def of_array(field: str, label: str, unit: str = "") -> Term:
        value = float(getattr(array, field))
        return w.catalog_field("arrays", pool.array, field, label, value, unit)

    def of_disk(field: str, label: str, unit: str) -> Term:
        value = float(getattr(w.knowledge.catalog.disks[pool.disk], field))
        return w.catalog_field("disks", pool.disk, field, label, value, unit)

    def ceiling() -> Term:
        most = of_array("ceiling_iops", say("most of the controllers"), "IOPS")
        if not columns.in_hosts[row]:
            return most
        hosts = number(float(columns.host_count[row]), say("hosts whose drives it is made of"))
        return product(say("most of all hosts"), most, hosts, unit="IOPS")

    def penalty() -> Term:
        label, raid = say("I/Os of a write"), w.knowledge.catalog.raid_levels[pool.raid]
        if array.write_penalty is not None:
            return of_array("write_penalty", label)
        if columns.in_hosts[row]:
            value = float(columns.write_penalty[row])
            return leaf(label, value, source=Stated(_policy(w, pool)))
        value = float(raid.write_penalty)
        return w.catalog_field("raid_levels", raid.id, "write_penalty", label, value)

    leaves: dict[str, Callable[[], Term]] = {
        "drives": lambda: _data_drives(w, pool),
        "data_drives": lambda: _whole_data_drives(w, pool),
        "read_share": lambda: w.pool_field(pool, "read_share"),
        "read_cache_hit": lambda: _hits(w, pool),
        "write_penalty": penalty,
        "ceiling_iops": ceiling,
        "disk_iops": lambda: of_disk("iops", say("I/O of a drive"), "IOPS"),
        "service_ms": lambda: of_disk("service_ms", say("service of a drive"), "ms"),
        "capacity_gb": lambda: of_disk("capacity_gb", say("size of a drive"), "GB"),
        "array_latency_ms": lambda: of_array("latency_ms", say("latency of the array"), "ms"),
    }
    return Row(columns, row, leaves)


def _data_drives(w: Workings, pool: Pool) -> Term:
    spindles = w.pool_field(pool, "spindles")
    if not pool.hot_spares:
        return spindles
    spares = w.pool_field(pool, "hot_spares")
    return difference(say("drives without spares"), spindles, spares, unit=say("drives"))


def _hits(w: Workings, pool: Pool) -> Term:
    value = float(w.arrays.pools.read_cache_hit[w.pool_rows[pool.id]])
    label = say("share of reads that the cache serves")
    return w.catalog_field("arrays", pool.array, "read_cache_hit", label, value)


def _policy(w: Workings, pool: Pool) -> str:
    """The policy of a pool of vSAN, in words."""
    row, pools = w.pool_rows[pool.id], w.arrays.pools
    return say(
        "{raid} of vSAN for the loss of {count}, on {hosts} hosts",
        raid=w.knowledge.catalog.raid_levels[pool.raid].name,
        count=Numeral(f"{float(pools.tolerates[row]):g}"),
        hosts=Numeral(f"{float(pools.host_count[row]):g}"),
    )


def miss_ms(w: Workings, pool: Pool) -> Term:
    """What a host I/O asks of the drives on average [ms]."""
    row = row_of_pool(w, pool)
    return term_of(storage.miss_ms(row, storage.read_share(row)))


def latency_ms(w: Workings, pool: Pool) -> Term:
    """Mean latency of a host I/O [ms]."""
    busy = leaf(
        say("disk utilisation"),
        float(w.normal.pool.utilisation_pct.value[w.pool_rows[pool.id]]),
        "%",
        source=Predicted("pools", pool.id, "utilisation_pct"),
    )
    load = quotient(say("load"), busy, HUNDRED)
    row = row_of_pool(w, pool)
    latency = storage.latency_ms(row, storage.read_share(row), traced(load))
    return entitled(say("disk latency of {name}", name=pool.name), latency, "ms")


# --- space -------------------------------------------------------------------------------------


def capacity_pct(w: Workings, pool: Pool) -> Term:
    """Used over usable at the planning horizon."""
    used = total(say("used in {name}", name=pool.name), *_used(w, pool), unit="GiB")
    filled = storage.capacity_pct(traced(used), traced(usable_gib(w, pool)))
    return entitled(say("disk space used of {name}", name=pool.name), filled, "%")


def _used(w: Workings, pool: Pool) -> Iterator[Term]:
    members = [vm for vm in w.scenario.vms if vm.cluster_partners and vm.workload.mail_file_mb]
    growth = traced(w.policy_field("mail_growth_pct"))
    for vm in w.scenario.vms:
        if vm.pool == pool.id:
            row = row_of_vm(w, vm)
            for words, part in storage.SPACE:
                gib = part(row, growth)
                if float(gib) > 0:
                    yield entitled(_of(vm, words), gib, "GiB")
            for each in members:
                if vm.id in each.cluster_partners:
                    yield _replicas(w, vm, each)
        if vm.log_disk_gib and pool.id == (vm.log_pool or vm.pool):
            logs = w.vm_field(vm, "log_disk_gib")
            yield entitled(_of(vm, say("logs")), traced(logs), "GiB")


def _of(vm: Vm, what: str) -> str:
    return joined(": ", (vm.name, what))


def _mail_of(w: Workings, vm: Vm) -> Term:
    growth = traced(w.policy_field("mail_growth_pct"))
    return entitled(_of(vm, say("mail files")), storage.mail_gib(row_of_vm(w, vm), growth), "GiB")


def _replicas(w: Workings, vm: Vm, sender: Vm) -> Term:
    """The share of a partner's mail files that a member of its Domino cluster holds."""
    label, partners = _of(vm, say("replicas of {name}", name=sender.name)), sender.cluster_partners
    further = float(w.arrays.vms.further_copies[w.vm_rows[sender.id]])
    if len(partners) == further:
        return product(label, _mail_of(w, sender), unit="GiB")
    copies = leaf(
        say("partners that share its replicas"),
        len(partners) / further,
        source=Stated(say_many("{count} further copy", "{count} further copies", round(further))),
    )
    return quotient(label, _mail_of(w, sender), copies, unit="GiB")


def usable_gib(w: Workings, pool: Pool) -> Term:
    """Space after spares, parity or mirrors [GiB]."""
    name = say("usable space of {name}", name=pool.name)
    return entitled(name, storage.usable_gib(row_of_pool(w, pool)), "GiB")


def _whole_data_drives(w: Workings, pool: Pool) -> Term:
    row, pools = w.pool_rows[pool.id], w.arrays.pools
    raid, drives = w.knowledge.catalog.raid_levels[pool.raid], int(pools.drives[row])
    if bool(pools.in_hosts[row]):
        return _held(w, pool)
    if bool(pools.mirrored[row]):
        why = say_many("half of {count} drive", "half of {count} drives", drives)
    else:
        why = say(
            "{drives} drives in groups of {group}, {parity} of each for parity",
            drives=drives,
            group=Numeral(f"{float(pools.group_drives[row]) or max(drives, 1):g}"),
            parity=Numeral(f"{float(pools.parity_drives[row]):g}"),
        )
    count = int(pools.data_drives[row])
    source = Stated(joined(": ", (raid.name, why)))
    return leaf(say("drives that hold data"), count, say("drives"), source=source)


def _held(w: Workings, pool: Pool) -> Term:
    """Drives’ worth of data of vSAN: (drives − what is kept free)·share that the policy leaves."""
    row, pools = w.pool_rows[pool.id], w.arrays.pools
    drives, kept = _data_drives(w, pool), Stated(_kept_free(pool))
    size = float(pools.capacity_gb[row])
    free = float(pools.drives[row] * pools.free_share[row] + pools.free_gb[row] / size)
    left = difference(
        say("drives that data may fill"),
        drives,
        leaf(say("kept free"), free, say("drives"), source=kept),
        unit=say("drives"),
    )
    share = leaf(
        say("data of what it takes"), float(pools.held[row]), source=Stated(_policy(w, pool))
    )
    return product(say("drives that hold data"), left, share, unit=say("drives"))


def _kept_free(pool: Pool) -> str:
    if pool.reserve_pct is not None:
        return say("as the pool says")
    return say("30 % before vSAN 7.0, from then on 5 % and 255 GB a host (VMware)")
