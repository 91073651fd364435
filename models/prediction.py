"""The prediction of a scenario, as values; arrays inside, `Quantity`s at the door.

Positions in every `Series` follow `ids`, which follow the order of the scenario.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from models.errors import ModelError
from models.quantities import NO_DATA, FloatArray, Quantity, Series
from models.texts import Text, joined, opening, say, say_many, without_head


class Verdict(IntEnum):
    """The answer, from good to bad; the worst of several decides."""

    FITS = 0
    AT_RISK = 1
    DOES_NOT_FIT = 2

    @property
    def label(self) -> Text:
        return _LABELS[self]


_LABELS = {
    Verdict.FITS: say("fits"),
    Verdict.AT_RISK: say("at risk"),
    Verdict.DOES_NOT_FIT: say("does not fit"),
}


@dataclass(frozen=True, slots=True)
class Shown:
    """A verdict as it is shown to people; None, with words that say why, claims no fit."""

    verdict: Verdict | None
    words: str


AS_FAR_AS_KNOWN = say("fits as far as known")
NOTHING_KNOWN = say("no data")
NOTHING_TO_JUDGE = say("nothing to judge")


def shown(verdict: Verdict, *, known: Sequence[bool], needed: bool) -> Shown:
    """The verdict on anything as it is shown: a fit is claimed only where what it needs is known.

    Args:
        known: of each number judged, whether there is data.
        needed: whether what a fit can't be claimed without has data.

    >>> shown(Verdict.FITS, known=[True, False], needed=False).words
    'fits as far as known'
    >>> shown(Verdict.FITS, known=[False], needed=False).words
    'no data'
    >>> shown(Verdict.AT_RISK, known=[True, False], needed=False).words
    'at risk'
    """
    if verdict is not Verdict.FITS or needed:
        return Shown(verdict, verdict.label)
    return Shown(None, AS_FAR_AS_KNOWN if any(known) else NOTHING_KNOWN)


def shown_by(verdict: Verdict, *numbers: Quantity, all_known: bool) -> Shown:
    """The verdict as it is shown where a fit needs every one of these numbers, and the load of
    every VM besides."""
    found = [number.value is not None for number in numbers]
    return shown(verdict, known=found, needed=all_known and all(found))


def _known_at(index: int, *columns: Series) -> list[bool]:
    """Of each column whether an item has data there."""
    return [not math.isnan(column.value[index]) for column in columns]


class Severity(StrEnum):
    """How much a finding matters."""

    ERROR = "error"
    WARNING = "warning"
    ADVICE = "advice"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A rule that the scenario trips: one sentence, a fix, and where the rule comes from.

    `subject` is the id of the item it speaks of, empty for the scenario as a whole; `waived` the
    reason for which somebody answers for it, empty where nobody does.
    """

    rule: str
    severity: Severity
    subject: str
    text: str
    fix: str
    source: str
    waived: str = ""


@dataclass(frozen=True, eq=False)
class _Table:
    """Items in the scenario's order; `quantity(id, name)` reads one number of one of them."""

    ids: tuple[str, ...]

    @cached_property
    def _positions(self) -> dict[str, int]:
        return {id: position for position, id in enumerate(self.ids)}

    def __contains__(self, id: object) -> bool:
        return id in self._positions

    def index(self, id: str) -> int:
        try:
            return self._positions[id]
        except KeyError:
            raise ModelError(f"there is no “{id}” in the prediction") from None

    def quantity(self, id: str, name: str) -> Quantity:
        column: Any = getattr(self, name)
        quantity: Quantity = column[self.index(id)]
        return quantity


@dataclass(frozen=True, eq=False)
class VmPrediction(_Table):
    """Per VM: per cent of its vCPUs, host I/Os per second, memory with hypervisor overhead,
    ready time per vCPU, mean response time and network load.

    `verdict`: `Verdict` codes (n,). `offered_users`: active users times derating (n,).
    """

    cpu_pct: Series
    iops: Series
    ram_gib: Series
    ready_pct: Series
    response_ms: Series
    network_mbps: Series
    offered_users: FloatArray
    verdict: npt.NDArray[np.int8]

    def shown(self, index: int) -> Shown:
        """The verdict on one VM: a fit is claimed where its CPU is known."""
        found = _known_at(index, self.cpu_pct, self.response_ms)
        return shown(Verdict(int(self.verdict[index])), known=found, needed=found[0])

    def known_verdict(self, index: int) -> Verdict | None:
        """The verdict on one VM; None where a fit can't be claimed."""
        return self.shown(index).verdict


