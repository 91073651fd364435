"""Failure modes as people read them, from the rows of a `FailureTable`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import compress
from math import isnan
from typing import overload

import numpy as np

from models.base.lazily import lazy
from models.base.quantities import NO_DATA, Basis, BoolArray, FloatArray, Quantity, judged_end
from models.base.record import record
from models.base.texts import Text, joined, say, say_many
from models.failure.mode import Mode, Stranded, mode_of
from models.failure.restarted import Restart
from models.failure.standalone_hosts import alone, down_together, down_with_hosts
from models.judgement.against_limits import Judged, may_exceed
from models.judgement.failure_table import FailureTable
from models.physics.arrays import Arrays
from models.physics.columns import some
from models.physics.estimates import INTERPOLATED, RULE
from models.physics.estimates import NO_DATA as UNKNOWN
from models.predict.prediction import Binding, Down, FailureMode, Shortfall, Verdict

_VERDICTS = tuple(Verdict)
_BASES = tuple(Basis)
IN_MAINTENANCE = say("in maintenance")
NOTHING_TO_FAIL_OVER = say("nothing to fail over")
STANDS_ALONE = say("has no HA: its VMs are down until it is repaired")
PARTNERS_SERVE = say("has no HA: its users go on with their cluster partners")


def never_ran(count: int) -> Text:
    """Why VMs aren't restarted that can't be powered on."""
    return say_many(
        "{count} VM can’t be powered on, so it did not run before either",
        "{count} VMs can’t be powered on, so they did not run before either",
        count,
    )


@record
class Breaks:
    """What the failure of a host brings about that passes a limit.

    Attributes:
        host: position of the one that is gone.
        stranded: number of VMs that find no room; `shortfall`: as `FailureMode` has it.
        resources: of the survivors; `before`: as `FailureTable.over_before` has it.
        restarts: the VMs that pass that of their own vCPUs where they restart, worst first.
    """

    host: int
    stranded: int
    shortfall: Shortfall
    resources: list[str]
    before: dict[str, list[int]]
    restarts: list[Restart]


@record(slots=False)
class FailureModes(Sequence[FailureMode]):
    """What the loss of each host comes to; the modes are made when somebody reads them."""

    table: FailureTable
    resources: Sequence[Judged]

    @lazy
    def all(self) -> tuple[FailureMode, ...]:
        """One mode a host, in the scenario's order, hosts that nothing fails over from included."""
        made, codes = ModesOf(self.table), self.table.codes(self.resources).tolist()
        failed = self.table.inputs.failover.failed
        judged = {int(failed[row]): row for row in self.table.judged.nonzero()[0].tolist()}
        return tuple(
            [
                made.of(judged[host], [host], codes[judged[host]], down_of(self.down[:, host]))
                if host in judged
                else self._without(host, made.refused[host])
                for host in range(len(self))
            ]
        )

    def __len__(self) -> int:
        return len(self.table.inputs.arrays.hosts)

    @overload
    def __getitem__(self, index: int) -> FailureMode: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[FailureMode, ...]: ...
    def __getitem__(self, index: int | slice) -> FailureMode | tuple[FailureMode, ...]:
        return self.all[index]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, FailureModes | tuple) and self.all == tuple(other)

    def __hash__(self) -> int:
        return hash(self.all)

    @property
    def some_tested(self) -> bool:
        """Whether any host has something to fail over, and somewhere to."""
        return some(self.table.judged)

    @lazy
    def down(self) -> FloatArray:
        """VMs and users that stay down with each host, shape (3, h)."""
        return down_with_hosts(self.table.inputs.arrays)

    @property
    def some_alone(self) -> bool:
        """Whether VMs run on a host that stands alone."""
        return some(alone(self.table.inputs.arrays))

    @property
    def all_fit(self) -> bool:
        """Whether the survivors fit, whichever host fails."""
        table = self.table
        others = some(table.disk_codes > 0) or some(table.passing)
        return all(each.fits for each in self.resources) and not others

    @property
    def all_known(self) -> bool:
        """Whether what runs after each failure has all the data that a verdict needs."""
        return not any(each.lacks for each in self.resources)

    @property
    def some_left_down(self) -> bool:
        """Whether any VM of a cluster stays down with its host."""
        return some((self.down[0] > 0) & (self.table.inputs.arrays.hosts.cluster >= 0))

    def broken(self, response_ms: FloatArray) -> Iterator[Breaks]:
        """What breaks in each mode that does not fit.

        Args:
            response_ms: of each VM in normal operation, NaN for no data, (n,).
        """
        if not any(each.worst_code >= Verdict.DOES_NOT_FIT for each in self.resources):
            return
        table = self.table
        over = np.array([each.codes for each in self.resources]) >= int(Verdict.DOES_NOT_FIT)
        rows = (over.any(axis=0) & table.judged).nonzero()[0]
        columns = (
            rows.tolist(),
            table.inputs.failover.failed[rows].tolist(),
            table.stranded[rows].tolist(),
            table.inputs.failover.short_gib[rows].tolist(),
            table.cpu_short_ghz[rows].tolist(),
            over[:, rows].T.tolist(),
            table.over_before(rows, response_ms),
        )
        for row, host, stranded, gib, ghz, is_over, before in zip(*columns, strict=True):
            passed = list(compress(self.resources, is_over))
            own = any(each.own for each in passed)
            yield Breaks(
                host,
                stranded,
                Shortfall(ram_gib=gib, cpu_ghz=ghz),
                [each.resource for each in passed if not each.own],
                before,
                table.restarts_over(row) if own else [],
            )

    def with_restart(self, binding: Binding) -> Binding:
        """One of the vCPUs of a VM that restarts, with the VM, and where."""
        row = self.table.ids.index(binding.subject)
        by_high = may_exceed(binding.value, binding.high or 0.0, binding.limit)
        return self.table.with_restart(binding, row, by_high=by_high)

    def stranded_in(self, mode: str) -> int:
        """How many VMs find no room in the mode of that name."""
        counts = (count for id, count in self.stranded.items() if mode_of((id,)) == mode)
        return next(counts, 0)

    @lazy
    def stranded(self) -> dict[str, int]:
        """How many VMs find no room with each host gone, by its id in their order; others left
        out."""
        counts, ids = self.table.stranded, self.table.ids
        rows = sorted(counts.nonzero()[0].tolist(), key=ids.__getitem__)
        return {ids[row]: int(counts[row]) for row in rows}

    def _without(self, host: int, refused: int) -> FailureMode:
        """The mode of a host that nothing fails over from; `refused`: VMs that never ran there."""
        arrays = self.table.inputs.arrays
        ids, there = (arrays.hosts.ids[host],), arrays.vms_by_host.counts[host]
        if arrays.hosts.away[host]:
            return _not_judged(ids, IN_MAINTENANCE)
        if not there:
            return _not_judged(ids, NOTHING_TO_FAIL_OVER)
        down = down_of(self.down[:, host])
        said: list[str] = []
        if there > refused:
            served = down is None and arrays.vms.some_clustered
            said.append(PARTNERS_SERVE if served else STANDS_ALONE)
        if refused:
            said.append(never_ran(refused))
        return _not_judged(ids, joined("; ", said), down)


