"""What findings weigh, and the conditions behind those that do, as masks.

`WEIGHTS` says of each rule what the verdict can't be better than where it is tripped, on which
resources, and of which items. Findings have their weight from there (`Finding.at_least`), and so do
the verdicts on items and resources, the losses that are to be survived, and a batch of what-ifs,
which needs no sentences but has to know whether there is such a thing at all. A rule that isn't
there says in its own row why it weighs nothing (`Rule.unweighed`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from models.base.quantities import BoolArray, FloatArray, judged_end
from models.base.record import record
from models.catalog.catalog import Array, Product, RaidLevel, Vsan
from models.catalog.published import is_64_bit_only, most_log_ins
from models.failure.fault_tolerance import (
    CHECKPOINT_GBPS,
    CHECKPOINTING_FROM,
    MOST_CLOCK_DIFFERENCE_MHZ,
    LoggingLinks,
    logging_links,
    per_host,
)
from models.judgement.judging_inputs import Evaluated
from models.physics import memory, traveler
from models.physics.arrays import COMMUNITY, LOCAL, RDM, VSAN
from models.physics.columns import looked_up, some
from models.physics.host_columns import or_else
from models.physics.network import ft_logging_users
from models.physics.vsan import ERASURE_FROM, ESA_FROM, FEWEST_IN_CLUSTER, VSAN_FROM
from models.predict.prediction import Verdict

Refusal = Callable[[Evaluated], BoolArray]


def _on(e: Evaluated, found: BoolArray) -> BoolArray:
    """Those of the VMs that are switched on: the others refuse nothing today."""
    return found & e.inputs.arrays.vms.powered_on


def over_ft_vcpus(e: Evaluated) -> BoolArray:
    """Running VMs with Fault Tolerance and more vCPUs than their hypervisor, if there is one,
    protects."""
    vms = e.inputs.arrays.vms
    return vms.fault_tolerance & vms.running & (vms.vcpus > vms.at.ft_max_vcpus)


def without_ft_network(e: Evaluated) -> BoolArray:
    """Running VMs with Fault Tolerance whose host has no network for FT logging."""
    return protected(e) & np.isnan(ft_gbps(e))


def protected(e: Evaluated) -> BoolArray:
    """Running VMs with Fault Tolerance on hosts that are no physical servers."""
    vms = e.inputs.arrays.vms
    return vms.fault_tolerance & vms.running & ~vms.at.physical


def over_ft_logging(e: Evaluated) -> BoolArray:
    """VMs under record and replay on a logging link with more users than it carries.

    Before vSphere 6.0: from then on another mechanism sends what nobody measured.
    """
    links = ft_links(e)
    return np.asarray(links.users > ft_logging_users(links.gbps, e.inputs.calibration.constants))


def ft_links(e: Evaluated) -> LoggingLinks:
    """The fuller of the two logging links of each VM."""
    return logging_links(e.inputs.arrays, e.secondary, e.inputs.users)


def without_secondary(e: Evaluated) -> BoolArray:
    """Running VMs with Fault Tolerance for whose secondary there is no host."""
    vms = e.inputs.arrays.vms
    lost = vms.fault_tolerance & vms.running & (e.secondary < 0) & ~np.isnan(ft_gbps(e))
    return lost & (vms.vcpus <= vms.at.ft_max_vcpus) & ~e.inputs.arrays.refused


def over_vm_vcpus(e: Evaluated) -> BoolArray:
    """VMs switched on with more vCPUs than their hypervisor grants."""
    vms = e.inputs.arrays.vms
    return _on(e, vms.vcpus > vms.at.most_vcpus)


def over_vm_ram(e: Evaluated) -> BoolArray:
    """VMs switched on with more RAM than their hypervisor grants."""
    vms = e.inputs.arrays.vms
    return _on(e, vms.ram_gib > vms.at.most_ram_gib)


def over_threads(e: Evaluated) -> BoolArray:
    """VMs switched on with more vCPUs than their host has logical processors."""
    vms = e.inputs.arrays.vms
    return _on(e, vms.vcpus > vms.at.threads)


def guest_64_without_vt(e: Evaluated) -> BoolArray:
    """64-bit guests switched on, on processors that lack the hardware virtualisation they need."""
    return _on(e, e.inputs.arrays.vms.unvirtualised)


def impossible_path(e: Evaluated) -> BoolArray:
    """VMs switched on whose way to their disks the host doesn't have."""
    return _on(e, e.inputs.arrays.vms.pathless)


