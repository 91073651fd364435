"""What a scenario's availability rests on: admission control, Fault Tolerance, restart times."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from models.calibration import Calibration
from models.catalog import Catalog
from models.demands import VmStage, demands_of
from models.failure.failover import NOBODY
from models.failure.fault_tolerance import Protection, protections
from models.failure.reservations import AdmissionCheck, admission_checks
from models.failure.restart_time import RestartTime
from models.physics.arrays import Arrays
from models.physics.columns import looked_up
from models.physics.estimates import NoSources
from models.quantities import FloatArray, IntArray
from models.resilience.time_away import times_away
from models.scenario import Scenario
from models.stages import host_stage


@dataclass(frozen=True, slots=True, kw_only=True)
class AvailabilityStudy:
    """Every cluster's admission control, every protected VM, and how long every Domino VM is away
    that HA restarts when its host is gone."""

    admission: tuple[AdmissionCheck, ...]
    protections: tuple[Protection, ...]
    restart_times: tuple[RestartTime, ...]


def study_availability(
    scenario: Scenario, catalog: Catalog, calibration: Calibration
) -> AvailabilityStudy:
    """Admission control and Fault Tolerance as the scenario stands.

    Raises:
        ModelError: an id that nothing in the scenario or the catalog has, with its field.
    """
    vm = demands_of(scenario, catalog, calibration, NoSources())
    arrays = vm.inputs.arrays
    secondary = host_stage(vm, scenario.policy).secondary
    restarts = _restarts(arrays, secondary)
    return AvailabilityStudy(
        admission=admission_checks(scenario, arrays, secondary),
        protections=protections(
            scenario,
            arrays,
            secondary=secondary,
            cores=vm.cores.value,
            ram_gib=vm.ram_gib,
            users=vm.inputs.users,
            received_mbps=_received_mbps(vm),
            constants=calibration.constants,
        ),
        restart_times=tuple(each for each in times_away(scenario) if each.vm in restarts),
    )


def _restarts(arrays: Arrays, secondary: IntArray) -> frozenset[str]:
    """VMs that HA restarts elsewhere, as a rule: neither on a host that stands alone nor kept down,
    and without a secondary that would go on."""
    vms = arrays.vms
    in_reach = looked_up(arrays.hosts.cluster, vms.host, NOBODY) != NOBODY
    rows = in_reach & arrays.started & ~arrays.stays_down & (secondary == NOBODY)
    return frozenset(vms.ids[row] for row in rows.nonzero()[0].tolist())


def _received_mbps(vm: VmStage) -> FloatArray:
    """Network that each VM receives at most: its load by the share of packets received."""
    constants, laws = vm.inputs.calibration.constants, vm.inputs.laws
    share = np.ones(len(vm.inputs.users))
    for family, where in (
        (constants.mail85, laws.family_a | laws.family_b),
        (constants.inotes85, laws.inotes),
    ):
        received = family.packets_received_per_user.value
        share[where] = received / (received + family.packets_sent_per_user.value)
    return np.where(vm.network.known, vm.network.value * share, np.nan)
