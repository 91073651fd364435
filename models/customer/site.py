"""Calibration to the site: what measured servers of a customer make of the model's demands.

Published figures hold for benchmarks and for servers of others. A customer's own servers differ
from them together (his mails, agents and habits), and among each other. Per quantity, with
y = ln(measured/predicted) of n servers,

    yᵢ = θ + εᵢ,   θ ~ N(0, ω²),   εᵢ ~ N(0, τ²)
    w  = (n/τ²)/(n/τ² + 1/ω²),   θ̂ = w·ȳ,   var θ̂ = 1/(n/τ² + 1/ω²)
    another server: exp(θ̂ ± q·√(τ² + var θ̂))

the normal-normal model of empirical Bayes: B. Efron and C. Morris, "Data analysis using Stein's
estimator and its generalizations", Journal of the American Statistical Association 70 (1975). The
published variance V of a prediction, from its 90 % interval, is taken to be half the site's and
half the server's: ω² = V/2 and, below `FEW` servers, τ² = V/2 with the normal law's q. From `FEW`
servers on their own scatter tells, τ² = s² = Σ(yᵢ − ȳ)²/(n − 1), and q is that of Student's law
with n − 1 degrees of freedom; a site further off than V says widens the prior,
ω² = max(V/2, ȳ² − τ²/n).

The servers that were measured start from what was measured of them (`Vm.calibrated`): shrinkage is
for the others.

It is assumed that servers differ by factors, that those measured are like those that were not, that
errors of one do not follow from those of another, and that what was measured is the load of a busy
hour under the users that the scenario states. Servers count alike, whatever their size.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from models.base.errors import ModelError
from models.base.quantities import FloatArray
from models.base.rounding import rounded
from models.base.texts import say
from models.customer.measured import MeasuredServer, matched
from models.evidence.knowledge import Knowledge
from models.physics.estimates import Estimate
from models.predict.demands import VmStage, demands_of
from models.scenario.inputs import with_origin
from models.scenario.names import Tie
from models.scenario.origin import Origin
from models.scenario.scenario import Calibrated, Scenario, Site, Vm

Z90 = 1.6448536
"""Standard deviations of the normal law to either end of a 90 % interval."""

FEW = 4
"""Servers from which on their own scatter is believed: of fewer, three degrees of freedom are not
there, and Student's interval is wider than what is published."""

SITE_SHARE = 0.5
"""Of the published variance, what all servers of a customer have in common. Stated: no document
says, and from four servers on it hardly weighs."""

DIGITS = 6
"""Significant digits of what a file keeps of a site."""

LEAST_SCATTER = 0.02
"""Nobody measures a load more closely than to 2 %. Stated."""

RAM_HALF_WIDTH = 0.7
"""Of RAM in use over what servers are given, in ln: half of it to all and more of it. Stated, as no
document says what Domino leaves unused."""