def blind(e: Evaluated) -> BoolArray:
    """VMs switched on whose host doesn't see their disks."""
    return _on(e, e.inputs.arrays.unseen)


def over_vm_host_ram(e: Evaluated) -> BoolArray:
    """VMs switched on with more RAM than their host has."""
    return _on(e, e.inputs.arrays.over_host_ram)


def over_reservation(e: Evaluated) -> BoolArray:
    """Running VMs whose reservation their host can't keep beside the others."""
    return e.inputs.arrays.unreservable


def without_able_host(e: Evaluated) -> BoolArray:
    """VMs without a host that none of the hosts there are could run."""
    return e.inputs.arrays.homeless


def over_ram(e: Evaluated) -> BoolArray:
    """Hosts whose VMs need more memory than the policy tolerates."""
    return np.asarray(e.hosts.ram_pct.value > e.hosts.ram_limit_pct * (1 + 1e-9))


def over_host_ram(e: Evaluated) -> BoolArray:
    """Hosts with more RAM than server or hypervisor takes."""
    return e.inputs.arrays.hosts.oversized


def over_host_vms(e: Evaluated) -> BoolArray:
    """Hosts that run more VMs than their hypervisor grants."""
    arrays = e.inputs.arrays
    return arrays.vms_by_host.counts > arrays.hosts.most_vms


def in_oversized_cluster(e: Evaluated) -> BoolArray:
    """Hosts whose cluster is larger than their hypervisor grants."""
    return e.inputs.arrays.hosts.in_oversized_cluster


def beside_other_makers(e: Evaluated) -> BoolArray:
    """Hosts of clusters with processors of several makers."""
    return e.inputs.arrays.hosts.beside_other_makers


def beside_newer(e: Evaluated) -> BoolArray:
    """Hosts that no vCenter manages together with the newest release of their cluster."""
    return e.inputs.arrays.hosts.beside_newer


def overloaded_disks(e: Evaluated) -> BoolArray:
    """Pools whose disks would be more than fully busy at peak."""
    busy = e.pools.utilisation_pct.value * e.policy.peak_factor_iops
    return np.asarray((busy > 100) & (busy > e.policy.disk_limit_pct))


def over_capacity(e: Evaluated) -> BoolArray:
    """Pools with more to hold than they have room for."""
    return e.pool_stage.used_gib > e.pool_stage.usable_gib


def over_ha_vms(e: Evaluated) -> BoolArray:
    """Hosts with more VMs than an HA cluster of their size grants."""
    return np.asarray(e.inputs.arrays.vms_by_host.counts > e.inputs.arrays.hosts.most_ha_vms)


def over_host_vcpus(e: Evaluated) -> BoolArray:
    """Hosts with more vCPUs than their hypervisor grants."""
    hosts = e.inputs.arrays.hosts
    return np.asarray(e.hosts.vcpus_per_core * hosts.cores > hosts.most_host_vcpus)


def without_drives(e: Evaluated) -> BoolArray:
    """Pools without room for data."""
    return e.inputs.arrays.pools.hold_nothing


def raid_not_offered(e: Evaluated) -> BoolArray:
    """Pools with a RAID level that their array does not offer."""
    return e.inputs.arrays.pools.not_offered


def drives_not_taken(e: Evaluated) -> BoolArray:
    """Pools with drives that don't go into their array."""
    return e.inputs.arrays.pools.not_taken


def vsan_too_few_hosts(e: Evaluated) -> BoolArray:
    """Pools of vSAN with fewer hosts than their policy needs, but for two that a witness helps."""
    pools = e.inputs.arrays.pools
    return np.asarray((pools.host_count < pools.fewest_hosts) & ~vsan_two_hosts(e))


