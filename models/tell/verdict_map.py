"""A map of two inputs, told once: as a grid, and of each row where the verdict turns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from models.binding import bound_words
from models.prediction import Verdict
from models.scenario import Scenario, active_users
from models.tell.blocks import Cell, Column, Paragraph, Section, Table, VerdictGrid
from models.tell.chance import input_text
from models.texts import Text, joined, opening, say
from models.uncertainty.verdict_map import Axis, Spot, VerdictMap
from models.wording import NO_DATA_TEXT, exact_text, number, rounded, with_unit

HOW = say(
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
    return (Section(title, (*blocks, Paragraph(HOW))),)


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
