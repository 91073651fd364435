"""The design as a picture: by site hosts by cluster with their VMs, storage pools below."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import isfinite

from models.base.quantities import Quantity
from models.base.texts import joined, say, say_many
from models.judgement.gauges import gauge_of
from models.predict.predicted import limit_of, peak_of, unit_of
from models.predict.prediction import Verdict
from models.scenario.places import pool_sites, site_names, site_of
from models.scenario.scenario import AdmissionPolicy, Cluster, Host, Policy, Pool, Vm, active_users
from models.scenario.wording import (
    NO_DATA_TEXT,
    input_text,
    number,
    users_text,
    value_text,
    with_unit,
)
from models.scenario.workloads import WORKLOADS
from models.tell.blocks import Bar, Drawing, DrawnCluster, DrawnHost, DrawnPool, DrawnVm, Section
from models.tell.subject import Subject

MOST_VMS = 8
"""VMs drawn on one host; how many stand there besides is said in words."""

MOST_HOSTS = 24
"""Hosts drawn one by one; of a larger design those alike stand as one."""


def drawn(subject: Subject) -> Section | None:
    """The picture as a section of its own."""
    picture = drawing(subject)
    return None if picture is None else Section(say("The design at a glance"), (picture,))


def drawing(subject: Subject) -> Drawing | None:
    """The picture of a design; None where there is neither host nor pool."""
    scenario = subject.scenario
    if not scenario.hosts and not scenario.pools:
        return None
    names = site_names(scenario)
    groups: dict[tuple[str | None, str | None], list[Host]] = {
        (cluster.site, cluster.id): [] for cluster in scenario.clusters
    }
    for host in scenario.hosts:
        groups.setdefault((site_of(scenario, host), host.cluster), []).append(host)
    order = [*names, None]
    drawn = tuple(
        _cluster(subject, cluster, hosts, _heading(site, names))
        for (site, cluster), hosts in sorted(
            groups.items(), key=lambda each: order.index(each[0][0])
        )
        if hosts
    )
    stand = pool_sites(scenario)
    pools = sorted(scenario.pools, key=lambda pool: order.index(stand[pool.id]))
    left = _vms(subject, [vm for vm in scenario.vms if vm.host is None][:MOST_VMS])
    return Drawing(
        clusters=drawn,
        pools=tuple(_pool(subject, pool, _heading(stand[pool.id], names)) for pool in pools),
        unplaced=left,
        alt=say(
            "The design: {hosts}, {vms}, {pools}.",
            hosts=say_many("{count} host", "{count} hosts", len(scenario.hosts)),
            vms=say_many("{count} VM", "{count} VMs", len(scenario.vms)),
            pools=say_many("{count} storage pool", "{count} storage pools", len(scenario.pools)),
        ),
    )


def _heading(site: str | None, names: Mapping[str, str]) -> str:
    """Above what stands in a site; nothing where none is said of anything."""
    if not names:
        return ""
    return say("Without a site") if site is None else names[site]


def _cluster(subject: Subject, id: str | None, hosts: Sequence[Host], site: str) -> DrawnCluster:
    cluster = None if id is None else subject.scenario.cluster(id)
    name = say("Hosts without a cluster") if cluster is None else cluster.name
    note = "" if cluster is None else _reserved(cluster)
    return DrawnCluster(name, note, tuple(_hosts(subject, hosts)), site)


def _reserved(cluster: Cluster) -> str:
    admission = cluster.admission
    if admission.policy is AdmissionPolicy.HOST_FAILURES:
        return say_many(
            "room for {count} failed host reserved",
            "room for {count} failed hosts reserved",
            admission.host_failures,
        )
    return "" if admission.policy is AdmissionPolicy.NONE else admission.policy.label


def _hosts(subject: Subject, hosts: Sequence[Host]) -> Iterable[DrawnHost]:
    """One by one, or those alike together where there are many."""
    if len(subject.scenario.hosts) <= MOST_HOSTS:
        for host in hosts:
            yield _host(subject, [host])
        return
    alike: dict[tuple[object, ...], list[Host]] = {}
    for host in hosts:
        verdict = subject.prediction.hosts.shown(subject.prediction.hosts.index(host.id)).verdict
        alike.setdefault((host.server, host.hypervisor, host.ram_gib, verdict), []).append(host)
    for group in alike.values():
        yield _host(subject, group)


def _host(subject: Subject, hosts: Sequence[Host]) -> DrawnHost:
    """A host; of several the one whose CPU is highest stands for all."""
    table, policy = subject.prediction.hosts, subject.scenario.policy
    cpu = {host.id: table.quantity(host.id, "cpu_pct").value or 0.0 for host in hosts}
    host = max(hosts, key=lambda each: cpu[each.id])
    ram_limit = float(table.ram_limit_pct[table.index(host.id)])
    server = subject.catalog.servers[host.server]
    standing = [vm for vm in subject.scenario.vms if vm.host == host.id]
    over = len(standing) - MOST_VMS
    name = host.name
    if hosts[1:]:
        name = say("{count} × like {name}", count=number(len(hosts)), name=host.name)
    return DrawnHost(
        name=name,
        detail=joined(
            " · ",
            (
                server.model or server.name,
                say_many("{count} core", "{count} cores", server.cores),
                with_unit(input_text(host.ram_gib), "GiB"),
            ),
        ),
        verdict=table.shown(table.index(host.id)),
        cpu=_bar("CPU", table.quantity(host.id, "cpu_pct"), "cpu_pct", policy),
        ram=_bar("RAM", table.quantity(host.id, "ram_pct"), "ram_pct", policy, ram_limit),
        vms=_vms(subject, standing[:MOST_VMS]),
        more=say_many("and {count} more VM", "and {count} more VMs", over) if over > 0 else "",
        count=len(hosts),
    )


def _vms(subject: Subject, vms: Sequence[Vm]) -> tuple[DrawnVm, ...]:
    table = subject.prediction.vms
    return tuple(DrawnVm(vm.name, _load(vm), table.shown(table.index(vm.id))) for vm in vms)


def _load(vm: Vm) -> str:
    """Its users, or what kind of server it is."""
    if vm.workload.active_users:
        return users_text(active_users([vm]))
    if vm.workload.people:
        name = WORKLOADS[vm.workload.kind].short
        return say("{users} users of {name}", users=number(vm.workload.people), name=name)
    return WORKLOADS[vm.workload.kind].name


def _pool(subject: Subject, pool: Pool, site: str) -> DrawnPool:
    table = subject.prediction.pools
    array, disk = subject.catalog.arrays[pool.array], subject.catalog.disks[pool.disk]
    raid = subject.catalog.raid_levels[pool.raid]
    policy = subject.scenario.policy
    busy, space = (table.quantity(pool.id, each) for each in ("utilisation_pct", "capacity_pct"))
    return DrawnPool(
        name=pool.name,
        detail=say(
            "{array} · {count} × {disk} · {raid}",
            array=array.name,
            count=number(pool.spindles),
            disk=disk.name,
            raid=raid.name,
        ),
        verdict=table.shown(table.index(pool.id)),
        busy=_bar(say("Busy"), busy, "utilisation_pct", policy),
        space=_bar(say("Space"), space, "capacity_pct", policy),
        site=site,
    )


def _bar(
    label: str, found: Quantity, field: str, policy: Policy, own_limit: float | None = None
) -> Bar:
    """A number against its limit, judged at peak; `own_limit` is NaN where nothing is judged."""
    limit = limit_of(policy, field) if own_limit is None else own_limit
    is_judged = isfinite(limit)
    gauge = gauge_of(field, found.times(peak_of(policy, field)), limit if is_judged else None)
    verdict = Verdict.NOT_KNOWN if gauge.verdict is None else gauge.verdict
    text = NO_DATA_TEXT if found.value is None else value_text(found, unit_of(field))
    return Bar(label, found.value, limit if is_judged else 100.0, text, verdict)
