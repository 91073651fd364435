"""Options for a requirement: hosts and drives are found apart, put together, and judged together.

Hosts depend on what VMs ask of processors and memory, drives on what they ask of the disks. The
fewest of either are found with the other ample; fewer can't carry the requirement, so that a
combination's units are known before it is judged. Combinations are then judged in that order, and
one that does not hold is put back with a little more of what it lacks. What is judged is judged by
`evaluate` as a whole, with all failures that the policy asks to survive, today and at the end of
the planned growth. Nothing is an option that has an error or a warning.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count
from math import ceil

import numpy as np

from models.base.errors import ModelError
from models.base.quantities import judged_end
from models.base.texts import Text, opening, say, say_many
from models.catalog.catalog import Hypervisor, Server
from models.evaluate import evaluate
from models.evidence.knowledge import Knowledge
from models.options.bounds import Sums, least_hosts, sums_of
from models.options.chat import is_unpublished, stood_in, with_multiplexers
from models.options.design import dealt, design_of
from models.options.drives import (
    Ladders,
    asked_of,
    fewest_drives,
    most_drives,
    obstacle,
    rounded_up,
)
from models.options.judging import advised_against, fits, lacks, objection, why_not
from models.options.memory import with_advised
from models.options.option import (
    FEWEST_HOSTS,
    LEAST_COST,
    LEAST_UNITS,
    MOST_HEADROOM,
    Disks,
    Lacking,
    Option,
    Options,
    Stand,
    headroom_of,
    of_each,
    units_of,
)
from models.options.origins import with_origins
from models.options.purchasable import (
    Refused,
    Storage,
    apart,
    arrays_of,
    hypervisor_for,
    servers_of,
)
from models.options.purchasable import storages as storages_of
from models.options.requirement import MOST_HOSTS, Requirement
from models.options.shrink import NEARLY, RAM_SIZES, Trial, shrunk, sizes_of
from models.options.vm_plans import VmPlan, alone, partnered, vm_plans
from models.predict.demands import demands_of
from models.predict.prediction import RESPONSE_RANGE, Prediction, Verdict
from models.prices.ranking import MoneyRank
from models.scenario.growth import grown
from models.scenario.scenario import Scenario, Vm, Workload
from models.studies.runway import first_crossing

MOST_TRIES = 16
JUDGED_PER_OPTION, LEAST_JUDGED = 3, 60
"""How many combinations are judged for each option that is kept; at least."""

ROUNDS, MORE_ROUNDS = 6, 30
"""How often a combination gets more of what it lacks; where it may have several pools."""

GIVEN_UP = 12
"""After so many of a server, or of an array, that don't hold and none that does."""

FULLER, AMPLER, MOST_FACTOR = 1.05, 1.5, 1000.0
"""Drives that are added to what lacks some, for more headroom, and all that go in."""

CLIMBED, WORTH = 4, 0.1
"""From how many designs headroom is increased, and the points of it that a step has to bring."""

