"""What stands behind tabs: studies of a scenario as sections, for threads of the pool.

What works one out is imported when it is first looked at: the window stands sooner.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.background import Study
from app.language import tr
from app.work import Context
from models.base.texts import say
from models.evidence.knowledge import Knowledge
from models.scenario.scenario import Growth, Maintenance, Scenario

if TYPE_CHECKING:
    from models.prices.book import PriceBook
    from models.studies.runway import Runway
    from models.tell.blocks import Section
    from models.uncertainty.chance import Chance

YEARS = 5.0
"""So far one can look, whatever is planned."""


def designs_told(scenario: Scenario, knowledge: Knowledge, context: Context) -> tuple[Section, ...]:
    """HA alone, a Domino cluster, or both, of a scenario that isn't too large for that."""
    from models.resilience.designs import MOST_HOSTS, compare_designs
    from models.tell.blocks import Paragraph, Section
    from models.tell.designs import design_sections

    if len(scenario.hosts) > MOST_HOSTS:
        too_many = say("Compared up to {most_hosts} hosts.", most_hosts=MOST_HOSTS)
        return (Section("", (Paragraph(too_many),)),)
    rows = compare_designs(scenario, knowledge, check=context.check)
    return design_sections(rows, scenario)


@dataclass(frozen=True, slots=True)
class YearsAhead:
    """The years ahead: those of the plan, and as far as one can look."""

    planned: Runway
    whole: Runway


def years_ahead(scenario: Scenario, knowledge: Knowledge, context: Context) -> YearsAhead | None:
    """The planned years, or five at the rates that are planned; None without a plan."""
    from models.studies.leave_behind import MANY_VMS
    from models.studies.runway import MONTHS_OF_A_YEAR, runways

    is_planned = (scenario.growth, scenario.maintenance) != (Growth(), Maintenance())
    if not scenario.vms or not is_planned:
        return None
    planned = scenario.growth.years or YEARS
    found = runways(
        scenario,
        knowledge,
        years=(planned, max(planned, YEARS)),
        every=3 if len(scenario.vms) < MANY_VMS else MONTHS_OF_A_YEAR,
        check=context.check,
    )
    return YearsAhead(*found)


def sensitivity_told(
    scenario: Scenario, knowledge: Knowledge, context: Context
) -> tuple[Section, ...]:
    """What moves the number nearest to its limit."""
    from models.tell.chance import sensitivity_sections
    from models.uncertainty.sensitivity import sensitivity

    if not scenario.vms:
        return ()
    found = sensitivity(scenario, knowledge, check=context.check)
    return sensitivity_sections(found, scenario)


def map_told(
    scenario: Scenario,
    knowledge: Knowledge,
    context: Context,
    *,
    pair: tuple[str, str] | None = None,
) -> tuple[Section, ...]:
    """The verdict over two inputs: a pair that the scenario has, or the usual one."""
    from models.studies.leave_behind import MANY_VMS
    from models.tell.chance import map_sections
    from models.uncertainty.verdict_map import (
        FEWER_STEPS,
        STEPS,
        default_pair,
        map_inputs,
        verdict_map,
    )

    if pair is None or not set(pair) <= set(map_inputs(scenario)):
        pair = default_pair(scenario)
    if not scenario.vms or pair is None:
        return ()
    found = verdict_map(
        scenario,
        knowledge,
        x=pair[0],
        y=pair[1],
        steps=STEPS if len(scenario.vms) < MANY_VMS else FEWER_STEPS,
        check=context.check,
        progress=context.report,
    )
    return map_sections(found, scenario)


def chance_of(scenario: Scenario, knowledge: Knowledge, context: Context) -> Chance | None:
    """How often the design holds, of many samples; None without VMs."""
    from models.studies.leave_behind import MANY_VMS
    from models.uncertainty.chance import simulate

    if not scenario.vms:
        return None
    return simulate(
        scenario,
        knowledge,
        samples=2000 if len(scenario.vms) < MANY_VMS else 500,
        check=context.check,
        progress=context.report,
    )


def chance_told(scenario: Scenario, knowledge: Knowledge, context: Context) -> tuple[Section, ...]:
    """How likely the design is to hold."""
    from models.tell.chance import chance_sections

    found = chance_of(scenario, knowledge, context)
    return () if found is None else chance_sections(found, scenario)


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyRow:
    """A study that is shown as its sections.

    Attributes:
        title: short, on its button; `name`: what it is called in full; `icon`: a file of
            resources/icons; `also`: other words by which it is looked for.
        nothing: what to say where the study has no sections.
        is_long: it takes seconds: a bar shows how far it is, and it can be stopped.
    """

    study: Study
    title: str
    name: str
    icon: str
    also: str
    nothing: str
    is_long: bool = False


def costs_told(
    scenario: Scenario,
    knowledge: Knowledge,
    context: Context,
    book: PriceBook | None = None,
) -> tuple[Section, ...]:
    """What it costs by a price book, how likely it lasts, and the book."""
    if book is None or not scenario.hosts:
        return ()
    from dataclasses import replace

    from models.base.texts import opening
    from models.prices.cost import cost_of
    from models.prices.lasting import lasting
    from models.tell.blocks import Paragraph
    from models.tell.costs import book_sections, cost_section, lasting_text

    cost = cost_of(scenario, knowledge.catalog, book)
    context.check()
    last = lasting(scenario, cost, knowledge, check=context.check)
    section = cost_section(cost)
    sentence = Paragraph(opening(lasting_text(last, cost)))
    first = replace(section, blocks=(section.blocks[0], sentence, *section.blocks[1:]))
    return (first, *book_sections(book, 0))


STUDIES = (
    StudyRow(
        study=designs_told,
        title=tr("HA or cluster"),
        name=tr("HA, Domino cluster, or both"),
        icon="layers",
        also=tr("ha domino cluster both replica downtime availability patching"),
        nothing=tr("Put a Domino server on a host to compare HA, a Domino cluster, and both."),
    ),
    StudyRow(
        study=sensitivity_told,
        title=tr("Sensitivity"),
        name=tr("What moves it most"),
        icon="own-compare",
        also=tr("tornado inputs drivers influence"),
        nothing=tr("Add a VM to see which inputs move the design most."),
        is_long=True,
    ),
    StudyRow(
        study=map_told,
        title=tr("Map"),
        name=tr("The verdict over two inputs"),
        icon="own-data",
        also=tr("two inputs heat map contour border grid users mail size"),
        nothing=tr("Add a VM to see where the verdict turns."),
        is_long=True,
    ),
    StudyRow(
        study=chance_told,
        title=tr("Range"),
        name=tr("How likely it is to hold"),
        icon="own-unknown",
        also=tr("chance probability monte carlo uncertainty risk"),
        nothing=tr("Add a VM to see how likely the design is to hold."),
        is_long=True,
    ),
    StudyRow(
        study=costs_told,
        title=tr("Costs"),
        name=tr("What it costs"),
        icon="file-text",
        also=tr("money price euro dollar tco capex opex licences budget"),
        nothing=tr("Add a price book (File, Add price book) to see what the design costs."),
        is_long=True,
    ),
)
"""In the order of their buttons."""