def vsan_two_hosts(e: Evaluated) -> BoolArray:
    """Pools of vSAN that are mirrored on two hosts, which takes a witness on a third."""
    pools = e.inputs.arrays.pools
    mirrored = np.array([raid.id == "1" for raid in pools.raids], dtype=np.bool_)[pools.raid]
    few = (pools.host_count == 2) & (pools.fewest_hosts == FEWEST_IN_CLUSTER)
    return np.asarray(few & mirrored & (pools.tolerates <= 1))


def vsan_before_its_time(e: Evaluated) -> BoolArray:
    """Pools of vSAN on a host whose release doesn't have that, or not yet that RAID level."""
    arrays, pools = e.inputs.arrays, e.inputs.arrays.pools
    needed = np.array([[vsan_from(a, r) for r in pools.raids] for a in pools.arrays])
    needed = needed.reshape(len(pools.arrays), len(pools.raids))[pools.array, pools.raid]
    return np.asarray(arrays.oldest_of_pools < needed)


def vsan_from(array: Array, raid: RaidLevel) -> float:
    """The release of vSphere that a pool of vSAN needs, 0 of an array.

    RAID 5 and 6 came with vSAN 6.2, of vSphere 6.0 Update 2: of 6.0 any update is taken for it.

    >>> from resources.catalog_files import load_catalog
    >>> known = load_catalog()
    >>> [vsan_from(known.arrays[id], known.raid_levels["5"]) for id in ("vsan-esa", "ds3400")]
    [8.0, 0.0]
    """
    if array.vsan is Vsan.NONE:
        return 0.0
    if array.vsan is Vsan.ESA:
        return ESA_FROM
    return ERASURE_FROM if raid.id in ("5", "6") else VSAN_FROM


def vsan_without_cluster(e: Evaluated) -> BoolArray:
    """Pools of vSAN whose hosts are not all of one cluster."""
    cluster, mixed = e.inputs.arrays.clusters_of_pools
    of_vsan = e.inputs.arrays.pools.host_count > 0
    return np.asarray(of_vsan & (mixed | (cluster < 0)))


def vsan_policy_impossible(e: Evaluated) -> BoolArray:
    """Pools of vSAN that are to tolerate other failures than their RAID level does."""
    pools = e.inputs.arrays.pools
    return np.asarray(pools.tolerates != or_else(pools.raid_tolerates, pools.tolerates)) & (
        pools.in_hosts
    )


def vsan_without_drives(e: Evaluated) -> BoolArray:
    """VMs switched on that are to keep their disks on vSAN, with a pool in an array."""
    vms, pools = e.inputs.arrays.vms, e.inputs.arrays.pools
    known = np.array([each.provenance.confidence != "own" for each in pools.arrays], np.bool_)
    in_array = ~pools.in_hosts & known[pools.array]
    return _on(e, (vms.mode == VSAN) & looked_up(in_array, vms.pool, False))


def impossible_raid_group(e: Evaluated) -> BoolArray:
    """Pools whose groups have fewer drives than their RAID level takes, or more than there are."""
    return e.inputs.arrays.pools.impossible_groups


def too_many_drives(e: Evaluated) -> BoolArray:
    """Pools with more drives than their array takes."""
    pools = e.inputs.arrays.pools
    return pools.spindles > pools.most_drives


def ft_gbps(e: Evaluated) -> FloatArray:
    """FT logging network of each VM's host, NaN where there is none, shape (n,)."""
    return looked_up(e.inputs.arrays.hosts.ft_gbps, e.inputs.arrays.vms.host, np.nan)


def compared_users(numbers: Evaluated) -> FloatArray:
    """Benchmark users of each VM to compare with published loads, (n,)."""
    return numbers.inputs.compared_users


def beyond_published_load(numbers: Evaluated) -> BoolArray:
    """Domino servers that run and carry more than the largest published load, (n,)."""
    return np.asarray(numbers.inputs.arrays.vms.serving & numbers.inputs.beyond_published)


