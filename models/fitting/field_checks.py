"""Production servers and makers' sizes against what the production basis says of them.

No benchmark is behind these figures: servers of customers, measured by others, and sizes that a
maker recommends. A field server is predicted by the other one (`profiles` is the line through
both); makers' sizes by the field servers, of which they know nothing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from models.calibration import Calibration, rounded
from models.evidence.rows import EvidenceRow, by_id, figure
from models.fitting.transfers import TransferCheck
from models.profiles import ACTIVE_OF_REGISTERED, PROFILES
from models.scenario import Profile
from models.texts import say

FIELD, VENDOR = "field", "vendor"
LIMIT = 0.70
"""Share of its cores that a server of the maker's size is taken to be busy."""

OTHER_SERVER, BOTH_SERVERS = say("the other field server"), say("both field servers")


def field_checks(
    rows: Sequence[EvidenceRow], calibration: Calibration
) -> tuple[TransferCheck, ...]:
    """Cores and I/Os of each field server by the other, and the maker's sizes by both.

    Raises:
        ModelError: a row that is needed is missing or blank.
    """
    figures = by_id(rows)
    found = [*_servers(figures, "cpus", "cores"), *_servers(figures, "iops", "iops")]
    return tuple(map(rounded, (*found, *_sizes(figures, calibration))))


def _servers(figures: dict[str, EvidenceRow], what: str, quantity: str) -> list[TransferCheck]:
    work = PROFILES[Profile.BROWSER]
    half = work.iops_half_width if what == "iops" else work.cores_half_width
    half = math.hypot(half, 0.0 if what == "iops" else work.machine_half_width)
    found = []
    for server, other in (("a", "b"), ("b", "a")):
        owners = figure(figures, f"field/{server}/home-users")
        ids = [f"field/{{}}/{what}-{when}" for when in ("mean", "now")]
        there = math.sqrt(math.prod(figure(figures, id.format(other)) for id in ids))
        if what == "cpus":
            there *= owners / figure(figures, f"field/{other}/home-users")
        found += [
            TransferCheck(
                family=FIELD,
                quantity=quantity,
                by=OTHER_SERVER,
                evidence=id.format(server),
                measured=figure(figures, id.format(server)),
                predicted=there,
                low=there * math.exp(-half),
                high=there * math.exp(half),
            )
            for id in ids
        ]
    return found


def _sizes(figures: dict[str, EvidenceRow], calibration: Calibration) -> list[TransferCheck]:
    """HCL's cores for 10, 100 and 1,000 users, at 70 %, by the field servers' line."""
    work, found = PROFILES[Profile.BROWSER], []
    each = calibration.constants.mail85.cpu_core_pct_per_user.value / 100.0
    half = math.hypot(work.cores_half_width, work.machine_half_width)
    for users in (10, 100, 1000):
        other = work.server_cores + work.user_cores * users / 1000.0
        own = users * ACTIVE_OF_REGISTERED * each
        value = (other + own) / LIMIT
        id = f"field/hcl/cores-{users}"
        found.append(
            TransferCheck(
                family=VENDOR,
                quantity="cores",
                by=BOTH_SERVERS,
                evidence=id,
                measured=figure(figures, id),
                predicted=value,
                low=(other * math.exp(-half) + own) / LIMIT,
                high=(other * math.exp(half) + own) / LIMIT,
            )
        )
    return found
