"""Scores of several projects, told as sections: what together they would change."""

from __future__ import annotations

from collections.abc import Sequence

from models.against.registry import Change, ScoredProject
from models.base.texts import Text, joined, opening, say, say_many
from models.customer.site import FEW
from models.predict.predicted import title_of
from models.scenario.scenario import LoadBasis
from models.scenario.wording import number
from models.tell.blocks import Block, Column, Paragraph, Section, Table
from models.tell.site import factor_text


def registry_sections(
    projects: Sequence[ScoredProject], found: Sequence[Change], model_version: str
) -> tuple[Section, ...]:
    """How much there is, what is left out, and what would change on each basis of the load."""
    old = sum(each.model_version != model_version for each in projects)
    blocks: list[Block] = [
        Paragraph(say_many("{count} project scored.", "{count} projects scored.", len(projects)))
    ]
    if old:
        blocks.append(
            Paragraph(
                say_many(
                    "{count} of them was predicted by another version of the model and counts "
                    "for nothing here.",
                    "{count} of them were predicted by another version of the model and count "
                    "for nothing here.",
                    old,
                )
            )
        )
    if not found:
        blocks.append(Paragraph(say("Nothing in them would change the calibration.")))
    return (
        Section(say("Registry of scores"), tuple(blocks)),
        *(Section(_ground(each), _change(each)) for each in found),
    )


def _ground(each: Change) -> Text:
    if each.ground.load_basis is LoadBasis.PRODUCTION:
        return say("What it would change, in production")
    factor = number(each.ground.benchmark_derating, 1)
    return say("What it would change, benchmark users times {factor}", factor=factor)


def _change(each: Change) -> tuple[Block, ...]:
    counted = say_many(
        "{count} server of {projects}.",
        "{count} servers of {projects}.",
        each.servers,
        projects=say_many("{count} project", "{count} projects", each.projects),
    )
    table = Table(
        (
            Column(say("Quantity")),
            Column(say("Servers"), numeric=True),
            Column(say("Before"), numeric=True),
            Column(say("After"), numeric=True),
            Column(say("Weight of what was measured"), numeric=True),
        ),
        tuple(
            (
                opening(title_of(shift.quantity)),
                number(shift.servers),
                factor_text(shift.before),
                factor_text(shift.after),
                joined(" ", (number(shift.weight_pct), "%")),
            )
            for shift in each.shifts
        ),
        say("Measured over predicted of one more server of another project."),
    )
    blocks: list[Block] = [Paragraph(counted), table]
    if each.projects < FEW:
        blocks.append(
            Paragraph(
                say(
                    "Fewer than {few} projects don’t tell how far projects lie apart: the "
                    "published scatter stands.",
                    few=number(FEW),
                )
            )
        )
    return tuple(blocks)
