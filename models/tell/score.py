"""Predicted against measured, told as sections."""

from __future__ import annotations

from models.customer.score import QuantityScore, Score, ScoredFigure
from models.predicted import title_of, unit_of
from models.tell.blocks import Block, Bullets, Column, Section, Table
from models.tell.site import figure
from models.texts import joined, opening, say
from models.wording import NO_DATA_TEXT, number, range_text, signed


def score_sections(score: Score) -> tuple[Section, ...]:
    """How good predictions were, by quantity and by server."""
    names = {vm.id: vm.name for vm in score.scenario.vms}
    whole: list[Block] = [
        Table(
            (
                Column(say("Quantity")),
                Column(say("Figures"), numeric=True),
                Column(say("Bias"), numeric=True),
                Column(say("Mean error"), numeric=True),
                Column(say("Inside the interval"), numeric=True),
            ),
            tuple(map(_quantity, score.quantities)),
            say("Bias: predicted over measured. Of 90 % intervals 90 % should hold."),
        )
    ]
    if score.unknown:
        names_left = joined(", ", score.unknown)
        whole.append(Bullets((say("no VM of this name: {names}", names=names_left),)))
    columns = (
        Column(say("Server"), wide=True),
        Column(say("Quantity")),
        Column(say("Measured"), numeric=True),
        Column(say("Predicted"), numeric=True),
        Column(say("Error"), numeric=True),
        Column(say("Inside")),
    )
    rows = tuple(_figure(each, names[each.id]) for each in score.figures)
    return (
        Section(say("Predicted against measured"), tuple(whole)),
        Section(say("Servers"), (Table(columns, rows),)),
    )


def _quantity(each: QuantityScore) -> tuple[str, ...]:
    inside = each.inside_pct
    return (
        opening(title_of(each.quantity)),
        number(each.n),
        joined(" ", (signed(each.bias_pct), "%")),
        joined(" ", (number(each.mape_pct), "%")),
        "–" if inside is None else joined(" ", (number(inside), "%")),
    )


def _figure(each: ScoredFigure, name: str) -> tuple[str, ...]:
    error, inside = each.error_pct, each.is_inside
    return (
        name,
        opening(title_of(each.quantity)),
        figure(each.measured, each.quantity),
        range_text(each.predicted, unit_of(each.quantity)),
        NO_DATA_TEXT if error is None else joined(" ", (signed(error), "%")),
        "–" if inside is None else (say("yes") if inside else say("no")),
    )
