"""The prediction of a scenario, as values; arrays inside, `Quantity`s at the door.

Positions in every `Series` follow `ids`, which follow the order of the scenario.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from models.base.errors import ModelError
from models.base.quantities import NO_DATA, BoolArray, FloatArray, Quantity, Series
from models.base.texts import Numeral, Text, joined, opening, say, say_many
from models.catalog.distance import NOWHERE, Distance
from models.failure.mode import Mode, ModeKind, Restart, Stranded, Takeover, mode_of
from models.physics.transfer import Carriage
from models.scenario.scenario import Loss, Users
from models.scenario.wording import users_text


class Verdict(IntEnum):
    """The answer, from good to bad; the worst of several decides.

    `NOT_KNOWN`: a number that decides has no data, and nothing that is known is worse.
    """

    FITS = 0
    NOT_KNOWN = 1
    AT_RISK = 2
    DOES_NOT_FIT = 3

    @property
    def label(self) -> Text:
        return _LABELS[self]


_LABELS = {
    Verdict.FITS: say("fits"),
    Verdict.NOT_KNOWN: say("not known"),
    Verdict.AT_RISK: say("at risk"),
    Verdict.DOES_NOT_FIT: say("does not fit"),
}


@dataclass(frozen=True, slots=True)
class Shown:
    """A verdict as it is shown to people; None, with words that say why, where there is none."""

    verdict: Verdict | None
    words: str
    is_assumed: bool = False
    """It fits, and no more than on assumptions."""

    @classmethod
    def of(cls, verdict: Verdict, *, is_assumed: bool = False) -> Shown:
        """Args: is_assumed: the numbers rest on loads that are assumed, not measured."""
        if is_assumed and verdict is Verdict.FITS:
            return cls(verdict, FITS_ON_ASSUMPTIONS, is_assumed=True)
        return cls(verdict, verdict.label)

    @property
    def brief(self) -> str:
        """The same where there is little room."""
        return FITS_ASSUMED if self.is_assumed else self.words

    @property
    def badness(self) -> tuple[int, bool]:
        """Orders what is shown, the worst last."""
        return -1 if self.verdict is None else int(self.verdict), self.is_assumed


NOTHING_TO_JUDGE = say("nothing to judge")
FITS_ON_ASSUMPTIONS = say("fits, on assumptions")
FITS_ASSUMED = say("fits, assumed")


class Chip(NamedTuple):
    """What a verdict rests on: `text` in a word or two, `detail` a sentence, `id` for scripts."""

    id: str
    text: str
    detail: str


ASSUMED = "assumed"
"""Id of the chip of loads that are assumed, not measured."""

NOT_ASKED = -1
"""In place of a verdict on what nobody asks of an item: the response of what serves nobody, disks
of what has none, anything of a VM that is off."""

ByResource = Mapping[str, npt.NDArray[np.int8]]
"""`Verdict` codes of many items by resource, as `predicted.RESOURCES` has them; `NOT_ASKED`
for none."""


class Severity(StrEnum):
    """How much a finding matters."""

    ERROR = "error"
    WARNING = "warning"
    ADVICE = "advice"

    @property
    def label(self) -> Text:
        return _SEVERITIES[self]


_SEVERITIES = {
    Severity.ERROR: say("error"),
    Severity.WARNING: say("warning"),
    Severity.ADVICE: say("advice"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A rule that the scenario trips: one sentence, a fix, and where the rule comes from.

    `clause` is the sentence without its stop, for who says more of it.

    `subject` is the id of the item it speaks of, empty for the scenario as a whole; `waived` the
    reason for which somebody answers for it, empty where nobody does. `at_least`: what its rule
    says that the verdict on its subject and on the scenario is at least.
    """

    rule: str
    severity: Severity
    subject: str
    clause: str
    fix: str
    source: str
    waived: str = ""
    at_least: Verdict = Verdict.FITS

    @property
    def text(self) -> Text:
        """The sentence."""
        return joined("", (self.clause, "."))

    @property
    def weight(self) -> Verdict:
        """The best verdict that its subject and the scenario can have with it: an error is a risk
        at least."""
        is_error = self.severity is Severity.ERROR
        return max(self.at_least, Verdict.AT_RISK) if is_error else self.at_least


