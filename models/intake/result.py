"""What an import comes to: a scenario, what it was made of, and what there is to say of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from models.catalog.catalog import Catalog
from models.intake.assumed import Traits
from models.intake.fills import Fills
from models.intake.options import DiskBasis, Options, Reason
from models.intake.records import DominoRecord, Note, NotRead, Place, Records, SeriesRecord
from models.intake.right_size import RightSize
from models.scenario.names import Tie, plain
from models.scenario.scenario import Scenario
from models.scenario.workloads import WorkloadKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals:
    """Sums; what no row says counts as nothing."""

    vcpus: float = 0.0
    ram_mib: float = 0.0
    provisioned_mib: float = 0.0
    disks_mib: float = 0.0
    in_use_mib: float = 0.0
    consumed_mib: float = 0.0
    hosts: int = 0
    clusters: int = 0
    cores: float = 0.0
    host_ram_mib: float = 0.0


@dataclass(frozen=True, slots=True)
class ClusterTotals:
    """VMs taken and sums of one cluster; its name is empty where rows name none."""

    name: str
    vms: int
    totals: Totals


@dataclass(frozen=True, slots=True)
class Guess:
    """A VM that may be a Domino or Sametime server, and what says so; never taken by itself.

    Attributes:
        kind: what it most likely is; as measured where it was.
        users: active ones by its statistics, of Traveler those registered, at `users_at`;
            `release` and `devices` of each user by them as well.
    """

    vm: str
    name: str
    why: str
    kind: WorkloadKind
    users: float | None = None
    users_at: Place | None = None
    release: str = ""
    devices: float | None = None


@dataclass(frozen=True, slots=True)
class Effect:
    """What a percentile makes of all VMs: sums of CPU [MHz] and IOPS, None without measurement.

    Attributes:
        hosts: CPU of the VMs on each host, in per cent of its cores at their clock.
        pools: IOPS of the VMs of each pool.
    """

    percentile: int
    cpu_mhz: float | None
    iops: float | None
    hosts: Mapping[str, float]
    pools: Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportResult:
    """All that an import has to show.

    Attributes:
        own_catalog: entries made because the catalog lacked them.
        sources: the exports, with their tables and first rows.
        listed: rows that are VMs; `taken`: VMs of the scenario.
        spaces: sum of each basis over the VMs taken [MiB], None where no VM has it.
        fills: what each meaning of space and memory would decide.
        effects: of each percentile, in its order.
        options: with what is meant by space and memory where nobody said it.
        unmatched: names in what was measured that no VM is known by.
        aliases: invented names by the real ones, by kind; empty without pseudonyms.
        right_sizes: VMs that could be smaller; none is, unless `with_right_sizes` makes it so.
        traits: guest system, folder and tags of the VMs taken, as far as the files say them.
        ties: names that mean a host or VM of another name; none with pseudonyms.
    """

    scenario: Scenario
    own_catalog: Catalog
    options: Options
    sources: tuple[Records, ...]
    listed: int
    left_out: Mapping[Reason, int]
    totals: Totals
    listed_totals: Totals
    clusters: tuple[ClusterTotals, ...]
    spaces: Mapping[DiskBasis, float | None]
    fills: Fills
    effects: tuple[Effect, ...]
    series: tuple[SeriesRecord, ...]
    domino: tuple[DominoRecord, ...]
    unmatched: tuple[str, ...]
    guesses: tuple[Guess, ...]
    notes: tuple[Note, ...]
    aliases: Mapping[str, Mapping[str, str]]
    traits: Traits
    right_sizes: tuple[RightSize, ...]
    ties: tuple[Tie, ...] = ()

    @property
    def taken(self) -> int:
        """VMs that are taken."""
        return len(self.scenario.vms)

    @property
    def unlisted_hosts(self) -> tuple[str, ...]:
        """Hosts that VMs stand on and no file lists; none where no file lists any."""
        listed = {plain(host.name) for each in self.sources for host in each.hosts}
        named = dict.fromkeys(vm.host for each in self.sources for vm in each.vms if vm.host)
        return tuple(name for name in named if listed and plain(name) not in listed)

    @property
    def not_read(self) -> tuple[NotRead, ...]:
        """What of the files nobody took."""
        return tuple(part for each in self.sources for part in each.not_read)
