"""Somebody's own servers against the model, told as sections."""

from __future__ import annotations

from collections.abc import Sequence

from models.against.errors import Against, NotPredicted
from models.base.texts import Text, joined, opening, say, say_many
from models.predict.predicted import title_of
from models.scenario.scenario import LoadBasis
from models.tell.accuracy import accuracy_table
from models.tell.blocks import Block, Bullets, Column, Paragraph, Section, Table
from models.tell.site import figure, figures_table


def against_sections(found: Against, not_read: Sequence[str] = ()) -> tuple[Section, ...]:
    """The errors by quantity, each server's figures, and what can't be predicted.

    Args:
        not_read: headings of the table that nobody knows.
    """
    blocks: list[Block] = [Paragraph(_how(found.basis))]
    if found.accuracy:
        blocks.append(accuracy_table(found.accuracy))
    else:
        blocks.append(Paragraph(say("Nothing that was measured could be predicted.")))
    if not_read:
        names = joined(", ", not_read)
        blocks.append(Bullets((say("columns that nobody knows: {names}", names=names),)))
    sections = [Section(say("Own servers against the model"), tuple(blocks))]
    if found.score is not None:
        sections.append(Section(say("Servers"), (figures_table(found.score),)))
    if found.not_predicted:
        sections.append(Section(say("Not predicted"), (_not_predicted(found.not_predicted),)))
    return tuple(sections)


def _how(basis: LoadBasis) -> Text:
    if basis is LoadBasis.PRODUCTION:
        return say(
            "Each server is predicted from its users and its machine as a production server; the "
            "model never saw what was measured of it."
        )
    return say(
        "Each server is predicted from its users and its machine as a benchmark, whose users count "
        "as they are; the model never saw what was measured of it."
    )


def _not_predicted(left: Sequence[NotPredicted]) -> Table:
    columns = (
        Column(say("Server"), wide=True),
        Column(say("Quantity")),
        Column(say("Measured"), numeric=True),
        Column(say("Why"), wide=True, weight=2),
    )
    note = say_many(
        "{count} measured figure is in no error above.",
        "{count} measured figures are in no error above.",
        len(left),
    )
    rows = tuple(
        (
            each.server,
            opening(title_of(each.quantity)),
            figure(each.measured, each.quantity),
            each.why,
        )
        for each in left
    )
    return Table(columns, rows, note)