@dataclass(frozen=True, eq=False)
class _Table:
    """Items in the scenario's order; `quantity(id, name)` reads one number of one of them.

    `verdict`: `Verdict` codes (n,), `NOT_ASKED` where nothing of an item is judged; `by_resource`:
    the same of each resource that they have; `assumed`: whose numbers rest on loads that are
    assumed, not measured, (n,), None for none.
    """

    ids: tuple[str, ...]
    verdict: npt.NDArray[np.int8] = field(kw_only=True)
    by_resource: ByResource = field(kw_only=True, default_factory=dict)
    assumed: BoolArray | None = field(kw_only=True, default=None)

    @cached_property
    def _positions(self) -> dict[str, int]:
        return dict(zip(self.ids, range(len(self.ids)), strict=True))

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

    def verdict_of(self, index: int) -> Verdict | None:
        """The verdict on one item; None where nothing of it is judged."""
        code = int(self.verdict[index])
        return None if code == NOT_ASKED else Verdict(code)

    def shown(self, index: int) -> Shown:
        """The same as it is shown."""
        verdict = self.verdict_of(index)
        if verdict is None:
            return Shown(None, NOTHING_TO_JUDGE)
        return Shown.of(verdict, is_assumed=self.is_assumed(index))

    def is_assumed(self, index: int) -> bool:
        """Whether the numbers of one item rest on assumptions."""
        return self.assumed is not None and bool(self.assumed[index])

    def resources_of(self, index: int) -> dict[str, Verdict | None]:
        """The verdict on each resource of one item; None where it isn't asked for."""
        codes = {name: int(column[index]) for name, column in self.by_resource.items()}
        return {name: None if code == NOT_ASKED else Verdict(code) for name, code in codes.items()}


@dataclass(frozen=True, eq=False, kw_only=True)
class VmPrediction(_Table):
    """Per VM: per cent of its vCPUs, host I/Os per second, memory with hypervisor overhead,
    ready time per vCPU, mean response time, network load and transactions a minute of its console.

    `offered_users`: active users times derating (n,).
    """

    cpu_pct: Series
    iops: Series
    ram_gib: Series
    ready_pct: Series
    response_ms: Series
    network_mbps: Series
    transactions_per_min: Series
    offered_users: FloatArray

    def has_response(self, index: int) -> bool:
        """Whether a VM has mail users who wait for it; what is of another kind never has any."""
        asked = self.by_resource.get("response")
        return asked is None or int(asked[index]) != NOT_ASKED


@dataclass(frozen=True, eq=False, kw_only=True)
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


@dataclass(frozen=True, eq=False, kw_only=True)
class PoolPrediction(_Table):
    """Per pool: host I/Os per second, utilisation of its disks, latency, space used."""

    iops: Series
    utilisation_pct: Series
    latency_ms: Series
    capacity_pct: Series
    usable_gib: FloatArray
    limit_iops: FloatArray


@dataclass(frozen=True, slots=True, kw_only=True)
class Shortfall:
    """What is missing for the policy to hold, in units; zero where nothing is."""

    ram_gib: float = 0.0
    cpu_ghz: float = 0.0
    iops: float = 0.0


@dataclass(frozen=True, slots=True)
class Down:
    """VMs that are down until a host is repaired, and their users, who have nowhere to go.

    Attributes:
        users: of mail, or of whatever else is no chat; `chat`: of Sametime.
    """

    vms: int
    users: float
    chat: float = 0.0

    @property
    def people(self) -> Users:
        """Its users by what they use."""
        return Users(self.users, self.chat)

    @property
    def words(self) -> Text:
        """``down: 3,000 users``; of VMs without users how many these are."""
        if round(self.users) or round(self.chat):
            return say("down: {users}", users=users_text(self.people))
        return say_many("down: {count} VM", "down: {count} VMs", self.vms)


def shown_mode(
    verdict: Verdict | None, down: Down | None, *, is_assumed: bool = False
) -> Shown | None:
    """The verdict on a failure mode as it is shown; None where there is nothing to fail over."""
    if down is not None:
        return Shown(Verdict.DOES_NOT_FIT, down.words)
    return None if verdict is None else Shown.of(verdict, is_assumed=is_assumed)


