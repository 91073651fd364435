"""Network load of VMs [Mb/s], and what Fault Tolerance sends between hosts.

Only the clustered test gives bytes (6 MB/s, 4,000 users a server); the others give packets, and
the size of a packet is not published. Ethernet frames (IEEE 802.3, untagged) have 64 to 1,518
bytes, which brackets the load; the value is the upper end, *by rule*, and never too small.
"""

from __future__ import annotations

import numpy as np

from models.base.quantities import FloatArray
from models.evidence.constants import USERS_PER_VM, FamilyConstants
from models.evidence.rows import Constant
from models.physics.estimates import INTERPOLATED, RULE, TRANSFERRED, Estimate, Sources
from models.physics.laws import Laws

LARGEST_FRAME_BYTES = 1518.0
SMALLEST_FRAME_BYTES = 64.0


def vm_mbps(
    laws: Laws,
    *,
    users: FloatArray,
    received: FloatArray | None,
    copies: FloatArray,
    own_mbps: FloatArray,
    constants: FamilyConstants,
    sources: Sources,
) -> Estimate:
    """Network load of each VM [Mb/s] with its interval; no data for Sametime.

    users·(received + sent)·1,518·8/10⁶, at least with frames of 64 bytes. NRPC: 0.49 packets
    received and 0.26 sent per second and user, iNotes 0.32 and 0.17. Members of Domino clusters:
    `members_mbps`; VMs with a figure of their own: that.

    Valid at 4,000 users of 8.5.1, in proportion elsewhere. Source: vSphere 4 paper, tables 1 and 5.

    Args:
        users: benchmark users; `received`: those of partners whose changes each VM takes, None
            where nobody does; `copies`: to how many further copies VMs push theirs.

    4,000 users of family A and 4,000 of iNotes:

    >>> from types import SimpleNamespace
    >>> from app.calibrated import shipped_calibration
    >>> a, inotes, none = np.array([True, False]), np.array([False, True]), np.zeros(2, dtype=bool)
    >>> laws = SimpleNamespace(family_a=a, family_b=none, inotes=inotes)
    >>> load = vm_mbps(
    ...     laws,
    ...     users=np.full(2, 4000.0),
    ...     received=None,
    ...     copies=np.zeros(2),
    ...     own_mbps=np.full(2, np.nan),
    ...     constants=shipped_calibration().constants,
    ...     sources=Sources(),
    ... )
    >>> load.value.round(1).tolist(), load.low.round(2).tolist()
    ([36.6, 23.6], [1.54, 0.99])
    """
    mail, inotes = constants.mail85, constants.inotes85
    by_cluster = constants.cluster85.network_mb_per_s
    by_mail = mail.packets_received_per_user, mail.packets_sent_per_user
    by_http = inotes.packets_received_per_user, inotes.packets_sent_per_user
    nrpc = laws.family_a | laws.family_b
    packets = np.where(laws.inotes, _sum(by_http), _sum(by_mail)) * users
    domino = nrpc | laws.inotes
    load = Estimate.exact(np.where(domino, packets * LARGEST_FRAME_BYTES * 8e-6, own_mbps), RULE)
    np.multiply(load.low, SMALLEST_FRAME_BYTES / LARGEST_FRAME_BYTES, out=load.low, where=domino)
    load.evidence[nrpc] = sources.code(_evidence(by_mail))
    load.evidence[laws.inotes] = sources.code(_evidence(by_http))
    if received is not None:
        member = nrpc & ((copies > 0) | (received > 0))
        least, most = members_mbps(users, received, copies, constants)
        load.put(
            member,
            most,
            basis=np.where(laws.as_measured, INTERPOLATED, TRANSFERRED),
            evidence=sources.code(by_cluster.evidence + _evidence(by_mail)),
        )
        np.copyto(load.ends[1], least, where=member)
    return load


def members_mbps(
    users: FloatArray, received: FloatArray, copies: FloatArray, constants: FamilyConstants
) -> tuple[FloatArray, FloatArray]:
    """Least and most network load of members of Domino clusters [Mb/s], (n,) each.

    Two like members with 4,000 users took 6 MB/s (table 3). What is left of it without the users'
    own packets went between them, half out and half in: what one pushes the other receives, and to
    several copies so many times. How
    large the packets are leaves open how much that is, so the most is the larger of both ends, and
    the least half of the smaller one, as it isn't said whether the figure is per server.

    Valid for like members of 4,000 users, in proportion elsewhere. Source: vSphere 4 paper.

    >>> from app.calibrated import shipped_calibration
    >>> shipped = shipped_calibration()
    >>> users, once = np.array([4000.0]), np.ones(1)
    >>> least, most = members_mbps(users, users, once, shipped.constants)
    >>> least.round().tolist(), most.round().tolist()  # 6 MB/s are 48 Mb/s
    ([24.0], [48.0])
    """
    mail = constants.mail85
    packets = mail.packets_received_per_user.value + mail.packets_sent_per_user.value
    frames = np.array([[SMALLEST_FRAME_BYTES], [LARGEST_FRAME_BYTES]])
    own = packets * frames * 8e-6
    pushed = (constants.cluster85.network_mb_per_s.value * 8 / USERS_PER_VM - own) / 2
    loads = own * users + pushed * (copies * users + received)
    return loads.min(axis=0) / 2, loads.max(axis=0)


def _sum(constants: tuple[Constant, Constant]) -> float:
    return constants[0].value + constants[1].value


def _evidence(constants: tuple[Constant, Constant]) -> tuple[str, ...]:
    return constants[0].evidence + constants[1].evidence


def ft_logging_users(gbps: FloatArray, constants: FamilyConstants) -> FloatArray:
    """Users whose FT logging a link carries: 2,000 on 1 Gb/s, in proportion to the link [Gb/s].

    Source: vSphere 4 paper, "VMware FT Test": at 4,000 users the link approached saturation and
    the secondary could not always be started. Valid at 1 Gb/s; the proportion is
    arithmetic.

    >>> from app.calibrated import shipped_calibration
    >>> shipped = shipped_calibration()
    >>> ft_logging_users(np.array([1.0, 10.0]), shipped.constants).tolist()
    [2000.0, 20000.0]
    """
    return constants.fault_tolerance.users_at_1gbps.value * gbps