# --- of VMs -----------------------------------------------------------------------------------


def crowded(e: Evaluated) -> BoolArray:
    """Domino servers with more users to a gigabyte than any that was measured."""
    return e.crowded


def vague(e: Evaluated) -> BoolArray:
    """Servers whose response isn't known, and may pass the limit by the end that is judged."""
    value, _, high = e.response_ends
    judged = judged_end(value, high, e.policy.posture.share)
    return np.asarray(e.vague & (judged > e.policy.response_limit_ms))


def poolless(e: Evaluated) -> BoolArray:
    """Domino servers with users and without a disk pool, whose response leaves storage out."""
    return e.poolless


def without_figures(e: Evaluated) -> BoolArray:
    """Generic workloads that run and bring no CPU figure."""
    vms = e.inputs.arrays.vms
    silent = e.inputs.laws.generic & np.isnan(vms.own_cpu_mhz) & vms.running
    return np.asarray(silent & ~vms.syncing)


def some_traveler(e: Evaluated) -> bool:
    return some(e.inputs.arrays.vms.syncing)


def unmeasured_traveler(e: Evaluated) -> BoolArray:
    """Traveler servers that run and of which nobody measured the CPU: none was ever published."""
    vms = e.inputs.arrays.vms
    return np.asarray(vms.syncing & np.isnan(vms.own_cpu_mhz) & vms.running)


def over_devices(e: Evaluated) -> BoolArray:
    """Traveler servers with more devices than their maker has for one."""
    return traveler.over_devices(e.inputs.arrays.vms)


def crowded_traveler_pool(e: Evaluated) -> BoolArray:
    """Traveler servers whose pool has more devices than it takes, or than the others take."""
    return traveler.crowded_pools(e.inputs.arrays.vms)


def without_traveler_space(e: Evaluated) -> BoolArray:
    """Traveler servers whose database takes nobody knows how much."""
    return traveler.without_space(e.inputs.arrays.vms)


def unpublished(e: Evaluated) -> BoolArray:
    """Sametime servers that run: their CPU was never published."""
    return np.asarray(e.inputs.arrays.vms.chatting & e.inputs.arrays.vms.running)


def over_log_ins(e: Evaluated) -> BoolArray:
    """Community servers with more log-ins than their release is made for."""
    vms, catalog = e.inputs.arrays.vms, e.inputs.catalog
    if not vms.has(COMMUNITY):
        return np.zeros(len(vms), dtype=np.bool_)
    most = [most_log_ins(catalog, text) for text in vms.releases]
    over = vms.active_users > np.array(most)[vms.release]
    return np.asarray(over & (vms.law == COMMUNITY) & vms.running)


def too_narrow(e: Evaluated) -> BoolArray:
    """32-bit guests switched on with a release that is for 64 bits only."""
    vms, catalog = e.inputs.arrays.vms, e.inputs.catalog
    narrow = (vms.guest_bits == 32) & vms.powered_on
    if not some(narrow):
        return np.asarray(narrow)
    of_domino, of_chat = (
        np.array([is_64_bit_only(catalog, product, text) for text in vms.releases])[vms.release]
        for product in (Product.DOMINO, Product.SAMETIME)
    )
    return np.asarray(narrow & np.where(vms.domino, of_domino, vms.chatting & of_chat))


def limited(e: Evaluated) -> BoolArray:
    """Running VMs that may use less memory than their guest sees, and are not known to use less."""
    vms = e.inputs.arrays.vms
    content = vms.own_memory_gib <= vms.effective_ram_gib
    return np.asarray((vms.effective_ram_gib < vms.ram_gib) & vms.running & ~content)


def over_own_ram(e: Evaluated) -> BoolArray:
    """Running machines that were measured with more memory in use than they have."""
    vms = e.inputs.arrays.vms
    over = vms.own_memory_gib > vms.effective_ram_gib
    return np.asarray(over & vms.running & e.inputs.laws.generic)


