"""What each meaning of space and of memory would decide, before one is taken.

People say space and mean what is provisioned, or what is used; memory, and mean what is configured,
consumed or touched. A site that runs shows which: it starts with the one that doesn't refuse it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from models.base.texts import Numeral, Text, say
from models.intake.options import DiskBasis, MemoryBasis, Options
from models.intake.records import Note


@dataclass(frozen=True, slots=True, kw_only=True)
class Fill:
    """What one meaning comes to, and how full that makes what there is.

    Attributes:
        mib: sum over the VMs taken [MiB].
        pct: of all data stores, or of all hosts; None where no file says how large they are.
        worst_pct, worst: of the fullest of them, with its name.
        over: how many pass their limit.
    """

    basis: DiskBasis | MemoryBasis
    mib: float
    pct: float | None = None
    worst_pct: float | None = None
    worst: str = ""
    over: int = 0


@dataclass(frozen=True, slots=True)
class Fills:
    """Of each meaning that the files have, what it comes to.

    `in_use`: memory that was measured over time [MiB], by the identity of a VM's record.
    """

    space: tuple[Fill, ...] = ()
    memory: tuple[Fill, ...] = ()
    in_use: Mapping[int, float] = field(default_factory=dict)

    def of(self, basis: DiskBasis | MemoryBasis) -> Fill | None:
        return next((fill for fill in (*self.space, *self.memory) if fill.basis is basis), None)

    def settled(self, options: Options) -> Options:
        """What is meant: as somebody says, else what is provisioned (or the disks, where
        no file says that) and configured, but what is
        used and consumed where there is less room than that; for it runs."""
        disk, memory = options.disk, options.memory
        if disk is None:
            whole = (DiskBasis.PROVISIONED, DiskBasis.DISKS)
            disk = next((each for each in whole if self.of(each)), DiskBasis.PROVISIONED)
            if self._is_over(disk) and self.of(DiskBasis.USED):
                disk = DiskBasis.USED
        if memory is None:
            memory = MemoryBasis.CONFIGURED
            if self._is_over(memory) and self.of(MemoryBasis.CONSUMED):
                memory = MemoryBasis.CONSUMED
        return replace(options, disk=disk, memory=memory)

    def _is_over(self, basis: DiskBasis | MemoryBasis) -> bool:
        fill = self.of(basis)
        return fill is not None and fill.over > 0

    def overcommit(self, basis: MemoryBasis) -> float:
        """Configured memory over installed one that a meaning of memory tolerates, ⌈10·r⌉/10.

        r = max(Σ configured/Σ meant, the fullest host by what is configured where none is too full
        by what is meant): as much as would fill hosts with what is meant, and as a site runs that
        has room for that. Valid while VMs use what they do now; each host is held to what is in
        use besides (rule *memory-overcommitted*).

        >>> fills = Fills(
        ...     memory=(
        ...         Fill(
        ...             basis=MemoryBasis.CONFIGURED, mib=120.0, pct=120.0, worst_pct=134.0, over=1
        ...         ),
        ...         Fill(basis=MemoryBasis.CONSUMED, mib=80.0, pct=80.0, worst_pct=90.0),
        ...     )
        ... )
        >>> fills.overcommit(MemoryBasis.CONSUMED), fills.overcommit(MemoryBasis.CONFIGURED)
        (1.5, 1.0)
        """
        whole, meant = self.of(MemoryBasis.CONFIGURED), self.of(basis)
        if basis is MemoryBasis.CONFIGURED or whole is None or meant is None or not meant.mib:
            return 1.0
        runs_at = 0.0 if meant.over or whole.worst_pct is None else whole.worst_pct / 100.0
        ratio = max(whole.mib / meant.mib, runs_at, 1.0)
        return min(math.ceil(10.0 * ratio - 1e-9) / 10.0, 100.0)

    def notes(self, options: Options) -> Iterator[Note]:
        """What is meant where it is not all that was promised, and what is in no number then.

        Args:
            options: settled.
        """
        space, memory = options.disk, options.memory
        promised, used = self.of(DiskBasis.PROVISIONED), space and self.of(space)
        if space and promised and used and used.mib < promised.mib:
            yield Note("space-meant", _space_meant(used, promised))
        whole, meant = self.of(MemoryBasis.CONFIGURED), memory and self.of(memory)
        if memory and memory is not MemoryBasis.CONFIGURED and whole and meant:
            factor = self.overcommit(memory)
            yield Note("memory-meant", _memory_meant(meant, whole, factor))


def _space_meant(used: Fill, promised: Fill) -> Text:
    return say(
        "Space is taken as {used} GiB{used_pct}; provisioned are {promised} GiB{promised_pct}. "
        "What VMs may still grow is in no number: state their growth.",
        used=_gib(used),
        used_pct=_share(used),
        promised=_gib(promised),
        promised_pct=_share(promised),
    )


def _memory_meant(meant: Fill, whole: Fill, factor: float) -> Text:
    return say(
        "Memory in use is taken as {used} GiB{used_pct}; configured are {whole} GiB{whole_pct}. So "
        "hosts may promise {factor} times their memory.",
        used=_gib(meant),
        used_pct=_share(meant),
        whole=_gib(whole),
        whole_pct=_share(whole),
        factor=f"{factor:g}",
    )


def _share(fill: Fill) -> str:
    return "" if fill.pct is None else f" ({fill.pct:,.0f} %)"


def _gib(fill: Fill) -> Numeral:
    return Numeral(f"{fill.mib / 1024.0:,.0f}")
