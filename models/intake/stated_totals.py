"""Totals that somebody states of a site of which there is no list: as many equal VMs.

What totals hide, the largest VM, the peak of one and what waits for what, is said wherever they
are used: every figure is an assumption, whatever a verdict is found to be holds on it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields

from models.base.errors import ModelError
from models.base.limits import MOST_ITEMS
from models.base.texts import joined, say, say_many
from models.intake.records import Note, Records, VmRecord
from models.scenario.wording import number

MIB_PER_GIB = 1024.0
RULE = "stated-totals"
"""Rule of the note that a scenario of such an import keeps."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedTotals:
    """Sums over all VMs that run.

    Attributes:
        ram_gib, disk_gib: configured memory, and space [GiB]; None: not known.
        iops: host I/Os a second at once; `cpu_mhz`: busy CPU [MHz], at once; None: not known.
    """

    vms: int
    vcpus: int
    ram_gib: float
    disk_gib: float | None = None
    iops: float | None = None
    cpu_mhz: float | None = None

    def __post_init__(self) -> None:
        if not 1 <= self.vms <= MOST_ITEMS:
            reason = say("must be from 1 to {most}", most=f"{MOST_ITEMS:,}")
            raise ModelError(reason, field="vms")
        if self.vcpus < self.vms:
            raise ModelError(say("must be one for each VM at least"), field="vcpus")
        for each in ("ram_gib", "disk_gib", "iops", "cpu_mhz"):
            value = getattr(self, each)
            if value is not None and not 0 < value < math.inf:
                raise ModelError(say("must be more than 0"), field=each)


_MULTIPLES = {"ram_tib": ("ram_gib", 1024.0), "ram_mib": ("ram_gib", 1 / 1024.0)}
_MULTIPLES |= {"disk_tib": ("disk_gib", 1024.0), "cpu_ghz": ("cpu_mhz", 1000.0)}
NAMES = (*(each.name for each in fields(StatedTotals)), *_MULTIPLES)
"""What a total can be called."""
NEEDED = ("vms", "vcpus", "ram_gib")


def pairs_of(text: str) -> list[tuple[str, str]]:
    """Names and figures of totals as ``vms=412, vcpus=1640``, by lines, commas or semicolons;
    what begins with # is a remark. Nothing is checked.

    >>> pairs_of("vms=412, vcpus = 1640\\nram_tib=6.2  # of vCenter")
    [('vms', '412'), ('vcpus', '1640'), ('ram_tib', '6.2')]
    """
    lines = (line.partition("#")[0] for line in text.splitlines())
    parts = (part.partition("=") for line in lines for part in line.replace(";", ",").split(","))
    return [
        (name.strip().casefold(), figure.strip())
        for name, mark, figure in parts
        if name.strip() or mark
    ]


def totals_of(text: str) -> StatedTotals:
    """The totals that a text states.

    Raises:
        ModelError: one of them is unknown, no number or can't be, or one is missing.

    >>> totals_of("vms=10,vcpus=25,ram_tib=0.125").ram_gib
    128.0
    """
    found: dict[str, float] = {}
    for name, figure in pairs_of(text):
        if name not in NAMES:
            raise ModelError(say("is none of {names}", names=joined(", ", NAMES)), field=name)
        plain, factor = _MULTIPLES.get(name, (name, 1.0))
        if plain in found:
            raise ModelError(say("is stated twice"), field=name)
        try:
            found[plain] = float(figure) * factor
        except ValueError:
            reason = say("must be a number, with a point for decimals")
            raise ModelError(reason, field=name) from None
    for name in NEEDED:
        if name not in found:
            raise ModelError(say("is missing"), field=name)
    for name in ("vms", "vcpus"):
        if not found[name].is_integer():
            raise ModelError(say("must be a whole number"), field=name)
    vms, vcpus = int(found.pop("vms")), int(found.pop("vcpus"))
    return StatedTotals(vms=vms, vcpus=vcpus, **found)


def records_of(totals: StatedTotals, file: str, kind: str) -> Records:
    """VMs whose figures add up to the totals, equal but for a vCPU that doesn't go into all."""
    each, more = divmod(totals.vcpus, totals.vms)
    digits = len(str(totals.vms))

    def share(total: float | None, factor: float = 1.0) -> float | None:
        return None if total is None else total / totals.vms * factor

    records = Records(file=file, kind=kind, tables={"VM": totals.vms})
    records.vms = [
        VmRecord(
            name=f"VM-{at:0{digits}}",
            is_share=True,
            vcpus=float(each + (at <= more)),
            ram_mib=share(totals.ram_gib, MIB_PER_GIB),
            provisioned_mib=share(totals.disk_gib, MIB_PER_GIB),
            iops=share(totals.iops),
            cpu_mhz=share(totals.cpu_mhz),
        )
        for at in range(1, totals.vms + 1)
    ]
    records.notes.append(Note(RULE, _hidden(totals)))
    return records


def _hidden(totals: StatedTotals) -> str:
    return say_many(
        "{count} VM is a share of stated totals.",
        "{count} VMs are equal shares of stated totals: nobody knows the largest of them, the peak "
        "of one, or which wait for processors. Whatever fits does so on these assumptions.",
        totals.vms,
        count=number(totals.vms),
    )
