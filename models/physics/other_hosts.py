"""VMs as they would be on the other machines of their clusters, by the formulas of any VM.

A restart on an unlike host is a prediction of its own: another machine's law or SPEC rate, another
hypervisor's factor, another clock, other memory overhead. Hosts of one server type and hypervisor
are one *kind*; only clusters with more than one kind need this.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from models.base.lazily import lazy
from models.base.quantities import BoolArray, FloatArray, IntArray
from models.base.record import record
from models.catalog.catalog import Catalog
from models.physics import memory
from models.physics.arrays import PHYSICAL_MODE, VMFS, Arrays
from models.physics.columns import codes_in, every
from models.physics.cpu import of_vcpus_pct
from models.physics.estimates import Estimate
from models.physics.host_columns import HostArrays
from models.physics.host_sums import Asked
from models.physics.inputs_of_formulas import Inputs, core_seconds
from models.physics.laws import assign_laws


@record
class Kind:
    """All VMs on hosts of one kind: what they ask for, and what they need of memory (n,); network
    load is the same on all of them."""

    inputs: Inputs
    cores: Estimate
    network: Estimate
    ram_gib: FloatArray


ALIKE = 0
"""Kind of hosts in clusters of one kind."""


@record(slots=False)
class OtherHosts:
    """Kinds of hosts; the first is "as they stand", for clusters of like hosts.

    Attributes:
        of_host: row of `kinds` that says how VMs do on a host, shape (h,).
        cores: core-seconds per second asked within the vCPUs, with ends, shape (3, k, n); NaN for
            no data.
        asked: the same beyond the vCPUs too.
        ram_gib: shape (k, n).
    """

    kinds: tuple[Kind, ...]
    of_host: IntArray
    cores: FloatArray
    asked: FloatArray
    ram_gib: FloatArray

    @lazy
    def figures(self) -> FloatArray:
        """Rows of `host_sums.ROWS` that VMs ask of a host of each kind, (r, k, n)."""
        whole = any(not every(kind.cores.known & kind.network.known) for kind in self.kinds)
        of_kinds = [Asked.of(kind, whole=whole).figures for kind in self.kinds]
        return of_kinds[0][:, None] if len(of_kinds) == 1 else np.stack(of_kinds, axis=1)

    @lazy
    def more_of_vcpus(self) -> FloatArray:
        """What VMs ask of their vCPUs on hosts of a kind, where that is more than where they stand
        [%], with high end, shape (2, k, n); NaN where it is not."""
        pct = of_vcpus_pct(self.asked[::2], self.kinds[ALIKE].inputs.arrays.vms.vcpus)
        more = pct[0] > pct[0, ALIKE]
        more[ALIKE] = False
        return np.where(more, pct, np.nan)

    @lazy
    def in_clusters(self) -> BoolArray:
        """Which kinds of hosts each cluster has, (clusters, kinds)."""
        hosts = self.kinds[ALIKE].inputs.arrays.hosts
        found = np.zeros((len(hosts.cluster_sizes), len(self.kinds)), dtype=np.bool_)
        inside = hosts.cluster >= 0
        found[hosts.cluster[inside], self.of_host[inside]] = True
        return found


def other_hosts(as_they_stand: Kind, catalog: Catalog) -> OtherHosts:
    """The VMs as they stand, and on each kind of host of the clusters that mix kinds."""
    inputs = as_they_stand.inputs
    of_host, there = _kinds(inputs.arrays.hosts)
    kinds = (as_they_stand, *(_on(as_they_stand, host, catalog) for host in there))
    asked = np.array([each.cores.ends for each in kinds]).swapaxes(0, 1)
    running = np.minimum(asked, inputs.arrays.vms.vcpus)
    return OtherHosts(kinds, of_host, running, asked, np.array([each.ram_gib for each in kinds]))


def _kinds(hosts: HostArrays) -> tuple[IntArray, list[int]]:
    """Kind of each host, 0 where its cluster is of one kind; and a host of each other kind."""
    of_host = np.zeros(len(hosts), dtype=np.int64)
    there: list[int] = []
    kind = hosts.machine
    if len(hosts.machines) < 2:
        return of_host, there
    kinds: dict[int, set[int]] = {}
    clusters = hosts.cluster.tolist()
    for cluster, code in zip(clusters, kind.tolist(), strict=True):
        kinds.setdefault(cluster, set()).add(code)
    mixed = {cluster for cluster, codes in kinds.items() if cluster >= 0 and len(codes) > 1}
    in_mixed = np.array([cluster in mixed for cluster in clusters], dtype=np.bool_)
    for code in codes_in(kind[in_mixed]):
        alike = in_mixed & (kind == code)
        there.append(int(np.flatnonzero(alike)[0]))
        of_host[alike] = len(there)
    return of_host, there


def _on(as_they_stand: Kind, host: int, catalog: Catalog) -> Kind:
    """All VMs with a host, on `host`; disks go along as `Scenario.place` has it."""
    inputs = as_they_stand.inputs
    arrays = _placed(inputs.arrays, host)
    calibration = inputs.calibration
    laws = assign_laws(arrays, catalog, calibration.constants, calibration.law.esx_cpu_factor)
    there = replace(inputs, arrays=arrays, laws=laws)
    ram_gib = memory.vm_ram_gib(arrays)[0]
    return Kind(there, core_seconds(there), as_they_stand.network, ram_gib)


def _placed(arrays: Arrays, host: int) -> Arrays:
    vms = arrays.vms
    if arrays.hosts.physical[host]:
        mode = np.full(len(vms), PHYSICAL_MODE)
    else:
        mode = np.where(vms.mode == PHYSICAL_MODE, VMFS, vms.mode)
    there = np.where(vms.host >= 0, host, -1)
    moved = replace(vms, host=there, mode=mode, at=arrays.hosts.of_vms(there))
    return replace(arrays, vms=moved)
