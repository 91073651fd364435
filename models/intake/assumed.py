"""Stated assumptions: CPU and I/O by rule for VMs that nobody measured.

A size without them is *not known*; with them it is a size on assumptions, which every surface says:
the values bear the origin *assumed* and a range, and a finding counts them. No figure is the
program's own: whoever assumes states it.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import NamedTuple

from models.base.fields import Word
from models.base.texts import Numeral, Text, joined, say, say_many
from models.catalog.catalog import Server
from models.scenario.inputs import SPREADS, frozen
from models.scenario.origin import Origin
from models.scenario.scenario import Host, ImportNote, MeasuredOn, Scenario, Vm, Workload
from models.scenario.workloads import WorkloadKind

CPU, IOPS = SPREADS
ON = ("workload.measured_on.server", "workload.measured_on.hypervisor")
EITHER_WAY = 2.0
"""Range of a figure that is stated without one, as a factor either way; stated, as in `ask`."""


class CpuUnit(Word):
    """What CPU is assumed in, of each vCPU."""

    PCT = "pct", say("% of a vCPU")
    MHZ = "mhz", say("MHz a vCPU")


class IoUnit(Word):
    """What I/O is assumed in."""

    VM = "vm", say("IOPS a VM")
    GIB = "gib", say("IOPS a GiB")


class GroupBy(Word):
    """By what VMs are told apart that a rule is for."""

    ALL = "all", say("all VMs")
    GUEST = "guest", say("guest system")
    FOLDER = "folder", say("folder")
    TAG = "tag", say("tag")
    CLUSTER = "cluster", say("cluster")
    POWER = "power", say("power")
    NAME = "name", say("name")


class PowerWord(Word):
    """The groups that there are by power."""

    ON = "on", say("on")
    OFF = "off", say("off")
    SUSPENDED = "suspended", say("suspended")


Said = Mapping[GroupBy, Sequence[str]]
"""What is said of a VM by each way to tell VMs apart: several where it has several tags."""
Traits = Mapping[str, Said]
"""What an inventory says of VMs beyond their scenario, by their ids."""


def groups_of(scenario: Scenario, traits: Traits) -> Mapping[GroupBy, Sequence[str]]:
    """What its VMs are told apart by, the groups with most VMs first."""
    names = dict(counted_groups(said_of_each(scenario, traits).values()))
    for by in (GroupBy.CLUSTER, GroupBy.POWER):
        if len(names.get(by, ())) < 2:
            names.pop(by, None)
    names.pop(GroupBy.NAME, None)
    return names


def counted_groups(said: Iterable[Said]) -> Mapping[GroupBy, Sequence[str]]:
    """The texts of each way to tell VMs apart, those of most VMs first."""
    found = defaultdict[GroupBy, Counter[str]](Counter)
    for each in said:
        for by, texts in each.items():
            found[by].update(filter(None, texts))
    return {
        by: sorted(counts, key=lambda text: (-counts[text], text))
        for by, counts in found.items()
        if counts
    }


def said_of_each(scenario: Scenario, traits: Traits) -> Traits:
    """What scenario and inventory say of each VM."""
    clusters = {cluster.id: cluster.name for cluster in scenario.clusters}
    there = {host.id: clusters.get(host.cluster or "", "") for host in scenario.hosts}
    return {
        vm.id: {
            GroupBy.NAME: (vm.name,),
            GroupBy.CLUSTER: (there.get(vm.host or "", ""),),
            GroupBy.POWER: ((PowerWord.ON if vm.powered_on else PowerWord.OFF).value,),
            **traits.get(vm.id, {}),
        }
        for vm in scenario.vms
    }


@dataclass(frozen=True, slots=True)
class Group:
    """VMs that a rule is for; `pattern` is their text, with * for anything and ? for a letter."""

    by: GroupBy = GroupBy.ALL
    pattern: str = ""

    def holds(self, said: Said) -> bool:
        """Whether a VM of which this is said belongs to it, whatever the case."""
        if self.by is GroupBy.ALL:
            return True
        wanted = self.pattern.casefold()
        texts = (each.casefold() for each in said.get(self.by, ()))
        return any(each == wanted or fnmatchcase(each, wanted) for each in texts)

    @property
    def words(self) -> Text | str:
        """Its pattern, as people read it."""
        words = {each.value: each.label for each in PowerWord}
        return words.get(self.pattern, self.pattern) if self.by is GroupBy.POWER else self.pattern


@dataclass(frozen=True, slots=True)
class Range:
    """What a figure is assumed to be between, its value in the middle by ratio.

    >>> Range(10.0, 40.0).value, Range(10.0, 40.0).spread
    (20.0, 2.0)
    """

    low: float
    high: float

    @classmethod
    def around(cls, value: float, most: float = math.inf) -> Range:
        """A figure that is stated alone: half to twice of it, as far as it can be."""
        factor = min(EITHER_WAY, most / value)
        return cls(value / factor, value * factor)

    @property
    def value(self) -> float:
        return math.sqrt(self.low * self.high)

    @property
    def spread(self) -> float:
        """How far it may be off either way, as a factor."""
        return math.sqrt(self.high / self.low)

    @property
    def figures(self) -> Mapping[str, Text]:
        """Value and ends, as a text names them."""
        named = {"value": self.value, "low": self.low, "high": self.high}
        return {name: Numeral(f"{figure:.3g}") for name, figure in named.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Assumed:
    """A rule for VMs without figures of their own; None assumes nothing."""

    cpu: Range | None = None
    cpu_unit: CpuUnit = CpuUnit.PCT
    io: Range | None = None
    io_unit: IoUnit = IoUnit.VM
    group: Group = Group()

    def cpu_of(self, vm: Vm, server: Server | None) -> float | None:
        """CPU of a VM by the rule [MHz]; None where nothing says it, as without a host's clock."""
        if self.cpu is None:
            return None
        if self.cpu_unit is CpuUnit.MHZ:
            return self.cpu.value * vm.vcpus
        if server is None or server.base_mhz is None:
            return None
        return self.cpu.value / 100.0 * vm.vcpus * server.base_mhz

    def io_of(self, vm: Vm) -> float | None:
        """I/O of a VM by the rule [host I/Os a second]; None where nothing says it."""
        if self.io is None:
            return None
        if self.io_unit is IoUnit.VM:
            return self.io.value
        return None if not vm.workload.disk_gib else self.io.value * vm.workload.disk_gib


