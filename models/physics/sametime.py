"""Sametime: no CPU figures were published, only one configuration that is known to have worked.

WV21, "IBM Lotus Sametime benchmark": 100,000 chat users on one x3650 with 8 cores and 24 GB: two
community servers (2 vCPUs, 4 GB) and two multiplexers (1 vCPU, 2 GB), ESX 3.0.2.
"""

from __future__ import annotations

import numpy as np

from models.physics.arrays import COMMUNITY, MUX
from models.physics.loads import Inputs
from models.quantities import BoolArray


def known_feasible(inputs: Inputs) -> BoolArray:
    """Sametime VMs with no more users, and no less vCPUs and RAM, than the ones that worked (n,).

    50,000 chat users a community server or multiplexer; a statement by rule, not a prediction.
    """
    vms, point = inputs.arrays.vms, inputs.calibration.constants.sametime751
    if not vms.has(COMMUNITY, MUX):
        return np.zeros(len(vms), dtype=np.bool_)
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
