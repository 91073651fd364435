"""Whom the loss of a host leaves without a server, as nothing of it restarts elsewhere.

A host outside clusters, or one that HA leaves out, takes its VMs down with it until it is repaired;
a host of a cluster those that HA shall not restart, or that lie on its own disks. Users of a Domino
server go on with a cluster partner that runs elsewhere; all others wait. Those of Sametime
multiplexers are the users of the community servers behind them and count once.
"""

from __future__ import annotations

import numpy as np

from models.base.quantities import BoolArray, FloatArray, IntArray
from models.physics.arrays import COMMUNITY, MUX, Arrays
from models.physics.columns import looked_up, some, sums_by
from models.scenario.scenario import Loss, Scenario


def alone(arrays: Arrays) -> BoolArray:
    """Hosts that stand alone and that VMs run on, shape (h,)."""
    return np.asarray((arrays.hosts.cluster < 0) & (arrays.vms_by_host.counts > 0))


def down_with_hosts(arrays: Arrays) -> FloatArray:
    """VMs without a running partner elsewhere that stay down with each host, and their active users
    of mail and of chat, shape (3, h)."""
    return _down(arrays, np.ones(len(arrays.hosts), dtype=np.bool_))


def down_together(arrays: Arrays, gone: BoolArray) -> tuple[int, float, float]:
    """The same VMs and users with all of the hosts `gone`, shape (h,), lost at once."""
    vms, mail, chat = _down(arrays, gone, gone=gone).sum(axis=1)
    return int(vms), float(mail), float(chat)


def users_down(arrays: Arrays, vms: IntArray, gone: BoolArray) -> tuple[int, float, float]:
    """Of VMs that stay down with the hosts `gone`, (h,), those without a partner that goes on, and
    their users of mail and of chat."""
    lost = np.zeros(len(arrays.vms), dtype=np.bool_)
    lost[vms] = True
    count, mail, chat = _sums(arrays, lost & ~_served(arrays, gone), len(gone)).sum(axis=1)
    return int(count), float(mail), float(chat)


def _down(arrays: Arrays, hosts: BoolArray, *, gone: BoolArray | None = None) -> FloatArray:
    vms = arrays.vms
    stands_alone = looked_up(arrays.hosts.cluster, vms.host, -1) < 0
    lost = arrays.started & (stands_alone | vms.kept_down & (vms.rooted | ~vms.fault_tolerance))
    if not some(lost):
        return np.zeros((3, len(hosts)))
    lost &= looked_up(hosts, vms.host, False)
    return _sums(arrays, lost & ~_served(arrays, gone), len(hosts))


def _sums(arrays: Arrays, lost: BoolArray, hosts: int) -> FloatArray:
    """How many VMs are lost with each host, with users of mail and of chat, (3, h)."""
    vms = arrays.vms
    users, community, mux = vms.active_users, vms.law == COMMUNITY, vms.law == MUX
    columns = np.array([np.ones(len(vms)), users * ~(community | mux), users * community])
    place = np.where(lost, vms.host, -1)
    count, others, served, connected = sums_by(place, np.array([*columns, users * mux]), hosts)
    return np.array([count, others, np.maximum(served, connected)])


def down_by_design(arrays: Arrays, gone: BoolArray) -> BoolArray:
    """VMs of the hosts `gone`, shape (h,), that may stay down with them as far as failure modes
    judge it, (n,): Domino servers that nothing restarts elsewhere, whose users go on with a
    partner."""
    vms = arrays.vms
    lost = vms.running & looked_up(gone, vms.host, False)
    stands_alone = looked_up(arrays.hosts.cluster, vms.host, -1) < 0
    return np.asarray(lost & (stands_alone | vms.kept_down) & _served(arrays, gone))


def _served(arrays: Arrays, gone: BoolArray | None) -> BoolArray:
    """Members of Domino clusters with a partner that runs on another host, (n,); one of the hosts
    `gone` doesn't count."""
    vms, found = arrays.vms, np.zeros(len(arrays.vms), dtype=np.bool_)
    if vms.replicas is None:
        return found
    sender, receiver = _pairs(arrays)
    safe = arrays.started[receiver] & (vms.host[receiver] != vms.host[sender])
    if gone is not None:
        safe &= ~np.append(gone, False)[vms.host[receiver]]
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
