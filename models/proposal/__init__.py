"""The sizing proposal: what is said, as values. How it looks is the report's business."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from models.base.texts import Text, given, joined, opening, say
from models.proposal import design, grounds, inputs, results
from models.proposal.agreement import agreement
from models.proposal.failing import failing
from models.proposal.messages import MESSAGES
from models.proposal.summary import summary
from models.proposal.verdict import recommended, shown, verdict
from models.tell.availability import admission_sections, protection_sections, restart_sections
from models.tell.blocks import Block, Definitions, Paragraph, Part, Proposal, Section
from models.tell.comparison import side_by_side
from models.tell.costs import cost_section
from models.tell.designs import design_sections
from models.tell.drawing import drawn
from models.tell.glossary import glossary, words_beside
from models.tell.growth import growth_sections, month_text
from models.tell.materials import bill_of_materials
from models.tell.meeting import meeting_sections
from models.tell.since import since_in_short
from models.tell.storms import storm_sections
from models.tell.subject import Subject

__all__ = ["Proposal", "propose"]


def propose(
    subjects: Sequence[Subject],
    *,
    date: str,
    program: str,
    file: str = "",
    sections: Sequence[str] = (),
    notes: Sequence[Section] = (),
    others: Sequence[Section] = (),
) -> Proposal:
    """The proposal for one or more scenarios, in this order.

    Args:
        subjects: at least one.
        date: as it shall be printed.
        program: program name and version.
        file: name of the project file, without its folder.
        sections: ids of `SECTIONS` in the order wanted; none: those of `BY_DEFAULT`, and costs
            where there is a price book.
        notes: answers of advisors, which become an appendix.
        others: which numbers are others than when this was exported: an appendix too.
    """
    subjects = [replace(each, is_option=len(subjects) > 1, file=file) for each in subjects]
    first = subjects[0].scenario
    model = subjects[0].prediction.model_version
    together = side_by_side(subjects)
    chosen, is_one = sections or _by_default(subjects), len(subjects) == 1
    names = joined(", ", (subject.scenario.name for subject in subjects))
    cover = (
        *([(say("Customer"), given(first.customer))] if first.customer else []),
        *([(say("Prepared by"), first.author)] if first.author else []),
        (say("Date"), date),
        *([(say("Scenarios"), names)] if subjects[1:] else []),
        *(
            [(say("Made again"), say("some numbers are others than then: see the appendix"))]
            if others
            else []
        ),
    )
    return Proposal(
        title=say("Sizing proposal"),
        subject=first.name,
        author=first.author,
        date=date,
        cover=cover,
        verdicts=tuple((s.scenario.name, verdict(s)) for s in subjects),
        first=_first(subjects) if SUMMARY in chosen else (),
        made_with=say("{program} · model {model}", program=program, model=model),
        imprint=say(
            "Predictions rest on published measurements. Where a number has a range, nine of ten "
            "predictions like it lie within."
        ),
        parts=(
            *([] if together is None else [together]),
            *_parts(subjects, [id for id in chosen if not (is_one and id == SUMMARY)]),
            *([Part(say("Migration notes"), tuple(notes))] if notes else []),
            *([Part(say("Other than exported"), tuple(others))] if others else []),
            agreement(subjects),
        ),
    )


def _by_default(subjects: Sequence[Subject]) -> tuple[str, ...]:
    """With costs below the bill of materials where there is a price book."""
    is_priced = any(each.cost is not None for each in subjects)
    return tuple(id for id in SECTIONS if id in BY_DEFAULT or (id == COSTS and is_priced))


def _costs(subject: Subject) -> Iterator[Section]:
    if subject.cost is not None:
        yield cost_section(subject.cost)


def _first(subjects: Sequence[Subject]) -> tuple[Block, ...]:
    """What stands below the verdict, or below those of several options which one is recommended."""
    if len(subjects) == 1:
        told = summary(subjects[0])
        meant = words_beside(repr((verdict(subjects[0]), told)))
        return told if meant is None else (*told, Paragraph(meant))
    best = recommended(subjects)
    which = say("none of these options without more ado: see what each leaves to be settled")
    if best is not None:
        which = say("{scenario}: the only one that fits", scenario=best.scenario.name)
    return (Definitions(((say("Recommended"), joined("", (opening(which), "."))),)),)


def _growing(subject: Subject) -> Iterator[Section]:
    """The years ahead, below how long today's verdict holds."""
    if subject.runway is None:
        return
    end, words = month_text(subject.runway.steps[-1].month), opening(shown(subject).words)
    whole = subject.runway.holds_until is None
    message = say("{verdict} for all {time} that are planned.", verdict=words, time=end)
    message = message if whole else joined("", (words, "."))
    for section in growth_sections(subject.runway, subject.scenario):
        yield replace(section, message=message)


