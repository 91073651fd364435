"""Hosts that stand alone: whom their loss leaves without a server, as nothing restarts elsewhere.

A host outside clusters, or one that HA leaves out, takes its VMs down with it until it is repaired.
Users of a Domino server go on with a cluster partner that runs elsewhere; all others wait. Those
of Sametime multiplexers are the users of the community servers behind them and count once.
"""

from __future__ import annotations

import numpy as np

from models.physics.arrays import COMMUNITY, MUX, Arrays
from models.physics.columns import looked_up, some, sums_by
from models.quantities import BoolArray, FloatArray
from models.scenario import Loss, Scenario


def alone(arrays: Arrays) -> BoolArray:
    """Hosts that stand alone and that VMs run on, shape (h,)."""
    return np.asarray((arrays.hosts.cluster < 0) & (arrays.vms_by_host.counts > 0))


def down_alone(arrays: Arrays) -> FloatArray:
    """VMs without a running partner elsewhere, and their active users of mail and of chat, that go
    down with each host that stands alone, shape (3, h)."""
    return _down(arrays, alone(arrays), together=False)


def down_together(arrays: Arrays, gone: BoolArray) -> tuple[int, float, float]:
    """The same VMs and users with all of the hosts `gone`, shape (h,), lost at once."""
    vms, mail, chat = _down(arrays, gone & alone(arrays), together=True, gone=gone).sum(axis=1)
    return int(vms), float(mail), float(chat)


def _down(
    arrays: Arrays, hosts: BoolArray, *, together: bool, gone: BoolArray | None = None
) -> FloatArray:
    if not some(hosts):
        return np.zeros((3, len(hosts)))
    vms = arrays.vms
    serving = arrays.started
    lost = serving & np.append(hosts, False)[vms.host]
    if vms.replicas is not None:
        lost &= ~_served(arrays, gone if together else None)
    users, community, mux = vms.active_users, vms.law == COMMUNITY, vms.law == MUX
    columns = np.array([np.ones(len(vms)), users * ~(community | mux), users * community])
    place = np.where(lost, vms.host, -1)
    count, others, served, connected = sums_by(place, np.array([*columns, users * mux]), len(hosts))
    return np.array([count, others, np.maximum(served, connected)])


def left_down(arrays: Arrays) -> int:
    """How many running VMs of clusters stay down with their host, as HA shall not or can't restart
    them, without a Domino cluster partner that goes on."""
    vms = arrays.vms
    if not some(vms.kept_down):
        return 0
    lost = vms.running & vms.kept_down & (looked_up(arrays.hosts.cluster, vms.host, -1) >= 0)
    lost &= ~(arrays.refused | (vms.fault_tolerance & ~vms.rooted))
    if vms.replicas is not None:
        lost &= ~_served(arrays, None)
    return int(np.count_nonzero(lost))


def down_by_design(arrays: Arrays, gone: BoolArray) -> BoolArray:
    """VMs of the hosts `gone`, shape (h,), that may stay down with them as far as failure modes
    judge it, (n,).

    What HA of a cluster shall not or can't restart, and on a host that stands alone a Domino server
    whose users go on with a partner.
    """
    vms = arrays.vms
    lost = vms.running & np.append(gone, False)[vms.host]
    stands_alone = looked_up(arrays.hosts.cluster, vms.host, -1) < 0
    served = False if vms.replicas is None else _served(arrays, gone)
    return np.asarray(lost & np.where(stands_alone, served, vms.kept_down))


def _served(arrays: Arrays, gone: BoolArray | None) -> BoolArray:
    """Members of Domino clusters with a partner that runs on another host, (n,); one of the hosts
    `gone` doesn't count."""
    vms = arrays.vms
    sender, receiver = _pairs(arrays)
    safe = arrays.started[receiver] & (vms.host[receiver] != vms.host[sender])
    if gone is not None:
        safe &= ~np.append(gone, False)[vms.host[receiver]]
    found = np.zeros(len(vms), dtype=np.bool_)
    found[sender[safe]] = True
    return found


def _pairs(arrays: Arrays) -> tuple[np.ndarray, np.ndarray]:
    """Rows of Domino cluster members and of their partners, in every copy side by side."""
    replicas = arrays.vms.replicas
    assert replicas is not None
    copies = np.arange(len(arrays.vms) // replicas.size)[:, None] * replicas.size
    return (copies + replicas.sender).ravel(), (copies + replicas.receiver).ravel()


def hosts_to_survive(scenario: Scenario, arrays: Arrays) -> BoolArray:
    """Hosts whose loss the verdict is to survive, by the policy or by their cluster's admission
    control, (h,)."""
    policy = scenario.policy
    asked = {each.id for each in scenario.clusters if policy.survives_hosts(each.admission)}
    if len(asked) == len(scenario.clusters) and Loss.HOST in policy.survive:
        return np.ones(len(arrays.hosts), dtype=np.bool_)
    return np.array([host.cluster in asked for host in scenario.hosts], dtype=np.bool_)


def asked_to_survive(scenario: Scenario, arrays: Arrays) -> BoolArray:
    """Hosts that stand alone though their loss is to be survived, (h,)."""
    return np.asarray((arrays.hosts.cluster < 0) & hosts_to_survive(scenario, arrays))
