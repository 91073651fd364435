"""The topics, in the order in which they are offered: each the `TOPIC` of a module of its own."""

from __future__ import annotations

from models.advise import (
    availability,
    candidates,
    cluster,
    io,
    migration,
    rebalance,
    sametime,
    storage_path,
    upgrade,
    users,
)
from models.advise.advice import Topic

_MODULES = (
    candidates,
    migration,
    storage_path,
    io,
    sametime,
    cluster,
    availability,
    upgrade,
    rebalance,
    users,
)
TOPICS: dict[str, Topic] = {each.TOPIC.id: each.TOPIC for each in _MODULES}


def topic_of(id: str) -> Topic:
    """The topic of an id of `TOPICS`."""
    return TOPICS[id]
