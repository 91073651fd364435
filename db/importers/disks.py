"""Disks of a machine: which devices are disks of their own, and the I/Os of all of them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping

from db.importers.sampled import Known, Track, Tracks, machine_counter, sum_tracks
from models.intake.records import Quantity

_WHOLE = re.compile(
    r"(?:sd|vd|xvd|hd|dasd)[a-z]+"  # Linux
    r"|nvme\d+n\d+|mmcblk\d+|pmem\d+|rbd\d+|(?:cciss|ida|rd)[!/]c\d+d\d+"
    r"|hdisk\d+"  # AIX
    r"|c\d+(?:t[\dA-F]+)?d\d+|s?sd\d+|disk\d+",  # Solaris, HP-UX, macOS
    re.IGNORECASE,
)
"""What is a disk of its own by its name."""
_PART = re.compile(
    rf"(?:(?:{_WHOLE.pattern})(?:p\d+|s\d+|,[a-h])|(?:sd|vd|xvd|hd|dasd)[a-z]+\d+)\Z", re.IGNORECASE
)
_NO_DISK = re.compile(
    r"(?:loop|ram|zram|sr|scd|cdrom|cd|fd|nbd|st|nst|rmt)\d*\Z|nvme\d+c", re.IGNORECASE
)
_PATHS_JOINED = re.compile(
    r"(?:mpath|emcpower|vpath|hdiskpower|dm-uuid-mpath|3[0-9a-f]{32})", re.IGNORECASE
)
_BY_NUMBER = re.compile(r"dev(\d+)-(\d+)\Z")
_MAJORS = frozenset(
    (3, 8, 22, 33, 34, 94, 179, 202, 259, *range(65, 80), *range(104, 112), *range(128, 136))
)
"""Numbers of drivers of disks (Linux, Documentation/admin-guide/devices.txt); 252 to 254 are
handed out as they come, to virtio disks and to the device mapper alike."""
_BY_ID = re.compile(
    r"(?:ata|scsi|wwn|nvme|virtio|usb|pci|ccw|mmc)-.*?(-part\d+)?|0x[0-9a-f]{16}(-\d+)?"
)
"""Names that stay (udev, /dev/disk/by-id and by-path), of a disk or of a part of one."""
IOPS_NAME = "r/s + w/s"
TRANSFERS = "tps"
_TRANSFERS = frozenset({"tps", "DISKXFER", "r+w/s"})


def disks_among(devices: Iterable[str]) -> list[str]:
    """The devices whose I/Os together are those of the machine, each I/O once.

    Disks of their own, whatever lies on them. Where a list has none of these: multipath devices,
    else whole volumes, else partitions.

    >>> disks_among(["sda", "sda1", "dm-0", "rhel-root", "nvme0n1", "nvme0n1p2", "loop3"])
    ['sda', 'nvme0n1']
    >>> disks_among(["hdisk0", "hdisk6", "cd0"]), disks_among(["mpatha", "vg-lv"])
    (['hdisk0', 'hdisk6'], ['mpatha'])
    >>> disks_among(["dev8-0", "dev253-0"]), disks_among(["dev253-0", "dev253-1"])
    (['dev8-0'], ['dev253-0', 'dev253-1'])
    >>> disks_among(["ata-Hitachi_HDS72_MN1", "ata-Hitachi_HDS72_MN1-part1", "sdb"])
    ['ata-Hitachi_HDS72_MN1', 'sdb']
    """
    families: dict[str, list[str]] = defaultdict(list)
    for device in devices:
        families[_family(device)].append(device)
    return next((families[name] for name in _FAMILIES if families[name]), [])


_FAMILIES = ("whole", "joined", "volume", "part")
"""From what is surely a disk to what may only lie on one."""


def _family(device: str) -> str:
    numbered = _BY_NUMBER.fullmatch(device)
    if numbered is not None:
        return "whole" if int(numbered[1]) in _MAJORS else "volume"
    if (named := _BY_ID.fullmatch(device)) is not None:
        return "part" if named[1] or named[2] else "whole"
    if _NO_DISK.match(device):
        return ""
    if _WHOLE.fullmatch(device):
        return "whole"
    if _PART.fullmatch(device):
        return "part"
    return "joined" if _PATHS_JOINED.match(device) else "volume"


def add_disk_total(tracks: Tracks, machine: str) -> None:
    """Add the I/Os of all disks of a machine, each counted once, as a series of the machine's own.

    Transfers (`tps`) where they stand there, else reads and writes. What lies on the disks that
    count is said.
    """
    for name, wanted in ((TRANSFERS, _TRANSFERS), (IOPS_NAME, frozenset({"r/s", "w/s"}))):
        of_devices = _of_devices(tracks, machine, wanted)
        disks = disks_among(of_devices)
        counted = [track for disk in disks for track in of_devices[disk]]
        known = Known("IO/s", Quantity.IOPS)
        total = sum_tracks(counted, machine_counter(machine, name, known))
        if total is not None:
            tracks.count(len(total.values))
            tracks.of[machine, "", name] = total
            tracks.not_counted([each for each in of_devices if each not in disks], disks)
            return


def _of_devices(tracks: Tracks, machine: str, wanted: frozenset[str]) -> Mapping[str, list[Track]]:
    found: dict[str, list[Track]] = defaultdict(list)
    for track in tracks.of.values():
        counter = track.counter
        if counter.name in wanted and counter.subject == machine and counter.device:
            found[counter.device].append(track)
    return found
