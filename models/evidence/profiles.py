"""What a production server does besides the work of a benchmark: named profiles of other work.

A benchmark user reads, writes and sends mail by a Notes client, and nothing else runs. Servers in
production also serve browsers, keep views and full-text indexes, consolidate attachments,
replicate, run agents, antivirus and backup, and synchronise phones. No source tells these tasks
apart, so a profile is their sum as servers or makers have it, per server and per registered user.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from models.catalog.distance import Standpoint
from models.scenario.scenario import Profile


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherWork:
    """Other work of a server in a working hour, where it was seen.

    Attributes:
        server_cores: core-seconds per second of a server, whoever it serves.
        user_cores: the same of 1,000 registered users.
        user_iops: I/Os per second of a registered user.
        cores_half_width, iops_half_width: of the nominal 90 % interval, in ln.
        seen: machine and release on which it was seen; cores are carried from there by SPEC rate.
        machine_half_width: what is not known of that machine, in ln.
        evidence: ids of the figures.
    """

    server_cores: float
    user_cores: float
    user_iops: float
    cores_half_width: float
    iops_half_width: float
    seen: Standpoint
    machine_half_width: float
    evidence: tuple[str, ...]


USUAL_BENCHMARK_USERS, LEAST_BENCHMARK_USERS, MOST_BENCHMARK_USERS = 4.0, 2.0, 12.0
"""Benchmark users of an active user, by five sources of three eras: R5 guide for AIX (3 to 6.7 by
rule; 3.0, 6.1 or 12.1 by its own server), WV21 (2). A check of the sum, no factor."""

FIELD_MB_PER_OWNER = 17.0, 24.0
"""Memory that Domino took for each registered user of field-b and field-a [MB]."""

_FIELD = Standpoint(server="r740-6148", hypervisor="none", release="9.0.1")
_AB = tuple(
    f"field/{server}/{figure}"
    for server in ("a", "b")
    for figure in ("home-users", "cpus-mean", "cpus-now", "iops-now", "iops-mean")
)

PROFILES: Mapping[Profile, OtherWork] = {
    # The line through the geometric means of month and working hour: 0.91 CPUs at 408 home users
    # and 1.35 at 902. I/O: the same means, 0.36 a second and registered user, less the benchmark's
    # part (0.35·0.18).
    Profile.BROWSER: OtherWork(
        server_cores=0.55,
        user_cores=0.89,
        user_iops=0.30,
        cores_half_width=1.1,
        iops_half_width=1.2,
        seen=_FIELD,
        machine_half_width=0.5,
        evidence=_AB,
    ),
    # One server and the benchmark on its very model and release, 7,008 users a partition of 1, 2
    # or 4: 1.15 CPUs per 1,000 registered users are 1.0, 2.0 or 4.0 benchmark users each, of which
    # a third is active: 0.7, 1.7 or 3.7 besides, at 0.144 cores per 1,000 on the Nehalem machine.
    # I/O: 0.05 a second and registered user over 24 h, 3.2 times as much in business hours by
    # transactions, less the benchmark's part.
    Profile.MAIL: OtherWork(
        server_cores=0.0,
        user_cores=0.24,
        user_iops=0.10,
        cores_half_width=1.1,
        iops_half_width=1.1,
        seen=Standpoint(server="nehalem-ept", hypervisor="none", release="8.5.1"),
        machine_half_width=0.3,
        evidence=(
            *("field/e/registered-users", "field/e/cpus", "field/e/benchmark-users"),
            *("field/c/iops", "field/c/registered-users", "field/d/iops"),
            "field/d/registered-users",
        ),
    ),
    # 1, 2 and 4 cores for 10, 100 and 1,000 users, 70 % busy: the line through the last two.
    Profile.MAKER: OtherWork(
        server_cores=1.24,
        user_cores=1.56,
        user_iops=0.30,
        cores_half_width=0.7,
        iops_half_width=1.2,
        seen=_FIELD,
        machine_half_width=0.5,
        evidence=(
            *("field/hcl/cores-10", "field/hcl/cores-100", "field/hcl/cores-1000"),
            *_AB,
        ),
    ),
}
