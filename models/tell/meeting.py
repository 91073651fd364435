"""What was changed while a customer looked on: the log of meetings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from models.base.texts import say, say_many
from models.tell.blocks import Block, Column, Paragraph, Section, Table


@dataclass(frozen=True, slots=True, kw_only=True)
class MeetingStep:
    """One change: when, what it was called, and the verdict after it."""

    at: str
    what: str
    verdict: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Meeting:
    """From when to when the meeting screen was on, ISO 8601, and what was changed then."""

    began: str
    ended: str
    steps: tuple[MeetingStep, ...]


def meeting_sections(meetings: Sequence[Meeting]) -> tuple[Section, ...]:
    """All meetings in one section; empty where there was none."""
    if not meetings:
        return ()
    columns = (
        Column(say("Time")),
        Column(say("Change"), wide=True),
        Column(say("Verdict then")),
    )
    blocks: list[Block] = []
    for each in meetings:
        head = say(
            "{day}, {began} to {ended}: {changes}.",
            day=each.began[:10],
            began=each.began[11:16],
            ended=each.ended[11:16],
            changes=say_many("{count} change", "{count} changes", len(each.steps)),
        )
        rows = tuple((step.at[11:16], step.what, step.verdict) for step in each.steps)
        blocks += [Paragraph(head), *([Table(columns, rows)] if rows else [])]
    return (Section(say("Changed in meetings"), tuple(blocks)),)
