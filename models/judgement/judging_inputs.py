"""All numbers of a scenario, or of many side by side, before anything is judged."""

from __future__ import annotations

import numpy as np

from models.base.lazily import lazy
from models.base.quantities import BoolArray, FloatArray, IntArray
from models.base.record import record
from models.judgement.draws import Draw
from models.judgement.failure_table import FailureTable
from models.judgement.host_sets import Several
from models.physics.columns import looked_up, some
from models.physics.estimates import NO_DATA, Estimate
from models.physics.host_sums import OnHosts
from models.physics.inputs_of_formulas import Inputs
from models.physics.pools import PoolStage
from models.predict.prediction import HostPrediction, PoolPrediction, VmPrediction
from models.scenario.scenario import Policy

DENSEST = 5000.0 / 7.25
"""The most benchmark users in a gigabyte of any run."""


@record(slots=False, kw_only=True)
class Evaluated:
    """Every number, item by item.

    Attributes:
        asked_cores: load each VM asks for, also beyond its vCPUs [core-seconds per second].
        several: several hosts gone at once, None where no cluster tolerates that.
        on_hosts: what adds up on hosts.
        secondary: host of each VM's FT secondary, −1 for none.
        response_ends: of responses, those that are not known as their range says nothing among
            them, (3, n).
        response_spread: what the law's own half widths make of each response, as factors, (3, n).
        draw: errors by which numbers are judged as drawn; None: by the posture's end of each.
    """

    policy: Policy
    inputs: Inputs
    asked_cores: Estimate
    vms: VmPrediction
    hosts: HostPrediction
    pools: PoolPrediction
    pool_stage: PoolStage
    failures: FailureTable
    several: Several | None
    on_hosts: OnHosts
    secondary: IntArray
    response_ends: FloatArray
    response_spread: FloatArray
    draw: Draw | None = None

    @property
    def unknown_cores(self) -> FloatArray:
        """vCPUs per host of running VMs whose load has no data: what they could take at most."""
        return self.on_hosts.sums["blind_vcpus"]

    @property
    def unfounded_cores(self) -> FloatArray:
        """The same without Sametime servers no larger than what is known to have worked."""
        return self.on_hosts.unfounded

    @lazy
    def hosts_idle(self) -> BoolArray:
        """Hosts on which nothing runs, (h,)."""
        idle = self.hosts.vcpus_per_core == 0
        return np.asarray(idle & (self.inputs.arrays.hosts.unlisted == 0))

    @lazy
    def hosts_not_listed(self) -> BoolArray | None:
        """Hosts that run VMs that no list has, (h,): what those take is not known. None: nowhere,
        as most often."""
        there = self.inputs.arrays.hosts.unlisted > 0
        return there if some(there) else None

    @lazy
    def pools_not_listed(self) -> BoolArray:
        """Pools that such hosts use, as VMs of theirs stand on them, (p,): others may as well."""
        arrays, found = self.inputs.arrays, np.zeros(len(self.pools.ids), dtype=np.bool_)
        if self.hosts_not_listed is not None:
            there = looked_up(self.hosts_not_listed, arrays.vms.host, False) & (
                arrays.vms.pool >= 0
            )
            found[arrays.vms.pool[there]] = True
        return found

    @lazy
    def hosts_known(self) -> BoolArray:
        """Hosts of whose CPU load at least a part is known, shape (h,)."""
        known: BoolArray = self.hosts.cpu_pct.basis != NO_DATA
        return known

    @lazy
    def hosts_at_risk(self) -> BoolArray:
        """Hosts of which nothing is known and that could be taken over their CPU limit, or whose
        failure could take such survivors over it."""
        found = self.hosts_unseen.copy()
        found[self.failures.inputs.failover.failed[self.failures.unseen]] = True
        return found

    @lazy
    def hosts_unseen(self) -> BoolArray:
        """Hosts of which nothing is known and that could be taken over their CPU limit, (h,)."""
        unfounded = self.unfounded_cores * self.inputs.arrays.hosts.pct_of_cores
        return np.asarray(~self.hosts_known & (unfounded > self.policy.cpu_limit_pct))

    @lazy
    def vms_without_cpu(self) -> BoolArray:
        """VMs that run and whose CPU load has no data, or is nothing that anybody saw, (n,)."""
        unknown = self.inputs.arrays.vms.running & ~self.asked_cores.known
        return np.asarray(unknown | self.crowded)

    @lazy
    def crowded(self) -> BoolArray:
        """Domino servers with more benchmark users to a gigabyte than in any run, (n,)."""
        dense = self.inputs.users > DENSEST * self.inputs.ram_gib
        return np.asarray(self.inputs.arrays.vms.serving & dense)

    @lazy
    def poolless(self) -> BoolArray:
        """Domino servers with users and no disk pool, (n,): storage is not in their response."""
        vms = self.inputs.arrays.vms
        return np.asarray(vms.serving_users & ~vms.on_pool)

    @lazy
    def vms_without_response(self) -> BoolArray:
        """Servers with mail users whose response time has no data, lacks a part or is nothing that
        anybody saw, (n,): no other kind of VM has one."""
        asked = self.inputs.arrays.vms.serving_users
        unknown = np.isnan(self.vms.response_ms.value) | self.crowded | self.poolless
        return np.asarray(asked & unknown)

    @lazy
    def vague(self) -> BoolArray:
        """Servers with mail users whose response is not known as its range says nothing, (n,)."""
        dropped = np.isnan(self.vms.response_ms.value) & ~np.isnan(self.response_ends[0])
        return np.asarray(self.inputs.arrays.vms.serving_users & dropped)

    @lazy
    def vms_without_io(self) -> BoolArray:
        """VMs that run on a pool and whose I/O has no data, (n,)."""
        return np.asarray(self.inputs.arrays.vms.on_pool & np.isnan(self.vms.iops.value))

    @lazy
    def pools_without_io(self) -> BoolArray:
        """Pools under VMs that run and the utilisation of whose disks has no data, in part or in
        whole, (p,). Transaction logs alone are written in sequence: nothing judges them."""
        vms, pools = self.inputs.arrays.vms, self.pools
        carrying = np.bincount(vms.pool[vms.on_pool], minlength=len(pools.ids)) > 0
        unknown = np.isnan(pools.utilisation_pct.value) | self.pools_not_listed
        if pools.iops.unknown is not None:
            unknown |= pools.iops.unknown > 0
        return np.asarray(carrying & unknown)

    @lazy
    def pools_without_ceiling(self) -> BoolArray:
        """Pools whose I/Os are known, but not what their array's controllers carry, (p,): by their
        drives they are judged, not without one of the controllers."""
        vms, arrays = self.inputs.arrays.vms, self.inputs.arrays
        carrying = np.bincount(vms.pool[vms.on_pool], minlength=len(self.pools.ids)) > 0
        return np.asarray(carrying & np.isnan(arrays.pools.ceiling_iops) & ~self.pools_without_io)

    @lazy
    def pools_without_space(self) -> BoolArray:
        """Pools under data of VMs whose use of space, or whose room, has no data, (p,)."""
        vms, pools = self.inputs.arrays.vms, self.pools
        holding = np.bincount(vms.pool[vms.pool >= 0], minlength=len(pools.ids)) > 0
        unknown = np.isnan(pools.capacity_pct.value) | self.pools_not_listed
        return np.asarray(holding & unknown)

    @lazy
    def unplaced(self) -> BoolArray:
        """VMs that should run but have no host."""
        vms = self.inputs.arrays.vms
        return vms.powered_on & (vms.host < 0)
