"""A first design from totals: the fewest VMs, drives and hosts that fit with one host gone.

There is no second model: every candidate is judged by `evaluate`, so that what is laid out trips
none of the rules it is looked at with afterwards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from math import ceil
from typing import Any, TypeVar

from models.calibration import Calibration
from models.catalog import Catalog, find
from models.errors import ModelError
from models.evaluate import evaluate
from models.evidence.constants import USERS_PER_VM
from models.fields import bounds_of, value_at
from models.inputs import input_paths, origin_of, with_origin
from models.limits import Limit
from models.origin import Origin
from models.prediction import Prediction, Severity, Verdict
from models.published import compared_users
from models.scenario import (
    PRODUCTION,
    Admission,
    AdmissionPolicy,
    Cluster,
    DiskMode,
    Host,
    Policy,
    Pool,
    Scenario,
    Vm,
    Workload,
)
from models.texts import joined, say
from models.workloads import WORKLOADS, WorkloadKind

ItemT = TypeVar("ItemT", Cluster, Host, Pool, Vm)

MOST_VMS = 2048
MOST_HOSTS = 512
MOST_POOLS = 64
MOST_DRIVES = 1024
"""Drives a pool may have where the array's own limit is not known."""

TRIED_MORE_VMS = 8
"""How many larger numbers of VMs are tried when the smallest finds no hosts."""

MAIL_KINDS = tuple(kind for kind in WorkloadKind if kind.is_domino)

