"""Network load of VMs [Mb/s], and what Fault Tolerance sends between hosts.

Only the clustered test gives bytes (6 MB/s, 4,000 users a server); the others give packets, and
the size of a packet is not published. Ethernet frames (IEEE 802.3, untagged)
have 64 to 1,518 bytes, which brackets the
load; the value is the upper end, *by rule*, and never too small.
"""

from __future__ import annotations

import numpy as np

from models.evidence.constants import USERS_PER_VM, Constant, FamilyConstants
from models.physics.columns import some
from models.physics.estimates import INTERPOLATED, RULE, TRANSFERRED, Estimate, Sources
from models.physics.laws import Laws
from models.quantities import BoolArray, FloatArray

LARGEST_FRAME_BYTES = 1518.0
SMALLEST_FRAME_BYTES = 64.0


def vm_mbps(
    laws: Laws,
    *,
    users: FloatArray,
    clustered: BoolArray,
    own_mbps: FloatArray,
    constants: FamilyConstants,
    sources: Sources,
) -> Estimate:
    """Network load of each VM [Mb/s] with its interval; no data for Sametime.

    NRPC: 0.49 packets received and 0.26 sent per second and user (vSphere 4 paper, table 1),
    iNotes 0.32 and 0.17 (table 5). Domino cluster members: 6 MB/s for 4,000 users (table 3), half
    of that at the low end because it isn't said whether it is per server.
    """
    mail, inotes, member = constants.mail85, constants.inotes85, constants.cluster85
    by_mail = mail.packets_received_per_user, mail.packets_sent_per_user
    by_http = inotes.packets_received_per_user, inotes.packets_sent_per_user
    nrpc = laws.family_a | laws.family_b
    packets = np.where(laws.inotes, _sum(by_http), _sum(by_mail)) * users
    value = np.where(nrpc | laws.inotes, packets * LARGEST_FRAME_BYTES * 8e-6, np.nan)
    load = Estimate.exact(value, RULE)
    load.ends[1] *= SMALLEST_FRAME_BYTES / LARGEST_FRAME_BYTES
    load.evidence[nrpc] = sources.code(_evidence(by_mail))
    load.evidence[laws.inotes] = sources.code(_evidence(by_http))
    both = clustered & nrpc
    if some(both):
        load.put(
            both,
            users / USERS_PER_VM * member.network_mb_per_s.value * 8,
            below=0.5,
            basis=np.where(laws.as_measured, INTERPOLATED, TRANSFERRED),
            evidence=sources.code(member.network_mb_per_s.evidence),
        )
    own = laws.generic & ~np.isnan(own_mbps)
    if some(own):
        load.put(own, own_mbps, basis=RULE)
    return load


def _sum(constants: tuple[Constant, Constant]) -> float:
    return constants[0].value + constants[1].value


def _evidence(constants: tuple[Constant, Constant]) -> tuple[str, ...]:
    return constants[0].evidence + constants[1].evidence


def ft_logging_users(gbps: FloatArray, constants: FamilyConstants) -> FloatArray:
    """Users whose FT logging a link carries: 2,000 on 1 Gb/s, in proportion to the link.

    Source: vSphere 4 paper, "VMware FT Test": at 4,000 users the link approached saturation and
    the secondary could not always be started.
    """
    return constants.fault_tolerance.users_at_1gbps.value * gbps
