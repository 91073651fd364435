"""What each rule is about, in a few words: for people, who never see a rule's id."""

from __future__ import annotations

from collections.abc import Mapping

from models.texts import say

TITLES: Mapping[str, str] = {
    "admission-none": say("No admission control"),
    "admission-not-met": say("Admission control is not met"),
    "admission-share": say("Percentage of admission control"),
    "admission-slot-size": say("Size of a slot"),
    "affinity-contradictory": say("Affinity rules that contradict each other"),
    "affinity-broken": say("Affinity rule broken"),
    "cluster-maximum": say("Maximum of a cluster"),
    "cluster-replicators": say("Cluster replicators"),
    "cpu-over-limit": say("CPU over its limit"),
    "dedicated-nic": say("Dedicated network port"),
    "derating-one": say("Users counted as benchmark users"),
    "disk-latency": say("Disk latency"),
    "doubted-cell": say("Doubted measurement"),
    "failover-host-smaller": say("Failover host too small"),
    "ft-clock": say("Fault Tolerance: clock rates"),
    "ft-cost": say("Fault Tolerance: its cost"),
    "ft-disks": say("Fault Tolerance: disks"),
    "ft-host-limit": say("Fault Tolerance: VMs per host"),
    "ft-licence": say("Fault Tolerance: licence"),
    "ft-link": say("Fault Tolerance: logging link"),
    "ft-logging-users": say("Fault Tolerance: users per logging link"),
    "ft-nested-paging": say("Fault Tolerance: nested paging off"),
    "ft-no-secondary": say("Fault Tolerance: no place for the secondary"),
    "ft-processors": say("Fault Tolerance: processors"),
    "ft-single-vcpu": say("Fault Tolerance: number of vCPUs"),
    "ft-third-host": say("Fault Tolerance: a third host"),
    "generic-no-data": say("Workload without figures"),
    "guest-32-over-4-gib": say("32-bit operating system with much memory"),
    "guest-64-without-vt": say("64-bit guest without hardware support"),
    "ha-maximum": say("Maximum of an HA cluster"),
    "ha-primary-hosts": say("HA primary hosts"),
    "host-maximum": say("Maximum of a host"),
    "hypervisor-era": say("Hypervisor and machine of different times"),
    "kernel-time": say("Kernel time"),
    "knee-shared": say("Shared knee"),
    "local-disk": say("Several servers on one local disk"),
    "log-pool-no-data": say("Pool of transaction logs without data"),
    "log-with-data": say("Transaction logs with the data"),
    "lun-queue-depth": say("Queue depth of a LUN"),
    "memory-in-use": say("Memory in use above the memory"),
    "memory-limit": say("Memory limit below the memory"),
    "n-plus-k": say("Loss of several hosts at once"),
    "n-plus-one": say("Loss of one host"),
    "network-40": say("Network over 40 %"),
    "no-drives": say("Pool without drives"),
    "no-ha": say("No HA"),
    "no-pool": say("VM without a pool"),
    "no-spec-rate": say("Machine without a published rate"),
    "no-host-can-run": say("VM that no host can run"),
    "overcommit-policy": say("Overcommitment allowed"),
    "partner-capacity": say("Capacity for a cluster partner’s users"),
    "partner-one-way": say("One-sided cluster membership"),
    "partners-in-one-basket": say("Cluster partners on the same disks"),
    "partners-on-one-host": say("Cluster partners on one host"),
    "pool-capacity": say("Space of a pool"),
    "pool-utilisation": say("Utilisation of a pool"),
    "poor-candidate": say("Poor candidate for virtualisation"),
    "raid-0-data": say("RAID 0 for data"),
    "raid-group": say("Size of RAID groups"),
    "raid-not-offered": say("RAID level not offered"),
    "ram-before-spindles": say("Memory before more drives"),
    "ram-over-host": say("More memory than the host has"),
    "ram-over-limit": say("Memory over its limit"),
    "ready-time": say("Ready time"),
    "ready-time-watch": say("Ready time to watch"),
    "reconnect-storm": say("Reconnect storm"),
    "reference-system": say("Reference system"),
    "registered-users": say("Registered and active users"),
    "release-upgrade": say("Older release"),
    "release-without-evidence": say("Release without measurements"),
    "reservation-over-host": say("Reservation that the host can’t keep"),
    "reserved-share": say("Share reserved"),
    "response-over-limit": say("Response over its limit"),
    "restart-disabled": say("Restart disabled"),
    "restart-nowhere": say("No host to restart on"),
    "restart-slower": say("Restart on a slower host"),
    "sametime-clients": say("Sametime: several clients per user"),
    "sametime-ip-sprayer": say("Sametime: IP sprayer"),
    "sametime-meetings": say("Sametime: meetings apart from chat"),
    "sametime-mux-size": say("Sametime: size of a multiplexer"),
    "sametime-no-data": say("Sametime without figures"),
    "sametime-no-mux": say("Sametime: no multiplexer"),
    "shared-lun": say("Shared LUN"),
    "space-unstated": say("Size of system disks not stated"),
    "storage-path": say("Path to the disks"),
    "support-statement": say("Vendor’s support statement"),
    "third-party-tasks": say("Third-party tasks"),
    "too-many-drives": say("More drives than the array takes"),
    "unknown-cpu": say("CPU that nothing is known of"),
    "unplaced": say("VM without a host"),
    "users-per-ram": say("Users to a gigabyte"),
    "vcpu-maximum": say("Maximum of vCPUs"),
    "vcpus-over-host": say("More vCPUs than the host has cores"),
    "vcpus-per-core": say("vCPUs per core"),
    "vm-maximum": say("Maximum of a VM"),
}


def rule_title(id: str) -> str:
    """The rule in a few words; of one that is known no more its id in words.

    >>> rule_title("n-plus-one"), rule_title("a-rule-of-old")
    ('Loss of one host', 'A rule of old')
    """
    return TITLES.get(id) or id.replace("-", " ").capitalize()


POOL_RULES = frozenset({"no-drives"})
"""Rules that keep VMs from being powered on and speak of their pool."""
