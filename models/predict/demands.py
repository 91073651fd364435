"""What every VM asks for, whoever stands beside it: the first stage of every prediction."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from models.base.identity import Itself
from models.base.lazily import lazy, with_fields
from models.base.quantities import BoolArray, FloatArray, IntArray
from models.base.record import record
from models.catalog.catalog import Catalog
from models.evidence.calibration import Calibration
from models.evidence.knowledge import Knowledge
from models.physics import memory, network
from models.physics.arrays import Arrays, VmArrays
from models.physics.columns import sum_by
from models.physics.estimates import RULE, Estimate, Sources, total
from models.physics.host_columns import HostArrays, PoolArrays
from models.physics.host_sums import Asked, OnHosts, on_hosts
from models.physics.inputs_of_formulas import Inputs, benchmark_users, core_seconds, iops
from models.physics.laws import assign_laws
from models.physics.other_hosts import ALIKE, Kind, OtherHosts, other_hosts
from models.physics.responses import ByLaw, by_law
from models.physics.scenario_to_arrays import to_arrays
from models.scenario.maintenance import Window
from models.scenario.scenario import Derating, Scenario

KEPT = 4
"""Demands of so many scenarios are kept, as the columns of their VMs are."""


@record(slots=False)
class VmStage:
    """Demands of the VMs, shape (n,)."""

    catalog: Catalog
    inputs: Inputs
    cores: Estimate
    io: Estimate
    ram_gib: FloatArray
    ram_leans: BoolArray
    ram_evidence: npt.NDArray[np.int32]
    network: Estimate

    @property
    def asked_ends(self) -> FloatArray:
        """`cores` within what the vCPUs can run, 0 for no data, with ends, shape (3, n)."""
        return self.of_host["cpu"]

    @property
    def of_host(self) -> Asked:
        """What each VM asks of its host that adds up there, (n,)."""
        return Asked(self.places.figures[:, ALIKE])

    @lazy
    def on_hosts(self) -> OnHosts:
        """The hosts under the VMs as they stand, without secondaries of Fault Tolerance."""
        return on_hosts(self, self.of_host)

    def with_secondaries(self, secondary: IntArray) -> OnHosts:
        """The same with those, host of each VM's, −1 for none, (n,)."""
        return on_hosts(self, self.of_host, secondary)

    @lazy
    def on_pools(self) -> Estimate:
        """Host I/Os of each pool [IO/s], shape (p,)."""
        vms, pools = self.inputs.arrays.vms, self.inputs.arrays.pools
        place = vms.pool if vms.all_running else np.where(vms.running, vms.pool, -1)
        return total(self.io, place, len(pools), self.inputs.sources)

    @lazy
    def without_io(self) -> FloatArray:
        """VMs on each pool that run and whose I/O has no data, (p,)."""
        vms, pools = self.inputs.arrays.vms, self.inputs.arrays.pools
        return sum_by(
            np.where(vms.running, vms.pool, -1), (~self.io.known).astype(np.float64), len(pools)
        )

    @lazy
    def by_law(self) -> ByLaw:
        """What the laws say of responses before VMs share anything."""
        return by_law(self.inputs, self.cores)

    @property
    def asked(self) -> FloatArray:
        """The value of that."""
        value: FloatArray = self.asked_ends[0]
        return value

    def standing(self, arrays: Arrays, sources: Sources | None = None) -> VmStage:
        """The same demands, where VMs stand on other machines of the same kind.

        Args:
            sources: that number evidence from here on; None: the same.
        """
        last = self.inputs.arrays
        sources = self.inputs.sources if sources is None else sources
        inputs = with_fields(self.inputs, arrays=arrays, sources=sources)
        if (arrays.vms, arrays.hosts, arrays.pools) == (last.vms, last.hosts, last.pools):
            forgotten: tuple[str, ...] = ()
        else:
            forgotten = "on_hosts", "on_pools", "without_io"
        if arrays.hosts is not last.hosts:
            return with_fields(self, forgotten=("places", *forgotten), inputs=inputs)
        as_they_stand = Kind(inputs, self.cores, self.network, self.ram_gib)
        places = with_fields(self.places, kinds=(as_they_stand, *self.places.kinds[1:]))
        return with_fields(self, forgotten=forgotten, inputs=inputs, places=places)

    @lazy
    def in_turn(self) -> IntArray:
        """The VMs in the order of restarts: by priority, memory, CPU and id, (n,)."""
        vms = self.inputs.arrays.vms
        return np.lexsort((vms.id_rank, -self.asked, -self.ram_gib, vms.priority))

    @lazy
    def places(self) -> OtherHosts:
        """The same on the other machines of their clusters."""
        as_they_stand = Kind(self.inputs, self.cores, self.network, self.ram_gib)
        return other_hosts(as_they_stand, self.catalog)