@dataclass(frozen=True, eq=False)
class HostPrediction(_Table):
    """Per host: per cent of physical cores, of memory and of network; vCPUs per core, those of
    Fault Tolerance secondaries among them.

    `cpu_peak_pct` is `cpu_pct` times the policy's peak factor: verdicts look at it.
    `ram_limit_pct`: as `memory.limit_pct` has it, NaN where a physical server's one system has all
    the memory that it likes. `failure_cpu_pct`, `failure_ram_pct`: where the load would stand with
    the worst other host of its cluster gone (NaN where nothing could fail over to it).
    """

    cpu_pct: Series
    cpu_peak_pct: FloatArray
    ram_pct: Series
    ram_limit_pct: FloatArray
    network_pct: Series
    vcpus_per_core: FloatArray
    failure_cpu_pct: FloatArray
    failure_ram_pct: FloatArray
    verdict: npt.NDArray[np.int8]

    def shown(self, index: int) -> Shown:
        """The verdict on one host: a fit is claimed where its CPU and RAM are known."""
        found = _known_at(index, self.cpu_pct, self.ram_pct)
        return shown(Verdict(int(self.verdict[index])), known=found, needed=all(found))


@dataclass(frozen=True, eq=False)
class PoolPrediction(_Table):
    """Per pool: host I/Os per second, utilisation of its disks, latency, space used."""

    iops: Series
    utilisation_pct: Series
    latency_ms: Series
    capacity_pct: Series
    usable_gib: FloatArray
    limit_iops: FloatArray
    verdict: npt.NDArray[np.int8]

    def shown(self, index: int) -> Shown:
        """The verdict on one pool: a fit is claimed where its disks and its space are known."""
        found = _known_at(index, self.utilisation_pct, self.capacity_pct)
        return shown(Verdict(int(self.verdict[index])), known=found, needed=all(found))


@dataclass(frozen=True, slots=True, kw_only=True)
class Shortfall:
    """What is missing for the policy to hold, in units; zero where nothing is."""

    ram_gib: float = 0.0
    cpu_ghz: float = 0.0
    iops: float = 0.0


@dataclass(frozen=True, slots=True)
class Down:
    """VMs that are down until a host is repaired, and their users, who have nowhere to go."""

    vms: int
    users: float

    @property
    def words(self) -> Text:
        """``down: 3,000 users``; of VMs without users how many these are."""
        count = round(self.users)
        if count:
            return say_many("down: {count} user", "down: {count} users", count)
        return say_many("down: {count} VM", "down: {count} VMs", self.vms)


def said_of(cpu_pct: Quantity, ram_pct: Quantity, response_ms: Quantity) -> list[Quantity]:
    """What a standing says of hosts and VMs: RAM only where a host shares it out. That it is
    lacking is no want of data: a host's memory is always known."""
    shared = [ram_pct] if ram_pct.value is not None else []
    return [cpu_pct, *shared, response_ms]


def shown_mode(
    verdict: Verdict | None, down: Down | None, *numbers: Quantity, all_known: bool
) -> Shown | None:
    """The verdict on a failure mode as it is shown; None where there is nothing to fail over."""
    if down is not None:
        return Shown(Verdict.DOES_NOT_FIT, down.words)
    return None if verdict is None else shown_by(verdict, *numbers, all_known=all_known)


@dataclass(frozen=True, slots=True, kw_only=True)
class FailureMode:
    """One way to fail, and where the worst surviving host, VM and pool then stand.

    Attributes:
        mode: such as ``host h1``.
        host: id of the host that is gone.
        cpu_pct, ram_pct: of the worst surviving host of the cluster, per resource.
        response_ms: of the worst VM that runs; `vm_cpu_pct`: of the vCPUs of the fullest.
        not_restarted: ids of VMs that find no room.
        verdict: None where nothing fails over (`note` says why).
        down: what is down with a host that stands alone.
        hosts: ids of all hosts that are gone, where these are several; `host` is empty then.
        all_known: whether the CPU load of every VM has data.
    """

    mode: str
    host: str
    cpu_pct: Quantity
    ram_pct: Quantity
    response_ms: Quantity
    vm_cpu_pct: Quantity = NO_DATA
    shortfall: Shortfall
    not_restarted: tuple[str, ...]
    verdict: Verdict | None
    note: str = ""
    down: Down | None = None
    hosts: tuple[str, ...] = ()
    all_known: bool = True

    @property
    def shown(self) -> Shown | None:
        """The verdict as it is shown, or what is down; None where there is nothing to fail over."""
        numbers = said_of(self.cpu_pct, self.ram_pct, self.response_ms)
        return shown_mode(self.verdict, self.down, *numbers, all_known=self.all_known)


