"""What is said otherwise now than in the last saved or exported state of a scenario."""

from __future__ import annotations

from collections.abc import Sequence

from models.base.texts import joined, opening, say
from models.signing.model_history import since
from models.signing.stated import Difference, Stated, quantity_text
from models.tell.blocks import Block, Bullets, Column, Paragraph, Section, Table
from models.version import MODEL_VERSION

WHY = {"saved": say("saved"), "exported": say("exported as a proposal")}


def what_changed(
    scenario: str, stated: Stated, differences: Sequence[Difference], *, are_same: bool
) -> Section:
    """The numbers that are others, old and new, and what was changed meanwhile.

    Args:
        are_same: the inputs of then and now were compared by their hash, and are the same.
    """
    head = say(
        "Last {why} {day} with Headroom {program}, model {model}; this is model {now}.",
        why=WHY.get(stated.why, stated.why),
        day=stated.at[:10],
        program=stated.program,
        model=stated.model,
        now=MODEL_VERSION,
    )
    came = tuple(since(stated.model)) if stated.model != MODEL_VERSION else ()
    causes: tuple[Block, ...] = (
        (Paragraph(say("What the model learned in between:")), Bullets(came)) if came else ()
    )
    inputs = (
        say("The inputs are the same: their hash was compared.")
        if are_same
        else say("This program reads the inputs otherwise: their hash is another.")
    )
    if are_same and stated.model == MODEL_VERSION:
        what = say("So is the model: what differs is the catalog, the evidence or the program.")
        inputs = joined(" ", (inputs, what))
    columns = (
        Column(say("Quantity"), wide=True),
        Column(say("Then"), numeric=True),
        Column(say("Now"), numeric=True),
    )
    rows = tuple(
        (opening(quantity_text(each.quantity)), each.stated, each.now) for each in differences
    )
    return Section(scenario, (Paragraph(head), Paragraph(inputs), *causes, Table(columns, rows)))
