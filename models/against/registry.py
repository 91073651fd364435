"""Scores of several projects, without names, and what together they say of the model.

A score sets servers of one project beside their predictions. What a registry keeps of it are
ratios: measured over predicted, and the ends of the interval over the value. Servers of one project
differ from the model together, so that a project is one observation: the mean ȳₖ of
y = ln(measured/predicted) over its servers. For one more server of one more project, with k
projects,

    ln factor = θ̂ ± q·√(s²_between + s²_within + var θ̂)

θ̂, its weight and its variance are those of `models.customer.site.shift_of`, with projects in the
place of servers; s²_within = Σ Σ (yᵢ − ȳₖ)²/Σ(nₖ − 1) is the pooled variance inside projects. Below
`FEW` projects the published scatter stands, which holds both. Source: one-way random effects;
S. Searle, G. Casella, C. McCulloch, Variance Components (1992), chapter 3.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from models.base.errors import ModelError
from models.base.texts import say
from models.customer.site import FEW, Factor, QuantityShift, shift_of, site_of_shifts, with_site
from models.scenario.origin import Origin
from models.scenario.scenario import LoadBasis, Policy, Scenario

SHIFTED = ("cpu_pct", "iops")
"""Quantities whose demands a registry can shift; of RAM a prediction is what is given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ratio:
    """A figure of a server: measured over predicted, and its interval over the predicted value."""

    server: int
    quantity: str
    measured: float
    low: float
    high: float

    @property
    def half_width(self) -> float:
        return 0.5 * math.log(self.high / self.low)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredProject:
    """What is kept of a score.

    Attributes:
        id: digest of the figures: the same score is one project.
        load_basis, benchmark_derating: of its predictions.
    """

    id: str
    model_version: str
    load_basis: LoadBasis
    benchmark_derating: float
    figures: tuple[Ratio, ...]

    @property
    def ground(self) -> Ground:
        derating = 1.0 if self.load_basis is LoadBasis.PRODUCTION else self.benchmark_derating
        return Ground(self.load_basis, derating)


@dataclass(frozen=True, slots=True)
class Ground:
    """What predictions have to have in common to be compared; production uses no derating."""

    load_basis: LoadBasis
    benchmark_derating: float

    @classmethod
    def of(cls, policy: Policy) -> Ground:
        is_production = policy.load_basis is LoadBasis.PRODUCTION
        return cls(policy.load_basis, 1.0 if is_production else policy.benchmark_derating)


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What projects on the same ground would change in the calibration.

    Attributes:
        projects, servers: how many are behind it.
    """

    ground: Ground
    projects: int
    servers: int
    shifts: tuple[QuantityShift, ...]


def added_up(projects: Sequence[ScoredProject]) -> tuple[ScoredProject, ...]:
    """Each project once, in an order that says nothing of when it was added."""
    by_id = {each.id: each for each in projects}
    return tuple(by_id[id] for id in sorted(by_id))


def changes(projects: Sequence[ScoredProject], model_version: str) -> tuple[Change, ...]:
    """What they would change, for each ground; those of another version of the model, whose
    predictions are not today's, are left out."""
    today = [each for each in projects if each.model_version == model_version]
    grounds = sorted(
        {each.ground for each in today}, key=lambda g: (g.load_basis.value, g.benchmark_derating)
    )
    found = (
        _change(ground, [each for each in today if each.ground == ground]) for ground in grounds
    )
    return tuple(each for each in found if each.shifts)


def _change(ground: Ground, projects: Sequence[ScoredProject]) -> Change:
    shifts = [
        shift
        for name in SHIFTED
        if (shift := pooled(name, [e.figures for e in projects])) is not None
    ]
    servers = {(e.id, f.server) for e in projects for f in e.figures if f.quantity in SHIFTED}
    return Change(
        ground=ground,
        projects=len({id for id, _ in servers}),
        servers=len(servers),
        shifts=tuple(shifts),
    )


def pooled(quantity: str, projects: Sequence[Sequence[Ratio]]) -> QuantityShift | None:
    """The shift of a quantity by projects, as the module has it; None where none has figures.

    Four projects, each a third over the model in all of its servers:

    >>> def project(*over):
    ...     return [
    ...         Ratio(server=n, quantity="iops", measured=each, low=0.5, high=2.0)
    ...         for n, each in enumerate(over)
    ...     ]
    >>> found = pooled("iops", [project(1.3, 1.35), project(1.32), project(1.36), project(1.3)])
    >>> round(found.after.value, 1), found.servers
    (1.3, 5)
    """
    groups = [
        each
        for figures in projects
        if (each := [f for f in figures if f.quantity == quantity and f.measured > 0])
    ]
    if not groups:
        return None
    logs = [[math.log(f.measured) for f in group] for group in groups]
    means = [sum(each) / len(each) for each in logs]
    widths = [sum(f.half_width for f in group) / len(group) for group in groups]
    found = shift_of(quantity, means, widths)
    half_width = found.half_width
    if len(groups) >= FEW:
        squares = sum((y - mean) ** 2 for each, mean in zip(logs, means, strict=True) for y in each)
        free = sum(map(len, logs)) - len(logs)
        within = 1.6449 * math.sqrt(squares / free) if free else 0.0
        half_width = math.hypot(half_width, within)
    return replace(
        found,
        after=Factor.of(math.log(found.after.value), half_width),
        half_width=half_width,
        half_width_model=max(f.half_width for group in groups for f in group),
        servers=sum(map(len, logs)),
    )


def taken(scenario: Scenario, found: Sequence[Change]) -> Scenario:
    """The scenario whose demands the projects shift, as measured servers of its own would; that
    somebody took this over is its origin, as nothing was measured at this customer.

    Raises:
        ModelError: none of them was predicted on its ground, or it has a calibration of its own.
    """
    if scenario.policy.site is not None:
        raise ModelError(say("is calibrated to its own servers already"), field="policy.site")
    ground = Ground.of(scenario.policy)
    change = next((each for each in found if each.ground == ground), None)
    if change is None:
        raise ModelError(
            say("no project of the registry was predicted on the same basis of the load"),
            field="policy.load_basis",
        )
    site = site_of_shifts(scenario, change.shifts, change.servers, 0.0)
    return with_site(scenario, site, Origin.MANUAL)