LIMITS_OF: Mapping[str, Limit] = {
    "users": Limit(ge=1, le=10_000_000),
    "active_pct": Limit(gt=0, le=100),
    "growth_pct": Limit(ge=0, le=1000),
    "mail_growth_pct": bounds_of(Policy, "mail_growth_pct"),
    "mail_file_mb": bounds_of(Workload, "mail_file_mb"),
    "vcpus": bounds_of(Vm, "vcpus"),
    "vm_ram_gib": bounds_of(Vm, "ram_gib"),
    "host_ram_gib": bounds_of(Host, "ram_gib"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals:
    """What is known of an estate before anything is laid out.

    Attributes:
        users: owners of mail files today; `active_pct` of them are at work at the same time.
        growth_pct: more users until the planning horizon.
        mail_file_mb: mean size of a mail file [MB, decimal]; `mail_growth_pct` until the horizon.
        server, hypervisor, array, disk, raid: catalog ids.
        host_ram_gib, vm_ram_gib, vcpus: of each host and VM.
        policy: whose load and what end of it is judged, production unless it is said.
    """

    users: int
    server: str
    hypervisor: str
    host_ram_gib: float
    array: str
    disk: str
    raid: str
    active_pct: float = 100.0
    growth_pct: float = 0.0
    kind: WorkloadKind = WorkloadKind.DOMINO_NRPC
    release: str = "8.5.1"
    mail_file_mb: float = 150.0
    mail_growth_pct: float = 0.0
    vm_ram_gib: float = 16.0
    vcpus: int = 4
    policy: Policy = PRODUCTION

    @property
    def grown_users(self) -> int:
        """Owners of mail files at the horizon: a part of a user is one."""
        return ceil(round(self.users * (1 + self.growth_pct / 100), 6))

    @property
    def benchmark_users(self) -> float:
        """Active users at the horizon in benchmark users, to compare with what was measured.

        Owners·active share·4, the known ratio, or the derating of a benchmark. Valid for whole
        owners: part of one is one. Source: `published.compared_users`.

        >>> catalog = dict(server="r710", hypervisor="vsphere-4.0", array="netapp-fas3020")
        >>> disks = dict(disk="fc-15k-144gb", raid="dp")
        >>> totals = Totals(users=6000, active_pct=40.0, host_ram_gib=32.0, **catalog, **disks)
        >>> totals.benchmark_users
        9600.0
        """
        return self.compared(self.grown_users * self.active_pct / 100)

    def compared(self, active: float) -> float:
        """Active users in benchmark users, to compare with what was measured."""
        derating = self.policy.derating
        return compared_users(active, derating.mail, production=derating.production)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FirstDesign:
    """A scenario that fits, and the prediction that says so."""

    scenario: Scenario
    prediction: Prediction

    @property
    def drives(self) -> int:
        return sum(pool.spindles for pool in self.scenario.pools)


def first_design(totals: Totals, catalog: Catalog, calibration: Calibration) -> FirstDesign:
    """The smallest layout of `totals` that fits with any one host gone and without a warning.

    Smallest in this order: VMs, pools, drives, hosts; one less of the last two does not fit. A VM
    has no more benchmark users than the building block of the vSphere 4 paper, however fast its
    host is: more on one was not measured.
    VMs stand on hosts and pools in turn.

    Raises:
        ModelError: a total is impossible, or no layout fits; the sentence says what is in the way.
    """
    _check(totals, catalog)
    search = _Search(totals, catalog, calibration)
    fewest = search.fewest_vms()
    for vms in range(fewest, fewest + TRIED_MORE_VMS):
        storage = search.least_storage(vms)
        hosts = search.fewest_hosts(replace(storage, vms=vms))
        if hosts is not None:
            return replace(hosts, scenario=_with_origins(hosts.scenario))
    raise search.refusal(say("no number of hosts fits"))


_FROM_TOTALS: Mapping[type, frozenset[str]] = {
    Host: frozenset({"server", "ram_gib"}),
    Pool: frozenset({"array"}),
    Vm: frozenset({"vcpus", "ram_gib", *(p for p in input_paths(Vm) if p.startswith("workload."))}),
}
"""What somebody entered; the rest of an item was chosen by the program, or nobody looked at it."""

_UNSAID: Mapping[str, str] = {
    "vcpus": "vcpus",
    "ram_gib": "vm_ram_gib",
    "workload.kind": "kind",
    "workload.release": "release",
    "workload.mail_file_mb": "mail_file_mb",
}
"""Inputs of a VM that are defaults where the total of this name is the one the program gives."""


def _with_origins(scenario: Scenario) -> Scenario:
    """The scenario with everything that the search chose marked so."""
    marked: dict[str, Any] = {
        name: tuple(_with_default(_with_origin(item)) for item in getattr(scenario, name))
        for name in ("clusters", "hosts", "pools", "vms")
    }
    return replace(scenario, **marked)


def _with_origin(item: ItemT) -> ItemT:
    given = _FROM_TOTALS.get(type(item), frozenset())
    chosen = [
        path
        for path in input_paths(type(item))
        if path not in given and origin_of(item, path) is Origin.MANUAL
    ]
    return with_origin(item, Origin.AUTO, *chosen) if chosen else item


def _with_default(item: ItemT) -> ItemT:
    if not isinstance(item, Vm):
        return item
    given = {field.name: field.default for field in fields(Totals)}
    unsaid = [path for path, total in _UNSAID.items() if value_at(item, path) == given[total]]
    return with_origin(item, Origin.DEFAULT, *unsaid) if unsaid else item


@dataclass(frozen=True, slots=True)
class Layout:
    """Counts; without hosts, each VM has one of its own outside any cluster."""

    vms: int
    pools: int
    drives_each: int
    hosts: int = 0


class _Search:
    """Candidates tried, and what stood in the way of the last one that did not fit."""

    def __init__(self, totals: Totals, catalog: Catalog, calibration: Calibration) -> None:
        self._totals = totals
        self._catalog = catalog
        self._calibration = calibration
        self._obstacle = ""
        limit = find(catalog.arrays, totals.array, field="array", kind="array").max_drives
        self._most_drives = min(limit or MOST_DRIVES, MOST_DRIVES)

    def refusal(self, what: str) -> ModelError:
        return ModelError(joined(": ", (what, self._obstacle)))

    def fewest_vms(self) -> int:
        """VMs so that each fits by itself, on a host and on drives of its own, with no more
        benchmark users than a VM was measured with."""
        most = min(MOST_VMS, self._totals.grown_users)
        least = ceil(self._totals.benchmark_users / USERS_PER_VM)
        if least > MOST_VMS:
            reason = say(
                "{vms} VMs of {users} benchmark users, the building block that was measured, would "
                "be needed; no more than {most} are laid out",
                vms=f"{least:,}",
                users=f"{USERS_PER_VM:,.0f}",
                most=f"{MOST_VMS:,}",
            )
            raise ModelError(reason, field="users")

        def fits(vms: int) -> bool:
            share = replace(self._totals, users=ceil(self._totals.grown_users / vms), growth_pct=0)
            alone = laid_out(share, Layout(1, 1, self._most_drives))
            active = alone.vms[0].workload.active_users
            if self._totals.compared(active) > USERS_PER_VM:
                self._obstacle = say(
                    "users are whole, and one more on a VM would be beyond {users} benchmark users",
                    users=f"{USERS_PER_VM:,.0f}",
                )
                return False
            return self._fits(alone) is not None

        vms = _smallest(fits, max(least, 1), most)
        if vms is None:
            raise self.refusal(say("not even a VM with few users fits"))
        return vms

    def least_storage(self, vms: int) -> Layout:
        """The fewest pools, and the fewest drives in each, that carry the VMs."""

        def fits(pools: int, drives: int) -> bool:
            return self._fits(laid_out(self._totals, Layout(vms, pools, drives))) is not None

        most = self._most_drives
        pools = _smallest(lambda count: fits(count, most), 1, min(MOST_POOLS, vms))
        if pools is None:
            raise self.refusal(say("no number of drives fits"))
        drives = _smallest(lambda count: fits(pools, count), 1, most)
        return Layout(vms, pools, drives or most)

    def fewest_hosts(self, storage: Layout) -> FirstDesign | None:
        """The fewest hosts of one cluster that carry the VMs with any one of them gone."""
        found: dict[int, FirstDesign] = {}

        def fits(hosts: int) -> bool:
            design = self._fits(laid_out(self._totals, replace(storage, hosts=hosts)))
            if design is not None:
                found[hosts] = design
            return design is not None

        hosts = _smallest(fits, 2, min(MOST_HOSTS, storage.vms + 1))
        return None if hosts is None else found[hosts]

    def _fits(self, scenario: Scenario) -> FirstDesign | None:
        """The scenario with its prediction where that has nothing against it."""
        prediction = evaluate(scenario, self._catalog, self._calibration)
        against = next(objections(prediction), None)
        if against is None:
            return FirstDesign(scenario=scenario, prediction=prediction)
        self._obstacle = against
        return None


NEVER_PUBLISHED = frozenset({"response"})
"""What some kinds of servers have no figure of in any document: a design of them is laid out by the
other resources, and its verdict says that this one isn't known."""


def objections(prediction: Prediction) -> Iterator[str]:
    """What rules and verdict have against a scenario, the gravest first; advice is none."""
    for severity in (Severity.ERROR, Severity.WARNING):
        yield from (each.clause for each in prediction.findings if each.severity is severity)
    unknown = {name for name, each in prediction.by_resource.items() if each is Verdict.NOT_KNOWN}
    if prediction.verdict > Verdict.NOT_KNOWN or unknown - NEVER_PUBLISHED:
        yield prediction.why.clause


def _smallest(fits: Callable[[int], bool], low: int, most: int) -> int | None:
    """The smallest number from `low` that fits, by doubling and halving; None: none does.

    Where fitting comes and goes, one that fits and whose predecessor doesn't.

    >>> _smallest(lambda n: n >= 11, 1, 64), _smallest(lambda n: n > 64, 1, 64)
    (11, None)
    """
    below, step = low - 1, 1
    above = low
    while not fits(above):
        if above >= most:
            return None
        below, step = above, step * 2
        above = min(above + step, most)
    while above - below > 1:
        middle = (above + below) // 2
        if fits(middle):
            above = middle
        else:
            below = middle
    return above


def laid_out(totals: Totals, layout: Layout) -> Scenario:
    """The scenario with so many VMs, hosts and pools; users are whole and add up."""
    policy = replace(totals.policy, mail_growth_pct=totals.mail_growth_pct)
    count = layout.hosts or layout.vms
    cluster = "c1" if layout.hosts else None
    admission = Admission(policy=AdmissionPolicy.HOST_FAILURES, host_failures=1)
    return Scenario(
        name="First design",
        policy=policy,
        clusters=(Cluster(id="c1", name="Mail", admission=admission),) if cluster else (),
        hosts=tuple(_host(totals, number, cluster) for number in range(1, count + 1)),
        pools=tuple(_pool(totals, number, layout) for number in range(1, layout.pools + 1)),
        vms=tuple(_vm(totals, number, layout) for number in range(layout.vms)),
        notes=_note(totals),
    )


def _host(totals: Totals, number: int, cluster: str | None) -> Host:
    return Host(
        id=f"h{number}",
        name=f"esx{number}",
        server=totals.server,
        hypervisor=totals.hypervisor,
        ram_gib=totals.host_ram_gib,
        cluster=cluster,
    )


def _pool(totals: Totals, number: int, layout: Layout) -> Pool:
    return Pool(
        id=f"p{number}",
        name=f"Pool {number}",
        array=totals.array,
        disk=totals.disk,
        spindles=layout.drives_each,
        raid=totals.raid,
    )


def _vm(totals: Totals, place: int, layout: Layout) -> Vm:
    """The VM at this place of the list, with its share of the users."""
    share, rest = divmod(totals.grown_users, layout.vms)
    owners = share + (place < rest)
    active = owners * totals.active_pct / 100
    return Vm(
        id=f"m{place + 1}",
        name=f"{WORKLOADS[totals.kind].vm_name}-{place + 1:02}",
        host=f"h{place % (layout.hosts or layout.vms) + 1}",
        pool=f"p{place % layout.pools + 1}",
        vcpus=totals.vcpus,
        ram_gib=totals.vm_ram_gib,
        disk_mode=DiskMode.VMFS,
        workload=Workload(
            kind=totals.kind,
            release=totals.release,
            active_users=float(ceil(round(active, 6))),
            registered_users=float(owners),
            mail_file_mb=totals.mail_file_mb,
        ),
    )


def _note(totals: Totals) -> str:
    grown = f", {totals.grown_users:,} after {totals.growth_pct:g} % growth"
    return (
        f"Laid out from totals: {totals.users:,} users{grown if totals.growth_pct else ''}, "
        f"{totals.active_pct:g} % of them active at the same time. The fewest VMs of at most "
        f"{USERS_PER_VM:,.0f} benchmark users, the building block that was measured, then drives, "
        "then hosts that fit with any one host gone."
    )


def _check(totals: Totals, catalog: Catalog) -> None:
    """Totals that a scenario could hold.

    Raises:
        ModelError: with the name of the total as its field.
    """
    if totals.kind not in MAIL_KINDS:
        reason = say("must be Domino mail: others have no law of users")
        raise ModelError(reason, field="kind")
    for name, limit in LIMITS_OF.items():
        broken = limit.broken(getattr(totals, name))
        if broken is not None:
            raise ModelError(broken, field=name)
    find(catalog.disks, totals.disk, field="disk", kind="disk")
