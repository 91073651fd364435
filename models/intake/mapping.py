"""Records of files to a scenario: one pure function, so that options change without reading again.

What no file says stays unknown: a VM without measured CPU or IOPS is *not known*, never idle.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypedDict

from models.base.errors import ModelError
from models.base.limits import MOST_HOSTS, MOST_ITEMS
from models.base.texts import say, say_many
from models.catalog.catalog import Catalog, Processor, Server
from models.intake.aliases import Tied, strangers, tied
from models.intake.assumed import Traits
from models.intake.cell_origins import told
from models.intake.chosen import traits_of, with_chosen
from models.intake.domino import guessed, names_of, transaction_notes
from models.intake.filling import fills_of, memory_of
from models.intake.fills import Fills
from models.intake.grade import grade_of
from models.intake.hardware import Hardware, hypervisor_of, line
from models.intake.listing import (
    add_disks,
    by_cluster,
    clusters_of,
    hosts_of,
    left_out,
    listed,
    space_of,
    spaces,
    standing_of,
    totals,
    unlisted_on,
)
from models.intake.notes import called, kept_notes, named, number, reconciled
from models.intake.observed import with_machines
from models.intake.options import PERCENTILES, DiskBasis, MemoryBasis, Options
from models.intake.performance import (
    COSTOP_PCT,
    READY_PCT,
    Measured,
    Reading,
    contention,
    cpu_mhz,
    matched,
    ram_mib,
)
from models.intake.plausible import possible, possible_figures, with_powers
from models.intake.pseudonyms import pseudonymised
from models.intake.records import (
    ClusterRecord,
    DominoRecord,
    HostRecord,
    Note,
    Place,
    Power,
    Quantity,
    Records,
    SeriesRecord,
    VmRecord,
)
from models.intake.result import Effect, ImportResult
from models.intake.right_size import RightSize, right_sizes
from models.intake.sites import with_sight, with_sites
from models.intake.storage import Storage, storage_of
from models.scenario.edit_origins import with_unsaid
from models.scenario.inputs import frozen, with_origin
from models.scenario.origin import Origin
from models.scenario.scenario import (
    PRODUCTION,
    Admission,
    AdmissionPolicy,
    Cluster,
    DiskMode,
    Host,
    MeasuredOn,
    Scenario,
    Vm,
    Workload,
)
from models.scenario.workloads import WorkloadKind

UNCHECKED = 512
"""VMs that are made before somebody asks again whether to go on."""

_DISK_MODES = {"nfs": DiskMode.NFS, "nfs41": DiskMode.NFS, "vsan": DiskMode.VSAN}


def imported(
    sources: Sequence[Records],
    options: Options,
    catalog: Catalog,
    processors: Iterable[Processor],
    *,
    name: str,
    check: Callable[[], None] = lambda: None,
) -> ImportResult:
    """The scenario of what the files say.

    Args:
        catalog: shipped entries and the user's own; `processors` to make servers of.
        name: of the scenario.
        check: called every few hundred VMs; what it raises ends the work.

    Raises:
        ModelError: there are more VMs or hosts than a scenario may have.
    """
    sources, aliases, names = _prepared(sources, options, check)
    rows = listed(sources)
    taken = [row.vm for row in rows if row.reason is None or row.reason in options.taken]
    _check_counts(taken, standing := standing_of(hosts := hosts_of(sources)))
    clusters = clusters_of(sources, standing, taken, is_all=options.chosen.is_all)
    series, domino = _measurements(sources)
    every = [row.vm for row in rows]
    measured = matched(series, taken, every)
    check()
    storage = storage_of(sources, taken, catalog)
    fills = fills_of(taken, standing, storage, measured.ram_in_use(taken, options.percentile))
    options = fills.settled(options)
    work = _Work(options, catalog, Hardware(catalog, processors), measured, check, fills)
    work.unlisted, work.stated = unlisted_on(rows, hosts), _with_cpu(domino)
    scenario = work.scenario(name, taken, standing, clusters, storage)
    notes = [*_of_files(sources), *called(names), *reconciled(rows, taken, hosts)]
    unknown = strangers(domino, every)
    notes += (*work.notes(unknown), *transaction_notes(domino), *fills.notes(options))
    out = left_out(rows, options.taken)
    return ImportResult(
        scenario=replace(scenario, import_notes=kept_notes(notes, out, sources)),
        own_catalog=work.own_catalog,
        options=options,
        sources=tuple(sources),
        listed=len(rows),
        left_out=out,
        totals=totals(taken, work.standing, len(clusters)),
        listed_totals=totals(every, hosts, len(clusters_of(sources, hosts, every))),
        clusters=by_cluster(taken, work.standing),
        spaces=spaces(taken),
        fills=fills,
        effects=tuple(work.effect(each, taken, scenario) for each in PERCENTILES),
        series=series,
        domino=domino,
        unmatched=tuple(dict.fromkeys((*unknown, *(each.name for each in measured.unmatched)))),
        guesses=guessed(scenario.vms, taken, domino, series),
        notes=_merged(notes),
        aliases=aliases,
        **_described(scenario, taken, {**catalog.servers, **work.own_catalog.servers}),
        ties=(*names.hosts, *names.vms),
    )


def _measurements(
    sources: Iterable[Records],
) -> tuple[tuple[SeriesRecord, ...], tuple[DominoRecord, ...]]:
    """What was measured over time, and statistics of Domino servers."""
    series = [each for records in sources for each in records.series]
    return tuple(series), tuple(each for records in sources for each in records.domino)


def _tolerating(scenario: Scenario, options: Options, fills: Fills) -> Scenario:
    """The scenario with as much memory given to VMs as what is meant by it leaves room for."""
    factor = fills.overcommit(options.memory or MemoryBasis.CONFIGURED)
    if factor == 1.0:
        return scenario
    made = replace(scenario, policy=replace(scenario.policy, memory_overcommit=factor))
    return with_origin(made, Origin.ASSUMED, "policy.memory_overcommit")


class _Described(TypedDict):
    traits: Traits
    right_sizes: tuple[RightSize, ...]


def _described(
    scenario: Scenario, taken: Sequence[VmRecord], servers: Mapping[str, Server]
) -> _Described:
    """What the files say of VMs beyond the scenario."""
    rows = list(zip(scenario.vms, taken, strict=True))
    traits = {vm.id: traits_of(row) for vm, row in rows}
    active = {vm.id: row.ram_active_mib / 1024.0 for vm, row in rows if row.ram_active_mib}
    return _Described(traits=traits, right_sizes=right_sizes(scenario, servers, active))


def _check_counts(vms: Sequence[VmRecord], hosts: Sequence[HostRecord]) -> None:
    """Said before anything is made of them: the scenario itself would be refused."""
    for field_name, count, most in (
        ("vms", len(vms), MOST_ITEMS),
        ("hosts", len(hosts), MOST_HOSTS),
    ):
        if count > most:
            reason = say(
                "{count} are more than a scenario may have, which is {most}: import fewer files "
                "or clusters at a time",
                count=f"{count:,}",
                most=f"{most:,}",
            )
            raise ModelError(reason, field=field_name)


def _prepared(
    sources: Sequence[Records], options: Options, check: Callable[[], None]
) -> tuple[Sequence[Records], Mapping[str, Mapping[str, str]], Tied]:
    """The records with the names that are to be theirs, the invented names by the real, and what
    was tied."""
    aliases: Mapping[str, Mapping[str, str]] = {}
    check()
    names = tied(sources, options.same)
    sources = with_chosen(with_powers(names.sources, options.power), options.chosen)
    if options.has_pseudonyms:
        sources, aliases = pseudonymised(sources)
        names = Tied(sources)
    invented = {**aliases.get("domino", {}), **aliases.get("vm", {})}
    wanted = [invented.get(name, name) for name in options.as_vms]
    sources = possible_figures(with_machines(sources, wanted))
    add_disks(sources)
    return sources, aliases, names


def _with_cpu(domino: Iterable[DominoRecord]) -> set[str]:
    """Names of machines whose statistics have their CPU, in per cent."""
    return {
        name
        for each in domino
        if each.cpu_pct_avg is not None and not each.is_apart
        for name in names_of(each)
    }


def _of_files(sources: Iterable[Records]) -> Iterable[Note]:
    return (note for each in sources for note in each.notes)


def _merged(notes: Iterable[Note]) -> tuple[Note, ...]:
    """Each said once."""
    return tuple({(note.rule, str(note.text)): note for note in notes}.values())


@dataclass(slots=True)
class _Work:
    """One mapping: what it was told, and what it met on the way."""

    options: Options
    catalog: Catalog
    hardware: Hardware
    measured: Measured
    check: Callable[[], None]
    fills: Fills
    own_catalog: Catalog = field(default_factory=Catalog)
    unlisted: Mapping[str, int] = field(default_factory=dict)
    stated: Collection[str] = ()
    """Names of machines whose statistics have their CPU in per cent."""
    hosts: dict[str, tuple[HostRecord, Host]] = field(default_factory=dict)
    met: dict[str, list[str]] = field(default_factory=dict)

    def scenario(
        self,
        name: str,
        vms: Sequence[VmRecord],
        hosts: Sequence[HostRecord],
        clusters: Sequence[ClusterRecord],
        storage: Storage,
    ) -> Scenario:
        ids = {each.name.casefold(): f"c{index}" for index, each in enumerate(clusters, 1)}
        made_clusters = [_cluster(each, f"c{at}") for at, each in enumerate(clusters, 1)]
        for index, record in enumerate(hosts, 1):
            host = self._host(record, f"h{index}", ids.get(record.cluster.casefold()))
            if host is not None:
                self.hosts[record.name.casefold()] = record, host
        made = []
        for index, vm in enumerate(vms, 1):
            if index % UNCHECKED == 0:
                self.check()
            made.append(self._vm(vm, f"v{index}", storage))
        self.own_catalog = Catalog(
            servers=self.hardware.own, arrays=storage.arrays, disks=storage.disks
        )
        scenario = Scenario(
            name=line(name, "Import"),
            policy=PRODUCTION,
            clusters=tuple(made_clusters),
            hosts=tuple(host for _, host in self.hosts.values()),
            pools=storage.pools,
            vms=tuple(made),
        )
        scenario = with_sites(scenario, list(self.hosts.values()), vms)
        scenario = replace(scenario, grade=grade_of(scenario, vms, self.measured))
        scenario = _tolerating(scenario, self.options, self.fills)
        return with_unsaid(with_sight(scenario, storage.seen_by), Origin.ASSUMED)

    def _note(self, rule: str, name: str) -> None:
        self.met.setdefault(rule, []).append(name)

    @property
    def standing(self) -> list[HostRecord]:
        """The hosts that are taken."""
        return [record for record, _ in self.hosts.values()]

    # --- hosts --------------------------------------------------------------------------------

    def _host(self, record: HostRecord, id: str, cluster: str | None) -> Host | None:
        ram = possible(Host, "ram_gib", record.ram_mib and record.ram_mib / 1024.0)
        server = None if ram is None else self.hardware.server(record)
        if server is None or ram is None:
            lacks = say("cores") if ram is not None else say("memory")
            self._note("host-incomplete", say("{host}: {part}", host=record.name, part=lacks))
            return None
        found = hypervisor_of(record.hypervisor, self.catalog.hypervisors)
        if found is None:
            self._note("hypervisor-unknown", record.name)
            newest = max(self.catalog.hypervisors.values(), key=lambda each: each.version)
            found = newest.id, False
        elif not found[1]:
            self._note("hypervisor-near", f"{record.hypervisor}")
        at = record.places
        said = {"server": at.get("cpu_model") or at.get("cores"), "ram_gib": at["ram_mib"]}
        if record.cluster:
            said["cluster"] = at.get("cluster")
        if found[1]:
            said["hypervisor"] = at.get("hypervisor")
        nics = int(record.nics) if record.nics and 1 <= record.nics <= 64 else None
        if nics is not None:
            said["nics"] = record.places["nics"]
        if "in_maintenance" in at:
            said["in_maintenance"] = at["in_maintenance"]
        unlisted = 0 if record.in_maintenance else self.unlisted.get(record.name.casefold(), 0)
        unlisted = unlisted if possible(Host, "unlisted_vms", unlisted) is not None else 0
        bought = _bought_in(record.bought)
        if bought is not None:
            said["bought_year"] = at.get("bought")
        if unlisted:
            said["unlisted_vms"] = record.places.get("vms_on") or record.places.get("vms_total")
        return Host(
            id=id,
            name=line(record.name, id),
            server=server,
            hypervisor=found[0],
            ram_gib=ram,
            cluster=cluster,
            nics=nics,
            in_maintenance=record.in_maintenance,
            bought_year=bought,
            unlisted_vms=unlisted,
            origins=frozen(dict.fromkeys(said, Origin.IMPORTED)),
            imported_from=told(said),
        )

    # --- VMs ----------------------------------------------------------------------------------

    def _vm(self, vm: VmRecord, id: str, storage: Storage) -> Vm:
        record, host = self.hosts.get(vm.host.casefold(), (None, None))
        said: dict[str, Place | None] = {}
        vcpus = possible(Vm, "vcpus", round(vm.vcpus) if vm.vcpus else None)
        ram = possible(Vm, "ram_gib", vm.ram_mib and vm.ram_mib / 1024.0)
        for path, name, value in (("vcpus", "vcpus", vcpus), ("ram_gib", "ram_mib", ram)):
            if value is None:
                rule = "odd" if vm.places.get(name) else "no"
                self._note(f"{rule}-{name}", vm.name)
            else:
                said[path] = vm.places.get(name)
        if host is not None:
            said["host"] = vm.places.get("host")
        pressed = contention(self.measured, vm, self.options.percentile)
        if pressed:
            self._note("contention", vm.name)
        workload = self._workload(vm, record, host, said)
        made = Vm(
            id=id,
            name=line(vm.name, id),
            host=None if host is None else host.id,
            pool=storage.pool_of(vm),
            vcpus=int(vcpus or 1),
            ram_gib=ram or 1.0,
            disk_mode=_DISK_MODES.get(storage.kind_of(vm), DiskMode.VMFS),
            workload=workload,
            powered_on=vm.power not in (Power.OFF, Power.SUSPENDED),
            pins=_pins(pressed),
        )
        made = _with_figures(made, vm, said)
        if workload.disk_gib is not None:
            # The space of the inventory is that of all disks, the system's among them.
            made = replace(made, system_disk_gib=0.0)
            said["system_disk_gib"] = said.get("workload.disk_gib")
        origin = Origin.ASSUMED if vm.is_share else Origin.IMPORTED
        origins = frozen(dict.fromkeys(said, origin))
        return replace(made, origins=origins, imported_from=told(said))

    def _workload(
        self,
        vm: VmRecord,
        record: HostRecord | None,
        host: Host | None,
        said: dict[str, Place | None],
    ) -> Workload:
        percentile = self.options.percentile
        space, column = space_of(vm, self.options.disk or DiskBasis.PROVISIONED)
        space = possible(Vm, "workload.disk_gib", space and space / 1024.0)
        if space is not None:
            said["workload.disk_gib"] = vm.places.get(column)
        cpu = cpu_mhz(self.measured, vm, record, percentile)
        readings = {
            "cpu_mhz": cpu,
            "iops": self.measured.reading(vm, Quantity.IOPS, percentile),
            "memory_gib": ram_mib(self.measured, vm, percentile) or self._memory(vm),
            "network_mbps": self.measured.reading(vm, Quantity.NETWORK_MBPS, percentile),
        }
        for name, reading in readings.items():
            if reading is not None:
                said[f"workload.{name}"] = reading.place
                if reading.stands_in:
                    self._note("percentile-stands-in", vm.name)
        self._unmeasured(vm, readings)
        stated = {"cpu_mhz": vm.cpu_mhz, "iops": vm.iops}
        said |= {f"workload.{name}": None for name, value in stated.items() if value is not None}

        def figure(name: str, per: float = 1.0) -> float | None:
            reading = readings[name]
            value = stated.get(name) if reading is None else reading.value / per
            return possible(Vm, f"workload.{name}", value)

        on = None
        if cpu is not None and host is not None:
            on = MeasuredOn(server=host.server, hypervisor=host.hypervisor)
            said["workload.measured_on.server"] = cpu.place
            said["workload.measured_on.hypervisor"] = cpu.place
        return Workload(
            kind=WorkloadKind.GENERIC,
            cpu_mhz=figure("cpu_mhz"),
            iops=figure("iops"),
            memory_gib=figure("memory_gib", 1024.0),
            network_mbps=figure("network_mbps"),
            disk_gib=space,
            measured_on=on,
        )

    def _memory(self, vm: VmRecord) -> Reading | None:
        """What is meant by its memory, as of the export; None for what is configured."""
        basis = self.options.memory or MemoryBasis.CONFIGURED
        value, name = memory_of(vm, basis, self.fills.in_use)
        place = vm.places.get(name)
        if basis is MemoryBasis.CONFIGURED or name in ("", "ram_mib") or not value or not place:
            return None
        return Reading(value, place, stands_in=False)

    def _unmeasured(self, vm: VmRecord, readings: Mapping[str, Reading | None]) -> None:
        if vm.power in (Power.OFF, Power.SUSPENDED):
            return
        if readings["cpu_mhz"] is None and vm.cpu_mhz is None:
            percentile = self.options.percentile
            shares = (Quantity.CPU_PCT, Quantity.CPU_CORE_PCT)
            is_share = any(self.measured.reading(vm, each, percentile) for each in shares)
            if vm.host.casefold() not in self.hosts:
                is_share |= vm.name.casefold() in self.stated
            is_now = vm.cpu_mhz_now is not None or vm.cpu_pct_now is not None
            otherwise = "moment-cpu" if is_now else "no-cpu"
            self._note("no-clock" if is_share else otherwise, vm.name)
        if readings["iops"] is None and vm.iops is None:
            self._note("no-iops", vm.name)

    # --- effects and notes --------------------------------------------------------------------

    def effect(self, percentile: int, vms: Sequence[VmRecord], scenario: Scenario) -> Effect:
        """What a percentile makes of CPU and IOPS of these VMs, together and by host and pool.

        Args:
            scenario: its VMs are those, in their order.
        """
        cpus, iops = [], []
        hosts: dict[str, float] = defaultdict(float)
        pools: dict[str, float] = defaultdict(float)
        names = {pool.id: pool.name for pool in scenario.pools}
        measured = zip(vms, scenario.vms, strict=True) if self.measured.by_vm else ()
        for vm, made in measured:
            record, host = self.hosts.get(vm.host.casefold(), (None, None))
            cpu = cpu_mhz(self.measured, vm, record, percentile)
            rate = self.measured.reading(vm, Quantity.IOPS, percentile)
            cpus.append(cpu)
            iops.append(rate)
            if cpu and record and host and record.cores and record.speed_mhz:
                hosts[host.name] += cpu.value / (record.cores * record.speed_mhz) * 100.0
            if rate and made.pool:
                pools[names[made.pool]] += rate.value
        return Effect(percentile, _sum(cpus), _sum(iops), hosts, pools)

    def notes(self, unknown: list[str]) -> list[Note]:
        """What was met; `unknown`: Domino servers that are no VM."""
        if unknown:
            self.met["unmatched-statistics"] = unknown
        if self.hardware.unrated:
            self.met["no-spec-rate"] = self.hardware.unrated
        if self.hardware.unnamed:
            self.met["no-processor"] = self.hardware.unnamed
        if self.measured.left_out:
            names = Counter(each.name for each in self.measured.left_out)
            self.met["left-out-series"] = list(names)
        strange = Counter(each.name for each in self.measured.unmatched if each.quantity)
        if strange:
            self.met["unmatched-series"] = list(strange)
        if self.measured.unused:
            self.met["unused-series"] = self.measured.unused
        found = [Note(rule, _NOTES[rule](names)) for rule, names in self.met.items()]
        if self.options.percentile >= 95 and self.measured.by_vm:
            found.append(Note("peaks", PEAKS))
        return found


PEAKS = say(
    "High percentiles of VMs don’t coincide: their sum over a host or pool is more than the same "
    "percentile of the host or pool itself."
)


def _cluster(record: ClusterRecord, id: str) -> Cluster:
    """Where a file says that admission control is on and not of what, it is taken as vSphere has it
    since 6.5 where nobody changed it: a share for one host of those that there are."""
    level, count = record.failover_hosts, record.hosts
    admission = Admission()
    said: dict[str, Place | None] = {}
    assumed: dict[str, Origin] = {}
    if record.has_ha and record.has_admission and level and 1 <= level <= 31:
        admission = Admission(policy=AdmissionPolicy.HOST_FAILURES, host_failures=int(level))
        place = record.places.get("failover_hosts")
        said = {"admission.policy": place, "admission.host_failures": place}
    elif record.has_ha and record.has_admission and not level and count and count > 1:
        share = 100.0 / count
        admission = Admission(policy=AdmissionPolicy.PERCENTAGE, cpu_pct=share, ram_pct=share)
        fields = ("policy", "host_failures", "cpu_pct", "ram_pct")
        assumed = {f"admission.{name}": Origin.ASSUMED for name in fields}
    return Cluster(
        id=id,
        name=line(record.name, id),
        admission=admission,
        origins=frozen(dict.fromkeys(said, Origin.IMPORTED) | assumed),
        imported_from=told(said),
    )


def _with_figures(made: Vm, vm: VmRecord, said: dict[str, Place | None]) -> Vm:
    """The VM with limits and reservations that are set and can be."""
    ram, limit = made.ram_gib * 1024.0, vm.ram_limit_mib
    reserved, mhz = vm.ram_reservation_mib, vm.cpu_reservation_mhz
    if limit and limit < ram and possible(Vm, "memory_limit_gib", limit / 1024.0):
        made = replace(made, memory_limit_gib=limit / 1024.0)
        said["memory_limit_gib"] = vm.places.get("ram_limit_mib")
    if reserved and reserved <= min(ram, limit or ram):
        made = replace(made, memory_reservation_gib=reserved / 1024.0)
        said["memory_reservation_gib"] = vm.places.get("ram_reservation_mib")
    if mhz and possible(Vm, "cpu_reservation_mhz", mhz):
        made = replace(made, cpu_reservation_mhz=mhz)
        said["cpu_reservation_mhz"] = vm.places.get("cpu_reservation_mhz")
    return made


def _pins(pressed: Mapping[str, float]) -> tuple[str, ...]:
    """What is not to be made smaller: vCPUs of who waits for them, RAM of who was short of it."""
    of = {"ready_pct": "vcpus", "costop_pct": "vcpus", "run_queue": "vcpus"}
    return tuple(sorted({of.get(name, "ram_gib") for name in pressed}))


def _sum(readings: Iterable[Reading | None]) -> float | None:
    known = [each.value for each in readings if each is not None]
    return sum(known) if known else None


_NOTES = {
    "host-incomplete": lambda names: say_many(
        "{count} host is left out: its cores or memory aren’t said ({names}).",
        "{count} hosts are left out: their cores or memory aren’t said ({names}).",
        len(names),
        names=named(names),
    ),
    "hypervisor-unknown": lambda names: say_many(
        "The hypervisor of {count} host isn’t said ({names}): the newest release is assumed.",
        "The hypervisor of {count} hosts isn’t said ({names}): the newest release is assumed.",
        len(names),
        names=named(names),
    ),
    "hypervisor-near": lambda names: say(
        "The catalog has not every release named ({names}): the one before it is taken.",
        names=named(dict.fromkeys(names)),
    ),
    "no-spec-rate": lambda names: say_many(
        "The catalog has no SPEC rate for the processor of {count} host ({names}): loads can’t be "
        "carried to or from it.",
        "The catalog has no SPEC rate for the processors of {count} hosts ({names}): loads can’t "
        "be carried to or from them.",
        len(names),
        names=named(names),
    ),
    "no-processor": lambda names: say_many(
        "The processor of {count} host isn’t said ({names}): loads can’t be carried to or from it.",
        "The processors of {count} hosts aren’t said ({names}): loads can’t be carried to or from "
        "them.",
        len(names),
        names=named(names),
    ),
    "no-vcpus": lambda names: say_many(
        "The vCPUs of {count} VM aren’t said ({names}): one is assumed.",
        "The vCPUs of {count} VMs aren’t said ({names}): one each is assumed.",
        len(names),
        names=named(names),
    ),
    "no-ram_mib": lambda names: say_many(
        "The memory of {count} VM isn’t said ({names}): 1 GiB is assumed.",
        "The memory of {count} VMs isn’t said ({names}): 1 GiB each is assumed.",
        len(names),
        names=named(names),
    ),
    "odd-vcpus": lambda names: say_many(
        "What the files say of the vCPUs of {count} VM can’t be ({names}): one is assumed.",
        "What the files say of the vCPUs of {count} VMs can’t be ({names}): one each is assumed.",
        len(names),
        names=named(names),
    ),
    "odd-ram_mib": lambda names: say_many(
        "What the files say of the memory of {count} VM can’t be ({names}): 1 GiB is assumed.",
        "What the files say of the memory of {count} VMs can’t be ({names}): 1 GiB each is "
        "assumed.",
        len(names),
        names=named(names),
    ),
    "no-cpu": lambda names: say_many(
        "The files measure the CPU of {count} VM not at all.",
        "The files measure the CPU of {count} VMs not at all.",
        len(names),
    ),
    "moment-cpu": lambda names: say_many(
        "The CPU of {count} VM was read at the moment of the export alone: what it takes is not "
        "known.",
        "The CPU of {count} VMs was read at the moment of the export alone: what they take is not "
        "known.",
        len(names),
    ),
    "no-clock": lambda names: say_many(
        "The CPU of {count} VM was measured in per cent ({names}), and no file says of how many "
        "MHz: what it takes is not known. Add an inventory with its vCPUs and the clock of its "
        "host (vInfo and vHost of RVTools).",
        "The CPU of {count} VMs was measured in per cent ({names}), and no file says of how many "
        "MHz: what they take is not known. Add an inventory with their vCPUs and the clock of "
        "their hosts (vInfo and vHost of RVTools).",
        len(names),
        names=named(names),
    ),
    "no-iops": lambda names: say_many(
        "The files measure the IOPS of {count} VM not at all.",
        "The files measure the IOPS of {count} VMs not at all.",
        len(names),
    ),
    "contention": lambda names: say_many(
        "{count} VM got less than it asked for ({names}; ready from {ready} %, co-stop from "
        "{costop} %, balloon, swap or run queue): what was measured is no ground to make it "
        "smaller, and it is pinned.",
        "{count} VMs got less than they asked for ({names}; ready from {ready} %, co-stop from "
        "{costop} %, balloon, swap or run queue): what was measured is no ground to make them "
        "smaller, and they are pinned.",
        len(names),
        names=named(names),
        ready=number(READY_PCT),
        costop=number(COSTOP_PCT),
    ),
    "percentile-stands-in": lambda names: say_many(
        "The files have not this percentile of {count} figure: the next higher one stands in.",
        "The files have not this percentile of {count} figures: the next higher one stands in.",
        len(names),
    ),
    "unmatched-statistics": lambda names: say_many(
        "The statistics of {count} Domino server belong to no VM of the inventory, and are in no "
        "number: {names}. Say which VM it is.",
        "The statistics of {count} Domino servers belong to no VM of the inventory, and are in "
        "no number: {names}. Say which VMs they are.",
        len(names),
        names=named(names),
    ),
    "left-out-series": lambda names: say_many(
        "What was measured of {count} VM that is left out is in no number: {names}.",
        "What was measured of {count} VMs that are left out is in no number: {names}.",
        len(names),
        names=named(names),
    ),
    "unmatched-series": lambda names: say_many(
        "What was measured of {count} name belongs to no VM of the inventory: {names}.",
        "What was measured of {count} names belongs to no VM of the inventory: {names}.",
        len(names),
        names=named(names),
    ),
    "unused-series": lambda names: say_many(
        "Of what {count} machine was measured by, no counter is known as CPU, memory, or transfers "
        "of disks: {names}.",
        "Of what {count} machines were measured by, no counter is known as CPU, memory, or "
        "transfers of disks: {names}.",
        len(names),
        names=named(names),
    ),
}


_YEAR = re.compile(r"(?<!\d)(19[89]|20\d)\d(?!\d)")


def _bought_in(date: str) -> int | None:
    """The year of a date in whatever form; None where it has none, or two.

    >>> _bought_in("2019-03-04 00:00:00"), _bought_in("04.03.2019"), _bought_in("3/4/19")
    (2019, 2019, None)
    """
    years = {int(found[0]) for found in _YEAR.finditer(date)}
    return years.pop() if len(years) == 1 else None
