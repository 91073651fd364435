"""How many VMs of which size carry the users of a requirement, server by server."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import ceil
from typing import Any

import numpy as np

from models.base.errors import ModelError
from models.base.fields import Grows
from models.base.quantities import BoolArray, FloatArray, IntArray, judged_end
from models.base.texts import Text, opening, say
from models.catalog.catalog import Catalog, Hypervisor, Server
from models.catalog.published import compared_users, largest_load
from models.evaluate import evaluate
from models.evidence.constants import USERS_PER_VM
from models.evidence.knowledge import Knowledge
from models.judgement.against_limits import NEAR
from models.judgement.judging_inputs import DENSEST
from models.judgement.platform_limits import PATTERN_USERS, PATTERN_VCPUS
from models.options.chat import is_traveler
from models.options.judging import objection, why_not
from models.options.memory import advised_each
from models.options.purchasable import Storage
from models.options.requirement import MOST_LOADS, MOST_VMS, Load, Requirement
from models.physics.traveler import fewest_servers
from models.predict.prediction import Severity, Verdict
from models.scenario.growth import growing, grown
from models.scenario.owners import mail_owners
from models.scenario.scenario import DiskMode, Host, Policy, Pool, Scenario, Vm, Workload
from models.scenario.workloads import WORKLOADS, Law
from models.whatif import Ends, WhatIf, what_if

VCPUS = (2, 4, 8, 16)
RAM_GIB = (8.0, 16.0, 32.0, 64.0)
"""Sizes of new VMs that are looked at: what was measured and its doubles. A server in production
has no less memory than its mail files ask for (`memory.advised_gib`)."""

AMPLE_RAM_GIB, AMPLE_DRIVES = 4096.0, 24
"""Of a host and a pool that stand in no VM's way while it is looked at alone."""

CHAT_USERS = 50_000.0
CHAT_SIZES = {Law.COMMUNITY: (2, 4.0), Law.MUX: (1, 2.0)}
"""vCPUs and GiB of a Sametime server of the one published design (`models.physics.sametime`): of
other sizes nothing is known at all."""

STEPS = 16

WITH_OTHERS = 0.97
"""Share of its limit that a VM alone may come to, so that it fits beside others too."""


@dataclass(frozen=True, slots=True)
class Made:
    """New VMs for one load: how many, and how large each."""

    load: Load
    count: int
    vcpus: int
    ram_gib: float


@dataclass(frozen=True, slots=True)
class VmPlan:
    """VMs without hosts and pools, with today's load."""

    made: tuple[Made, ...]
    vms: tuple[Vm, ...]


@dataclass(frozen=True, slots=True)
class _Cell:
    """One size on one server."""

    server: int
    load: int
    vcpus: int
    ram_gib: float


def vm_plans(
    requirement: Requirement,
    machines: Sequence[tuple[Server, Hypervisor]],
    ample: Storage,
    knowledge: Knowledge,
    check: Callable[[], None] = lambda: None,
) -> list[list[VmPlan]]:
    """For each server the plans that are worth looking at: of none is another one no larger in
    number, vCPUs and memory. No VM has more benchmark users than the building block that was
    measured, however fast its host is.

    Args:
        check: called between steps; what it raises ends the search.

    Raises:
        ModelError: there are more loads, or more VMs are needed, than are laid out.
    """
    if len(requirement.loads) > MOST_LOADS:
        reason = say("must not be more than {most}", most=str(MOST_LOADS))
        raise ModelError(reason, field="workloads")
    loads = requirement.loads
    if not loads:
        plan = VmPlan((), requirement.vms)
        return [[plan] for _ in machines]
    cells = [
        _Cell(server, place, vcpus, ram_gib)
        for server, (entry, hypervisor) in enumerate(machines)
        for place, load in enumerate(loads)
        for vcpus, ram_gib in _sizes(load)
        if vcpus <= min(entry.threads, hypervisor.max_vcpus_per_vm or entry.threads)
    ]
    fewest = _fewest(requirement, cells, machines, ample, knowledge, check)
    made: dict[tuple[int, int], list[Made]] = {}
    for cell, found in zip(cells, fewest, strict=True):
        if found is not None:
            one = Made(loads[cell.load], found[0], cell.vcpus, found[1])
            of_load = made.setdefault((cell.server, cell.load), [])
            if one not in of_load:
                of_load.append(one)
    known: dict[tuple[Made, ...], VmPlan] = {}
    plans = []
    for server in range(len(machines)):
        check()
        of_loads = [made.get((server, load), []) for load in range(len(loads))]
        plans.append(list(_plans(requirement, of_loads, known)))
    return plans


