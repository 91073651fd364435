"""The second opinion: the scenario as a network of queues, beside the responses that are shown."""

from __future__ import annotations

from models.base.texts import joined, say, say_many
from models.scenario.scenario import Scenario
from models.scenario.wording import first_of, number, range_text, value_text
from models.second_opinion.opinion import Beside, Opinion, Parts
from models.second_opinion.words import (
    AGREEMENTS,
    headline,
    how_solved,
    milliseconds,
    notes,
    reason,
)
from models.tell.blocks import Block, Bullets, Column, Paragraph, Section, Table

MOST_NAMED = 6


def opinion_sections(opinion: Opinion, scenario: Scenario) -> tuple[Section, ...]:
    """Both responses of every server, why they differ, and what they are made of."""
    names = {vm.id: vm.name for vm in scenario.vms}
    blocks: list[Block] = [Paragraph(headline(opinion))]
    if how := how_solved(opinion):
        blocks.append(Paragraph(how))
    if said := notes(opinion, scenario):
        blocks.append(Bullets(tuple(said)))
    if opinion.servers:
        labels = [_label(names[each.vm], len(each.like)) for each in opinion.servers]
        reasons: dict[str, list[str]] = {}
        for label, each in zip(labels, opinion.servers, strict=True):
            reasons.setdefault(reason(each), []).append(label)
        why = (joined(": ", (first_of(who, MOST_NAMED), text)) for text, who in reasons.items())
        subjects = tuple(each.vm for each in opinion.servers)
        blocks += [
            Table(_COLUMNS, tuple(map(_row, labels, opinion.servers)), subjects=subjects),
            Bullets(tuple(why)),
            Paragraph(say("What the responses are made of:")),
            _parts_table(labels, opinion.servers),
        ]
    return (Section(say("Second opinion"), tuple(blocks)),)


_COLUMNS = (
    Column(say("Server"), wide=True),
    Column(say("Shown"), numeric=True, tip=say("Response time by the closed forms of the model")),
    Column(say("90 % range"), numeric=True),
    Column(
        say("Network of queues"),
        numeric=True,
        tip=say("Response time of the network of queues"),
    ),
    Column(
        say("Ratio"), numeric=True, tip=say("The network’s response over the one that is shown")
    ),
    Column(say("Agreement")),
)


def _row(label: str, server: Beside) -> tuple[str, ...]:
    return (
        label,
        value_text(server.shown, "ms"),
        range_text(server.shown),
        milliseconds(server.network_ms),
        number(server.ratio, 2),
        AGREEMENTS[server.agreement],
    )


def _parts_table(labels: list[str], servers: tuple[Beside, ...]) -> Table:
    columns = (
        Column(say("Server"), wide=True),
        Column(say("Response")),
        Column(say("Idle"), numeric=True),
        Column(say("Its own waiting"), numeric=True),
        Column(say("Drives"), numeric=True),
        Column(say("Cores"), numeric=True),
    )
    rows = []
    for label, each in zip(labels, servers, strict=True):
        rows.append((label, say("Shown"), *_sums(each.closed)))
        rows.append(("", say("Network of queues"), *_sums(each.solved)))
    return Table(columns, tuple(rows))


def _sums(parts: Parts) -> tuple[str, ...]:
    return tuple(map(milliseconds, (parts.idle, parts.own, parts.drives, parts.cores)))


def _label(name: str, others: int) -> str:
    if not others:
        return name
    return say_many("{first} and {count} more", "{first} and {count} more", others, first=name)
