"""What members of Domino clusters can take over: users after a partner is lost, against limits.

When a member is lost its users open their replicas on the others. The documents' pattern for two
members: 2,000 active users each, 4,000 in failover, on 2 vCPUs and 16 GB (vSphere 4 paper); and
"leave enough capacity to pick up the workload of a failed cluster member", with "approximately
70 % total CPU" under normal load (Iris Today 1999).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from models.base.quantities import FloatArray
from models.evidence.domino_cluster import recommended_replicators, replicator_queue_s
from models.evidence.knowledge import Knowledge
from models.physics.arrays import Arrays, side_by_side
from models.physics.cpu import of_vcpus_pct
from models.physics.estimates import NoSources
from models.physics.people import owners_with
from models.physics.scenario_to_arrays import to_arrays
from models.predict.demands import vm_stage
from models.scenario.scenario import Scenario, Vm

PATTERN_FAILOVER = 4000.0
PATTERN_VCPUS, PATTERN_RAM_GIB = 2, 16.0
PATTERN_SOURCE = (
    "Virtualizing IBM Lotus Domino 8.5.1 on VMware vSphere 4, “Test of Domino NRPC Clustering”: "
    "2,000 active users, 4,000 maximum in failover mode"
)
MOST_MEASURED_REPLICATORS = 3
FACTORS = np.concatenate([np.linspace(0.1, 2.0, 20), np.geomspace(2.2, 40.0, 20)])
FROM_NOBODY = np.append(0.0, FACTORS)


@dataclass(frozen=True, slots=True, kw_only=True)
class MemberCapacity:
    """A member of a Domino cluster.

    Attributes:
        members: of its cluster, itself among them.
        users: active users now; `in_failover`: when the partner whose loss brings most is lost,
            which is `lost`.
        cpu_users: at which its CPU reaches the limit at peak; None: not by far, or no data.
        pattern_users: the documents' limit in failover, for a server as large as theirs; None for
            others.
        replicators: tasks recommended; `queue_s`: mean wait for them with R5 and 500 users, None
            beyond what was measured.
    """

    vm: str
    members: int
    users: float
    in_failover: float
    lost: str
    cpu_users: float | None
    pattern_users: float | None
    replicators: int
    queue_s: float | None

    @property
    def limit_users(self) -> float | None:
        """The tighter of the two limits."""
        known = [each for each in (self.cpu_users, self.pattern_users) if each is not None]
        return min(known, default=None)

    @property
    def fits(self) -> bool | None:
        """Whether it can take its partner's users over; None without data."""
        limit = self.limit_users
        return None if limit is None else self.in_failover <= limit * (1 + 1e-9)


def member_capacities(scenario: Scenario, knowledge: Knowledge) -> tuple[MemberCapacity, ...]:
    """Every running member of a Domino cluster.

    Raises:
        ModelError: an id that nothing in the scenario or the catalog has, with its field.
    """
    arrays = to_arrays(scenario, knowledge.catalog)
    rows = np.flatnonzero(arrays.vms.clustered & arrays.started)
    members = [scenario.vms[row] for row in rows.tolist()]
    if not members:
        return ()
    assert arrays.vms.replicas is not None
    inherited, lost = arrays.vms.replicas.inherited(arrays.vms.active_users, arrays.started)
    limits = cpu_limit_users(arrays, scenario, knowledge)
    row = {id: position for position, id in enumerate(arrays.vms.ids)}
    constants = knowledge.calibration.constants.cluster_r5
    found = []
    for vm in members:
        users, brought_by = vm.workload.active_users, int(lost[row[vm.id]])
        count = len(vm.cluster_partners) + 1
        tasks = recommended_replicators(count - 1, constants.replicators_beyond)
        queue = None
        if tasks <= MOST_MEASURED_REPLICATORS:
            one, three = constants.replicator_queue_s_1.value, constants.replicator_queue_s_3.value
            queue = float(replicator_queue_s(float(tasks), one_s=one, three_s=three))
        limit = float(limits[row[vm.id]])
        found.append(
            MemberCapacity(
                vm=vm.id,
                members=count,
                users=users,
                in_failover=users + float(inherited[row[vm.id]]),
                lost=arrays.vms.ids[brought_by] if brought_by >= 0 else "",
                cpu_users=limit if np.isfinite(limit) else None,
                pattern_users=_pattern(vm, scenario.policy.derating.mail),
                replicators=tasks,
                queue_s=queue,
            )
        )
    return tuple(found)


def cpu_limit_users(arrays: Arrays, scenario: Scenario, knowledge: Knowledge) -> FloatArray:
    """Users at which each VM's CPU reaches the limit at peak [active users], registered ones in
    proportion, (n,).

    Infinite where that is more than 40 times as many, NaN where there is no data. Read off between
    predictions with other numbers of users; nobody asks for nothing.

    100·cores(users)/vCPUs·peak factor = limit. Valid as the law of the VM is. Source of the limit:
    the policy's, 70 % by Iris Today.

    The building block, 28.74 % with 4,000 users, straight in users: 4,000·70/28.74.

    >>> from tests.models.worlds import CATALOG, KNOWLEDGE, a_scenario, a_vm
    >>> block = a_scenario(vms=(a_vm(users=4000.0),))
    >>> cpu_limit_users(to_arrays(block, CATALOG), block, KNOWLEDGE).round(-1).tolist()
    [9740.0]
    """
    policy, users = scenario.policy, arrays.vms.active_users
    more = np.outer(FACTORS, users)
    owners = owners_with(arrays.vms, more)
    copies = side_by_side(
        arrays, len(FACTORS), active_users=more.ravel(), registered_users=owners.ravel()
    )
    vm = vm_stage(copies, policy.derating, knowledge, NoSources())
    pct = of_vcpus_pct(vm.cores.value, copies.vms.vcpus) * policy.peak_factor_cpu
    pct = pct.reshape(len(FACTORS), -1)
    limits = np.full(len(users), np.nan)
    for row in np.flatnonzero((users > 0) & ~np.isnan(pct[0])).tolist():
        column = np.append(0.0, np.maximum.accumulate(pct[:, row]))
        factor = np.interp(policy.cpu_limit_pct, column, FROM_NOBODY, right=np.inf)
        limits[row] = factor * users[row]
    return limits


def pattern_users(vcpus: int, ram_gib: float, derating: float) -> float | None:
    """Active users that a member carries in failover [active users]: 4,000/derating.

    Valid for servers with 2 vCPUs and 16 GiB, of others None. Source: vSphere 4 paper, clusters.

    >>> pattern_users(2, 16.0, 2.0), pattern_users(4, 16.0, 2.0)
    (2000.0, None)
    """
    like = vcpus == PATTERN_VCPUS and abs(ram_gib - PATTERN_RAM_GIB) < 0.5
    return PATTERN_FAILOVER / derating if like else None


def _pattern(vm: Vm, derating: float) -> float | None:
    return pattern_users(vm.vcpus, vm.ram_gib, derating) if vm.workload.kind.is_domino else None
