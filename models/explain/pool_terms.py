"""Pools as terms: I/O, utilisation, latency and space."""

from __future__ import annotations

import math

from models.base.quantities import GIB_PER_GB
from models.base.texts import Numeral, joined, say, say_many
from models.explain.host_terms import without
from models.explain.other_terms import owners
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
from models.physics import traveler
from models.physics.storage import (
    CACHE_LATENCY_MS,
    DEFAULT_READ_SHARE,
    QUEUE_WHEN_FULL,
    TANGENT_FROM,
)
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
    load = _load(w, pool)
    share = quotient(say("load over limit"), load, limit_iops(w, pool))
    return percent(say("disk utilisation of {name}", name=pool.name), share)


def _load(w: Workings, pool: Pool) -> Term:
    value = float(w.normal.pool.iops.value[w.pool_rows[pool.id]])
    return leaf(say("IOPS of the pool"), value, "IOPS", source=Predicted("pools", pool.id, "iops"))


def limit_iops(w: Workings, pool: Pool) -> Term:
    """Host I/Os per second that keep the drives, or the controllers, fully busy."""
    drives = _data_drives(w, pool)
    each = _disk_figure(w, pool, "iops", say("I/O of a drive"), "IOPS")
    disks = quotient(
        say("host I/O that keeps the drives busy"),
        product(say("I/O of the drives"), drives, each, unit="IOPS"),
        _backend_factor(w, pool),
        unit="IOPS",
    )
    ceiling = w.catalog.arrays[pool.array].ceiling_iops
    if ceiling is None:
        return disks
    label = say("most of the controllers")
    most = w.catalog_field("arrays", pool.array, "ceiling_iops", label, ceiling, "IOPS")
    hosts = w.arrays.pools.host_count[w.pool_rows[pool.id]]
    if not math.isnan(hosts):
        nodes = number(float(hosts), say("hosts whose drives it is made of"))
        most = product(say("most of all hosts"), most, nodes, unit="IOPS")
    return least(say("host I/O at full load"), disks, most, unit="IOPS")


def _data_drives(w: Workings, pool: Pool) -> Term:
    spindles = w.pool_field(pool, "spindles")
    if not pool.hot_spares:
        return spindles
    spares = w.pool_field(pool, "hot_spares")
    return difference(say("drives without spares"), spindles, spares, unit=say("drives"))


def _disk_figure(w: Workings, pool: Pool, field: str, label: str, unit: str) -> Term:
    value = getattr(w.catalog.disks[pool.disk], field)
    value = math.nan if value is None else float(value)
    return w.catalog_field("disks", pool.disk, field, label, value, unit)


def _reads(w: Workings, pool: Pool) -> Term:
    if pool.read_share is not None:
        return w.pool_field(pool, "read_share")
    why = say("assumed: the middle of 66 to 75 % published for Exchange 2003 databases")
    return leaf(say("share of reads"), DEFAULT_READ_SHARE, source=Stated(why))


def _hits(w: Workings, pool: Pool) -> Term:
    value = max(w.catalog.arrays[pool.array].read_cache_hit or 0.0, 0.0)
    label = say("share of reads that the cache serves")
    return w.catalog_field("arrays", pool.array, "read_cache_hit", label, value)


def _misses(w: Workings, pool: Pool) -> Term:
    """Share of I/O that are reads from the drives: R·(1 − h)."""
    missed = difference(say("reads that miss"), ONE, _hits(w, pool))
    return product(say("I/Os that are reads from drives"), _reads(w, pool), missed)


def _backend_factor(w: Workings, pool: Pool) -> Term:
    """R·(1 − h) + W·p."""
    own, label = w.catalog.arrays[pool.array].write_penalty, say("I/Os of a write")
    if own is not None:
        penalty = w.catalog_field("arrays", pool.array, "write_penalty", label, own)
    elif w.arrays.pools.in_hosts[w.pool_rows[pool.id]]:
        laid_out = float(w.arrays.pools.write_penalty[w.pool_rows[pool.id]])
        penalty = leaf(label, laid_out, source=Stated(_policy(w, pool)))
    else:
        raid = w.catalog.raid_levels[pool.raid]
        penalty = w.catalog_field(
            "raid_levels", raid.id, "write_penalty", label, float(raid.write_penalty)
        )
    writes = product(
        say("writes"), difference(say("share of writes"), ONE, _reads(w, pool)), penalty
    )
    return total(say("disk I/Os per host I/O"), _misses(w, pool), writes)


