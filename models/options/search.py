"""Options for a requirement: hosts and drives are found apart, put together, and judged together.

Hosts depend on what VMs ask of processors and memory, drives on what they ask of the disks; each is
found with the other ample, by bounds first and a few predictions then. What is put together is
judged by `evaluate` as a whole, with all failures that the policy asks to survive, today and at the
end of the planned growth. Nothing is an option that has an error or a warning.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil

from models.calibration import Calibration
from models.catalog import Catalog, Hypervisor, Server
from models.errors import ModelError
from models.evaluate import evaluate
from models.growth import grown
from models.options.purchasable import Refused, Storage, arrays_of, hypervisor_for, servers_of
from models.options.purchasable import storages as storages_of
from models.options.requirement import Requirement, Units
from models.options.vm_plans import VmPlan, partnered, vm_plans
from models.prediction import Prediction, Severity, Verdict
from models.runway import runway
from models.scenario import Admission, AdmissionPolicy, Cluster, Host, Loss, Pool, Scenario, Vm
from models.texts import opening, say

RAM_SIZES = (64.0, 128.0, 256.0, 384.0, 512.0, 768.0, 1024.0, 1536.0, 2048.0, 3072.0, 4096.0)
"""Memory that servers are sold with [GiB]."""

MOST_DRIVES = 1024
MOST_TRIES = 16
MORE_HOSTS = 2
"""Hosts beyond the fewest that are looked at: what more headroom would cost."""

JUDGED_PER_OPTION = 1.5
"""How many combinations are judged for each option that is kept."""

ROUNDS, MORE_ROUNDS = 4, 24
"""How often hosts or drives are added to a combination that does not hold as a whole; where there
are few combinations."""

MOST_STORAGES = 4
FIRST_GUESS, SPARE, NEARLY = 16, 1.02, 0.85
"""Drives that are looked at first, what is added to a guess, and the load of one good enough."""

BARELY_OVER = 1.04
"""Of a limit: what a loss passes at the end that is judged, though its value does not."""

OVERHEAD = 1.04
"""What memory VMs take beyond what is configured, as a first guess: predictions decide."""

Check = Callable[[], None]
Progress = Callable[[float], None]


@dataclass(frozen=True, slots=True, eq=False)
class Option:
    """A design that fits today and at the end of the planned years.

    Attributes:
        names: what it is best at: ``fewest hosts``, ``most headroom``, ``least units``.
        headroom: what is left of each limit at the end of the growth [%]; None without data.
        units: by the requirement's own weights.
        runs_out: resource and month of what passes its limit first; None: nothing in sight.
    """

    scenario: Scenario
    storage: Storage
    plan: VmPlan
    today: Prediction
    end: Prediction
    units: float
    names: tuple[str, ...] = ()
    runs_out: tuple[str, float] | None = None

    @property
    def server(self) -> str:
        return self.scenario.hosts[0].server

    @property
    def hosts(self) -> int:
        return len(self.scenario.hosts)

    @property
    def drives(self) -> int:
        return sum(pool.spindles for pool in self.scenario.pools)

    @property
    def headroom(self) -> dict[str, float | None]:
        left = self.end.headroom
        space = _highest(self.end, "pools", "capacity_pct")
        limit = self.scenario.policy.capacity_limit_pct
        return {
            "cpu": left.cpu_pct,
            "ram": left.ram_pct,
            "iops": left.iops_pct,
            "space": None if space is None else 100.0 * (1.0 - space / limit),
            "failure": left.failure_pct,
        }

    @property
    def least_headroom(self) -> float:
        """What is left at the resource that is nearest to its limit [%]."""
        return min((each for each in self.headroom.values() if each is not None), default=0.0)


@dataclass(frozen=True, slots=True, eq=False)
class Options:
    """All that was found: `considered` combinations, those that fit, by units, and the others."""

    requirement: Requirement
    considered: int
    options: tuple[Option, ...]
    refused: tuple[Refused, ...]

    def named(self, name: str) -> Option | None:
        return next((each for each in self.options if name in each.names), None)

    @property
    def front(self) -> tuple[Option, ...]:
        """Options of which no other has as few units and as much headroom, by units."""
        best, found = -1.0, list[Option]()
        for each in sorted(self.options, key=lambda o: (o.units, -o.least_headroom)):
            if each.least_headroom > best:
                best = each.least_headroom
                found.append(each)
        return tuple(found)


FEWEST_HOSTS, MOST_HEADROOM, LEAST_UNITS = "fewest hosts", "most headroom", "least units"
NAMES = {
    FEWEST_HOSTS: say("fewest hosts"),
    MOST_HEADROOM: say("most headroom"),
    LEAST_UNITS: say("least units"),
}


@dataclass(frozen=True, slots=True)
class _Stand:
    """So many like hosts with so much memory for a plan."""

    server: Server
    hypervisor: Hypervisor
    plan: VmPlan
    hosts: int
    ram_gib: float


@dataclass(frozen=True, slots=True)
class _Disks:
    """So many drives for a plan, in each of so many pools."""

    storage: Storage
    each: int
    pools: int = 1

    @property
    def drives(self) -> int:
        return self.each * self.pools


class Search:
    """One search; its predictions are of scenarios that nobody else sees."""

    def __init__(
        self,
        requirement: Requirement,
        catalog: Catalog,
        calibration: Calibration,
        check: Check,
        progress: Progress,
    ) -> None:
        self._wanted = requirement
        self._catalog = catalog
        self._calibration = calibration
        self._check, self._progress = check, progress
        self._refused: list[Refused] = []
        self._reason = ""
        self._considered = 0

    def found(self, keep: int) -> Options:
        """The options, at most `keep` of them.

        Raises:
            ModelError: the requirement names what the catalog doesn't have, or nothing to serve.
        """
        wanted = self._wanted
        if not wanted.loads and not wanted.vms:
            raise ModelError(say("there is nothing to serve"), field="workloads")
        servers, outdated = servers_of(self._catalog, wanted.servers)
        arrays, old = arrays_of(self._catalog, wanted.arrays)
        storages, unfit = storages_of(self._catalog, arrays, wanted.disks, wanted.raids)
        self._refused += [*outdated, *old, *unfit]
        if not servers or not storages:
            return Options(wanted, 0, (), tuple(self._refused))
        machines = [
            (server, hypervisor_for(server, self._catalog, wanted.hypervisor)) for server in servers
        ]
        ample = max(storages, key=lambda each: each.disk.iops or 0.0)
        plans = vm_plans(wanted, machines, ample, self._catalog, self._calibration)
        stands = list(self._stands(machines, plans, ample))
        self._progress(0.4)
        disks = self._disks(stands, storages)
        self._progress(0.6)
        options = self._judged(stands, disks, keep)
        self._considered += len(servers) * wanted.max_hosts * len(storages)
        return Options(
            wanted, self._considered, tuple(self._ranked(options, keep)), self._reasons()
        )

    # ---------------------------------------------------------------- hosts

    def _stands(
        self,
        machines: Sequence[tuple[Server, Hypervisor]],
        plans: Sequence[Sequence[VmPlan]],
        ample: Storage,
    ) -> Iterator[_Stand]:
        for (server, hypervisor), of_server in zip(machines, plans, strict=True):
            if not of_server:
                self._refuse(server.id, "", self._without_plan())
            for plan in of_server:
                self._check()
                first = self._fewest(server, hypervisor, plan, ample)
                if first is None:
                    continue
                yield first
                for more in range(1, MORE_HOSTS + 1):
                    hosts = first.hosts + more
                    if self._wanted.hosts is None and hosts <= self._wanted.max_hosts:
                        yield replace(first, hosts=hosts)

    def _without_plan(self) -> str:
        """Why no size of VM will do."""
        if any(not load.work.kind.is_domino for load in self._wanted.loads):
            return say(
                "CPU of Sametime servers is not known, and beyond the one published design (two "
                "community servers behind two multiplexers) nothing is: ask for the mail servers "
                "alone, and bring Sametime in as VMs"
            )
        return say("no size of VM that was looked at carries these users on it")

    def _fewest(
        self, server: Server, hypervisor: Hypervisor, plan: VmPlan, ample: Storage
    ) -> _Stand | None:
        """The fewest hosts that carry the plan at the end with ample drives; None: none do."""
        wanted = self._wanted
        hosts = wanted.hosts or self._least_hosts(server, plan)
        self._reason = say("needs more than {most} hosts", most=str(wanted.max_hosts))
        found, below = None, hosts - 1
        for _ in range(MOST_TRIES):
            if hosts > wanted.max_hosts:
                break
            found = self._standing(_Stand(server, hypervisor, plan, hosts, 0.0), ample)
            if found is not None or wanted.hosts is not None:
                break
            below, hosts = hosts, hosts + (1 if hosts < 4 else max(hosts // 4, 1))
        while found is not None and found.hosts - below > 1:
            middle = (found.hosts + below) // 2
            fewer = self._standing(replace(found, hosts=middle), ample)
            found, below = (found, middle) if fewer is None else (fewer, below)
        if found is None:
            self._refuse(server.id, "", self._reason)
        return found

    def _standing(self, stand: _Stand, ample: Storage) -> _Stand | None:
        """So many hosts with the least memory that does; None: they carry the plan with none."""
        drives = min(ample.array.max_drives or MOST_DRIVES, MOST_DRIVES)
        pools = min(self._wanted.max_pools, max(len(stand.plan.vms), 1))
        for ram_gib in self._memory(stand.server, stand.hypervisor, stand.plan, stand.hosts):
            stand = replace(stand, ram_gib=ram_gib)
            end = self._end(self._scenario(stand, _Disks(ample, drives, pools)))
            if self._holds(end, "cpu", "ram"):
                return stand
            self._reason = opening(end.reason or end.sentence)
            if not self._lacks(end, "ram"):
                break
        return None

    def _least_hosts(self, server: Server, plan: VmPlan) -> int:
        """Fewer can't do by memory, nor by whom they are to survive."""
        most = server.max_ram_gib or RAM_SIZES[-1]
        by_ram = ceil(sum(vm.ram_gib for vm in plan.vms) * OVERHEAD / most)
        largest = max((len(vm.cluster_partners) + 1 for vm in plan.vms), default=1)
        return max(by_ram + self._wanted.host_failures, self._wanted.host_failures + 1, largest, 1)

    def _memory(
        self, server: Server, hypervisor: Hypervisor, plan: VmPlan, hosts: int
    ) -> Iterator[float]:
        """The two smallest sizes that may do for so many hosts."""
        if self._wanted.host_ram_gib is not None:
            yield self._wanted.host_ram_gib
            return
        left = max(hosts - self._wanted.host_failures, 1)
        largest = max((vm.ram_gib for vm in plan.vms), default=0.0)
        need = sum(vm.ram_gib for vm in plan.vms) * OVERHEAD / left + (
            hypervisor.console_gib or 4.0
        )
        need = max(need, largest * OVERHEAD + (hypervisor.console_gib or 4.0))
        most = min(server.max_ram_gib or RAM_SIZES[-1], hypervisor.max_ram_gib_per_host or 1e9)
        sizes = [each for each in RAM_SIZES if need <= each <= most]
        yield from sizes[:2] or ([most] if need <= most else [])

    # ---------------------------------------------------------------- drives

    def _disks(
        self, stands: Sequence[_Stand], storages: Sequence[Storage]
    ) -> dict[int, list[_Disks]]:
        """For each plan what storage carries it, the fewest drives first.

        All plans serve the same users: what carries the first with the fewest drives is looked at
        for the others too, from there on.
        """
        found: dict[int, list[_Disks]] = {}
        guesses = [_Disks(storage, FIRST_GUESS) for storage in storages]
        for stand in stands:
            if id(stand.plan) in found:
                continue
            fitting = []
            for guess in guesses:
                self._check()
                disks = self._fewest_pools(stand, guess)
                if disks is not None:
                    fitting.append(disks)
            fitting.sort(key=lambda each: each.drives)
            found[id(stand.plan)] = fitting
            if fitting:
                guesses = list(self._best_of_arrays(fitting))
        return found

    def _best_of_arrays(self, fitting: Sequence[_Disks]) -> Iterator[_Disks]:
        """The two with the fewest drives of each array."""
        taken: dict[str, int] = {}
        for each in fitting:
            array = each.storage.array.id
            taken[array] = taken.get(array, 0) + 1
            if taken[array] <= 2:
                yield each

    def _fewest_pools(self, stand: _Stand, guess: _Disks) -> _Disks | None:
        """The fewest pools that carry the plan, with the fewest drives; None: none of them do."""
        most = min(self._wanted.max_pools, max(len(stand.plan.vms), 1))
        for pools in range(guess.pools, most + 1):
            found = self._fewest_drives(stand, replace(guess, pools=pools))
            if found is not None:
                return found
        return None

    def _fewest_drives(self, stand: _Stand, guess: _Disks) -> _Disks | None:
        """Drives by what the pool has left: space and busyness fall with their number."""
        storage = guess.storage
        most = self._wanted.drives or min(storage.array.max_drives or MOST_DRIVES, MOST_DRIVES)
        least = max(storage.raid.fewest_drives or 2, 4)
        drives = self._wanted.drives or min(max(guess.each, least), most)
        best: _Disks | None = None
        reason = say("needs more than {most} drives", most=str(most))
        for _ in range(MOST_TRIES):
            end = self._end(self._scenario(stand, replace(guess, each=drives)))
            load = self._disk_load(end)
            if load is None:
                reason = opening(end.reason or end.sentence)
                break
            if load <= 1.0:
                best = replace(guess, each=drives)
                fewer = max(_rounded_up(ceil(drives * load * SPARE), storage), least)
                if self._wanted.drives is not None or fewer >= drives - 1 or load > NEARLY:
                    return best
                drives = fewer
                continue
            if best is not None:
                return best
            reason = opening(end.reason or end.sentence)
            if self._wanted.drives is not None or drives >= most:
                break
            drives = min(_rounded_up(max(ceil(drives * load * SPARE), drives + 1), storage), most)
        if best is None:
            self._refuse("", storage.array.id, reason)
        return best

    def _disk_load(self, end: Prediction) -> float | None:
        """The pool's share of its limits, by the end that is judged; None: no data."""
        policy = self._wanted.policy
        worst = 0.0
        for field, limit in (
            ("utilisation_pct", policy.disk_limit_pct / policy.peak_factor_iops),
            ("capacity_pct", policy.capacity_limit_pct),
        ):
            for id in end.pools.ids:
                found = end.pools.quantity(id, field)
                if found.value is None:
                    return None
                high = (
                    found.value
                    * ((found.high or found.value) / found.value if found.value else 1.0)
                    ** policy.posture.share
                )
                worst = max(worst, high / limit, found.value / (0.9 * limit))
        if "iops" in end.by_resource and end.by_resource["iops"] is Verdict.NOT_KNOWN:
            return None
        lost = [
            max(each.binding.load, BARELY_OVER)
            for each in end.outages
            if each.binding is not None and each.loss is Loss.CONTROLLER
        ]
        return float(max([worst, *lost]))

    # ---------------------------------------------------------------- together

    def _judged(
        self, stands: Sequence[_Stand], disks: dict[int, list[_Disks]], keep: int
    ) -> list[Option]:
        pairs = [
            (stand, each)
            for stand in stands
            for each in self._cheapest(stand, disks[id(stand.plan)])
        ]
        self._considered += len(pairs)
        pairs.sort(key=lambda pair: self._units(*pair))
        options: list[Option] = []
        wanted = max(round(keep * JUDGED_PER_OPTION), 12)
        ample = [self._ample(*pair) for pair in pairs if pair[0].hosts == self._most_hosts(pairs)]
        judged = [*pairs[:wanted], *ample[:MOST_STORAGES]]
        for place, (stand, each) in enumerate(judged):
            self._check()
            self._progress(0.6 + 0.4 * place / len(judged))
            option = self._option(stand, each)
            if option is not None:
                options.append(option)
        return options

    def _most_hosts(self, pairs: Sequence[tuple[_Stand, _Disks]]) -> int:
        return max(stand.hosts for stand, _ in pairs)

    def _ample(self, stand: _Stand, disks: _Disks) -> tuple[_Stand, _Disks]:
        """The same with half as many drives more: headroom is more than hosts."""
        if self._wanted.drives is not None:
            return stand, disks
        most = disks.storage.array.max_drives or MOST_DRIVES
        more = min(_rounded_up(ceil(disks.each * 1.5), disks.storage), most)
        return stand, replace(disks, each=more)

    def _cheapest(self, stand: _Stand, fitting: Sequence[_Disks]) -> list[_Disks]:
        """Of each array the drives that need the fewest units, the best few arrays."""
        best: dict[str, _Disks] = {}
        for each in fitting:
            best.setdefault(each.storage.array.id, each)
        return sorted(best.values(), key=lambda each: self._units(stand, each))[:MOST_STORAGES]

    def _option(self, stand: _Stand, disks: _Disks) -> Option | None:
        """The design as a whole, with a little more of what it lacks if it has to be."""
        reason = say("does not hold as a whole")
        for _ in range(ROUNDS if self._wanted.max_pools == 1 else MORE_ROUNDS):
            scenario = self._scenario(stand, disks)
            today, end = self._today(scenario), self._end(scenario)
            problem = _objection(today) or _objection(end)
            if problem is None and _fits(today) and _fits(end):
                units = self._units(stand, disks)
                return Option(scenario, disks.storage, stand.plan, today, end, units)
            reason = opening(problem or end.reason or end.sentence)
            better = self._more(stand, disks, end)
            if better is None:
                break
            stand, disks = better
        self._refuse(stand.server.id, disks.storage.array.id, reason)
        return None

    def _more(self, stand: _Stand, disks: _Disks, end: Prediction) -> tuple[_Stand, _Disks] | None:
        lacks_disks = self._lacks(end, "iops", "space", "response") or any(
            each.harms for each in end.outages
        )
        ampler = self._more_disks(stand, disks) if lacks_disks else None
        if not self._holds(end, "cpu", "ram") or ampler is None:
            if self._wanted.hosts is None and stand.hosts < self._wanted.max_hosts:
                stand = replace(stand, hosts=stand.hosts + 1)
            elif ampler is None:
                return None
        return stand, ampler or disks

    def _more_disks(self, stand: _Stand, disks: _Disks) -> _Disks | None:
        """A quarter more drives, or one more pool of them; None: that is settled."""
        most = disks.storage.array.max_drives or MOST_DRIVES
        if self._wanted.drives is not None:
            return None
        if disks.each < most:
            more = min(_rounded_up(ceil(disks.each * 1.25) + 1, disks.storage), most)
            return replace(disks, each=more)
        if disks.pools < min(self._wanted.max_pools, len(stand.plan.vms)):
            return replace(disks, pools=disks.pools + 1)
        return None

    def _units(self, stand: _Stand, disks: _Disks) -> float:
        return units_of(
            self._wanted.units, stand.hosts, stand.server.cores, stand.ram_gib, disks.drives
        )

    def _ranked(self, options: Sequence[Option], keep: int) -> Iterator[Option]:
        """By units, with the names of the three that are best at something."""
        ranked = sorted(options, key=lambda o: (o.units, o.hosts, -o.least_headroom))
        kept = ranked[:keep]
        if not kept:
            return
        best = {
            FEWEST_HOSTS: min(ranked, key=lambda o: (o.hosts, o.units)),
            MOST_HEADROOM: max(ranked, key=lambda o: (o.least_headroom, -o.units)),
            LEAST_UNITS: ranked[0],
        }
        kept += [each for each in best.values() if each not in kept]
        for each in kept:
            names = tuple(name for name, option in best.items() if option is each)
            yield replace(each, names=names, runs_out=self._runs_out(each) if names else None)

    def _runs_out(self, option: Option) -> tuple[str, float] | None:
        years = option.scenario.growth.years
        if not years:
            return None
        self._check()
        found = runway(
            option.scenario, self._catalog, self._calibration, years=years + 5.0, every=6
        ).first
        return None if found is None or found.month is None else (found.resource, found.month)

    # ---------------------------------------------------------------- scenarios

    def _scenario(self, stand: _Stand, disks: _Disks) -> Scenario:
        """The design with today's load, and the planned growth beside it."""
        wanted, storage = self._wanted, disks.storage
        admission = Admission(policy=AdmissionPolicy.NONE)
        if wanted.host_failures:
            admission = Admission(
                policy=AdmissionPolicy.HOST_FAILURES, host_failures=wanted.host_failures
            )
        hosts = tuple(
            Host(
                id=f"h{place + 1}",
                name=f"esx{place + 1}",
                cluster="c1",
                server=stand.server.id,
                hypervisor=stand.hypervisor.id,
                ram_gib=stand.ram_gib,
            )
            for place in range(stand.hosts)
        )
        pools = tuple(
            Pool(
                id=f"p{place + 1}",
                name="Data" if disks.pools == 1 else f"Data {place + 1}",
                array=storage.array.id,
                disk=storage.disk.id,
                spindles=disks.each,
                raid=storage.raid.id,
            )
            for place in range(disks.pools)
        )
        vms = partnered(stand.plan.vms) if wanted.cluster_partners else list(stand.plan.vms)
        board = wanted.board
        return Scenario(
            name=wanted.name,
            policy=wanted.policy,
            growth=wanted.growth,
            clusters=(Cluster(id="c1", name="Cluster", admission=admission),),
            hosts=hosts,
            pools=pools,
            vms=tuple(_dealt(vms, hosts, pools)),
            customer="" if board is None else board.customer,
            author="" if board is None else board.author,
        )

    def _today(self, scenario: Scenario) -> Prediction:
        return evaluate(scenario, self._catalog, self._calibration)

    def _end(self, scenario: Scenario) -> Prediction:
        end = grown(scenario, scenario.growth.years)
        return evaluate(end, self._catalog, self._calibration)

    def _holds(self, end: Prediction, *resources: str) -> bool:
        """Whether nothing is wrong with these resources, in normal operation and in failures."""
        if self._lacks(end, *resources):
            return False
        if not self._wanted.host_failures:
            return True
        hosts = [mode for mode in end.failures if mode.verdict is not None]
        return not any(mode.not_restarted for mode in end.failures) and all(
            mode.verdict in (Verdict.FITS, Verdict.NOT_KNOWN) for mode in hosts
        )

    def _lacks(self, end: Prediction, *resources: str) -> bool:
        found = [end.by_resource.get(each) for each in resources]
        return any(each in (Verdict.AT_RISK, Verdict.DOES_NOT_FIT) for each in found)

    # ---------------------------------------------------------------- reasons

    def _refuse(self, server: str, array: str, reason: str) -> None:
        self._refused.append(Refused(server, array, reason))

    def _reasons(self) -> tuple[Refused, ...]:
        """One line for each machine or combination, the last reason of it."""
        last = {(each.server, each.array): each for each in self._refused}
        return tuple(last.values())


