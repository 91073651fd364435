"""The years ahead as a picture: a band for each number with a limit, and when it passes that."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from models.base.quantities import NO_DATA, Quantity
from models.base.texts import Text, joined, opening, say
from models.judgement.against_limits import quantity_of
from models.predict.predicted import NumberRef
from models.predict.prediction import Binding, Prediction, Verdict
from models.scenario.scenario import Scenario, active_users
from models.scenario.wording import NO_DATA_TEXT, number
from models.studies.runway import NORMAL, NUMBERS, ROOM, USUAL, Crossing, Runway
from models.studies.stretches import Stretch, stretches
from models.tell.growth import RESOURCES, month_text, where_text

OF_RESOURCE = {
    "cpu": "cpu_pct",
    "ram": "ram_pct",
    "iops": "iops_pct",
    "space": "space_pct",
    "network": "network_pct",
    "response": "response_ms",
}
"""The number of a resource, by which one sees whether there is data on it."""

STATES = {
    Verdict.FITS: say("within its limit"),
    Verdict.AT_RISK: say("near it, or perhaps over"),
    Verdict.DOES_NOT_FIT: say("over its limit"),
    Verdict.NOT_KNOWN: say("not known"),
}


@dataclass(frozen=True, slots=True)
class Band:
    """One number over the months looked at.

    Attributes:
        name: its resource, and where it is first to pass; `text`: when.
        asked: the number that a derivation explains; None of what has none: without data, of VMs
            without room, of another load than the usual one. After a loss beside those of hosts it
            is that of normal operation, as on a dial; `after`: the kind of that loss.
        month: when it passes its limit; `low` to `high`: when it may. None: not within the months.
    """

    name: Text | str
    text: Text | str
    stretches: tuple[Stretch, ...]
    asked: NumberRef | None = None
    after: str = ""
    limit: float = 0.0
    month: float | None = None
    low: float | None = None
    high: float | None = None

    def is_of(self, binding: Binding) -> bool:
        """Whether that is its number after the loss."""
        kind, field = binding.mode.partition(" ")[0], binding.resource
        return self.asked is not None and (kind, field) == (self.after, self.asked.field)


def bands(found: Runway, scenario: Scenario) -> tuple[Band, ...]:
    """Of each resource, as it stands and in failures, what passes first; then what has no data."""
    names = {item.id: item.name for item in scenario.items()}
    months = [float(step.month) for step in found.steps]
    known = tuple([_band(each, months, names.get) for each in found.crossings])
    return (*known, *_without_data(found, scenario, months[-1]))


def _band(each: Crossing, months: list[float], name_of: Callable[[str], str | None]) -> Band:
    drawn = stretches(months, each.track, each.limit)
    return Band(
        name=joined(", ", (opening(RESOURCES[each.resource]), where_text(each, name_of))),
        text=_when(each, drawn, months[-1]),
        stretches=drawn,
        asked=_asked(each),
        after="" if each.loss is None else each.loss[0].value,
        limit=each.limit,
        month=each.month,
        low=each.low,
        high=each.high if each.high is not None or each.low is None else months[-1],
    )


def value_in(band: Band, prediction: Prediction) -> Quantity:
    """Its number in a prediction, such as that of the year that is shown."""
    asked = band.asked
    if asked is None:
        return NO_DATA
    if band.after:
        found = [each for each in prediction.after_losses() if band.is_of(each)]
        return quantity_of(found[0]) if found else NO_DATA
    if asked.table != "failures":
        told: Quantity = getattr(prediction, asked.table).quantity(asked.subject, asked.field)
        return told
    modes = [
        getattr(each, asked.field) for each in prediction.failures if each.host == asked.subject
    ]
    return modes[0] if modes else NO_DATA


def _asked(each: Crossing) -> NumberRef | None:
    if each.profile != USUAL or each.number == ROOM:
        return None
    if each.mode == NORMAL or each.loss is not None:
        table, field = NUMBERS[each.number]
        return NumberRef(table, each.subject, field)
    return NumberRef("failures", each.subject, each.number)


def _when(each: Crossing, drawn: tuple[Stretch, ...], last: float) -> Text | str:
    """In a few words; months that round to the same are one."""
    if each.month is not None and round(each.month) == 0:
        return say("over it today")
    if each.month is not None:
        month, early = number(round(each.month)), number(round(each.low or 0.0))
        if each.high is None:
            return say("month {month} ({early} at the earliest)", month=month, early=early)
        late = number(round(each.high))
        if early == late:
            return say("month {month}", month=month)
        return say("month {month} ({early}–{late})", month=month, early=early, late=late)
    if any(stretch.verdict is Verdict.NOT_KNOWN for stretch in drawn):
        return STATES[Verdict.NOT_KNOWN]
    if each.low is not None and round(each.low) == 0:
        return say("may be over it today")
    if each.low is not None:
        return say("may be over it from month {month}", month=number(round(each.low)))
    return say("longer than {time}", time=month_text(last))


def _without_data(found: Runway, scenario: Scenario, last: float) -> Iterator[Band]:
    """A resource that nothing is known of is not one that lasts."""
    told = {each.resource for each in found.crossings if each.mode == NORMAL}
    users = active_users(scenario.vms)
    for resource, name in OF_RESOURCE.items():
        is_asked = resource != "response" or users.mail + users.chat > 0
        if is_asked and resource not in told and found.steps[0].normal[name] is None:
            unknown = (Stretch(0.0, last, Verdict.NOT_KNOWN),)
            yield Band(opening(RESOURCES[resource]), NO_DATA_TEXT, unknown)
