"""The failure study: every way to fail with its numbers, its verdict, and who restarts where.

All modes are worked out in one batch: normal operation once, each distinct loss of hosts of a
cluster once, servers and controllers as copies side by side. What a host's failure comes to is what
`evaluate` says of it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import overload

import numpy as np

from models.base.quantities import NO_DATA, Basis, FloatArray, IntArray, Quantity
from models.base.texts import joined as joined_texts
from models.base.texts import say, say_many
from models.evidence.knowledge import Knowledge
from models.failure.mode import Mode, ModeKind
from models.failure.standalone_hosts import alone, users_down
from models.judgement.failure_modes import (
    NOTHING_TO_FAIL_OVER,
    PARTNERS_SERVE,
    STANDS_ALONE,
    ModesOf,
    never_ran,
    own_quantity,
    with_judged_high,
)
from models.physics.arrays import Arrays
from models.physics.columns import some
from models.physics.estimates import Estimate
from models.predict.demands import demands_of
from models.predict.predicted import limit_of, peak_of
from models.predict.prediction import Down, FailureMode, Shortfall, Verdict
from models.resilience.columns import NOT_JUDGED, Columns, joined
from models.resilience.host_losses import HostLosses, lose_hosts, losses_of
from models.resilience.modes import USUAL, modes_of
from models.resilience.no_host_lost import everyday, highest, normal_ready, worst_quantity
from models.resilience.placements import down_in, restarts_in, rules_by_vm, takeovers
from models.resilience.server_and_controller_loss import columns_of, variants_of
from models.scenario.scenario import Affinity, DiskMode, Policy, Scenario
from models.stages import Undisturbed, several_gone, undisturbed, without_failures

RESOURCES = ("cpu_pct", "ram_pct", "response_ms", "ready_pct", "disk_pct")
"""Resources that a mode has numbers of, in the order in which they are shown."""

READY_LIMIT_PCT = 10.0
"""Ready time from which users notice; it warns and judges nothing."""

_BASES = tuple(Basis)


@dataclass(frozen=True, slots=True, kw_only=True)
class WorstHost:
    """The host whose failure takes a resource highest, the number it then comes to, and its limit.

    `load` is number over limit, CPU and disks at peak.
    """

    resource: str
    host: str
    mode: str
    value: Quantity
    limit: float
    load: float


class FailureStudy(Sequence[FailureMode]):
    """All modes of a study; a mode is made when somebody reads it.

    Attributes:
        modes: what fails in each.
        columns: numbers side by side, in the order of `modes`.
        scenario: that was studied.
    """

    def __init__(
        self,
        scenario: Scenario,
        normal: Undisturbed,
        modes: tuple[Mode, ...],
        columns: Columns,
        hosts: HostLosses,
        place: Mapping[int, int],
        notes: Mapping[int, str],
    ) -> None:
        self.modes = modes
        self.columns = columns
        self.scenario = scenario
        self._normal = normal
        self._hosts = hosts
        self._place = place
        self._notes = notes
        self._made: dict[int, FailureMode] = {}

    def __len__(self) -> int:
        return len(self.modes)

    @overload
    def __getitem__(self, index: int) -> FailureMode: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[FailureMode, ...]: ...
    def __getitem__(self, index: int | slice) -> FailureMode | tuple[FailureMode, ...]:
        if isinstance(index, slice):
            return tuple(self[row] for row in range(*index.indices(len(self))))
        row = range(len(self))[index]
        found = self._made.get(row)
        if found is None:
            found = self._made[row] = self._make(row)
        return found

    def __iter__(self) -> Iterator[FailureMode]:
        return (self[row] for row in range(len(self)))

    def of(self, id: str) -> FailureMode | None:
        """The mode with this id, if it was studied."""
        row = self._rows.get(id)
        return None if row is None else self[row]

    def ranked(self) -> tuple[int, ...]:
        """Positions of the modes, worst first: what has users down, then by verdict, memory short,
        and nearest limit.

        What nothing fails over in comes last; equals keep their order.
        """
        codes, short = self.columns.codes.astype(np.int64), self.columns.short_ram_gib
        users = np.zeros(len(codes))
        for row, down in self._downs.items():
            codes[row], users[row] = Verdict.DOES_NOT_FIT + 1, down.people.first
        loads = np.fmax.reduce(np.vstack([self.loads, np.full(len(self), -1.0)]))
        order = np.lexsort((np.arange(len(self)), -loads, -short, -users, -codes))
        return tuple(order.tolist())

    @cached_property
    def loads(self) -> FloatArray:
        """Each resource over its limit, CPU and disks at peak; NaN for no data, shape (4, m).

        In the order of `RESOURCES` without ready time, which has no limit of the policy's.
        """
        loads: FloatArray = np.array(
            [self._load(each) for each in RESOURCES if each != "ready_pct"]
        )
        return loads

    def _load(self, resource: str) -> FloatArray:
        """Values of a resource over its limit, at peak where that counts, NaN for no data, (m,)."""
        limits, peak = self._limits(resource)
        return self._values(resource) * peak / limits

    def _values(self, resource: str) -> FloatArray:
        """Values of a resource in each mode, without their ends, (m,)."""
        values: FloatArray = getattr(self.columns, resource)
        return values[0] if values.ndim == 2 else values

    def worst_hosts(self) -> tuple[WorstHost, ...]:
        """For each resource the single host whose failure is worst; none where nothing is known.

        In a mixed cluster they may be different ones.
        """
        rows = [
            row
            for row, mode in enumerate(self.modes)
            if mode.kind is ModeKind.HOST and self.columns.codes[row] != NOT_JUDGED
        ]
        found = (self._worst_host(resource, rows) for resource in RESOURCES)
        return tuple(each for each in found if each is not None)

    def _worst_host(self, resource: str, rows: list[int]) -> WorstHost | None:
        values = self._values(resource)
        known = [row for row in rows if not np.isnan(values[row])]
        if not known:
            return None
        most = max(values[row] for row in known)
        row = min((row for row in known if values[row] == most), key=self._subject)
        return WorstHost(
            resource=resource,
            host=self.modes[row].subject,
            mode=self.modes[row].id,
            value=getattr(self[row], resource),
            limit=float(self._limits(resource)[0][row]),
            load=float(self._load(resource)[row]),
        )

    def _subject(self, row: int) -> str:
        return self.modes[row].subject

    def _limits(self, resource: str) -> tuple[FloatArray, float]:
        """Limit of a resource in each mode (m,), and the peak factor that it is judged with."""
        if resource == "ram_pct":
            return self.columns.ram_limit_pct, 1.0
        if resource == "ready_pct":
            return np.full(len(self), READY_LIMIT_PCT), 1.0
        limit = limit_of(self._policy, resource)
        return np.full(len(self), limit), peak_of(self._policy, resource)

    @property
    def _policy(self) -> Policy:
        return self.scenario.policy

    @cached_property
    def _downs(self) -> dict[int, Down]:
        """By row what is down with hosts that are gone and nothing goes on of elsewhere."""
        arrays, found = self._normal.vm.inputs.arrays, {}
        if not (some(alone(arrays)) or some(self._hosts.lost.stays_down)):
            return {}
        for row, position in self._place.items():
            vms = down_in(self._normal, self._hosts, position)
            if not len(vms):
                continue
            gone = np.zeros(len(arrays.hosts), dtype=np.bool_)
            gone[[self._positions[id] for id in self.modes[row].hosts]] = True
            count, mail, chat = users_down(arrays, vms, gone)
            if count:
                found[row] = Down(count, mail, chat)
        return found

    @cached_property
    def _rows(self) -> dict[str, int]:
        return {mode.id: row for row, mode in enumerate(self.modes)}

    def _make(self, row: int) -> FailureMode:
        columns, mode = self.columns, self.modes[row]
        arrays = self._normal.vm.inputs.arrays
        restarts = restarts_in(self._rules, self._normal, self._hosts, self._place.get(row))
        code, down = int(columns.codes[row]), self._downs.get(row)
        pools = self._normal.pool
        judged = code != NOT_JUDGED
        blind, silent = columns.unknown[:, row].tolist()
        if judged and down is not None:
            code = Verdict.DOES_NOT_FIT
        return FailureMode(
            mode=mode,
            cpu_pct=_partly(self._cpu_pct(row), blind),
            cpu_host=_id(arrays.hosts.ids, columns.cpu_host[row]),
            ram_pct=_quantity(np.full(3, columns.ram_pct[row]), Basis.RULE),
            ram_limit_pct=_limit(columns.ram_limit_pct[row]),
            ram_host=_id(arrays.hosts.ids, columns.ram_host[row]),
            vm_cpu_pct=own_quantity(*columns.vm_cpu_pct[:, row].tolist()),
            response_ms=self._response_ms(row),
            ready_pct=self._ready_pct(row),
            iops=_partly(
                _quantity(columns.iops[:, row], *self._pool_grounds(row, pools.iops)), silent
            ),
            disk_pct=_partly(
                _quantity(
                    columns.disk_pct[:, row], *self._pool_grounds(row, pools.utilisation_pct)
                ),
                silent,
            ),
            pool=_id(arrays.pools.ids, columns.pool[row]),
            shortfall=Shortfall(
                ram_gib=float(columns.short_ram_gib[row]),
                cpu_ghz=float(columns.short_cpu_ghz[row]),
                iops=float(columns.short_iops[row]),
            ),
            restarted=restarts.restarted,
            not_restarted=restarts.not_restarted,
            stays_down=restarts.stays_down,
            taken_over=restarts.taken_over,
            verdict=Verdict(code) if judged else None,
            note=self._note(row, restarts.stays_down, judged=judged),
            down=down,
            is_assumed=some(arrays.vms.running & arrays.vms.load_assumed),
            idle=not some(arrays.vms.running),
        )

    def _cpu_pct(self, row: int) -> Quantity:
        ends, mode, worst = (
            self.columns.cpu_pct[:, row],
            self.modes[row],
            self.columns.cpu_host[row],
        )
        if mode.kind is ModeKind.NORMAL:
            sources = self._normal.vm.inputs.sources
            found = worst_quantity(ends[:3], self._normal.host.cores_busy, int(worst), sources)
            return with_judged_high(found, float(ends[3]))
        hosts = [*(self._positions[id] for id in mode.hosts), int(worst)]
        return with_judged_high(
            _quantity(ends[:3], *self._made_of.cpu_grounds(hosts)), float(ends[3])
        )

    def _response_ms(self, row: int) -> Quantity:
        ends, mode = self.columns.response_ms[:, row], self.modes[row]
        behind = self._behind_response(mode)
        if mode.kind is not ModeKind.NORMAL:
            return _quantity(ends, Basis.TRANSFERRED, behind)
        found, sources = self._normal.responses.estimate, self._normal.vm.inputs.sources
        worst = worst_quantity(ends, found, highest(found.value), sources)
        return worst if worst.value is None else replace(worst, evidence=behind)

    def _ready_pct(self, row: int) -> Quantity:
        ends = self.columns.ready_pct[:, row]
        if self.modes[row].kind in (ModeKind.NORMAL, ModeKind.CONTROLLER):
            found = normal_ready(self._normal)
            sources = self._normal.vm.inputs.sources
            return worst_quantity(ends, found, highest(found.value), sources)
        behind = self._normal.vm.inputs.calibration.constants.mail85.ready_pct.evidence
        return _quantity(ends, Basis.TRANSFERRED, behind)

    @cached_property
    def _rules(self) -> dict[str, list[Affinity]]:
        return rules_by_vm(self.scenario)

    @cached_property
    def _on_local_disks(self) -> frozenset[str]:
        return frozenset(vm.id for vm in self.scenario.vms if vm.disk_mode is DiskMode.LOCAL)

    def _is_refused(self, vm: str) -> bool:
        arrays = self._normal.vm.inputs.arrays
        return bool(arrays.refused[arrays.vms.row_of[vm]])

    def _alone(self, row: int) -> str:
        served = row not in self._downs and self._normal.vm.inputs.arrays.vms.some_clustered
        return PARTNERS_SERVE if served else STANDS_ALONE

    @cached_property
    def _positions(self) -> dict[str, int]:
        ids = self._normal.vm.inputs.arrays.hosts.ids
        return {id: position for position, id in enumerate(ids)}

    def _behind_response(self, mode: Mode) -> tuple[str, ...]:
        """Evidence of the responses in the clusters that lose hosts; without these, of all."""
        if not mode.hosts:
            return self._behind_all_responses
        cluster = self._normal.vm.inputs.arrays.hosts.cluster
        hit = {int(cluster[self._positions[id]]) for id in mode.hosts}
        behind = [self._made_of.behind_responses[each] for each in hit if each >= 0]
        return tuple(sorted({id for ids in behind for id in ids}))

    @cached_property
    def _made_of(self) -> ModesOf:
        return ModesOf(self._hosts.table)

    @cached_property
    def _behind_all_responses(self) -> tuple[str, ...]:
        estimate, sources = self._normal.responses.estimate, self._normal.vm.inputs.sources.all()
        codes = np.unique(estimate.evidence[estimate.known]).tolist()
        return tuple(sorted({id for code in codes for id in sources[code]}))

    def _pool_grounds(self, row: int, estimate: Estimate) -> tuple[Basis, tuple[str, ...]]:
        """Basis and evidence of the busiest pool's figures, as in normal operation."""
        pool = int(self.columns.pool[row])
        if pool < 0:
            return Basis.RULE, ()
        sources = self._normal.vm.inputs.sources.all()
        return _BASES[int(estimate.basis[pool])], sources[int(estimate.evidence[pool])]

    def _note(self, row: int, stays_down: tuple[str, ...], *, judged: bool) -> str:
        said = [self._notes[row]] if self._notes.get(row) else []
        refused = [id for id in stays_down if self._is_refused(id)]
        stays_down = tuple(id for id in stays_down if id not in refused)
        if not judged and self.modes[row].hosts and (stays_down or not refused):
            said.append(self._alone(row) if stays_down else NOTHING_TO_FAIL_OVER)
        if refused:
            said.append(never_ran(len(refused)))
        if judged and stays_down:
            count, local = len(stays_down), sum(id in self._on_local_disks for id in stays_down)
            why = (
                ""
                if not local
                else say(", {local} with disks local to a host that is gone", local=local)
            )
            said.append(
                say_many("{count} VM stays down{why}", "{count} VMs stay down{why}", count, why=why)
            )
        if (position := self._place.get(row)) is not None:
            words = map(self._hosts.table.words_of, self._hosts.of_mode(position))
            said += dict.fromkeys(each for clauses in words for each in clauses if each)
        return joined_texts("; ", said)