COMPARED = ("cpu_pct", "iops", "ram_gib")
"""Quantities that shift; fields of `Site` begin with their first word."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Factor:
    """Measured over predicted of one more server, with its 90 % interval."""

    value: float
    low: float
    high: float

    @classmethod
    def of(cls, log: float, half_width: float) -> Factor:
        return cls(
            value=math.exp(log), low=math.exp(log - half_width), high=math.exp(log + half_width)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class QuantityShift:
    """One quantity before and after.

    Attributes:
        weight_pct: w of the module's formula [%]: of the site's own figures against the model's.
        servers: how many were compared.
        half_width, half_width_model: of `after` and `before`, in ln.
    """

    quantity: str
    before: Factor
    after: Factor
    weight_pct: float
    servers: int
    half_width: float
    half_width_model: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerFit:
    """One figure of one server: measured, as the model had it, as the others' factor has it, and as
    it is predicted now, which is as it was measured."""

    id: str
    quantity: str
    measured: float
    before: float
    shifted: float
    predicted: float

    @property
    def residual_pct(self) -> float:
        """Measured over what the site's factor says, less one [%]."""
        return 100.0 * (self.measured / self.shifted - 1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteCalibration:
    """A calibration, ready to be kept in a scenario.

    Attributes:
        scenario: the one that was compared, with `site` in its policy.
        coverage_pct: CPU of the servers compared over that of all Domino servers, as predicted.
        unknown: names of what was measured that no VM is; `others`: measured VMs without users.
        ties: names of what was measured that mean a VM of another name.
    """

    scenario: Scenario
    site: Site
    quantities: tuple[QuantityShift, ...]
    servers: tuple[ServerFit, ...]
    coverage_pct: float
    unknown: tuple[str, ...]
    others: tuple[str, ...]
    ties: tuple[Tie, ...] = ()


def shift_of(
    quantity: str, log_ratios: Sequence[float], half_widths: Sequence[float]
) -> QuantityShift:
    """The shift of a quantity from servers that were measured; the formula is the module's.

    Args:
        log_ratios: ln(measured/predicted), (n,), n ≥ 1.
        half_widths: of the predictions' 90 % intervals, in ln, (n,).

    Ten servers, all a third over the model to within a few per cent:

    >>> found = shift_of(
    ...     "cpu_pct", [0.25, 0.3, 0.28, 0.32, 0.27, 0.29, 0.31, 0.26, 0.3, 0.28], [0.7] * 10
    ... )
    >>> round(found.after.value, 2), round(found.after.low, 2), round(found.after.high, 2)
    (1.33, 1.28, 1.39)
    """
    y, widths = np.asarray(log_ratios, dtype=np.float64), np.asarray(half_widths, dtype=np.float64)
    n = len(y)
    published = max(float(np.mean((widths / Z90) ** 2)), LEAST_SCATTER**2)
    of_site = SITE_SHARE * published
    if n >= FEW:
        scatter, quantile = float(np.var(y, ddof=1)), student_95(n - 1)
    else:
        scatter, quantile = published - of_site, Z90
    scatter = max(scatter, LEAST_SCATTER**2)
    precision = n / scatter
    if n >= FEW:
        of_site = max(of_site, float(y.mean()) ** 2 - 1.0 / precision)
    weight = precision / (precision + 1.0 / of_site)
    half_width = quantile * math.sqrt(scatter + 1.0 / (precision + 1.0 / of_site))
    before = Z90 * math.sqrt(published)
    return QuantityShift(
        quantity=quantity,
        before=Factor.of(0.0, before),
        after=Factor.of(weight * float(y.mean()), half_width),
        weight_pct=100.0 * weight,
        servers=n,
        half_width=half_width,
        half_width_model=float(widths.max()),
    )


def student_95(degrees: int) -> float:
    """The 95 % quantile of Student's law, to 0.3 % from 3 degrees of freedom on.

    Cornish-Fisher expansion: M. Abramowitz and I. Stegun, Handbook of Mathematical Functions,
    26.7.5.

    >>> round(student_95(9), 3), round(student_95(3), 2)
    (1.833, 2.35)
    """
    z, v = Z90, float(degrees)
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + sum(term / v ** (k + 1) for k, term in enumerate(terms))


def calibrated_to_site(
    scenario: Scenario,
    measured: Sequence[MeasuredServer],
    knowledge: Knowledge,
    same: Mapping[str, str] | None = None,
) -> SiteCalibration:
    """The scenario with its demands shifted by what was measured of its servers.

    Args:
        same: as `matched` has it.

    Raises:
        ModelError: nothing that was measured is a Domino server of the scenario with a load.
    """
    plain = with_site(scenario, None)
    found = matched(measured, plain, same)
    stage = demands_of(plain, knowledge)
    pairs = [
        pair
        for row, vm in enumerate(plain.vms)
        if vm.id in found.by_vm and vm.workload.kind.is_domino
        for pair in _pairs_of(vm, row, found.by_vm[vm.id], stage)
    ]
    shifts = _shifts_of(pairs)
    if not shifts:
        raise ModelError(
            say(
                "holds no measured CPU, I/O or RAM of a Domino server of “{scenario}”",
                scenario=scenario.name,
            )
        )
    servers = {each.vm.id for each in pairs}
    coverage = _coverage_pct(stage, servers)
    site = site_of_shifts(plain, shifts, len(servers), coverage)
    factors = {each.quantity: each.after.value for each in shifts}
    others = [vm for vm in plain.vms if not vm.workload.kind.is_domino]
    return SiteCalibration(
        scenario=_with_own(with_site(scenario, site), pairs),
        site=site,
        quantities=shifts,
        servers=tuple(each.fit(factors[each.quantity]) for each in pairs),
        coverage_pct=coverage,
        unknown=found.unknown,
        ties=found.ties,
        others=tuple(vm.id for vm in others if vm.id in found.by_vm),
    )


class _Pair(NamedTuple):
    """A figure of a server: measured, predicted, half the prediction's interval and its longer
    side [ln]."""

    vm: Vm
    quantity: str
    measured: float
    predicted: float
    half_width: float
    widest: float

    def fit(self, factor: float) -> ServerFit:
        return ServerFit(
            id=self.vm.id,
            quantity=self.quantity,
            measured=self.measured,
            before=self.predicted,
            shifted=self.predicted * factor,
            predicted=self.measured,
        )


def _shifts_of(pairs: Sequence[_Pair]) -> tuple[QuantityShift, ...]:
    shifts = []
    for quantity in COMPARED:
        of_it = [each for each in pairs if each.quantity == quantity]
        if of_it:
            ratios = [math.log(each.measured / each.predicted) for each in of_it]
            shift = shift_of(quantity, ratios, [each.half_width for each in of_it])
            widest = max(each.widest for each in of_it)
            shifts.append(replace(shift, half_width_model=widest))
    return tuple(shifts)


def with_site(
    scenario: Scenario, site: Site | None, origin: Origin = Origin.CALIBRATED
) -> Scenario:
    """The scenario with this calibration in its policy, or with none; and without what VMs keep of
    one before."""
    vms = tuple(vm if vm.calibrated is None else _plain(vm) for vm in scenario.vms)
    changed = replace(scenario, policy=replace(scenario.policy, site=site), vms=vms)
    if site is None:
        kept = tuple(each for each in scenario.origins if not each[0].startswith("policy.site."))
        return replace(changed, origins=kept)
    paths = (f"policy.site.{_prefix(quantity)}_factor" for quantity in COMPARED)
    return with_origin(changed, origin, *paths)


def _plain(vm: Vm) -> Vm:
    kept = tuple(each for each in vm.origins if not each[0].startswith("calibrated."))
    return replace(vm, calibrated=None, origins=kept)


def _with_own(scenario: Scenario, pairs: Sequence[_Pair]) -> Scenario:
    """The scenario with what was measured of each VM over what was predicted of it."""
    own: dict[str, dict[str, float]] = {}
    for each in pairs:
        prefix, figures = _prefix(each.quantity), own.setdefault(each.vm.id, {})
        ratio = each.measured / each.predicted
        figures[f"{prefix}_factor"] = rounded(min(max(ratio, 0.01), 100.0), DIGITS)
        if prefix != "ram":
            figures[f"{prefix}_half_width_model"] = rounded(min(each.widest, 7.0), DIGITS)
    vms = tuple(_calibrated(vm, own[vm.id]) if vm.id in own else vm for vm in scenario.vms)
    return replace(scenario, vms=vms)


def _calibrated(vm: Vm, figures: Mapping[str, float]) -> Vm:
    changed = replace(vm, calibrated=Calibrated(**figures))
    paths = (f"calibrated.{name}" for name in figures if name.endswith("_factor"))
    return with_origin(changed, Origin.CALIBRATED, *paths)


def _pairs_of(vm: Vm, row: int, measured: MeasuredServer, stage: VmStage) -> list[_Pair]:
    """What was measured and predicted of a server, where both are above nothing."""
    found = []
    predicted: Mapping[str, Estimate] = {"cpu_pct": stage.cores, "iops": stage.io}
    for quantity in COMPARED:
        there = measured.value(quantity, vm)
        if there is None or there <= 0:
            continue
        if quantity == "ram_gib":
            given = float(stage.inputs.arrays.vms.effective_ram_gib[row])
            found.append(_Pair(vm, quantity, there, given, RAM_HALF_WIDTH, RAM_HALF_WIDTH))
            continue
        value, low, high = predicted[quantity].ends[:, row].tolist()
        if quantity == "cpu_pct":
            value, low, high = (100.0 * each / vm.vcpus for each in (value, low, high))
        if value > 0 and low > 0:
            sides = math.log(value / low), math.log(high / value)
            found.append(_Pair(vm, quantity, there, value, 0.5 * sum(sides), max(sides)))
    return found


def _coverage_pct(stage: VmStage, servers: set[str]) -> float:
    """CPU of these servers over that of all Domino servers, as predicted [%]."""
    vms = stage.inputs.arrays.vms
    load: FloatArray = np.where(vms.domino & stage.cores.known, stage.cores.value, 0.0)
    among = np.array([id in servers for id in vms.ids], dtype=np.bool_)
    whole = float(load.sum())
    return 100.0 * float(load[among].sum()) / whole if whole > 0 else 0.0


def site_of_shifts(
    scenario: Scenario, shifts: Sequence[QuantityShift], servers: int, coverage: float
) -> Site:
    """What a scenario keeps of shifts by so many servers, on its own basis of the load.

    Args:
        coverage: CPU of these servers over that of all its Domino servers [%].
    """
    figures: dict[str, Any] = {}
    for each in shifts:
        prefix = _prefix(each.quantity)
        figures[f"{prefix}_factor"] = rounded(min(max(each.after.value, 0.01), 100.0), DIGITS)
        figures[f"{prefix}_half_width"] = rounded(min(each.half_width, 7.0), DIGITS)
        if prefix != "ram":
            figures[f"{prefix}_half_width_model"] = rounded(min(each.half_width_model, 7.0), DIGITS)
    policy = scenario.policy
    return Site(
        load_basis=policy.load_basis,
        benchmark_derating=policy.benchmark_derating,
        servers=servers,
        coverage_pct=rounded(min(coverage, 100.0), DIGITS),
        **figures,
    )


def kept_factors(site: Site) -> tuple[tuple[str, Factor], ...]:
    """Quantity and measured over predicted of one more server, of what a scenario keeps."""
    found = []
    for quantity in COMPARED:
        factor = getattr(site, f"{_prefix(quantity)}_factor")
        half_width = getattr(site, f"{_prefix(quantity)}_half_width")
        if factor is not None:
            found.append((quantity, Factor.of(math.log(factor), half_width)))
    return tuple(found)


def _prefix(quantity: str) -> str:
    """Of its fields in `Site`."""
    return quantity.partition("_")[0]