class Lacking(NamedTuple):
    """Running VMs of which nobody says what they take: of CPU, of I/O, and of either."""

    cpu: int
    io: int
    either: int


def lacking(scenario: Scenario) -> Lacking:
    """How many VMs a rule could be for."""
    found = [_lacks(vm) for vm in scenario.vms if vm.powered_on]
    return Lacking(
        cpu=sum(cpu for cpu, _ in found),
        io=sum(io for _, io in found),
        either=sum(map(any, found)),
    )


def _lacks(vm: Vm) -> tuple[bool, bool]:
    work = vm.workload
    if work.kind is not WorkloadKind.GENERIC:
        return False, False
    return work.cpu_mhz is None, work.iops is None


def with_assumed(
    scenario: Scenario,
    rules: Sequence[Assumed],
    servers: Mapping[str, Server],
    traits: Traits | None = None,
) -> Scenario:
    """The scenario in which running VMs without figures have those of the first rule for them;
    those that are off only by a rule that is by power.

    Args:
        servers: of the catalog, by id; their clocks are those of per cent.
    """
    for rule in rules:
        scenario = _with_rule(scenario, rule, servers, traits or {})
    return scenario


def _with_rule(
    scenario: Scenario, rule: Assumed, servers: Mapping[str, Server], traits: Traits
) -> Scenario:
    hosts = {host.id: host for host in scenario.hosts}
    said = said_of_each(scenario, traits)
    is_for_all = rule.group.by is GroupBy.POWER
    vms, cpus, rates = [], 0, 0
    for vm in scenario.vms:
        host = None if vm.host is None else hosts[vm.host]
        if not (vm.powered_on or is_for_all) or not rule.group.holds(said[vm.id]):
            vms.append(vm)
            continue
        work, given = _work_by(vm, rule, host, servers)
        cpus, rates = cpus + (CPU in given), rates + (IOPS in given)
        vms.append(_with(vm, work, given))
    notes = tuple(_notes(rule, cpus, rates))
    if not notes:
        return scenario
    return replace(scenario, vms=tuple(vms), import_notes=(*scenario.import_notes, *notes))


