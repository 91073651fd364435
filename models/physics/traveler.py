"""HCL Traveler: what its maker prints of devices a server and of the space of its database.

Of its CPU and its I/O nothing was published: they are what somebody measured, else *not known*.
"""

from __future__ import annotations

from math import ceil

import numpy as np

from models.base.quantities import BoolArray, FloatArray
from models.base.texts import say
from models.formulas.traced import GIB, Figure, labelled, where
from models.physics.arrays import VmArrays
from models.physics.columns import some
from models.scenario.scenario import Workload

DEVICES_PER_USER = Figure(
    1.2,
    say("devices a user"),
    why=say("HCL Traveler 11.0: Disk configuration; where nobody says how many"),
)

_SPACE = say("HCL Traveler 12.0.0: Estimating the space needed for the HCL Traveler database")
BYTES_PER_DEVICE = Figure(700.0, say("bytes a device"), why=_SPACE)
BYTES_PER_DOCUMENT = Figure(4000.0, say("bytes a document"), why=_SPACE)
"""Of each document, HCL Traveler 12.0.0: Estimating the space needed for the HCL Traveler database.
Evidence: rule/hcl-traveler/database-space."""

BYTES_IN_GB = Figure(1e9, say("bytes in a GB"))

ALONE_DEVICES, POOLED_DEVICES, POOLED_LINUX_DEVICES = 500, 4500, 5300
"""Devices that a server alone and one of a pool serve at most, the latter on Windows and on Linux;
what a guest runs isn't said here, so that the lesser is the limit. HCL Traveler 12.0.2: Theoretical
device capacity, table 1. Evidence: rule/hcl-traveler/max-devices-standalone-single-ha-ha-pool-…"""

POOL_DEVICES = 18_000
"""Of a whole pool, on Windows; on Linux 21,000. The same table."""


def devices_per_user(vms: VmArrays) -> FloatArray:
    """Devices of each user, (n,)."""
    return where(np.isnan(vms.devices_per_user), DEVICES_PER_USER, vms.devices_per_user)


def devices(vms: VmArrays) -> FloatArray:
    """Devices of each Traveler server, (n,); none of others: users · devices of each [devices].

    Valid for users who have a device at all. Source: `DEVICES_PER_USER`, where nobody says.

    >>> from types import SimpleNamespace
    >>> users, each = np.array([1000.0, np.nan]), np.array([1.5, np.nan])
    >>> devices(SimpleNamespace(traveler_users=users, devices_per_user=each)).tolist()
    [1500.0, 0.0]
    """
    return np.asarray(np.nan_to_num(vms.traveler_users) * devices_per_user(vms))


def most_devices(vms: VmArrays) -> FloatArray:
    """Devices that each server takes at most, (n,)."""
    return np.where(vms.traveler_pool, float(POOLED_DEVICES), float(ALONE_DEVICES))


def fewest_servers(work: Workload) -> int:
    """Servers for the devices of a workload: as many as a server takes, in a pool one more, so that
    one may be down.

    ⌈U·V/500⌉, in a pool ⌈U·V/4500⌉ + 1. Valid up to the 18,000 devices of a pool. Source: HCL
    Traveler 12.0.2, "Theoretical device capacity".

    >>> from models.scenario.workloads import WorkloadKind
    >>> pool = Workload(
    ...     kind=WorkloadKind.DOMINO_TRAVELER, traveler_users=5000.0, traveler_pool=True
    ... )
    >>> fewest_servers(pool)
    3
    """
    each = work.devices_per_user or DEVICES_PER_USER
    most = POOLED_DEVICES if work.traveler_pool else ALONE_DEVICES
    needed = max(ceil(round((work.traveler_users or 0.0) * each / most, 6)), 1)
    return needed + 1 if work.traveler_pool else needed


def holds_database(vms: VmArrays) -> BoolArray:
    """Traveler servers whose database lies beside them, (n,): those of no pool, and of which nobody
    measured the space in use."""
    return np.asarray(vms.syncing & ~vms.traveler_pool & np.isnan(vms.own_disk_gib))


def database_bytes(
    users: FloatArray, documents: FloatArray, devices_of_each: FloatArray
) -> FloatArray:
    """Space that a Traveler database should have [bytes].

    U·(D·(700·V + 4000)) for U users with D documents and V devices each. An estimate that is too
    large on purpose; valid for the database beside the server and for one on a database server.
    Source: HCL Traveler 12.0.0, "Estimating the space needed for the HCL Traveler database", whose
    examples are 25 GB (25.25) for 1,000 users and 146 GB (146.25) for 3,000:

    >>> documents, each = np.array([5000.0, 10_000.0]), np.array([1.5, 1.25])
    >>> (database_bytes(np.array([1000.0, 3000.0]), documents, each) / 1e9).tolist()
    [25.25, 146.25]
    """
    devices = labelled("bytes of devices a document", BYTES_PER_DEVICE * devices_of_each)
    each = labelled("bytes of a document and its devices", devices + BYTES_PER_DOCUMENT)
    return labelled("database in bytes", users * (documents * each))


def database_gib(vms: VmArrays) -> FloatArray:
    """What the database takes of a server's own disks [GiB], (n,); none where nobody said the
    documents, which a finding says.

    `database_bytes`/2³⁰ of servers of no pool. Valid and from where that is.

    25.25 GB are 23.5 GiB:

    >>> from types import SimpleNamespace
    >>> yes, none = np.array([True]), np.array([np.nan])
    >>> vms = SimpleNamespace(syncing=yes, traveler_pool=~yes, own_disk_gib=none)
    >>> vms.traveler_users, vms.documents_per_user = np.array([1000.0]), np.array([5000.0])
    >>> vms.devices_per_user = np.array([1.5])
    >>> database_gib(vms).round(1).tolist()
    [23.5]
    """
    if not some(vms.syncing):
        return np.zeros(vms.syncing.shape)
    size = database_bytes(vms.traveler_users, vms.documents_per_user, devices_per_user(vms))
    gib = labelled("database in GB", np.fmax(size, 0.0) / BYTES_IN_GB) * GIB
    return where(holds_database(vms), gib, 0.0)


def over_devices(vms: VmArrays) -> BoolArray:
    """Servers that run with more devices than their maker has for one, (n,)."""
    return np.asarray(vms.running & (devices(vms) > most_devices(vms)))


def without_space(vms: VmArrays) -> BoolArray:
    """Servers whose database takes nobody knows how much of their disks, (n,)."""
    return np.asarray(holds_database(vms) & np.isnan(vms.documents_per_user))


def crowded_pools(vms: VmArrays) -> BoolArray:
    """Members of pools whose others can't take their devices when one is down, or that has more
    devices than a pool takes, (n,).

    All that run are one pool, in each of several copies of a scenario side by side: D devices over
    m servers, D > 18,000 or D > 4,500·(m − 1). Source: HCL Traveler 12.0.2, "Theoretical device
    capacity": plan for one server down.
    """
    members = vms.traveler_pool & vms.syncing & vms.running
    if not members.any():
        return members
    copies = len(vms) // (int(vms.id_rank.max()) + 1)
    served = np.where(members, devices(vms), 0.0).reshape(copies, -1).sum(axis=1)
    left = members.reshape(copies, -1).sum(axis=1) - 1
    crowded = (served > POOL_DEVICES) | (served > POOLED_DEVICES * left)
    return np.asarray(members & np.repeat(crowded, len(vms) // copies))