def study_failures(
    scenario: Scenario,
    knowledge: Knowledge,
    *,
    which: Collection[ModeKind] = USUAL,
    check: Callable[[], None] = lambda: None,
) -> FailureStudy:
    """Work out the failure modes of these kinds.

    Numbers of a mode are those of the clusters that lose hosts; of modes without lost hosts, those
    of the whole scenario. Disks are judged in normal operation and when a controller is lost: a
    host that fails loads them no more than before, unless it takes drives along.

    Args:
        check: called between steps; may raise to give up.

    Raises:
        ModelError: an id that nothing in the scenario or the catalog has, with its field.
    """
    check()
    vm = demands_of(scenario, knowledge)
    arrays = vm.inputs.arrays
    normal = undisturbed(vm, scenario.policy)
    modes = tuple(mode for mode in modes_of(scenario, which) if _can_be_lost(arrays, mode))
    if ModeKind.SEVERAL in which:
        modes = (*modes, *_worst_losses(scenario, normal, {mode.id for mode in modes}))
    hosts_rows = [row for row, mode in enumerate(modes) if mode.hosts]
    host_modes = [modes[row] for row in hosts_rows]
    check()
    hosts = lose_hosts(normal, losses_of(arrays, host_modes), len(host_modes))
    check()
    protected = takeovers(scenario, normal, hosts, host_modes)
    others = [row for row, mode in enumerate(modes) if mode.kind in _MOVED]
    everydays = [row for row, mode in enumerate(modes) if mode.kind is ModeKind.NORMAL]
    variants = variants_of(scenario, arrays, [modes[row] for row in others])
    parts = [protected.columns]
    notes = {hosts_rows[row]: note for row, note in protected.notes.items()}
    check()
    if others:
        parts.append(columns_of(variants, arrays, scenario, knowledge))
        notes |= dict(zip(others, variants.notes, strict=True))
    check()
    if everydays:
        parts.append(everyday(normal, without_failures(normal), 1))
    order = np.argsort(np.array([*hosts_rows, *others, *everydays], dtype=np.int64))
    place = {row: position for position, row in enumerate(hosts_rows)}
    return FailureStudy(scenario, normal, modes, joined(parts, order), hosts, place, notes)


