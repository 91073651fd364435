"""Whether a design lasts the years that it is paid for, and what the next host costs if not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from decimal import Decimal

from models.evidence.knowledge import Knowledge
from models.predict.prediction import Verdict
from models.prices.book import cents
from models.prices.cost import Cost, cost_of
from models.scenario.growth import grown
from models.scenario.scenario import Scenario
from models.single_changes.changes import add_host
from models.uncertainty.chance import simulate

SAMPLES = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Lasting:
    """How likely a design lasts, and what it costs if it doesn't.

    Attributes:
        years: until then.
        chance_pct: that it fits at their end; None: its verdict is not known.
        host_once, host_yearly: of one more host like the last one; None: it has no hosts, or
            one more would not make it last more likely.
        at_least: a price is missing.
    """

    years: float
    chance_pct: float | None
    host_once: Decimal | None
    host_yearly: Decimal | None
    at_least: bool = False

    @property
    def regret(self) -> Decimal | None:
        """What the next host costs on average, (1 − chance)·purchase; None: not known."""
        if self.chance_pct is None or self.host_once is None:
            return None
        return cents(self.host_once * Decimal(repr(round(1.0 - self.chance_pct / 100.0, 6))))


def lasting(
    scenario: Scenario,
    cost: Cost,
    knowledge: Knowledge,
    *,
    check: Callable[[], None] = lambda: None,
) -> Lasting:
    """The chance that a design fits at the end of its planned years, and its next host.

    Of a design without a plan the end is today. A sample that is at risk, where a failure that is
    to be survived is not, doesn't fit.
    """
    years = scenario.growth.years
    found = simulate(grown(scenario, years), knowledge, samples=SAMPLES, seed=0, check=check)
    known = found.verdicts.get(Verdict.NOT_KNOWN, 0.0) == 0.0
    more = with_host(scenario)
    fits = found.verdicts.get(Verdict.FITS, 0.0)
    if known and more is not None and fits < 100.0:
        then = simulate(grown(more, years), knowledge, samples=SAMPLES, seed=0, check=check)
        if then.verdicts.get(Verdict.FITS, 0.0) <= fits:
            more = None  # what it lacks is no host
    next_ = None if more is None else cost_of(more, knowledge.catalog, cost.book, 1)
    now = cost_of(scenario, knowledge.catalog, cost.book, 1)
    return Lasting(
        years=years,
        chance_pct=fits if known else None,
        host_once=None if next_ is None else next_.capex - now.capex,
        host_yearly=None if next_ is None else next_.first_year - now.first_year,
        at_least=cost.at_least,
    )


def with_host(scenario: Scenario) -> Scenario | None:
    """The design with one more host like its last one, to be bought; None without hosts."""
    if not scenario.hosts:
        return None
    more = add_host(scenario, scenario.hosts[-1].id).scenario
    new = replace(more.hosts[-1], imported_from="")
    return replace(more, hosts=(*more.hosts[:-1], new))