@record(slots=False)
class ModesOf:
    """Failure modes from the rows of a table."""

    table: FailureTable

    def of(self, row: int, hosts: Sequence[int], code: int, down: Down | None) -> FailureMode:
        """The mode in a row.

        Args:
            hosts: which are gone, in the order to be named; `code`: `Verdict` code of the mode by
                what survives; `down`: what stays down.
        """
        table, arrays = self.table, self.table.inputs.arrays
        ids = tuple([arrays.hosts.ids[host] for host in hosts])
        if not table.judged[row]:
            return _not_judged(ids, NOTHING_TO_FAIL_OVER)
        numbers = self._numbers[row]
        ram_pct, short_gib, short_ghz, unknown, unlisted = numbers[10:]
        ram = _quantity([ram_pct] * 3, Basis.RULE)
        cpu = _judged(numbers[:4], *self.cpu_grounds([*hosts, self._worst_survivors[row]]))
        behind = self.behind_responses[arrays.hosts.cluster[hosts[0]]]
        unwanted, refused = (
            sum([counts[host] for host in hosts]) for counts in (self._unwanted, self.refused)
        )
        return FailureMode(
            mode=Mode.of_hosts(ids),
            cpu_pct=replace(cpu, unknown=int(unknown)) if unknown else cpu,
            ram_pct=replace(ram, unknown=int(unlisted)) if unlisted else ram,
            ram_limit_pct=table.inputs.policy.memory_overcommit * 100.0,
            vm_cpu_pct=own_quantity(*numbers[8:10]),
            response_ms=_judged(numbers[4:8], Basis.TRANSFERRED, behind),
            shortfall=Shortfall(ram_gib=short_gib, cpu_ghz=short_ghz),
            not_restarted=tuple([Stranded(vm=vm) for vm in self._stranded.get(row, ())]),
            verdict=_VERDICTS[code] if down is None else Verdict.DOES_NOT_FIT,
            down=down,
            is_assumed=int(arrays.hosts.cluster[hosts[0]]) in self._assumed,
            disk_pct=self._disk_pct(row),
            note=joined("; ", filter(None, (_left_down(unwanted, refused), *table.words_of(row)))),
        )

    def _disk_pct(self, row: int) -> Quantity:
        """Utilisation of the busiest pool that loses drives."""
        lost = self.table.inputs.drives
        if lost is None or np.isnan(lost.busy_pct[0, row]).all():
            return NO_DATA
        pool = int(np.nanargmax(lost.busy_pct[0, row]))
        return _quantity(lost.busy_pct[:, row, pool].tolist(), Basis.RULE)

    @lazy
    def _assumed(self) -> frozenset[int]:
        """Clusters that run loads which are assumed."""
        arrays = self.table.inputs.arrays
        hosts = arrays.vms.host[arrays.vms.running & arrays.vms.load_assumed]
        return frozenset(arrays.hosts.cluster[hosts].tolist())

    @lazy
    def refused(self) -> list[int]:
        """VMs that can't be powered on, host by host."""
        arrays = self.table.inputs.arrays
        return _counted(arrays, arrays.vms.running & arrays.refused)

    @lazy
    def _unwanted(self) -> list[int]:
        arrays = self.table.inputs.arrays
        return _counted(arrays, arrays.vms.running & arrays.stays_down & ~arrays.refused)

    @lazy
    def _worst_survivors(self) -> list[int]:
        worst: list[int] = self.table.worst_survivors()[0].tolist()
        return worst

    @lazy
    def _numbers(self) -> list[list[float]]:
        """What modes are made of, row by row: reading single numbers from arrays takes longer."""
        table, inputs = self.table, self.table.inputs
        ms = table.shown_ms
        slow = judged_end(ms[0], ms[2], inputs.policy.posture.share)
        cpu = (table.cpu_pct, table.cpu_low, table.cpu_high, table.judged_high)
        short = (inputs.failover.short_gib, table.cpu_short_ghz)
        columns = (
            *cpu,
            *ms,
            slow,
            *table.own_pct,
            table.ram_pct,
            *short,
            table.unknown,
            table.unlisted,
        )
        rows: list[list[float]] = np.array(columns).T.tolist()
        return rows

    @lazy
    def _stranded(self) -> dict[int, list[str]]:
        """Ids of the VMs that find no room, by row, sorted."""
        failover, ids = self.table.inputs.failover, self.table.inputs.arrays.vms.ids
        there = failover.stranded()
        found: dict[int, list[str]] = {}
        modes, vms = failover.moved_mode[there].tolist(), failover.moved_vm[there].tolist()
        for row, vm in zip(modes, vms, strict=True):
            found.setdefault(row, []).append(ids[vm])
        return {row: sorted(vms) for row, vms in found.items()}

    def cpu_grounds(self, hosts: Iterable[int]) -> tuple[Basis, tuple[str, ...]]:
        """Basis and evidence of the CPU in a mode, from what its hosts rest on in normal operation.

        The weakest basis, and all evidence, of those on which something runs that is known; at best
        interpolated. A host that was empty is no ground: what lands there brings its own.

        Args:
            hosts: those that are gone, and the worst survivor (−1 for none).
        """
        is_ground, basis, evidence = self._grounds
        there = [host for host in hosts if host >= 0 and is_ground[host]]
        weakest = _BASES[max([INTERPOLATED, *[basis[host] for host in there]])]
        return weakest, tuple(sorted({id for host in there for id in evidence[host]}))

    @lazy
    def _grounds(self) -> tuple[list[bool], list[int], list[tuple[str, ...]]]:
        busy, sources = self.table.inputs.host_cpu, self.table.inputs.sources.all()
        known = (busy.basis != UNKNOWN) & ((busy.basis != RULE) | (busy.value > 0))
        evidence = [sources[code] for code in busy.evidence.tolist()]
        return known.tolist(), busy.basis.tolist(), evidence

    @lazy
    def behind_responses(self) -> list[tuple[str, ...]]:
        """Evidence of the worst response when hosts of a cluster fail, by cluster.

        All that the responses of its VMs rest on in normal operation: the value and the high end
        may be of any two of them.
        """
        inputs = self.table.inputs
        arrays, sources = inputs.arrays, inputs.sources
        cluster = np.append(arrays.hosts.cluster, -1).take(arrays.vms.place)
        codes = sources.behind_sums(inputs.responses, cluster, len(arrays.clusters))[1]
        ids = sources.all()
        return [ids[code] for code in codes.tolist()]