COSTS = "costs"
"""The section that stands where there is a price book, unless other sections are asked for."""
SUMMARY = "summary"
"""The section that stands on the first page, where the proposal is about one scenario."""
Teller = Callable[[Subject], Iterable[Section | None]]

SECTIONS: Mapping[str, tuple[Text, Teller]] = {
    SUMMARY: (say("In short"), lambda of: [Section(say("In short"), summary(of))]),
    "requirement": (say("Requirement, and what decides"), lambda of: [design.requirement(of)]),
    "changes": (
        say("Since the last proposal"),
        lambda of: () if of.since is None else since_in_short(of.since),
    ),
    "drawing": (say("The design at a glance"), lambda of: [drawn(of)]),
    "materials": (say("Bill of materials"), lambda of: [bill_of_materials(of)]),
    COSTS: (say("Costs"), _costs),
    "design": (say("Hosts, storage and virtual machines"), lambda of: [design.design(of)]),
    "numbers": (say("Predicted load"), lambda of: [results.numbers(of)]),
    "response": (say("Response time"), lambda of: [results.response(of)]),
    "failures": (
        say("When something fails"),
        failing,
    ),
    "growth": (
        say("In the years ahead"),
        _growing,
    ),
    "admission": (
        say("Admission control"),
        lambda of: admission_sections(of.admission, of.scenario),
    ),
    "fault-tolerance": (
        say("Fault Tolerance"),
        lambda of: protection_sections(of.protections, of.scenario),
    ),
    "designs": (
        say("HA, Domino cluster, or both"),
        lambda of: (
            *design_sections(of.designs, of.scenario),
            *restart_sections(of.restart_times if of.designs else (), of.scenario),
        ),
    ),
    "storms": (say("Login storms"), lambda of: storm_sections(of.storms, of.scenario)),
    "findings": (say("Findings"), lambda of: [results.findings(of)]),
    "confidence": (say("How sure this is"), lambda of: [grounds.confidence(of)]),
    "assumptions": (say("Assumptions and exclusions"), lambda of: [grounds.assumptions(of)]),
    "sources": (say("Sources"), lambda of: [grounds.sources(of)]),
    "inputs": (say("Inputs and their origin"), lambda of: [inputs.appendix(of)]),
    "meetings": (say("Changed in meetings"), lambda of: meeting_sections(of.meetings)),
    "glossary": (say("Words used here"), lambda of: [glossary()]),
}
UNASKED = ("meetings", COSTS)
"""Sections that stand only where somebody asks for them."""
OF_ALL = ("glossary",)
"""Sections that say the same of every scenario."""
BY_DEFAULT = tuple(id for id in SECTIONS if id not in UNASKED)
"""The sections of a scenario by id, with the title of each, in the order of the document."""


def _parts(subjects: Sequence[Subject], chosen: Sequence[str]) -> Iterator[Part]:
    """One of each scenario; what is no scenario's own stands once, behind several."""
    if len(subjects) == 1:
        yield Part(say("Design and prediction"), _told(subjects[0], chosen))
        return
    own = [id for id in chosen if id not in OF_ALL]
    for subject in subjects:
        yield Part(subject.scenario.name, _told(subject, own))
    common = [id for id in chosen if id in OF_ALL]
    if common:
        yield Part(say("Appendix"), _told(subjects[0], common))


def _told(subject: Subject, chosen: Iterable[str]) -> tuple[Section, ...]:
    """The sections; the first of each id says below its title what it comes to."""
    told: list[Section] = []
    for id in chosen:
        found = [section for section in SECTIONS[id][1](subject) if section is not None]
        if found and not found[0].message and id in MESSAGES:
            found[0] = replace(found[0], message=MESSAGES[id](subject))
        told += found
    return tuple(told)
