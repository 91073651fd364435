"""Loads of hosts after the restarts of each failure mode, with ends and with what isn't known."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from models.arrays import Arrays
from models.availability import Failover
from models.elsewhere import Elsewhere
from models.quantities import BoolArray, FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class HostsKnown:
    """What is known of the hosts' CPU in normal operation, shape (h,) but for `busy`.

    Attributes:
        busy: known load with its ends [core-seconds per second], shape (3, h).
        unknown: vCPUs of VMs without CPU data; `unfounded`: those of them that nothing vouches for.
        vms: number of VMs with CPU data.
    """

    busy: FloatArray
    unknown: FloatArray
    unfounded: FloatArray
    vms: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class Restarted:
    """Hosts after the restarts, columns as in `Failover.members`.

    Attributes:
        busy: value, low and high end [core-seconds per second], shape (3, m, h); the high end takes
            VMs without data at their vCPUs, as far as the cores can run them.
        judged_high: the same without what is vouched for, shape (m, h).
        known: hosts of whose load something is known, or on which nothing runs, shape (m, h).
        own_pct: highest load of a VM that restarts on a machine of another kind [% of its vCPUs],
            with high end, shape (2, m); NaN for none.
    """

    busy: FloatArray
    judged_high: FloatArray
    known: BoolArray
    own_pct: FloatArray


def after_restarts(
    arrays: Arrays,
    failover: Failover,
    places: Elsewhere,
    before: HostsKnown,
    *,
    vouched: BoolArray,
) -> Restarted:
    """Hosts after the restarts of `failover`.

    Args:
        vouched: VMs without data that are known to have worked, shape (n,).
    """
    hosts, vms = arrays.hosts, arrays.vms
    position = np.maximum(failover.members, 0)
    landed = np.flatnonzero(failover.moved_to >= 0)
    mode, column = failover.moved_mode[landed], failover.moved_to[landed]
    vm = failover.moved_vm[landed]
    kind = places.of_host[position[mode, column]]

    def spread(per_host: FloatArray, per_vm: FloatArray) -> FloatArray:
        total = np.where(failover.alive, per_host[position], 0.0)
        np.add.at(total, (mode, column), per_vm)
        return total

    moved = places.cores[:, kind, vm]
    blank = np.isnan(moved[0])
    vcpus = np.where(blank, vms.vcpus[vm], 0.0)
    cores = hosts.cores[position]
    unknown = spread(before.unknown, vcpus)
    unfounded = spread(before.unfounded, np.where(vouched[vm], 0.0, vcpus))
    low, high = (
        spread(np.nan_to_num(before.busy[end]), np.nan_to_num(moved[end])) for end in (1, 2)
    )
    seen = spread(before.vms, (~blank).astype(np.float64))
    own = np.full((2, len(failover.failed)), np.nan)
    unlike = np.flatnonzero(kind != 0)
    pct = 100.0 * places.asked[:, kind[unlike], vm[unlike]] / vms.vcpus[vm[unlike]]
    np.fmax.at(own[0], mode[unlike], pct[0])
    np.fmax.at(own[1], mode[unlike], pct[2])
    return Restarted(
        np.array([failover.cores_busy, low, high + np.minimum(unknown, cores)]),
        high + np.minimum(unfounded, cores),
        (seen > 0) | (unknown == 0),
        own,
    )