Check = Callable[[], None]
Progress = Callable[[float], None]
Order = Callable[["_Candidate"], tuple[float, ...]]


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A combination, and how often something was added to it.

    Attributes:
        others: storages of the same array that need as many drives or more, for when this doesn't
            hold.
    """

    stand: Stand
    disks: Disks
    others: tuple[Disks, ...] = ()
    rounds: int = 0

    @property
    def key(self) -> tuple[object, ...]:
        stand, disks = self.stand, self.disks
        storage = disks.storage
        place = storage.array.id, storage.disk.id, storage.raid.id, disks.each, disks.pools
        return (stand.server.id, *place, id(stand.plan), stand.hosts, stand.ram_gib)


class Search:
    """One search; its predictions are of scenarios that nobody else sees."""

    def __init__(
        self,
        requirement: Requirement,
        knowledge: Knowledge,
        check: Check,
        progress: Progress,
        rank: MoneyRank | None = None,
    ) -> None:
        self._asked, self._rank = requirement, rank
        by_cost = rank is not None and rank.by_cost
        self._by_cost, self._cheapest = by_cost, LEAST_COST if by_cost else LEAST_UNITS
        loads, vms = with_multiplexers(requirement.loads), requirement.vms
        if requirement.board is not None:
            policy, growth = requirement.policy, requirement.growth
            board = replace(requirement.board, vms=vms, policy=policy, growth=growth)
            vms = with_advised(board, knowledge.catalog)
        self._wanted = replace(requirement, loads=loads, vms=vms)
        self._catalog = knowledge.catalog
        self._knowledge = knowledge
        self._check, self._progress = check, progress
        self._refused: list[Refused] = []
        self._judged: dict[tuple[object, ...], Option | Lacking] = {}
        self._sums: dict[tuple[str, int], Sums] = {}
        self._least: dict[tuple[str, int], int] = {}
        self._roomy: dict[int, Disks] = {}
        self._stood: dict[tuple[str, int, int], Stand | None] = {}
        self._ends: dict[tuple[object, ...], Prediction] = {}
        self._vain: dict[tuple[object, ...], bool] = {}
        self._dealt: dict[tuple[int, int, int], tuple[VmPlan, tuple[Vm, ...]]] = {}
        self._priced: dict[tuple[object, ...], float] = {}
        self._works: dict[int, tuple[Workload, Workload]] = {}
        self._later: dict[int, tuple[tuple[Vm, ...], tuple[Vm, ...]]] = {}

    def found(self, keep: int) -> Options:
        """The options, at most `keep` of them.

        Raises:
            ModelError: the requirement names what the catalog doesn't have, or nothing to serve.
        """
        wanted = self._wanted
        if not wanted.loads and not wanted.vms:
            raise ModelError(say("there is nothing to serve"), field="workloads")
        if wanted.silent:
            return Options(wanted, 0, (), ())
        servers, outdated = servers_of(self._catalog, wanted.servers)
        arrays, old = arrays_of(self._catalog, wanted.arrays)
        storages, unfit = storages_of(self._catalog, arrays, wanted.disks, wanted.raids)
        self._refused += [*outdated, *old, *unfit]
        if not servers or not storages:
            return Options(wanted, 0, (), tuple(self._refused))
        machines = list(self._machines(servers))
        if not machines:
            return Options(wanted, 0, (), tuple(self._refused))
        self._ample = max(storages, key=lambda each: each.disk.iops or 0.0)
        plans = vm_plans(wanted, machines, self._ample, self._knowledge, self._check)
        self._progress(0.2)
        disks = self._disks(machines, plans, storages)
        firsts = list(self._firsts(machines, plans, disks))
        self._progress(0.3)
        candidates = list(self._candidates(firsts, disks))
        options = list(self._best_first(candidates, self._by_order, keep))
        self._progress(0.6)
        options += self._best_first(candidates, self._by_hosts, 1)
        options += self._climbed(firsts, disks)
        self._progress(0.8)
        options = options or list(self._at_most(candidates))
        sizes = wanted.max_hosts if wanted.hosts is None else 1
        considered = len(servers) * sizes * len(storages) + len(self._judged)
        ranked = tuple(self._ranked(self._with_least(options), keep))
        reasons = self._reasons(options, candidates)
        return Options(wanted, considered, ranked, reasons, self._by_cost, len(ranked) >= keep)

    # ---------------------------------------------------------------- hosts

    def _machines(self, servers: Sequence[Server]) -> Iterator[tuple[Server, Hypervisor]]:
        """Each with its release; without those that are of another time."""
        for server in servers:
            hypervisor = hypervisor_for(server, self._catalog, self._wanted.hypervisor)
            reason = apart(server, hypervisor, self._catalog)
            if reason is None:
                yield server, hypervisor
            else:
                self._refuse(server.id, "", reason)

    def _firsts(
        self,
        machines: Sequence[tuple[Server, Hypervisor]],
        plans: Sequence[Sequence[VmPlan]],
        disks: dict[int, list[Disks]],
    ) -> Iterator[Stand]:
        """Of each server and plan as many hosts as sums ask for at least: how many it takes is
        found where it may be among the best."""
        most = self._wanted.hosts or self._wanted.max_hosts
        for (server, hypervisor), of_server in zip(machines, plans, strict=True):
            if not of_server:
                self._refuse(server.id, "", self._without_plan(server, hypervisor))
            reasons, carried = list[Text](), False
            for plan in of_server:
                if not disks[id(plan)]:
                    continue
                self._check()
                self._roomy[id(plan)] = max(disks[id(plan)], key=lambda each: each.most_left)
                first = Stand(server, hypervisor, plan, most, 0.0)
                reason = self._bounded(first)
                if reason is not None:
                    reasons.append(reason)
                    continue
                carried = True
                first = replace(first, hosts=self._wanted.hosts or self._least[_key(first)])
                sizes = self._memory(first)
                yield replace(first, ram_gib=sizes[0] if sizes else sizes_of(first)[-1])
            if reasons and not carried:
                self._refuse(server.id, "", reasons[-1])

    def _without_plan(self, server: Server, hypervisor: Hypervisor) -> Text:
        """Why no size of VM will do."""
        if any(load.work.kind.is_chat for load in self._wanted.loads):
            return say(
                "CPU of Sametime servers is not known, and it is beyond the one published design "
                "(two community servers behind two multiplexers on eight cores)"
            )
        problem = alone(self._wanted, server, hypervisor, self._ample, self._knowledge)
        return problem or say("no size of VM that was looked at carries these users on it")

    def _bounded(self, stand: Stand) -> Text | None:
        """Works out how many hosts the sums ask for; says why where no number of them will do."""
        wanted, plan = self._wanted, stand.plan
        at_end = self._ending(self._scenario(stand, self._roomy[id(plan)]))
        sums = sums_of(demands_of(at_end, self._knowledge), wanted.policy)
        if sums.beyond is not None:
            return _alone(next(vm.name for vm in plan.vms if vm.id == sums.beyond))
        most_vms = stand.hypervisor.max_vms_per_cluster
        if most_vms is not None and sums.vms > most_vms:
            counts = {"vms": f"{sums.vms:,}", "most": f"{most_vms:,}"}
            return say("{vms} VMs run, and a cluster has {most} at most", **counts)
        vms = partnered(plan.vms) if wanted.cluster_partners else plan.vms
        largest = max((len(vm.cluster_partners) + 1 for vm in vms), default=1)
        least = max(least_hosts(sums, stand.server, sizes_of(stand)[-1], wanted), largest)
        if wanted.hosts is None and least > wanted.max_hosts:
            return say("needs more than {most} hosts", most=str(wanted.max_hosts))
        self._sums[_key(stand)], self._least[_key(stand)] = sums, least
        return None

    def _fewest(self, first: Stand, disks: Disks) -> Stand | None:
        """The fewest hosts that carry the plan at the end with ample drives; None: none do."""
        wanted = self._wanted
        if wanted.hosts is not None:
            return self._stands(first, disks)
        hosts, found = self._least[_key(first)], None
        below = hosts - 1
        for _ in range(MOST_TRIES):
            if hosts > wanted.max_hosts:
                return None
            found = self._stands(replace(first, hosts=hosts), disks)
            if found is not None:
                break
            more = min(hosts + max(hosts // 4, 1), max(wanted.max_hosts, hosts + 1))
            below, hosts = hosts, max(more, self._least[_key(first)])
        below = max(below, self._least[_key(first)] - 1)
        while found is not None and found.hosts - below > 1:
            middle = (found.hosts + below) // 2
            fewer = self._stands(replace(first, hosts=middle), disks)
            found, below = (found, middle) if fewer is None else (fewer, below)
        return found

    def _at_least(self, stand: Stand, end: Prediction) -> int:
        """Fewer hosts like those of a prediction can't carry what these carry together, with as
        many gone as may fail: on more of them it is not less, nor known better."""
        policy, carried = self._wanted.policy, self._asked_of_cpu(end)
        if np.isinf(carried):
            return MOST_HOSTS + 1
        if np.isnan(carried) or policy.cpu_limit_pct <= 0:
            return 0
        share = carried * policy.peak_factor_cpu / policy.cpu_limit_pct
        return ceil(share - NEARLY) + self._wanted.host_failures

    def _asked_of_cpu(self, end: Prediction) -> float:
        """CPU of all hosts as it is judged [% of one]; infinite where a VM alone asks for more of
        its vCPUs than it may, which no number of hosts changes."""
        alone = end.vms.by_resource["cpu"]
        if (alone >= int(Verdict.AT_RISK)).any():
            return np.inf
        cpu = end.hosts.cpu_pct
        return float(judged_end(cpu.value, cpu.high, self._wanted.policy.posture.share).sum())

    def _standing(self, stand: Stand, disks: Disks) -> Stand | None:
        """So many hosts with the least memory that does; None: they carry the plan with none.

        They are looked at with the `disks` of a design first: what holds with them holds with ample
        ones, and CPU and memory that don't do with them don't with any.
        """
        ample = self._most_disks(self._roomy[id(stand.plan)], stand)
        for ram_gib in self._memory(stand):
            stand = replace(stand, ram_gib=ram_gib)
            end = self._end_of(_Candidate(stand, disks))
            if self._holds(end, "cpu", "ram"):
                return stand
            if disks != ample and not self._overloads(end, "cpu", "ram"):
                end = self._end_of(_Candidate(stand, ample))
                if self._holds(end, "cpu", "ram"):
                    return stand
            least = self._at_least(stand, end)
            self._least[_key(stand)] = max(self._least[_key(stand)], least)
            if not self._overloads(end, "ram"):
                break
        return None

    def _memory(self, stand: Stand) -> list[float]:
        """Sizes that may do for so many hosts, the smallest first."""
        if self._wanted.host_ram_gib is not None:
            return [self._wanted.host_ram_gib]
        left = max(stand.hosts - self._wanted.host_failures, 1)
        need = self._sums[_key(stand)].least_ram_gib(left, self._wanted.policy)
        return [each for each in sizes_of(stand) if need <= each]

    # ---------------------------------------------------------------- drives

    def _disks(
        self,
        machines: Sequence[tuple[Server, Hypervisor]],
        plans: Sequence[Sequence[VmPlan]],
        storages: Sequence[Storage],
    ) -> dict[int, list[Disks]]:
        """For each plan what storage carries it, the fewest drives first."""
        found: dict[int, list[Disks]] = {}
        wanted, asked = self._wanted, None
        any_pool = Disks(storages[0], most_drives(storages[0]))
        ladders = Ladders.of(storages, self._catalog, wanted.drives)
        every = [
            Stand(*machine, plan, wanted.hosts or wanted.max_hosts, RAM_SIZES[-1])
            for machine, of_server in zip(machines, plans, strict=True)
            for plan in of_server
        ]
        for stand in every:
            plan = stand.plan
            if id(plan) in found:
                continue
            self._check()
            end = self._grown(self._scenario(stand, any_pool))
            asked = asked_of(end, self._knowledge)
            fewest = fewest_drives(asked, ladders, vms=len(plan.vms), most_pools=wanted.max_pools)
            found[id(plan)] = sorted(
                (each for each in fewest if each is not None), key=lambda each: each.drives
            )
        carried = {each.storage.array.id for of_plan in found.values() for each in of_plan}
        for storage in storages:
            if asked is not None and storage.array.id not in carried:
                most = wanted.drives or most_drives(storage)
                reason = obstacle(asked, Disks(storage, most, wanted.max_pools), self._catalog)
                self._refuse("", storage.array.id, reason)
        return found

    # ---------------------------------------------------------------- together

    def _candidates(
        self, firsts: Sequence[Stand], disks: dict[int, list[Disks]]
    ) -> Iterator[_Candidate]:
        """Every number of hosts of each server and plan, with each array."""
        for first in firsts:
            of_arrays: dict[str, list[Disks]] = {}
            for each in disks[id(first.plan)]:
                of_arrays.setdefault(each.storage.array.id, []).append(each)
            for stand in self._more_hosts(first):
                for fitting in of_arrays.values():
                    yield _Candidate(stand, fitting[0], tuple(fitting[1:]))

    def _more_hosts(self, first: Stand) -> Iterator[Stand]:
        """The fewest hosts and more of them, with the least memory that may do."""
        yield first
        if self._wanted.hosts is None:
            for hosts in range(first.hosts + 1, self._wanted.max_hosts + 1):
                stand = replace(first, hosts=hosts)
                sizes = self._memory(stand)
                yield replace(stand, ram_gib=sizes[0] if sizes else first.ram_gib)

    def _by_order(self, candidate: _Candidate) -> tuple[float, ...]:
        return (self._order(candidate), candidate.stand.hosts)

    def _by_hosts(self, candidate: _Candidate) -> tuple[float, ...]:
        return (candidate.stand.hosts, self._order(candidate))

    def _best_first(
        self, candidates: Iterable[_Candidate], order: Order, keep: int
    ) -> Iterator[Option]:
        """The first of an order that hold; what doesn't comes back with more of what it lacks."""
        ties = count()
        queue = [(order(each), next(ties), each) for each in candidates]
        heapq.heapify(queue)
        failed: dict[object, int] = {}
        left = max(keep * JUDGED_PER_OPTION, LEAST_JUDGED)
        kept = 0
        while queue and left and kept < keep:
            *_, each = heapq.heappop(queue)
            owners = (each.stand.server.id, id(each.stand.plan)), each.disks.storage.array.id
            if any(failed.get(owner, 0) >= GIVEN_UP for owner in owners):
                continue
            self._check()
            stand = self._stands(each.stand, each.disks)
            if stand is None or stand.ram_gib > each.stand.ram_gib:
                if stand is not None:
                    more = replace(each, stand=stand)
                    heapq.heappush(queue, (order(more), next(ties), more))
                continue
            left -= each.key not in self._judged
            option = self._option(each)
            if isinstance(option, Option):
                kept += 1
                failed |= dict.fromkeys(owners, -(10**9))
                yield option
                continue
            for owner in owners:
                failed[owner] = failed.get(owner, 0) + 1
            for more in self._more(each, option.end):
                if more.key not in self._judged:
                    heapq.heappush(queue, (order(more), next(ties), more))

    def _stands(self, stand: Stand, disks: Disks) -> Stand | None:
        """So many hosts with the least memory that carries the plan, the disks being ample."""
        key = *_key(stand), stand.hosts
        if key not in self._stood:
            few = self._wanted.hosts is None and stand.hosts < self._least[_key(stand)]
            self._stood[key] = None if few else self._standing(stand, disks)
        return self._stood[key]

    def _option(self, each: _Candidate) -> Option | Lacking:
        """The design as a whole, or why it isn't one."""
        if each.key not in self._judged:
            self._judged[each.key] = self._whole(each)
        return self._judged[each.key]

    def _whole(self, each: _Candidate) -> Option | Lacking:
        scenario = self._scenario(each.stand, each.disks)
        chat = any(is_unpublished(vm) for vm in scenario.vms)
        end = self._end_of(each)
        if chat:
            if not fits(end, chat=True):
                return Lacking(why_not(end), end)
            end = evaluate(self._grown(scenario), self._knowledge)
        problem = objection(end)
        if problem is None and fits(end, chat=chat):
            today = self._today(scenario, end)
            problem = objection(today)
            if problem is None and fits(today, chat=chat):
                sums = self._units(each), self._order(each)
                return Option(scenario, each.stand, each.disks, today, end, *sums)
            end = today
        return Lacking(opening(problem) if problem else why_not(end), end)

    def _more(self, each: _Candidate, end: Prediction) -> Iterator[_Candidate]:
        """The same with more memory, and with more or other drives: more hosts are there anyway."""
        rounds = ROUNDS if self._wanted.max_pools == 1 else MORE_ROUNDS
        if each.rounds == 1 and self._is_vain(each, end):
            return
        holds = self._holds(end, "cpu", "ram")
        on_disks = lacks(end, "iops", "space", "response") or any(o.harms for o in end.outages)
        if on_disks or holds:
            if each.others and not each.rounds:
                yield replace(each, disks=each.others[0], others=each.others[1:])
            factor = 1.0 if not each.rounds else FULLER if each.rounds == 1 else 1.25
            disks = self._more_disks(each.disks, factor, len(each.stand.plan.vms))
            if disks is not None and each.rounds < rounds:
                yield replace(each, disks=disks, rounds=each.rounds + 1)
        if not (holds and on_disks):
            stand = self._more_memory(each.stand)
            if stand is not None and each.rounds < rounds:
                yield replace(each, stand=stand, rounds=each.rounds + 1)

    def _is_vain(self, each: _Candidate, end: Prediction) -> bool:
        """Whether a design answers too slowly with all the drives and memory that go in, so that it
        does with less of them: response rises with the load of either."""
        if not self._is_slow(end):
            return False
        memory = self._wanted.host_ram_gib or sizes_of(each.stand)[-1]
        most = replace(each.stand, ram_gib=memory)
        amplest = _Candidate(most, self._most_disks(each.disks, most))
        if amplest.key not in self._vain:
            self._vain[amplest.key] = self._is_slow(self._end_of(amplest))
        return self._vain[amplest.key]

    def _is_slow(self, end: Prediction) -> bool:
        """Whether responses are what is wrong, in normal operation, after failures, or as they may
        be anything."""
        if self._overloads(end, "cpu", "ram"):
            return False
        vague = any(each.rule == RESPONSE_RANGE for each in end.findings)
        return vague or lacks(end, "response") or not self._holds(end)

    def _most_disks(self, disks: Disks, stand: Stand) -> Disks:
        """All drives of the storage that go in, in as many pools as there may be."""
        pools = min(self._wanted.max_pools, max(len(stand.plan.vms), 1))
        most = self._wanted.drives or most_drives(disks.storage)
        return replace(disks, each=most, pools=pools)

    def _more_memory(self, stand: Stand) -> Stand | None:
        larger = [each for each in self._memory(stand) if each > stand.ram_gib]
        return replace(stand, ram_gib=larger[0]) if larger else None

    def _more_disks(self, disks: Disks, factor: float, vms: int) -> Disks | None:
        """More drives, or one more pool of them; None: that is settled."""
        if self._wanted.drives is not None:
            return None
        most = most_drives(disks.storage)
        if disks.each < most:
            more = max(ceil(disks.each * factor), disks.each + 1)
            return replace(disks, each=min(rounded_up(more, disks.storage), most))
        if disks.pools < min(self._wanted.max_pools, vms):
            return replace(disks, pools=disks.pools + 1)
        return None

    def _units(self, each: _Candidate) -> float:
        stand = each.stand
        return units_of(
            self._wanted.units, stand.hosts, stand.server.cores, stand.ram_gib, each.disks.drives
        )

    def _order(self, each: _Candidate) -> float:
        """What ranks: units, or money where that is asked for."""
        if self._rank is None or not self._rank.by_cost:
            return self._units(each)
        stand, disks = each.stand, each.disks
        of_hosts = (*_key(stand), stand.hosts, stand.ram_gib)
        of_disks = (disks.storage.array.id, disks.storage.disk.id, disks.each, disks.pools)
        if of_hosts not in self._priced:
            self._priced[of_hosts] = self._rank.of_hosts(self._scenario(stand, disks))
        if of_disks not in self._priced:
            self._priced[of_disks] = self._rank.of_storage(self._scenario(stand, disks))
        return round(self._priced[of_hosts] + self._priced[of_disks], 2)

    # ---------------------------------------------------------------- headroom

    def _climbed(self, firsts: Sequence[Stand], disks: dict[int, list[Disks]]) -> Iterator[Option]:
        """Designs with more and more of what they have least of, until no more helps.

        What the vCPUs of a VM leave, and an array with all the drives that it takes, is the most
        that any number of hosts and drives can come to: it says where to begin.
        """
        starts = []
        for first in firsts:
            fitting = disks[id(first.plan)]
            if fitting:
                roomy = max(fitting, key=lambda each: (round(each.most_left), -each.drives))
                cap = min(self._sums[_key(first)].left, roomy.most_left)
                starts.append((cap, _Candidate(first, roomy)))
        starts.sort(key=lambda each: (-each[0], self._order(each[1])))
        best = -1.0
        left = CLIMBED
        for cap, start in starts:
            if best >= cap - WORTH or not left:
                break
            stand = self._fewest(start.stand, start.disks)
            if stand is None:
                continue
            left -= 1
            for each in self._steps(replace(start, stand=stand)):
                option = self._option(each)
                if isinstance(option, Option):
                    best = max(best, option.least_headroom)
                    yield option

    def _steps(self, start: _Candidate) -> Iterator[_Candidate]:
        """Each with at least a little more headroom than the one before."""
        each, left = start, self._left(start)
        yield each
        while True:
            self._check()
            short = min(left, key=lambda name: left[name])
            for more in self._ampler(each, short):
                there = self._left(more)
                if min(there.values()) > left[short] + WORTH:
                    each, left = more, there
                    break
            else:
                return
            yield each

    def _left(self, each: _Candidate) -> dict[str, float]:
        end = self._option(each).end
        found = headroom_of(end, self._scenario(each.stand, each.disks))
        return {name: value for name, value in found.items() if value is not None}

    def _ampler(self, each: _Candidate, short: str) -> Iterator[_Candidate]:
        """What may help: more drives, or more memory and more hosts."""
        if short in ("iops", "space"):
            disks = self._more_disks(each.disks, AMPLER, len(each.stand.plan.vms))
            if disks is not None:
                yield replace(each, disks=disks)
            return
        stand = each.stand
        if short in ("ram", "failure"):
            larger = self._more_memory(stand)
            if larger is not None:
                yield replace(each, stand=larger)
        most = self._wanted.hosts or self._wanted.max_hosts
        for hosts in sorted({min(stand.hosts + max(stand.hosts // 4, 1), most), most}):
            if hosts > stand.hosts:
                yield replace(each, stand=replace(stand, hosts=hosts))

    # ---------------------------------------------------------------- the list

    def _with_least(self, options: Sequence[Option]) -> list[Option]:
        """The options, and those that are best at something with as little as does.

        Less of one may be best at something else, or hold where another was named: until none is.
        What comes of an option stands before all that are as good, so that these stay as they are.
        """
        found = list({id(each): each for each in options}.values())
        trial = Trial(self._judged_as, lambda *shape: self._order(_Candidate(*shape)))
        for _ in range(MOST_TRIES):
            best = best_of(found, self._cheapest)
            rest = [(name, each) for name, each in best.items() if each.holds is None]
            if not rest:
                break
            for name, each in rest:
                self._check()
                less = shrunk(each, name, self._wanted, trial)
                found = [less, *(other for other in found if not _same(other, less))]
        return found

    def _judged_as(self, stand: Stand, disks: Disks) -> Option | Lacking:
        self._check()
        return self._option(_Candidate(stand, disks))

    def _ranked(self, options: Sequence[Option], keep: int) -> Iterator[Option]:
        """By units, those last whose sizes the program itself advises against, with the names of
        the three that are best at something."""
        once = {id(each): each for each in options}
        against = {id: advised_against(each.today, each.end) for id, each in once.items()}
        ranked = sorted(
            once.values(), key=lambda o: (against[id(o)], o.order, o.hosts, -o.least_headroom)
        )
        kept = ranked[:keep]
        if not kept:
            return
        best = best_of(ranked, self._cheapest)
        kept += [each for each in ranked[keep:] if any(each is one for one in best.values())]
        for each in kept:
            names = tuple(name for name, option in best.items() if option is each)
            scenario = with_origins(each.scenario, self._asked)
            runs_out = self._runs_out(each) if names else None
            cost = None if self._rank is None else self._rank.cost_of(scenario)
            yield replace(each, scenario=scenario, names=names, runs_out=runs_out, cost=cost)

    def _runs_out(self, option: Option) -> tuple[str, float] | None:
        years = option.scenario.growth.years
        if not years:
            return None
        self._check()
        found = first_crossing(
            option.scenario, self._knowledge, years=years + 5.0, every=6, after=years
        )
        return None if found is None or found.month is None else (found.resource, found.month)

    # ---------------------------------------------------------------- scenarios

    def _scenario(self, stand: Stand, disks: Disks) -> Scenario:
        key = id(stand.plan), stand.hosts, disks.pools
        if key not in self._dealt:
            self._dealt[key] = stand.plan, tuple(dealt(self._wanted, stand, disks))
        return design_of(self._wanted, stand, disks, self._dealt[key][1])

    def _grown(self, scenario: Scenario) -> Scenario:
        """At the end of its growth; VMs that were dealt once are grown once."""
        years, dealt_vms = scenario.growth.years, scenario.vms
        found = self._later.get(id(dealt_vms))
        if found is None or found[0] is not dealt_vms:
            new = {id(vm.workload): vm for vm in dealt_vms if id(vm.workload) not in self._works}
            there = grown(replace(scenario, vms=tuple(new.values())), years).vms
            for vm, later in zip(new.values(), there, strict=True):
                self._works[id(vm.workload)] = vm.workload, later.workload
            vms = tuple(replace(vm, workload=self._works[id(vm.workload)][1]) for vm in dealt_vms)
            found = self._later[id(dealt_vms)] = dealt_vms, vms
        return replace(grown(replace(scenario, vms=()), years), vms=found[1])

    def _today(self, scenario: Scenario, end: Prediction) -> Prediction:
        """Where nothing is planned, today is the end."""
        if not scenario.growth.years:
            return end
        return evaluate(scenario, self._knowledge)

    def _end_of(self, each: _Candidate) -> Prediction:
        """At the end of the growth, with room for what nothing is known of."""
        if each.key not in self._ends:
            scenario = self._ending(self._scenario(each.stand, each.disks))
            self._ends[each.key] = evaluate(scenario, self._knowledge)
        return self._ends[each.key]

    def _ending(self, scenario: Scenario) -> Scenario:
        end = self._grown(scenario)
        return stood_in(end, self._catalog) if any(map(is_unpublished, end.vms)) else end

    @staticmethod
    def _overloads(end: Prediction, *resources: str) -> bool:
        """Whether there is too little of these resources, or of room for what restarts."""
        # The latter is a warning, even where nothing is to be survived.
        return lacks(end, *resources) or any(mode.not_restarted for mode in end.failures)

    def _holds(self, end: Prediction, *resources: str) -> bool:
        """Whether nothing is wrong with these resources, in normal operation and in failures."""
        if self._overloads(end, *resources):
            return False
        hosts = [mode for mode in end.failures if mode.verdict is not None]
        return not self._wanted.host_failures or all(
            mode.verdict in (Verdict.FITS, Verdict.NOT_KNOWN) for mode in hosts
        )

    # ---------------------------------------------------------------- reasons

    def _refuse(self, server: str, array: str, reason: Text | str) -> None:
        self._refused.append(Refused(server, array, reason))

    def _at_most(self, candidates: Sequence[_Candidate]) -> Iterator[Option]:
        """Where nothing was found, each server with all that goes in; if that doesn't do, why."""
        for id, each in {each.stand.server.id: each for each in candidates}.items():
            found = self._amplest(each)
            if isinstance(found, Option):
                yield found
            else:
                hosts = self._wanted.hosts or self._wanted.max_hosts
                self._refuse(id, "", _with_hosts(hosts, found.reason))

    def _reasons(
        self, options: Sequence[Option], candidates: Sequence[_Candidate]
    ) -> tuple[Refused, ...]:
        """What was left out for good. What isn't among the options may do as well and need more
        units; only an array that none has is looked at again, with all that goes in."""
        taken = {each.storage.array.id for each in options}
        rest = {each.disks.storage.array.id: each for each in candidates if options}
        for id, each in rest.items():
            found = None if id in taken else self._amplest(each)
            if isinstance(found, Lacking):
                self._refuse("", id, found.reason)
        return of_each(self._refused)

    def _amplest(self, each: _Candidate) -> Option | Lacking:
        """With all hosts and memory, and twice the drives or all that go in."""
        stand = replace(each.stand, hosts=self._wanted.hosts or self._wanted.max_hosts)
        stand = replace(stand, ram_gib=(self._memory(stand) or [stand.ram_gib])[-1])
        vms = len(stand.plan.vms)
        twice, most = (
            _Candidate(stand, self._more_disks(each.disks, factor, vms) or each.disks)
            for factor in (2.0, MOST_FACTOR)
        )
        found = self._option(twice)
        if isinstance(found, Lacking) and isinstance(more := self._option(most), Option):
            return more
        return found


def find_options(
    requirement: Requirement,
    knowledge: Knowledge,
    *,
    keep: int = 50,
    check: Check = lambda: None,
    progress: Progress = lambda share: None,
    rank: MoneyRank | None = None,
) -> Options:
    """Designs for a requirement, by units, or by what they cost.

    Args:
        rank: a price book, and whether it ranks.
        check: called between steps; what it raises ends the search. `progress`: the share done.

    Raises:
        ModelError: the requirement names what the catalog doesn't have, or nothing to serve.
    """
    return Search(requirement, knowledge, check, progress, rank).found(keep)


def best_of(options: Sequence[Option], cheapest: str = LEAST_UNITS) -> dict[str, Option]:
    """Who is best at what, before those whose sizes the program advises against; of those as good
    the one of the least order, which `cheapest` is called."""
    sound = [each for each in options if not advised_against(each.today, each.end)] or options
    if not sound:
        return {}
    return {
        FEWEST_HOSTS: min(sound, key=lambda o: (o.hosts, o.order, -o.least_headroom)),
        MOST_HEADROOM: max(sound, key=lambda o: (o.least_headroom, -o.order)),
        cheapest: min(sound, key=lambda o: (o.order, o.hosts, -o.least_headroom)),
    }


def _same(one: Option, other: Option) -> bool:
    return (one.stand, one.disks) == (other.stand, other.disks)


def _with_hosts(hosts: int, reason: Text) -> Text:
    return say_many(
        "{reason} (with {count} host)", "{reason} (with {count} hosts)", hosts, reason=reason
    )


def _key(stand: Stand) -> tuple[str, int]:
    """What sums are the same for."""
    return stand.server.id, id(stand.plan)


def _alone(vm: str) -> Text:
    """Why no number of such hosts will do: a VM has too few vCPUs for them."""
    return say(
        "{vm} would take more of its vCPUs there than the limit leaves, however many hosts", vm=vm
    )
