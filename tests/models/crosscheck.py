"""The closed forms of `evaluate` against networks of queues solved exactly, from the same demands.

One host, one pool, like VMs: users who think, the VMs' virtual CPUs, the host's cores where there
are fewer of them than virtual CPUs, every drive as a queue of its own that writes keep busy too,
and the rest of an idle response as a delay. `python -m tests.models.crosscheck` prints the table of
docs/queueing.md; the test beside this file repeats it.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from models.base.quantities import FloatArray
from models.physics.cpu import waiting_ratio
from models.physics.estimates import Sources
from models.physics.scenario_to_arrays import to_arrays
from models.predict.demands import vm_stage
from models.queueing.one_class import SingleClassBatch
from models.queueing.single_class import solve_single_class
from models.scenario.scenario import Scenario
from models.stages import Undisturbed, undisturbed
from tests.models.worlds import (
    CALIBRATION,
    CATALOG,
    KNOWLEDGE,
    a_host,
    a_pool,
    a_scenario,
    a_vm,
    wv21,
)

USERS = (1000.0, 2000.0, 4000.0, 6000.0, 8000.0, 10000.0, 12000.0)
NEIGHBOURS = (1, 2, 4, 6)
DRIVES = (64, 24)
_GUESSES = 17


@dataclass(frozen=True, slots=True)
class Deviation:
    """One scenario, predicted and solved.

    Attributes:
        vms, drives, users: VMs on the host, drives of the pool, users a VM.
        asked: largest offered load of vCPUs, cores and drives [1].
        cpu, solved_cpu: load of the cores, predicted and solved [%]; `pool` likewise.
        response, solved: response time [ms].
        shared, solved_shared: what the neighbours add to it [ms].
        wait, solved_wait: mean wait for a core over mean run [1]; 0 without contention.
    """

    vms: int
    drives: int
    users: float
    asked: float
    cpu: float
    solved_cpu: float
    pool: float
    solved_pool: float
    response: float
    solved: float
    shared: float
    solved_shared: float
    wait: float
    solved_wait: float


def building_blocks(vms: int, users: float, drives: int) -> Scenario:
    """Like VMs of family B on one Nehalem host with 8 cores and one FAS3020 pool."""
    return a_scenario(
        hosts=(a_host(ram_gib=512.0),),
        pools=(a_pool(spindles=drives),),
        vms=tuple(a_vm(f"m{number}", users) for number in range(vms)),
    )


def predicted(scenario: Scenario) -> Undisturbed:
    """Normal operation by the closed forms."""
    arrays = to_arrays(scenario, CATALOG)
    stage = vm_stage(arrays, scenario.policy.derating, KNOWLEDGE, Sources())
    return undisturbed(stage, scenario.policy, however_wide=True)


@dataclass(frozen=True, slots=True)
class Solved:
    """The network: loads [%], response [ms], wait for a core over run [1]."""

    cpu: float
    pool: float
    response: float
    wait: float


@dataclass(frozen=True, slots=True)
class Demands:
    """What one action of a user asks for, and where.

    Attributes:
        population, think_s: users of all VMs, who find their VM by chance, which for thousands of
            users is the same as VMs of their own; think time and what never queues.
        cpu_s, disk_s: CPU and disk time of an action.
        vms, vcpus, cores, drives: how many there are.
        written: drives kept busy by what an action writes [drive seconds].
        visits, limit: I/Os of an action; I/Os per second that the pool can carry.
    """

    population: int
    think_s: float
    cpu_s: float
    disk_s: float
    vms: int
    vcpus: int
    cores: int
    drives: int
    written: float
    visits: float
    limit: float

    @staticmethod
    def of(normal: Undisturbed) -> Demands:
        """The demands that the closed forms took for a scenario of like VMs."""
        arrays, parts, alone = (
            normal.vm.inputs.arrays,
            normal.responses.parts,
            normal.responses.alone,
        )
        base, cpu, disk = (float(ms[0]) for ms in (alone.base_ms, parts.cpu_ms, parts.disk_ms))
        vms, drives = len(arrays.vms), int(arrays.pools.spindles[0])
        limit = float(normal.pool.limit_iops[0])
        each = float(normal.vm.inputs.iops_per_user[0])
        visits = each * CALIBRATION.law.think_time_ms / 1000.0
        rest = max(base - cpu - disk, 0.0)
        return Demands(
            population=round(float(normal.vm.inputs.users[0]) * vms),
            think_s=(CALIBRATION.law.think_time_ms + rest) / 1000.0,
            cpu_s=cpu / 1000.0,
            disk_s=disk / 1000.0,
            vms=vms,
            vcpus=int(arrays.vms.vcpus[0]),
            cores=int(arrays.hosts.cores[0]),
            drives=drives,
            written=visits / limit * drives - disk / 1000.0,
            visits=visits,
            limit=limit,
        )

    @property
    def contended(self) -> bool:
        """Whether a virtual CPU may have to wait for a core."""
        return self.vms * self.vcpus > self.cores

    def solve(self, throughput: FloatArray) -> SingleClassBatch:
        """The network at each of these guesses of its throughput, which the writes follow."""
        cores, count = int(self.contended), len(throughput)
        servers = [self.vcpus] * self.vms + [self.cores] * cores + [1] * self.drives
        demand = [self.cpu_s / self.vms] * self.vms + [self.cpu_s] * cores
        demand += [self.disk_s / self.drives] * self.drives
        opened = np.zeros((len(servers), count))
        opened[-self.drives :] = np.minimum(throughput * self.written / self.drives, 1.0 - 1e-9)
        return solve_single_class(
            np.repeat(np.array(demand)[:, None], count, axis=1),
            np.array(servers),
            np.full(count, float(self.population)),
            np.full(count, self.think_s),
            opened,
        )


def _around(asks: Demands, guess: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The two guesses of a throughput that it lies between, and what it is beyond each, (2,)."""
    beyond = asks.solve(guess).throughput - guess
    above = int(np.clip(np.count_nonzero(beyond >= 0.0), 1, len(guess) - 1))
    return guess[above - 1 : above + 1], beyond[above - 1 : above + 1]


