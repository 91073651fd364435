"""This customer’s measurements, told as sections: a calibration to the site, predicted against
measured, and the next best questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from models.base.texts import Text, joined, opening, say, say_many
from models.customer.score import QuantityScore, Score, ScoredFigure
from models.customer.site import (
    FEW,
    Factor,
    QuantityShift,
    ServerFit,
    SiteCalibration,
    kept_factors,
)
from models.customer.value_of_information import Question
from models.predict.predicted import title_of, unit_of
from models.scenario.names import Tie
from models.scenario.scenario import Scenario
from models.scenario.wording import NO_DATA_TEXT, number, range_text, signed, with_unit
from models.tell.blocks import Block, Bullets, Column, Definitions, Paragraph, Section, Table

_LESS_THAN = 100.0
"""Figures below it have a decimal."""


def site_sections(found: SiteCalibration) -> tuple[Section, ...]:
    """What changed, by how much each server is off, and what was left out."""
    names = {vm.id: vm.name for vm in found.scenario.vms}
    return (
        Section(say("Calibration to the site"), tuple(_changed(found))),
        Section(say("Servers"), (_servers(found.servers, names),)),
    )


def kept_sections(scenario: Scenario) -> tuple[Section, ...]:
    """The calibration that a scenario keeps, or that it keeps none."""
    title, site = say("Calibration to the site"), scenario.policy.site
    if site is None:
        none = say(
            "No calibration: every demand is the model’s own. Measured Domino servers of this "
            "customer shift it."
        )
        return (Section(title, (Paragraph(none),)),)
    servers = say_many("{count} server measured", "{count} servers measured", site.servers)
    rows = [
        (opening(title_of(quantity)), factor_text(factor))
        for quantity, factor in kept_factors(site)
    ]
    columns = Column(say("Quantity")), Column(say("Measured over predicted"), numeric=True)
    blocks: list[Block] = [Table(columns, tuple(rows), opening(servers))]
    if site.is_of_others:
        blocks.append(Paragraph(say("These are servers of other projects, none of this customer.")))
    if not scenario.policy.uses_site:
        blocks.append(Paragraph(say("It is not in use: switched off, or made on another basis.")))
    return (Section(title, tuple(blocks)),)


def _changed(found: SiteCalibration) -> list[Block]:
    least = min(each.servers for each in found.quantities)
    blocks: list[Block] = [
        Paragraph(
            say_many(
                "{count} server measured, {share} % of the CPU that the model predicts for all "
                "Domino servers.",
                "{count} servers measured, {share} % of the CPU that the model predicts for all "
                "Domino servers.",
                found.site.servers,
                share=number(found.coverage_pct),
            )
        ),
        Table(
            (
                Column(say("Quantity")),
                Column(say("Servers"), numeric=True),
                Column(say("Before"), numeric=True),
                Column(say("After"), numeric=True),
                Column(say("Weight of what was measured"), numeric=True),
            ),
            tuple(map(_shift, found.quantities)),
            say(
                "Measured over predicted of one more server, in brackets its 90 % interval. RAM is "
                "set against what is given to servers."
            ),
        ),
    ]
    if least < FEW:
        blocks.append(
            Paragraph(
                say(
                    "Fewer than {few} servers don’t tell how far servers here lie apart: the "
                    "published scatter stands.",
                    few=number(FEW),
                )
            )
        )
    left = _left_out(found)
    return [*blocks, Bullets(left)] if left else blocks


def _left_out(found: SiteCalibration) -> tuple[str, ...]:
    left: list[str] = []
    left += names_told(found.unknown, found.ties)
    if found.others:
        names = {vm.id: vm.name for vm in found.scenario.vms}
        others = joined(", ", (names[id] for id in found.others))
        left.append(
            say("no Domino server with users, its own figures stand: {names}", names=others)
        )
    return tuple(left)


def _shift(each: QuantityShift) -> tuple[str, ...]:
    return (
        opening(title_of(each.quantity)),
        number(each.servers),
        factor_text(each.before),
        factor_text(each.after),
        joined(" ", (number(each.weight_pct), "%")),
    )


def factor_text(factor: Factor) -> str:
    """Measured over predicted, in brackets its interval."""
    value, low, high = (number(each, 2) for each in (factor.value, factor.low, factor.high))
    return say("{value} [{low} to {high}]", value=value, low=low, high=high)


def _servers(servers: tuple[ServerFit, ...], names: Mapping[str, str]) -> Table:
    return Table(
        (
            Column(say("Server"), wide=True),
            Column(say("Quantity")),
            Column(say("Measured"), numeric=True),
            Column(say("Model before"), numeric=True),
            Column(say("By the site’s factor"), numeric=True),
            Column(say("Residual"), numeric=True),
        ),
        tuple(
            (
                names[each.id],
                opening(title_of(each.quantity)),
                figure(each.measured, each.quantity),
                figure(each.before, each.quantity),
                figure(each.shifted, each.quantity),
                joined(" ", (signed(each.residual_pct), "%")),
            )
            for each in servers
        ),
        say(
            "These servers are predicted from what was measured of them; the site’s factor is for "
            "the others."
        ),
    )


def figure(value: float, quantity: str) -> str:
    """A figure of a server with its unit."""
    return with_unit(number(value, int(value < _LESS_THAN)), unit_of(quantity))


def names_told(unknown: Sequence[str], ties: Sequence[Tie]) -> tuple[str, ...]:
    """Which VMs measured servers are whose names are others, and which are none."""
    said = [
        say("{name} is {to} ({how})", name=tie.name, to=tie.to, how=tie.how.label) for tie in ties
    ]
    if unknown:
        said.append(say("no VM of this name: {names}", names=joined(", ", unknown)))
    return tuple(said)


def score_sections(score: Score) -> tuple[Section, ...]:
    """How good predictions were, by quantity and by server."""
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
    if said := names_told(score.unknown, score.ties):
        whole.append(Bullets(said))
    return (
        Section(say("Predicted against measured"), tuple(whole)),
        Section(say("Servers"), (figures_table(score),)),
    )


def figures_table(score: Score) -> Table:
    """Each figure of each server, predicted and measured."""
    names = {vm.id: vm.name for vm in score.scenario.vms}
    columns = (
        Column(say("Server"), wide=True),
        Column(say("Quantity")),
        Column(say("Measured"), numeric=True),
        Column(say("Predicted"), numeric=True),
        Column(say("Error"), numeric=True),
        Column(say("Inside")),
    )
    return Table(columns, tuple(_figure(each, names[each.id]) for each in score.figures))


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


MOST_NAMED = 3


def ask_sections(scenario: Scenario, found: Sequence[Question]) -> tuple[Section, ...]:
    """What to find out next, with what it would change, and the lines to run."""
    title = say("What to find out next")
    if not found:
        nothing = say("Nothing that is open would change a load or the verdict.")
        return (Section(title, (Paragraph(nothing),)),)
    rows = tuple(
        (
            each.what,
            of_whom(scenario, each),
            joined(" ", (number(each.narrows_pct), "%")),
            joined(", ", (verdict.label for verdict in each.turns)) if each.turns else "–",
        )
        for each in found
    )
    columns = (
        Column(say("Find out"), wide=True, weight=2),
        Column(say("Of"), wide=True),
        Column(say("Narrows"), numeric=True),
        Column(say("Could turn to")),
    )
    note = say("Narrows: the interval of the load that it bears on most, by so much.")
    return (Section(title, (Table(columns, rows, note),)), *_lines(found))


def request_sections(scenario: Scenario, found: Sequence[Question]) -> tuple[Section, ...]:
    """The same as a request: what is needed, from which system, by which line."""
    about: list[Block] = [
        Paragraph(
            say(
                "For the sizing of {scenario} these figures are missing. Each line is to be run "
                "where it says, in an ordinary working week; please send the files back as they "
                "are.",
                scenario=scenario.name,
            )
        ),
        Bullets(
            tuple(
                say("{what}: {whom}", what=each.what, whom=of_whom(scenario, each))
                for each in found
            )
        ),
    ]
    return (Section(say("Data request"), tuple(about)), *_lines(found))


def _lines(found: Sequence[Question]) -> tuple[Section, ...]:
    """Each line once, by the system that it is run on."""
    lines = dict.fromkeys((each.system, each.command) for each in found)
    return (Section(say("What to run"), (Definitions(tuple(lines)),)),) if lines else ()


def of_whom(scenario: Scenario, question: Question) -> Text:
    """The items that a question is about, by name."""
    if not question.subjects:
        return say("all servers")
    names = {item.id: item.name for item in scenario.items()}
    shown = [names[id] for id in question.subjects[:MOST_NAMED]]
    more = len(question.subjects) - len(shown)
    if more:
        shown.append(say_many("{count} more", "{count} more", more))
    return joined(", ", shown)