def worst_first(modes: Iterable[FailureMode]) -> list[FailureMode]:
    """What has users down first, then by verdict and memory short; equals keep their order, and
    what nothing fails over in comes last."""

    def badness(mode: FailureMode) -> tuple[int, float, float]:
        if mode.down is not None:
            return -Verdict.DOES_NOT_FIT - 1, -mode.down.users, 0.0
        code = -1 if mode.verdict is None else int(mode.verdict)
        return -code, 0.0, -mode.shortfall.ram_gib

    return sorted(modes, key=badness)


@dataclass(frozen=True, slots=True, kw_only=True)
class Binding:
    """What decides the verdict: the item, its resource, in which mode; and how near the limit.

    `resource` is the field's name (``response_ms``, ``cpu_pct``, ``ram_pct``, ``utilisation_pct``
    …); `value` and `limit` are in its unit; `load` is value over limit, for ranking. `stranded`:
    VMs that find no room in that mode. Then these decide, whatever resource stands beside them, and
    `value` says no more than that the limit is passed. `rule`: of the finding by which the VM
    `subject` can't be powered on; `resource` is ``power_on`` then, and `value` no number.
    `low`, `high`: ends of the interval, as judged; None where nobody says. `own`: of the vCPUs of a
    VM that restarts in that mode, not of what survives; `vm` and `host` which one, and where.
    """

    subject: str
    resource: str
    mode: str
    value: float
    limit: float
    stranded: int = 0
    rule: str = ""
    low: float | None = None
    high: float | None = None
    own: bool = False
    vm: str = ""
    host: str = ""

    @property
    def load(self) -> float:
        return self.value / self.limit if self.limit else float("inf")


def mode_of(hosts: Sequence[str]) -> str:
    """What the mode is called in which these hosts are gone, at least one.

    >>> mode_of(["h1"]), mode_of(["h1", "h2"])
    ('host h1', 'hosts h1, h2')
    """
    return f"host {hosts[0]}" if len(hosts) == 1 else f"hosts {', '.join(hosts)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Headroom:
    """What is left until the limit of each resource, in per cent of the limit, at the worst item,
    from offered load; None where there is no data or nothing that could fail.

    Negative: over the limit. `failure` is the least headroom of CPU and RAM over all modes in which
    one host is gone, or as many at once as a cluster tolerates. `stranded`: VMs that find no room
    in the worst of these, `stranding` the host that is gone, `together` all of them where these
    are several; then `failure` says no more than that a limit is passed, maybe of another loss,
    and `stranding_pct` what is left in that one. `restarting`: where all
    find room and the vCPUs of a VM that restarts are what `failure` is of, their load.
    """

    cpu_pct: float | None
    ram_pct: float | None
    iops_pct: float | None
    response_pct: float | None
    failure_pct: float | None
    stranded: int = 0
    stranding: str = ""
    together: tuple[str, ...] = ()
    stranding_pct: float | None = None
    restarting: Binding | None = None

    @property
    def stranding_mode(self) -> str:
        """The mode in which they find no room, empty for none."""
        return mode_of(self.together or (self.stranding,)) if self.stranding else ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Prediction:
    """All that `evaluate` says about a scenario.

    `failures` has a mode for each host, `together` the worst loss of as many hosts at once as a
    cluster tolerates, for each cluster that tolerates more than one, and the one that leaves least
    where that is another. `normal`: the verdict on normal operation as one mode among these, of its
    resources and of VMs that can't be powered on. `idle`: nothing runs that could pass a limit.
    """

    scenario: str
    model_version: str
    verdict: Verdict
    normal: Verdict
    sentence: str
    binding: Binding | None
    runner_up: Binding | None
    headroom: Headroom
    vms: VmPrediction
    hosts: HostPrediction
    pools: PoolPrediction
    failures: Sequence[FailureMode]
    together: tuple[FailureMode, ...] = ()
    findings: tuple[Finding, ...]
    idle: bool = False

    @property
    def shown(self) -> Shown:
        """The verdict as it is shown: a fit is claimed only where CPU and response are known, and
        something could pass a limit."""
        if self.idle:
            return Shown(None, NOTHING_TO_JUDGE)
        cpu, response = np.isnan(self.vms.cpu_pct.value), np.isnan(self.vms.response_ms.value)
        return shown(self.verdict, known=[True], needed=not cpu.any() and not response.all())

    @property
    def answer(self) -> str:
        """The sentence, under the verdict as it is shown."""
        if self.shown.verdict is not None or self.reason == self.sentence:
            return self.sentence
        return joined("", (opening(self.shown.words), ": ", self.reason))

    @property
    def reason(self) -> str:
        """The sentence without the verdict before it."""
        head = joined("", (opening(self.verdict.label), ": "))
        return without_head(self.sentence, head)
