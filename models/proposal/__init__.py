"""The sizing proposal: what is said, as values. How it looks is the report's business."""

from __future__ import annotations

from collections.abc import Sequence

from models.proposal import availability, design, grounds, inputs, results
from models.proposal.side_by_side import side_by_side
from models.proposal.summary import summary
from models.tell.availability import admission_sections, protection_sections, restart_sections
from models.tell.blocks import Definitions, Paragraph, Part, Proposal, Section, Signature
from models.tell.designs import design_sections
from models.tell.drawing import drawn
from models.tell.materials import bill_of_materials
from models.tell.storms import storm_sections
from models.tell.subject import Subject
from models.texts import joined, say

__all__ = ["Proposal", "propose"]


def propose(subjects: Sequence[Subject], *, date: str, program: str, file: str = "") -> Proposal:
    """The proposal for one or more scenarios, in this order.

    Args:
        subjects: at least one.
        date: as it shall be printed.
        program: program name and version.
        file: name of the project file, without its folder.
    """
    first = subjects[0].scenario
    model = subjects[0].prediction.model_version
    together = side_by_side(subjects)
    names = joined(", ", (subject.scenario.name for subject in subjects))
    cover = (
        *([(say("Customer"), first.customer)] if first.customer else []),
        *([(say("Prepared by"), first.author)] if first.author else []),
        (say("Date"), date),
        (say("Scenarios") if subjects[1:] else say("Scenario"), names),
        *([(say("Project file"), file)] if file else []),
    )
    return Proposal(
        title=say("Sizing proposal"),
        subject=first.name,
        author=first.author,
        date=date,
        cover=cover,
        verdicts=tuple((s.scenario.name, design.verdict(s)) for s in subjects),
        made_with=say("{program} · model {model}", program=program, model=model),
        imprint=say(
            "Predictions rest on published benchmarks; each number carries its 90 % interval "
            "and its basis. Your mileage may vary, and this document says by how much."
        ),
        parts=(
            *([] if together is None else [together]),
            *(_part(subject, of=len(subjects)) for subject in subjects),
            _end_matter(subjects),
        ),
    )


def _part(subject: Subject, *, of: int) -> Part:
    sections = (
        summary(subject),
        design.requirement(subject),
        drawn(subject),
        bill_of_materials(subject),
        design.design(subject),
        results.numbers(subject),
        results.response(subject),
        availability.failures(subject),
        *admission_sections(subject.admission, subject.scenario),
        *protection_sections(subject.protections, subject.scenario),
        *design_sections(subject.designs, subject.scenario),
        *restart_sections(subject.restart_times if subject.designs else (), subject.scenario),
        *storm_sections(subject.storms, subject.scenario),
        results.findings(subject),
        grounds.confidence(subject),
        grounds.assumptions(subject),
        grounds.sources(subject),
        inputs.appendix(subject),
    )
    there = tuple(section for section in sections if section is not None)
    return Part(subject.scenario.name if of > 1 else say("Design and prediction"), there)


def _end_matter(subjects: Sequence[Subject]) -> Part:
    """What is agreed on, once more in short, and the signatures."""
    terms = Paragraph(
        say(
            "The signatories have read the requirement, the assumptions and the exclusions. They "
            "agree that the design is sized for these inputs. Predictions are estimates with the "
            "intervals stated with them, not promises of service."
        )
    )
    signature = Signature((say("For the customer"), say("For the supplier")))
    agreed = [
        Section(
            say("What is agreed: {scenario}", scenario=subject.scenario.name)
            if subjects[1:]
            else say("What is agreed"),
            (design.verdict(subject), Definitions(grounds.agreed(subject))),
        )
        for subject in subjects
    ]
    return Part(say("Agreement"), (*agreed, Section(say("Signatures"), (terms, signature))))