def _can_be_lost(arrays: Arrays, mode: Mode) -> bool:
    """Nothing moves away from a Domino server that can't be powered on, and pools whose drives
    stand in hosts have no controllers."""
    if mode.kind is ModeKind.CONTROLLER:
        return not arrays.pools.in_hosts[arrays.pools.ids.index(mode.subject)]
    is_partner = mode.kind is ModeKind.PARTNER
    return not is_partner or bool(arrays.started[arrays.vms.row_of[mode.subject]])


def _worst_losses(scenario: Scenario, normal: Undisturbed, known: set[str]) -> Iterator[Mode]:
    """The losses of several hosts that a prediction has as modes, unless they are modes already."""
    several = several_gone(normal)
    if several is None:
        return
    for row, mode in zip(several.rows, several.modes, strict=True):
        if mode.id not in known:
            subject = scenario.clusters[several.sets.cluster[row]].id
            yield replace(mode.mode, subject=subject)


_MOVED = (ModeKind.PARTNER, ModeKind.CONTROLLER)


def _partly(quantity: Quantity, unknown: float) -> Quantity:
    """The same with so many VMs behind it that have no data."""
    return replace(quantity, unknown=int(unknown)) if unknown else quantity


def _quantity(ends: FloatArray, basis: Basis, evidence: tuple[str, ...] = ()) -> Quantity:
    value, low, high = ends.tolist()
    return NO_DATA if np.isnan(value) else Quantity(value, low, high, basis, evidence)


def _limit(found: float) -> float | None:
    return None if np.isnan(found) else float(found)


def _id(ids: Sequence[str], position: int | np.integer | IntArray) -> str:
    return ids[int(position)] if int(position) >= 0 else ""