def protected_on_local_disks(e: Evaluated) -> BoolArray:
    """VMs with Fault Tolerance on disks that no second host reaches."""
    return np.asarray(protected(e) & (e.inputs.arrays.vms.mode == LOCAL))


def protected_without_shared_disks(e: Evaluated) -> BoolArray:
    """VMs with Fault Tolerance and raw devices, which are refused in physical mode, or on no pool,
    so that nobody knows that both hosts reach their disks."""
    vms = e.inputs.arrays.vms
    return np.asarray(protected(e) & ((vms.mode == RDM) | (vms.pool < 0)) & (vms.mode != LOCAL))


def on_slow_ft_link(e: Evaluated) -> BoolArray:
    """VMs with Fault Tolerance by checkpoints over a link slower than VMware asks for."""
    arrays = e.inputs.arrays
    gbps = np.minimum(ft_gbps(e), looked_up(arrays.hosts.ft_gbps, e.secondary, np.inf))
    checkpoints = arrays.vms.at.version >= CHECKPOINTING_FROM[0]
    return protected(e) & checkpoints & (gbps < CHECKPOINT_GBPS)


def of_unlike_clocks(e: Evaluated) -> BoolArray:
    """VMs under record and replay whose hosts' clocks are further apart than it takes."""
    arrays = e.inputs.arrays
    mhz = arrays.hosts.base_mhz
    apart = np.abs(looked_up(mhz, arrays.vms.host, np.nan) - looked_up(mhz, e.secondary, np.nan))
    old = arrays.vms.at.version < CHECKPOINTING_FROM[0]
    return np.asarray(old & (e.secondary >= 0) & (apart > MOST_CLOCK_DIFFERENCE_MHZ))


# --- of hosts ---------------------------------------------------------------------------------


def on_unrated(e: Evaluated) -> BoolArray:
    """Hosts with Domino servers whose CPU can't be carried there, for want of a SPEC rate."""
    arrays, found = e.inputs.arrays, np.zeros(len(e.hosts.ids), dtype=np.bool_)
    found[arrays.vms.host[e.inputs.laws.unrated & arrays.vms.running]] = True
    return found


def with_unlisted(e: Evaluated) -> BoolArray:
    """Hosts that run VMs that no list has."""
    return np.asarray(e.inputs.arrays.hosts.unlisted > 0)


def swapping(e: Evaluated) -> BoolArray:
    """Hosts whose VMs use more memory than there is, though the policy lets them have it."""
    short = memory.swapping(e.inputs.arrays) & ~e.inputs.arrays.hosts.physical
    return np.asarray(short & ~over_ram(e))


def over_vcpus_per_core(e: Evaluated) -> BoolArray:
    """Hosts with more vCPUs per core than the policy allows."""
    return np.asarray(e.hosts.vcpus_per_core > e.policy.vcpus_per_core_limit)


def over_core_vcpus(e: Evaluated) -> BoolArray:
    """Hosts with more vCPUs per core than their hypervisor grants."""
    return np.asarray(e.hosts.vcpus_per_core > e.inputs.arrays.hosts.most_core_vcpus)


def over_host_threads(e: Evaluated) -> BoolArray:
    """Hosts with more logical processors than their hypervisor uses."""
    return np.asarray(e.inputs.arrays.hosts.threads > e.inputs.arrays.hosts.most_threads)


def of_another_time(e: Evaluated) -> BoolArray:
    """Hosts whose hypervisor came long after the machine, or some years before it."""
    apart = e.inputs.arrays.hosts.years_apart
    return np.asarray((apart > YEARS_AFTER) | (apart < -YEARS_BEFORE))


def in_full_cluster(e: Evaluated) -> BoolArray:
    """Hosts of clusters that run more VMs than their hypervisor grants."""
    hosts, counts = e.inputs.arrays.hosts, e.inputs.arrays.vms_by_host.counts
    running = np.bincount(hosts.cluster + 1, counts, len(e.inputs.arrays.clusters) + 1)[1:]
    there = looked_up(running, hosts.cluster, 0.0)
    return np.asarray(there > hosts.granted("max_vms_per_cluster"))


