"""Losses beside single hosts that decide a verdict: worked out as `resilience` works them out.

`models.resilience` tells of every failure what it comes to. Here is the worst of each kind that
the policy wants survived, from an evaluation that is at hand, for `evaluate` itself. Controllers
are lost all at once: a pool's is of no other pool's business. Servers of Domino clusters are lost
one by one, unless each could bear the most that another's loss brings it, all at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from models.base.lazily import lazy
from models.base.quantities import BoolArray, FloatArray, IntArray, judged_end
from models.base.record import record
from models.base.texts import Text, say, say_many
from models.failure.mode import Mode, ModeKind, mode_of
from models.failure.standalone_hosts import hosts_to_survive, users_down
from models.judgement import platform_limits as refusals
from models.judgement.against_limits import Judged, judged
from models.judgement.failure_modes import FailureModes
from models.judgement.failure_table import FailureTable
from models.judgement.judging_inputs import Evaluated
from models.judgement.platform_limits import Tripped
from models.judgement.resources import Resources, disks_and_response
from models.judgement.rulebook import RULES, Context, names
from models.physics.arrays import Arrays
from models.physics.columns import NOBODY, looked_up, some
from models.physics.estimates import NoSources
from models.physics.people import with_most_inherited, without_server
from models.physics.pools import pool_room
from models.predict.demands import vm_stage
from models.predict.predicted import PREDICTED, RESOURCES, judged_of, limit_of, peak_of
from models.predict.prediction import Binding, FailureMode, Outage, Verdict
from models.resilience.host_losses import lose_hosts, losses_at
from models.resilience.placements import down_in
from models.resilience.server_and_controller_loss import side_by_side_without, variants_of
from models.resilience.study import study_failures
from models.scenario.scenario import Loss, Policy, Scenario
from models.scenario.wording import number
from models.stages import Undisturbed, pool_table, undisturbed, without_failures

Which = Callable[[Judged, Judged, int], BoolArray]
"""Items of so many copies to look at, after a loss and before."""

MOST_ROWS = 100_000
"""VMs of all copies in which servers are lost one by one: what an edit of a scenario may take."""

NEAR_ROWS = 2_000
"""The same where no loss does harm: what is then nearest its limit is shown, and judges nothing."""


@record(slots=False)
class Losses:
    """What losses beside single hosts come to that the policy wants survived.

    Attributes:
        numbers: those of normal operation, failures of hosts or none beside them.
    """

    scenario: Scenario
    normal: Undisturbed
    numbers: Evaluated

    @lazy
    def before(self) -> Resources:
        """The numbers judged."""
        return Resources.of(self.numbers)

    @lazy
    def _without_controllers(self) -> tuple[Judged, ...] | None:
        """What is left of every array without one of several controllers; None where that changes
        nothing."""
        count = self.scenario.assumptions.array_controllers
        return None if count == 1 else _without_controllers(self.normal, self.numbers, count)

    def outages(self) -> tuple[Outage, ...]:
        """The worst loss of each kind, where it puts at risk, isn't known, or not all were
        tried."""
        scenario, normal, numbers, before = self.scenario, self.normal, self.numbers, self.before
        survive = scenario.policy.survive
        found: list[Outage | None] = []
        if Loss.CONTROLLER in survive:
            found.append(self._controllers())
            found.append(_silent_controllers(scenario, numbers))
        if Loss.PARTNER in survive:
            found.append(_partners(scenario, normal, numbers, before))
        if Loss.GROUP in survive:
            found.append(_groups(scenario, normal))
        if normal.vm.inputs.arrays.drives_in is not None:
            found.append(_out_of_reach(scenario, numbers))
            found.append(_fewer_drives(scenario, numbers, before))
            found.append(_silent_nodes(scenario, numbers))
        found.append(_beyond_limits(scenario, numbers))
        return tuple([each for each in found if each is not None])

    def nearest(self) -> tuple[Binding, ...]:
        """Of each resource the number nearest its limit after the loss of a controller, of a Domino
        cluster partner and of a group, where the loss brings it nearer."""
        scenario, normal = self.scenario, self.normal
        survive = scenario.policy.survive
        found: list[Binding] = []
        if Loss.CONTROLLER in survive and self._without_controllers is not None:
            found += map(self._of_controller, self._after_controllers(_risen))
        if Loss.PARTNER in survive:
            found += _without_partner(scenario, normal, self.before)
        if Loss.GROUP in survive and any(host.failure_group for host in scenario.hosts):
            study = study_failures(scenario, normal.vm.inputs.knowledge, which=(ModeKind.GROUP,))
            found += _without_group(scenario.policy, (study[row] for row in study.ranked()))
        return tuple(found)

    def _controllers(self) -> Outage | None:
        """Every array without one of its controllers; a pool whose array has one alone is gone."""
        arrays = self.normal.vm.inputs.arrays
        vms, pools = arrays.vms, arrays.pools
        on_array = vms.on_pool & ~looked_up(pools.in_hosts, vms.pool, False)
        if not some(on_array):
            return None
        if self.scenario.assumptions.array_controllers == 1:
            pool = min(pools.ids[row] for row in set(vms.pool[on_array].tolist()))
            reason = say("its VMs have no disks: one controller is assumed")
            mode = f"controller {pool}"
            return Outage(loss=Loss.CONTROLLER, subject=pool, mode=mode, reason=reason)
        found: _Worst | None = None
        for worst in self._after_controllers(_at_risk):
            found = worst.and_(found)
        if found is None:
            return None
        mode = self._of_controller(found).mode
        return _outage(Loss.CONTROLLER, mode.partition(" ")[2], mode, found)

    def _after_controllers(self, which: Which) -> Iterator[_Worst]:
        before, after = self.before, self._without_controllers
        if after is None:
            return iter(())
        return _each_worst(after, (before.disks, before.response), 1, which)

    def _of_controller(self, worst: _Worst) -> Binding:
        """With the pool whose array loses it."""
        arrays = self.normal.vm.inputs.arrays
        is_pool = worst.binding.resource == self.before.disks.resource
        row = worst.row if is_pool else int(arrays.vms.pool[worst.row])
        return replace(worst.binding, mode=f"controller {arrays.pools.ids[row]}")


def _without_partner(
    scenario: Scenario, normal: Undisturbed, before: Resources
) -> Iterator[Binding]:
    """Of as many losses as are worked out in a moment, those that bring others most users first."""
    arrays = normal.vm.inputs.arrays
    members, brought = _members(arrays)
    most = max(NEAR_ROWS // max(len(arrays.vms), len(arrays.hosts), len(arrays.pools)), 1)
    lost = members[np.lexsort((arrays.vms.id_rank[members], brought[members]))][:most]
    ids = [arrays.vms.ids[row] for row in lost.tolist()]
    modes = [Mode(id=f"partner {id}", kind=ModeKind.PARTNER, subject=id) for id in ids]
    found: dict[str, Binding] = {}
    start = 0
    for copies, count in side_by_side_without(variants_of(scenario, arrays, modes), arrays):
        after = _state(normal, copies).resources.normal
        for worst in _each_worst(after, before.normal, count, _risen):
            binding = replace(worst.binding, mode=modes[start + worst.copy].id)
            held = found.setdefault(binding.resource, binding)
            found[binding.resource] = max(held, binding, key=_rank)
        start += count
    yield from found.values()


def _without_group(policy: Policy, modes: Iterable[FailureMode]) -> Iterator[Binding]:
    """Of each resource the loss after which it is nearest its limit."""
    found: dict[str, Binding] = {}
    for mode in modes:
        for field in judged_of("failures"):
            quantity, peak = getattr(mode, field), peak_of(policy, field)
            limit = mode.ram_limit_pct if field == "ram_pct" else limit_of(policy, field)
            if mode.verdict is None or quantity.value is None or not limit:
                continue
            binding = Binding(
                subject=mode.mode.subject,
                resource=field,
                mode=mode.id,
                value=quantity.value * peak,
                limit=limit,
                low=None if quantity.low is None else quantity.low * peak,
                high=None if quantity.high_to_judge is None else quantity.high_to_judge * peak,
            )
            found[field] = max(found.get(field, binding), binding, key=_rank)
    yield from found.values()


def _members(arrays: Arrays) -> tuple[IntArray, FloatArray]:
    """Servers of Domino clusters with users whom partners that run take over, and of every VM how
    many each of these gets, negative."""
    replicas, users = arrays.vms.replicas, arrays.vms.active_users
    if replicas is None:
        return np.zeros(0, dtype=np.int64), np.zeros(len(arrays.vms))
    heirs = replicas.heirs(arrays.started)
    members = arrays.vms.clustered & arrays.started & (users > 0) & (heirs > 0)
    return members.nonzero()[0], -(users / np.maximum(heirs, 1))


@dataclass(frozen=True, slots=True, eq=False)
class _State:
    """Numbers judged, and what VMs, hosts and pools trip that weighs."""

    numbers: Evaluated
    resources: Resources
    tripped: tuple[Tripped, ...]

    @classmethod
    def of(cls, e: Evaluated, resources: Resources) -> _State:
        return cls(e, resources, refusals.lost_partners(e))


def _silent_controllers(scenario: Scenario, numbers: Evaluated) -> Outage | None:
    """Arrays of whose controllers no figure is known: nor is it what one of them fewer carries."""
    silent = numbers.pools_without_ceiling & ~numbers.inputs.arrays.pools.in_hosts
    if scenario.assumptions.array_controllers == 1:
        return None
    return _silent(numbers, silent, Loss.CONTROLLER)


def _silent(numbers: Evaluated, pools: BoolArray, loss: Loss) -> Outage | None:
    """These pools, (p,), of which it isn't known what a loss comes to; None for none."""
    ids = [numbers.pools.ids[row] for row in pools.nonzero()[0].tolist()]
    if not ids:
        return None
    first = min(ids)
    untold = Outage(loss=loss, subject=first, mode=f"{loss} {first}")
    disks = frozenset({"iops"})
    return replace(untold, tried=0, of=len(ids), unknown=True, resources=disks)