def _sizes(load: Load) -> Iterator[tuple[int, float]]:
    vcpus, ram = CHAT_SIZES.get(WORKLOADS[load.work.kind].law, (None, None))
    yield from product(
        VCPUS if load.vcpus is None and vcpus is None else (load.vcpus or vcpus or 0,),
        RAM_GIB if load.ram_gib is None and ram is None else (load.ram_gib or ram or 0.0,),
    )


def _plans(
    requirement: Requirement, of_loads: Sequence[list[Made]], known: dict[tuple[Made, ...], VmPlan]
) -> Iterator[VmPlan]:
    # Of many loads fewer each: all of them with all others would be 3 to the power of loads.
    each = max(int(MOST_PLANS_TOGETHER ** (1.0 / len(of_loads)) + 1e-9), 1)
    for made in product(*(_undominated(sizes)[:each] for sizes in of_loads)):
        if made not in known:
            known[made] = VmPlan(made, (*requirement.vms, *_named(made, requirement)))
        yield known[made]


def _undominated(made: list[Made]) -> list[Made]:
    """At most `MOST_PLANS` of those that no other beats in number, vCPUs and memory."""
    keys = [(m.count, m.count * m.vcpus, m.count * m.ram_gib) for m in made]
    kept = [
        one
        for one, key in zip(made, keys, strict=True)
        if not any(other != key and all(map(_no_more, other, key)) for other in keys)
    ]
    return sorted(kept, key=lambda m: (m.count * m.ram_gib, m.count * m.vcpus))[:MOST_PLANS]


MOST_PLANS = 3
MOST_PLANS_TOGETHER = MOST_PLANS**4
"""Of a server, all loads together."""


def _no_more(one: float, other: float) -> bool:
    return one <= other


# --- the fewest VMs of a size -------------------------------------------------------------------


def _fewest(
    requirement: Requirement,
    cells: Sequence[_Cell],
    machines: Sequence[tuple[Server, Hypervisor]],
    ample: Storage,
    knowledge: Knowledge,
    check: Callable[[], None],
) -> list[tuple[int, float] | None]:
    """The fewest VMs of each size that fit by themselves at the end of the growth, and the memory
    of each [GiB]; None: none."""
    if not cells:
        return []
    palette = _palette(requirement, cells, machines, ample)
    end = grown(palette, requirement.growth.years)
    at = end, knowledge
    works = [vm.workload for vm in end.vms]
    active = np.array([work.active_users for work in works])
    owners = np.array([_or_nan(work.registered_users) for work in works])
    memory = _Memory.of(requirement, cells, machines, end, knowledge.catalog)
    pairs = zip(cells, works, strict=True)
    least = np.array([_least(requirement, each, work, knowledge.catalog) for each, work in pairs])
    pinned = np.array([requirement.loads[cell.load].vms or 0 for cell in cells])
    low = np.where(pinned > 0, pinned, least)
    _check_number(cells, low)
    high = np.where(pinned > 0, pinned, np.minimum(low * STEPS, MOST_VMS))
    together = 2.0 if requirement.cluster_partners else 1.0
    domino = np.array([work.kind.is_domino for work in works])
    first = np.full(len(cells), -1)
    for _ in range(3):
        check()
        counts = _ladder(low, high)
        users, kept = (np.ceil(np.round(n / counts, 6)) * together for n in (active, owners))
        ram = memory.each(counts)
        found = what_if(*at, users=users, registered=kept, ram_gib=ram, others_fail=False)
        fit = _fits(found, end, np.where(pinned > 0, 1.0, WITH_OTHERS)) & (ram <= memory.most)
        fit &= ~domino | (users * end.policy.derating.mail <= DENSEST * ram)
        first = np.where(fit.any(axis=0), fit.argmax(axis=0), -1)
        cell = np.arange(len(cells))
        high = np.where(first >= 0, counts[first, cell], high)
        low = np.where(first > 0, np.minimum(counts[first - 1, cell] + 1, high), high)
        low = np.where(first == 0, high, low)
    ram = memory.each(high)
    sound = _sound(palette, high, ram, knowledge)
    return [
        (int(count), gib) if place >= 0 and good else None
        for count, gib, place, good in zip(high, ram.tolist(), first, sound, strict=True)
    ]