def over_ft_of_host(e: Evaluated) -> BoolArray:
    """Hosts with more VMs, or vCPUs, under Fault Tolerance than their hypervisor grants."""
    hosts = e.inputs.arrays.hosts
    count, vcpus = per_host(e.inputs.arrays, e.secondary)
    over = count > hosts.granted("ft_max_vms_per_host")
    return np.asarray(over | (vcpus > hosts.granted("ft_max_vcpus_per_host")))


YEARS_AFTER, YEARS_BEFORE = 6, 3
"""Years up to which a release may have come after its machine, and before it: one from long after
dropped the machine, one from before doesn't know it, but for updates. Rules of ours, no
document's."""


class Kind(StrEnum):
    """What can trip a rule."""

    VMS = "vms"
    HOSTS = "hosts"
    POOLS = "pools"
    SCENARIO = "scenario"


@record
class Weight:
    """What a rule weighs where it is tripped.

    Attributes:
        at_least: the verdict on what trips it, and on the scenario, is no better.
        of: what can trip it; `trips`: which of them do, as a mask, None of a scenario as a whole.
        resources: of `predicted.RESOURCES`, the verdict on which is no better either.
        when: what there has to be for anything to trip it.
    """

    at_least: Verdict
    of: Kind
    trips: Refusal | None = None
    resources: tuple[str, ...] = ()
    when: Callable[[Evaluated], bool] = lambda _: True


VMS, HOSTS, POOLS, SCENARIO = Kind
NOT_KNOWN, AT_RISK, IMPOSSIBLE = Verdict.NOT_KNOWN, Verdict.AT_RISK, Verdict.DOES_NOT_FIT


def _some_protected(e: Evaluated) -> bool:
    return e.inputs.arrays.vms.some_protected


def _some_hosts(e: Evaluated) -> bool:
    return len(e.hosts.ids) > 0


def _some_vsan(e: Evaluated) -> bool:
    return e.inputs.arrays.pools.some_in_hosts


