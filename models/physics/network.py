"""Network load of VMs [Mb/s], and what Fault Tolerance sends between hosts.

Only the clustered test gives bytes (6 MB/s, 4,000 users a server); the others give packets, and
the size of a packet is not published. Ethernet frames (IEEE 802.3, untagged) have 64 to 1,518
bytes, which brackets the load; the value is the upper end, *by rule*, and never too small.
"""

from __future__ import annotations

import numpy as np

from models.base.quantities import BoolArray, FloatArray
from models.base.texts import say
from models.evidence.constants import USERS_PER_VM, FamilyConstants, INotes85, Mail85
from models.evidence.rows import Constant
from models.formulas.traced import Figure, labelled, plus, term_of, times, where
from models.physics.arrays import USERS
from models.physics.estimates import INTERPOLATED, RULE, TRANSFERRED, Estimate, Sources
from models.physics.laws import Laws

BYTES, PACKETS = say("bytes"), say("packets/s")
LARGEST_FRAME_BYTES = Figure(
    1518.0, say("largest frame"), BYTES, why=say("IEEE 802.3: at most this")
)
SMALLEST_FRAME_BYTES = Figure(
    64.0, say("smallest frame"), BYTES, why=say("IEEE 802.3: at least this")
)
MB_IN_BYTE = Figure(8e-6, say("Mb in a byte"), why=say("8 bits, a million in an Mb"))
BITS = Figure(8.0, say("bits in a byte"))
OF_A_SERVER = Figure(USERS_PER_VM, say("users of a server"), USERS, why=say("vSphere 4 paper"))
OUT_AND_IN = Figure(2.0, say("out and in"))


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
    domino = nrpc | laws.inotes
    value = users_mbps(laws.inotes, users, LARGEST_FRAME_BYTES, constants)
    load = Estimate.exact(np.where(domino, value, own_mbps), RULE)
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
    frames = SMALLEST_FRAME_BYTES, LARGEST_FRAME_BYTES
    small, large = (member_mbps(users, received, copies, frame, constants) for frame in frames)
    return np.minimum(small, large) / 2, np.maximum(small, large)


def users_mbps(
    inotes: BoolArray, users: FloatArray, frame: float, constants: FamilyConstants
) -> FloatArray:
    """What users load with frames of that size [Mb/s], (n,): users·(received + sent)·bytes·8/10⁶.
    Valid and from where `vm_mbps` is.

    >>> from app.calibrated import shipped_calibration
    >>> mail, users = np.array([False]), np.array([4000.0])
    >>> c = shipped_calibration().constants
    >>> users_mbps(mail, users, LARGEST_FRAME_BYTES, c).round(1).tolist()
    [36.6]
    """
    packets = where(inotes, _packets(constants.inotes85), _packets(constants.mail85))
    return packets * users * frame * MB_IN_BYTE


def member_mbps(
    users: FloatArray,
    received: FloatArray,
    copies: FloatArray,
    frame: float,
    constants: FamilyConstants,
) -> FloatArray:
    """What users and partners of a member of a Domino cluster load with frames of that size [Mb/s],
    (n,): own·users + (48/4,000 − own)/2·(copies·users + received). Valid and from where
    `members_mbps` is.

    >>> from app.calibrated import shipped_calibration
    >>> once, c = np.ones(1), shipped_calibration().constants
    >>> member_mbps(4000 * once, 4000 * once, once, SMALLEST_FRAME_BYTES, c).round().tolist()
    [48.0]
    """

    def size() -> str:
        return term_of(frame).label

    whole = constants.cluster85.network_mb_per_s.value * BITS
    whole = labelled("network of a clustered server in Mb", whole)
    client = _packets(constants.mail85) * frame * MB_IN_BYTE
    client = labelled("a user’s own packets, {frame}", client, frame=size)
    each = labelled("a clustered user", whole / OF_A_SERVER)
    between = labelled("between partners, {frame}", each - client, frame=size)
    half = labelled("one way, {frame}", between / OUT_AND_IN, frame=size)
    own = labelled("its users, {frame}", users * client, "Mb/s", frame=size)
    sent = labelled("sent to partners, {frame}", times(users * half, copies), "Mb/s", frame=size)
    came = labelled("received from partners, {frame}", received * half, "Mb/s", frame=size)
    return labelled("load with {frame}", plus(plus(own, sent), came), "Mb/s", frame=size)


def _packets(figures: Mail85 | INotes85) -> float:
    received, sent = figures.packets_received_per_user, figures.packets_sent_per_user
    return labelled("packets of a user", received.value + sent.value, PACKETS)


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
