"""Pools as terms: I/O, utilisation, latency and space."""

from __future__ import annotations

import math

from models.explain.terms import (
    HUNDRED,
    ONE,
    Predicted,
    Stated,
    Term,
    difference,
    leaf,
    least,
    number,
    percent,
    product,
    quotient,
    total,
)
from models.explain.workings import Workings
from models.physics.storage import CACHE_LATENCY_MS, DEFAULT_READ_SHARE, TANGENT_FROM
from models.quantities import GIB_PER_GB
from models.scenario import Pool, Vm


def iops(w: Workings, pool: Pool) -> Term:
    """Sum over the running VMs with their data there."""
    values, basis = w.normal.vm.io.value, w.normal.vm.io.known
    terms = [
        leaf(vm.name, float(values[row]), "IOPS", source=Predicted("vms", vm.id, "iops"))
        for row, vm in enumerate(w.scenario.vms)
        if vm.pool == pool.id and vm.powered_on and vm.host is not None and basis[row]
    ]
    return total(f"IOPS of {pool.name}", *terms, unit="IOPS", note=unknown(w, pool))


def unknown(w: Workings, pool: Pool) -> str:
    """Whose I/O has no data and is left out of the sum."""
    known = w.normal.vm.io.known
    there = [
        vm.name
        for row, vm in enumerate(w.scenario.vms)
        if vm.pool == pool.id and vm.powered_on and vm.host is not None and not known[row]
    ]
    return f"without {', '.join(there)}: no data" if there else ""


def utilisation_pct(w: Workings, pool: Pool) -> Term:
    """Load over limit."""
    load = _load(w, pool)
    share = quotient("load over limit", load, limit_iops(w, pool))
    return percent(f"disk utilisation of {pool.name}", share)


def _load(w: Workings, pool: Pool) -> Term:
    value = float(w.normal.pool.iops.value[w.pool_rows[pool.id]])
    return leaf("IOPS of the pool", value, "IOPS", source=Predicted("pools", pool.id, "iops"))


def limit_iops(w: Workings, pool: Pool) -> Term:
    """Host I/Os per second that keep the drives, or the controllers, fully busy."""
    drives = _data_drives(w, pool)
    each = _disk_figure(w, pool, "iops", "I/O of a drive", "IOPS")
    disks = quotient(
        "host I/O that keeps the drives busy",
        product("I/O of the drives", drives, each, unit="IOPS"),
        _backend_factor(w, pool),
        unit="IOPS",
    )
    ceiling = w.catalog.arrays[pool.array].ceiling_iops
    if ceiling is None:
        return disks
    most = w.catalog_field(
        "arrays", pool.array, "ceiling_iops", "most of the controllers", ceiling, "IOPS"
    )
    return least("host I/O at full load", disks, most, unit="IOPS")


def _data_drives(w: Workings, pool: Pool) -> Term:
    spindles = w.pool_field(pool, "spindles")
    if not pool.hot_spares:
        return spindles
    return difference(
        "drives without spares", spindles, w.pool_field(pool, "hot_spares"), unit="drives"
    )


def _disk_figure(w: Workings, pool: Pool, field: str, label: str, unit: str) -> Term:
    value = getattr(w.catalog.disks[pool.disk], field)
    value = math.nan if value is None else float(value)
    return w.catalog_field("disks", pool.disk, field, label, value, unit)


def _reads(w: Workings, pool: Pool) -> Term:
    if pool.read_share is not None:
        return w.pool_field(pool, "read_share")
    why = "assumed: the middle of 66 to 75 % published for Exchange 2003 databases"
    return leaf("share of reads", DEFAULT_READ_SHARE, source=Stated(why))


def _hits(w: Workings, pool: Pool) -> Term:
    value = max(w.catalog.arrays[pool.array].read_cache_hit or 0.0, 0.0)
    label = "share of reads that the cache serves"
    return w.catalog_field("arrays", pool.array, "read_cache_hit", label, value)


def _misses(w: Workings, pool: Pool) -> Term:
    """Share of I/O that are reads from the drives: R·(1 − h)."""
    missed = difference("reads that miss", ONE, _hits(w, pool))
    return product("I/Os that are reads from drives", _reads(w, pool), missed)


def _backend_factor(w: Workings, pool: Pool) -> Term:
    """R·(1 − h) + W·p."""
    own = w.catalog.arrays[pool.array].write_penalty
    if own is not None:
        penalty = w.catalog_field("arrays", pool.array, "write_penalty", "I/Os of a write", own)
    else:
        raid = w.catalog.raid_levels[pool.raid]
        penalty = w.catalog_field(
            "raid_levels", raid.id, "write_penalty", "I/Os of a write", float(raid.write_penalty)
        )
    writes = product("writes", difference("share of writes", ONE, _reads(w, pool)), penalty)
    return total("disk I/Os per host I/O", _misses(w, pool), writes)


def miss_ms(w: Workings, pool: Pool) -> Term:
    """What a host I/O asks of the drives on average [ms]."""
    array = w.catalog.arrays[pool.array]
    if array.latency_ms is not None:
        return w.catalog_field(
            "arrays", pool.array, "latency_ms", "latency of the array", array.latency_ms, "ms"
        )
    service = _disk_figure(w, pool, "service_ms", "service of a drive", "ms")
    return product("drive time of an I/O", _misses(w, pool), service, unit="ms")


