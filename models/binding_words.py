"""What decides a verdict, in words: for window, command line and proposal."""

from __future__ import annotations

from collections.abc import Callable

from models.judgement.outages import gone_text
from models.judgement.rules import is_of_pools, rule_title
from models.judgement.weighing import NEAR, NORMAL, quantity_of
from models.predicted import failing_of, title_of, unit_of
from models.prediction import Binding, Verdict
from models.texts import Text, joined, say
from models.wording import (
    ENGLISH,
    Style,
    exact_text,
    number,
    passing_text,
    reach_text,
    value_text,
    with_unit,
)


def binding_text(binding: Binding, name_of: Callable[[str], str], style: Style = ENGLISH) -> str:
    """Resource, item, value and limit: ``RAM of esx1: 79 of 100 %``; and where the interval alone
    passes the limit its end: ``disk utilisation of data: 45 of 70 %, may reach 76 %``.

    In a failure mode `binding.subject` is the host that is gone; the number is that of what is
    left: ``RAM of the fullest survivor with esx1 lost: 79 of 100 %``; or of the VMs that find no
    room: ``VMs that find no room with esx1 lost: 3``. What can't be powered on has no number:
    ``Mail-01 can’t be powered on (Maximum of a VM)``.
    """
    if binding.rule:
        return bound_words(binding, name_of)
    if binding.stranded:
        return joined(": ", (bound_words(binding, name_of), number(binding.stranded, style=style)))
    return joined(": ", (bound_words(binding, name_of), _amounts(binding, style)))


def bound_words(binding: Binding, name_of: Callable[[str], str]) -> str:
    """The resource and whose it is, without numbers."""
    resource, name = title_of(binding.resource), name_of(binding.subject)
    if binding.rule:
        who = say("What stands on {pool}", pool=name) if is_of_pools(binding.rule) else name
        return say("{who} can’t be powered on ({rule})", who=who, rule=rule_title(binding.rule))
    if binding.stranded:
        return say("VMs that find no room with {host} lost", host=name)
    if binding.mode == NORMAL:
        return say("{resource} of {item}", resource=resource, item=name)
    if binding.lost is not None:
        loss, id = binding.lost
        return say(
            "{resource} of {item} with {lost} lost",
            resource=resource,
            item=name,
            lost=gone_text(loss, name_of(id)),
        )
    if binding.own:
        return say(
            "CPU of {vm} on {host} with {lost} lost",
            vm=name_of(binding.vm),
            host=name_of(binding.host),
            lost=name,
        )
    return say("{resource} with {host} lost", resource=failing_of(binding.resource), host=name)


def _amounts(binding: Binding, style: Style) -> str:
    unit = unit_of(binding.resource)
    if binding.low is None and binding.value >= 1000:
        value = passing_text(binding.value, binding.limit, style=style)
    else:
        value = value_text(quantity_of(binding), limit=binding.limit, style=style)
    limit, end = with_unit(exact_text(binding.limit, style=style), unit), binding.high
    amount = say("{value} of {limit}", value=value, limit=limit)
    if end is None or not end > binding.limit or binding.value > NEAR * binding.limit:
        return amount
    return say(
        "{amount}, may reach {reach}",
        amount=amount,
        reach=reach_text(end, unit, limit=binding.limit, style=style),
    )


def first_word(verdict: Verdict) -> Text:
    """What the first number is to a verdict; where one isn't known it is merely near its limit.

    >>> first_word(Verdict.NOT_KNOWN), first_word(Verdict.AT_RISK)
    ('Nearest limit', 'Decided by')
    """
    return say("Nearest limit") if verdict is Verdict.NOT_KNOWN else say("Decided by")
