"""Losses beside single hosts that a verdict is to survive, judged: a server of a Domino cluster, a
controller of a pool, a group of hosts.

A loss that takes what is left over a limit, or near it, or leaves users without any server, puts
the scenario at risk and no worse, as the loss of a host does.
"""

from __future__ import annotations

from collections.abc import Callable

from models.judgement.weighing import NEAR, quantity_of
from models.predicted import title_of, unit_of
from models.prediction import Binding, Outage
from models.scenario import Loss
from models.texts import Text, joined, say
from models.wording import about_text, exact_text, number, reach_text, with_unit


def outage_text(outage: Outage, name_of: Callable[[str], str]) -> Text:
    """What it comes to, as a clause: ``with Mail-02 gone, CPU of Mail-01 would reach …``."""
    gone = gone_text(outage.loss, name_of(outage.subject))
    what = outage.reason if outage.binding is None else _reached(outage.binding, name_of)
    said = say("with {gone} gone, {what}", gone=gone, what=what)
    if outage.tried == outage.of:
        return said
    tried = say(" ({tried} of {of} losses tried)", tried=number(outage.tried), of=number(outage.of))
    return joined("", (said, tried))


def untried_text(outage: Outage) -> Text:
    """That not all losses were tried, none of those that were does harm."""
    return say(
        "any one of the {tried} Domino servers may fail whose loss brings others most users, of "
        "{of}; others were not tried",
        tried=number(outage.tried),
        of=number(outage.of),
    )


def _reached(binding: Binding, name_of: Callable[[str], str]) -> Text:
    unit = unit_of(binding.resource)
    values = {
        "what": title_of(binding.resource),
        "who": name_of(binding.subject),
        "about": about_text(quantity_of(binding), unit, limit=binding.limit),
        "limit": with_unit(exact_text(binding.limit), unit),
    }
    if binding.value > NEAR * binding.limit or binding.high is None:
        return say("{what} of {who} would reach {about}, limit {limit}", **values)
    reach = reach_text(binding.high, unit, limit=binding.limit)
    return say(
        "{what} of {who} would reach {about} of {limit} and may reach {reach}",
        reach=reach,
        **values,
    )


def gone_text(loss: Loss, name: str) -> str:
    """What is gone, in words."""
    if loss is Loss.CONTROLLER:
        return say("a controller of {name}", name=name)
    if loss is Loss.GROUP:
        return say("group {name}", name=name)
    return name