def find_options(
    requirement: Requirement,
    catalog: Catalog,
    calibration: Calibration,
    *,
    keep: int = 50,
    check: Check = lambda: None,
    progress: Progress = lambda share: None,
) -> Options:
    """Designs for a requirement, by units.

    Args:
        check: called between steps; what it raises ends the search. `progress`: the share done.

    Raises:
        ModelError: the requirement names what the catalog doesn't have, or nothing to serve.
    """
    return Search(requirement, catalog, calibration, check, progress).found(keep)


def units_of(units: Units, hosts: int, cores: int, ram_gib: float, drives: int) -> float:
    """Hosts, their cores and memory, and drives in the requirement's own units.

    >>> units_of(Units(), 2, 64, 512.0, 24)
    67.84
    """
    each = units.host + units.core * cores + units.gib * ram_gib
    return round(hosts * each + units.drive * drives, 6)


def _dealt(vms: Sequence[Vm], hosts: Sequence[Host], pools: Sequence[Pool]) -> Iterator[Vm]:
    """VMs on hosts and pools in turn, so that neighbours, and partners, stand apart."""
    for place, vm in enumerate(vms):
        pool = pools[place % len(pools)].id
        yield replace(vm, host=hosts[place % len(hosts)].id, pool=pool, log_pool=None)