WEIGHTS: Mapping[str, tuple[Weight, ...]] = {
    # load that nothing shows can be carried, and load that isn't known
    "beyond-published-load": (Weight(AT_RISK, VMS, beyond_published_load, ("cpu", "response")),),
    "sametime-limit": (Weight(AT_RISK, VMS, over_log_ins, ("cpu",)),),
    "users-per-ram": (Weight(NOT_KNOWN, VMS, crowded, ("cpu", "response")),),
    "response-range": (Weight(AT_RISK, VMS, vague),),
    "no-pool": (Weight(NOT_KNOWN, VMS, poolless, ("response",)),),
    "generic-no-data": (Weight(NOT_KNOWN, VMS, without_figures, ("cpu",)),),
    "no-spec-rate": (Weight(NOT_KNOWN, HOSTS, on_unrated, ("cpu",), _some_hosts),),
    "traveler-no-data": (Weight(NOT_KNOWN, VMS, unmeasured_traveler, ("cpu",), some_traveler),),
    "traveler-devices": (Weight(AT_RISK, VMS, over_devices, ("cpu",), some_traveler),),
    "traveler-pool": (Weight(AT_RISK, VMS, crowded_traveler_pool, ("cpu",), some_traveler),),
    "traveler-space": (Weight(NOT_KNOWN, VMS, without_traveler_space, ("space",), some_traveler),),
    "sametime-no-data": (Weight(NOT_KNOWN, VMS, unpublished, ("cpu",)),),
    "unlisted-vms": (Weight(NOT_KNOWN, HOSTS, with_unlisted, ("cpu", "ram"), _some_hosts),),
    # memory
    "ram-over-limit": (Weight(AT_RISK, HOSTS, over_ram, ("ram",)),),
    "ram-over-host": (Weight(AT_RISK, VMS, over_vm_host_ram, ("ram",)),),
    "memory-limit": (Weight(AT_RISK, VMS, limited, ("ram",)),),
    "memory-in-use": (Weight(AT_RISK, VMS, over_own_ram, ("ram",)),),
    "memory-overcommitted": (Weight(AT_RISK, HOSTS, swapping, ("ram",)),),
    # what machines and releases grant
    "vcpus-per-core": (Weight(AT_RISK, HOSTS, over_vcpus_per_core, ("cpu",)),),
    "vcpu-maximum": (
        Weight(IMPOSSIBLE, HOSTS, over_host_vcpus, ("cpu",)),
        Weight(AT_RISK, HOSTS, over_core_vcpus, ("cpu",)),
    ),
    "vcpus-over-host": (Weight(IMPOSSIBLE, VMS, over_threads, ("cpu",)),),
    "vm-maximum": (
        Weight(IMPOSSIBLE, VMS, over_vm_vcpus, ("cpu",)),
        Weight(IMPOSSIBLE, VMS, over_vm_ram, ("ram",)),
    ),
    "host-maximum": (
        Weight(IMPOSSIBLE, HOSTS, over_host_ram, ("ram",)),
        Weight(IMPOSSIBLE, HOSTS, over_host_vms),
        Weight(AT_RISK, HOSTS, over_host_threads, ("cpu",)),
    ),
    "mixed-makers": (Weight(AT_RISK, HOSTS, beside_other_makers),),
    "mixed-releases": (Weight(AT_RISK, HOSTS, beside_newer),),
    "cluster-maximum": (Weight(IMPOSSIBLE, HOSTS, in_oversized_cluster),),
    "ha-maximum": (Weight(AT_RISK, HOSTS, over_ha_vms), Weight(AT_RISK, HOSTS, in_full_cluster)),
    "guest-64-without-vt": (Weight(IMPOSSIBLE, VMS, guest_64_without_vt),),
    "support-guest-bits": (Weight(IMPOSSIBLE, VMS, too_narrow),),
    "hypervisor-era": (Weight(AT_RISK, HOSTS, of_another_time),),
    "storage-path": (Weight(IMPOSSIBLE, VMS, impossible_path),),
    "pool-not-seen": (Weight(IMPOSSIBLE, VMS, blind),),
    "reservation-over-host": (Weight(IMPOSSIBLE, VMS, over_reservation),),
    "no-host-can-run": (Weight(IMPOSSIBLE, VMS, without_able_host),),
    # disks
    "pool-utilisation": (Weight(AT_RISK, POOLS, overloaded_disks, ("iops",)),),
    "pool-capacity": (Weight(AT_RISK, POOLS, over_capacity, ("space",)),),
    "no-drives": (Weight(AT_RISK, POOLS, without_drives, ("space",)),),
    "raid-not-offered": (Weight(IMPOSSIBLE, POOLS, raid_not_offered),),
    "raid-group": (Weight(IMPOSSIBLE, POOLS, impossible_raid_group),),
    "drives-not-taken": (Weight(IMPOSSIBLE, POOLS, drives_not_taken),),
    "too-many-drives": (Weight(IMPOSSIBLE, POOLS, too_many_drives),),
    "vsan-hosts": (
        Weight(IMPOSSIBLE, POOLS, vsan_too_few_hosts, (), _some_vsan),
        Weight(AT_RISK, POOLS, vsan_two_hosts, (), _some_vsan),
    ),
    "vsan-release": (Weight(IMPOSSIBLE, POOLS, vsan_before_its_time, (), _some_vsan),),
    "vsan-cluster": (Weight(IMPOSSIBLE, POOLS, vsan_without_cluster, (), _some_vsan),),
    "vsan-policy": (Weight(IMPOSSIBLE, POOLS, vsan_policy_impossible, (), _some_vsan),),
    "vsan-drives": (Weight(IMPOSSIBLE, VMS, vsan_without_drives),),
    # placement and availability
    "affinity-broken": (Weight(AT_RISK, SCENARIO),),
    "affinity-contradictory": (Weight(AT_RISK, SCENARIO),),
    "admission-not-met": (Weight(AT_RISK, SCENARIO),),
    "ft-single-vcpu": (Weight(IMPOSSIBLE, VMS, over_ft_vcpus, (), _some_protected),),
    "ft-no-secondary": (Weight(IMPOSSIBLE, VMS, without_secondary, (), _some_protected),),
    "ft-disks": (
        Weight(IMPOSSIBLE, VMS, protected_on_local_disks, (), _some_protected),
        Weight(AT_RISK, VMS, protected_without_shared_disks, (), _some_protected),
    ),
    "ft-logging-users": (
        Weight(IMPOSSIBLE, VMS, without_ft_network, ("network",), _some_protected),
        Weight(AT_RISK, VMS, over_ft_logging, ("network",), _some_protected),
    ),
    "ft-host-limit": (Weight(AT_RISK, HOSTS, over_ft_of_host, (), _some_protected),),
    "ft-link": (Weight(AT_RISK, VMS, on_slow_ft_link, ("network",), _some_protected),),
    "ft-clock": (Weight(AT_RISK, VMS, of_unlike_clocks, (), _some_protected),),
}