def _without_controllers(
    normal: Undisturbed, numbers: Evaluated, controllers: int
) -> tuple[Judged, ...] | None:
    """What is left of every pool without one of so many; None where that changes no limit.

    Pools and responses are worked out anew: nothing else asks for controllers.
    """
    arrays = normal.vm.inputs.arrays
    ceiling = arrays.pools.ceiling_iops * (controllers - 1) / controllers
    ceiling = np.where(arrays.pools.in_hosts, arrays.pools.ceiling_iops, ceiling)
    pools = replace(arrays.pools, ceiling_iops=ceiling)
    if np.array_equal(pool_room(pools).limits, normal.pool.limits, equal_nan=True):
        return None
    vm, policy = normal.vm.standing(replace(arrays, pools=pools)), normal.policy
    lost = undisturbed(vm, policy, normal.draw, host=normal.host)
    found = lost.responses.estimate.series(vm.inputs.sources, policy.posture.share)
    left = replace(
        numbers,
        inputs=vm.inputs,
        vms=replace(numbers.vms, response_ms=found),
        pools=pool_table(policy, lost.pool, vm),
        pool_stage=lost.pool,
        response_ends=lost.responses.ends,
        response_spread=lost.responses.off_host.standing.spread,
    )
    return disks_and_response(left)