@dataclass(frozen=True, slots=True, eq=False)
class _Memory:
    """Memory of the VMs of each size: what is looked at, or more for the mail files of a share.

    Attributes:
        least: what is looked at [GiB]; `most`: of the server or the hypervisor, (n,).
        owners: of all mail files of the load at the end of the growth, (n,).
        loads: a workload of each load whose memory is open, with the sizes of it.
    """

    least: FloatArray
    most: FloatArray
    owners: FloatArray
    loads: tuple[tuple[Workload, IntArray], ...]
    policy: Policy
    catalog: Catalog

    @classmethod
    def of(
        cls,
        requirement: Requirement,
        cells: Sequence[_Cell],
        machines: Sequence[tuple[Server, Hypervisor]],
        end: Scenario,
        catalog: Catalog,
    ) -> _Memory:
        policy, of_load = requirement.policy, np.array([cell.load for cell in cells])
        is_open = [load.ram_gib is None for load in requirement.loads]
        rows = {place: np.flatnonzero(of_load == place) for place in np.unique(of_load).tolist()}
        works = [vm.workload for vm in end.vms]
        production = policy.derating.production
        most = [
            min(each for each in (server.max_ram_gib, esx.max_ram_gib_per_vm, np.inf) if each)
            for server, esx in machines
        ]
        return cls(
            np.array([cell.ram_gib for cell in cells]),
            np.array([most[cell.server] if is_open[cell.load] else np.inf for cell in cells]),
            np.array([mail_owners(work, production=production) for work in works]),
            tuple((works[each[0]], each) for place, each in rows.items() if is_open[place]),
            policy,
            catalog,
        )

    def each(self, counts: FloatArray) -> FloatArray:
        """Of each of so many VMs [GiB], (…, n)."""
        shares = np.ceil(np.round(self.owners / counts, 6))
        ram = np.broadcast_to(self.least, shares.shape).copy()
        for work, rows in self.loads:
            advised = advised_each(work, shares[..., rows], self.policy, self.catalog)
            ram[..., rows] = np.maximum(ram[..., rows], advised)
        return ram


def _check_number(cells: Sequence[_Cell], least: np.ndarray) -> None:
    """Raises:
    ModelError: even the fewest VMs of all loads are more than are laid out.
    """
    of_loads: dict[int, int] = {}
    for cell, count in zip(cells, least.tolist(), strict=True):
        of_loads[cell.load] = min(count, of_loads.get(cell.load, count))
    needed = sum(of_loads.values())
    if needed > MOST_VMS:
        counts = {"vms": f"{needed:,}", "most": f"{MOST_VMS:,}"}
        reason = say("{vms} VMs would be needed; no more than {most} are laid out", **counts)
        raise ModelError(reason, field="workloads")