def solve_like(normal: Undisturbed) -> Solved:
    """The network of a scenario of like VMs, exactly, from the demands that it was predicted by."""
    asks = Demands.of(normal)
    # The more is written, the less gets through: they meet once. Between two guesses that are so
    # near to each other the rest is a straight line.
    (low, high), _ = _around(asks, np.linspace(0.0, asks.population / asks.think_s, _GUESSES))
    guess, beyond = _around(asks, np.linspace(low, high, _GUESSES))
    met = np.interp(0.0, beyond[::-1], guess[::-1])
    batch = asks.solve(np.array([met]))
    throughput = float(batch.throughput[0])
    held = float(batch.queue_length[asks.vms, 0]) / throughput if asks.contended else asks.cpu_s
    queues = float(batch.queue_length.sum()) / throughput
    rest_s = asks.think_s - CALIBRATION.law.think_time_ms / 1000.0
    return Solved(
        cpu=100.0 * throughput * asks.cpu_s / asks.cores,
        pool=100.0 * throughput * asks.visits / asks.limit,
        # A virtual CPU and the core under it are held together: a run counts once.
        response=1000.0 * (rest_s + queues - asks.cpu_s * asks.contended),
        wait=held / asks.cpu_s - 1.0,
    )


@cache
def both(vms: int, users: float, drives: int) -> tuple[Undisturbed, Solved]:
    """Building blocks, predicted and solved."""
    normal = predicted(building_blocks(vms, users, drives))
    return normal, solve_like(normal)


