"""What an answer of an advisor makes of a scenario, before and after it is put there."""

from __future__ import annotations

from dataclasses import dataclass

from models.advise.advice import CitedKnowledge, Topic
from models.base.errors import ModelError
from models.base.texts import Text, joined, opening, say, say_many
from models.catalog.catalog import Catalog
from models.comparison.compare import Comparison, Side, compare
from models.comparison.compare_text import Words
from models.evaluate import evaluate
from models.scenario.edit_origins import marked
from models.scenario.origin import Origin
from models.scenario.scenario import Scenario
from models.tell.blocks import Bullets, Paragraph, Section
from models.tell.headline import headline


@dataclass(frozen=True, slots=True)
class Effect:
    """What an answer makes of a scenario.

    Attributes:
        of, scenario: before and after.
        changes: each input that is another then, in words.
        was, now: the verdict before and after; `reason` what decides then.
    """

    of: Scenario
    scenario: Scenario
    changes: tuple[Text, ...]
    was: str
    now: str
    reason: Text

    @property
    def told(self) -> Text:
        """What changes, before it does."""
        named = self.changes[:MOST_NAMED]
        more = len(self.changes) - len(named)
        rest = (say_many("{count} more", "{count} more", more),) if more else ()
        return say("Changes: {what}.", what=joined("; ", (*named, *rest)))

    @property
    def outcome(self) -> Text:
        """What it did to the verdict."""
        if self.was == self.now:
            return say("The verdict stays the same. {reason}", reason=self.reason)
        was = opening(self.was)
        return say("The verdict before: {was}. Now: {reason}", was=was, reason=self.reason)


def effect_sections(found: Effect) -> tuple[Section, ...]:
    """The same for people: each change, and the verdict."""
    blocks = (Bullets(found.changes), Paragraph(found.outcome))
    return (Section(say("On the board"), blocks),)


MOST_NAMED = 5
"""Changes that a sentence names; the others are counted."""


def effect(
    topic: Topic, scenario: Scenario, inputs: object, knowledge: CitedKnowledge, subject: str
) -> Effect:
    """What the answer to inputs makes of a scenario.

    Args:
        subject: id of the VM that they are about, empty for no one of them.

    Raises:
        ModelError: it can't be put there, or changes nothing.
    """
    if topic.board is None:
        raise ModelError(say("such an answer changes nothing on a board"))
    after = topic.board(scenario, inputs, knowledge, subject)
    after = marked(scenario, scenario, after, Origin.MANUAL)
    sides = tuple(
        Side(id, each, evaluate(each, knowledge))
        for id, each in (("before", scenario), ("after", after))
    )
    comparison = compare(sides)
    if not comparison.inputs:
        raise ModelError(say("the board has it already"))
    was, now = (each.prediction for each in sides)
    changes, reason = _changes(comparison, knowledge.catalog), headline(after, now).sentence
    return Effect(scenario, after, changes, was.shown.words, now.shown.words, reason)


def _changes(comparison: Comparison, catalog: Catalog) -> tuple[Text, ...]:
    words = Words(comparison, catalog)
    return tuple(
        say("{what} {was} → {now}", what=words.label(row), was=words.value(row, 0), now=then)
        if row.field
        else say("{what} comes: {now}", what=words.label(row), now=then)
        for row in comparison.inputs
        for then in (words.value(row, 1),)
    )