def _policy(w: Workings, pool: Pool) -> str:
    """The policy of a pool of vSAN, in words."""
    row, pools = w.pool_rows[pool.id], w.arrays.pools
    return say(
        "{raid} of vSAN for the loss of {count}, on {hosts} hosts",
        raid=w.catalog.raid_levels[pool.raid].name,
        count=Numeral(f"{float(pools.tolerates[row]):g}"),
        hosts=Numeral(f"{float(pools.host_count[row]):g}"),
    )


def miss_ms(w: Workings, pool: Pool) -> Term:
    """What a host I/O asks of the drives on average [ms]."""
    array = w.catalog.arrays[pool.array]
    if array.latency_ms is not None:
        return w.catalog_field(
            "arrays", pool.array, "latency_ms", say("latency of the array"), array.latency_ms, "ms"
        )
    service = _disk_figure(w, pool, "service_ms", say("service of a drive"), "ms")
    return product(say("drive time of an I/O"), _misses(w, pool), service, unit="ms")


def latency_ms(w: Workings, pool: Pool) -> Term:
    """Mean latency of a host I/O [ms]."""
    row, label = w.pool_rows[pool.id], say("disk latency of {name}", name=pool.name)
    busy = leaf(
        say("disk utilisation"),
        float(w.normal.pool.utilisation_pct.value[row]),
        "%",
        source=Predicted("pools", pool.id, "utilisation_pct"),
    )
    queue = total(say("1 and the queue"), ONE, _queue(quotient(say("load"), busy, HUNDRED)))
    array = w.catalog.arrays[pool.array]
    if array.latency_ms is not None:
        return product(label, miss_ms(w, pool), queue, unit="ms")
    from_drives = product(say("reads from drives"), miss_ms(w, pool), queue, unit="ms")
    rest = difference(say("I/Os that the cache takes"), ONE, _misses(w, pool))
    cache = leaf(
        say("latency of the cache"),
        CACHE_LATENCY_MS,
        "ms",
        source=Stated(say("a few hundred microseconds; no document gives it")),
    )
    cached = product(say("hits and writes"), rest, cache, unit="ms")
    return total(label, from_drives, cached, *_late_writes(w, pool, queue), unit="ms")


def _late_writes(w: Workings, pool: Pool, queue: Term) -> list[Term]:
    """(1 − R)·(Q(U) − Q(1))·S, where the drives are fully used."""
    if queue.value <= QUEUE_WHEN_FULL:
        return []
    full = leaf(
        say("1 and the queue at 100 %"),
        QUEUE_WHEN_FULL,
        source=Stated(say("from there on the cache is full of writes")),
    )
    writes = difference(say("share of writes"), ONE, _reads(w, pool))
    behind = difference(say("queue beyond it"), queue, full)
    service = _disk_figure(w, pool, "service_ms", say("service of a drive"), "ms")
    return [product(say("writes that wait"), writes, behind, service, unit="ms")]


def _queue(load: Term) -> Term:
    """U/(1 − U), straight on from 0.95."""
    edge = leaf(
        say("where queues go on in a straight line"),
        TANGENT_FROM,
        source=Stated(say("users who wait don’t ask for more")),
    )
    inside = least(say("load, up to 0.95"), load, edge) if load.value > TANGENT_FROM else load
    at = quotient(say("waiting or served"), inside, difference("1 − U", ONE, inside))
    if load.value <= TANGENT_FROM:
        return at
    slope = leaf(
        say("slope there"),
        1 / (1 - TANGENT_FROM) ** 2,
        source=Stated(say("derivative of U/(1 − U) at 0.95")),
    )
    past = product(say("beyond 0.95"), slope, difference(say("load past it"), load, edge))
    return total(say("waiting or served"), at, past)


# --- space -------------------------------------------------------------------------------------


def capacity_pct(w: Workings, pool: Pool) -> Term:
    """Used over usable at the planning horizon."""
    used = total(say("used in {name}", name=pool.name), *_used(w, pool), unit="GiB")
    share = quotient(say("used over usable"), used, usable_gib(w, pool))
    return percent(say("disk space used of {name}", name=pool.name), share)


def _used(w: Workings, pool: Pool) -> list[Term]:
    found = []
    members = [vm for vm in w.scenario.vms if vm.cluster_partners and vm.workload.mail_file_mb]
    for vm in w.scenario.vms:
        if vm.pool == pool.id:
            found += _data_of(w, vm)
            found += [_replicas(w, vm, each) for each in members if vm.id in each.cluster_partners]
        if vm.log_disk_gib and pool.id == (vm.log_pool or vm.pool):
            found.append(_named(w.vm_field(vm, "log_disk_gib"), _of(vm, say("logs"))))
    return found


