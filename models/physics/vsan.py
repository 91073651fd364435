"""vSAN: drives that stand in the hosts, what of them holds data, and how many hosts a policy needs.

A host that is lost takes its drives along. Every host is taken to have as many drives as the
others, and data to be spread evenly.

Sources: VMware, vSAN Planning and Deployment 8.0, hosts as 2·FTT + 1 (`HOSTS`); Broadcom KB 428941,
hosts by policy (`POLICY_HOSTS`); D. Epping, 2022, adaptive RAID-5 (`ADAPTIVE`); VMware, space for
operations (`SLACK`); Broadcom KB 394410, overhead of the express architecture (`OVERHEAD`).
"""

from __future__ import annotations

from typing import NamedTuple

from models.catalog.catalog import Array, RaidLevel, Vsan

HOSTS = (
    "VMware, vSAN 8.0 Planning and Deployment, design of hosts <https://docs.vmware.com/en/"
    "VMware-vSphere/8.0/vsan-planning/GUID-57575456-0AD9-4655-9D6B-58509C1DF33C.html>"
)
POLICY_HOSTS = (
    "Broadcom KB 428941, nodes for each failures to tolerate "
    "<https://knowledge.broadcom.com/external/article/428941/vm-backup-fails-while-one-node-in-the-vs.html>"
)
ADAPTIVE = (
    "Yellow Bricks, 2022: vSAN 8.0 ESA, introducing adaptive RAID-5 "
    "<https://www.yellow-bricks.com/2022/11/15/vsan-8-0-esa-introducing-adaptive-raid-5>"
)
SLACK = (
    "VMware, vSAN 8.0 Administration, space for operations "
    "<https://docs.vmware.com/it/VMware-vSphere/8.0/vsan-administration/"
    "GUID-D0A298A4-8A90-47C0-91C9-103F97B8E930.html>"
)
RESERVED = (
    "VMware, vSAN 7.0 Monitoring, reserved capacity <https://docs.vmware.com/en/VMware-vSphere/7.0/"
    "com.vmware.vsphere.vsan-monitoring.doc/GUID-CD510EAE-1A9F-45D2-BB66-E893C8AAF20A.html>"
)
OVERHEAD = (
    "Broadcom KB 394410, space utilization on vSAN ESA "
    "<https://knowledge.broadcom.com/external/article/394410/storage-space-utilization-calculation-fo.html>"
)

SLACK_BEFORE_70 = 0.30
"""Of the raw space kept free before vSAN 7.0 U1; 7.0 is taken as U1 or later."""
BUFFER, OPERATIONS_GB = 0.05, 255.0
"""From then on: the buffer of the reserve, and what each host keeps for changes of policies of
objects below 8 TB."""
LFS_OVERHEAD = 0.131
"""What the log-structured file system of ESA takes on top of data and its redundancy."""
ESA_FROM, VSAN_FROM, RESERVE_FROM, ERASURE_FROM = 8.0, 5.5, 7.0, 6.0
_TOLERATED = {"0": 0, "1": 1, "5": 1, "6": 2}
_WIDE_FROM = 6
"""Hosts from which RAID-5 of ESA is 4 + 1."""


class Layout(NamedTuple):
    """How a pool lays out what it holds.

    Attributes:
        tolerates: host failures after which data is still there.
        fewest_hosts: that the policy needs; `held`: data over what it takes of the drives.
        write_penalty: I/Os of drives for a write.
        raid_tolerates: what the RAID level alone tolerates, where it leaves no choice; else None.
    """

    tolerates: int
    fewest_hosts: int
    held: float
    write_penalty: float
    raid_tolerates: int | None


def layout(array: Array, raid: RaidLevel, hosts: int, asked: int | None) -> Layout:
    """The layout of a RAID level that tolerates the failures asked for, None for those of its own.

    Copies: n failures take n + 1 copies and 2·n + 1 hosts. RAID-5 is 3 + 1 on four hosts, of ESA
    2 + 1 on three and 4 + 1 from six on; RAID-6 is 4 + 2 on six. Valid for data of one policy on
    hosts that are no fault domains together.

    >>> from resources.catalog_files import load_catalog
    >>> known = load_catalog()
    >>> esa, raid = known.arrays["vsan-esa"], known.raid_levels
    >>> layout(esa, raid["5"], 4, None)[1:3], layout(esa, raid["5"], 6, None)[1:3]
    ((3, 0.589...), (3, 0.707...))
    >>> osa = known.arrays["vsan-osa-af-8"]
    >>> layout(osa, raid["1"], 5, 2)[:3], layout(osa, raid["6"], 6, None)[:3]
    ((2, 5, 0.333...), (2, 6, 0.666...))
    """
    is_esa = array.vsan is Vsan.ESA
    own = _TOLERATED.get(raid.id, 1)
    tolerates = own if asked is None else asked
    held = 1.0 / (tolerates + 1)
    penalty, fewest, fixed = float(tolerates + 1), 2 * tolerates + 1, None
    if raid.id == "5":
        held, fewest = (3 / 4, 4) if not is_esa else (2 / 3 if hosts < _WIDE_FROM else 4 / 5, 3)
        penalty, fixed = raid.write_penalty, own
    elif raid.id == "6":
        held, fewest, penalty, fixed = 4 / 6, 6, raid.write_penalty, own
    if is_esa:
        held /= 1 + LFS_OVERHEAD
    if array.write_penalty is not None:
        penalty = array.write_penalty
    return Layout(tolerates, max(fewest, FEWEST_IN_CLUSTER), held, penalty, fixed)


FEWEST_IN_CLUSTER = 3
"""Hosts of a cluster, or two and a witness elsewhere."""


def kept_free(version: float, hosts: int, asked_pct: float | None) -> tuple[float, float]:
    """What is kept free of the raw space: a share of it, and [GB]: s·raw + f.

    30 % before vSAN 7.0, from then on 5 % and 255 GB·hosts, or as asked [%]. Valid for objects
    below 8 TB. Sources: `SLACK`, `RESERVED`.

    >>> kept_free(6.7, 4, None), kept_free(8.0, 4, None), kept_free(8.0, 4, 25.0)
    ((0.3, 0.0), (0.05, 1020.0), (0.25, 0.0))
    """
    if asked_pct is not None:
        return asked_pct / 100.0, 0.0
    if version < RESERVE_FROM:
        return SLACK_BEFORE_70, 0.0
    return BUFFER, OPERATIONS_GB * hosts