@dataclass(frozen=True, slots=True, kw_only=True)
class FailureMode:
    """One way to fail, and where the worst surviving host, VM and pool then stand.

    A prediction has them of each single host, and of as many as a cluster tolerates; a study of all
    kinds, with the numbers, hosts and VMs that a prediction leaves out.

    Attributes:
        mode: what fails.
        cpu_pct, ram_pct: of the worst surviving host of the clusters that lose hosts, averages;
            `cpu_host`, `ram_host` which ones, empty for none. In normal operation of the host
            nearest to its limit of memory, `ram_limit_pct`; the fullest, and None, where none has
            one.
        response_ms, ready_pct: of the worst VM that runs; `vm_cpu_pct` of the vCPUs of the fullest.
        iops, disk_pct: load and utilisation of the busiest pool; `pool` which one.
        shortfall: what is missing in units.
        not_restarted: VMs that find no place; `stays_down`: those that are not to be restarted, or
            stand on a host without HA.
        restarted: where each VM restarts, in the order of HA.
        taken_over: VMs that run on in their Fault Tolerance secondary.
        verdict: None where nothing fails over; `note` says why, and what else there is to say.
        down: what is down with hosts without HA.
        is_assumed: what runs on rests on loads that are assumed, not measured.
        idle: nothing runs that could pass a limit.
    """

    mode: Mode
    cpu_pct: Quantity
    ram_pct: Quantity
    response_ms: Quantity
    vm_cpu_pct: Quantity = NO_DATA
    ready_pct: Quantity = NO_DATA
    iops: Quantity = NO_DATA
    disk_pct: Quantity = NO_DATA
    ram_limit_pct: float | None = None
    cpu_host: str = ""
    ram_host: str = ""
    pool: str = ""
    shortfall: Shortfall
    not_restarted: tuple[Stranded, ...]
    restarted: tuple[Restart, ...] = ()
    stays_down: tuple[str, ...] = ()
    taken_over: tuple[Takeover, ...] = ()
    verdict: Verdict | None
    note: str = ""
    down: Down | None = None
    is_assumed: bool = False
    idle: bool = False

    @property
    def id(self) -> str:
        """Of what fails, such as ``host h1``."""
        return self.mode.id

    @property
    def host(self) -> str:
        """The single host that is gone; empty where something else fails."""
        return self.mode.subject if self.mode.kind is ModeKind.HOST else ""

    @property
    def stranded(self) -> list[str]:
        """Ids of VMs that find no place."""
        return [each.vm for each in self.not_restarted]

    @property
    def shown(self) -> Shown | None:
        """The verdict as it is shown, or what is down; None where there is nothing to fail over."""
        if self.idle and self.verdict is Verdict.FITS:
            return Shown(None, NOTHING_TO_JUDGE)
        return shown_mode(self.verdict, self.down, is_assumed=self.is_assumed)


def worst_first(modes: Iterable[FailureMode]) -> list[FailureMode]:
    """What has users down first, then by verdict and memory short; equals keep their order, and
    what nothing fails over in comes last."""

    def badness(mode: FailureMode) -> tuple[int, float, float]:
        if mode.down is not None:
            return -Verdict.DOES_NOT_FIT - 1, -mode.down.people.first, 0.0
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

    @property
    def lost(self) -> tuple[Loss, str] | None:
        """The server that is lost, or the pool that loses a controller, where `subject` is the item
        that then is near its limit; None in other modes.

        >>> common = {"resource": "cpu_pct", "value": 86.0, "limit": 70.0}
        >>> Binding(subject="m2", mode="partner m1", **common).lost
        (<Loss.PARTNER: 'partner'>, 'm1')
        """
        kind, _, id = self.mode.partition(" ")
        return (Loss(kind), id) if kind in (Loss.PARTNER, Loss.CONTROLLER) else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Outage:
    """The worst loss of a kind beside single hosts that the policy wants survived, where it puts
    the scenario at risk, isn't known, or not all of these losses were tried.

    Attributes:
        subject: id of the server or pool that is lost or loses a controller; name of the group.
        mode: as failure modes are called, such as ``partner m1``.
        binding: the number that decides; None where a loss is told by `reason` alone, a clause.
        verdict: on what is left, where that is told by `reason`.
        resources: those that a loss of the kind puts at risk, of `predicted.RESOURCES`.
        tried, of: how many losses of that kind were worked out, of how many.
        unknown: what it comes to has no data; `of` then counts those that have none.
    """

    loss: Loss
    subject: str
    mode: str
    binding: Binding | None = None
    reason: str = ""
    verdict: Verdict = Verdict.DOES_NOT_FIT
    resources: frozenset[str] = frozenset()
    tried: int = 1
    of: int = 1
    unknown: bool = False

    @property
    def harms(self) -> bool:
        """Whether it puts the scenario at risk."""
        return self.binding is not None or bool(self.reason)


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


