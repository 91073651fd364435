"""A calibration to the site, told as sections."""

from __future__ import annotations

from collections.abc import Mapping

from models.customer.site import (
    FEW,
    Factor,
    QuantityShift,
    ServerFit,
    SiteCalibration,
    kept_factors,
)
from models.predicted import title_of, unit_of
from models.scenario import Scenario
from models.tell.blocks import Block, Bullets, Column, Paragraph, Section, Table
from models.texts import joined, opening, say, say_many
from models.wording import number, signed, with_unit

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
        (opening(title_of(quantity)), _factor(factor)) for quantity, factor in kept_factors(site)
    ]
    columns = Column(say("Quantity")), Column(say("Measured over predicted"), numeric=True)
    blocks: list[Block] = [Table(columns, tuple(rows), opening(servers))]
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
    left = []
    if found.unknown:
        text = say("no VM of this name: {names}", names=joined(", ", found.unknown))
        left.append(text)
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
        _factor(each.before),
        _factor(each.after),
        joined(" ", (number(each.weight_pct), "%")),
    )


def _factor(factor: Factor) -> str:
    value, low, high = (number(each, 2) for each in (factor.value, factor.low, factor.high))
    return say("{value} [{low} to {high}]", value=value, low=low, high=high)


def _servers(servers: tuple[ServerFit, ...], names: Mapping[str, str]) -> Table:
    return Table(
        (
            Column(say("Server"), wide=True),
            Column(say("Quantity")),
            Column(say("Measured"), numeric=True),
            Column(say("Model before"), numeric=True),
            Column(say("Model after"), numeric=True),
            Column(say("Residual"), numeric=True),
        ),
        tuple(
            (
                names[each.id],
                opening(title_of(each.quantity)),
                figure(each.measured, each.quantity),
                figure(each.before, each.quantity),
                figure(each.predicted, each.quantity),
                joined(" ", (signed(each.residual_pct), "%")),
            )
            for each in servers
        ),
    )


def figure(value: float, quantity: str) -> str:
    """A figure of a server with its unit."""
    return with_unit(number(value, int(value < _LESS_THAN)), unit_of(quantity))