def _work_by(
    vm: Vm, rule: Assumed, host: Host | None, servers: Mapping[str, Server]
) -> tuple[Workload, dict[str, Origin]]:
    """What a VM does by the rule, and what of it the rule gave."""
    work, given = vm.workload, dict[str, Origin]()
    no_cpu, no_io = _lacks(vm)
    cpu = rule.cpu_of(vm, None if host is None else servers.get(host.server)) if no_cpu else None
    if cpu is not None and rule.cpu is not None:
        on = work.measured_on
        if host is not None:
            on = MeasuredOn(server=host.server, hypervisor=host.hypervisor)
        work = replace(work, cpu_mhz=cpu, cpu_spread=rule.cpu.spread, measured_on=on)
        paths = (CPU, SPREADS[CPU], *(ON if host is not None else ()))
        given |= dict.fromkeys(paths, Origin.ASSUMED)
    rate = rule.io_of(vm) if no_io else None
    if rate is not None and rule.io is not None:
        work = replace(work, iops=rate, iops_spread=rule.io.spread)
        given |= dict.fromkeys((IOPS, SPREADS[IOPS]), Origin.ASSUMED)
    return work, given


def _with(vm: Vm, work: Workload, given: Mapping[str, Origin]) -> Vm:
    if not given:
        return vm
    return replace(vm, workload=work, origins=frozen({**dict(vm.origins), **given}))


def _notes(rule: Assumed, cpus: int, rates: int) -> list[ImportNote]:
    """What is assumed of how many VMs, and what would tell."""
    found: list[Text] = []
    whose = joined("", (" (", rule.group.words, ")")) if rule.group.pattern else ""
    if cpus and rule.cpu is not None:
        of_cpu = _of_pct if rule.cpu_unit is CpuUnit.PCT else _of_mhz
        found.append(of_cpu(cpus, rule.cpu, whose))
    if rates and rule.io is not None:
        of_io = _of_space if rule.io_unit is IoUnit.GIB else _of_each
        found.append(of_io(rates, rule.io, whose))
    return [ImportNote.of("assumed", text) for text in found]


def _of_pct(count: int, assumed: Range, whose: str) -> Text:
    return say_many(
        "The CPU of {count} VM{whose} is assumed, {value} % of each vCPU ({low}–{high}): "
        "nobody measured it; a week of measuring would tell.",
        "The CPU of {count} VMs{whose} is assumed, {value} % of each vCPU ({low}–{high}): "
        "nobody measured it; a week of measuring would tell.",
        count,
        whose=whose,
        **assumed.figures,
    )


def _of_mhz(count: int, assumed: Range, whose: str) -> Text:
    return say_many(
        "The CPU of {count} VM{whose} is assumed, {value} MHz a vCPU ({low}–{high}): "
        "nobody measured it; a week of measuring would tell.",
        "The CPU of {count} VMs{whose} is assumed, {value} MHz a vCPU ({low}–{high}): "
        "nobody measured it; a week of measuring would tell.",
        count,
        whose=whose,
        **assumed.figures,
    )


def _of_each(count: int, assumed: Range, whose: str) -> Text:
    return say_many(
        "The I/O of {count} VM{whose} is assumed, {value} IOPS each ({low}–{high}): "
        "nobody measured it; a week of measuring would tell.",
        "The I/O of {count} VMs{whose} is assumed, {value} IOPS each ({low}–{high}): "
        "nobody measured it; a week of measuring would tell.",
        count,
        whose=whose,
        **assumed.figures,
    )


def _of_space(count: int, assumed: Range, whose: str) -> Text:
    return say_many(
        "The I/O of {count} VM{whose} is assumed, {value} IOPS a GiB ({low}–{high}): "
        "nobody measured it; a week of measuring would tell.",
        "The I/O of {count} VMs{whose} is assumed, {value} IOPS a GiB ({low}–{high}): "
        "nobody measured it; a week of measuring would tell.",
        count,
        whose=whose,
        **assumed.figures,
    )
