"""A first design from totals: the first of the options for them, those of the least units."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace

from models.base.errors import ModelError
from models.base.fields import bounds_of, value_at
from models.base.limits import Limit
from models.base.texts import joined, say
from models.catalog.catalog import Catalog, find
from models.catalog.published import compared_users
from models.evidence.constants import USERS_PER_VM
from models.evidence.knowledge import Knowledge
from models.options.option import LEAST_UNITS, Option, Options
from models.options.requirement import MOST_HOSTS, MOST_VMS, Load, Requirement
from models.options.search import find_options
from models.scenario.inputs import with_origin
from models.scenario.origin import Origin
from models.scenario.scenario import PRODUCTION, Growth, Host, Policy, Scenario, Vm, Workload
from models.scenario.workloads import WorkloadKind

OPTIONS_KEPT, MOST_POOLS = 3, 8
MAIL_KINDS = tuple(kind for kind in WorkloadKind if kind.is_domino)

LIMITS_OF: Mapping[str, Limit] = {
    "users": Limit(ge=1, le=10_000_000),
    "active_pct": Limit(gt=0, le=100),
    "growth_pct": bounds_of(Growth, "users_pct"),
    "years": bounds_of(Growth, "years"),
    "mail_file_mb": bounds_of(Workload, "mail_file_mb"),
    "vms": bounds_of(Load, "vms"),
    "vm_ram_gib": bounds_of(Vm, "ram_gib"),
    "host_ram_gib": bounds_of(Host, "ram_gib"),
    "host_failures": bounds_of(Requirement, "host_failures"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals:
    """What is known of an estate before anything is laid out.

    Attributes:
        users: owners of mail files today; `active_pct` of them are at work at the same time.
        growth_pct: more users each year, compound, for so many `years`.
        mail_file_mb: mean size of a mail file [MB, decimal].
        server, array: catalog ids; hypervisor, disk: likewise, or None: what goes with them.
        vms, vm_ram_gib, host_ram_gib: None: what is worth looking at.
        host_failures: hosts that may be gone at once.
        policy: whose load and what end of it is judged, production unless it is said.
    """

    users: int
    server: str
    array: str
    hypervisor: str | None = None
    disk: str | None = None
    host_ram_gib: float | None = None
    active_pct: float = 100.0
    growth_pct: float = 0.0
    years: float = 0.0
    kind: WorkloadKind = WorkloadKind.DOMINO_NRPC
    release: str = "14.0"
    mail_file_mb: float = 150.0
    vms: int | None = None
    vm_ram_gib: float | None = None
    host_failures: int = 1
    policy: Policy = PRODUCTION

    @property
    def benchmark_users(self) -> float:
        """Active users today in benchmark users, to compare with what was measured.

        Owners·active share·4, the known ratio, or the derating of a benchmark. Valid for whole
        owners: part of one is one. Source: `published.compared_users`.

        >>> totals = Totals(users=6000, active_pct=40.0, server="r710", array="netapp-fas3020")
        >>> totals.benchmark_users
        9600.0
        """
        derating = self.policy.derating
        active = self.users * self.active_pct / 100
        return compared_users(active, derating.mail, production=derating.production)


def first_design(
    totals: Totals,
    knowledge: Knowledge,
    *,
    check: Callable[[], None] = lambda: None,
) -> Option:
    """The option of the least units for totals, each figure with who chose it.

    Raises:
        ModelError: a total is impossible, or no option fits; the sentence says what is in the way.
    """
    requirement = requirement_of(totals, knowledge.catalog)
    found = find_options(requirement, knowledge, keep=OPTIONS_KEPT, check=check)
    if not found.options:
        raise ModelError(joined(": ", (say("no design fits"), _obstacle(found))))
    first = found.named(LEAST_UNITS) or found.options[0]
    return replace(first, scenario=_with_defaults(replace(first.scenario, notes=_note(totals))))


def requirement_of(totals: Totals, catalog: Catalog) -> Requirement:
    """Totals as a requirement.

    Raises:
        ModelError: one of them is impossible; its field is the total.
    """
    _check(totals, catalog)
    work = Workload(
        kind=totals.kind,
        release=totals.release,
        active_users=totals.users * totals.active_pct / 100,
        registered_users=float(totals.users),
        mail_file_mb=totals.mail_file_mb,
    )
    return Requirement(
        name="First design",
        loads=(Load(work=work, vms=totals.vms, ram_gib=totals.vm_ram_gib),),
        servers=(totals.server,),
        arrays=(totals.array,),
        disks=None if totals.disk is None else (totals.disk,),
        hypervisor=totals.hypervisor,
        max_hosts=MOST_HOSTS,
        max_pools=MOST_POOLS,
        host_ram_gib=totals.host_ram_gib,
        host_failures=totals.host_failures,
        policy=totals.policy,
        growth=Growth(years=totals.years, users_pct=totals.growth_pct),
    )


def _obstacle(found: Options) -> str:
    """Of the reasons the last: what was tried with everything else in place."""
    return found.refused[-1].reason if found.refused else say("nothing was looked at")


_UNSAID: Mapping[str, str] = {
    "workload.kind": "kind",
    "workload.release": "release",
    "workload.mail_file_mb": "mail_file_mb",
}
"""Inputs of a VM that are defaults where the total of this name is the one the program gives."""


def _with_defaults(scenario: Scenario) -> Scenario:
    """What nobody entered of the totals is a default."""
    return replace(scenario, vms=tuple(map(_with_default, scenario.vms)))


def _with_default(item: Vm) -> Vm:
    given = {field.name: field.default for field in fields(Totals)}
    unsaid = [path for path, total in _UNSAID.items() if value_at(item, path) == given[total]]
    return with_origin(item, Origin.DEFAULT, *unsaid) if unsaid else item


def _note(totals: Totals) -> str:
    grown = f", {totals.growth_pct:g} % more each year for {totals.years:g} years"
    return (
        f"Laid out from totals: {totals.users:,} users{grown if totals.growth_pct else ''}, "
        f"{totals.active_pct:g} % of them active at the same time; no VM of more than "
        f"{USERS_PER_VM:,.0f} benchmark users, the building block that was measured. Of what fits "
        "with the margin of the policy, the least hosts, cores, memory and drives by weight."
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
        value = getattr(totals, name)
        broken = None if value is None else limit.broken(value)
        if broken is not None:
            raise ModelError(broken, field=name)
    needed = totals.benchmark_users / USERS_PER_VM
    if needed > MOST_VMS:
        reason = say(
            "{vms} VMs of {users} benchmark users, the building block that was measured, would "
            "be needed; no more than {most} are laid out",
            vms=f"{needed:,.0f}",
            users=f"{USERS_PER_VM:,.0f}",
            most=f"{MOST_VMS:,}",
        )
        raise ModelError(reason, field="users")
    find(catalog.arrays, totals.array, field="array", kind="array")
    find(catalog.servers, totals.server, field="server", kind="server")
    if totals.disk is not None:
        find(catalog.disks, totals.disk, field="disk", kind="disk")
