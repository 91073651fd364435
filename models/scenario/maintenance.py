"""The maintenance window: tasks that run on every Domino server while few users are at work.

What a task takes is an input; nobody published it. A task of which nothing is stated is not
counted and named, one of which a part is stated leaves the rest without data.
"""

from __future__ import annotations

from dataclasses import dataclass

from models.base.texts import Text, say
from models.scenario.scenario import Maintenance

TASKS: dict[str, Text | str] = {
    "compact": "Compact",
    "updall": "Updall",
    "backup": say("backup"),
    "scan": say("virus scan"),
}
"""What runs, by the first part of the names of its fields."""


@dataclass(frozen=True, slots=True)
class Window:
    """What runs at once on every Domino server.

    Attributes:
        users_share: work of users, of what they do by day.
        mhz: CPU of all tasks [MHz of the host]; iops: their I/O [IO/s]; NaN for no data.
        counted, unstated: keys of `TASKS`.
    """

    users_share: float
    mhz: float
    iops: float
    counted: tuple[str, ...]
    unstated: tuple[str, ...]


def window_of(stated: Maintenance) -> Window | None:
    """What is stated of the window; None where no task is.

    >>> window = window_of(Maintenance(compact_mhz=800.0, compact_iops=120.0, backup_iops=200.0))
    >>> window.iops, window.mhz, window.unstated
    (320.0, nan, ('updall', 'scan'))
    """
    figures = {
        task: (getattr(stated, f"{task}_mhz"), getattr(stated, f"{task}_iops")) for task in TASKS
    }
    counted = tuple(task for task, pair in figures.items() if pair != (None, None))
    if not counted:
        return None
    mhz, iops = (sum(_or_nan(figures[task][part]) for task in counted) for part in (0, 1))
    share = 1.0 if stated.users_pct is None else stated.users_pct / 100.0
    unstated = tuple(task for task in TASKS if task not in counted)
    return Window(share, mhz, iops, counted, unstated)


def _or_nan(value: float | None) -> float:
    return float("nan") if value is None else value
