"""How likely a design is to hold, and what would change that; a map of two inputs. Told once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from models.base.rounding import ranked
from models.base.texts import Text, joined, opening, say
from models.judgement.binding import bound_words
from models.predict.predicted import title_of, unit_of
from models.predict.prediction import Shown, Verdict
from models.scenario.scenario import Scenario, active_users
from models.scenario.wording import NO_DATA_TEXT, exact_text, number, rounded, with_unit
from models.tell.blocks import Bar as Drawn
from models.tell.blocks import (
    Bars,
    Cell,
    Column,
    Definitions,
    Paragraph,
    Section,
    Table,
    VerdictGrid,
)
from models.tell.growth import ahead_text
from models.uncertainty.chance import PERCENTILES, Chance
from models.uncertainty.sensitivity import LOAD, Bar, Sensitivity
from models.uncertainty.verdict_map import Axis, Spot, VerdictMap

MOST_NUMBERS = 24
WHY = say(
    "A sample fits where no number passes its limit, in normal operation or in a loss that the "
    "policy wants survived; where one passes it in such a loss alone, it is at risk. A number that "
    "is just within its limit at the 80th percentile fits in 80 of 100 samples; several such "
    "numbers pass more often together."
)
HOW = say(
    "Inputs by Latin hypercube, each through the whole model; the model’s error is one common "
    "factor for each quantity, with the interval of each number, the same in normal operation and "
    "in every loss."
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


def chance_text(found: Chance, years: float) -> Text:
    """How likely a design is to fit so many years from now, as a sentence."""
    return say(
        "Chance that it fits {when}: {share} of {samples} samples.",
        when=ahead_text(years),
        share=share_text(found.verdicts[Verdict.FITS]),
        samples=number(found.samples),
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
    widest = sorted(known, key=lambda each: -ranked(_relative(each.percentiles)))[:MOST_NUMBERS]
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


HOW_MAPPED = say(
    "Each cell is a full prediction with the two inputs as they stand at its row and column, all "
    "others as they are. Between two cells the verdict turns somewhere."
)


def map_sections(found: VerdictMap, scenario: Scenario) -> tuple[Section, ...]:
    """The grid with its border, and the values of each verdict row by row."""
    names = {item.id: item.name for item in scenario.items()}
    x, y = (axis_label(axis, scenario) for axis in (found.x, found.y))
    head = say(
        "As it stands ({x}: {at_x}; {y}: {at_y}): {what}.",
        x=x,
        at_x=axis_text(found.x, found.x.swing.base, scenario),
        y=y,
        at_y=axis_text(found.y, found.y.swing.base, scenario),
        what=spot_text(found.here, names),
    )
    title = say("Where the verdict turns")
    blocks = (_grid(found, scenario, names), Paragraph(head), _border(found, scenario))
    return (Section(title, (*blocks, Paragraph(HOW_MAPPED))),)


def axis_label(axis: Axis, scenario: Scenario) -> Text | str:
    """What an input is called: users and mail files by their number where that says more."""
    swing = axis.swing
    if swing.input == "mail_file_mb" and _mail_mb(scenario) is not None:
        return say("size of a mail file")
    return swing.label


def axis_text(axis: Axis, value: float, scenario: Scenario) -> str:
    """A value of it: a number of users, MB, a share, or a factor on today's."""
    name = axis.swing.input
    if name == "active_users" and active_users(scenario.vms).first:
        users = active_users(scenario.vms)
        return _three_digits(value * (users.mail + users.chat))
    mail = _mail_mb(scenario)
    if name == "mail_file_mb" and mail is not None:
        return with_unit(_three_digits(value * mail), "MB")
    return input_text(name, value)


def spot_text(spot: Spot, names: dict[str, str]) -> Text:
    """Its verdict, the number nearest to its limit, and what that is of."""
    load = NO_DATA_TEXT if spot.load is None else with_unit(rounded(spot.load), "%")
    words = say(
        "{verdict}; highest load {load} of its limit", verdict=spot.verdict.label, load=load
    )
    if spot.binding is None:
        return words
    what = bound_words(spot.binding, lambda id: names.get(id, id))
    return say("{words}; decided by {what}", words=words, what=what)


def _three_digits(value: float) -> str:
    return number(value, 2 - len(str(int(value)))) if value >= 100 else exact_text(round(value, 1))


def _mail_mb(scenario: Scenario) -> float | None:
    """The size of a mail file where all have the same."""
    sizes = {vm.workload.mail_file_mb for vm in scenario.vms if vm.workload.mail_file_mb}
    return sizes.pop() if len(sizes) == 1 else None


def _grid(found: VerdictMap, scenario: Scenario, names: dict[str, str]) -> VerdictGrid:
    x, y = found.x, found.y
    heads = [[axis_text(axis, value, scenario) for value in axis.values] for axis in (x, y)]
    labels = [opening(axis_label(axis, scenario)) for axis in (x, y)]

    def text(row: int, column: int) -> Text:
        return say(
            "{x}: {at_x}; {y}: {at_y}: {what}",
            x=labels[0],
            at_x=heads[0][column],
            y=labels[1],
            at_y=heads[1][row],
            what=spot_text(found.spots[row][column], names),
        )

    return VerdictGrid(
        x_label=labels[0],
        y_label=labels[1],
        x=tuple(heads[0]),
        y=tuple(heads[1]),
        verdicts=tuple(tuple(spot.verdict for spot in row) for row in found.spots),
        texts=tuple(
            tuple(text(row, column) for column in range(len(x.values)))
            for row in range(len(y.values))
        ),
        here=(x.place_of(x.swing.base), y.place_of(y.swing.base)),
        alt=say("Map of the verdict over {x} and {y}.", x=labels[0], y=labels[1]),
    )


def _border(found: VerdictMap, scenario: Scenario) -> Table:
    """Of each value of the one input those of the other that have each verdict; values that don't
    differ stand together."""
    there = [each for each in Verdict if any(s.verdict is each for row in found.spots for s in row)]
    columns = (
        Column(opening(axis_label(found.y, scenario)), numeric=True),
        *(Column(opening(each.label), numeric=True) for each in there),
    )
    across = axis_label(found.x, scenario)
    note = say("In the columns: {x}, from the lowest to the highest looked at.", x=across)
    told = [(y, tuple(_runs(found, row, scenario))) for row, y in enumerate(found.y.values)]
    rows: list[tuple[Cell, ...]] = []
    for runs, alike in groupby(told, key=lambda each: each[1]):
        at = _from_to(found.y, [y for y, _ in alike], scenario)
        cells = [
            joined(", ", [text for verdict, text in runs if verdict is each]) for each in there
        ]
        rows.append((at, *cells))
    return Table(columns, tuple(rows), note)


def _runs(found: VerdictMap, row: int, scenario: Scenario) -> Iterator[tuple[Verdict, Text]]:
    """Values side by side that have the same verdict."""
    pairs = zip(found.x.values, found.spots[row], strict=True)
    for verdict, run in groupby(pairs, key=lambda pair: pair[1].verdict):
        yield verdict, _from_to(found.x, [value for value, _ in run], scenario)


def _from_to(axis: Axis, values: Sequence[float], scenario: Scenario) -> Text:
    ends = [axis_text(axis, value, scenario) for value in (values[0], values[-1])]
    return joined("–", ends if len(values) > 1 else ends[:1])
