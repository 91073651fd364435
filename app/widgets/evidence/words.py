"""The accuracy of the model in sentences that can be read out; every number from the validation."""

from __future__ import annotations

from app.language import local, tr, trn
from app.qtmodels.accuracy import PlotPoint
from app.qtmodels.evidence import quantity_text
from models.fitting.point_errors import point_errors
from models.fitting.transfers import TransferError, transfer_errors
from models.fitting.validation import BEYOND, INSIDE, SERIES_SPLIT, Accuracy, Validation
from models.predicted import title_of
from models.wording import ENGLISH, THIN, Style, number

CALCULATING = tr("Calculating how right the model is …")
CALCULATING_MORE = tr(
    "It is refitted about a thousand times, each time without the figures that it then predicts. "
    "All evidence can be looked through meanwhile."
)
ALONE = frozenset({INSIDE, BEYOND})
TRANSFERRED_QUANTITIES = {"cpu_ratio": tr("CPU with double RAM over that without")}
_HELD_OUT = {
    INSIDE: tr("each point but the last of its series left out alone"),
    BEYOND: tr("the last point of each series left out alone"),
    SERIES_SPLIT: tr("whole series left out"),
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
        name = local(title_of(quantity))
        if parts:
            parts.append(
                tr(
                    "{name} by {inside} and {beyond}",
                    name=name,
                    inside=errors[0],
                    beyond=errors[1],
                )
            )
        else:
            parts.append(
                tr(
                    "{name} errs by {inside} inside the measured loads and {beyond} beyond them",
                    name=name,
                    inside=errors[0],
                    beyond=errors[1],
                )
            )
    return (
        tr("Held out, {errors}.", errors="; ".join(parts))
        if parts
        else tr("Nothing could be held out.")
    )


def below_headline(validation: Validation, doubted: int, style: Style = ENGLISH) -> str:
    """What held out means, what naive curves reach, how often the ranges hold, what is left out."""
    errors = point_errors([p for p in validation.points if p.split in ALONE])
    sentences = [tr("Each figure was predicted by a fit that had not seen it.")]
    if errors is not None:
        share = percent(errors.coverage_pct, 0, style=style)
        sentences.append(
            tr("{share} of {n} figures lie inside their 90\u202f% range.", share=share, n=errors.n)
        )
    if naive := _naive(validation, style):
        sentences.append(tr("The best naive curve errs by {naive}.", naive=naive))
    if doubted:
        sentences.append(
            trn(
                "{count} cell that its authors doubt is shown and never counted.",
                "{count} cells that their authors doubt are shown and never counted.",
                doubted,
            )
        )
    return " ".join(sentences)


def _naive(validation: Validation, style: Style) -> str:
    found = _by_split(validation)
    parts = []
    for quantity in dict.fromkeys(quantity for quantity, _ in found):
        rows = [found.get((quantity, split)) for split in (INSIDE, BEYOND)]
        values = [row.baseline_mape_pct for row in rows if row is not None]
        shown = [percent(value, style=style) for value in values if value is not None]
        if len(shown) == 2:
            parts.append(
                tr(
                    "{inside} and {beyond} ({quantity})",
                    inside=shown[0],
                    beyond=shown[1],
                    quantity=title_of(quantity),
                )
            )
    return ", ".join(parts)


def _by_split(validation: Validation) -> dict[tuple[str, str], Accuracy]:
    return {(row.quantity, row.split): row for row in validation.accuracy}


def accuracy_words(row: Accuracy, style: Style = ENGLISH) -> str:
    """One row of the accuracy table as sentences."""
    half, most = (percent(v, style=style) for v in (row.median_ape_pct, row.p90_ape_pct))
    naive = ""
    if row.baseline_mape_pct is not None:
        naive = tr(
            " The best naive curve errs by {error}.",
            error=percent(row.baseline_mape_pct, style=style),
        )
    return tr(
        "{quantity}, {held_out}: {n} points, off by {mape_pct} on average; half of them "
        "by less than {half}, nine of ten by less than {most}. {bias_words} "
        "{coverage_pct} lie inside their 90\u202f% range.{naive}",
        quantity=quantity_text(row.quantity),
        held_out=_HELD_OUT[row.split],
        n=row.n,
        mape_pct=percent(row.mape_pct, style=style),
        half=half,
        most=most,
        bias_words=_bias_words(row.bias, style),
        coverage_pct=percent(row.coverage_pct, 0, style=style),
        naive=naive,
    )


def _bias_words(bias: float, style: Style) -> str:
    """A bias in ln as what it does to a prediction, to the whole per cent."""
    if abs(bias) < 0.005:
        return tr("On the whole neither high nor low.")
    amount = percent(100.0 * abs(bias), 0, style=style)
    if bias > 0:
        return tr("On the whole {amount} high.", amount=amount)
    return tr("On the whole {amount} low.", amount=amount)


def unchecked_words(validation: Validation) -> list[tuple[str, str]]:
    """Families without a held-out check, and why."""
    return [(row.family, f"{local(row.reason)}.") for row in validation.unchecked]


def transfer_words(validation: Validation, style: Style = ENGLISH) -> list[tuple[str, str]]:
    """Families held against figures of others, with how far off the factors between them are."""
    return [(row.family, _transfer(row, style)) for row in transfer_errors(validation.transfers)]


def _transfer(row: TransferError, style: Style) -> str:
    name = TRANSFERRED_QUANTITIES.get(row.quantity, quantity_text(row.quantity))
    inside = (
        tr("inside its range")
        if row.n == 1
        else tr("{inside} inside their ranges", inside=row.inside)
    )
    if row.n == 1 and not row.inside:
        inside = tr("outside its range")
    return trn(
        "{name} by {by}: {count} figure, off by {mean_pct} on average, {inside}.",
        "{name} by {by}: {count} figures, off by {mean_pct} on average, {inside}.",
        row.n,
        name=name,
        by=row.by,
        mean_pct=percent(row.mean_pct, style=style),
        inside=inside,
    )


def points_words(points: tuple[PlotPoint, ...], style: Style = ENGLISH) -> str:
    """The errors over the points on screen; doubted and unprinted ones are counted apart."""
    errors = point_errors([each.point for each in points])
    left_out = {
        tr("doubted"): sum(each.is_doubted for each in points),
        tr("not printed"): sum(each.is_unprinted for each in points),
    }
    names = [f"{count} {name}" for name, count in left_out.items() if count]
    extra = tr("; {names}, not counted", names=", ".join(names)) if names else ""
    if errors is None:
        return tr("No point counts{extra}", extra=extra) if extra else ""
    return trn(
        "{count} point: mean error {mape_pct}, log error {log_error}, {coverage_pct} inside "
        "their range{extra}",
        "{count} points: mean error {mape_pct}, log error {log_error}, {coverage_pct} inside "
        "their range{extra}",
        errors.n,
        mape_pct=percent(errors.mape_pct, style=style),
        log_error=number(errors.log_error, 2, style=style),
        coverage_pct=percent(errors.coverage_pct, 0, style=style),
        extra=extra,
    )
