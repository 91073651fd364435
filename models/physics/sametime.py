"""Sametime: no CPU figures were published, only one configuration that is known to have worked.

WV21, "IBM Lotus Sametime benchmark": 100,000 chat users on one x3650 with 8 cores and 24 GB: two
community servers (2 vCPUs, 4 GB) and two multiplexers (1 vCPU, 2 GB), ESX 3.0.2.
"""

from __future__ import annotations

import numpy as np

from models.physics.arrays import COMMUNITY, MUX
from models.physics.columns import looked_up, some
from models.physics.loads import Inputs
from models.quantities import BoolArray, IntArray

CORES = 8
"""Of the host that carried it."""

RATE_PER_CORE = 1.07875
"""SPEC rate of each of them: IBM System x3650 with two E5345, as the catalog has it."""


def known_feasible(inputs: Inputs, *, on_one_host: bool = False) -> BoolArray:
    """Sametime VMs that are no more than what worked, (n,).

    No more users, and no less vCPUs and RAM, than the servers there: 50,000 chat users a community
    server or multiplexer. With what runs beside it on its host no more users of either kind than
    there, on no less cores and no slower ones. A statement by rule, not a prediction.

    Args:
        on_one_host: as if one host of each cluster took all of them, for wherever they restart.
    """
    vms, hosts = inputs.arrays.vms, inputs.arrays.hosts
    if not vms.has(COMMUNITY, MUX):
        return np.zeros(len(vms), dtype=np.bool_)
    place = vms.host
    if on_one_host:
        cluster = looked_up(hosts.cluster, vms.host, -1)
        place = np.where(cluster >= 0, len(hosts) + cluster, vms.host)
    return _alone(inputs) & _together(inputs, place) & _able(inputs)


def _alone(inputs: Inputs) -> BoolArray:
    vms, point = inputs.arrays.vms, inputs.calibration.constants.sametime751
    sametime = (vms.kind == COMMUNITY) | (vms.kind == MUX)
    users = np.where(
        vms.kind == MUX,
        point.users.value / point.multiplexers.value,
        point.users.value / point.community_servers.value,
    )
    vcpus = np.where(vms.kind == MUX, point.multiplexer_vcpus.value, point.community_vcpus.value)
    ram = np.where(vms.kind == MUX, point.multiplexer_ram_gib.value, point.community_ram_gib.value)
    enough = (vms.vcpus >= vcpus) & (vms.effective_ram_gib >= ram) & (inputs.users <= users)
    return np.asarray(sametime & enough)


def _together(inputs: Inputs, place: IntArray) -> BoolArray:
    """VMs at whose place no more users are served by either kind than there were, (n,)."""
    vms, most = inputs.arrays.vms, inputs.calibration.constants.sametime751.users.value
    within = np.ones(len(vms), dtype=np.bool_)
    for kind in (COMMUNITY, MUX):
        counted = vms.running & (vms.kind == kind) & (place >= 0)
        if some(counted):
            users = np.bincount(place[counted], inputs.users[counted], np.max(place) + 1)
            within &= looked_up(users <= most, place, True)
    return within


def _able(inputs: Inputs) -> BoolArray:
    """VMs on hosts like the one that carried it, or more able ones; not placed ones too, (n,)."""
    arrays = inputs.arrays
    hosts = arrays.hosts
    able = (hosts.cores >= CORES) & (hosts.spec_per_core >= RATE_PER_CORE * (1 - 1e-6))
    return np.asarray(looked_up(able, arrays.vms.host, True))
