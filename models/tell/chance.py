"""How likely a design is to hold, and what would change that: told once."""

from __future__ import annotations

from models.predicted import title_of, unit_of
from models.prediction import Shown, Verdict
from models.scenario import Scenario
from models.tell.blocks import Bar as Drawn
from models.tell.blocks import Bars, Cell, Column, Definitions, Paragraph, Section, Table
from models.texts import joined, opening, say
from models.uncertainty.chance import PERCENTILES, Chance
from models.uncertainty.sensitivity import LOAD, Bar, Sensitivity
from models.wording import NO_DATA_TEXT, number, rounded, with_unit

MOST_NUMBERS = 24
WHY = say(
    "The verdict of the policy judges each number at its own percentile, whatever the others do. "
    "Here all numbers of a sample are judged together, as they are: several that may each pass "
    "with a small chance come to a larger one, and one that is judged at its high end seldom "
    "reaches it. The two need not agree."
)
HOW = say(
    "Inputs by Latin hypercube, each through the whole model; the model’s error is one common "
    "factor for each quantity, with the interval of each number. In failures the inputs vary, the "
    "model’s error does not."
)
SWING = say(
    "Each input from one end of its range to the other, all others as they stand; the last column "
    "is where the verdict would be another."
)
NAMES = {
    LOAD: say("the number nearest to its limit, % of the limit"),
    "cpu_pct": say("CPU of the busiest host, %"),
    "ram_pct": say("RAM of the fullest host, %"),
    "disk_pct": say("disk utilisation of the busiest pool, %"),
    "space_pct": say("disk space of the fullest pool, %"),
    "response_ms": say("response time of the slowest VM, ms"),
    "failure_pct": say("headroom in the worst failure, %"),
}


def chance_sections(found: Chance, scenario: Scenario) -> tuple[Section, ...]:
    """The chance of each verdict, the spread of the numbers, and what drives them."""
    chances = tuple(
        (opening(Shown.of(verdict).words), share_text(found.verdicts[verdict]))
        for verdict in Verdict
    )
    head = say(
        "{samples} samples, seed {seed}: chance of each verdict.",
        samples=number(found.samples),
        seed=str(found.seed),
    )
    ranges = Table(
        (
            Column(say("Input"), wide=True),
            Column(say("90\u202f% between"), numeric=True),
            Column(say("Source"), wide=True),
        ),
        tuple(
            (
                opening(each.label),
                joined("–", (_times(each.low), _times(each.high))),
                each.source,
            )
            for each in found.inputs
        ),
    )
    drivers = Table(
        (
            Column(say("What drives the greatest load"), wide=True),
            Column(say("Share"), numeric=True),
        ),
        tuple((opening(name), share_text(share)) for name, share in found.drivers),
    )
    return (
        Section(
            say("How likely it is to hold"),
            (Paragraph(head), Definitions(chances), Paragraph(WHY), drivers, ranges),
        ),
        Section(say("Spread of the numbers"), (_spread_table(found, scenario), Paragraph(HOW))),
    )


def _times(factor: float) -> str:
    return joined("", ("×", number(factor, 2)))


def share_text(share: float) -> str:
    """A share of samples; a few of many are not none of them."""
    if 0.0 < share < 0.5:
        return say("under 1\u202f%")
    return with_unit(number(share), "%")


def _spread_table(found: Chance, scenario: Scenario) -> Table:
    names = {item.id: item.name for item in scenario.items()}
    columns = (
        Column(say("Item")),
        Column(say("Number"), wide=True),
        *(Column(joined("", ("P", number(each))), numeric=True) for each in PERCENTILES),
    )
    known = [each for each in found.spreads if each.percentiles[0] == each.percentiles[0]]
    widest = sorted(known, key=lambda each: -_relative(each.percentiles))[:MOST_NUMBERS]
    rows = tuple(
        (
            names.get(each.subject, each.subject),
            opening(title_of(each.quantity)),
            *(with_unit(rounded(value), unit_of(each.quantity)) for value in each.percentiles),
        )
        for each in widest
    )
    note = (
        say("The {shown} widest of {all} numbers.", shown=number(len(rows)), all=number(len(known)))
        if len(rows) < len(known)
        else ""
    )
    return Table(columns, rows, note, subjects=tuple(each.subject for each in widest))


def _relative(percentiles: tuple[float, ...]) -> float:
    return (percentiles[-1] - percentiles[0]) / max(percentiles[1], 1e-9)


def sensitivity_sections(found: Sensitivity, scenario: Scenario) -> tuple[Section, ...]:
    """The tornado as bars and as a table."""
    base = NO_DATA_TEXT if found.base is None else rounded(found.base)
    head = say("{what}: {base} as it stands.", what=opening(NAMES[found.of]), base=base)
    columns = (
        Column(say("Input"), wide=True),
        Column(say("From"), numeric=True),
        Column(say("To"), numeric=True),
        Column(say("Number at these"), numeric=True),
        Column(say("Verdict turns at"), numeric=True),
        Column(say("Source of the range"), wide=True),
    )
    bars = Bars(
        tuple(_drawn(bar, found.base) for bar in found.bars),
        say("How far each input moves the number."),
    )
    table = Table(columns, tuple(_row(bar, found) for bar in found.bars))
    return (Section(say("What moves it most"), (Paragraph(head), bars, table, Paragraph(SWING))),)


def _drawn(bar: Bar, base: float | None) -> Drawn:
    """From the one end to the other, the number as it stands between them."""
    label = opening(bar.swing.label)
    if bar.at_low is None or bar.at_high is None:
        return Drawn(label, None, base, NO_DATA_TEXT, Verdict.NOT_KNOWN)
    text = joined("–", (rounded(bar.at_low), rounded(bar.at_high)))
    start, end = sorted((bar.at_low, bar.at_high))
    return Drawn(label, end, base, text, Verdict.NOT_KNOWN, start=start)


def _row(bar: Bar, found: Sensitivity) -> tuple[Cell, ...]:
    swing = bar.swing
    numbers = (bar.at_low, bar.at_high)
    at = joined("–", [NO_DATA_TEXT if each is None else rounded(each) for each in numbers])
    turns = (
        say("not within reach") if bar.turns_at is None else input_text(swing.input, bar.turns_at)
    )
    low, high = (input_text(swing.input, value) for value in (swing.low, swing.high))
    return (opening(swing.label), low, high, at, turns, swing.source)


def input_text(input: str, value: float) -> str:
    """A value of an input: a factor on today's, a share, or the value itself."""
    if input == "read_share":
        return with_unit(number(100.0 * value), "%")
    if input.startswith("policy."):
        return number(value, 2)
    return _times(value)
