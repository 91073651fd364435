"""What has no data and would decide, in words."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from models.record import record
from models.texts import Text, joined, say, say_many
from models.wording import listed


@record
class Lack:
    """A resource that a verdict needs and that has no data, in words, and of how many.

    `whose`: tells which they are; two of the same VMs are said together. `unlisted`: they are VMs
    that no list has.
    """

    what: str
    count: int
    whose: bytes
    of_pools: bool = False
    unlisted: bool = False

    @property
    def who(self) -> Text:
        """``571 VMs``."""
        if self.unlisted:
            return say_many(
                "{count} VM that isn’t listed", "{count} VMs that aren’t listed", self.count
            )
        if self.of_pools:
            return say_many("{count} pool", "{count} pools", self.count)
        return say_many("{count} VM", "{count} VMs", self.count)


def not_known(lacking: Sequence[Lack]) -> Text:
    """``CPU and I/O not known for 1 VM, space not known for 2 pools``."""
    said = [
        say("{what} not known for {who}", what=listed([e.what for e in same]), who=same[0].who)
        for same in _together(lacking)
    ]
    return joined(", ", said)


def _together(lacking: Sequence[Lack]) -> Collection[list[Lack]]:
    """Those of the same VMs or pools."""
    found: dict[tuple[bytes, bool, bool], list[Lack]] = {}
    for each in lacking:
        found.setdefault((each.whose, each.of_pools, each.unlisted), []).append(each)
    return found.values()


def of_whom(lacking: Sequence[Lack]) -> Text:
    """``CPU and I/O of 2 VMs, response time of 4 VMs``."""
    said = [
        say("{what} of {who}", what=listed([each.what for each in same]), who=same[0].who)
        for same in _together(lacking)
    ]
    return joined(", ", said)
