"""The accuracy of the model in sentences that can be read out; every number from the validation."""

from __future__ import annotations

from app.qtmodels.accuracy import PlotPoint
from app.qtmodels.evidence import quantity_text
from models.fitting.point_errors import point_errors
from models.fitting.transfers import TransferError, transfer_errors
from models.fitting.validation import BEYOND, INSIDE, SERIES_SPLIT, Accuracy, Validation
from models.wording import ENGLISH, RESOURCES, THIN, Style, number

CALCULATING = "Calculating how right the model is …"
CALCULATING_MORE = (
    "It is refitted about a thousand times, each time without the figures that it then predicts. "
    "All evidence can be looked through meanwhile."
)
ALONE = frozenset({INSIDE, BEYOND})
TRANSFERRED_QUANTITIES = {"cpu_ratio": "CPU with double RAM over that without"}
_HELD_OUT = {
    INSIDE: "each point but the last of its series left out alone",
    BEYOND: "the last point of each series left out alone",
    SERIES_SPLIT: "whole series left out",
}


def percent(value: float, decimals: int = 1, *, style: Style = ENGLISH) -> str:
    return f"{number(value, decimals, style=style)}{THIN}%"


def headline(validation: Validation, style: Style = ENGLISH) -> str:
    """How far off held-out predictions are on average, in one sentence."""
    found = _by_split(validation)
    parts: list[str] = []
    for quantity in dict.fromkeys(quantity for quantity, _ in found):
        inside, beyond = (found.get((quantity, split)) for split in (INSIDE, BEYOND))
        if inside is None or beyond is None:
            continue
        errors = [percent(row.mape_pct, style=style) for row in (inside, beyond)]
        name = RESOURCES.get(quantity, quantity)
        if parts:
            parts.append(f"{name} by {errors[0]} and {errors[1]}")
        else:
            words = "inside the measured loads and"
            parts.append(f"{name} errs by {errors[0]} {words} {errors[1]} beyond them")
    return f"Held out, {'; '.join(parts)}." if parts else "Nothing could be held out."


def below_headline(validation: Validation, doubted: int, style: Style = ENGLISH) -> str:
    """What held out means, what naive curves reach, how often the ranges hold, what is left out."""
    errors = point_errors([p for p in validation.points if p.split in ALONE])
    sentences = ["Each figure was predicted by a fit that had not seen it."]
    if errors is not None:
        share = percent(errors.coverage_pct, 0, style=style)
        sentences.append(f"{share} of {errors.n} figures lie inside their 90{THIN}% range.")
    if naive := _naive(validation, style):
        sentences.append(f"The best naive curve errs by {naive}.")
    if doubted:
        cells = "cell that its" if doubted == 1 else "cells that their"
        verb = "is" if doubted == 1 else "are"
        sentences.append(f"{doubted} {cells} authors doubt {verb} shown and never counted.")
    return " ".join(sentences)


def _naive(validation: Validation, style: Style) -> str:
    found = _by_split(validation)
    parts = []
    for quantity in dict.fromkeys(quantity for quantity, _ in found):
        rows = [found.get((quantity, split)) for split in (INSIDE, BEYOND)]
        values = [row.baseline_mape_pct for row in rows if row is not None]
        shown = [percent(value, style=style) for value in values if value is not None]
        if len(shown) == 2:
            parts.append(f"{shown[0]} and {shown[1]} ({RESOURCES.get(quantity, quantity)})")
    return ", ".join(parts)


def _by_split(validation: Validation) -> dict[tuple[str, str], Accuracy]:
    return {(row.quantity, row.split): row for row in validation.accuracy}


def accuracy_words(row: Accuracy, style: Style = ENGLISH) -> str:
    """One row of the accuracy table as sentences."""
    half, most = (percent(v, style=style) for v in (row.median_ape_pct, row.p90_ape_pct))
    naive = ""
    if row.baseline_mape_pct is not None:
        naive = f" The best naive curve errs by {percent(row.baseline_mape_pct, style=style)}."
    return (
        f"{quantity_text(row.quantity)}, {_HELD_OUT[row.split]}: {row.n} points, off by "
        f"{percent(row.mape_pct, style=style)} on average; half of them by less than {half}, nine "
        f"of ten by less than {most}. {_bias_words(row.bias, style)} "
        f"{percent(row.coverage_pct, 0, style=style)} lie inside their 90{THIN}% range.{naive}"
    )


def _bias_words(bias: float, style: Style) -> str:
    """A bias in ln as what it does to a prediction, to the whole per cent."""
    if abs(bias) < 0.005:
        return "On the whole neither high nor low."
    side = "high" if bias > 0 else "low"
    return f"On the whole {percent(100.0 * abs(bias), 0, style=style)} {side}."


def unchecked_words(validation: Validation) -> list[tuple[str, str]]:
    """Families without a held-out check, and why."""
    return [(row.family, f"{row.reason}.") for row in validation.unchecked]


def transfer_words(validation: Validation, style: Style = ENGLISH) -> list[tuple[str, str]]:
    """Families held against figures of others, with how far off the factors between them are."""
    return [(row.family, _transfer(row, style)) for row in transfer_errors(validation.transfers)]


def _transfer(row: TransferError, style: Style) -> str:
    name = TRANSFERRED_QUANTITIES.get(row.quantity, quantity_text(row.quantity))
    figures = "figure" if row.n == 1 else "figures"
    inside = "inside its range" if row.n == 1 else f"{row.inside} inside their ranges"
    if row.n == 1 and not row.inside:
        inside = "outside its range"
    return (
        f"{name} by {row.by}: {row.n} {figures}, off by {percent(row.mean_pct, style=style)} on "
        f"average, {inside}."
    )


def points_words(points: tuple[PlotPoint, ...], style: Style = ENGLISH) -> str:
    """The errors over the points on screen; doubted and unprinted ones are counted apart."""
    errors = point_errors([each.point for each in points])
    left_out = {
        "doubted": sum(each.is_doubted for each in points),
        "not printed": sum(each.is_unprinted for each in points),
    }
    names = [f"{count} {name}" for name, count in left_out.items() if count]
    extra = f"; {', '.join(names)}, not counted" if names else ""
    if errors is None:
        return f"No point counts{extra}" if extra else ""
    word = "point" if errors.n == 1 else "points"
    return (
        f"{errors.n} {word}: mean error {percent(errors.mape_pct, style=style)}, log error "
        f"{number(errors.log_error, 2, style=style)}, "
        f"{percent(errors.coverage_pct, 0, style=style)} inside their range{extra}"
    )
