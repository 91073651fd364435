"""What stands above the evidence while it is worked out, and below the points on screen."""

from __future__ import annotations

from app.language import tr, trn
from app.qtmodels.accuracy import PlotPoint
from models.fitting.point_errors import point_errors
from models.scenario.wording import ENGLISH, THIN, Style, number

CALCULATING = tr("Calculating how right the model is …")
CALCULATING_MORE = tr(
    "It is refitted about a thousand times, each time without the figures that it then predicts. "
    "All evidence can be looked through meanwhile."
)


def percent(value: float, decimals: int = 1, *, style: Style = ENGLISH) -> str:
    return f"{number(value, decimals, style=style)}{THIN}%"


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