def latency_ms(w: Workings, pool: Pool) -> Term:
    """Mean latency of a host I/O [ms]."""
    row, label = w.pool_rows[pool.id], f"disk latency of {pool.name}"
    busy = leaf(
        "disk utilisation",
        float(w.normal.pool.utilisation_pct.value[row]),
        "%",
        source=Predicted("pools", pool.id, "utilisation_pct"),
    )
    queue = total("1 and the queue", ONE, _queue(quotient("load", busy, HUNDRED)))
    array = w.catalog.arrays[pool.array]
    if array.latency_ms is not None:
        return product(label, miss_ms(w, pool), queue, unit="ms")
    from_drives = product("reads from drives", miss_ms(w, pool), queue, unit="ms")
    rest = difference("I/Os that the cache takes", ONE, _misses(w, pool))
    cache = leaf(
        "latency of the cache",
        CACHE_LATENCY_MS,
        "ms",
        source=Stated("a few hundred microseconds; no document gives it"),
    )
    cached = product("hits and writes", rest, cache, unit="ms")
    return total(label, from_drives, cached, unit="ms")


def _queue(load: Term) -> Term:
    """U/(1 − U), straight on from 0.95."""
    edge = leaf(
        "where queues go on in a straight line",
        TANGENT_FROM,
        source=Stated("users who wait don’t ask for more"),
    )
    inside = least("load, up to 0.95", load, edge) if load.value > TANGENT_FROM else load
    at = quotient("waiting or served", inside, difference("1 − U", ONE, inside))
    if load.value <= TANGENT_FROM:
        return at
    slope = leaf(
        "slope there", 1 / (1 - TANGENT_FROM) ** 2, source=Stated("derivative of U/(1 − U) at 0.95")
    )
    past = product("beyond 0.95", slope, difference("load past it", load, edge))
    return total("waiting or served", at, past)


# --- space -------------------------------------------------------------------------------------


def capacity_pct(w: Workings, pool: Pool) -> Term:
    """Used over usable at the planning horizon."""
    used = total(f"used in {pool.name}", *_used(w, pool), unit="GiB")
    share = quotient("used over usable", used, usable_gib(w, pool))
    return percent(f"disk space used of {pool.name}", share)


def _used(w: Workings, pool: Pool) -> list[Term]:
    found = []
    members = [vm for vm in w.scenario.vms if vm.cluster_partners and vm.workload.mail_file_mb]
    for vm in w.scenario.vms:
        if vm.pool == pool.id:
            found += _data_of(w, vm)
            found += [_replicas(w, vm, each) for each in members if vm.id in each.cluster_partners]
        if vm.log_disk_gib and pool.id == (vm.log_pool or vm.pool):
            found.append(_named(w.vm_field(vm, "log_disk_gib"), f"{vm.name}: logs"))
    return found


def _data_of(w: Workings, vm: Vm) -> list[Term]:
    parts = [_mail(w, vm)] if vm.workload.mail_file_mb else []
    for path, words in (("system_disk_gib", "system"), ("workload.disk_gib", "own data")):
        value = vm.workload.disk_gib if path.startswith("workload") else vm.system_disk_gib
        if value:
            parts.append(_named(w.vm_field(vm, path), f"{vm.name}: {words}"))
    return parts


def _named(term: Term, label: str) -> Term:
    return product(label, term, unit=term.unit)


def _mail(w: Workings, vm: Vm) -> Term:
    """Owners × file size × growth; decimal megabytes become GiB."""
    registered = vm.workload.registered_users is not None
    path = "workload.registered_users" if registered else "workload.active_users"
    growth = total(
        "1 and growth", ONE, quotient("growth", w.policy_field("mail_growth_pct"), HUNDRED)
    )
    gigabytes = quotient(
        "mail files in GB",
        product("mail files in MB", w.vm_field(vm, path), w.vm_field(vm, "workload.mail_file_mb")),
        number(1000.0, "MB in a GB"),
    )
    return product(f"{vm.name}: mail files", gigabytes, growth, GIB, unit="GiB")


def _replicas(w: Workings, vm: Vm, sender: Vm) -> Term:
    """The share of a partner's mail files that a member of its Domino cluster holds."""
    label, partners = f"{vm.name}: replicas of {sender.name}", len(sender.cluster_partners)
    if partners == 1:
        return _named(_mail(w, sender), label)
    copies = leaf("partners that share its replicas", partners, source=Stated("one further copy"))
    return quotient(label, _mail(w, sender), copies, unit="GiB")


GIB = leaf("GiB in a GB", GIB_PER_GB, source=Stated("10⁹ over 2³⁰ bytes"))


def usable_gib(w: Workings, pool: Pool) -> Term:
    """Space after spares, parity or mirrors [GiB]."""
    drives = _whole_data_drives(w, pool)
    size = _disk_figure(w, pool, "capacity_gb", "size of a drive", "GB")
    return product(f"usable space of {pool.name}", drives, size, GIB, unit="GiB")


def _whole_data_drives(w: Workings, pool: Pool) -> Term:
    row, pools = w.pool_rows[pool.id], w.arrays.pools
    raid = w.catalog.raid_levels[pool.raid]
    drives = max(pool.spindles - pool.hot_spares, 0)
    if bool(pools.mirrored[row]):
        why, count = f"half of {drives} drives", drives // 2
    else:
        group = float(pools.group_drives[row]) or max(float(drives), 1.0)
        parity = float(pools.parity_drives[row])
        whole = math.floor(drives / group)
        rest = drives - whole * group
        count = int(whole * max(group - parity, 0.0) + max(rest - parity, 0.0))
        why = f"{drives} drives in groups of {group:g}, {parity:g} of each for parity"
    return leaf("drives that hold data", count, "drives", source=Stated(f"{raid.name}: {why}"))
