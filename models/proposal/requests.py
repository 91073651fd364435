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
    """Whose turn it is, and what he is asked; no words: those of its fix."""

    turn: Turn
    words: Text | str = ""


def request_of(finding: Finding) -> Request:
    """What the finding asks of whom; of a rule without a row its fix, of those who build it."""
    found = REQUESTS.get(finding.rule, Request(Turn.BUILD))
    return Request(found.turn, found.words or finding.fix)


def _decide(words: Text | str = "") -> Request:
    return Request(Turn.DECIDE, words)


def _tell(words: Text | str = "") -> Request:
    return Request(Turn.TELL, words)


def _build(words: Text | str) -> Request:
    return Request(Turn.BUILD, words)


_ONE_SERVER = say("Let us measure one of your servers for a week: users, CPU and I/O.")
_PROTECTED = say("Let us measure a protected server before its speed is promised.")
_THESE_VMS = say("Have CPU and I/O of these servers measured for a week, and send us the files.")

REQUESTS: Mapping[str, Request] = {
    # ----------------------------------------------------------------------------- to be decided
    "reference-system": _decide(
        say("Agree with us which machines to buy: those shown were measured and can’t be bought.")
    ),
    "admission-none": _decide(say("Decide whether room for one failed host is kept free.")),
    "hung-system": _decide(
        say("Decide which servers must never be away: those get a partner in a Domino cluster.")
    ),
    "site-recovery": _decide(),
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
    "support-statement": _build(say("We ask the makers whether these releases run together.")),
    "hypervisor-era": _build(say("We look these releases up in VMware’s list.")),
    "no-spec-rate": _build(say("We find out how fast this machine is, or offer another.")),
    "unplaced": _build(say("We find a host for these servers.")),
    "no-pool": _build(say("We find drives for these servers.")),
    "site-basis": _build(say("We use your measurements anew for the load that is planned.")),
    "log-pool-no-data": _build(say("We give transaction logs drives of their own.")),
    "raid-not-offered": _build(say("We choose a RAID level that the array has.")),
    "drives-not-taken": _build(say("We choose drives that go into the array.")),
    "storage-path": _build(say("We choose a path to the disks that the host has.")),
    "cluster-replicators": _build(
        say("We watch the queues of the cluster replicators, and add some where they grow.")
    ),
    "overcommit-policy": _build(say("We promise no more memory to servers than the hosts have.")),
    "vsan-cluster": _build(say("We put the hosts whose drives are shared into one cluster.")),
    "affinity-broken": _build(say("We move the servers as the rule says, or ask you to drop it.")),
    "affinity-contradictory": _decide(say("Decide which of these rules is to hold.")),
}
"""By rule. What its fix says to the customer as well has no row, or one without words."""
