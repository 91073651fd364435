"""``validate``: the accuracy table of the model, as text, as JSON and as a page."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import date

from app.calibrated import shipped_evidence
from models.validation import Accuracy, Validation, validate

HEAD = (
    "family",
    "quantity",
    "split",
    "n",
    "median %",
    "mean %",
    "90th %",
    "log error",
    "bias",
    "in 90 % interval",
    "constants",
    "naive mean %",
    "naive log error",
)
_NOTHING = "–"


def run_validation() -> Validation:
    """Refits the model to the shipped evidence with points and series held out."""
    return validate(shipped_evidence())


def validation_json(validation: Validation, *, model_version: str) -> str:
    """The validation as the JSON object of ``validate --json``."""
    data = {"model_version": model_version} | validation.to_data()
    return json.dumps(data, ensure_ascii=False)


def validation_text(validation: Validation) -> str:
    """The accuracy table for a terminal, and what could not be checked."""
    table = [HEAD, *(_cells(row) for row in validation.accuracy)]
    widths = [max(len(row[column]) for row in table) for column in range(len(HEAD))]
    lines = [
        "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True))
        for row in table
    ]
    return "\n".join([*lines, "", *_unchecked(validation)])


def accuracy_page(validation: Validation, *, on: date) -> str:
    """`docs/accuracy.md`: the same tables as a page, with the date on which they were made."""
    return _PAGE.format(
        date=on.isoformat(),
        accuracy=_markdown(HEAD, [_cells(row) for row in validation.accuracy]),
        baselines=_markdown(_BASELINE_HEAD, _baseline_cells(validation)),
        points=_markdown(_POINT_HEAD, _point_cells(validation)),
        unchecked="\n".join(f"- {line}" for line in _unchecked(validation)),
    )


_BASELINE_HEAD = ("quantity", "split", "baseline", "n", "mean %", "log error")
_POINT_HEAD = ("split", "point", "measured", "predicted", "90 % interval", "inside")

_PAGE = """# Accuracy of the model

Made from `python -m app validate` on {date}. Every prediction here comes from a fit that did not
see the point; intervals are made without the point that they are for. `inside`: each point but the
last of its series, left out alone; `beyond`: the last point of each series, left out alone;
`series`: each whole series left out, CPU and response together. The percentages are median, mean
and 90th percentile of the absolute error; `log error` is the mean of |ln(predicted/measured)|,
`bias` the mean of ln(predicted/measured); `constants` counts every constant tuned on the family.
The law and its limits are explained in `model.md`.

{accuracy}

## Naive baselines

Each is fitted to one series alone: a straight line through the origin, line plus square (relative
error), hyperbola r/(1 − n/N) and exponential. Where one turns negative past its pole it is taken
to say 10,000. The x366 VMFS series has two undoubted response times, too few to leave one out.
The table above compares percentages with the best of the first three, logarithms with the best of
all four.

{baselines}

## Families without a held-out check

{unchecked}

## Every held-out point

CPU in % of 4 CPUs, response in ms.

{points}
"""


def _cells(row: Accuracy) -> tuple[str, ...]:
    return (
        row.family,
        row.quantity,
        row.split,
        str(row.n),
        f"{row.median_ape_pct:.1f}",
        f"{row.mape_pct:.1f}",
        f"{row.p90_ape_pct:.1f}",
        f"{row.log_error:.2f}",
        f"{row.bias:+.2f}",
        f"{row.coverage_pct:.0f} %",
        str(row.parameters),
        _NOTHING if row.baseline_mape_pct is None else f"{row.baseline_mape_pct:.1f}",
        _NOTHING if row.baseline_log_error is None else f"{row.baseline_log_error:.2f}",
    )


def _baseline_cells(validation: Validation) -> list[tuple[str, ...]]:
    return [
        (
            row.quantity,
            row.split,
            row.baseline,
            str(row.n),
            f"{row.mape_pct:.1f}",
            f"{row.log_error:.2f}",
        )
        for row in validation.baselines
    ]


def _point_cells(validation: Validation) -> list[tuple[str, ...]]:
    return [
        (
            point.split,
            point.evidence,
            f"{point.measured:g}",
            f"{point.predicted:.3g}",
            f"{point.low:.3g} – {point.high:.3g}",
            "yes" if point.low <= point.measured <= point.high else "no",
        )
        for point in validation.points
    ]


def _unchecked(validation: Validation) -> list[str]:
    return [f"Family {row.family}: n too small. {row.reason}." for row in validation.unchecked]


def _markdown(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    rule = tuple("---" for _ in head)
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, rule, *rows))
