"""The next best questions, told as sections: for whoever sizes, and as a request to a customer."""

from __future__ import annotations

from collections.abc import Sequence

from models.customer.ask import Question
from models.scenario import Scenario
from models.tell.blocks import Block, Bullets, Column, Definitions, Paragraph, Section, Table
from models.texts import Text, joined, say, say_many
from models.wording import number

MOST_NAMED = 3


def ask_sections(scenario: Scenario, found: Sequence[Question]) -> tuple[Section, ...]:
    """What to find out next, with what it would change, and the lines to run."""
    title = say("What to find out next")
    if not found:
        nothing = say("Nothing that is open would change a load or the verdict.")
        return (Section(title, (Paragraph(nothing),)),)
    rows = tuple(
        (
            each.what,
            of_whom(scenario, each),
            joined(" ", (number(each.narrows_pct), "%")),
            joined(", ", (verdict.label for verdict in each.turns)) if each.turns else "–",
        )
        for each in found
    )
    columns = (
        Column(say("Find out"), wide=True, weight=2),
        Column(say("Of"), wide=True),
        Column(say("Narrows"), numeric=True),
        Column(say("Could turn to")),
    )
    note = say("Narrows: the interval of the load that it bears on most, by so much.")
    return (Section(title, (Table(columns, rows, note),)), *_lines(found))


def request_sections(scenario: Scenario, found: Sequence[Question]) -> tuple[Section, ...]:
    """The same as a request: what is needed, from which system, by which line."""
    about: list[Block] = [
        Paragraph(
            say(
                "For the sizing of {scenario} these figures are missing. Each line is to be run "
                "where it says, in an ordinary working week; please send the files back as they "
                "are.",
                scenario=scenario.name,
            )
        ),
        Bullets(
            tuple(
                say("{what}: {whom}", what=each.what, whom=of_whom(scenario, each))
                for each in found
            )
        ),
    ]
    return (Section(say("Data request"), tuple(about)), *_lines(found))


def _lines(found: Sequence[Question]) -> tuple[Section, ...]:
    """Each line once, by the system that it is run on."""
    lines = dict.fromkeys((each.system, each.command) for each in found)
    return (Section(say("What to run"), (Definitions(tuple(lines)),)),) if lines else ()


def of_whom(scenario: Scenario, question: Question) -> Text:
    """The items that a question is about, by name."""
    if not question.subjects:
        return say("all servers")
    names = {item.id: item.name for item in scenario.items()}
    shown = [names[id] for id in question.subjects[:MOST_NAMED]]
    more = len(question.subjects) - len(shown)
    if more:
        shown.append(say_many("{count} more", "{count} more", more))
    return joined(", ", shown)
