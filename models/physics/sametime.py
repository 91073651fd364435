"""Sametime: no CPU figures were published, only one configuration that is known to have worked.

WV21, "IBM Lotus Sametime benchmark": 100,000 chat users on one x3650 with 8 cores and 24 GB: two
community servers (2 vCPUs, 4 GB) and two multiplexers (1 vCPU, 2 GB), ESX 3.0.2.
"""

from __future__ import annotations

import numpy as np

from models.physics.arrays import COMMUNITY, MUX
from models.physics.columns import looked_up, sums_by
from models.physics.loads import Inputs
from models.physics.machines import HostArrays
from models.quantities import BoolArray, FloatArray
from models.record import record

CORES = 8
"""Of the host that carried it."""

RATE_PER_CORE = 1.07875
"""SPEC rate of each of them: IBM System x3650 with two E5345, as the catalog has it."""


@record
class Vouching:
    """What vouches for Sametime VMs wherever they restart.

    Attributes:
        alone: VMs that by themselves are no more than what worked, (n,).
        users, standing: chat users of community servers and of multiplexers, by VM (2, n) and by
            host in normal operation (2, h).
        able: hosts like the one that carried it, or more able ones, (h,).
        most: users of either kind that it carried.
    """

    alone: BoolArray
    users: FloatArray
    standing: FloatArray
    able: BoolArray
    most: float


def vouching(inputs: Inputs) -> Vouching | None:
    """What `known_feasible` asks of VMs and hosts, to be asked of survivors; None: no Sametime."""
    vms, hosts = inputs.arrays.vms, inputs.arrays.hosts
    if not vms.has(COMMUNITY, MUX):
        return None
    users = np.array([np.where(vms.law == kind, inputs.users, 0.0) for kind in (COMMUNITY, MUX)])
    most = inputs.calibration.constants.sametime751.users.value
    standing = sums_by(vms.place, users, len(hosts))
    return Vouching(_alone(inputs), users, standing, _able(hosts), most)


def known_feasible(inputs: Inputs) -> BoolArray:
    """Sametime VMs that are no more than what worked, (n,).

    No more users, and no less vCPUs and RAM, than the servers there: 50,000 chat users a community
    server or multiplexer. With what runs beside it on its host no more users of either kind than
    there, on no less cores and no slower ones. A statement by rule, not a prediction.
    """
    vms, found = inputs.arrays.vms, vouching(inputs)
    if found is None:
        return np.zeros(len(vms), dtype=np.bool_)
    carried = found.able & (found.standing <= found.most).all(axis=0)
    return np.asarray(found.alone & looked_up(carried, vms.host, True))


def _alone(inputs: Inputs) -> BoolArray:
    vms, point = inputs.arrays.vms, inputs.calibration.constants.sametime751
    sametime = (vms.law == COMMUNITY) | (vms.law == MUX)
    users = np.where(
        vms.law == MUX,
        point.users.value / point.multiplexers.value,
        point.users.value / point.community_servers.value,
    )
    vcpus = np.where(vms.law == MUX, point.multiplexer_vcpus.value, point.community_vcpus.value)
    ram = np.where(vms.law == MUX, point.multiplexer_ram_gib.value, point.community_ram_gib.value)
    enough = (vms.vcpus >= vcpus) & (vms.effective_ram_gib >= ram) & (inputs.users <= users)
    return np.asarray(sametime & enough)


def _able(hosts: HostArrays) -> BoolArray:
    return np.asarray((hosts.cores >= CORES) & (hosts.spec_per_core >= RATE_PER_CORE * (1 - 1e-6)))
