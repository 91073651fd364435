"""Disks of a machine: which devices are disks of their own, and the I/Os of all of them."""

from __future__ import annotations

import re

from db.importers.sampled import Known, Tracks, machine_counter, sum_tracks
from models.intake.records import Quantity

TITLE = re.compile(r"^(Linux|AIX|SunOS)\s+\S+\s+\(?([^()\s]+)\)?\s+(.*)$")
"""The line that sysstat's tools begin with: system, machine, day and processors."""
_VIRTUAL = re.compile(r"(dm-|loop|sr|scd|fd|md|ram|zram|drbd|cciss!.*p\d|nbd)")
_PARTITION = re.compile(r"((?:sd|vd|xvd|hd)[a-z]+|(?:nvme\d+n\d+|mmcblk\d+)p)\d+\Z")
IOPS_NAME = "r/s + w/s"
TRANSFERS, _TRANSFERS = "tps", {"tps", "DISKXFER"}


def is_disk(device: str) -> bool:
    """Whether a device is a disk of its own: no partition, no volume of others, nothing virtual.

    >>> [each for each in ("sda", "sda1", "dm-0", "nvme0n1", "nvme0n1p2", "loop3") if is_disk(each)]
    ['sda', 'nvme0n1']
    """
    return _VIRTUAL.match(device) is None and _PARTITION.fullmatch(device) is None


def add_disk_total(tracks: Tracks, machine: str) -> None:
    """Add the I/Os of all disks of a machine, each counted once, as a series of the machine's own.

    Transfers (`tps`) where they stand there, else reads and writes.
    """
    for name, wanted in ((TRANSFERS, _TRANSFERS), (IOPS_NAME, {"r/s", "w/s"})):
        of_disks = [
            track
            for track in tracks.of.values()
            if track.counter.name in wanted
            and track.counter.subject == machine
            and is_disk(track.counter.device)
        ]
        known = Known("IO/s", Quantity.IOPS)
        total = sum_tracks(of_disks, machine_counter(machine, name, known))
        if total is not None:
            tracks.count(len(total.values))
            tracks.of[machine, "", name] = total
            return
