"""What hosts carry: sums of what VMs ask for, by where they stand."""

from __future__ import annotations

import numpy as np

from models.base.quantities import FloatArray, IntArray
from models.base.record import record
from models.failure.failover import NOBODY
from models.physics.columns import every, filled, sum_by, sums_by
from models.physics.estimates import Estimate, summed, taken
from models.physics.inputs_of_formulas import Inputs
from models.physics.sametime import known_feasible

OF_HOST = range(8)
VCPUS, NETWORK, CPU, RAM = 0, slice(1, 4), slice(4, 7), 7
"""Rows of what VMs ask of their hosts; secondaries ask for all of it but network."""

_UNKNOWN = slice(len(OF_HOST), len(OF_HOST) + 4)
"""Rows behind them: VMs with CPU data, vCPUs of those without, of those without that nothing
vouches for, and how many are without."""


@record
class OnHosts:
    """Sums per host.

    Attributes:
        sums: of the rows of `OF_HOST`, shape (8, h).
        busy: load of the cores [core-seconds per second]; `traffic`: of the network [Mb/s].
        vms: number of VMs with CPU data, (h,).
        unknown: vCPUs of VMs without CPU data, of those without that nothing vouches for, and how
            many are without, (3, h); None where CPU of all is known.
    """

    sums: FloatArray
    busy: Estimate
    traffic: Estimate
    vms: FloatArray
    unknown: FloatArray | None

    def close(self) -> None:
        """Let nobody write to it any more."""
        self.busy.close()
        self.traffic.close()
        for column in (self.sums, self.vms, self.unknown):
            if column is not None:
                column.flags.writeable = False


def on_hosts(
    inputs: Inputs,
    cores: Estimate,
    network: Estimate,
    of_host: FloatArray,
    secondary: IntArray | None = None,
) -> OnHosts:
    """The hosts under the VMs that run.

    Args:
        cores, network: of each VM, (n,); `of_host`: what it asks of its host, (8, n).
        secondary: host of its FT secondary, −1 for none, (n,); None: nobody has one.
    """
    place, hosts, sources = inputs.arrays.vms.place, len(inputs.arrays.hosts), inputs.sources
    asked = _with_unknown(inputs, cores, of_host)
    sums, standing = sums_by(place, asked, hosts), place
    if secondary is not None:
        traffic = sums[NETWORK]
        twice = (secondary != NOBODY).nonzero()[0]
        rows = np.concatenate([np.arange(len(place)), twice])
        cores, standing = taken(cores, rows), np.concatenate([place, secondary[twice]])
        sums = sums_by(standing, asked.take(rows, axis=1), hosts)
        sums[NETWORK] = traffic
    if len(sums) > len(OF_HOST):
        found, unknown = sums[_UNKNOWN][0], sums[_UNKNOWN][1:]
    else:
        found, unknown = sum_by(standing, filled(len(standing), 1.0), hosts), None
    return OnHosts(
        sums[: len(OF_HOST)],
        summed(sums[CPU].copy(), cores, standing, sources),
        summed(sums[NETWORK].copy(), network, place, sources),
        found,
        unknown,
    )


def _with_unknown(inputs: Inputs, cores: Estimate, of_host: FloatArray) -> FloatArray:
    """What each VM asks of its host, (12, n); only `of_host` where CPU of all is known."""
    seen = cores.known
    if every(seen):
        return of_host
    blank = np.where(seen, 0.0, inputs.arrays.vms.vcpus)
    unfounded = np.where(known_feasible(inputs), 0.0, blank)
    return np.concatenate([of_host, np.array([seen, blank, unfounded, ~seen])])
