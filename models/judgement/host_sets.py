"""Several hosts gone at once, judged, where a cluster's admission control tolerates as many.

Such a loss is judged as the loss of one host is: over a limit, or near it, it puts the scenario at
risk and no worse. The worst one of each cluster is a failure mode and counts in the headroom; it
never is the number that decides, which speaks of normal operation or of one host: the sentence and
a finding name it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from models.base.lazily import lazy
from models.base.quantities import BoolArray, IntArray
from models.base.record import record
from models.failure.host_sets import HostSets
from models.failure.mode import mode_of
from models.judgement.against_limits import Judged, may_exceed
from models.judgement.failure_modes import ModesOf, all_down
from models.judgement.failure_table import WORST_ADDED, Before, FailureTable
from models.physics.columns import some
from models.predict.prediction import Binding, FailureMode, Verdict


@dataclass(frozen=True, slots=True)
class WorstSet:
    """The set of a cluster's hosts whose loss is worst.

    Attributes:
        row: of the set; `hosts`: positions of those that are gone, in the order of their ids.
        code: `Verdict` code; `as_before`: what has it has it without any failure; `unseen`: nothing
            is known of the survivors' CPU, and what has no data could take them over the limit.
        stranded: number of VMs that find no room; `short_gib`, `short_ghz` what is missing, no
            GHz where CPU is over its limit without any failure.
        binding: of those with that code the number that reaches furthest, its high end taken into
            account, with the VM that restarts where it is of its vCPUs; `load` value over limit,
            −∞ where nothing is known. What the loss brings about goes before what was so without
            it.
        before: the survivors that pass the limit of that resource without any failure, where the
            loss takes none over it; of response none are named.
        over_too: it passes that limit without any failure as well, by less.
        own_over: rows of the VMs that restart and pass the limit of their vCPUs, where it is of
            these; `own_alone`: nothing else passes its limit.
        broken, sets: how many sets don't fit, of how many that were worked out.
    """

    row: int
    hosts: tuple[int, ...]
    code: int
    as_before: bool
    unseen: bool
    stranded: int
    short_gib: float
    short_ghz: float
    binding: Binding
    load: float
    before: list[int]
    over_too: bool
    own_over: list[int]
    own_alone: bool
    broken: int
    sets: int


@record(slots=False)
class Several:
    """The sets of hosts with the numbers after their loss, a row a set, shape (m,)."""

    sets: HostSets
    table: FailureTable
    before: Before

    @classmethod
    def of(cls, sets: HostSets, table: FailureTable, before: Before) -> Several:
        """The sets with their failure table, of which those are judged that anything ran on."""
        arrays = table.inputs.arrays
        running = np.append(arrays.vms_by_host.counts, 0)[table.inputs.failover.members]
        drives = table.inputs.drives
        taken = False if drives is None else drives.some_taken
        hit = ((running * sets.gone).sum(axis=1) > 0) | taken
        return cls(sets, replace(table, judged=np.asarray(hit)), before)

    @lazy
    def codes(self) -> npt.NDArray[np.int8]:
        """`Verdict` codes of the sets by what is known, their VMs’ own vCPUs only on slower
        cores."""
        return self._judged[0]

    @lazy
    def added(self) -> npt.NDArray[np.int8]:
        """As `FailureTable.added` has it."""
        return self.table.added(self.judged, self.before)

    @lazy
    def doubtful(self) -> BoolArray:
        """Sets that put the scenario at risk by what their loss brings about."""
        return np.asarray((self.added > 0).any(axis=0) | self.table.unseen)

    @property
    def judged(self) -> list[Judged]:
        """Each resource of all sets, as `FailureTable.resources`."""
        return self._judged[1]

    @lazy
    def modes(self) -> tuple[FailureMode, ...]:
        """Of each cluster the worst loss as a failure mode, and the one that leaves least of the
        limits, where that is another: the headroom that the dial shows is of one of them."""
        return tuple(map(self._mode, self.rows))

    @lazy
    def rows(self) -> list[int]:
        """The sets that `modes` are of."""
        pairs = [(self.worst(each).row, self._tightest(each)) for each in self.clusters()]
        return [row for pair in pairs for row in dict.fromkeys(pair)]

    def _tightest(self, cluster: int) -> int:
        """The set of a cluster that leaves least of the limits of CPU and RAM."""
        rows = (self.sets.cluster == cluster).nonzero()[0]
        loads = [each.load[rows] for each in self.judged if each.resource != "response_ms"]
        return int(rows[np.nan_to_num(np.fmax.reduce(loads), nan=-np.inf).argmax()])

    @lazy
    def _made(self) -> ModesOf:
        return ModesOf(self.table)

    def _mode(self, row: int) -> FailureMode:
        """With the verdict that every mode has, VMs’ own vCPUs among it."""
        hosts = self.table.inputs.failover.members[row][self.sets.gone[row]].tolist()
        code = int(self.table.codes(self.judged)[row])
        return self._made.of(row, hosts, code, all_down(self.table.inputs.arrays, hosts))

    @property
    def some_doubtful(self) -> bool:
        return some(self.doubtful)

    def clusters(self) -> list[int]:
        """The clusters that lose several hosts at once, in the scenario's order."""
        found: list[int] = self.sets.tried.nonzero()[0].tolist()
        return found

    def worst(self, cluster: int) -> WorstSet:
        """Of the sets of a cluster: the worst verdict, first by what the loss brings about itself,
        then the most VMs without room, then the load nearest to or furthest over its limit; the
        first of equals by the hosts' ids."""
        return self._worst[cluster]

    @lazy
    def _worst(self) -> dict[int, WorstSet]:
        return {cluster: self._worst_of(cluster) for cluster in self.clusters()}

    def _order(self, rows: IntArray) -> IntArray:
        """These sets, the worst first, as `worst` has it."""
        added = np.maximum.reduce(self.added[:, rows])
        loads = np.array([each.load[rows] for each in self.judged])
        told = ~np.isnan(loads) & (self.added[:, rows] == added)
        load = np.fmax.reduce(np.where(told, loads, -np.inf))
        keys = (load, self.table.stranded[rows], self.table.unseen[rows], added, self.codes[rows])
        return rows[np.lexsort([-np.asarray(key, dtype=np.float64) for key in keys])]

    def _worst_of(self, cluster: int) -> WorstSet:
        table, failover = self.table, self.table.inputs.failover
        rows = (self.sets.cluster == cluster).nonzero()[0]
        row = int(self._order(rows)[0])
        code, added = int(self.codes[row]), self.added[:, row].tolist()
        of_each = zip(added, self.judged, strict=True)
        own_doing = [(most, each) for most, each in of_each if most >= 2 * code]
        passes = code >= Verdict.DOES_NOT_FIT
        response_ms = self.before.response_ms[0]
        (before,) = table.over_before(np.array([row]), response_ms) if passes else ({},)
        told = [each for most, each in own_doing if most == max(added)] or self.judged
        nearest = max(told, key=lambda each: _reach(each, row, code))
        hosts = failover.members[row][self.sets.gone[row]]
        ids = self.gone(row)
        binding = nearest.binding(row, ids[0], mode_of(ids))
        if binding.own:
            by_high = may_exceed(binding.value, nearest.high[row], binding.limit)
            binding = table.with_restart(binding, row, by_high=by_high)
        loads = [each.load[row] for each in told if not np.isnan(each.value[row])]
        return WorstSet(
            row=row,
            hosts=tuple(hosts.tolist()),
            code=code,
            as_before=not own_doing,
            unseen=bool(self.table.unseen[row]),
            stranded=int(self.table.stranded[row]),
            short_gib=float(failover.short_gib[row]),
            short_ghz=0.0 if "cpu_pct" in before else float(table.cpu_short_ghz[row]),
            binding=binding,
            load=float(max(loads, default=-np.inf)),
            before=[] if own_doing else before.get(nearest.resource, []),
            over_too=max(added) == WORST_ADDED - 1,
            own_over=[each.vm for each in table.restarts_over(row)] if nearest.own else [],
            own_alone=bool(own_doing) and all(each.own for _, each in own_doing),
            broken=int(np.count_nonzero(self.codes[rows] >= Verdict.DOES_NOT_FIT)),
            sets=len(rows),
        )

    def gone(self, row: int) -> tuple[str, ...]:
        """Ids of the hosts of a set."""
        ids, members = self.table.inputs.arrays.hosts.ids, self.table.inputs.failover.members
        return tuple([ids[host] for host in members[row][self.sets.gone[row]].tolist()])

    def at_once(self, cluster: int) -> int:
        """How many hosts of a cluster are gone at once."""
        return int(np.count_nonzero(self.sets.gone[self.sets.cluster == cluster][0]))

    def size(self, cluster: int) -> int:
        """Hosts of a cluster."""
        return int(self.table.inputs.arrays.hosts.cluster_sizes[cluster])

    def loses_something(self, cluster: int) -> bool:
        """Whether anything runs on hosts of a cluster."""
        return some(self.table.judged[self.sets.cluster == cluster])

    @lazy
    def _judged(self) -> tuple[npt.NDArray[np.int8], list[Judged]]:
        """Codes of the sets by what is known (m,), and each resource judged."""
        judged = self.table.judge()
        codes = [np.where(np.isnan(each.value), 0, each.codes) for each in judged]
        worst: npt.NDArray[np.int8] = np.maximum.reduce(codes).astype(np.int8)
        return worst, judged


def _reach(judged: Judged, row: int, code: int) -> float:
    """How far a resource reaches in a set, over its limit; −∞ where another decides."""
    if np.isnan(judged.value[row]) or judged.codes[row] != code:
        return -np.inf
    if code >= Verdict.DOES_NOT_FIT:
        return float(judged.load[row])
    return float(np.fmax(judged.load[row], judged.high[row] / judged.limit_of(row)))


def copies_at_risk(several: Several | None, count: int) -> BoolArray:
    """Which of `count` copies side by side the loss of several hosts puts at risk, (count,)."""
    found = np.zeros(count, dtype=np.bool_)
    if several is not None and several.some_doubtful:
        each = len(several.table.inputs.arrays.clusters) // count
        found[several.sets.cluster[several.doubtful] // each] = True
    return found