def down_of(numbers: FloatArray) -> Down | None:
    """What is down, from VMs and users of mail and of chat, (3,); None for nothing."""
    vms, mail, chat = numbers.tolist()
    return Down(round(vms), mail, chat) if vms else None


def all_down(arrays: Arrays, hosts: Sequence[int]) -> Down | None:
    """What stays down with several hosts at once; None for nothing."""
    gone = np.zeros(len(arrays.hosts), dtype=np.bool_)
    gone[list(hosts)] = True
    return down_of(np.array(down_together(arrays, gone)))


def own_quantity(value: float, high: float) -> Quantity:
    """CPU of a VM's own vCPUs as a quantity without a low end of its own."""
    return _quantity([value, value, high], Basis.TRANSFERRED)


def _counted(arrays: Arrays, which: BoolArray) -> list[int]:
    """How many of these VMs, all of which have a host, stand on each."""
    counts: list[int] = np.bincount(arrays.vms.host[which], minlength=len(arrays.hosts)).tolist()
    return counts


def _quantity(ends: list[float], basis: Basis, evidence: tuple[str, ...] = ()) -> Quantity:
    value, low, high = ends
    return NO_DATA if isnan(value) else Quantity(value, low, high, basis, evidence)


def _judged(ends: list[float], basis: Basis, evidence: tuple[str, ...]) -> Quantity:
    """A number from value, low, high, and the end that verdicts look at."""
    return with_judged_high(_quantity(ends[:3], basis, evidence), ends[3])


def with_judged_high(quantity: Quantity, judged_high: float) -> Quantity:
    """A number with the high end that verdicts look at, if that is another one."""
    if quantity.value is None or judged_high == quantity.high:
        return quantity
    return replace(quantity, judged_high=judged_high)


def _left_down(unwanted: int, refused: int) -> str:
    """What is said of VMs that HA is not to restart, and of those that never ran."""
    found: list[str] = [never_ran(refused)] if refused else []
    if unwanted:
        found.append(
            say_many(
                "{count} of its VMs is not restarted",
                "{count} of its VMs are not restarted",
                unwanted,
            )
        )
    return joined("; ", found)


def _not_judged(ids: Sequence[str], note: str, down: Down | None = None) -> FailureMode:
    return FailureMode(
        mode=Mode.of_hosts(ids),
        cpu_pct=NO_DATA,
        ram_pct=NO_DATA,
        response_ms=NO_DATA,
        shortfall=Shortfall(),
        not_restarted=(),
        verdict=None,
        note=note,
        down=down,
    )