@dataclass(frozen=True, slots=True)
class Why:
    """Why a verdict is what it is.

    Attributes:
        clause: what decides, which is without a stop and begins small; `first`: the part of it that
            is the reason, `brief`: the same in fewer words, where there is such a form, and
            `besides`: the other parts; `host_loss`: of them what is said of the loss of a host that
            does no harm.
        lacking: what has no data besides, as a sentence; `remarks`: sentences after it.
        led: the verdict stands before it; where it doesn't, the clause says it and begins large.
    """

    clause: str
    lacking: str = ""
    remarks: tuple[str, ...] = ()
    led: bool = True
    first: str = ""
    brief: str = ""
    besides: str = ""
    host_loss: str = ""

    @property
    def whole(self) -> Text:
        """All of it but the verdict."""
        parts = (joined("", (self.clause, ".")), self.lacking, *self.remarks)
        return joined(" ", filter(None, parts))

    def under(self, verdict: str) -> Text:
        """All of it, with the verdict where that stands before it."""
        return joined("", (opening(verdict), ": ", self.whole)) if self.led else self.whole


RESPONSE_RANGE = "response-range"
"""The rule that says why a response is not known."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Prediction:
    """All that `evaluate` says about a scenario.

    `failures` has a mode for each host, `together` the worst loss of as many hosts at once as a
    cluster tolerates, for each cluster that tolerates more than one, and the one that leaves least
    where that is another. `carriage`: how far the numbers are carried. `normal`: the verdict on
    normal operation as one mode among these, of its resources and of VMs that can't be powered on.
    `by_resource`: the verdict on each resource, None where nothing asks for it. `idle`: nothing
    runs that could pass a limit. `chips`: what it rests on. `ranked`: gives `nearest`;
    `after_losses`: what is nearest its limit after each kind of loss, beside those of hosts, that
    is to be survived and brings it nearer.
    """

    scenario: str
    model_version: str
    verdict: Verdict
    by_resource: Mapping[str, Verdict | None]
    normal: Verdict
    why: Why
    binding: Binding | None
    runner_up: Binding | None
    headroom: Headroom
    vms: VmPrediction
    hosts: HostPrediction
    pools: PoolPrediction
    failures: Sequence[FailureMode]
    together: tuple[FailureMode, ...] = ()
    findings: tuple[Finding, ...]
    outages: tuple[Outage, ...] = ()
    idle: bool = False
    carriage: Carriage | None = None
    chips: tuple[Chip, ...] = ()
    ranked: Callable[[], tuple[Binding, ...]] = tuple
    after_losses: Callable[[], tuple[Binding, ...]] = tuple

    @property
    def nearest(self) -> tuple[Binding, ...]:
        """The numbers nearest their limits, over normal operation and every loss that is to be
        survived, the deciding one first."""
        return self.ranked()

    @property
    def carried(self) -> Distance:
        """How far its numbers are carried at most from where they were measured."""
        return NOWHERE if self.carriage is None else self.carriage.most

    @property
    def badge(self) -> Text | str:
        """What a verdict wears that rests on a transfer over more than one generation of machines,
        hypervisors or releases; empty for any other."""
        far = self.carried
        if not far.far or self.idle:
            return ""
        if far.measured is None or far.years is None:
            return say("measured on a machine of another time, carried here")
        return say_many(
            "measured {year}, carried {count} year",
            "measured {year}, carried {count} years",
            far.years,
            year=Numeral(str(far.measured)),
        )

    @property
    def caveats(self) -> tuple[Chip, ...]:
        """The chips that stand beside the verdict wherever it is shown."""
        return tuple(chip for chip in self.chips if chip.id in (ASSUMED, "grade"))

    def why_no_response(self, vm: str) -> str:
        """Why the response of a VM is not known though there is a law for it; else empty."""
        found = (each for each in self.findings if each.rule == RESPONSE_RANGE)
        return next((each.clause for each in found if each.subject == vm), "")

    @property
    def shown(self) -> Shown:
        """The verdict as it is shown; none where nothing could pass a limit."""
        if self.idle:
            return Shown(None, NOTHING_TO_JUDGE)
        return Shown.of(self.verdict, is_assumed=self.rests_on_assumptions)

    @property
    def rests_on_assumptions(self) -> bool:
        """Whether loads of what runs are assumed, not measured."""
        return any(chip.id == ASSUMED for chip in self.chips)

    @property
    def answer(self) -> str:
        """The sentence, under the verdict as it is shown."""
        return self.why.under(self.shown.words)

    @property
    def sentence(self) -> str:
        """Verdict and reason."""
        return self.why.under(self.verdict.label)

    @property
    def reason(self) -> str:
        """The sentence without the verdict before it."""
        return self.why.whole
