"""What the reader of a proposal is asked, rule by rule: the words of a finding's fix are those of
whoever works on the design, and these are the customer's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from models.base.texts import Text, say
from models.predict.prediction import RESPONSE_RANGE, Finding


class Turn(Enum):
    """Whose turn it is, in the order in which a reader looks for it."""

    DECIDE = say("You decide")
    TELL = say("You tell us, or have it measured")
    BUILD = say("We settle it before this is built")

    @property
    def words(self) -> str:
        """As a heading says it."""
        return self.value


@dataclass(frozen=True, slots=True)
class Request:
    """Whose turn it is, and what he is asked."""

    turn: Turn
    words: Text


def request_of(finding: Finding) -> Request:
    """What the finding asks of whom."""
    return REQUESTS[finding.rule]


def _decide(words: Text) -> Request:
    return Request(Turn.DECIDE, words)


def _tell(words: Text) -> Request:
    return Request(Turn.TELL, words)


def _build(words: Text) -> Request:
    return Request(Turn.BUILD, words)


_ONE_SERVER = say("Let us measure one of your servers for a week: users, CPU and I/O.")
_PROTECTED = say("Let us measure a protected server before its speed is promised.")
_THESE_VMS = say("Have CPU and I/O of these servers measured for a week, and send us the files.")
_LOGS_APART = say("We give transaction logs drives of their own.")
_PATH = say("We choose a path to the disks that the host has.")

REQUESTS: Mapping[str, Request] = {
    # ----------------------------------------------------------------------------- to be decided
    "reference-system": _decide(
        say("Agree with us which machines to buy: those shown were measured and can’t be bought.")
    ),
    "admission-none": _decide(say("Decide whether room for one failed host is kept free.")),
    "hung-system": _decide(
        say("Decide which servers must never be away: those get a partner in a Domino cluster.")
    ),
    "site-recovery": _decide(
        say(
            "Decide how servers of a lost site come back elsewhere: by a Domino cluster, or from "
            "replicated disks."
        )
    ),
    "no-ha": _decide(
        say("Decide whether these servers get a cluster partner, or hosts that restart them.")
    ),
    "support-guest-bits": _decide(say("Decide on 64-bit operating systems for these servers.")),
    "restart-disabled": _decide(
        say("Decide whether these servers may stay down until somebody starts them.")
    ),
    "support-end": _decide(say("Decide on a release that its maker still supports.")),
    "release-upgrade": _decide(
        say("Decide whether a later release of Domino is possible, before hardware is bought.")
    ),
    "measured-peaks": _decide(
        say("Decide whether the servers are sized for the peaks that were measured.")
    ),
    "memory-limit": _decide(say("Agree that these servers may use all memory they were given.")),
    "ft-licence": _tell(say("Tell us whether your hosts have licences of Enterprise Plus.")),
    # ----------------------------------------------------------------- to be told, or measured
    "derating-one": _tell(
        say("Let us measure how busy your users are: real ones do more than those of a benchmark.")
    ),
    "generic-no-data": _tell(_THESE_VMS),
    "unknown-cpu": _tell(_THESE_VMS),
    "assumed-load": _tell(_THESE_VMS),
    "traveler-no-data": _tell(
        say("Have CPU and I/O of a Traveler server that runs measured for a week.")
    ),
    "traveler-space": _tell(
        say("Tell us how many documents each user has, or how much space its database takes.")
    ),
    "stated-totals": _tell(
        say("Send us a list of the VMs, and have their CPU and I/O measured for a week.")
    ),
    "host-in-maintenance": _tell(say("Tell us when this host is back in service.")),
    "io-costs-cpu": _tell(say("Have these servers measured where they run under ESX already.")),
    "measured-on": _tell(say("Tell us on which server and hypervisor this load was measured.")),
    "mail-file-size": _tell(say("Tell us the mean size of your mail files.")),
    "production-registered": _tell(say("Tell us how many mail files each server holds.")),
    "registered-users": _tell(
        say("Tell us how many users own a mail file, and how many work within the same 15 minutes.")
    ),
    "space-unstated": _tell(say("Tell us how large the disks for system and logs are to be.")),
    "third-party-tasks": _tell(
        say("Tell us which virus scan, backup and other tasks run on these servers, and when.")
    ),
    "reconnect-storm": _tell(
        say("Tell us how soon all users come back after a network cut: then we show who waits.")
    ),
    "unlisted-vms": _tell(
        say("Have the list of servers made by somebody who may see all of them, without a filter.")
    ),
    "import-left-out": _tell(say("Confirm that nothing that was left out belongs to this design.")),
    "release-unknown": _tell(say("Tell us the release of these servers by its number.")),
    "guest-32-over-4-gib": _tell(say("Tell us whether these systems may become 64-bit ones.")),
    "sametime-clients": _tell(say("Tell us how many clients each chat user has open at once.")),
    "published-size": _tell(_ONE_SERVER),
    "production-sum": _tell(_ONE_SERVER),
    "production-memory": _tell(_ONE_SERVER),
    "release-without-evidence": _tell(_ONE_SERVER),
    "between-families": _tell(_ONE_SERVER),
    "doubted-cell": _tell(_ONE_SERVER),
    "beyond-published-load": _tell(_ONE_SERVER),
    "ft-cost": _tell(_PROTECTED),
    "ft-nested-paging": _tell(_PROTECTED),
    "knee-shared": _tell(
        say("Let us measure two servers beside each other, or have them on hosts of their own.")
    ),
    "sametime-no-data": _tell(say("Let us measure a chat server before more users are planned.")),
    RESPONSE_RANGE: _tell(say("Let us measure response times once, under load.")),
    # ---------------------------------------------------------------------------------- ours
    "kernel-time": _build(
        say("We watch mail routing in a pilot, or plan with a later release of the hypervisor.")
    ),
    "support-statement": _build(
        say("We have the makers confirm that these releases run together.")
    ),
    "hypervisor-era": _build(say("We look these releases up in VMware’s list.")),
    "no-spec-rate": _build(say("We find out how fast this machine is, or offer another.")),
    "unplaced": _build(say("We find a host for these servers.")),
    "no-pool": _build(say("We find drives for these servers.")),
    "site-basis": _build(say("We use your measurements anew for the load that is planned.")),
    "log-pool-no-data": _build(
        say("We keep the drives of transaction logs apart, and watch them in operation.")
    ),
    "raid-not-offered": _build(say("We choose a RAID level that the array has.")),
    "drives-not-taken": _build(say("We choose drives that go into the array.")),
    "storage-path": _build(_PATH),
    "cluster-replicators": _build(
        say("We watch the queues of the cluster replicators, and add some where they grow.")
    ),
    "overcommit-policy": _build(say("We promise no more memory to servers than the hosts have.")),
    "vsan-cluster": _build(say("We put the hosts whose drives are shared into one cluster.")),
    "affinity-broken": _build(say("We move the servers as the rule says, or ask you to drop it.")),
    "affinity-contradictory": _decide(say("Decide which of these rules is to hold.")),
    # load of servers and hosts
    **dict.fromkeys(
        (
            *("cpu-over-limit", "response-over-limit", "vcpus-per-core", "ready-time"),
            *("vcpu-maximum", "vcpus-over-host"),
        ),
        _build(say("We spread users and servers further, or plan more or faster machines.")),
    ),
    **dict.fromkeys(
        ("ram-over-limit", "ram-over-host", "memory-in-use", "memory-overcommitted"),
        _build(say("We plan more memory, or spread the servers further.")),
    ),
    "users-per-ram": _build(say("We plan more memory for it, or have it measured first.")),
    "ready-time-watch": _build(
        say("We watch in operation how long these servers wait for a processor.")
    ),
    "inotes-peaks": _build(say("We plan fewer users on each server, or more vCPUs.")),
    "poor-candidate": _build(
        say("We spread its users, or compare its response on faster machines first.")
    ),
    "below-published-least": _build(say("We plan at least what its maker asks for.")),
    "wider-than-node": _build(
        say("We keep each server within one processor, or divide it into two.")
    ),
    "no-nested-paging": _build(say("We plan processors that have nested paging.")),
    "guest-64-without-vt": _build(
        say("We plan processors that run 64-bit systems, or keep this one at 32 bits.")
    ),
    **dict.fromkeys(
        ("reserved-share", "reservation-over-host"),
        _build(say("We reserve less for these servers, or plan a larger host.")),
    ),
    **dict.fromkeys(
        ("vm-maximum", "host-maximum", "cluster-maximum", "ha-maximum"),
        _build(
            say("We stay within what the release grants: smaller clusters, or a later release.")
        ),
    ),
    **dict.fromkeys(
        ("network-40", "dedicated-nic"),
        _build(say("We plan more or faster network ports, and one of its own for a busy server.")),
    ),
    # what fails
    **dict.fromkeys(
        ("n-plus-one", "n-plus-k"),
        _build(say("We make room for the loss: more hosts, memory or processors, or other rules.")),
    ),
    "admission-not-met": _build(
        say("We plan a further host, or agree with you to keep less free for failures.")
    ),
    **dict.fromkeys(
        ("admission-share", "failover-host-smaller"),
        _build(say("We keep as much free as the largest host has.")),
    ),
    "admission-slot-size": _build(
        say("We reserve less for this server, or count what is kept free in another way.")
    ),
    **dict.fromkeys(
        ("restart-nowhere", "restart-together"),
        _build(say("We plan a further host on which these servers can restart.")),
    ),
    "restart-slower": _build(say("We keep these servers off slower hosts, or plan faster ones.")),
    "no-host-can-run": _build(say("We plan a host that can run it, or make it smaller.")),
    "ha-primary-hosts": _build(
        say("We spread the hosts over more places, or plan a later release of vSphere.")
    ),
    "partner-capacity": _build(say("We plan fewer users on each member, or larger or more ones.")),
    "partner-one-way": _build(say("We replicate between cluster partners in both directions.")),
    "partners-on-one-host": _build(say("We keep cluster partners on different hosts.")),
    "partners-in-one-basket": _build(
        say("We keep cluster partners on different disks and in different places.")
    ),
    "browser-failover": _build(say("We plan a load balancer before the members of the cluster.")),
    # Fault Tolerance
    **dict.fromkeys(
        ("ft-logging-users", "ft-link"),
        _build(say("We plan a fast link of its own for Fault Tolerance, or protect fewer users.")),
    ),
    "ft-host-limit": _build(say("We protect fewer servers on each host.")),
    **dict.fromkeys(
        ("ft-clock", "ft-processors"),
        _build(say("We plan hosts with the same processors for protected servers.")),
    ),
    "ft-disks": _build(say("We put protected servers on storage that both hosts reach.")),
    **dict.fromkeys(
        ("ft-no-secondary", "ft-third-host"),
        _build(say("We plan a further host that can take over protected servers.")),
    ),
    "ft-single-vcpu": _build(
        say("We give protected servers no more vCPUs than the release protects.")
    ),
    # storage
    **dict.fromkeys(
        (
            *("pool-utilisation", "disk-latency", "pool-capacity"),
            *("no-drives", "too-many-drives"),
        ),
        _build(say("We plan more or other drives, or spread the data further.")),
    ),
    "ram-before-spindles": _build(
        say("We look whether more memory for the servers saves drives, before any are bought.")
    ),
    "raid-group": _build(say("We divide the drives otherwise, or take another RAID level.")),
    "raid-0-data": _build(say("We plan a RAID level that survives the loss of a drive.")),
    "log-with-data": _build(_LOGS_APART),
    **dict.fromkeys(
        ("lun-queue-depth", "shared-lun"),
        _build(say("We spread the data over more LUNs, each for one server.")),
    ),
    "local-disk": _build(say("We put their data on shared storage.")),
    "pool-not-seen": _build(say("We connect this host to the storage, or move the server.")),
    "vsan-hosts": _build(say("We plan a further host for vSAN, or a witness elsewhere.")),
    "vsan-rebuild": _build(
        say("We plan a further host or more drives, so that lost data can be rebuilt.")
    ),
    "vsan-release": _build(
        say("We plan a later release on all hosts, or a way of storing that theirs have.")
    ),
    "vsan-policy": _build(say("We plan a RAID level that survives as many losses as asked for.")),
    "vsan-drives": _build(_PATH),
    # clusters of unlike hosts, Sametime and Traveler
    "mixed-makers": _build(say("We make a cluster of the hosts of each maker.")),
    "mixed-releases": _build(say("We bring all hosts of a cluster to one release.")),
    "mixed-generations": _build(
        say("We level the processors of the cluster by EVC before the first server runs.")
    ),
    "sametime-limit": _build(say("We plan a further community server.")),
    **dict.fromkeys(
        ("sametime-no-mux", "sametime-mux-size"),
        _build(say("We plan small multiplexers before the community servers.")),
    ),
    "sametime-meetings": _build(say("We plan servers of their own for meetings.")),
    "sametime-ip-sprayer": _build(say("We plan an IP sprayer before the chat servers.")),
    "traveler-devices": _build(say("We share the devices out over more servers of a pool.")),
    "traveler-pool": _build(say("We plan a further server of the pool, or a second pool.")),
}
"""By rule: each has a row."""