def vm_stage(
    arrays: Arrays,
    derating: Derating,
    knowledge: Knowledge,
    sources: Sources,
) -> VmStage:
    """What the VMs of `arrays` ask for.

    Args:
        derating: benchmark users of an active user.
    """
    vms, constants = arrays.vms, knowledge.calibration.constants
    laws = assign_laws(
        arrays, knowledge.catalog, constants, knowledge.calibration.law.esx_cpu_factor
    )
    inputs = Inputs(
        arrays,
        laws,
        benchmark_users(vms, derating),
        vms.counted_ram_gib,
        derating,
        knowledge,
        sources,
    )
    cores = core_seconds(inputs)
    ram = memory.vm_ram_gib(arrays, sources)
    traffic = network.vm_mbps(
        laws,
        users=inputs.users,
        received=inputs.received,
        copies=vms.replicating * vms.further_copies,
        own_mbps=vms.own_network_mbps,
        constants=constants,
        sources=sources,
    )
    if not vms.all_on:
        traffic.put(~vms.powered_on, 0.0, basis=RULE)
    return VmStage(knowledge.catalog, inputs, cores, iops(inputs), *ram, traffic)


def demands_of(
    scenario: Scenario,
    knowledge: Knowledge,
    sources: Sources | None = None,
    *,
    window: Window | None = None,
) -> VmStage:
    """What the VMs of a scenario ask for; worked out once for all that is asked of the scenario.

    A prediction, its failures, a study, a storm, a move being dragged and an explanation all begin
    with it, and an edit of the policy, of rules or of names leaves it as it is.

    Args:
        sources: that number evidence; None: new ones.
        window: what runs in the maintenance window; None: outside of it.

    Raises:
        ModelError: an id that nothing in the scenario or the catalog has, with its field.
    """
    arrays = to_arrays(scenario, knowledge.catalog)
    if window is not None:
        return _in_window(arrays, scenario.policy.derating, window, knowledge)
    columns = arrays.vms, arrays.hosts, arrays.pools
    kept = _kept(
        *columns, scenario.policy.derating, knowledge.catalog, Itself(knowledge.calibration)
    )
    return kept.standing(arrays, kept.inputs.sources.copy() if sources is None else sources)


def _in_window(arrays: Arrays, derating: Derating, window: Window, knowledge: Knowledge) -> VmStage:
    """The same with what runs in the window, and with what users do there."""
    count = len(arrays.vms)
    vms = replace(
        arrays.vms, window_mhz=np.full(count, window.mhz), window_iops=np.full(count, window.iops)
    )
    share = window.users_share
    less = derating._replace(mail=derating.mail * share, chat=derating.chat * share)
    return vm_stage(replace(arrays, vms=vms), less, knowledge, Sources())


@lru_cache(maxsize=KEPT)
def _kept(
    vms: VmArrays,
    hosts: HostArrays,
    pools: PoolArrays,
    derating: Derating,
    catalog: Catalog,
    calibration: Itself[Calibration],
) -> VmStage:
    arrays = Arrays(vms, hosts, pools, ())
    stage = vm_stage(arrays, derating, Knowledge(catalog, calibration.value), Sources())
    for column in (stage.cores, stage.io, stage.network):
        column.close()
    # Worked out here, for all copies of the stage to share.
    law, places = stage.by_law, stage.places
    stage.on_hosts.close()
    stage.on_pools.close()
    for array in (
        *(stage.ram_gib, stage.ram_leans, stage.ram_evidence),
        *(places.figures, stage.in_turn),
        *(law.spread, places.of_host, places.cores, places.asked, places.ram_gib),
    ):
        array.flags.writeable = False
    return stage


def forget_demands() -> None:
    """Let the next question work out anew what VMs ask for; to time it, nobody else needs that."""
    _kept.cache_clear()
