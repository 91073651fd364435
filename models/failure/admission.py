"""vSphere HA admission control, computed as VMware computes it: from *reservations*, not demand.

Three policies. **Host failures** cuts hosts into slots of the largest reservation and counts how
many of the largest hosts may fail. **Percentage** compares what is reserved with what there is.
**Dedicated hosts** keeps hosts empty. None says whether users will be served well after a failure:
a VM without reservation counts as 256 MHz (32 from 5.0 on) and its memory overhead. The failure
table asks that question by demand.

Sources: VMware, "vSphere Availability" (6.7, pp. 22-26; 4.1 and 5.5 alike); vSphere Web Services
API, ClusterFailoverLevelAdmissionControlPolicy, ClusterFailoverResourcesAdmissionControlPolicy,
ClusterFailoverHostAdmissionControlPolicy, DasFailoverLevelAdvancedRuntimeInfo; KB 1010594.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from models.base.texts import joined, say, say_many
from models.scenario.wording import NO_DATA_TEXT, decimals_until, exact_text, number

GUIDE = "VMware, vSphere Availability, admission control"

NEARLY = 1e-9
"""Relative excess that counts as rounding when slots are cut."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HostCapacity:
    """What a host has for VMs, without what the hypervisor keeps (its root resource pool).

    `cpu_mhz` is None where the clock is not known.
    """

    id: str
    name: str
    cpu_mhz: float | None
    ram_mib: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Guest:
    """A powered-on VM, or the secondary of one with Fault Tolerance, with its reservations.

    `overhead_mib` is the memory that the hypervisor needs to run it.
    """

    id: str
    name: str
    host: str
    cpu_reservation_mhz: float = 0.0
    ram_reservation_mib: float = 0.0
    overhead_mib: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """Advanced options of a cluster.

    Attributes:
        cpu_min_mhz: what a VM without CPU reservation counts as (das.vmCpuMinMHz): 256 on 4.x, 32
            from 5.0 on.
        ram_min_mib: the same for memory (das.vmMemoryMinMB).
        cpu_cap_mhz, ram_cap_mib: upper bounds of a slot (das.slotCpuInMHz, das.slotMemInMB).
    """

    cpu_min_mhz: float
    ram_min_mib: float = 0.0
    cpu_cap_mhz: float | None = None
    ram_cap_mib: float | None = None

    def cpu_of(self, guest: Guest) -> float:
        """CPU that a VM counts as [MHz]."""
        return guest.cpu_reservation_mhz or self.cpu_min_mhz

    def ram_of(self, guest: Guest) -> float:
        """Memory that a VM counts as [MiB]: reservation, else the least, + overhead.

        Valid for powered-on VMs under the first two policies.

        >>> guest = Guest(id="m1", name="Mail-01", host="h1", overhead_mib=242.5)
        >>> Options(cpu_min_mhz=256.0).ram_of(guest)
        242.5
        """
        return (guest.ram_reservation_mib or self.ram_min_mib) + guest.overhead_mib


