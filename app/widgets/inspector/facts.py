"""The predicted numbers of one item, as values: what the inspector shows above the fields."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from app.language import local, tr
from models.base.quantities import NO_DATA, Basis, Quantity
from models.catalog.catalog import Catalog
from models.catalog.published import MakersSize, makers_size_of
from models.judgement.gauges import Gauge, gauge_of
from models.predict.predicted import unit_of
from models.predict.prediction import Prediction, Shown
from models.scenario.scenario import Cluster, Host, Policy, Pool, Scenario, Vm, active_users
from models.scenario.transactions import TRANSACTIONS
from models.scenario.wording import Style, input_text, number, users_text


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One predicted number: its words, its unit, and how near its limit it is (if it has one).

    Attributes:
        field: name of the number in the prediction's table of its kind of item; of a cluster,
            that of its hosts.
        is_main: always in sight; the others are on demand.
    """

    field: str
    label: str
    unit: str
    gauge: Gauge
    is_main: bool

    @property
    def quantity(self) -> Quantity:
        return self.gauge.quantity


def facts(
    scenario: Scenario,
    prediction: Prediction,
    item: Vm | Host | Pool | Cluster,
    catalog: Catalog | None = None,
) -> tuple[Fact, ...]:
    """The numbers of `item`; none when the prediction does not know it.

    Args:
        catalog: for what makers published; None: without it.
    """
    if isinstance(item, Vm):
        if item.id not in prediction.vms.ids:
            return ()
        production = scenario.policy.derating.production
        size = (
            None
            if catalog is None
            else makers_size_of(catalog, item.workload, production=production)
        )
        return (*_vm(scenario.policy, prediction, item), *_published(size))
    if isinstance(item, Host):
        return _host(scenario.policy, prediction, item) if item.id in prediction.hosts.ids else ()
    if isinstance(item, Pool):
        return _pool(scenario.policy, prediction, item) if item.id in prediction.pools.ids else ()
    return _cluster(scenario, prediction, item)


def verdict_of(prediction: Prediction, item: object) -> Shown | None:
    """The verdict of an item as it is shown; None when it has none of its own."""
    for kind, table in (
        (Vm, prediction.vms),
        (Host, prediction.hosts),
        (Pool, prediction.pools),
    ):
        if isinstance(item, kind) and item.id in table:
            shown = table.shown(table.index(item.id))
            return None if shown.verdict is None else shown
    return None


def _fact(
    label: str,
    field: str,
    quantity: Quantity,
    limit: float | None = None,
    *,
    is_main: bool = False,
    of: str = "",
) -> Fact:
    gauge = gauge_of(field, quantity, limit)
    unit = unit_of(field)
    return Fact(field=of or field, label=label, unit=unit, gauge=gauge, is_main=is_main)


def known(value: float) -> Quantity:
    """A figure that follows from the inputs alone; NaN is no data."""
    return Quantity(value, value, value, Basis.RULE) if math.isfinite(value) else NO_DATA


def _like(quantity: Quantity, value: float) -> Quantity:
    """`value` with the relative interval and the basis of a number of the same kind."""
    if not quantity.value or quantity.low is None or quantity.high is None:
        return known(value)
    return replace(quantity.times(value / quantity.value), value=value)


def _vm(policy: Policy, prediction: Prediction, vm: Vm) -> tuple[Fact, ...]:
    def of(name: str) -> Quantity:
        return prediction.vms.quantity(vm.id, name)

    limit, vms = policy.response_limit_ms, prediction.vms
    response = _fact(tr("Response time"), "response_ms", of("response_ms"), limit, is_main=True)
    return (
        *([response] if vms.has_response(vms.index(vm.id)) else []),
        _fact(
            tr("CPU, of its vCPUs"), "cpu_pct", of("cpu_pct"), policy.cpu_limit_pct, is_main=True
        ),
        _fact(tr("Ready time"), "ready_pct", of("ready_pct")),
        _fact(tr("Disk load"), "iops", of("iops")),
        _fact(tr("RAM with overhead"), "ram_gib", of("ram_gib")),
        _fact(tr("Network"), "network_mbps", of("network_mbps")),
        *_counted(of(TRANSACTIONS)),
    )


def _counted(found: Quantity) -> Iterator[Fact]:
    """Transactions of its console, where any were published for its kind."""
    if found.value is not None:
        yield _fact(tr("Transactions a minute"), TRANSACTIONS, found)


def _published(size: MakersSize | None) -> tuple[Fact, ...]:
    """What the maker gives a server with so many users, beside what is predicted."""
    if size is None:
        return ()
    return (
        _fact(tr("Maker’s size, cores"), "vcpus_per_core", known(size.cores), of="published_cores"),
        _fact(tr("Maker’s size, RAM"), "ram_gib", known(size.ram_gib), of="published_ram_gib"),
    )


