"""Worst ready time after restarts: who shares a host with newcomers waits longer for a core."""

from __future__ import annotations

import numpy as np

from models.failure.failover import Failover
from models.physics import cpu
from models.physics.estimates import Estimate
from models.physics.loads import vm_cpu_pct
from models.physics.response import reference_cores
from models.physics.responses import ready_ratio
from models.quantities import BoolArray, FloatArray, IntArray
from models.stages import Undisturbed, ran_side_by_side, ready_times


def normal_ready(normal: Undisturbed) -> Estimate:
    """Ready time of every VM in normal operation [% of wall time], as in the VMs' own table."""
    inputs = normal.vm.inputs
    vms = inputs.arrays.vms
    pct = vm_cpu_pct(normal.vm.cores, vms.vcpus)
    ratio = ready_ratio(normal.sharing.cores, normal.host.vcpus_beside(vms.host), vms.vcpus)
    as_ran = ran_side_by_side(normal.vm, normal.host)
    return ready_times(inputs, pct, ratio, vms.at.physical, as_ran)


def worst_ready_pct(normal: Undisturbed, failover: Failover) -> FloatArray:
    """Worst ready time among the survivors in each row of `failover`, (3, m); NaN: none known.

    Hosts that nobody restarted on stand as before; on the others everybody is looked at.
    """
    arrays = normal.vm.inputs.arrays
    modes, width = failover.members.shape
    crowded = np.zeros(modes * width, dtype=np.bool_)
    mode, newcomers, cell = failover.elsewhere
    crowded[cell] = True
    table = crowded.reshape(modes, width)
    worst = _unchanged(normal, failover, table)
    crowd = np.flatnonzero(crowded)
    at_mode, at_column = np.divmod(crowd, width)
    staying, of = arrays.vms_by_host.on(failover.members[at_mode, at_column])
    vm = np.concatenate([staying, newcomers])
    in_mode = np.concatenate([at_mode[of], mode])
    in_column = np.concatenate([at_column[of], cell % width])
    vcpus = np.append(normal.host.vcpus, 0.0).take(failover.members).ravel()
    landed = failover.landed_cell
    np.add.at(vcpus, landed, arrays.vms.vcpus[failover.moved_vm[failover.landed]])
    ready = _ready(normal, failover, vm, in_mode, in_column, vcpus.reshape(modes, width))
    for end in range(3):
        np.fmax.at(worst[end], in_mode, ready[end])
    worst[np.isneginf(worst)] = np.nan
    return worst


def _unchanged(normal: Undisturbed, failover: Failover, crowded: BoolArray) -> FloatArray:
    """The worst on the survivors that took nothing over, −∞ where none is known."""
    arrays = normal.vm.inputs.arrays
    ready = normal_ready(normal).ends
    per_host = np.full((3, len(arrays.hosts) + 1), -np.inf)
    per_host[:, :-1] = arrays.vms_by_host.greatest(ready)
    same = np.where(failover.alive & ~crowded, failover.members, -1)
    worst: FloatArray = per_host[:, same].max(axis=2, initial=-np.inf)
    return worst


def _ready(
    normal: Undisturbed,
    failover: Failover,
    vm: IntArray,
    mode: IntArray,
    column: IntArray,
    vcpus: FloatArray,
) -> FloatArray:
    """Ready time of VMs on the hosts in these columns of these modes, shape (3, k).

    Args:
        vcpus: virtual CPUs on the hosts after the restarts, (m, w).
    """
    places = normal.vm.places
    hosts, vms = normal.vm.inputs.arrays.hosts, normal.vm.inputs.arrays.vms
    host = failover.members[mode, column]
    cores, busy = hosts.cores[host], failover.cores_busy[mode, column]
    moved = vms.host[vm] != host
    kind = np.where(moved, places.of_host[host], 0)
    own = places.cores[:, kind, vm]
    known = ~np.isnan(own[0])
    reference = np.array([reference_cores(each.inputs.laws) for each in places.kinds])
    at_least = np.maximum(cores, reference[kind, vm])
    asked = np.fmax(own[0], 0.0)
    ratio = cpu.neighbour_ratio(
        cores,
        vcpus[mode, column],
        vms.vcpus[vm],
        busy,
        asked,
        cpu.waiting_ratio(cores, busy),
        cpu.waiting_ratio(at_least, asked),
    )
    pct = np.minimum(100.0 * own / vms.vcpus[vm], 100.0)
    return np.where(known, cpu.ready_pct(ratio, pct, hosts.physical[host]), -np.inf)