def _data_of(w: Workings, vm: Vm) -> list[Term]:
    parts = [_mail(w, vm)] if vm.workload.mail_file_mb else []
    row, vms = w.vm_rows[vm.id], w.arrays.vms
    for path, words, column in (
        ("system_disk_gib", say("system"), vms.system_disk_gib),
        ("workload.disk_gib", say("own data"), vms.own_disk_gib),
    ):
        if column[row] > 0:
            parts.append(_named(w.vm_field(vm, path), _of(vm, words)))
    if traveler.database_gib(w.arrays.vms)[w.vm_rows[vm.id]] > 0:
        parts.append(_database(w, vm))
    return parts


def _database(w: Workings, vm: Vm) -> Term:
    """Users × documents × (700 × devices + 4,000) bytes of Traveler's database."""
    stated = Stated(
        say("HCL Traveler 12.0.0: Estimating the space needed for the HCL Traveler database")
    )
    each = vm.workload.devices_per_user or traveler.DEVICES_PER_USER
    devices = product(
        say("bytes of devices a document"),
        leaf(say("bytes a device"), traveler.BYTES_PER_DEVICE, source=stated),
        w.vm_field(vm, "workload.devices_per_user", each),
    )
    own = leaf(say("bytes a document"), traveler.BYTES_PER_DOCUMENT, source=stated)
    gigabytes = quotient(
        say("database in GB"),
        product(
            say("database in bytes"),
            w.vm_field(vm, "workload.traveler_users"),
            w.vm_field(vm, "workload.documents_per_user"),
            total(say("bytes of a document and its devices"), devices, own),
        ),
        number(1e9, say("bytes in a GB")),
    )
    return product(_of(vm, say("Traveler’s database")), gigabytes, GIB, unit="GiB")


def _of(vm: Vm, what: str) -> str:
    return joined(": ", (vm.name, what))


def _named(term: Term, label: str) -> Term:
    return product(label, term, unit=term.unit)


def _mail(w: Workings, vm: Vm) -> Term:
    """Owners × file size × growth; decimal megabytes become GiB."""
    share = quotient(say("growth"), w.policy_field("mail_growth_pct"), HUNDRED)
    growth = total(say("1 and growth"), ONE, share)
    each = w.vm_field(vm, "workload.mail_file_mb")
    gigabytes = quotient(
        say("mail files in GB"),
        product(say("mail files in MB"), owners(w, vm), each),
        number(1000.0, say("MB in a GB")),
    )
    around = _daos_and_indexes(w, vm)
    return product(_of(vm, say("mail files")), gigabytes, growth, *around, GIB, unit="GiB")


def _daos_and_indexes(w: Workings, vm: Vm) -> list[Term]:
    """What DAOS saves and indexes add, as factors; nothing where nobody stated any."""
    work, found = vm.workload, []
    if work.daos_saving_pct:
        saved = quotient(say("saving of DAOS"), w.vm_field(vm, "workload.daos_saving_pct"), HUNDRED)
        found.append(difference(say("1 less DAOS"), ONE, saved))
    indexes = [
        quotient(words, w.vm_field(vm, path), HUNDRED)
        for path, words, stated in (
            ("workload.view_index_pct", say("view indexes"), work.view_index_pct),
            ("workload.full_text_pct", say("full-text indexes"), work.full_text_pct),
        )
        if stated
    ]
    if indexes:
        found.append(total(say("1 and indexes"), ONE, *indexes))
    return found


def _replicas(w: Workings, vm: Vm, sender: Vm) -> Term:
    """The share of a partner's mail files that a member of its Domino cluster holds."""
    label, partners = _of(vm, say("replicas of {name}", name=sender.name)), sender.cluster_partners
    further = float(w.arrays.vms.further_copies[w.vm_rows[sender.id]])
    if len(partners) == further:
        return _named(_mail(w, sender), label)
    copies = leaf(
        say("partners that share its replicas"),
        len(partners) / further,
        source=Stated(say_many("{count} further copy", "{count} further copies", round(further))),
    )
    return quotient(label, _mail(w, sender), copies, unit="GiB")


GIB = leaf(say("GiB in a GB"), GIB_PER_GB, source=Stated(say("10⁹ over 2³⁰ bytes")))


def usable_gib(w: Workings, pool: Pool) -> Term:
    """Space after spares, parity or mirrors [GiB]."""
    drives = _whole_data_drives(w, pool)
    size = _disk_figure(w, pool, "capacity_gb", say("size of a drive"), "GB")
    return product(say("usable space of {name}", name=pool.name), drives, size, GIB, unit="GiB")


def _whole_data_drives(w: Workings, pool: Pool) -> Term:
    row, pools = w.pool_rows[pool.id], w.arrays.pools
    raid, drives = w.catalog.raid_levels[pool.raid], int(pools.drives[row])
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
