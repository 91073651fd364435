"""Which rows a long table of a proposal keeps: people read what decides, the workbook has all."""

from __future__ import annotations

import numpy as np

from models.predicted import average_limit, judged_of
from models.tell.subject import Subject
from models.texts import say
from models.wording import number

MOST_ROWS = 60
"""A table of hosts, pools or VMs has as many; of more it has the worst."""


def kept(subject: Subject, table: str) -> tuple[str, ...]:
    """Ids of the items that a table shows: all in the order of the scenario, or the worst first.

    Worse is the worse verdict; among equal ones whichever is nearer to one of its limits, by the
    high end that verdicts look at.

    Args:
        table: ``vms``, ``hosts`` or ``pools`` of the prediction.
    """
    found = getattr(subject.prediction, table)
    if len(found.ids) <= MOST_ROWS:
        return tuple(found.ids)
    policy = subject.scenario.policy
    loads = [getattr(found, id).judged_high / average_limit(policy, id) for id in judged_of(table)]
    nearest = np.nan_to_num(np.array(loads), nan=-1.0).max(axis=0)
    order = np.lexsort((-nearest, -found.verdict.astype(int)))
    return tuple(found.ids[row] for row in order[:MOST_ROWS].tolist())


def cut_note(subject: Subject, table: str) -> str:
    """Says under a table that it has not all; empty where it has."""
    shown, there = len(kept(subject, table)), len(getattr(subject.prediction, table).ids)
    if shown == there:
        return ""
    return say(
        "The {shown} of {all} that are nearest to a limit, worst first; the workbook of this "
        "proposal has them all.",
        shown=number(shown),
        all=number(there),
    )
