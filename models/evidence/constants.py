"""Constants of families B to F: what was measured or stated once, each with its evidence.

Nothing here is fitted: a constant is a published figure, or arithmetic on a few of them that its
note spells out. Families are never pooled; a constant used elsewhere makes a result *transferred*.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from models.base.quantities import Basis
from models.evidence.domino_cluster import ClusterR5, cluster_r5
from models.evidence.kernel_io import KernelCpu, kernel_cpu
from models.evidence.rows import Constant, Rows, decrease, figure, ratio, scaled


@dataclass(frozen=True, slots=True, kw_only=True)
class Mail85:
    """Family B: NRPC mail of Domino 8.5.1, 2 vCPUs and 8 GB, on Nehalem under vSphere 4."""

    cpu_core_pct_per_user: Constant
    cpu_core_pct_per_user_max: Constant
    iops_per_user: Constant
    iops_per_user_max: Constant
    latency_ms: Constant
    latency_ms_max: Constant
    ready_pct: Constant
    ready_pct_max: Constant
    packets_received_per_user: Constant
    packets_sent_per_user: Constant
    peak_factor_cpu: Constant
    peak_factor_iops: Constant


@dataclass(frozen=True, slots=True, kw_only=True)
class INotes85:
    """Family B: iNotes (HTTP) mail of Domino 8.5.1, 2 vCPUs, at 8 and 16 GB."""

    cpu_core_pct_per_user_8gb: Constant
    cpu_core_pct_per_user_16gb: Constant
    iops_per_user_8gb: Constant
    iops_per_user_16gb: Constant
    latency_ms_8gb: Constant
    latency_ms_16gb: Constant
    packets_received_per_user: Constant
    packets_sent_per_user: Constant
    ram_exponent_iops: Constant

    @property
    def ram_exponent_cpu(self) -> Constant:
        """CPU follows RAM to this power, between the two that were run."""
        small, large = self.cpu_core_pct_per_user_8gb, self.cpu_core_pct_per_user_16gb
        return Constant(
            value=math.log2(large.value / small.value),
            unit="1",
            basis=small.basis,
            evidence=small.evidence + large.evidence,
            note="binary logarithm of CPU at 16 GB over CPU at 8 GB",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterMail85:
    """Family B: clustered NRPC mail of Domino 8.5.1, 4,000 active users, 2 vCPUs and 16 GB."""

    cpu_pct: Constant
    response_ms: Constant
    iops: Constant
    network_mb_per_s: Constant


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultTolerance:
    """Family B: load on the FT logging link."""

    users_at_1gbps: Constant
    saturating_users_at_1gbps: Constant


@dataclass(frozen=True, slots=True, kw_only=True)
class Sametime751:
    """Family D: one point known to be feasible, with its operations; no CPU figures."""

    users: Constant
    community_servers: Constant
    community_vcpus: Constant
    community_ram_gib: Constant
    multiplexers: Constant
    multiplexer_vcpus: Constant
    multiplexer_ram_gib: Constant
    logins_per_min: Constant
    status_changes_per_min: Constant
    notifications_per_min: Constant
    channels_per_min: Constant
    small_messages_per_min: Constant
    large_messages_per_min: Constant
    user_info_per_min: Constant
    storage_reads_per_min: Constant
    storage_updates_per_min: Constant
    group_chats_per_min: Constant


@dataclass(frozen=True, slots=True, kw_only=True)
class Releases:
    """Families B and E: factors between Domino releases, and active shares of users."""

    cpu_factor_851: Constant
    iops_factor_851: Constant
    cpu_factor_7: Constant
    active_share_small: Constant
    active_share_large: Constant


@dataclass(frozen=True, slots=True, kw_only=True)
class Workload:
    """How often a user of NRPC mail acts."""

    think_time_ms: Constant


@dataclass(frozen=True, slots=True, kw_only=True)
class FamilyConstants:
    """All constants of families B to F."""

    mail85: Mail85
    inotes85: INotes85
    cluster85: ClusterMail85
    fault_tolerance: FaultTolerance
    cluster_r5: ClusterR5
    sametime751: Sametime751
    releases: Releases
    kernel: KernelCpu
    workload: Workload


USERS_PER_VM = 4000.0
"""Active users of every VM of family B."""

VCPUS_PER_VM = 2.0


def family_constants(rows: Rows) -> FamilyConstants:
    """The constants, read from the evidence.

    Raises:
        ModelError: a row that a constant stands on is missing or blank.
    """
    return FamilyConstants(
        mail85=_mail85(rows),
        inotes85=_inotes85(rows),
        cluster85=_cluster85(rows),
        fault_tolerance=_fault_tolerance(rows),
        cluster_r5=cluster_r5(rows),
        sametime751=_sametime751(rows),
        releases=_releases(rows),
        kernel=kernel_cpu(rows),
        workload=_workload(rows),
    )


def _mail85(rows: Rows) -> Mail85:
    core = VCPUS_PER_VM / USERS_PER_VM
    note = "mean of the two VMs"
    return Mail85(
        cpu_core_pct_per_user=_table1(rows, "cpu_avg", "% of a core", note, core),
        cpu_core_pct_per_user_max=_table1(rows, "cpu_max", "% of a core", note, core),
        iops_per_user=_table1(rows, "disk_io_avg", "IO/s", note, 1.0 / USERS_PER_VM),
        iops_per_user_max=_table1(rows, "disk_io_max", "IO/s", note, 1.0 / USERS_PER_VM),
        latency_ms=_table1(rows, "disk_latency_avg", "ms", note),
        latency_ms_max=_table1(rows, "disk_latency_max", "ms", note),
        ready_pct=_table1(rows, "cpu_ready_avg", "%", note),
        ready_pct_max=_table1(rows, "cpu_ready_max", "%", note),
        packets_received_per_user=_table1(
            rows, "net_packets_recd", "packets/s", note, 1.0 / USERS_PER_VM
        ),
        packets_sent_per_user=_table1(
            rows, "net_packets_xmit", "packets/s", note, 1.0 / USERS_PER_VM
        ),
        peak_factor_cpu=_peak(rows, "cpu"),
        peak_factor_iops=_peak(rows, "disk_io"),
    )


_TABLE1 = "vsphere4/table1/dominomail-0{vm}/{metric}"


def _table1(rows: Rows, metric: str, unit: str, note: str, factor: float = 1.0) -> Constant:
    ids = tuple(_TABLE1.format(vm=vm, metric=metric) for vm in (1, 2))
    mean = sum(figure(rows, id) for id in ids) / 2.0
    return Constant(value=mean * factor, unit=unit, basis=Basis.MEASURED, evidence=ids, note=note)


def _peak(rows: Rows, metric: str) -> Constant:
    """Maximum over average of the VM whose maximum is the higher one."""
    ids = tuple(_TABLE1.format(vm=2, metric=f"{metric}_{kind}") for kind in ("max", "avg"))
    return Constant(
        value=figure(rows, ids[0]) / figure(rows, ids[1]),
        unit="1",
        basis=Basis.MEASURED,
        evidence=ids,
        note="maximum over average of DominoMail-02, which has the higher maximum; the average "
        "may include the ramp",
    )


def _inotes85(rows: Rows) -> INotes85:
    core = VCPUS_PER_VM / USERS_PER_VM
    low, high = "vsphere4/table5/inotes/8gb/{}", "vsphere4/table6/inotes/16gb/{}"
    iops = (low.format("disk_io_avg"), high.format("disk_io_avg"))
    exponent = -math.log(figure(rows, iops[1]) / figure(rows, iops[0])) / math.log(2.0)
    user = 1.0 / USERS_PER_VM
    return INotes85(
        cpu_core_pct_per_user_8gb=scaled(rows, low.format("cpu_avg"), core, "% of a core"),
        cpu_core_pct_per_user_16gb=scaled(rows, high.format("cpu_avg"), core, "% of a core"),
        iops_per_user_8gb=scaled(rows, iops[0], user, "IO/s"),
        iops_per_user_16gb=scaled(rows, iops[1], user, "IO/s"),
        latency_ms_8gb=scaled(rows, low.format("disk_latency_avg"), 1.0, "ms"),
        latency_ms_16gb=scaled(rows, high.format("disk_latency_avg"), 1.0, "ms"),
        packets_received_per_user=scaled(rows, low.format("net_packets_recd"), user, "packets/s"),
        packets_sent_per_user=scaled(rows, low.format("net_packets_xmit"), user, "packets/s"),
        ram_exponent_iops=Constant(
            value=exponent,
            unit="1",
            basis=Basis.MEASURED,
            evidence=iops,
            note="IOPS fall as RAM^(-exponent): -ln(IOPS at 16 GB / IOPS at 8 GB) / ln 2",
        ),
    )


def _cluster85(rows: Rows) -> ClusterMail85:
    table = "vsphere4/table3/"
    note = "2 VMs on 2 hosts, 4,000 active users a server; not said whether per server"
    return ClusterMail85(
        cpu_pct=scaled(rows, table + "cpu_avg-perfmon", 1.0, "% of 2 vCPUs", note),
        response_ms=scaled(rows, table + "response_time_avg", 1.0, "ms", note),
        iops=scaled(rows, table + "disk_io", 1.0, "IO/s", note),
        network_mb_per_s=scaled(rows, table + "network", 1.0, "MB/s", note),
    )


def _fault_tolerance(rows: Rows) -> FaultTolerance:
    test = "vsphere4/vmware-ft-test/"
    return FaultTolerance(
        users_at_1gbps=scaled(
            rows, test + "recommended-ft-workload-limit-on-1-gb-logging-link", 1.0, "users"
        ),
        saturating_users_at_1gbps=scaled(
            rows, test + "ft-load-approaching-saturation-of-1-gb-logging-link", 1.0, "users"
        ),
    )


def _sametime751(rows: Rows) -> Sametime751:
    def of(name: str, unit: str) -> Constant:
        return scaled(rows, f"wv21/sametime-benchmark/{name}", 1.0, unit)

    return Sametime751(
        users=of("target-concurrent-chat-users-on-one-esx-host", "users"),
        community_servers=of("community-server-vms", "VM"),
        community_vcpus=of("vcpu-per-community-server", "vCPU"),
        community_ram_gib=of("ram-per-community-server", "GiB"),
        multiplexers=of("multiplexer-vms", "VM"),
        multiplexer_vcpus=of("vcpu-per-multiplexer", "vCPU"),
        multiplexer_ram_gib=of("ram-per-multiplexer", "GiB"),
        logins_per_min=of("logins", "1/min"),
        status_changes_per_min=of("status-changes", "1/min"),
        notifications_per_min=of("status-change-notifications", "1/min"),
        channels_per_min=of("im-channels-created", "1/min"),
        small_messages_per_min=of("small-ims-sent", "1/min"),
        large_messages_per_min=of("large-ims-sent", "1/min"),
        user_info_per_min=of("user-info-requests", "1/min"),
        storage_reads_per_min=of("storage-reads", "1/min"),
        storage_updates_per_min=of("storage-updates", "1/min"),
        group_chats_per_min=of("n-way-chats-started", "1/min"),
    )


def _releases(rows: Rows) -> Releases:
    claims, users = "vsphere4/performance-enhancements/", "zseries/users/"
    return Releases(
        cpu_factor_851=decrease(
            rows, claims + "domino-8.5.1-cpu-reduction-vs-domino-8-and-earlier", Basis.RULE
        ),
        iops_factor_851=decrease(rows, claims + "domino-8.5.1-disk-iops-reduction", Basis.RULE),
        cpu_factor_7=decrease(
            rows, "zseries/results/cpu-usage-improvement-domino-6.5-7-best-dpar", Basis.MEASURED
        ),
        active_share_small=ratio(
            rows, users + "15-minute-active-users", users + "registered-users-now"
        ),
        active_share_large=ratio(
            rows,
            users + "15-minute-active-users-2",
            users + "registered-users-now-2",
            "1,150 of 3,280 is 35.1 %; the article prints 36 %",
        ),
    )


_R6MAIL_ACTIONS = (
    "open-inbox",
    "read-message",
    "delete-message",
    "add-message-to-inbox-50-kb",
    "send-message-to-3-recipients-100-kb-average",
    "send-invitation-to-3-recipients",
    "send-rsvp",
    "close-inbox",
)


def _workload(rows: Rows) -> Workload:
    ids = tuple(f"rule/workload-r6mail/{action}" for action in _R6MAIL_ACTIONS)
    actions = sum(figure(rows, id) for id in ids)
    return Workload(
        think_time_ms=Constant(
            value=90.0 * 60.0 * 1000.0 / actions,
            unit="ms",
            basis=Basis.RULE,
            evidence=ids,
            note="90 minutes over the 69 actions of the R6Mail workload; WV21 names no rate, "
            "R6Mail is the published NRPC workload nearest to it",
        ),
    )
