"""What a scenario's availability rests on: admission control, Fault Tolerance, restart times; and
how long servers are away when HA restarts them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from models.base.quantities import FloatArray, IntArray
from models.base.texts import joined, say
from models.evidence.knowledge import Knowledge
from models.failure.fault_tolerance import Protection, protections
from models.failure.reservations import AdmissionCheck, admission_checks
from models.failure.restart_time import ASSUMED, RestartTime, origin_word, restart_time
from models.physics.arrays import Arrays
from models.physics.columns import NOBODY, looked_up
from models.physics.estimates import NoSources
from models.predict.demands import VmStage, demands_of
from models.predict.prediction import FailureMode
from models.scenario.scenario import Scenario
from models.scenario.wording import ENGLISH, THIN, Style, duration_text
from models.stages import host_stage


@dataclass(frozen=True, slots=True, kw_only=True)
class AvailabilityStudy:
    """Every cluster's admission control, every protected VM, and how long every Domino VM is away
    that HA restarts when its host is gone."""

    admission: tuple[AdmissionCheck, ...]
    protections: tuple[Protection, ...]
    restart_times: tuple[RestartTime, ...]


def study_availability(scenario: Scenario, knowledge: Knowledge) -> AvailabilityStudy:
    """Admission control and Fault Tolerance as the scenario stands.

    Raises:
        ModelError: an id that nothing in the scenario or the catalog has, with its field.
    """
    vm = demands_of(scenario, knowledge, NoSources())
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
            constants=knowledge.calibration.constants,
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


def times_away(scenario: Scenario) -> tuple[RestartTime, ...]:
    """Of every Domino VM that is switched on, in the scenario's order."""
    origin_of, production = partial(origin_word, scenario), scenario.policy.derating.production
    return tuple(
        restart_time(each, scenario.assumptions, origin_of, production=production)
        for each in scenario.vms
        if each.workload.kind.is_domino and each.powered_on
    )


def away_text(mode: FailureMode, times: Sequence[RestartTime], style: Style = ENGLISH) -> str:
    """How long those are away that restart in a mode; empty where no Domino server does.

    ``away 4 min with transaction logs, 63 min without (assumed)``; a span where servers differ.
    """
    restarted = {each.vm for each in mode.restarted if not each.moved_before}
    found = [each for each in times if each.vm in restarted]
    if not found:
        return ""
    parts = [part for each in found for part in (*each.logged, *each.unlogged)]
    origins = dict.fromkeys(part.origin for part in parts)
    return say(
        "Domino is away {logged} with transaction logs, {unlogged} without ({origin})",
        logged=_span([each.logged_s for each in found], style),
        unlogged=_span([each.unlogged_s for each in found], style),
        origin=ASSUMED if ASSUMED in origins else joined(", ", list(origins)),
    )


def _span(seconds: Sequence[float], style: Style) -> str:
    """``4 min``, or ``4–63 min``."""
    least, most = (duration_text(end(seconds), style) for end in (min, max))
    if least == most:
        return least
    number, _, unit = least.partition(THIN)
    same = unit == most.partition(THIN)[2]
    return joined("\N{EN DASH}", (number if same else least, most))
