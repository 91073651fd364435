"""Meetings as the records of a project that they are kept in."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from models.project.project import MEETING, Entry, Project
from models.tell.meeting import Meeting

MOST = 50


def meetings_in(entry: Entry) -> Iterator[Meeting]:
    """The meetings of a scenario, oldest first; what can't be read was of another program."""
    for record in entry.records_of(MEETING):
        try:
            yield msgspec.json.decode(record.content, type=Meeting)
        except msgspec.DecodeError:
            continue


def with_meeting(project: Project, id: str, meeting: Meeting) -> Project:
    """The project with one more meeting beside a scenario."""
    kept = [*meetings_in(project.entry(id)), meeting][-MOST:]
    return project.with_records(id, MEETING, [msgspec.json.encode(each).decode() for each in kept])
