"""Sametime: no CPU figures were published, only the design of one benchmark and its target.

WV21, "IBM Lotus Sametime benchmark": 100,000 chat users on one x3650 with 8 cores and 24 GB: two
community servers (2 vCPUs, 4 GB) and two multiplexers (1 vCPU, 2 GB), ESX 3.0.2. Its results were
charts, so that CPU isn't known within that design either; beyond it nothing vouches at all.
"""

from __future__ import annotations

import numpy as np

from models.base.quantities import BoolArray, FloatArray
from models.base.record import record
from models.physics.arrays import COMMUNITY, MUX
from models.physics.columns import looked_up, sums_by
from models.physics.host_columns import HostArrays
from models.physics.inputs_of_formulas import Inputs

CORES = 8
"""Of the host that carried it."""

RATE_PER_CORE = 1.07875
"""SPEC rate of each of them: IBM System x3650 with two E5345, as the catalog has it."""


@record
class Vouching:
    """What vouches for Sametime VMs wherever they restart.

    Attributes:
        alone: VMs that by themselves are no more than those of the design, (n,), with multiplexers
            for all chat users.
        fronted: VMs of scenarios with such multiplexers, (n,); (n,) of `sized`: VMs that are no
            more, multiplexers aside.
        able: hosts like the one that carried it, or more able ones, (h,).
        most: users of either kind that it carried.
    """

    alone: BoolArray
    sized: BoolArray
    fronted: BoolArray
    able: BoolArray
    most: float


def vouching(inputs: Inputs) -> Vouching | None:
    """What `known_feasible` asks of VMs and hosts, to be asked of survivors; None: no Sametime."""
    vms, hosts = inputs.arrays.vms, inputs.arrays.hosts
    if not vms.has(COMMUNITY, MUX):
        return None
    most = inputs.calibration.constants.sametime751.users.value
    sized, fronted = _sized(inputs), _fronted(inputs)
    alone = sized & fronted
    return Vouching(alone, sized, fronted, _able(hosts), most)


def chat_users(inputs: Inputs) -> FloatArray:
    """Users of community servers and of multiplexers, by VM (2, n)."""
    law = inputs.arrays.vms.law
    return np.array([np.where(law == kind, inputs.users, 0.0) for kind in (COMMUNITY, MUX)])


def known_feasible(inputs: Inputs) -> BoolArray:
    """Sametime VMs that are within the published design, (n,).

    No more users, and no less vCPUs and RAM, than the servers there: 50,000 chat users a community
    server or multiplexer, and multiplexers for all of them. With what runs beside it on its host no
    more users of either kind than there, on no less cores and no slower ones. A statement by rule,
    not a prediction.
    """
    vms, found = inputs.arrays.vms, vouching(inputs)
    if found is None:
        return np.zeros(len(vms), dtype=np.bool_)
    standing = sums_by(vms.place, chat_users(inputs), len(found.able))
    carried = found.able & (standing <= found.most).all(axis=0)
    return np.asarray(found.alone & looked_up(carried, vms.host, True))


def _fronted(inputs: Inputs) -> BoolArray:
    """VMs of scenarios, or of copies side by side, whose multiplexers carry the connections of all
    chat users, (n,): each that is no smaller than one of the design as many as one there, no more
    than it is said to have."""
    vms, point = inputs.arrays.vms, inputs.calibration.constants.sametime751
    each = point.users.value / point.multiplexers.value
    large = (vms.law == MUX) & (vms.vcpus >= point.multiplexer_vcpus.value)
    large &= vms.powered_on & (vms.effective_ram_gib >= point.multiplexer_ram_gib.value)
    served = np.where((vms.law == COMMUNITY) & vms.powered_on, inputs.users, 0.0)
    scenarios = len(vms) // (int(vms.id_rank.max()) + 1)
    of_each = large * np.where(inputs.users > 0, np.minimum(inputs.users, each), each)
    seats, users = (column.reshape(scenarios, -1).sum(axis=1) for column in (of_each, served))
    return np.repeat(seats >= users * (1 - 1e-9), len(vms) // scenarios)


def _sized(inputs: Inputs) -> BoolArray:
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