def _rounded_up(drives: int, storage: Storage) -> int:
    """Even numbers where drives are mirrored."""
    return drives + drives % 2 if storage.raid.mirrored else drives


def _objection(prediction: Prediction) -> str | None:
    """The first error or warning; None where there is neither."""
    for each in prediction.findings:
        if each.severity in (Severity.ERROR, Severity.WARNING):
            return each.text
    return None


NEVER_PUBLISHED = frozenset({"response"})
"""What some kinds of servers have no figure of in any document: a design of them is found by the
other resources, and its verdict says that this one isn't known."""


def _fits(prediction: Prediction) -> bool:
    """Whether it fits, as far as anything was ever published."""
    if prediction.verdict is not Verdict.NOT_KNOWN:
        return prediction.verdict is Verdict.FITS
    found = prediction.by_resource
    unknown = {name for name, each in found.items() if each is Verdict.NOT_KNOWN}
    rest = {each for name, each in found.items() if name not in unknown}
    return bool(unknown) and unknown <= NEVER_PUBLISHED and rest <= {Verdict.FITS}


def _highest(prediction: Prediction, table: str, field: str) -> float | None:
    part = getattr(prediction, table)
    values = [part.quantity(id, field).value for id in part.ids]
    return max((each for each in values if each is not None), default=None)
