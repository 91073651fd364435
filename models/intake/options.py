"""What can be chosen of an import after the files are read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from models.base.fields import Word
from models.base.texts import say
from models.intake.chosen import ALL, Chosen
from models.intake.records import Power
from models.intake.right_size import Sizes


class DiskBasis(Word):
    """Which figure of an inventory is a VM's space."""

    PROVISIONED = "provisioned", say("provisioned")
    DISKS = "disks", say("virtual disks")
    USED = "used", say("used on the data store")
    CONSUMED = "consumed", say("used in the guest")


class MemoryBasis(Word):
    """What is meant by a VM's memory where hosts are filled."""

    CONFIGURED = "configured", say("configured")
    CONSUMED = "consumed", say("consumed")
    ACTIVE = "active", say("active")


class Reason(StrEnum):
    """Why a row of an inventory is left out."""

    OFF = "powered off"
    TEMPLATE = "template"
    PLACEHOLDER = "placeholder"
    DUPLICATE = "duplicate"
    UNKNOWN_POWER = "power not known"
    NOT_CHOSEN = "not chosen"


REASON_WORDS = {
    Reason.OFF: say("powered off"),
    Reason.TEMPLATE: say("template"),
    Reason.PLACEHOLDER: say("placeholder"),
    Reason.DUPLICATE: say("duplicate"),
    Reason.UNKNOWN_POWER: say("power not known"),
    Reason.NOT_CHOSEN: say("not chosen"),
}
PERCENTILES = (0, 50, 90, 95, 99, 100)
"""0 is the mean, 100 the peak."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """Choices; the defaults are those of the command line.

    Attributes:
        taken: reasons for which rows would be left out, and are not.
        disk, memory: what is meant; None: what doesn't refuse a site that runs (`fills`).
        sizes: which VMs that could be smaller are taken so, once it is known what they are.
        percentile: of what was measured over time, of `PERCENTILES`.
        has_pseudonyms: names are replaced by invented ones.
        same: names of VMs and hosts by other names that they go by, empty for none of them.
        power: what words of a file say of a VM's power, by the word without case; an empty one is
            an empty cell.
        chosen: the part of the inventory that is taken.
        as_vms: names of measured servers that become VMs, as the inventory has none of them.
    """

    taken: frozenset[Reason] = frozenset()
    disk: DiskBasis | None = None
    memory: MemoryBasis | None = None
    sizes: Sizes = Sizes.AS_THEY_ARE
    percentile: int = 95
    has_pseudonyms: bool = False
    same: Mapping[str, str] = field(default_factory=dict)
    power: Mapping[str, Power] = field(default_factory=dict)
    chosen: Chosen = ALL
    as_vms: frozenset[str] = frozenset()