@dataclass(frozen=True, slots=True)
class Step:
    """A line of the arithmetic: what is worked out, with which numbers, and what comes of it."""

    what: str
    arithmetic: str
    result: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """Size of a slot; `cpu_from`, `ram_from` are ids of the VMs that set it, empty for none."""

    cpu_mhz: float
    ram_mib: float
    cpu_from: str = ""
    ram_from: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class HostSlots:
    """Slots of a host; `by_cpu` and `by_ram` are None where that resource sets no limit."""

    host: HostCapacity
    by_cpu: int | None
    by_ram: int | None

    @property
    def slots(self) -> int:
        return min([each for each in (self.by_cpu, self.by_ram) if each is not None], default=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class SlotCheck:
    """Host failures a cluster tolerates, by slots.

    Attributes:
        hosts: from the most slots to the fewest.
        powered_on: VMs, Fault Tolerance secondaries among them.
        used: slots they take; `multiple` names those that take more than one.
        current: hosts that may fail, the largest first; `configured` those that shall.
        available: slots left for further VMs with `configured` hosts gone.
        guests, options: what was counted, and how.
    """

    slot: Slot
    hosts: tuple[HostSlots, ...]
    powered_on: int
    used: int
    multiple: tuple[tuple[str, int], ...]
    current: int
    configured: int
    available: int
    guests: tuple[Guest, ...]
    options: Options

    @property
    def steps(self) -> tuple[Step, ...]:
        return tuple(_slot_steps(self))

    @property
    def total(self) -> int:
        return sum(each.slots for each in self.hosts)

    @property
    def admitted(self) -> bool:
        return self.current >= self.configured


@dataclass(frozen=True, slots=True, kw_only=True)
class PercentageCheck:
    """Share of a cluster's resources that nobody has reserved, CPU and memory apart.

    `current_*` is exact; VMware shows whole per cent, rounded down (`shown`). `cpu_total_mhz` and
    `cpu_current_pct` are None where no host's clock is known. `capacities`, `guests` and `options`
    are what was counted, and how.
    """

    cpu_total_mhz: float | None
    cpu_required_mhz: float
    ram_total_mib: float
    ram_required_mib: float
    cpu_configured_pct: float
    ram_configured_pct: float
    capacities: tuple[HostCapacity, ...]
    guests: tuple[Guest, ...]
    options: Options

    @property
    def steps(self) -> tuple[Step, ...]:
        return tuple(_share_steps(self))

    @property
    def hosts(self) -> int:
        return len(self.capacities)

    @property
    def cpu_current_pct(self) -> float | None:
        if self.cpu_total_mhz is None:
            return None
        return free_pct(self.cpu_total_mhz, self.cpu_required_mhz)

    @property
    def ram_current_pct(self) -> float:
        return free_pct(self.ram_total_mib, self.ram_required_mib)

    @property
    def admitted(self) -> bool:
        """The shares that are known reach what is configured, and there is another host to fail
        over to."""
        shares = (
            (self.cpu_current_pct, self.cpu_configured_pct),
            (self.ram_current_pct, self.ram_configured_pct),
        )
        enough = all(pct is None or pct >= kept * (1 - NEARLY) for pct, kept in shares)
        return enough and self.hosts >= FEWEST_HOSTS


FEWEST_HOSTS = 2
"""Hosts without which nothing is admitted: HA can't fail over to nowhere."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DedicatedCheck:
    """Hosts that stand by: VMs that run there against the policy, and how large they are.

    `smaller` names those with less CPU or memory than another host has. `running` has the name of
    each host that stands by and the VMs there.
    """

    hosts: tuple[str, ...]
    occupied: tuple[str, ...]
    smaller: tuple[str, ...]
    running: tuple[tuple[str, int], ...]

    @property
    def steps(self) -> tuple[Step, ...]:
        return tuple([Step(say("VMs on {host}", host=h), "", number(n)) for h, n in self.running])

    @property
    def admitted(self) -> bool:
        return bool(self.hosts) and not self.occupied


def free_pct(total: float, required: float) -> float:
    """Capacity left [%]: (total − required)/total, not below 0; 0 of nothing.

    Valid for reservations, as the percentage policy counts them, not for demand. Source: vSphere
    Availability, the guide's own examples of 24 GHz with 7 reserved, and 21 GB with 6.

    >>> round(free_pct(24.0, 7.0), 2), round(free_pct(21.0, 6.0), 2)
    (70.83, 71.43)
    """
    return max(100.0 * (total - required) / total, 0.0) if total > 0 else 0.0


def shown(pct: float) -> int:
    """Whole per cent as vCenter shows it, rounded down.

    >>> shown(100 * 17 / 24), shown(100 * 15 / 21)
    (70, 71)
    """
    return math.floor(pct + NEARLY * 100)


def slot_check(
    hosts: Sequence[HostCapacity], guests: Sequence[Guest], options: Options, *, configured: int
) -> SlotCheck:
    """How many of the largest hosts may fail and leave a slot for every powered-on VM.

    A slot is the largest CPU reservation by the largest memory reservation with overhead, not above
    the caps. A host has floor(CPU / slot CPU) or floor(memory / slot memory) of them, whichever is
    less. A VM larger than a capped slot takes several. Hosts without a known clock are counted by
    memory alone. The last host can't fail over to anywhere, whatever runs.

    >>> hosts = [
    ...     HostCapacity(id=i, name=i, cpu_mhz=c, ram_mib=r)
    ...     for i, c, r in (("H1", 9000.0, 9216.0), ("H2", 9000.0, 6144.0), ("H3", 6000.0, 6144.0))
    ... ]
    >>> sizes = (
    ...     (2000.0, 1024.0),
    ...     (2000.0, 1024.0),
    ...     (1000.0, 2048.0),
    ...     (1000.0, 1024.0),
    ...     (1000.0, 1024.0),
    ... )
    >>> guests = [
    ...     Guest(
    ...         id=f"VM{n}", name=f"VM{n}", host="H1", cpu_reservation_mhz=c, ram_reservation_mib=r
    ...     )
    ...     for n, (c, r) in enumerate(sizes, 1)
    ... ]
    >>> check = slot_check(hosts, guests, Options(cpu_min_mhz=32.0), configured=1)
    >>> [each.slots for each in check.hosts], check.current, check.available
    ([4, 3, 3], 1, 1)
    """
    slot = _slot(guests, options)
    cut = [
        HostSlots(
            host=host,
            by_cpu=None if host.cpu_mhz is None else _floor(host.cpu_mhz, slot.cpu_mhz),
            by_ram=_floor(host.ram_mib, slot.ram_mib),
        )
        for host in hosts
    ]
    cut.sort(key=lambda each: (-each.slots, each.host.id))
    taken = [(guest, _slots_of(guest, slot, options)) for guest in guests]
    used = sum(slots for _, slots in taken)
    left = _left(cut)
    current = max((k for k, slots in enumerate(left[:-1]) if slots >= used), default=0)
    after = left[min(configured, len(cut))]
    return SlotCheck(
        slot=slot,
        hosts=tuple(cut),
        powered_on=len(guests),
        used=used,
        multiple=tuple((guest.id, slots) for guest, slots in taken if slots > 1),
        current=current,
        configured=configured,
        available=max(after - used, 0),
        guests=tuple(guests),
        options=options,
    )


def percentage_check(
    hosts: Sequence[HostCapacity],
    guests: Sequence[Guest],
    options: Options,
    *,
    cpu_pct: float,
    ram_pct: float,
) -> PercentageCheck:
    """Share of CPU and memory that is not reserved, against what shall be kept free.

    Hosts without a known clock add nothing to the CPU; where no clock is known, memory decides.
    """
    clocks = [h.cpu_mhz for h in hosts if h.cpu_mhz is not None]
    return PercentageCheck(
        cpu_total_mhz=None if hosts and not clocks else sum(clocks),
        cpu_required_mhz=sum(map(options.cpu_of, guests)),
        ram_total_mib=sum(h.ram_mib for h in hosts),
        ram_required_mib=sum(map(options.ram_of, guests)),
        cpu_configured_pct=cpu_pct,
        ram_configured_pct=ram_pct,
        capacities=tuple(hosts),
        guests=tuple(guests),
        options=options,
    )


def dedicated_check(
    hosts: Sequence[HostCapacity], guests: Sequence[Guest], *, standing_by: Sequence[str]
) -> DedicatedCheck:
    """Whether the hosts that stand by are empty, and as large as the others."""
    by_id = {host.id: host for host in hosts}
    there = [by_id[id] for id in standing_by if id in by_id]
    others = [host for host in hosts if host.id not in standing_by]
    occupied = tuple(guest.id for guest in guests if guest.host in standing_by)
    smaller = tuple(host.id for host in there if any(_smaller(host, other) for other in others))
    return DedicatedCheck(
        hosts=tuple(host.id for host in there),
        occupied=occupied,
        smaller=smaller,
        running=tuple([(each.name, sum(g.host == each.id for g in guests)) for each in there]),
    )


def _slot(guests: Sequence[Guest], options: Options) -> Slot:
    cpu = max(guests, key=options.cpu_of, default=None)
    ram = max(guests, key=options.ram_of, default=None)
    cpu_mhz = options.cpu_of(cpu) if cpu else options.cpu_min_mhz
    ram_mib = options.ram_of(ram) if ram else options.ram_min_mib
    reserved = cpu is not None and cpu.cpu_reservation_mhz > 0
    return Slot(
        cpu_mhz=min(cpu_mhz, math.inf if options.cpu_cap_mhz is None else options.cpu_cap_mhz),
        ram_mib=min(ram_mib, math.inf if options.ram_cap_mib is None else options.ram_cap_mib),
        cpu_from=cpu.id if cpu and reserved else "",
        ram_from=ram.id if ram else "",
    )


def _floor(capacity: float, size: float) -> int | None:
    """Whole slots in a capacity; None for a slot of no size, which sets no limit."""
    return None if size <= 0 else max(math.floor(capacity / size * (1 + NEARLY)), 0)


def _slots_of(guest: Guest, slot: Slot, options: Options) -> int:
    shares = [
        math.ceil(asked / size * (1 - NEARLY))
        for asked, size in (
            (options.cpu_of(guest), slot.cpu_mhz),
            (options.ram_of(guest), slot.ram_mib),
        )
        if size > 0
    ]
    return max([1, *shares])


def _left(cut: Sequence[HostSlots]) -> list[int]:
    """Slots without the 0, 1, 2 … largest hosts."""
    left = [sum(each.slots for each in cut)]
    for each in cut:
        left.append(left[-1] - each.slots)
    return left


def _smaller(host: HostCapacity, other: HostCapacity) -> bool:
    cpu = (host.cpu_mhz or 0.0, other.cpu_mhz or 0.0)
    return cpu[0] < cpu[1] * (1 - NEARLY) or host.ram_mib < other.ram_mib * (1 - NEARLY)


# --- the arithmetic in words ------------------------------------------------------------------


def _slot_steps(check: SlotCheck) -> Iterator[Step]:
    names = {guest.id: guest.name for guest in check.guests}
    yield _cpu_size_step(check, names)
    yield _ram_size_step(check, names)
    for each in check.hosts:
        yield _host_step(each, check)
    slots = [each.slots for each in check.hosts]
    yield Step(say("Slots in all"), _sum(slots, NO_HOST), number(check.total))
    yield Step(say("Slots used"), _used_words(check, names), number(check.used))
    for gone in range(1, min(check.current + 1, len(slots)) + 1):
        left = sum(slots[gone:])
        sign = "≥" if left >= check.used else "<"
        result = joined("", (number(left), f" {sign} {check.used}"))
        without = (
            say("Without {host}", host=check.hosts[0].host.name)
            if gone == 1
            else say("Without the {count} largest hosts", count=gone)
        )
        yield Step(without, _sum(slots[gone:], NO_HOST), result if gone < len(slots) else NOWHERE)
    current = say_many(
        "{count} host, configured {configured}",
        "{count} hosts, configured {configured}",
        check.current,
        configured=check.configured,
    )
    yield Step(say("Current failover capacity"), "", current)


def _cpu_size_step(check: SlotCheck, names: dict[str, str]) -> Step:
    slot = check.slot
    words = say("the default, as no powered-on VM reserves more CPU")
    if slot.cpu_from:
        words = say_many(
            "largest CPU reservation of {count} powered-on VM, {name}’s",
            "largest CPU reservation of {count} powered-on VMs, {name}’s",
            check.powered_on,
            name=names[slot.cpu_from],
        )
    size = _mhz(slot.cpu_mhz, _cpu_decimals(check.hosts, slot))
    is_capped = check.options.cpu_cap_mhz == slot.cpu_mhz
    return Step(say("CPU of a slot"), _capped(words, size) if is_capped else words, size)


def _ram_size_step(check: SlotCheck, names: dict[str, str]) -> Step:
    slot, words = check.slot, NO_VM
    if slot.ram_from:
        name = names[slot.ram_from]
        words = say("largest memory reservation with overhead, {name}’s", name=name)
    size = _mib(slot.ram_mib, _ram_decimals(check.hosts, slot))
    is_capped = check.options.ram_cap_mib == slot.ram_mib
    return Step(say("Memory of a slot"), _capped(words, size) if is_capped else words, size)


def _capped(words: str, size: str) -> str:
    return say("{words}, capped at {size}", words=words, size=size)


def _host_step(each: HostSlots, check: SlotCheck) -> Step:
    parts, slot = [], check.slot
    if each.by_cpu is not None and each.host.cpu_mhz is not None:
        decimals = _cpu_decimals(check.hosts, slot)
        parts.append((_share(each.host.cpu_mhz, slot.cpu_mhz, decimals), each.by_cpu))
    if each.by_ram is not None:
        decimals = _ram_decimals(check.hosts, slot)
        parts.append((_share(each.host.ram_mib, slot.ram_mib, decimals), each.by_ram))
    words = [
        joined(" = ", (share, number(count))) if len(parts) > 1 else share for share, count in parts
    ]
    count = say_many("{count} slot", "{count} slots", each.slots)
    return Step(say("Slots of {host}", host=each.host.name), joined(", ", words), count)


def _share(capacity: float, size: float, decimals: int) -> str:
    return joined("", ("⌊", _to(capacity, decimals), " / ", _to(size, decimals), "⌋"))


def _cpu_decimals(hosts: Sequence[HostSlots], slot: Slot) -> int:
    """Decimals of a slot's CPU with which every host comes to its number of slots."""
    return _slot_decimals([(each.host.cpu_mhz, each.by_cpu) for each in hosts], slot.cpu_mhz)


def _ram_decimals(hosts: Sequence[HostSlots], slot: Slot) -> int:
    """The same of its memory."""
    return _slot_decimals([(each.host.ram_mib, each.by_ram) for each in hosts], slot.ram_mib)


def _slot_decimals(shares: Sequence[tuple[float | None, int | None]], size: float) -> int:
    known = [(capacity, count) for capacity, count in shares if capacity is not None and count]
    return decimals_until(
        lambda d: all(_floor(round(c, d), round(size, d)) == count for c, count in known)
    )


def _used_words(check: SlotCheck, names: dict[str, str]) -> str:
    more = [say("{name} takes {slots}", name=names[id], slots=n) for id, n in check.multiple]
    return joined("; ", [_powered_on(check.powered_on), *more])


def _powered_on(count: int) -> str:
    return say_many("{count} powered-on VM", "{count} powered-on VMs", count) if count else NO_VM


def _share_steps(check: PercentageCheck) -> Iterator[Step]:
    hosts, guests, options = check.capacities, check.guests, check.options
    total, clocks = check.cpu_total_mhz, [h.cpu_mhz for h in hosts if h.cpu_mhz is not None]
    yield Step(
        say("CPU of the hosts"),
        NO_CLOCK if total is None else _sum(clocks, NO_HOST),
        NO_DATA_TEXT if total is None else _mhz(total),
    )
    cpu = _sum([options.cpu_of(guest) for guest in guests], NO_VM)
    yield Step(say("CPU reserved"), cpu, _mhz(check.cpu_required_mhz))
    yield _free_step(
        say("Current CPU failover capacity"),
        total,
        check.cpu_required_mhz,
        check.cpu_configured_pct,
    )
    there = _sum([host.ram_mib for host in hosts], NO_HOST)
    yield Step(say("Memory of the hosts"), there, _mib(check.ram_total_mib))
    ram = _sum([options.ram_of(guest) for guest in guests], NO_VM)
    yield Step(say("Memory reserved, with overhead"), ram, _mib(check.ram_required_mib))
    yield _free_step(
        say("Current memory failover capacity"),
        check.ram_total_mib,
        check.ram_required_mib,
        check.ram_configured_pct,
    )


def _free_step(what: str, total: float | None, required: float, configured: float) -> Step:
    if total is None:
        return Step(what, NO_CLOCK, say("not judged"))
    pct = shown(free_pct(total, required))
    decimals = decimals_until(lambda d: shown(free_pct(round(total, d), round(required, d))) == pct)
    there = _to(total, decimals)
    arithmetic = ("(", there, " − ", _to(required, decimals), ") / ", there)
    decimals = 0 if float(round(configured, 1)).is_integer() else 1
    wanted = number(configured, decimals)
    result = say("{pct} %, configured {configured} %", pct=pct, configured=wanted)
    return Step(what, joined("", arithmetic), result)


MOST_TERMS = 8
NO_VM, NO_HOST = say("no powered-on VM"), say("no host left")
NOWHERE = say("nowhere to fail over to")
NO_CLOCK = say("no host’s clock is known")


def _sum(terms: Sequence[float], nothing: str) -> str:
    """Terms in words, equal ones together: ``4 + 2 × 3``; what to say where there are none.

    With as many decimals as it takes to come to the whole number that is their sum.
    """
    if not terms:
        return nothing
    counts = Counter(terms)
    if len(counts) > MOST_TERMS:
        low, high = number(min(terms)), number(max(terms))
        return say("{count} terms, {low} to {high}", count=len(terms), low=low, high=high)
    whole = round(math.fsum(terms))
    decimals = decimals_until(
        lambda d: round(math.fsum(n * round(t, d) for t, n in counts.items())) == whole
    )
    words = [
        _to(t, decimals) if n == 1 else joined(" × ", (str(n), _to(t, decimals)))
        for t, n in counts.items()
    ]
    return joined(" + ", words)


def _mhz(value: float, decimals: int = 0) -> str:
    return joined(" ", (_to(value, decimals), "MHz"))


def _mib(value: float, decimals: int = 0) -> str:
    return joined(" ", (_to(value, decimals), "MiB"))


def _to(value: float, decimals: int) -> str:
    """With that many decimals, and no zeros at their end."""
    return exact_text(round(value, decimals))
