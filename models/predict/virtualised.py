"""What physical servers would ask for as VMs on the hardware that they have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from models.base.quantities import FloatArray
from models.base.record import record
from models.catalog.catalog import Catalog, Hypervisor
from models.catalog.distance import MEASURED_ON
from models.evidence.knowledge import Knowledge
from models.predict.demands import demands_of
from models.scenario.scenario import NO_HYPERVISOR, DiskMode, Host, Scenario


@record
class Virtualised:
    """Physical servers after the move.

    Attributes:
        cpu_pct: of the vCPUs of every VM at peak, (n,); what it is now for those that are VMs, NaN
            for no data.
        hypervisors: under which VMs of each host run then, by the id of the host.
    """

    cpu_pct: FloatArray
    hypervisors: Mapping[str, Hypervisor]


def virtualised(scenario: Scenario, knowledge: Knowledge) -> Virtualised:
    """The same servers with a hypervisor on every host.

    It is the newest one that the scenario has; where it has none, the one that the machine was
    measured with, or the newest of the machine's own time.
    """
    shared = [host.hypervisor for host in scenario.hosts if host.hypervisor != NO_HYPERVISOR]
    newest = max((knowledge.catalog.hypervisors[id] for id in shared), key=_release, default=None)
    hosts = tuple(
        replace(host, hypervisor=(newest or _of_its_time(host, knowledge.catalog)).id)
        if host.hypervisor == NO_HYPERVISOR
        else host
        for host in scenario.hosts
    )
    vms = tuple(
        replace(vm, disk_mode=DiskMode.VMFS) if vm.disk_mode is DiskMode.PHYSICAL else vm
        for vm in scenario.vms
    )
    stage = demands_of(replace(scenario, hosts=hosts, vms=vms), knowledge)
    share = 100.0 * scenario.policy.peak_factor_cpu / stage.inputs.arrays.vms.vcpus
    under = {host.id: knowledge.catalog.hypervisors[host.hypervisor] for host in hosts}
    return Virtualised(np.where(stage.cores.known, stage.cores.value, np.nan) * share, under)


def _of_its_time(host: Host, catalog: Catalog) -> Hypervisor:
    server = catalog.servers[host.server]
    measured = MEASURED_ON.get(server.platform)
    if measured is not None:
        return catalog.hypervisors[measured.hypervisor]
    found = [each for each in catalog.hypervisors.values() if each.id != NO_HYPERVISOR]
    known = [each for each in found if each.year and server.year and each.year <= server.year]
    return max(known or found, key=_release)


def _release(hypervisor: Hypervisor) -> tuple[int, int, int]:
    return hypervisor.version
