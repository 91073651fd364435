"""Users of servers and what goes with them, wherever they grow in number or move.

Whoever works out a variant in which servers have other users asks here: with active users go the
owners of mail files (`VmArrays.mail_owners`), whose work and files are part of a server's load.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from models.base.fields import bounds_of
from models.base.quantities import BoolArray, FloatArray, IntArray
from models.physics.arrays import VmArrays
from models.scenario.scenario import Workload

MOST_REGISTERED = bounds_of(Workload, "registered_users").le or np.inf
"""What their field takes."""


def owners_with(vms: VmArrays, active: FloatArray) -> FloatArray:
    """Registered users of servers with so many active ones, (…, n); NaN where none are stated.

    registered·active/active today, whole ones [users]: they grow and shrink in proportion, but for
    those that are pinned, and where nobody is active today. Valid for growth, in which the same
    people don't work more at once. Source: docs/model.md, "Production".

    Args:
        active: active users, (…, n).

    >>> from tests.models.worlds import CATALOG, members
    >>> from models.physics.scenario_to_arrays import to_arrays
    >>> pair = to_arrays(members(2, 1000.0, registered_users=3000.0), CATALOG).vms
    >>> owners_with(pair, np.array([1500.0, 1000.0])).tolist()
    [4500.0, 3000.0]
    """
    today = vms.active_users
    follows = (today > 0) & ~vms.owners_pinned
    share = active / np.where(follows, today, 1.0)
    owners = np.minimum(np.rint(vms.registered_users * share), MOST_REGISTERED)
    return np.where(follows, owners, vms.registered_users)


def with_users_moved(vms: VmArrays, lost: IntArray, heirs: BoolArray) -> VmArrays:
    """The VMs of s copies side by side in each of which one leaves its users to others, (s·n,).

    users/heirs of active users and of owners of mail files go to each heir; what a file of an heir
    is like on average is weighed by owners. Space stays as it is: the replicas that are opened are
    there already. Valid for clients that choose among the heirs alike. Source: docs/failures.md,
    “Domino clusters”.

    Args:
        lost: row in its copy of the one, `NOBODY` for none, (s,).
        heirs: who takes its users over, (s, n).

    One of a pair with 1,000 active and 3,000 registered users each:

    >>> from tests.models.worlds import CATALOG, members
    >>> from models.physics.scenario_to_arrays import to_arrays
    >>> pair = to_arrays(members(2, 1000.0, registered_users=3000.0), CATALOG).vms
    >>> after = with_users_moved(pair, np.array([0]), np.array([[False, True]]))
    >>> after.active_users.tolist(), after.mail_owners.tolist()
    ([0.0, 2000.0], [0.0, 6000.0])
    """
    if not heirs.shape[1]:
        return vms
    rows, at, shape = np.arange(len(lost)), np.maximum(lost, 0), heirs.shape
    gone = _gone(lost, shape)
    takes = heirs & (lost >= 0)[:, None] & ~gone
    share = takes / np.maximum(takes.sum(axis=1), 1)[:, None]
    active, owners, registered, size = (
        column.reshape(shape)
        for column in (vms.active_users, vms.mail_owners, vms.registered_users, vms.mail_file_mb)
    )
    assumed = vms.registered_assumed.reshape(shape)

    def of_lost(column: np.ndarray) -> np.ndarray:
        return np.asarray(column[rows, at][:, None])

    came = of_lost(owners) * share
    counted = takes & ~(np.isnan(registered) & np.isnan(of_lost(registered)))
    registered = np.where(counted, owners + came, registered)
    mixed = takes & (owners + came > 0)
    mean = (owners * size + came * of_lost(size)) / np.where(mixed, owners + came, 1.0)
    return replace(
        vms,
        active_users=(np.where(gone, 0.0, active) + of_lost(active) * share).ravel(),
        registered_users=np.where(gone, 0.0 * registered, registered).ravel(),
        registered_assumed=(assumed | (takes & of_lost(assumed))).ravel(),
        mail_file_mb=np.where(mixed, mean, size).ravel(),
        stored_mb=vms.files_mb,
    )


def without_server(vms: VmArrays, lost: IntArray, heirs: BoolArray) -> VmArrays:
    """The same where the server of that VM is down, so that it does nothing and nothing is pushed
    to it or by it, while the VM keeps its memory."""
    moved, gone = with_users_moved(vms, lost, heirs), _gone(lost, heirs.shape).ravel()
    if (replicas := vms.replicas) is None:
        return replace(moved, stopped=gone)
    running = vms.running & ~gone
    received, files = (
        replicas.received(np.where(running, figures, 0.0)) * running
        for figures in (moved.active_users, moved.mail_owners)
    )
    pushing = replicas.pushing(running)
    return replace(moved, stopped=gone, received=received, received_files=files, pushing=pushing)


def _gone(lost: IntArray, shape: tuple[int, ...]) -> BoolArray:
    """The rows `lost` of each copy as a mask, (s, n)."""
    gone = np.zeros(shape, dtype=np.bool_)
    there = lost >= 0
    gone[np.flatnonzero(there), lost[there]] = True
    return gone


def with_most_inherited(vms: VmArrays, started: BoolArray) -> VmArrays:
    """The VMs of one scenario in which every server has the most users that the loss of one other
    brings it, all at once, (n,): no single loss brings more of anything.

    Args:
        started: servers that serve anybody, (n,).
    """
    replicas = vms.replicas
    assert replicas is not None
    active, _ = replicas.inherited(vms.active_users, started)
    owners, _ = replicas.inherited(vms.mail_owners, started)
    size = vms.mail_file_mb.copy()
    np.maximum.at(size, replicas.receiver, vms.mail_file_mb[replicas.sender])
    said = ~np.isnan(vms.registered_users)
    mixed = np.zeros(len(vms), dtype=np.bool_)
    mixed[replicas.receiver[said[replicas.sender]]] = True
    assumed = vms.registered_assumed.copy()
    assumed[replicas.receiver[vms.registered_assumed[replicas.sender]]] = True
    return replace(
        vms,
        active_users=vms.active_users + active,
        registered_users=np.where(said | mixed, vms.mail_owners + owners, np.nan),
        registered_assumed=assumed,
        mail_file_mb=np.where(active > 0, size, vms.mail_file_mb),
        stored_mb=vms.files_mb,
        received=vms.received_users,
        received_files=vms.files_received,
        pushing=vms.replicating,
    )
