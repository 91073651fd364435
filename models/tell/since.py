"""What was changed since a proposal: inputs, numbers and verdict, then and now."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from models.base.dates import day_text, moment
from models.base.texts import Text, say
from models.comparison.compare import overall
from models.comparison.compare_text import Words
from models.signing.since import SinceProposal
from models.signing.stated import WORDS
from models.tell.blocks import Block, Paragraph, Section
from models.tell.comparison import (
    INPUTS,
    Parts,
    compared_parts,
    comparison_bars,
    differences_table,
    inputs_section,
    parts_sections,
    summary_text,
)
from models.tell.stated import what_changed
from models.version import MODEL_VERSION

NEVER = say("No proposal about this scenario is kept, so there is nothing to hold it against.")
"""What is said of a scenario without an exported proposal."""
CHANGED = say("What was changed")


def since_sections(found: SinceProposal) -> tuple[Section, ...]:
    """All of it: the dials then and now, each input and outcome, and the model's own part."""
    words = Words(found.comparison, found.catalog)
    blocks: list[Block] = [Paragraph(since_text(found))]
    if found.is_changed:
        blocks += [Paragraph(summary_text(found.comparison)), comparison_bars(words)]
    return (
        Section(_title(found), tuple(blocks)),
        *parts_sections(_parts(words), words),
        *_otherwise(found),
    )


def since_in_short(found: SinceProposal) -> tuple[Section, ...]:
    """As a proposal has it: what it comes to, and the inputs; nothing where nothing is another."""
    if not found.is_changed:
        return ()
    words = Words(found.comparison, found.catalog)
    note = say("In small type the 90 % interval; in brackets the change since then.")
    table = differences_table(overall(found.comparison.sides), words, note)
    return (
        Section(_title(found), (Paragraph(since_text(found)), table)),
        replace(inputs_section(found.comparison.inputs, words), title=CHANGED),
        *_otherwise(found),
    )


def since_text(found: SinceProposal) -> Text:
    """The verdict then and now, in a sentence."""
    day = day_text(moment(found.stated.at))
    if not found.is_changed:
        return say(
            "Nothing was changed since the proposal of {day}: every input and every number is as "
            "it was.",
            day=day,
        )
    then = WORDS.get(found.stated.verdict, found.stated.verdict)
    now = found.comparison.sides[1].prediction.shown.words
    if str(then) == str(now):
        return say("The verdict of {day} was “{then}”, and still is.", day=day, then=then)
    return say("The verdict of {day} was “{then}”; it is “{now}” now.", day=day, then=then, now=now)


def _parts(words: Words) -> Parts:
    """As a comparison has them; inputs were changed here."""
    told = compared_parts(words)
    return tuple((CHANGED if title == INPUTS else title, lines) for title, lines in told)


def _title(found: SinceProposal) -> Text:
    day = day_text(moment(found.stated.at))
    return say("Since the proposal of {day}", day=day)


def _otherwise(found: SinceProposal) -> Iterator[Section]:
    """What the model alone says otherwise, told apart from what people changed."""
    if not found.otherwise:
        return
    told = what_changed("", found.stated, found.otherwise, are_same=found.reads_as_then)
    note = Paragraph(
        say(
            "Above, both columns are predicted by model {model}. Of the design as it was, it says "
            "other numbers than the proposal did:",
            model=MODEL_VERSION,
        )
    )
    yield Section(say("What the model says otherwise"), (note, *told.blocks))