def _host(policy: Policy, prediction: Prediction, host: Host) -> tuple[Fact, ...]:
    hosts = prediction.hosts
    index = hosts.index(host.id)
    limited = math.isfinite(hosts.ram_limit_pct[index])
    ram_limit_pct = float(hosts.ram_limit_pct[index]) if limited else None
    in_failure = (
        (
            tr("CPU if another fails"),
            "cpu_pct",
            hosts.failure_cpu_pct,
            hosts.cpu_pct,
            policy.cpu_limit_pct,
        ),
        (
            tr("RAM if another fails"),
            "ram_pct",
            hosts.failure_ram_pct,
            hosts.ram_pct,
            ram_limit_pct,
        ),
    )
    return (
        _fact(
            tr("CPU, of its cores"),
            "cpu_pct",
            hosts.cpu_pct[index],
            policy.cpu_limit_pct,
            is_main=True,
        ),
        _fact("RAM", "ram_pct", hosts.ram_pct[index], ram_limit_pct, is_main=True),
        _fact(tr("Network"), "network_pct", hosts.network_pct[index], policy.network_limit_pct),
        _fact(
            tr("vCPUs per core"),
            "vcpus_per_core",
            known(float(hosts.vcpus_per_core[index])),
            policy.vcpus_per_core_limit,
        ),
        *(
            _fact(
                label,
                field,
                _like(normal[index], float(numbers[index])),
                limit,
                of=f"failure_{field}",
            )
            for label, field, numbers, normal, limit in in_failure
            if math.isfinite(numbers[index])
        ),
    )


def _pool(policy: Policy, prediction: Prediction, pool: Pool) -> tuple[Fact, ...]:
    pools = prediction.pools
    index = pools.index(pool.id)
    ceiling = float(pools.limit_iops[index])
    limit = ceiling if math.isfinite(ceiling) else None
    return (
        _fact(tr("Disk load"), "iops", pools.iops[index], limit, is_main=True),
        _fact(
            tr("Disks busy"),
            "utilisation_pct",
            pools.utilisation_pct[index],
            policy.disk_limit_pct,
            is_main=True,
        ),
        _fact(tr("Latency"), "latency_ms", pools.latency_ms[index]),
        _fact(
            tr("Space used"), "capacity_pct", pools.capacity_pct[index], policy.capacity_limit_pct
        ),
        _fact(
            tr("Usable space"), "ram_gib", known(float(pools.usable_gib[index])), of="usable_gib"
        ),
    )


def _cluster(scenario: Scenario, prediction: Prediction, cluster: Cluster) -> tuple[Fact, ...]:
    """The worst of the cluster's hosts, now and when one fails."""
    policy = scenario.policy
    ids = {host.id for host in scenario.hosts if host.cluster == cluster.id}
    modes = [m for m in prediction.failures if m.host in ids and m.verdict is not None]
    ram_limit_pct = policy.memory_overcommit * 100
    return (
        _fact(
            tr("CPU if a host fails"),
            "cpu_pct",
            _highest([mode.cpu_pct for mode in modes]),
            policy.cpu_limit_pct,
            is_main=True,
            of="failure_cpu_pct",
        ),
        _fact(
            tr("RAM if a host fails"),
            "ram_pct",
            _highest([mode.ram_pct for mode in modes]),
            ram_limit_pct,
            is_main=True,
            of="failure_ram_pct",
        ),
        _fact(
            tr("Response if a host fails"),
            "response_ms",
            _highest([mode.response_ms for mode in modes]),
            policy.response_limit_ms,
            is_main=True,
            of="failure_response_ms",
        ),
    )


def _highest(quantities: list[Quantity]) -> Quantity:
    return max(quantities, key=_value, default=NO_DATA)


def _value(quantity: Quantity) -> float:
    return -math.inf if quantity.value is None else quantity.value


def summary(items: tuple[object, ...], catalog: Catalog, style: Style) -> str:
    """What several items come to together."""
    vms = [item for item in items if isinstance(item, Vm)]
    if vms and len(vms) == len(items):
        users = active_users(vms)
        return tr(
            "{users}, {vcpus} vCPUs, {ram_gib}\u202fGiB",
            users=local(users_text(users, active=True)),
            vcpus=number(sum(vm.vcpus for vm in vms), style=style),
            ram_gib=_total_gib([vm.ram_gib for vm in vms], style),
        )
    hosts = [item for item in items if isinstance(item, Host)]
    if hosts and len(hosts) == len(items):
        cores = [catalog.servers[h.server].cores for h in hosts if h.server in catalog.servers]
        ram_gib = _total_gib([host.ram_gib for host in hosts], style)
        return tr(
            "{sum} cores, {ram_gib}\u202fGiB", sum=number(sum(cores), style=style), ram_gib=ram_gib
        )
    return ""


def _total_gib(each: Sequence[float], style: Style) -> str:
    """Of many, a part of a GiB says nothing."""
    total = sum(each)
    return number(total, style=style) if total >= 100 else input_text(total, style=style)