def deviation(vms: int, users: float, drives: int) -> Deviation:
    """Predicted and solved, with and without neighbours."""
    normal, solved = both(vms, users, drives)
    single, single_solved = both(1, users, drives)
    own, own_solved = _response(single), single_solved.response
    cores = float(normal.vm.inputs.arrays.hosts.cores[0])
    busy = float(normal.host.cores_busy.value[0])
    pool = float(normal.pool.utilisation_pct.value[0])
    contended = vms * float(normal.vm.inputs.arrays.vms.vcpus[0]) > cores
    wait = float(waiting_ratio(np.array(cores), np.array(busy))) if contended else 0.0
    return Deviation(
        vms=vms,
        drives=drives,
        users=users,
        asked=max(busy / cores, pool / 100.0, float(normal.responses.alone.load[0])),
        cpu=100.0 * busy / cores,
        solved_cpu=solved.cpu,
        pool=pool,
        solved_pool=solved.pool,
        response=_response(normal),
        solved=solved.response,
        shared=_response(normal) - own,
        solved_shared=solved.response - own_solved,
        wait=wait,
        solved_wait=solved.wait,
    )


def _response(normal: Undisturbed) -> float:
    return float(normal.responses.estimate.value[0])


def grid(all_drives: Sequence[int] = DRIVES) -> list[Deviation]:
    """Every number of VMs and users with each of these numbers of drives."""
    return [
        deviation(vms, users, drives)
        for drives in all_drives
        for vms in NEIGHBOURS
        for users in USERS
    ]


def family_a_grid() -> list[tuple[float, float, float]]:
    """Users, response by family A's law and by the network of its transferred demands [ms]."""
    runs = [1000.0, 2000.0, 3000.0, 4000.0, 5000.0, 6000.0]
    found = []
    for users in runs:
        normal = predicted(wv21("clovertown", "vmfs", 14.5, users))
        found.append((users, _response(normal), solve_like(normal).response))
    return found


def band(found: Sequence[Deviation], least: float, most: float) -> list[Deviation]:
    """The scenarios whose busiest resource is offered a load in this range."""
    return [row for row in found if least <= row.asked < most]


BANDS = ((0.0, 0.5), (0.5, 0.8), (0.8, 0.95), (0.95, 1.05), (1.05, 9.0))


def table(found: Sequence[Deviation]) -> str:
    """The table of docs/queueing.md."""
    head = (
        "offered load",
        "n",
        "utilisation, mean / worst",
        "response, mean / worst",
        "neighbours' share of it, mean / worst",
    )
    lines = [f"| {' | '.join(head)} |", f"|{' --- |' * len(head)}"]
    lines += [f"| {' | '.join(_cells(band(found, *ends), *ends))} |" for ends in BANDS]
    return "\n".join(lines)


def _cells(rows: Sequence[Deviation], least: float, most: float) -> list[str]:
    pairs = [pair for r in rows for pair in ((r.cpu, r.solved_cpu), (r.pool, r.solved_pool))]
    used = [abs(asked - carried) for asked, carried in pairs]
    times = [r.response / r.solved for r in rows]
    shared = [100.0 * (r.shared - r.solved_shared) / r.response for r in rows if r.vms > 1]
    worst = max(shared, key=abs)
    name = f"below {most:g}" if least == 0 else f"{least:g} – {most:g}"
    return [
        name if most < 9 else f"above {least:g}",
        str(len(rows)),
        f"{np.mean(used):.1f} / {max(used):.1f} points" if most <= 1.05 else "offered, see text",
        f"× {math.exp(float(np.mean(np.log(times)))):.2f} / × {max(times):.2f}",
        f"{np.mean(shared):+.1f} / {worst:+.1f} %",
    ]


def worst_wait(found: Sequence[Deviation]) -> float:
    """Largest difference of the wait for a core over run, formula less network, in normal load."""
    return max((row.wait - row.solved_wait for row in found if row.asked < 0.95), key=abs)


def main() -> None:
    rows = grid()
    say = sys.stdout.write
    say(table(rows) + "\n")
    say(f"wait for a core over run: formula less network, worst {worst_wait(rows):+.3f}\n")
    for users, law, network in family_a_grid():
        say(f"VMFS, 14.5 GB, {users:.0f} users: law {law:.0f} ms, network {network:.0f} ms\n")


if __name__ == "__main__":
    main()