def _least(requirement: Requirement, cell: _Cell, work: Workload, catalog: Catalog) -> int:
    """Fewer VMs than these would go beyond what was measured, with a partner's users on them where
    they have one, or beyond what the maker has for one."""
    law, active = WORKLOADS[work.kind].law, work.active_users
    derating = requirement.policy.derating
    if is_traveler(work):
        return fewest_servers(work)
    if law in CHAT_SIZES:
        return max(ceil(round(active * float(derating.chat) / CHAT_USERS, 6)), 1)
    compared = compared_users(active, derating.mail, production=derating.production)
    # Users are whole: so many on a VM and no part of one more.
    most = max(int(USERS_PER_VM * active / compared + 1e-9), 1) if compared else 1
    if requirement.cluster_partners and compared:
        largest = largest_load(catalog)
        if largest is not None and largest.users:
            most = min(most, max(int(largest.users * active / compared / 2.0 + 1e-9), 1))
    if requirement.cluster_partners and cell.vcpus <= PATTERN_VCPUS:
        # So many were tested on two vCPUs with a partner's users on them.
        most = min(most, max(int(PATTERN_USERS / float(derating.mail) / 2.0), 1))
    return max(ceil(active / most), 2 if requirement.cluster_partners else 1)


def _ladder(low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Whole numbers from low to high, closer together below, (steps, n)."""
    steps = np.linspace(0.0, 1.0, STEPS)[:, None]
    counts: np.ndarray = np.ceil(low * (high / low) ** steps - 1e-9)
    return counts


def _fits(found: WhatIf, end: Scenario, share: FloatArray) -> BoolArray:
    """Which VMs fit by themselves, (s, n); what was never published stands in nobody's way.

    Args:
        share: of each limit, (n,).
    """
    policy = end.policy

    def within(ends: Ends, whole: float) -> BoolArray:
        limit = whole * share
        # What is shown ends at what the vCPUs have; it is judged as far as its error goes, which is
        # as far above the value as below it.
        with np.errstate(divide="ignore", invalid="ignore"):
            mirrored = np.where(ends.low > 0, ends.value**2 / ends.low, ends.high)
        high = judged_end(ends.value, np.fmax(ends.high, mirrored), policy.posture.share)
        over = (ends.value > NEAR * limit) | (high > limit)
        return np.asarray(~over)

    cpu = found.vm_cpu_pct
    response = found.vm_response_ms
    fit = within(cpu, policy.cpu_limit_pct / policy.peak_factor_cpu)
    return fit & within(response, policy.response_limit_ms)


def _sound(
    palette: Scenario,
    counts: FloatArray,
    ram_gib: FloatArray,
    knowledge: Knowledge,
) -> list[bool]:
    """Whether a rule has anything against a VM of each size with its share of the users."""
    vms = tuple(
        replace(_with_users(vm, int(count)), ram_gib=gib)
        for vm, count, gib in zip(palette.vms, counts, ram_gib.tolist(), strict=True)
    )
    prediction = evaluate(replace(palette, vms=vms), knowledge)
    graver = (Severity.ERROR, Severity.WARNING)
    against = {each.subject for each in prediction.findings if each.severity in graver}
    return [vm.id not in against for vm in vms]


def alone(
    requirement: Requirement,
    server: Server,
    hypervisor: Hypervisor,
    ample: Storage,
    knowledge: Knowledge,
) -> Text | None:
    """What stands against a VM of the smallest share of each load on a server; None: nothing."""
    cells = [
        _Cell(0, place, min(8, server.threads), 32.0) for place in range(len(requirement.loads))
    ]
    palette = _palette(requirement, cells, [(server, hypervisor)], ample)
    pairs = zip(cells, palette.vms, strict=True)
    least = [_least(requirement, cell, vm.workload, knowledge.catalog) for cell, vm in pairs]
    vms = tuple(_with_users(vm, 2 * n) for vm, n in zip(palette.vms, least, strict=True))
    there = evaluate(replace(palette, vms=vms), knowledge)
    problem = objection(there)
    if problem is not None:
        return opening(problem)
    return None if there.verdict is Verdict.FITS else why_not(there)


def _palette(
    requirement: Requirement,
    cells: Sequence[_Cell],
    machines: Sequence[tuple[Server, Hypervisor]],
    ample: Storage,
) -> Scenario:
    """Every size on a host and drives of its own, with all users of its load."""
    hosts, pools, vms = [], [], []
    for row, cell in enumerate(cells):
        server, hypervisor = machines[cell.server]
        hosts.append(
            Host(
                id=f"h{row}",
                name=server.name,
                server=server.id,
                hypervisor=hypervisor.id,
                ram_gib=min(AMPLE_RAM_GIB, server.max_ram_gib or AMPLE_RAM_GIB),
            )
        )
        pools.append(
            Pool(
                id=f"p{row}",
                name=f"p{row}",
                array=ample.array.id,
                disk=ample.disk.id,
                spindles=min(AMPLE_DRIVES, ample.array.max_drives or AMPLE_DRIVES),
                raid=ample.raid.id,
            )
        )
        made = Made(requirement.loads[cell.load], 1, cell.vcpus, cell.ram_gib)
        (vm,) = new_vms(made, replace(requirement, cluster_partners=False))
        vms.append(replace(vm, id=f"m{row}", host=f"h{row}", pool=f"p{row}"))
    return Scenario(
        name="alone",
        policy=requirement.policy,
        growth=requirement.growth,
        hosts=tuple(hosts),
        pools=tuple(pools),
        vms=tuple(vms),
    )


def _or_nan(value: float | None) -> float:
    return np.nan if value is None else value


# --- VMs ----------------------------------------------------------------------------------------


def _with_users(vm: Vm, count: int) -> Vm:
    work = vm.workload
    share = {
        name: float(ceil(round(users / count, 6)))
        for name in growing(Grows.USERS)
        if (users := getattr(work, name)) is not None
    }
    return replace(vm, workload=_of_share(work, share))


def new_vms(made: Made, requirement: Requirement) -> list[Vm]:
    """The VMs of a load, with whole users that add up to it."""
    work, count = made.load.work, made.count
    name = WORKLOADS[work.kind].vm_name
    shares = {
        name: _shares(users, count)
        for name in growing(Grows.USERS)
        if (users := getattr(work, name)) is not None
    }
    return [
        Vm(
            id=f"{name.lower()}-{place + 1:02}",
            name=f"{name}-{place + 1:02}",
            host=None,
            pool=None,
            vcpus=made.vcpus,
            ram_gib=made.ram_gib,
            disk_mode=DiskMode.VMFS,
            workload=_of_share(work, {name: each[place] for name, each in shares.items()}),
        )
        for place in range(count)
    ]


def _of_share(work: Workload, users: Mapping[str, Any]) -> Workload:
    return replace(work, **users)


def _shares(users: float, count: int) -> list[float]:
    share, rest = divmod(ceil(round(users, 6)), count)
    return [float(share + (place < rest)) for place in range(count)]


def _named(made: Sequence[Made], requirement: Requirement) -> Iterator[Vm]:
    """The VMs of all loads with ids and names that no VM has: of a load the same whatever the
    others come to, so that options can be compared VM by VM."""
    taken = {each for vm in requirement.vms for each in (vm.id, vm.name.lower())}
    before: Counter[str] = Counter()
    for each in made:
        name = WORKLOADS[each.load.work.kind].vm_name
        before[name] += 1
        name += str(before[name]) if before[name] > 1 else ""
        numbers = (n for n in range(1, MOST_VMS * 4) if f"{name.lower()}-{n:02}" not in taken)
        for vm, n in zip(new_vms(each, requirement), numbers, strict=False):
            yield replace(vm, id=f"{name.lower()}-{n:02}", name=f"{name}-{n:02}")


def partnered(vms: Sequence[Vm]) -> list[Vm]:
    """Domino servers in pairs of a Domino cluster; a rest of three in one."""
    domino = [vm for vm in vms if vm.workload.kind.is_domino]
    partners: dict[str, tuple[str, ...]] = {}
    for start in range(0, len(domino) - 1, 2):
        end = len(domino) if len(domino) - start == 3 else start + 2
        group = domino[start:end]
        for vm in group:
            partners[vm.id] = tuple(other.id for other in group if other.id != vm.id)
    return [replace(vm, cluster_partners=partners.get(vm.id, ())) for vm in vms]