class Tripped(NamedTuple):
    """A weight that something has, and what."""

    rule: str
    weight: Weight
    which: BoolArray


def tripped(e: Evaluated) -> tuple[Tripped, ...]:
    """What VMs, hosts and pools trip that weighs, as normal operation of `e` stands."""
    found = []
    for rule, weights in WEIGHTS.items():
        for weight in weights:
            if weight.trips is None or not weight.when(e):
                continue
            which = weight.trips(e)
            if some(which):
                found.append(Tripped(rule, weight, which))
    return tuple(found)


def lost_partners(e: Evaluated) -> tuple[Tripped, ...]:
    """The same where a server of a Domino cluster is lost and others have its users: besides, what
    was tested of such a failover alone."""
    over = failed_over(e)
    tested = Weight(AT_RISK, VMS, failed_over, ("cpu",))
    return (*tripped(e), *((Tripped(FAILOVER, tested, over),) if some(over) else ()))


FAILOVER = "partner-capacity"
"""The rule that speaks of what a member takes over."""

PATTERN_USERS, PATTERN_VCPUS = 4000.0, 2
"""Benchmark users in failover that were tested, on so many vCPUs: vSphere 4 paper, “Test of Domino
NRPC Clustering”."""


def failed_over(e: Evaluated) -> BoolArray:
    """Members of Domino clusters with more benchmark users than were tested in failover on as few
    vCPUs."""
    vms = e.inputs.arrays.vms
    if not vms.some_clustered:
        return np.zeros(len(vms), dtype=np.bool_)
    small = vms.serving & vms.clustered & (vms.vcpus <= PATTERN_VCPUS)
    return np.asarray(small & (e.inputs.users > PATTERN_USERS * (1 + 1e-9)))


def newly(after: Sequence[Tripped], before: Sequence[Tripped], copies: int) -> list[Tripped]:
    """What is tripped after a loss and wasn't before, in so many copies of what was before."""
    was = {(each.rule, each.weight.trips): each.which for each in before}
    found = []
    for each in after:
        known = was.get((each.rule, each.weight.trips))
        which = each.which if known is None else each.which & ~np.tile(known, copies)
        if some(which):
            found.append(each._replace(which=which))
    return found


def codes_of(found: Sequence[Tripped], copies: int = 1) -> npt.NDArray[np.int8]:
    """`Verdict` codes of what is tripped in each of so many copies side by side, (copies,)."""
    codes = np.zeros(copies, dtype=np.int8)
    for each in found:
        there = each.which.reshape(copies, -1).any(axis=1)
        np.maximum(codes, there * np.int8(each.weight.at_least), out=codes)
    return codes


OF_POWER_ON = frozenset(
    {
        "vm-maximum",
        "vcpus-over-host",
        "guest-64-without-vt",
        "storage-path",
        "pool-not-seen",
        "no-drives",
        "ram-over-host",
        "reservation-over-host",
        "no-host-can-run",
        "affinity-contradictory",
    }
)
"""Rules that find VMs which can't be powered on (`Arrays.refused`)."""