def _partners(
    scenario: Scenario, normal: Undisturbed, numbers: Evaluated, resources: Resources
) -> Outage | None:
    """Every server of a Domino cluster lost, one after the other."""
    arrays = normal.vm.inputs.arrays
    replicas, users = arrays.vms.replicas, arrays.vms.active_users
    if replicas is None:
        return None
    members = (arrays.vms.clustered & arrays.started & (users > 0)).nonzero()[0]
    heirs = replicas.heirs(arrays.started)
    helpless = members[heirs[members] == 0]
    if len(helpless):
        return _helpless(arrays, helpless)
    before = _State.of(numbers, resources)
    if not len(members) or not _puts_at_risk_at_once(normal, before):
        return None
    most = max(MOST_ROWS // max(len(arrays.vms), len(arrays.hosts), len(arrays.pools)), 1)
    brought = -(users / np.maximum(heirs, 1))
    order = np.lexsort((arrays.vms.id_rank[members], brought[members]))
    tried = members[order[:most]]
    found = _worst_partner(scenario, normal, before, tried)
    first = arrays.vms.ids[int(tried[0])]
    outage = found or Outage(loss=Loss.PARTNER, subject=first, mode=f"partner {first}")
    if outage.unknown:
        return outage
    some_told = found is not None or len(tried) < len(members)
    return replace(outage, tried=len(tried), of=len(members)) if some_told else None


def _helpless(arrays: Arrays, members: IntArray) -> Outage:
    """Servers no partner of which runs: the one with most users."""
    users = arrays.vms.active_users[members]
    row = int(members[np.lexsort((arrays.vms.id_rank[members], -users))[0]])
    reason = say_many(
        "its {count} user has no server: no partner of it runs",
        "its {count} users have no server: no partner of it runs",
        round(float(users.max())),
    )
    id = arrays.vms.ids[row]
    return Outage(loss=Loss.PARTNER, subject=id, mode=f"partner {id}", reason=reason)


def _puts_at_risk_at_once(normal: Undisturbed, before: _State) -> bool:
    """Whether anything would be at risk, or not known, if every server had the most users that the
    loss of one other brings it, all at once: where nothing is, no single loss makes anything so."""
    inputs = normal.vm.inputs
    vms = inputs.arrays.vms
    laden = with_most_inherited(vms, inputs.arrays.started)
    after = _state(normal, replace(inputs.arrays, vms=laden))
    if refusals.newly(after.tripped, before.tripped, 1):
        return True
    return _worst(after.resources.normal, before.resources.normal, 1) is not None


def _worst_partner(
    scenario: Scenario, normal: Undisturbed, before: _State, lost: IntArray
) -> Outage | None:
    """What decides of the losses of these servers: a number, else what weighs."""
    arrays = normal.vm.inputs.arrays
    modes = [
        Mode(id=f"partner {id}", kind=ModeKind.PARTNER, subject=id)
        for id in (arrays.vms.ids[row] for row in lost.tolist())
    ]
    variants = variants_of(scenario, arrays, modes)
    found: _Worst | None = None
    weighty: list[tuple[int, Tripped]] = []
    start = 0
    for copies, count in side_by_side_without(variants, arrays):
        after = _state(normal, copies)
        worst = _worst(after.resources.normal, before.resources.normal, count)
        if worst is not None:
            found = worst.moved(start).and_(found)
        for each in refusals.newly(after.tripped, before.tripped, count):
            copies_with = each.which.reshape(count, -1).any(axis=1)
            weighty.append((start + int(copies_with.argmax()), each))
        start += count
    named = frozenset(
        name
        for _, each in weighty
        if each.weight.at_least >= Verdict.AT_RISK
        for name in each.weight.resources
    )
    if found is not None:
        mode = modes[found.copy]
        outage = _outage(Loss.PARTNER, mode.subject, mode.id, found)
        return replace(outage, resources=outage.resources | named)
    if not weighty:
        return None
    place, first = max(weighty, key=lambda each: (each[1].weight.at_least, -each[0]))
    return _weighty_partner(scenario, normal, before, modes[place], first, named)


def _weighty_partner(
    scenario: Scenario,
    normal: Undisturbed,
    before: _State,
    mode: Mode,
    tripped: Tripped,
    named: frozenset[str],
) -> Outage:
    """A loss that has something tripped that weighs, told by the rule itself of what is left."""
    outage = Outage(loss=Loss.PARTNER, subject=mode.subject, mode=mode.id, resources=named)
    outage = replace(outage, verdict=tripped.weight.at_least)
    if tripped.weight.at_least < Verdict.AT_RISK:
        return replace(outage, unknown=True, resources=frozenset(tripped.weight.resources))
    ((copy, _),) = side_by_side_without(
        variants_of(scenario, normal.vm.inputs.arrays, [mode]), normal.vm.inputs.arrays
    )
    after = _state(normal, copy)
    (first, *_) = refusals.newly(after.tripped, before.tripped, 1)
    mine = [
        each
        for each in refusals.newly(after.tripped, before.tripped, 1)
        if (each.rule, each.weight.trips) == (tripped.rule, tripped.weight.trips)
    ]
    row = int((mine or [first])[0].which.argmax())
    return replace(outage, reason=_clause(scenario, after, tripped.rule, row))


def _clause(scenario: Scenario, after: _State, rule: str, row: int) -> str:
    """What a rule says of a VM after a loss."""
    vm, e = scenario.vms[row], after.numbers
    if rule == refusals.FAILOVER:
        return say(
            "{vm} would have {users} benchmark users; {most} in failover were tested on two vCPUs",
            vm=vm.name,
            users=number(float(e.inputs.users[row])),
            most=number(refusals.PATTERN_USERS),
        )
    modes = FailureModes(e.failures, after.resources.failing)
    context = Context(scenario=scenario, numbers=e, judged=after.resources, modes=modes)
    said = (each for each in RULES[rule].check(context) if each.subject == vm.id)
    return next(said).clause


def _state(normal: Undisturbed, arrays: Arrays) -> _State:
    """What normal operation of these VMs comes to, judged."""
    inputs = normal.vm.inputs
    vm = vm_stage(arrays, inputs.derating, inputs.knowledge, NoSources())
    e = without_failures(undisturbed(vm, normal.policy, normal.draw))
    return _State.of(e, Resources.of(e))


def codes_of_copies(
    scenario: Scenario, normal: Undisturbed, numbers: Evaluated, count: int
) -> npt.NDArray[np.int8]:
    """What the losses that the policy wants survived make of each of `count` copies of a scenario
    side by side, as `Verdict` codes, (count,).

    Of Domino clusters the servers whose loss brings others most users, as many as `MOST_ROWS` let
    be worked out.
    """
    survive, before = scenario.policy.survive, Resources.of(numbers)
    arrays, controllers = normal.vm.inputs.arrays, scenario.assumptions.array_controllers
    found = np.zeros(count, dtype=np.int8)
    if not count:
        return found

    def risk(which: BoolArray, code: Verdict = Verdict.AT_RISK) -> None:
        np.maximum(found, which.reshape(count, -1).any(axis=1) * np.int8(code), out=found)

    if arrays.drives_in is not None:
        hosts = np.tile(hosts_to_survive(scenario, arrays), count)
        risk(_over_without_drives(numbers, before, hosts))
        risk(_silent_in(numbers, hosts), Verdict.NOT_KNOWN)
    risk(_passing(numbers, np.tile(hosts_to_survive(scenario, arrays), count)))
    if Loss.CONTROLLER in survive and controllers == 1:
        risk(arrays.vms.on_pool & ~looked_up(arrays.pools.in_hosts, arrays.vms.pool, False))
    elif Loss.CONTROLLER in survive:
        silent = numbers.pools_without_ceiling & ~arrays.pools.in_hosts
        risk(silent, Verdict.NOT_KNOWN)
        after = _without_controllers(normal, numbers, controllers)
        if after is not None:
            for now, then in zip(after, (before.disks, before.response), strict=True):
                risk(_at_risk(now, then, 1))
    if Loss.PARTNER in survive and arrays.vms.replicas is not None:
        state = _State.of(numbers, before)
        np.maximum(found, _copies_without_partners(normal, state, count), out=found)
    if Loss.GROUP in survive:
        risk(_copies_without_groups(scenario, normal, count))
    return found


def _copies_without_groups(scenario: Scenario, normal: Undisturbed, count: int) -> BoolArray:
    """Which copies the loss of any group of hosts puts at risk, (count,)."""
    arrays, size = normal.vm.inputs.arrays, len(scenario.hosts)
    groups: dict[str, list[int]] = {}
    for row, host in enumerate(scenario.hosts):
        if host.failure_group:
            groups.setdefault(host.failure_group, []).append(row)
    gone = [
        [copy * size + row for row in rows] for copy in range(count) for rows in groups.values()
    ]
    if not gone:
        return np.zeros(count, dtype=np.bool_)
    lost = lose_hosts(normal, losses_at(arrays, gone, [None] * len(gone)), len(gone))
    found = lost.columns.codes >= Verdict.AT_RISK
    for place, hosts in enumerate(gone):
        vms = down_in(normal, lost, place)
        if len(vms):
            away = np.zeros(len(arrays.hosts), dtype=np.bool_)
            away[hosts] = True
            found[place] |= users_down(arrays, vms, away)[0] > 0
    return np.asarray(found.reshape(count, -1).any(axis=1))


def _copies_without_partners(
    normal: Undisturbed, before: _State, count: int
) -> npt.NDArray[np.int8]:
    arrays = normal.vm.inputs.arrays
    replicas, vms = arrays.vms.replicas, arrays.vms
    assert replicas is not None
    started = arrays.started.reshape(count, -1)
    users = np.where(started, vms.active_users.reshape(count, -1), 0.0)
    found = np.zeros(count, dtype=np.int8)
    senders = np.unique(replicas.sender)
    brought = users.max(axis=0)[senders] / np.maximum(np.bincount(replicas.sender)[senders], 1)
    most = max(MOST_ROWS // max(len(vms), len(arrays.hosts), len(arrays.pools)), 1)
    for row in senders[np.argsort(-brought, kind="stable")[:most]].tolist():
        heirs = np.zeros(started.shape, dtype=np.bool_)
        receivers = replicas.receiver[replicas.sender == row]
        heirs[:, receivers] = started[:, receivers]
        helpless = ~heirs.any(axis=1) & (users[:, row] > 0)
        np.maximum(found, helpless * np.int8(Verdict.AT_RISK), out=found)
        gone = np.where(started[:, row], row, NOBODY)
        lost = without_server(vms, gone, heirs)
        after = _state(normal, replace(arrays, vms=lost))
        weighty = refusals.newly(after.tripped, before.tripped, 1)
        np.maximum(found, refusals.codes_of(weighty, count), out=found)
        for now, then in zip(after.resources.normal, before.resources.normal, strict=True):
            if len(now.value):
                worse = _at_risk(now, then, 1).reshape(count, -1).any(axis=1)
                np.maximum(found, worse * np.int8(Verdict.AT_RISK), out=found)
    return np.minimum(found, np.int8(Verdict.AT_RISK))


def _groups(scenario: Scenario, normal: Undisturbed) -> Outage | None:
    """Every group of hosts lost, one after the other."""
    if not any(host.failure_group for host in scenario.hosts):
        return None
    study = study_failures(scenario, normal.vm.inputs.knowledge, which=(ModeKind.GROUP,))
    rows = study.ranked()
    worst = study[rows[0]] if rows else None
    if worst is None or worst.shown is None or (worst.shown.verdict or 0) < Verdict.AT_RISK:
        return None
    return Outage(
        loss=Loss.GROUP,
        subject=worst.mode.subject,
        mode=worst.mode.id,
        reason=_of_group(worst),
        verdict=Verdict(worst.shown.verdict or 0),
        resources=_resources_of(worst, scenario.policy),
        tried=len(rows),
        of=len(rows),
    )


def _beyond_limits(scenario: Scenario, e: Evaluated) -> Outage | None:
    """The loss of a host, or of several at once, that takes a survivor past a limit of the policy,
    or past the memory that there is, whatever its load."""
    hosts = hosts_to_survive(scenario, e.inputs.arrays)
    found: list[tuple[Text, tuple[str, ...]]] = []
    resources: set[str] = set()
    for table, rows, members in _lost_hosts(e, hosts):
        for each in table.passed:
            if (worst := each.worst(rows)) is None:
                continue
            row, column = int(each.mode[worst]), int(each.column[worst])
            gone = tuple(e.hosts.ids[host] for host in members(row))
            who = scenario.hosts[int(table.inputs.failover.members[row, column])].name
            called = names([scenario.host(id).name for id in gone])
            what = each.words(worst, who)
            found.append((say("with {gone} gone, {what}", gone=called, what=what), gone))
            resources |= {each.resource} & set(RESOURCES)
    if not found:
        return None
    reason, gone = found[0]
    return Outage(
        loss=Loss.HOST,
        subject=gone[0],
        mode=mode_of(gone),
        reason=reason,
        verdict=Verdict.AT_RISK,
        resources=frozenset(resources),
    )


def _passing(e: Evaluated, hosts: BoolArray) -> BoolArray:
    """Hosts whose loss does that, alone or with others, of those that are to be survived, (h,)."""
    found = np.zeros(len(hosts), dtype=np.bool_)
    for table, rows, members in _lost_hosts(e, hosts):
        for row in rows[table.passing[rows]].tolist():
            found[members(row)] = True
    return found


def _lost_hosts(
    e: Evaluated, hosts: BoolArray
) -> Iterator[tuple[FailureTable, IntArray, Callable[[int], list[int]]]]:
    """Tables of lost hosts, the rows of those that are to be survived, and who is gone in one."""
    failed = e.failures.inputs.failover.failed
    if some(e.failures.passing):
        yield e.failures, np.flatnonzero(hosts[failed]), lambda row: [int(failed[row])]
    if (several := e.several) is not None and some(several.table.passing):
        gone, members = several.sets.gone, several.table.inputs.failover.members
        asked = (hosts[np.maximum(members, 0)] & gone).any(axis=1)
        rows = np.flatnonzero(asked)
        yield several.table, rows, lambda row: members[row][gone[row]].tolist()


def _over_without_drives(e: Evaluated, before: Resources, hosts: BoolArray) -> BoolArray:
    """Pools that lose drives with one of these hosts, (h,), and are over a limit or near it for
    that alone, or out of reach, (p,)."""
    table = e.failures
    codes = table.disk_codes[hosts[table.inputs.failover.failed]].max(axis=0, initial=0)
    return np.asarray((codes >= Verdict.AT_RISK) & (codes > before.disks.codes))


def _out_of_reach(scenario: Scenario, e: Evaluated) -> Outage | None:
    """A pool whose data doesn't stay when as many of its hosts are gone as are to be survived."""
    arrays = e.inputs.arrays
    pools, hosts = arrays.pools, arrays.hosts
    assert arrays.drives_in is not None  # its callers ask
    asked = hosts_to_survive(scenario, arrays)
    tolerated = np.ones(len(arrays.clusters)) if arrays.tolerated is None else arrays.tolerated
    used = np.bincount(arrays.vms.pool[arrays.vms.on_pool], minlength=len(pools)) > 0
    for row, host in arrays.drives_in.T.tolist():
        cluster = int(hosts.cluster[host])
        if not (used[row] and asked[host] and cluster >= 0):
            continue
        gone = min(int(tolerated[cluster]), int(pools.host_count[row]))
        if gone <= pools.tolerates[row]:
            continue
        name = scenario.pools[row].name
        most = round(float(pools.tolerates[row]))
        reason = say_many(
            "with {count} of its hosts gone, data of {pool} is out of reach: it tolerates {most}",
            "with {count} of its hosts gone, data of {pool} is out of reach: it tolerates {most}",
            gone,
            pool=name,
            most=most,
        )
        return Outage(
            loss=Loss.HOST,
            subject=pools.ids[row],
            mode=f"host {hosts.ids[host]}",
            reason=reason,
            resources=frozenset({"space"}),
        )
    return None


def _silent_nodes(scenario: Scenario, e: Evaluated) -> Outage | None:
    """Pools in hosts of whose nodes no figure is known: nor is it what fewer of them carry."""
    return _silent(e, _silent_in(e, hosts_to_survive(scenario, e.inputs.arrays)), Loss.HOST)


def _silent_in(e: Evaluated, hosts: BoolArray) -> BoolArray:
    """Those of them with drives in these hosts, (h,), as a mask, (p,)."""
    arrays = e.inputs.arrays
    assert arrays.drives_in is not None  # its callers ask
    pool, host = arrays.drives_in
    asked = np.zeros(len(arrays.pools), dtype=np.bool_)
    asked[pool[hosts[host]]] = True
    return np.asarray(e.pools_without_ceiling & asked)


def _fewer_drives(scenario: Scenario, e: Evaluated, before: Resources) -> Outage | None:
    """The pool that drives lost with a host make busiest, where that passes a limit or nears it."""
    table, policy = e.failures, scenario.policy
    lost, failed = table.inputs.drives, table.inputs.failover.failed
    asked = hosts_to_survive(scenario, e.inputs.arrays)[failed]
    if lost is None or not len(failed):
        return None
    worse = (table.disk_codes >= Verdict.AT_RISK) & (table.disk_codes > before.disks.codes)
    worse &= asked[:, None] & ~lost.out_of_reach
    if not some(worse):
        return None
    busy = np.where(worse, lost.busy_pct[0], -np.inf)
    row, pool = np.unravel_index(int(busy.argmax()), busy.shape)
    value, low, high = (lost.busy_pct[:, row, pool] * policy.peak_factor_iops).tolist()
    binding = Binding(
        subject=e.pools.ids[int(pool)],
        resource=before.disks.resource,
        mode="",
        value=value,
        limit=policy.disk_limit_pct,
        low=low,
        high=float(judged_end(np.array(value), np.array(high), policy.posture.share)),
    )
    id = table.ids[int(row)]
    worst = _Worst(binding, 0, int(pool), frozenset({binding.resource}))
    return _outage(Loss.HOST, id, f"host {id}", worst)


def _resources_of(mode: FailureMode, policy: Policy) -> frozenset[str]:
    """Resources of what is left that are over a limit or near it, or find no room."""
    found = {"ram"} if mode.not_restarted else set()
    for field in judged_of("failures"):
        quantity, peak = getattr(mode, field), peak_of(policy, field)
        if quantity.value is None or quantity.high_to_judge is None:
            continue
        value, high = (np.array(end * peak) for end in (quantity.value, quantity.high_to_judge))
        limit = mode.ram_limit_pct if field == "ram_pct" else limit_of(policy, field)
        limit = np.nan if limit is None else limit
        if int(judged(value, high, limit)) >= Verdict.AT_RISK:
            found.add(PREDICTED[field].resource or "cpu")
    return frozenset(found)


def _of_group(mode: FailureMode) -> str:
    if mode.down is not None:
        users, vms = round(mode.down.users), mode.down.vms
        if users:
            return say_many("{count} user is down", "{count} users are down", users)
        return say_many("{count} VM is down", "{count} VMs are down", vms)
    if mode.not_restarted:
        return say_many(
            "{count} VM finds no room", "{count} VMs find no room", len(mode.not_restarted)
        )
    return say("the survivors are over a limit or near it")


def _outage(loss: Loss, subject: str, mode: str, found: _Worst) -> Outage:
    binding = replace(found.binding, mode=mode)
    named = frozenset(PREDICTED[each].resource for each in found.resources)
    return Outage(loss=loss, subject=subject, mode=mode, binding=binding, resources=named)


@dataclass(frozen=True, slots=True)
class _Worst:
    """Of what losses take to its limit or near it the worst number, the copy that it is in, and its
    row; `resources`: all that are taken there."""

    binding: Binding
    copy: int
    row: int
    resources: frozenset[str]

    def moved(self, copies: int) -> _Worst:
        """The same, of copies that come after so many."""
        return replace(self, copy=self.copy + copies)

    def and_(self, other: _Worst | None) -> _Worst:
        """The worse of two, the other one where they are alike, with the resources of both."""
        if other is None:
            return self
        worse = self if _rank(self.binding) > _rank(other.binding) else other
        return replace(worse, resources=self.resources | other.resources)


def _worst(after: Sequence[Judged], before: Sequence[Judged], copies: int) -> _Worst | None:
    """Of what a loss takes to its limit or near it the worst; None where there is nothing.

    Args:
        after: of `copies` scenarios side by side; `before`: of the one without a loss.
    """
    found: _Worst | None = None
    for worst in _each_worst(after, before, copies, _at_risk):
        found = worst.and_(found)
    return found


def _each_worst(
    after: Sequence[Judged],
    before: Sequence[Judged],
    copies: int,
    which: Which,
) -> Iterator[_Worst]:
    """Of each resource the worst of those items that `which` is true of."""
    for now, then in zip(after, before, strict=True):
        size = len(then.value)
        if not size:
            continue
        there = which(now, then, copies)
        if not some(there):
            continue
        load = np.where(there, np.fmax(now.load, _reach(now)), -np.inf)
        load += np.where(now.codes >= Verdict.DOES_NOT_FIT, 1e9, 0.0)
        rows = (load == load.max()).nonzero()[0].tolist()
        row = min(rows, key=lambda row: (row // size, now.ids[row]))
        yield _Worst(_binding(now, row), row // size, row % size, frozenset({now.resource}))


def _risen(now: Judged, then: Judged, copies: int) -> BoolArray:
    """Which items are nearer their limit than before the loss."""
    return np.asarray(now.load > np.tile(then.load, copies) * (1 + 1e-9))


def _at_risk(now: Judged, then: Judged, copies: int) -> BoolArray:
    """Which items a loss takes over a limit or near it, in `copies` of what was before; not those
    that are as bad without it."""
    worse = (now.codes > np.tile(then.codes, copies)) & (now.codes >= Verdict.AT_RISK)
    return np.asarray(worse & ~np.isnan(now.value))


def _reach(judged: Judged) -> FloatArray:
    limits = judged.limit if judged.limits is None else judged.limits
    return np.asarray(judged.high / limits)


def _binding(judged: Judged, row: int) -> Binding:
    """The number of one item, over its limit or near it."""
    return Binding(
        subject=judged.ids[row],
        resource=judged.resource,
        mode="",
        value=float(judged.value[row]),
        limit=judged.limit_of(row),
        low=judged.low_of(row),
        high=float(judged.high[row]),
    )


def _rank(binding: Binding) -> float:
    """How far a number is over its limit; one that merely may pass it comes after all that do."""
    if binding.load > 1:
        return binding.load + 1e9
    return max(binding.load, (binding.high or 0.0) / binding.limit)
